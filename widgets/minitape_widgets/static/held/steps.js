// @ts-check
// How far one step goes, and how a number is read and written: pure, so that fields, keys and the pointer agree.

import { readNumber } from "../prompt/judge.js";
import { numberText } from "../replay/summary.js";

/** @type {{ [word: string]: number }} */
const WORDS = { nan: NaN, inf: Infinity, infinity: Infinity, "∞": Infinity };

/**
 * One step of a number: a tenth of its leading digit's place, and 0.1 around zero.
 * @param {number} x
 */
export function stepOf(x) {
  const size = Math.abs(x);
  return size > 0 && Number.isFinite(size) ? 10 ** Math.max(-12, Math.floor(Math.log10(size)) - 1) : 0.1;
}

/**
 * A number some steps away, without the dust of binary fractions.
 * @type {(x: number, steps: number, step: number) => number}
 */
export const stepped = (x, steps, step) => Number(((Number.isFinite(x) ? x : 0) + steps * step).toPrecision(12));

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
