// @ts-check
// A number as a pill: an adjoint with a triangle that points back, a part with a plus, a local derivative with a
// times (its formula, where it is no single number, with an arrow), a value with a triangle that points on.

import { draw } from "../elements/dom.js";
import { tileGroup } from "../elements/tiles.js";
import { isArray, isWritten, shorten } from "../storyboard/values.js";

/** @import { MaybeSummary } from "../storyboard/values.js" */
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

/** What is written in a pill. @type {(summary: MaybeSummary) => string} */
export const pillText = (summary) => (isTiled(summary) ? "" : shorten(summary ? summary.text : "None", 11));

/**
 * @param {MaybeSummary} summary
 * @param {Kind} kind
 * @param {number} y
 * @param {string} [text]  instead of the value's own
 */
export function pill(summary, kind, y, text, grow = 1) {
  const tiles = isTiled(summary) ? tileGroup(summary, 0, 0, 40, 12) : null;
  const label = text ?? pillText(summary);
  const width = 22 + label.length * 7.2 + (tiles ? tiles.width : 0);
  const left = -width / 2;
  const sign = SIGNS[kind] || SIGNS.adjoint;
  const place = `translate(0 ${y})` + (grow > 1 ? ` scale(${grow})` : "");
  if (tiles) tiles.group.setAttribute("transform", `translate(${left + 17} ${-tiles.height / 2})`);
  return draw(
    "g",
    { class: "pill pill-" + kind, transform: place },
    draw("rect", { x: left, y: -9, width, height: 18, rx: 9 }),
    draw("path", { class: "pill-sign", d: sign, transform: `translate(${left})` }),
    tiles && tiles.group,
    label ? draw("text", { x: left + 17, y: 4.2, text: label }) : null,
  );
}

/** Width and height, as they were drawn: a browser would lay out the page to say it. */
/** @type {(badge: Element) => number[]} */
export const sizeOfPill = (badge) =>
  ["width", "height"].map((name) => Number(badge.querySelector(".pill > rect")?.getAttribute(name)));
