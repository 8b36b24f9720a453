// @ts-check
// Numbers as small tiles: violet below zero, green above, and nothing at zero. A NaN is a cross, infinities are
// triangles that point up or down, so that they are seen without colour. At most 16 x 16 cells travel in a
// storyboard.

import { gridInLine } from "../storyboard/grid.js";
import { isArray, needsTiles, roomyValue, shapeText } from "../storyboard/values.js";
import { assign, draw, make } from "./dom.js";
import { gridInline } from "./grid.js";

/** @import { Numeric, Summary } from "storyboard" */
/** @import { ArraySummary, MaybeSummary } from "../storyboard/values.js" */
/** @import { Words } from "../storyboard/sentences.js" */

const SCALE = 9; // tiles from the least number to the largest

/**
 * A value in a line of text: its number, the numbers of a small array, or small tiles and the shape.
 * @param {Summary} summary
 * @param {string} kind
 */
export function valueInline(summary, kind, length = 14) {
  const text = roomyValue(summary, length);
  const grid = gridInLine(summary, text);
  if (grid) return make("span", { class: kind }, gridInline(grid));
  const span = make("span", { class: kind, text });
  if (!needsTiles(summary, text)) return span;
  const { group, width, height } = tileGroup(summary, 0, 0, 54, 18);
  const viewBox = `0 0 ${width} ${height}`;
  const tiles = draw("svg", { class: "heat-inline", width, height, viewBox, "aria-hidden": "true" }, group);
  return make("span", { class: "value-inline" }, tiles, span);
}

/**
 * The cells row by row, how many columns they have, and the largest number among them.
 * @param {ArraySummary} summary
 */
function cellsOf(summary) {
  const rows = summary.cells.map((row) => (Array.isArray(row) ? row : [row]));
  const finite = /** @type {number[]} */ (rows.flat().filter((cell) => Number.isFinite(cell)));
  return { rows, columns: Math.max(...rows.map((row) => row.length)), largest: Math.max(0, ...finite.map(Math.abs)) };
}

