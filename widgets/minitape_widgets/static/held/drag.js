// @ts-check
// A number that is drawn along: sideways with a mouse, a pen or a finger, and by keys.

import { assign } from "../elements/dom.js";
import { strideOf, stepped } from "./steps.js";

/** @import { Index } from "storyboard" */
/** @import { Held } from "./held.js" */

const BEGINS = 4; // pixels: less is a click
const PITCH = 4; // pixels of a step
const FINE = 0.1; // with Shift

/** @type {(held: Held, node: Index, cell: number, steps: number) => void} */
export function stepBy(held, node, cell, steps) {
  const x = held.number(node, cell);
  if (x !== undefined) held.set(node, cell, stepped(x, steps, strideOf(x)));
}

/**
 * Steps that a key asks for: up and down, with Alt where they have another meaning; with Shift a tenth.
 * @type {(event: KeyboardEvent, alt: boolean) => number}
 */
export function stepsOf({ key, altKey, ctrlKey, metaKey, shiftKey }, alt) {
  if (ctrlKey || metaKey || altKey !== alt) return 0;
  return ({ ArrowUp: 1, ArrowDown: -1 }[key] ?? 0) * (shiftKey ? FINE : 1);
}

/**
 * Lets an element be drawn along for a number; of an array `cellOf` says which one somebody takes hold of, -1 for none.
 * @type {(element: HTMLElement | SVGElement, held: Held, node: Index,
 *   cellOf?: (target: EventTarget | null) => number) => void}
 */
export function draggable(element, held, node, cellOf = () => 0) {
  let cell = 0;
  /** @type {{ id: number, at: number, x: number, step: number, fine: boolean } | null} */
  let from = null;
  let moved = false;
  /** @type {(on: boolean) => void} */
  const mark = (on) => {
    moved = on;
    assign(element, "data-dragging", on);
  };
  /** @param {PointerEvent} event */
  function down({ pointerId, clientX, button, isPrimary, shiftKey: fine, target }) {
    cell = cellOf(target);
    const x = cell < 0 ? undefined : held.number(node, cell);
    moved = false;
    from = button || !isPrimary || x === undefined ? null : { id: pointerId, at: clientX, x, step: strideOf(x), fine };
    if (from) element.setPointerCapture(pointerId); // a quick hand leaves the box before it has moved far
  }
  /** @param {PointerEvent} event */
  function move({ pointerId, clientX, shiftKey }) {
    if (!from || from.id !== pointerId) return;
    if (!moved && Math.abs(clientX - from.at) < BEGINS) return;
    if (!moved) held.touched = { node, cell };
    if (!moved) from.fine = shiftKey;
    if (!moved) mark(true);
    if (shiftKey !== from.fine) from = { ...from, at: clientX, x: held.number(node, cell) ?? from.x, fine: shiftKey };
    const steps = Math.round((clientX - from.at) / PITCH);
    held.set(node, cell, stepped(from.x, steps, from.step * (shiftKey ? FINE : 1)));
  }
  function up() {
    from = null;
    element.removeAttribute("data-dragging");
  }
  /** What ends with a click was a drag, and chooses nothing. @param {Event} event */
  function click(event) {
    if (moved) event.stopImmediatePropagation();
    moved = false;
  }
  element.addEventListener("pointerdown", /** @type {EventListener} */ (down));
  element.addEventListener("pointermove", /** @type {EventListener} */ (move));
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("click", click, true);
  // a finger that draws a number along scrolls nothing; browsers do not heed touch-action inside of an SVG
  const still = /** @param {Event} event */ (event) => from && moved && event.preventDefault();
  element.addEventListener("touchmove", still, { passive: false });
}
