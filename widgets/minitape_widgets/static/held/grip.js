// @ts-check
// A box whose number can be changed where it stands: by drawing it along, and by keys.

import { draw } from "../elements/dom.js";
import { draggable, stepBy, stepsOf } from "./drag.js";

/** @import { Index } from "storyboard" */
/** @import { Held } from "./held.js" */

/**
 * Beside a number that can be drawn along, an arrow to either side.
 * @type {(value: SVGElement, w: number) => SVGPathElement}
 */
export function gripAt(value, w) {
  const size = parseFloat(value.style.fontSize);
  const half = (Array.from(value.textContent ?? "").length * 0.61 * size) / 2;
  const away = Math.max(half + 1, Math.min(w / 2 - 6, half + 6)); // on the border rather than on the number
  const d = `M${-away} ${-0.6 * size}l-3.5 3.5l3.5 3.5M${away} ${-0.6 * size}l3.5 3.5l-3.5 3.5`;
  return draw("path", { class: "grip", d, transform: value.getAttribute("transform") });
}

/** @type {(element: SVGElement, held: Held, node: Index) => void} */
export function takeHold(element, held, node) {
  draggable(element, held, node);
  element.addEventListener("keydown", (event) => {
    const steps = { "+": 1, "-": -1 }[event.key] ?? stepsOf(event, true);
    if (!steps) return;
    event.preventDefault();
    event.stopPropagation();
    stepBy(held, node, 0, steps);
  });
}

/**
 * Lets each number of a small array be drawn along where it stands.
 * @type {(element: SVGElement, held: Held, node: Index) => void}
 */
export const takeHoldOfCells = (element, held, node) =>
  draggable(element, held, node, (target) =>
    target instanceof Element ? Number(target.getAttribute("data-cell") ?? -1) : -1,
  );
