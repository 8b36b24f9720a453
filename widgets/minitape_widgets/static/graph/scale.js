// @ts-check
// How large the graph is drawn. A picture that fits is shown whole; one that is too wide to be read is shown from its
// left end.

/** @import { Options } from "player" */
/** @typedef {{ width: number, height: number }} Size in pixels */

export const ROOM = { top: 34, bottom: 46, side: 16 }; // for badges and callouts outside of the layout's own box

/** @type {(size: Size) => Size} */
export const framed = ({ width, height }) => ({
  width: width + 2 * ROOM.side,
  height: height + ROOM.top + ROOM.bottom,
});

/**
 * The scale at which boxes have their natural size beside the text around them.
 * @param {Options} options
 */
export const natural = (options) => (options.large ? 1.35 : 1.06);

/** @type {(options: Options) => number} below this nothing can be read */
const least = (options) => (options.large ? 0.6 : 0.55);

/** @type {(options: Options) => number} a picture that is too high is not made smaller than this */
const high = (options) => (options.large ? 0.66 : options.bare ? 0.56 : 0.75);

/**
 * The scale at which a picture fits a width where it can still be read; null where it cannot.
 * @type {(width: number, room: number, options: Options) => number | null}
 */
function fitted(width, room, options) {
  const fit = (room - (options.large ? 14 : 10)) / width;
  return fit >= least(options) ? Math.min(natural(options), fit) : null;
}

/**
 * The scale of a picture in a pane, where the learner has not chosen one.
 * @type {(picture: Size, pane: Size, options: Options) => number}
 */
export function scaleOf(picture, pane, options) {
  const across = fitted(picture.width, pane.width, options);
  const down = pane.height / picture.height;
  // Too high: smaller, as long as it can be read.
  if (across) return Math.max(Math.min(across, high(options)), Math.min(across, down));
  return Math.max(high(options), Math.min(0.8, down)); // too wide: from the left end
}

/**
 * The height of a picture at the smallest scale that a pane of this width would give it.
 * @type {(picture: Size, room: number, options: Options) => number}
 */
export const lowest = (picture, room, options) =>
  picture.height * Math.min(1, fitted(picture.width, room, options) || high(options));

/**
 * The height that a picture would take in a pane of this width.
 * @type {(picture: Size, room: number, options: Options) => number}
 */
export const heightIn = (picture, room, options) =>
  Math.ceil(picture.height * (fitted(picture.width, room, options) || 0.8));

/**
 * How much larger letters are drawn in the same boxes, so that they can still be read in a small picture, or at the
 * back of a room.
 * @type {(scale: number, options: Options) => number}
 */
export function lettersAt(scale, options) {
  const wanted = Math.min(1.6, (options.large ? 1.35 : 0.8) / scale);
  return wanted < 1.08 ? 1 : wanted;
}
