// @ts-check
// The numbers of what can be held, as fields: one for a number, a grid for a small array, each with a slider.

import { assign, make } from "../elements/dom.js";
import { nodeName } from "../storyboard/sentences.js";
import { draggable, stepBy, stepsOf } from "./drag.js";
import { spanAt } from "./spans.js";
import { fieldText, numberIn, placeOf, stepped } from "./steps.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Held } from "./held.js" */
/** @import { Span } from "./spans.js" */

const MOST = 16; // fields
const FEW = 6; // letters that a field of an array has room for at least

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Held} held
 */
export function fieldsPane(board, words, held) {
  const answer = make("p", { class: "fine held-answer", role: "status", "aria-live": "polite" });
  const root = make("div", { class: "held", hidden: true });
  /** @type {Index | null} */
  let shown = null;
  /** @type {HTMLInputElement[]} */
  let fields = [];
  /** @type {((x: number) => void)[]} */
  let sliders = [];

  /**
   * A slider around a number; it tells what it shows, to be moved when another hand has changed it.
   * @type {(node: Index, cell: number, name: string) => HTMLElement}
   */
  function sliderOf(node, cell, name) {
    /** @type {Span | null} */
    let span = null;
    let shown = NaN;
    const on = { input: draw, keydown: (/** @type {Event} */ event) => event.stopPropagation() };
    const slider = make("input", { type: "range", class: "held-slider", step: 1, "aria-label": name, on });
    function draw() {
      held.touched = { node, cell };
      if (span) held.set(node, cell, stepped(0, Number(slider.value), span.step));
    }
    sliders[cell] = (x) => {
      if (Object.is(x, shown)) return;
      shown = x;
      span = spanAt(x, span);
      const ends = { min: span.from, max: span.to, value: x };
      for (const [end, at] of Object.entries(ends)) assign(slider, end, Math.round(at / span.step));
      slider.value = String(Math.round(x / span.step));
      assign(slider, "aria-valuetext", fieldText(x));
    };
    return slider;
  }

  /** @type {(node: Index, cell: number, shape: number[]) => HTMLElement} */
  function fieldOf(node, cell, shape) {
    const name = nodeName(board, node) + placeOf(cell, shape);
    const about = { type: "text", class: "held-field", inputmode: "decimal", autocomplete: "off", spellcheck: "false" };
    const field = make("input", { ...about, size: 9, "aria-label": name, on: { input: read, keydown: walk } });
    fields.push(field);
    function read() {
      const value = numberIn(field.value);
      field.toggleAttribute("data-unread", value === undefined);
      answer.textContent = value === undefined ? words.say("ui.prompt.unread", { text: field.value.trim() }) : "";
      if (value !== undefined) held.set(node, cell, value);
    }
    /** @param {KeyboardEvent} event */
    function walk(event) {
      const steps = stepsOf(event, false) || stepsOf(event, true);
      if (!steps) return;
      event.preventDefault();
      event.stopPropagation();
      field.removeAttribute("data-unread");
      answer.textContent = "";
      stepBy(held, node, cell, steps);
    }
    const grip = make("span", { class: "held-grip", title: words.say("ui.held.drag") }, name + " =");
    if (!shape.length) draggable(grip, held, node, () => cell);
    return shape.length
      ? make("label", { class: "held-cell" }, field, sliderOf(node, cell, name))
      : make("label", {}, grip, field);
  }

  /** @param {Index} node */
  function build(node) {
    fields = [];
    sliders = [];
    answer.textContent = "";
    const { shape, data } = /** @type {import("../replay/array.js").Numbers} */ (held.numbers(node));
    if (data.length > MOST)
      return root.replaceChildren(
        make("p", { class: "fine", text: words.say("ui.held.many", { count: data.length }) }),
      );
    const cells = data.map((_, cell) => fieldOf(node, cell, shape));
    const grid = make("div", { class: ["held-one", "held-row", "held-grid"][Math.min(shape.length, 2)] }, cells);
    grid.style.setProperty("--across", String(shape.at(-1) ?? 1));
    root.replaceChildren(grid, answer);
  }

  /**
   * Shows the numbers of a node, or nothing where it cannot be held. What is being written stays as it is.
   * @param {Index | null} node
   */
  function update(node) {
    const now = node !== null && held.can(node) ? held.numbers(node) : undefined;
    root.hidden = !now;
    if (!now || node === null) {
      shown = null;
      return;
    }
    if (node !== shown) build(node);
    shown = node;
    fields.forEach((field, cell) => {
      const isMeant =
        Object.is(numberIn(field.value), now.data[cell]) || Math.fround(Number(field.value)) === now.data[cell];
      if (!held.changed) field.removeAttribute("data-unread");
      if (!field.hasAttribute("data-unread") && (!isMeant || !field.value)) field.value = fieldText(now.data[cell]);
    });
    sliders.forEach((show, cell) => show(now.data[cell]));
    root.style.setProperty("--letters", String(Math.max(FEW, ...fields.map((field) => field.value.length))));
    if (!fields.some((field) => field.hasAttribute("data-unread"))) answer.textContent = "";
  }

  return { root, update };
}
