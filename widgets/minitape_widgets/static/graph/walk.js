// @ts-check
// The keys of a box: up and down walk through the picture in the order of its drawing, Enter takes.

import { assign, isForeign } from "../elements/dom.js";
import { bring } from "./scroll.js";

/** @import { View } from "./view.js" */

/**
 * @param {View} view
 * @param {KeyboardEvent} event
 * @param {() => void} take
 */
export function walk(view, event, take) {
  if (isForeign(event) || event.altKey || !view.picture) return;
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const takes = event.key === "Enter" || event.key === " ";
  if (!move && !takes) return;
  if (takes) take();
  event.preventDefault();
  event.stopPropagation();
  if (!move) return;
  const shown = [...view.picture.frames, ...view.picture.boxes].filter((drawn) => drawn.shown);
  const next = shown[shown.findIndex((drawn) => drawn.element === event.currentTarget) + move];
  if (!next) return;
  for (const drawn of shown) assign(drawn.element, "tabindex", drawn === next ? "0" : "-1");
  next.element.focus({ preventScroll: true });
  bring(view, next);
}
