// @ts-check
// How a value is written in a few characters: a number, a short array, or a shape.

/** @import { Numeric, Summary } from "storyboard" */
/** @typedef {Summary | null | undefined} MaybeSummary */
/** @typedef {Summary & { cells: Numeric[][] }} ArraySummary */

const LONGEST = 40; // letters of a number or a string
const DIGITS = 6;
export const CELL_DIGITS = 4; // a number of an array needs fewer

/** @type {WeakMap<Summary, number>} */
const NUMBERED = new WeakMap();
let numbered = 0;

/**
 * A number for a value, another one once another value stands at its index: numbers can be held. 0: there is none.
 * @param {MaybeSummary} summary
 */
export function identity(summary) {
  if (!summary) return 0;
  const result = NUMBERED.get(summary) ?? ++numbered;
  NUMBERED.set(summary, result);
  return result;
}

/**
 * Whether a value is an array whose cells are known.
 * @param {MaybeSummary} summary
 * @returns {summary is ArraySummary}
 */
export const isArray = (summary) =>
  Boolean(summary && summary.shape && summary.shape.length && summary.cells && summary.cells.length);

/**
 * "[3×2]" for a matrix, "[4]" for a vector (brackets, so that it never looks like a value), "" for a scalar.
 * @param {MaybeSummary} summary
 */
export const shapeText = (summary) =>
  summary && summary.shape && summary.shape.length ? "[" + summary.shape.join("×") + "]" : "";

/**
 * Whether an array is short enough to be written out, as "[1. 2.]": of a larger one the text says shape and range.
 * @param {Summary} summary
 */
export const isWritten = (summary) => !summary.text.startsWith(shapeText(summary));

/**
 * The short text of a value: the number, or a short array, or its shape.
 * @param {MaybeSummary} summary
 */
export function shortValue(summary, length = 9) {
  if (!summary) return "None";
  if (!summary.shape || !summary.shape.length) return shorten(summary.text, LONGEST);
  const text = summary.text.replace(/\s+/g, " ");
  return text.length <= length && isWritten(summary) ? text : shapeText(summary);
}

/**
 * The same where there is room: an array of up to four numbers is written out, a larger one stays its shape.
 * @param {MaybeSummary} summary
 */
export function roomyValue(summary, length = 9) {
  const few = summary && summary.shape && summary.shape.length && summary.shape.reduce((a, b) => a * b, 1) <= 4;
  return shortValue(summary, few ? 48 : length);
}

/**
 * Whether a value is only named by its shape where numbers should stand: then its tiles are drawn beside it.
 * @param {MaybeSummary} summary
 * @param {string} text
 * @returns {summary is ArraySummary}
 */
export const needsTiles = (summary, text) => isArray(summary) && text === shapeText(summary);

/**
 * Text cut to at most `length` characters, with an ellipsis.
 * @param {string} text
 * @param {number} length
 */
export function shorten(text, length) {
  const letters = Array.from(text);
  return letters.length <= length ? text : letters.slice(0, Math.max(1, length - 1)).join("") + "…";
}

/**
 * The text of a value in at most `length` characters: a number is rounded, since a piece of one is another.
 * @param {string} text
 * @param {number} length
 */
export function fitted(text, length) {
  const x = Number(text);
  for (let digits = DIGITS; text.length > length && digits >= 0 && Number.isFinite(x); digits--) {
    const rounded = digits ? numberText(x, digits) : x.toExponential(0);
    if (rounded.length <= length) return rounded;
  }
  return shorten(text, length);
}

/**
 * A name cut to at most `length` characters. Where nothing of the weight would be left of "layer.weight", the layer is
 * cut instead, as long as a letter of it stays: what distinguishes the weights of one layer stands at the end.
 * @param {string} name
 * @param {number} length
 */
export function shortenName(name, length) {
  const dot = name.lastIndexOf(".");
  const room = length - (name.length - dot);
  if (dot < 0 || room < 2 || length > dot + 2) return shorten(name, length);
  return shorten(name.slice(0, dot), room) + name.slice(dot);
}

/** @type {(x: number) => "nan" | "inf" | "-inf"} */
export const odd = (x) => (Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf");

/** A short decimal text: "36.0", "0.333333", "1e-07", "nan"; a zero has no sign. */
/** @type {(x: number, digits?: number) => string} */
export function numberText(x, digits = DIGITS) {
  if (!Number.isFinite(x)) return odd(x);
  const [digitsOf, power] = x.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) {
    const short = digitsOf.includes(".") ? digitsOf.replace(/\.?0+$/, "") : digitsOf;
    return `${short}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const plain = x.toFixed(Math.max(0, digits - 1 - exponent));
  const text = plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain;
  return text.includes(".") ? text : text + ".0";
}
