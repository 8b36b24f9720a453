// @ts-check
// How large the graph is drawn: whole, and as large as the pane allows, up to a little more than the text around it.

/** @import { Options } from "player" */
/** @typedef {{ width: number, height: number }} Size in pixels */

export const ROOM = { top: 34, bottom: 46, side: 16 }; // for badges and callouts outside of the layout's own box

export const STACKED = 4; // parts drawn one by one before "and n more"
export const LARGEST = 1.35; // how much larger numbers beside boxes are drawn at most

const WIDE = 900; // pixels; in a wider pane a small picture grows with it
const GROWS = 1.5; // up to so much

/** @type {(size: Size) => Size} */
export const framed = ({ width, height }) => ({
  width: width + 2 * ROOM.side,
  height: height + ROOM.top + ROOM.bottom,
});

/**
 * The scale at which boxes have their natural size beside the text around them.
 * @param {Options} options
 * @param {number} [room]  the width of the pane
 */
export const natural = (options, room = WIDE) =>
  (options.large ? 1.35 : 1.06) * (options.type ?? 1) * Math.max(1, Math.min(GROWS, room / WIDE));

/** @type {(width: number, room: number, options: Options) => number} */
const across = (width, room, options) =>
  Math.min(natural(options, room), Math.max(0.01, (room - (options.large ? 14 : 10)) / width));

/**
 * The scale of a picture in a pane, where the learner has not chosen one: all of it is seen.
 * @type {(picture: Size, pane: Size, options: Options) => number}
 */
export const scaleOf = (picture, pane, options) =>
  Math.min(across(picture.width, pane.width, options), Math.max(0.01, (pane.height - 2) / picture.height));

const READABLE = 0.77; // a scale at which the numbers of small arrays have 11 pixels, since they grow a little
const SEEN = 0.64; // and one at which they are there (LARGEST in grids.js)
const ENOUGH = 0.92; // and one at which all letters have 11 pixels: beyond it nothing is gained
const GAIN = 1.1; // a drawing is taken where it is seen so much larger

/**
 * Which of several drawings of the same is seen best: of those that are readable, else of those whose numbers are
 * seen, the one with the most numbers, and of these, as of those that are smaller still, the largest, the last where
 * little lies between them.
 * @type {(found: { scale: number, numbers: number }[], options: Options) => number}
 */
export function bestOf(found, options) {
  /** @type {(one: { scale: number, numbers: number }) => number} */
  const rank = ({ scale, numbers }) => {
    const seen = options.large ? Number(scale >= 1) : Number(scale >= SEEN) + Number(scale >= READABLE);
    return seen && 1e4 * seen + numbers;
  };
  const best = found.reduceRight((a, b) => {
    const more = rank(b) - rank(a);
    return more > 0 || (!more && a.scale < ENOUGH && b.scale > GAIN * a.scale) ? b : a;
  });
  return found.indexOf(best);
}

/**
 * The height that a picture would take in a pane of this width.
 * @type {(picture: Size, room: number, options: Options) => number}
 */
export const heightIn = (picture, room, options) =>
  Math.ceil(picture.height * across(picture.width, room, options)) + 2;

/**
 * How much larger letters are drawn in the same boxes, so that they can still be read in a small picture, or at the
 * back of a room; what finds no room then is left out (inside.js).
 * @type {(scale: number, options: Options) => number}
 */
export function lettersAt(scale, options) {
  return Math.max(1, (options.large ? 1.35 : 0.92) / scale);
}

/**
 * What is still told apart in a picture of this scale: everything; boxes without numbers under them; their shapes;
 * their colours.
 * @type {(scale: number, options: Options) => "all" | "names" | "shapes" | "colours"}
 */
export function detailAt(scale, options) {
  if (scale >= (options.large ? 0.65 : 0.5)) return "all";
  if (scale >= (options.large ? 0.25 : 0.24)) return "names";
  return scale >= 0.13 ? "shapes" : "colours";
}
