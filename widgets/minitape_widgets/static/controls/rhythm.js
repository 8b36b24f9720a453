// @ts-check
// The rhythm of slow play: quick where nothing new happens, slow at the first product of a play, at sums, at cuts, at
// answers and where the lesson speaks. Nothing here touches the page.

import { given } from "../storyboard/lookup.js";

/** @import { Frame, Storyboard } from "storyboard" */

const QUICK = 0.5;
const SLOW = 1.6;

/**
 * How long the moment after k acts stays, compared with the usual.
 * @param {Storyboard} board
 * @param {number} k
 */
export function stayOf(board, k) {
  const frame = board.frames[k - 1];
  if (!frame) return 1;
  if ((board.asides || []).some((aside) => aside.frame === k)) return SLOW; // there is more to read
  if (["sum", "result", "release", "seed"].includes(frame.act)) return SLOW;
  if (frame.act === "cut") return frame.why === "constant" || frame.why === "unwatched" ? QUICK : SLOW;
  if (frame.act === "visit") return QUICK;
  if (frame.act !== "part") return 1;
  if (!isProduct(board, frame)) return QUICK;
  return playOf(board, k).some((before) => isProduct(board, before)) ? 1 : SLOW;
}

/**
 * A part that is another number than the adjoint it came from.
 * @type {(board: Storyboard, frame: Frame) => boolean}
 */
export const isProduct = (board, frame) =>
  frame.act === "part" && !(given(frame.local) ? isOne(board.values[frame.local]) : frame.value === frame.adjoint);

/** @param {Storyboard["values"][number]} value */
const isOne = (value) => value.number === 1 || (value.min === 1 && value.max === 1);

/** The acts of this play before the k-th. @type {(board: Storyboard, k: number) => Frame[]} */
const playOf = (board, k) =>
  board.frames.slice(
    board.frames.findLastIndex((frame, i) => i < k && frame.act === "seed"),
    k - 1,
  );
