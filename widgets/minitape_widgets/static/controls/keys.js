// @ts-check
// Keys belong to the player while it has the focus; with Ctrl, Alt or Meta they belong to the notebook (Ctrl+S saves).

import { isForeign } from "../elements/dom.js";

/**
 * What the keys do; `letGo` says whether there was anything to let go of.
 * @typedef {object} KeyActs
 * @property {(k: number) => void} go
 * @property {(by: number) => void} step
 * @property {() => void} toggle
 * @property {() => boolean} letGo
 * @property {number} total
 */

/** @param {HTMLInputElement} target */
const isTyping = ({ tagName, type }) =>
  (tagName === "INPUT" && type !== "range" && type !== "checkbox") || tagName === "SELECT" || tagName === "TEXTAREA";

/** @param {HTMLInputElement} target  an element that the space bar presses */
const isPressed = (target) =>
  ["BUTTON", "SUMMARY"].includes(target.tagName)
  || target.type === "checkbox"
  || target.getAttribute("role") === "button";

/**
 * @param {HTMLElement} root
 * @param {KeyActs} acts
 */
export function takeKeys(root, { go, step, toggle, letGo, total }) {
  /** @type {{ [key: string]: () => void }} */
  const acts = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    Home: () => go(0),
    End: () => go(total),
    " ": toggle,
  };
  root.addEventListener("keydown", (event) => {
    if (isForeign(event) || event.key === "Tab") return;
    event.stopPropagation();
    if (event.defaultPrevented) return;
    if (event.key === "Escape") {
      if (letGo()) event.preventDefault();
      return;
    }
    const target = /** @type {HTMLInputElement} */ (event.composedPath()[0]);
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : null;
    if (!act || isTyping(target) || (event.key === " " && isPressed(target))) return;
    event.preventDefault();
    act();
  });
  for (const kind of /** @type {const} */ (["keyup", "keypress"]))
    root.addEventListener(kind, (event) => {
      if (!isForeign(event)) event.stopPropagation();
    });
}
