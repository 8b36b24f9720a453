// @ts-check
// The walks of a valley, without a page: where a point stands, where a walk leaves the picture, and the tapes of a walk
// with another rate. All numbers were computed by minitape; only the storyboard is played again here.

import { hands, withOwnValues } from "../replay/holding.js";
import { limitsOf } from "../replay/limits.js";

/** @import { Storyboard, Valley } from "storyboard" */

export const WIDTH = 640;
export const HEIGHT = 260;
const FAR = 1e4;

/** @type {(x: number, from: number, to: number, size: number) => number} what is far outside stays near */
const way = (x, from, to, size) =>
  Math.round(Math.max(-FAR, Math.min(FAR, ((x - from) / (to - from)) * size)) * 10) / 10;

/** Where a point of a walk stands in the picture. @type {(valley: Valley, point: number[]) => number[]} */
export const spotOf = ({ x, y }, point) => [
  way(point[0], x[0], x[1], WIDTH),
  HEIGHT - way(point[1], y[0], y[1], HEIGHT),
];

/** @type {(valley: Valley, point: number[]) => boolean} */
export const isInside = ({ x, y }, [a, b]) => a >= x[0] && a <= x[1] && b >= y[0] && b <= y[1];

/** The first step at which a walk is out of the picture; -1 where there is none. */
/** @type {(valley: Valley, rate: number) => number} */
export const leaves = (valley, rate) => valley.walks[rate].points.findIndex((point) => !isInside(valley, point));

/**
 * The storyboard with the numbers of a walk, in which they are the recorded ones; null where the page cannot play it:
 * an operation that it does not know, a branch that would turn, a number that the program took from elsewhere.
 * @type {(board: Storyboard, valley: Valley, rate: number) => Storyboard | null}
 */
export function playedAt(board, valley, rate) {
  const { points } = valley.walks[rate];
  const own = withOwnValues(board);
  const hand = hands(own);
  if (!hand || board.passes.length !== valley.steps) return null;
  /** @type {Map<number, number>} */
  const held = new Map();
  board.passes.forEach(({ sources }, step) => sources.forEach((node, i) => held.set(node, points[step]?.[i] ?? NaN)));
  for (const [node, number] of held) hand.hold(node, 0, number);
  const lost = board.passes.some(({ targets }, step) => {
    const [result] = hand.numbers(targets[0])?.data ?? [];
    const loss = points[step]?.[valley.names.length] ?? NaN;
    return Number.isFinite(loss) && !(Math.abs(result - loss) <= 1e-3 * (Math.abs(loss) + Math.abs(result)) + 1e-6);
  });
  const { turned, left, stays } = limitsOf(own, hand);
  if (lost || turned.length || left.length || stays.length || !own.replay) return null;
  const numbers = own.replay.numbers.map(([node, list]) => [node, held.has(node) ? [held.get(node)] : list]);
  return /** @type {Storyboard} */ ({ ...own, replay: { ...own.replay, numbers } });
}
