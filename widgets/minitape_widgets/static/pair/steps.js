// @ts-check
// Two storyboards in step, recording against recording and play against play.

import { indexOf } from "../storyboard/lookup.js";

/** @import { Storyboard } from "storyboard" */

/**
 * The moments of both: [k of the first, k of the second]. They record together and are played together; the one that is
 * shorter waits until the other is there.
 * @param {Storyboard} a
 * @param {Storyboard} b
 */
export function inStep(a, b) {
  const boards = [a, b];
  const first = boards.map((board) => indexOf(board).recording);
  const moments = [];
  for (let k = 0; k <= Math.max(...first); k++) moments.push(first.map((end) => Math.min(k, end)));
  const acts = Math.max(...boards.map((board, i) => board.frames.length - first[i]));
  for (let k = 1; k <= acts; k++)
    moments.push(
      boards.map((board, i) => {
        const total = board.frames.length;
        return k === acts ? total : Math.max(first[i], Math.min(first[i] + k, total - 1));
      }),
    );
  return moments;
}
