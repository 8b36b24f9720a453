// @ts-check
// Icons are drawn, never characters: many machines show an empty box for a "media" character.

import { assign, draw, make } from "./dom.js";

/** @import { Attributes } from "./dom.js" */
/** @typedef {keyof typeof SHAPES} IconName */

const FILLED = ["first", "last", "back", "next", "step", "play", "pause"];
const SHAPES = {
  first: "M5 4v12M16 4.5v11L8 10z",
  last: "M15 4v12M4 4.5v11l8-5.5z",
  back: "M13 4.5v11L5.5 10z",
  next: "M7 4.5v11l7.5-5.5z",
  step: "M7 4.5v11l7.5-5.5z",
  play: "M4 4.5v11L10.5 10zM11 4.5v11l6.5-5.5z",
  pause: "M6 4.5h3v11H6zM11.5 4.5h3v11h-3z",
  close: "M5 5l10 10M15 5L5 15",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  camera: "M10 2v4M10 14v4M2 10h4M14 10h4M10 5.5a4.5 4.5 0 1 0 .01 0",
  fit: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  view: "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4",
  check: "M4 10.5l4 4 8-9",
  open: "M8 5l5 5-5 5",
  shut: "M5 8l5 5 5-5",
};

/**
 * An icon by name; hidden from screen readers, whose text is on the button.
 * @param {IconName} name
 */
export function icon(name) {
  const filled = FILLED.includes(name);
  const path = draw("path", {
    d: SHAPES[name],
    fill: filled ? "currentColor" : "none",
    stroke: "currentColor",
    "stroke-width": filled ? 1.4 : 1.7,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
  return draw("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" }, path);
}

/**
 * A button with an icon and a name that screen readers and tooltips say.
 * @param {IconName} name
 * @param {string} label
 * @param {() => void} click
 * @param {Attributes} [more]
 */
export const iconButton = (name, label, click, more = {}) =>
  make(
    "button",
    { type: "button", class: "icon-button", title: label, "aria-label": label, on: { click }, ...more },
    icon(name),
  );

/**
 * A button that opens what is folded away, and folds it; `show` says which of both it is.
 * @param {string} look
 * @param {string} name
 * @param {() => void} click
 */
export function foldButton(look, name, click) {
  const sign = make("span", { class: "fold-sign" });
  const button = make("button", { type: "button", class: look, on: { click } }, sign, name);
  /** @param {boolean} open */
  function show(open) {
    assign(button, "aria-expanded", String(open));
    sign.replaceChildren(icon(open ? "shut" : "open"));
  }
  return { button, show };
}

/** The small diamond of a note: beside its line of code, and before its line in the margin. */
export const noteSign = (attributes = {}) =>
  draw(
    "svg",
    { viewBox: "0 0 8 8", "aria-hidden": "true", ...attributes },
    draw("path", { d: "M4 .5 7.5 4 4 7.5 .5 4z", fill: "currentColor" }),
  );
