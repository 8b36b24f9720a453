// @ts-check
// Two storyboards in step, recording against recording and play against play.

import { indexOf } from "../storyboard/lookup.js";
import { sizeIn, stopsOf } from "../storyboard/stops.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Size } from "../storyboard/stops.js" */

/**
 * The moments of both: [k of the first, k of the second], for steps of a size. They record together and are played
 * together; the one that is shorter waits until the other is there, and both come to the end with the last step.
 * @param {Storyboard} a
 * @param {Storyboard} b
 * @param {Size} [size]
 */
export function inStep(a, b, size = "act") {
  const sides = [a, b].map((board) => {
    const { recording } = indexOf(board);
    const { ends } = stopsOf(board, sizeIn(board, size));
    const total = board.frames.length;
    const played = ends.filter((end) => end > recording && end < total);
    return { recorded: [...ends.filter((end) => end < recording), recording], played: [recording, ...played], total };
  });
  /** @type {(lists: number[][]) => number[][]} side by side; the shorter list waits at its last */
  const abreast = (lists) => {
    const length = Math.max(...lists.map((list) => list.length));
    return Array.from({ length }, (_, i) => lists.map((list) => list[Math.min(i, list.length - 1)]));
  };
  const recorded = abreast(sides.map((side) => side.recorded));
  const played = abreast(sides.map((side) => side.played)).slice(1);
  const isOver = sides.every(({ played: [begin], total }) => begin === total);
  return [...recorded, ...played, ...(isOver ? [] : [sides.map(({ total }) => total)])];
}

/**
 * The next of some moments after `at` (by > 0), or the last before it; undefined where there is none. Who has come
 * farther already, after a question, waits there for the other.
 * @type {(moments: number[][], at: number[], by: number) => number[] | undefined}
 */
export function nextMoment(moments, at, by) {
  if (by < 0) return moments.findLast((moment) => isReached(moment, at) && !isReached(at, moment));
  return moments.find((moment) => !isReached(moment, at))?.map((k, i) => Math.max(k, at[i]));
}

/** @type {(moment: number[], at: number[]) => boolean} whether both have come as far */
export const isReached = (moment, at) => moment.every((k, i) => k <= at[i]);

/**
 * Where some moments stand among all: the first at which both have come as far.
 * @param {number[][]} moments
 * @param {number[][]} stops
 */
export function positionsOf(moments, stops) {
  let m = 0;
  return stops.map((stop) => {
    while (m < moments.length - 1 && !isReached(stop, moments[m])) m += 1;
    return m;
  });
}
