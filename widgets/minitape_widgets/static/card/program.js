// @ts-check
// A program of a card, drawn as the player draws code, with the stretches marked that the other one has not.

import { fillLine, hangOf, tokensOf } from "../code/line.js";
import { make } from "../elements/dom.js";

/** @typedef {[line: number, start: number, end: number]} Mark */

/**
 * @param {string} code
 * @param {Mark[]} marks
 * @param {string} side  "broken" or "fixed"
 * @param {string} name
 */
export function programOf(code, marks, side, name) {
  const lines = code.split("\n").map((line, i) => {
    const text = make("span", { class: "text", style: `--hang: ${hangOf(line)}ch` });
    const here = marks.filter(([number]) => number === i + 1);
    fillLine(
      text,
      line,
      tokensOf(line),
      here.map(([, start, end]) => [start, end, side]),
    );
    const gutter = make(
      "span",
      { class: "gutter", "aria-hidden": "true" },
      make("span", { class: "number", text: String(i + 1) }),
    );
    return make("div", { class: here.length ? "line here" : "line" }, gutter, text);
  });
  return make("div", { class: "listing", role: "group", "aria-label": name }, lines);
}
