// @ts-check
// A number as a pill: an adjoint with a triangle that points back, a part with a plus, a local derivative with a
// times (its formula, where it is no single number, with an arrow), a value with a triangle that points on.

import { draw } from "../elements/dom.js";
import { gridGroup } from "../elements/grid.js";
import { tileGroup } from "../elements/tiles.js";
import { fitted, isArray, isWritten } from "../storyboard/values.js";
import { highWith, pillGrid, pillScale } from "./grids.js";

/** @import { MaybeSummary } from "../storyboard/values.js" */
/** @import { Sized } from "./grids.js" */
/** @typedef {"adjoint" | "part" | "none" | "local" | "formula" | "value"} Kind */

/** @type {{ [kind: string]: string }} */
const SIGNS = {
  adjoint: "M13 -4v8l-7 -4z",
  value: "M7 -4v8l7 -4z",
  part: "M7 0h7m-3.5 -3.5v7",
  local: "M7.7 -2.8l5.6 5.6m0 -5.6l-5.6 5.6",
  formula: "M14 0h-7m3 -3l-3 3l3 3",
};

/** @type {(summary: MaybeSummary) => summary is import("../storyboard/values.js").ArraySummary} */
const isTiled = (summary) => isArray(summary) && (Array.from(summary.text).length > 9 || !isWritten(summary));

/**
 * What is written in a pill at a box; "" where it is a grid or tiles.
 * @type {(summary: MaybeSummary, box?: Sized | null) => string}
 */
export const pillText = (summary, box) =>
  pillGrid(summary, box) || isTiled(summary) ? "" : fitted(summary ? summary.text : "None", 11);

/**
 * @param {MaybeSummary} summary
 * @param {Kind} kind
 * @param {number} y
 * @param {string | null} [text]  instead of the value's own; null: only a mark that one has come
 * @param {Sized | null} [box]  where it stands or arrives
 */
export function pill(summary, kind, y, text, grow = 1, box = null) {
  const grid = text === undefined ? pillGrid(summary, box) : null;
  const tiles = !grid && text !== null && isTiled(summary) ? tileGroup(summary, 0, 0, 40, 12) : null;
  const label = text === undefined ? pillText(summary, box) : text;
  const high = highWith(grid);
  const bare = !label && !tiles && !grid; // too small for a number: a mark that one has come
  const width = (bare ? 20 : 22) + (label?.length ?? 0) * 7.2 + (tiles ? tiles.width : 0) + (grid ? grid.width + 2 : 0);
  const left = -width / 2;
  const sign = SIGNS[kind] || SIGNS.adjoint;
  const size = pillScale(grid, box, grow);
  const place = `translate(0 ${y})` + (size > 1 ? ` scale(${size})` : "");
  if (tiles) tiles.group.setAttribute("transform", `translate(${left + 17} ${-tiles.height / 2})`);
  const numbers = grid && draw("g", { transform: `translate(${left + 17 + grid.width / 2})` }, gridGroup(grid));
  return draw(
    "g",
    { class: "pill pill-" + kind + (bare ? " is-bare" : ""), transform: place, "data-size": size },
    draw("rect", { x: left, y: -high / 2, width, height: high, rx: 9 }),
    draw("path", { class: "pill-sign", d: sign, transform: `translate(${left})` }),
    tiles && tiles.group,
    numbers,
    label ? draw("text", { x: left + 17, y: 4.2, text: label }) : null,
  );
}

/**
 * Width and height, as they were drawn: a browser would lay out the page to say it.
 * @type {(badge: Element) => number[]}
 */
export function sizeOfPill(badge) {
  const size = Number(badge.querySelector(".pill")?.getAttribute("data-size"));
  const rect = badge.querySelector(".pill > rect");
  return ["width", "height"].map((name) => size * Number(rect?.getAttribute(name)));
}
