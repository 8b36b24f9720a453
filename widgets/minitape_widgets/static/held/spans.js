// @ts-check
// The measures of a small plot: which numbers it spans, and where a point stands in it. Pure; plot.js draws it.

import { strideOf } from "./steps.js";

/** @typedef {{ from: number, to: number, step: number }} Span */

const STEPS = 30; // to either side
const INSIDE = 24; // a point that is drawn along stays so near to the middle
const MOVES = 2; // steps at once; so a curve meets the same points again
const FAR = 90; // a point that jumps so far gets a span of its own

/**
 * The numbers around x that a plot spans. While x is drawn along it stays, and moves on only when x comes near its end.
 * @type {(x: number, before?: Span | null) => Span}
 */
export function spanAt(x, before = null) {
  const step = before?.step ?? strideOf(x);
  const middle = before ? (before.from + before.to) / 2 : x;
  const away = (x - middle) / step;
  if (Math.abs(away) > FAR) return spanAt(x);
  const moves = Math.ceil(Math.max(0, Math.abs(away) - INSIDE - 1e-6) / MOVES);
  const by = Math.sign(away) * moves * MOVES * step;
  return { from: middle + by - STEPS * step, to: middle + by + STEPS * step, step };
}

/**
 * The heights that a plot shows: the point, and all of the curve, unless some of it runs away from what is not level.
 * @type {(ys: number[], y: number) => { low: number, high: number }}
 */
export function heightsOf(ys, y) {
  const finite = ys.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = finite[Math.floor(finite.length / 2)] ?? y;
  const away = finite.map((one) => Math.abs(one - middle)).sort((a, b) => a - b);
  const usual = 3 * (away[Math.floor(0.8 * away.length)] ?? 0) || Infinity;
  const low = Math.min(y, Math.max(finite[0] ?? y, middle - usual));
  const high = Math.max(y, Math.min(finite.at(-1) ?? y, middle + usual));
  const air = (high - low) * 0.1 || Math.abs(y) * 0.1 || 1;
  return { low: low - air, high: high + air };
}

/** A number on its way from low to high, from 0 to 100; far outside it stays near, where nothing is seen of it. */
/** @type {(x: number, low: number, high: number) => number} */
export const placeIn = (x, low, high) =>
  Math.round(Math.max(-1e4, Math.min(1e4, ((x - low) / (high - low)) * 100)) * 100) / 100;

/**
 * The path of a curve through evenly spaced points; it is broken where there is no finite number.
 * @type {(ys: number[], low: number, high: number) => string}
 */
export function pathOf(ys, low, high) {
  let pen = "M";
  return ys
    .map((y, k) => {
      const to = Number.isFinite(y) ? `${pen}${placeIn(k, 0, ys.length - 1)} ${100 - placeIn(y, low, high)}` : "";
      pen = to ? "L" : "M";
      return to;
    })
    .join("");
}
