// @ts-check
// A small array as a grid of its numbers: what a learner can read is written, a larger one is tiles.

import { CELL_DIGITS, isArray, isWritten, needsTiles, numberText } from "./values.js";

/** @import { Numeric, Summary } from "storyboard" */
/** @import { MaybeSummary } from "./values.js" */
/** @typedef {{ rows: string[][], w: number, width: number, height: number }} Grid the texts, and the room they take */

const MOST = 12; // numbers; drawing/grid.py gives boxes the room for as many
const CORNER = 2; // rows and columns that are seen of a larger one
export const ROW = 16; // the height of a cell
export const LOW = 3; // rows that stand in a line of text
export const TALL = 4; // rows that stand in a line of a sentence, which may be higher
const SIZE = 14; // of its letters
export const LETTER = 0.61 * SIZE; // the width of one
const AROUND = 7; // beside the longest number: what stands in two cells is not read as one

/** @type {(cell: Numeric, dtype: string) => string} */
export function cellText(cell, dtype) {
  if (typeof cell !== "number") return cell;
  if (dtype === "bool") return cell ? "True" : "False";
  if (dtype.includes("int")) return String(cell);
  const text = numberText(cell, CELL_DIGITS);
  return text.endsWith(".0") ? text.slice(0, -1) : text;
}

/** @type {(rows: string[][]) => Grid} */
function sized(rows) {
  const w = Math.max(...rows.flat().map((text) => text.length)) * LETTER + AROUND;
  return { rows, w, width: w * rows[0].length, height: ROW * rows.length };
}

/** @type {(grid: Grid) => Grid} */
export const transposed = ({ rows }) => sized(rows[0].map((_, c) => rows.map((row) => row[c])));

/**
 * The numbers in the corner of a larger array; null where it is known by every few of its cells only.
 * @type {(summary: Summary) => Grid | null}
 */
export function cornerOf({ cells, strided, dtype }) {
  if (strided || !cells?.length) return null;
  const [down, right] = [cells.length > CORNER, cells[0].length > CORNER];
  const rows = cells.slice(0, CORNER).map((row) => row.slice(0, CORNER).map((cell) => cellText(cell, dtype)));
  for (const row of rows) row.push(...(right ? ["…"] : []));
  return sized(down ? [...rows, rows[0].map(() => "⋮")] : rows);
}

/**
 * The numbers of an array as a text, or those in its corner; null where it has none: what tiles carry with them.
 * @type {(summary: Summary) => string | null}
 */
export function numbersText(summary) {
  const grid = gridOf(summary) ?? cornerOf(summary);
  return grid && grid.rows.map((row) => row.join(" ")).join("\n");
}

/** @type {(text: string) => Grid} */
export const gridFrom = (text) => sized(text.split("\n").map((row) => row.split(" ")));

/** How many rows its grid has: as many as there are vectors along the last axis. */
/** @type {(summary: Summary) => number} */
export const rowsOf = ({ shape }) => (shape ?? []).slice(0, -1).reduce((a, b) => a * b, 1);

/** @type {WeakMap<Summary, Grid | null>} */
const MADE = new WeakMap();

/**
 * The grid of an array of few numbers; null for any other value.
 * @param {MaybeSummary} summary
 */
export function gridOf(summary) {
  if (!summary) return null;
  const known = MADE.get(summary);
  if (known !== undefined) return known;
  const few = isArray(summary) && summary.shape.reduce((a, b) => a * b, 1) <= MOST;
  const rows = few ? summary.cells.map((row) => row.map((cell) => cellText(cell, summary.dtype))) : [];
  const grid = few ? sized(rows) : null;
  MADE.set(summary, grid);
  return grid;
}

/**
 * A value as a text in a sentence: a few numbers are written, row by row, and of more their shape and how far they go.
 * @param {Summary} summary
 */
export function textOf(summary) {
  const grid = isWritten(summary) || summary.shape.length > 2 ? null : gridOf(summary);
  const rows = grid?.rows.map((row) => `[${row.join(" ")}]`) ?? [];
  return rows.length ? (summary.shape.length > 1 ? `[${rows.join(" ")}]` : rows[0]) : summary.text;
}

/**
 * The grid of a value that is written as `text` in a line, where it says more: of rows, and of numbers left out.
 * @type {(summary: MaybeSummary, text: string, most?: number) => Grid | null}
 */
export function gridInLine(summary, text, most = LOW) {
  const grid = gridOf(summary);
  const rows = grid?.rows.length ?? 0;
  return rows <= most && (rows > 1 || needsTiles(summary, text)) ? grid : null;
}
