// @ts-check
// The rows of the inspector's tables, and how a value is written in them.

import { make } from "../elements/dom.js";
import { gridInline } from "../elements/grid.js";
import { heatMap } from "../elements/tiles.js";
import { gridOf } from "../storyboard/grid.js";
import { given } from "../storyboard/lookup.js";
import { nodeName } from "../storyboard/sentences.js";
import { shapeText } from "../storyboard/values.js";

/** @import { Index, Numeric, Storyboard } from "storyboard" */
/** @import { Children, Choose } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { MaybeSummary } from "../storyboard/values.js" */
/** @typedef {{ board: Storyboard, words: Words, choose: Choose }} About what rows are about, and whom a link tells */

/** @type {(x: number | null | undefined) => x is number} */
export const known = (x) => given(x) && x >= 0;

/** @type {(label: string, ...content: Children[]) => HTMLElement} */
export const row = (label, ...content) =>
  make("tr", {}, make("th", { scope: "row", text: label }), make("td", {}, content));

/** @param {HTMLElement[]} rows */
export const table = (rows) => make("table", {}, make("tbody", {}, rows));

/** @type {(board: Storyboard, v: Index | null | undefined) => MaybeSummary} */
export const valueAt = (board, v) => (known(v) ? board.values[v] : null);

/** @type {(summary: MaybeSummary) => string} "float32 [3×2]" */
export const typed = (summary) =>
  summary ? summary.dtype + (summary.shape.length ? " " + shapeText(summary) : "") : "";

/** @type {(text: string, click: () => void) => HTMLElement} */
export const link = (text, click) => make("button", { type: "button", class: "link", text, on: { click } });

/** @type {(about: About, n: Index) => HTMLElement} */
export const nodeLink = ({ board, choose }, n) => link(nodeName(board, n), () => choose({ node: n }));

/** @param {Numeric} x */
const shortNumber = (x) => (typeof x === "number" && String(x).length > 8 ? x.toPrecision(4) : String(x));

/**
 * A value with its facts and its tiles; a dash where there is none.
 * @type {(words: Words, kind: "value" | "adjoint", summary: MaybeSummary) => Children}
 */
export function valueLine(words, kind, summary) {
  if (!summary) return make("span", { class: "fine", text: "–" });
  const text = summary.shape.length ? shapeText(summary) + "  " : summary.text;
  const grid = gridOf(summary);
  const box = make("span", { class: "is-" + kind }, grid ? gridInline(grid) : text);
  if (!summary.shape.length) return box;
  const facts = /** @type {const} */ (["min", "max", "mean"]).flatMap((name) => {
    const x = summary[name];
    return given(x) ? [words.say("ui.fact." + name) + " " + shortNumber(x)] : [];
  });
  const odd = [summary.nan ? summary.nan + " NaN" : "", summary.inf ? summary.inf + " ∞" : ""].filter(Boolean);
  return [
    box,
    grid ? " " : "",
    make("span", { class: "fine", text: facts.join(" · ") }),
    odd.length ? make("strong", { class: "is-cut", text: " " + odd.join(", ") }) : null,
    grid ? null : heatMap(summary, kind, words),
  ];
}
