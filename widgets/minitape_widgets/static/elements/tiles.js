// @ts-check
// Numbers as small tiles: violet below zero, green above, and nothing at zero. A NaN is a cross, infinities are
// triangles that point up or down, so that they are seen without colour. At most 16 x 16 cells travel in a
// storyboard.

import { gridInLine, numbersText } from "../storyboard/grid.js";
import { isArray, needsTiles, roomyValue, shapeText } from "../storyboard/values.js";
import { assign, draw, make } from "./dom.js";
import { gridInline } from "./grid.js";

/** @import { Numeric, Summary } from "storyboard" */
/** @import { ArraySummary, MaybeSummary } from "../storyboard/values.js" */
/** @import { Words } from "../storyboard/sentences.js" */

/** @typedef {{ x: number, y: number, w: number, h: number, gap: number }} Place where cells begin, and their size */

const SCALE = 9; // tiles from the least number to the largest
const LEVELS = 12; // of how strong a colour is: more are not told apart

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
  return make(
    "span",
    { class: "value-inline " + kind, tabindex: "0", "data-numbers": numbersText(summary) },
    tiles,
    span,
  );
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

/** What a cell looks like: its class, and how strong its colour is. */
/** @type {(cell: Numeric, largest: number) => string} */
function lookOf(cell, largest) {
  if (!isFinite(cell)) return "cell odd";
  if (!cell) return "cell zero";
  const strength = Math.ceil((LEVELS * Math.abs(cell)) / largest) / LEVELS;
  return `cell ${cell < 0 ? "below" : "above"}|${(0.18 + 0.82 * strength).toFixed(2)}`;
}

/**
 * The paths of an array's cells: those of one look are one, and so are the signs on those that are no numbers. So an
 * array is a few elements, and of a number that changes a little nothing is drawn anew.
 * @type {(rows: Numeric[][], largest: number, at: Place) => Map<string, string>}
 */
function pathsOf(rows, largest, { x, y, w, h, gap }) {
  /** @type {Map<string, string>} */
  const paths = new Map();
  /** @type {(look: string, d: string) => void} */
  const add = (look, d) => void paths.set(look, (paths.get(look) ?? "") + d);
  const [wide, high] = [w - gap, h - gap];
  rows.forEach((row, r) =>
    row.forEach((cell, c) => {
      const [left, top] = [x + c * w, y + r * h];
      add(lookOf(cell, largest), `M${left} ${top}h${wide}v${high}h${-wide}z`);
      if (isFinite(cell)) return;
      const sign = cell === "nan" ? "glyph cross" : "glyph";
      add(sign, glyph(cell, left + wide / 2, top + high / 2, Math.min(wide, high) * 0.3));
    }),
  );
  return paths;
}

/** @type {WeakMap<Element, Place>} */
const PLACES = new WeakMap();

/** Draws the cells into a group, or draws them anew. */
/** @type {(group: Element, summary: ArraySummary, at: Place) => void} */
function fillTiles(group, summary, at) {
  PLACES.set(group, at);
  const { rows, largest } = cellsOf(summary);
  const paths = [...pathsOf(rows, largest, at)];
  while (group.children.length < paths.length) group.append(draw("path"));
  [...group.children].forEach((path, k) => {
    const [look, d] = paths[k] ?? ["", ""]; // what there are fewer of stays, and shows nothing
    const [name, strength] = look.split("|");
    for (const [attribute, value] of Object.entries({ class: name, "fill-opacity": strength, d }))
      assign(path, attribute, value);
  });
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
  const { w, side, ...size } = tileSize(summary, width, height);
  const gap = side > 5 ? 1 : 0;
  const group = draw("g", { class: side < 4 ? "tiles bare" : "tiles" });
  fillTiles(group, summary, { x, y, w, h: side, gap });
  return { group, ...size };
}

/** Gives tiles that are there the numbers of another array of their shape. */
/** @type {(group: Element, summary: ArraySummary) => void} */
export function rewriteTiles(group, summary) {
  const at = PLACES.get(group);
  if (at) fillTiles(group, summary, at);
}

/**
 * The large tiles of the inspector, which show their numbers when pointed at.
 * @param {MaybeSummary} summary
 * @param {string} kind
 * @param {Words} words
 * @param {boolean} [numbered]  else it is small
 */
export function heatMap(summary, kind, words, numbered = true) {
  if (!isArray(summary)) return null;
  const { rows, columns } = cellsOf(summary);
  const w = Math.max(12, Math.min(numbered ? 26 : 18, 260 / columns));
  const h = Math.min(w, numbered ? 16 : 10);
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
  const tiles = draw("g");
  fillTiles(tiles, summary, { x: 0, y: 0, w, h, gap: 1.5 });
  svg.append(tiles);
  const strided = summary.strided ? make("div", { class: "fine", text: words.say("ui.heat.strided") }) : null;
  const pointed = numbered ? { tabindex: "0", "data-numbers": numbersText(summary) } : {};
  return make("div", { class: "heat-box is-" + kind, ...pointed }, svg, scaleLine(summary), strided);
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

/**
 * A number in at most seven characters.
 * @param {number} number
 */
function short(number) {
  const text = String(number);
  if (text.length <= 7) return text;
  return Math.abs(number) >= 1e5 || Math.abs(number) < 1e-3 ? number.toExponential(1) : number.toPrecision(4);
}
