// @ts-check
// How far one step goes, how a number is read and written, and where a cell stands: pure, so that fields, keys and the
// pointer agree.

import { readNumber } from "../prompt/judge.js";
import { numberText } from "../storyboard/values.js";

/** @type {{ [word: string]: number }} */
const WORDS = { nan: NaN, inf: Infinity, infinity: Infinity, "∞": Infinity };

/**
 * One step of a number: a tenth of its leading digit's place, and 0.1 around zero.
 * @param {number} x
 */
export function strideOf(x) {
  const size = Math.abs(x);
  return size > 0 && Number.isFinite(size) ? 10 ** Math.max(-12, Math.floor(Math.log10(size)) - 1) : 0.1;
}

const DUST = 1e-4; // of a step: what a float32 number may lie beside the place that was meant

/**
 * A number some steps away, without the dust of binary fractions: what lies beside a whole step by a hair, stands
 * on it.
 * @param {number} x
 * @param {number} steps
 * @param {number} step
 */
export function stepped(x, steps, step) {
  const at = Number.isFinite(x) ? x / step : 0;
  const whole = Math.round(at);
  return Number((((Math.abs(at - whole) < DUST ? whole : at) + steps) * step).toPrecision(12));
}

/**
 * The number that a text means; undefined where it is none.
 * @param {string} text
 * @returns {number | undefined}
 */
export function numberIn(text) {
  const plain = readNumber(text).toLowerCase();
  const [sign, word] = plain.startsWith("-") ? [-1, plain.slice(1)] : [1, plain.replace(/^\+/, "")];
  if (Object.hasOwn(WORDS, word)) return sign * WORDS[word];
  return /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(word) ? sign * Number(word) : undefined;
}

/** @param {number} x */
export const fieldText = (x) => numberText(x).replace(/\.0$/, "");

/** In few digits. @param {number} x */
export const briefText = (x) => numberText(x, 4).replace(/\.0$/, "").replaceAll("-", "\u2212");

/** A change: with its sign. @param {number} x */
export const signedText = (x) => (x > 0 ? "+" : "") + briefText(x);

/**
 * Where a cell stands: "[0, 1]".
 * @type {(cell: number, shape: number[]) => string}
 */
export function placeOf(cell, shape) {
  const at = shape
    .toReversed()
    .reduce(({ rest, found: result }, size) => ({ rest: Math.floor(rest / size), found: [rest % size, ...result] }), {
      rest: cell,
      found: /** @type {number[]} */ ([]),
    });
  return shape.length ? "[" + at.found.join(", ") + "]" : "";
}
