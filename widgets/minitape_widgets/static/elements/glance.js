// @ts-check
// What stands in a small card beside something, while one points at it or the focus rests on it: the numbers of tiles.

import { gridFrom } from "../storyboard/grid.js";
import { assign, make } from "./dom.js";
import { gridInline } from "./grid.js";

const AWAY = 16; // pixels from a box: its adjoint hangs there
const EDGE = 4;

/** The numbers of tiles that carry them, in their colour. @type {(thing: Element) => Element[]} */
export function numbersIn(thing) {
  const text = thing.getAttribute("data-numbers");
  const [kind] = thing.getAttribute("class")?.match(/is-\w+/) ?? [];
  return text ? [make("div", { class: kind }, gridInline(gridFrom(text)))] : [];
}

/**
 * Gives a pane its glances; returns what ends the one that is shown.
 * @param {Element} pane
 * @param {string} things  what can be pointed at
 * @param {(thing: Element) => Element[]} told  what is said of one of them
 */
export function glanceIn(pane, things, told) {
  const root = make("div", { class: "glance", hidden: true, "aria-hidden": "true" });
  pane.append(root);
  /** @type {Element | null} */
  let at = null;

  function hide() {
    at = null;
    assign(root, "hidden", true);
  }

  /** @param {Event} event */
  function look({ target }) {
    const thing = /** @type {Element} */ (target).closest(things);
    if (thing && thing === at) return;
    hide();
    const parts = thing ? told(thing) : [];
    if (!thing || !parts.length) return;
    at = thing;
    root.replaceChildren(...parts);
    root.hidden = false;
    const [box, room] = [thing, pane].map((one) => one.getBoundingClientRect());
    const { offsetWidth: w, offsetHeight: h } = root;
    /** @type {(at: number, most: number) => number} */
    const inside = (at, most) => Math.max(EDGE, Math.min(most - EDGE, at));
    const [left, right] = [box.left - room.left, box.right - room.left];
    const tops = [box.bottom - room.top + AWAY, box.top - room.top - h - EDGE];
    const free = tops.find((top) => top >= EDGE && top + h + EDGE <= room.height);
    const beside = room.width - right > left ? right + EDGE : left - w - EDGE; // where neither below nor above is room
    root.style.left = inside(free === undefined ? beside : (left + right - w) / 2, room.width - w) + "px";
    root.style.top = (free ?? inside((tops[0] + tops[1]) / 2, room.height - h)) + "px";
  }

  for (const event of ["pointerover", "focusin"]) pane.addEventListener(event, look);
  for (const event of ["pointerleave", "focusout"]) pane.addEventListener(event, hide);
  return hide;
}
