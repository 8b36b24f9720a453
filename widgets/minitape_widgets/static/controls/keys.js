// @ts-check
// Keys belong to the player while it has the focus; with Ctrl, Alt or Meta they belong to the notebook (Ctrl+S saves).

import { isForeign } from "../elements/dom.js";
import { SIZES } from "../storyboard/stops.js";

/** @import { Size } from "../storyboard/stops.js" */

/**
 * What the keys do; `letGo` says whether there was anything to let go of.
 * @typedef {object} KeyActs
 * @property {(k: number) => void} go
 * @property {(by: number, keepPlaying?: boolean, size?: Size) => void} step
 * @property {() => void} toggle
 * @property {(size: Size) => void} resize
 * @property {() => boolean} letGo
 * @property {() => HTMLElement | null} entry  the card or node from which the arrows up and down walk on
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
export function takeKeys(root, { go, step, toggle, resize, letGo, entry, total }) {
  /** @type {(event: KeyboardEvent, by: number) => void} with Shift a single act, however large steps are */
  const move = ({ shiftKey }, by) => (shiftKey ? step(by, false, "act") : step(by));
  const enter = () => entry()?.focus({ preventScroll: true });
  /** @type {{ [key: string]: (event: KeyboardEvent) => void }} */
  const acts = {
    ArrowRight: (event) => move(event, 1),
    ArrowLeft: (event) => move(event, -1),
    ArrowDown: enter,
    ArrowUp: enter,
    Home: () => go(0),
    End: () => go(total),
    " ": toggle,
    p: toggle,
    ...Object.fromEntries(SIZES.map((size, i) => [String(i + 1), () => resize(size)])),
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
    if (act === enter && target !== root && !target.closest(".transport")) return; // what scrolls, scrolls
    event.preventDefault();
    act(event);
  });
  for (const kind of /** @type {const} */ (["keyup", "keypress"]))
    root.addEventListener(kind, (event) => {
      if (!isForeign(event)) event.stopPropagation();
    });
}
