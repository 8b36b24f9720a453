// @ts-check
// How large the picture stands in the pane: the scale that fits, the one that the learner chose, and the size of
// letters that follows from it.

import { assign } from "../elements/dom.js";
import { drawBadges } from "./badges.js";
import { isUnder } from "./picture.js";
import { detailAt, heightIn, lettersAt, natural } from "./scale.js";
import { follow } from "./scroll.js";
import { corners } from "./view.js";

/** @import { Box } from "./geometry.js" */
/** @import { Drawings } from "./drawings.js" */
/** @import { View } from "./view.js" */

const SMALL = 0.85; // a picture so small has the room of the legend

/** @type {(list: number[]) => number} */
const most = (list) => Math.max(0, ...list);

/**
 * @param {View} view
 * @param {Drawings} drawings
 * @param {{ update: () => void }} map
 * @param {() => void} redraw  draws everything anew, in letters of another size
 */
export function fitOf(view, { ways, sizes, take }, map, redraw) {
  const { root, svg, scroller, key, options } = view;
  scroller.addEventListener("scroll", forget, { passive: true });

  /** What was measured no longer holds. */
  function forget() {
    view.still = false;
    view.measured = view.covered = null;
    view.stands.clear();
  }

  /** The middle of what is seen stays where it is. @param {number | null} value */
  function setZoom(value) {
    const before = view.scale();
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    const fit = view.fit();
    view.zoom = value && value > fit * 1.02 ? Math.min(4, Math.max(fit, value)) : null;
    resize();
    const by = view.scale() / before;
    scroller.scrollLeft = (scrollLeft + clientWidth / 2) * by - clientWidth / 2;
    scroller.scrollTop = (scrollTop + clientHeight / 2) * by - clientHeight / 2;
    follows();
  }

  /** Goes to where the act is, if the learner wants that; the minimap comes along. */
  function follows() {
    const { stage, picture } = view;
    if (stage && picture && view.camera) follow(view, stage, picture);
    map.update();
  }

  /**
   * Makes room in the pane for a picture with these boxes; returns whether its letters have another size there.
   * @param {Box[]} boxes
   */
  function makeRoom(boxes) {
    forget();
    assign(view.map, "hidden", true);
    // the pane's name lies above the picture where it covers nothing of it
    root.classList.remove("tall");
    key.hidden = false;
    const high = most(sizes().map((size) => heightIn(size, scroller.clientWidth, options)));
    key.hidden = high > scroller.clientHeight && (options.large || view.fit() < SMALL);
    setSize();
    const tall = (view.size?.height ?? 0) * view.scale() > scroller.clientHeight + 2;
    root.classList.toggle("tall", scroller.clientHeight > 0 && (tall || isUnder(corners(view), boxes)));
    const letters = lettersAt(view.scale(), options);
    if (Math.abs(letters - view.grow) < 0.01) return false;
    view.grow = letters;
    return true;
  }

  /** Fits the picture into the pane, after either has changed. */
  function resize() {
    const { picture } = view;
    if (!picture) return forget();
    const height = scroller.clientHeight + key.offsetHeight; // for a better picture the legend is left out
    if (height && take([{ width: scroller.clientWidth, height }]) !== view.way) return redraw();
    if (makeRoom([...picture.boxes, ...picture.frames])) return redraw();
    const scale = view.scale();
    const before = svg.dataset.detail;
    svg.dataset.detail = detailAt(scale, options);
    if (view.stage && before !== svg.dataset.detail) drawBadges(view, view.stage, picture);
    setSize();
    follows();
  }

  function setSize() {
    // the size that it has is not set again: all text would be laid out anew
    for (const side of /** @type {const} */ (["width", "height"]))
      assign(svg, side, Math.round((view.size?.[side] ?? 0) * view.scale()));
  }

  /** The boxes of the pictures that will be looked at, in their natural size, for each of their drawings. */
  const boxes = () =>
    ways.map((i) => ({
      width: most(sizes(i).map((size) => size.width)) * natural(options),
      height: most(sizes(i).map((size) => size.height)) * natural(options),
    }));

  /**
   * The height that all of it would take in a pane of this width: the highest of those pictures, and the legend.
   * @param {number} room
   */
  function wish(room) {
    key.hidden = false;
    return key.offsetHeight + 8 + most(sizes().map((size) => heightIn(size, room, options)));
  }

  return { setZoom, makeRoom, resize, boxes, wish };
}
