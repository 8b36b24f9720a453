// @ts-check
// Keeping what happens in view, by scrolling the pane and never the page.

import { shownPlace } from "./picture.js";
import { ROOM } from "./scale.js";

/** @import { Stage } from "player" */
/** @import { DrawnBox } from "./boxes.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Picture } from "./picture.js" */
/** @import { View } from "./view.js" */

/**
 * Scrolls to the box of the current act; after a jump to the end, to an answer.
 * @param {View} view
 * @param {Stage} stage
 * @param {Picture} picture
 */
export function follow(view, stage, picture) {
  const { node, card } = stage.current;
  /** @param {DrawnBox} drawn */
  const holds = ({ info }) => card >= 0 && info !== undefined && info.cards[0] <= card && card <= info.cards[1];
  const something = () =>
    shownPlace(picture, stage.results.at(-1)?.node ?? -1) || picture.boxes.find((drawn) => drawn.shown);
  const jumped = view.last !== stage.k;
  const box = shownPlace(picture, node) || picture.boxes.find(holds) || (jumped && something());
  if (!box) return;
  bring(view, box);
  if (picture.bubble) nudge(view, picture.bubble);
}

/**
 * Scrolls a box to the middle, if it is not well inside.
 * @param {View} view
 * @param {DrawnBox} box
 */
export function bring({ scroller, scale }, box) {
  const s = scale();
  const x = (box.x + ROOM.side) * s;
  const y = (box.y + ROOM.top) * s;
  const side = Math.max(90, (box.w / 2) * s);
  const { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller;
  if (x < scrollLeft + side || x > scrollLeft + clientWidth - side) scroller.scrollLeft = x - clientWidth / 2;
  if (y < scrollTop + 40 || y > scrollTop + clientHeight - 60) scroller.scrollTop = y - clientHeight / 2;
}

/**
 * A little farther, where the callout beside the node is cut off by the edge of the pane.
 * @param {View} view
 * @param {Box} bubble
 */
function nudge({ svg, scroller, scale }, { x, y, w, h }) {
  const s = scale();
  const { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller;
  const own = svg.getBoundingClientRect();
  const pane = scroller.getBoundingClientRect();
  const left = own.left - pane.left + scrollLeft;
  const top = own.top - pane.top + scrollTop;
  /** @type {(at: number, from: number, to: number, room: number) => number} */
  const into = (at, from, to, room) => (to + 4 - room > at ? to + 4 - room : Math.min(at, Math.max(0, from - 4)));
  scroller.scrollLeft = into(scrollLeft, left + (x - w / 2) * s, left + (x + w / 2) * s, clientWidth);
  scroller.scrollTop = into(scrollTop, top + (y - h / 2) * s, top + (y + h / 2) * s, clientHeight);
}

/**
 * The picture can be drawn along with the mouse; a finger scrolls it anyway.
 * @param {HTMLElement} scroller
 */
export function pan(scroller) {
  /** @type {{ x: number, y: number } | null} */
  let from = null;
  scroller.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.pointerType !== "mouse" || event.button || target.closest(".node")) return;
    from = { x: event.clientX + scroller.scrollLeft, y: event.clientY + scroller.scrollTop };
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!(event.buttons & 1)) {
      from = null;
      return;
    }
    scroller.scrollLeft = from.x - event.clientX;
    scroller.scrollTop = from.y - event.clientY;
  });
}
