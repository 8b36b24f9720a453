// @ts-check
// What tells cells apart without colour: stripes for exactly 0 (or for all of them), crosses for what is not finite,
// dots where nothing was measured. And the legend, which is made of the same.

import { draw, make } from "../elements/dom.js";

/** @import { Words } from "./words.js" */

let number = 0;

/** The patterns of one view, under names of their own: a page may hold several. */
export function patterns() {
  const own = `health-${(number += 1)}`;
  const pattern = (/** @type {string} */ name, /** @type {number} */ size, /** @type {SVGElement[]} */ ...inside) =>
    draw("pattern", { id: `${own}-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, inside);
  const defs = draw(
    "defs",
    {},
    pattern("zero", 5, draw("path", { class: "stroke", d: "M-1 6L6 -1M-1 1L1 -1M4 6L6 4" })),
    pattern(
      "bad",
      9,
      draw("rect", { class: "red", width: 9, height: 9 }),
      draw("path", { class: "white", d: "M2 2L7 7M7 2L2 7" }),
    ),
    pattern("none", 6, draw("circle", { class: "dot", cx: 3, cy: 3, r: 0.8 })),
  );
  /** @param {string} look */
  const fill = (look) => {
    const name = look === "all" ? "zero" : look;
    return ["zero", "bad", "none"].includes(name) ? `fill: url(#${own}-${name})` : null;
  };
  return { defs, fill };
}

/** @type {Record<"size" | "share", [string, number, string][]>} the look, its height, its sentence */
const LEGEND = {
  size: [
    ["lowest", 2 / 9, "low"],
    ["low", 3 / 9, "small"],
    ["same", 5 / 9, "same"],
    ["high", 7 / 9, "large"],
    ["highest", 1, "high"],
    ["zero", 1, "zero"],
    ["bad", 1, "bad"],
    ["none", 1, "none"],
  ],
  share: [
    ["some", 4 / 8, "some"],
    ["all", 1, "all"],
    ["none", 1, "none"],
  ],
};

/**
 * @param {Words} words
 * @param {boolean} share
 * @param {(look: string) => string | null} fill
 * @param {boolean} tapes  whether some were kept
 */
export function legend(words, share, fill, tapes) {
  const box = { width: 20, height: 14 };
  /** @type {(key: string, ...inside: SVGElement[]) => HTMLElement} */
  const item = (key, ...inside) => {
    const swatch = draw("svg", { class: "health-swatch", ...box, "aria-hidden": "true" }, inside);
    return make("li", {}, swatch, words.say(`legend.${key}`));
  };
  const items = LEGEND[share ? "share" : "size"].map(([look, high, key]) => {
    const bar = { class: look, style: fill(look), y: 14 * (1 - high), width: 20, height: 14 * high };
    return item(key, draw("rect", { class: "back", ...box }), draw("rect", bar));
  });
  if (tapes) items.push(item("tape", draw("path", { class: "flag", d: "M10 4l4 6h-8z" })));
  return items;
}