/** @type {(cell: Numeric, cx: number, cy: number, r: number) => string} */
function glyph(cell, cx, cy, r) {
  if (cell === "inf") return `M${cx - r} ${cy + r}h${2 * r}l${-r} ${-2 * r}z`;
  if (cell === "-inf") return `M${cx - r} ${cy - r}h${2 * r}l${-r} ${2 * r}z`;
  return `M${cx - r} ${cy - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
}

/** @type {(cell: Numeric) => cell is number} */
const isFinite = (cell) => Number.isFinite(cell);

/** What a cell with a number looks like. @type {(cell: number, largest: number) => { [attribute: string]: string }} */
function looksOf(cell, largest) {
  const strength = largest > 0 ? Math.min(1, Math.abs(cell) / largest) : 0;
  const kind = cell < 0 ? "cell below" : cell > 0 ? "cell above" : "cell zero";
  return { class: kind, "fill-opacity": cell === 0 ? "1" : (0.18 + 0.82 * strength).toFixed(3) };
}

/** @type {(cell: Numeric, x: number, y: number, w: number, h: number, largest: number) => SVGElement[]} */
function cellOf(cell, x, y, w, h, largest) {
  const box = { x, y, width: w, height: h };
  if (isFinite(cell)) return [draw("rect", { ...box, ...looksOf(cell, largest) })];
  const sign = glyph(cell, x + w / 2, y + h / 2, Math.min(w, h) * 0.3);
  return [
    draw("rect", { ...box, class: "cell odd" }),
    draw("path", { d: sign, class: cell === "nan" ? "glyph cross" : "glyph" }),
  ];
}

/**
 * The room that the tiles of an array take inside of a box: all of them, and one (w, side).
 * @type {(summary: ArraySummary, width: number, height: number) =>
 *   { w: number, side: number, width: number, height: number }}
 */
export function tileSize(summary, width, height) {
  const { rows, columns } = cellsOf(summary);
  const side = Math.min(width / columns, height / rows.length, 14);
  const w = Math.min(width / columns, Math.max(side * 2, 5)); // rows of a pixel are still seen where cells are wide
  return { w, side, width: columns * w, height: rows.length * side };
}

/**
 * The tiles of an array as an SVG group inside the box (x, y, width, height), and the room they take.
 * @type {(summary: ArraySummary, x: number, y: number, width: number, height: number) =>
 *   { group: SVGGElement, width: number, height: number }}
 */
export function tileGroup(summary, x, y, width, height) {
  const { rows, largest } = cellsOf(summary);
  const { w, side, ...size } = tileSize(summary, width, height);
  const gap = side > 5 ? 1 : 0;
  const group = draw("g", { class: side < 4 ? "tiles bare" : "tiles" });
  rows.forEach((row, r) =>
    row.forEach((cell, c) => group.append(...cellOf(cell, x + c * w, y + r * side, w - gap, side - gap, largest))),
  );
  return { group, ...size };
}

/**
 * Gives tiles that are there the numbers of another array of their shape; false where they must be drawn anew.
 * @type {(group: Element, summary: ArraySummary) => boolean}
 */
export function rewriteTiles({ children }, summary) {
  const { rows, largest } = cellsOf(summary);
  const cells = rows.flat().filter(isFinite);
  if (cells.length !== rows.flat().length || cells.length !== children.length) return false;
  cells.forEach((cell, k) => {
    for (const [name, look] of Object.entries(looksOf(cell, largest))) assign(children[k], name, look);
  });
  return true;
}

/**
 * The large tiles of the inspector, with numbers in them where there is room.
 * @param {MaybeSummary} summary
 * @param {string} kind
 * @param {Words} words
 * @param {boolean} [numbered]  else it is small
 */
export function heatMap(summary, kind, words, numbered = true) {
  if (!isArray(summary)) return null;
  const { rows, columns, largest } = cellsOf(summary);
  const roomy = numbered && columns <= 4 && rows.length <= 8;
  const w = roomy ? 62 : Math.max(12, Math.min(numbered ? 26 : 18, 260 / columns));
  const h = roomy ? 22 : Math.min(w, numbered ? 16 : 10);
  const width = columns * w;
  const height = rows.length * h;
  const { min, max, nan, inf } = summary;
  const label = words.say("ui.heat", { shape: shapeText(summary), min, max, nan: nan || 0, inf: inf || 0 });
  const svg = draw("svg", {
    class: "heat heat-" + kind,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
  });
  rows.forEach((row, r) =>
    row.forEach((cell, c) => {
      svg.append(...cellOf(cell, c * w, r * h, w - 1.5, h - 1.5, largest));
      if (roomy && typeof cell === "number") svg.append(cellNumber(cell, c * w + w / 2, r * h + h / 2, largest));
    }),
  );
  const scale = roomy ? null : scaleLine(summary);
  const strided = summary.strided ? make("div", { class: "fine", text: words.say("ui.heat.strided") }) : null;
  return make("div", { class: "heat-box" }, svg, scale, strided);
}

/** @type {(summary: ArraySummary) => HTMLElement | null} what the tiles say, from the least number to the largest */
function scaleLine(summary) {
  const { min, max } = summary;
  if (typeof min !== "number" || typeof max !== "number" || min === max) return null;
  const cells = [Array.from({ length: SCALE }, (_, k) => min + ((max - min) * k) / (SCALE - 1))];
  const { group, width, height } = tileGroup({ ...summary, cells }, 0, 0, 90, 9);
  const tiles = draw("svg", { class: "heat-inline", width, height, viewBox: `0 0 ${width} ${height}` }, group);
  return make("div", { class: "fine" }, short(min) + " ", tiles, short(max));
}

/** @type {(cell: number, x: number, y: number, largest: number) => SVGTextElement} */
function cellNumber(cell, x, y, largest) {
  const strong = largest > 0 && Math.abs(cell) / largest > 0.6;
  return draw("text", {
    x: x - 0.75,
    y: y + 3.6,
    "text-anchor": "middle",
    class: strong ? "cell-number strong" : "cell-number",
    text: short(cell),
  });
}

/**
 * A number in at most seven characters.
 * @param {number} number
 */
function short(number) {
  const text = String(number);
  if (text.length <= 7) return text;
  return Math.abs(number) >= 1e5 || Math.abs(number) < 1e-3 ? number.toExponential(1) : number.toPrecision(4);
}
