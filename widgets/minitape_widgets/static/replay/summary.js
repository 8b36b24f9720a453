// @ts-check
// What is shown of numbers that the page has computed: the same summary that minitape/storyboard/text/summary.py makes
// of an array, so that a number looks the same whoever has computed it.

import { CELL_DIGITS, numberText, odd } from "../storyboard/values.js";
import { sizeOf } from "./array.js";

/** @import { Numeric, Summary } from "storyboard" */
/** @import { Numbers } from "./array.js" */

const DIGITS = 6;
const MOST_CELLS = 16;

/** A number as JSON has it; of float32 the shortest that means it, 0.1 and not 0.10000000149. */
/** @type {(x: number, dtype: string) => Numeric} */
function asNumeric(x, dtype) {
  if (!Number.isFinite(x)) return odd(x);
  const short = [6, 7, 8, 9].map((digits) => Number(x.toPrecision(digits)));
  return dtype === "float32" ? (short.find((y) => Math.fround(y) === x) ?? x) : x;
}

/** Rounded to some significant digits. */
/** @type {(x: number, digits: number) => Numeric} */
const rounded = (x, digits) => (Number.isFinite(x) ? Number(x.toPrecision(digits)) : odd(x));

/** @type {(x: number, dtype: string) => string} */
function wordOf(x, dtype) {
  if (dtype === "bool") return x ? "True" : "False";
  return dtype.includes("int") ? String(x) : numberText(x);
}

/** A small array as it is written: [[1. 2.5] [0. -3.]]. */
/** @type {(x: Numbers, dtype: string) => string} */
function written({ shape, data }, dtype) {
  const cells = Array.from(data, (v) => {
    if (!dtype.startsWith("float")) return wordOf(v, dtype);
    const text = numberText(v, CELL_DIGITS);
    return text.endsWith(".0") ? text.slice(0, -1) : text;
  });
  if (shape.length === 1) return `[${cells.join(" ")}]`;
  const rows = Array.from({ length: shape[0] }, (_, r) => cells.slice(r * shape[1], (r + 1) * shape[1]));
  return "[" + rows.map((row) => "[" + row.join(" ") + "]").join(" ") + "]";
}

/** At most 16 × 16 cells, the last axis along a row. */
/** @type {(x: Numbers) => { cells: Numeric[][], strided: boolean }} */
function cellsOf({ shape, data }) {
  const width = shape[shape.length - 1];
  const height = sizeOf(shape.slice(0, -1));
  const [down, along] = [height, width].map((n) => Math.max(1, Math.ceil(n / MOST_CELLS)));
  /** @type {Numeric[][]} */
  const cells = [];
  for (let r = 0; r < height; r += down) {
    /** @type {Numeric[]} */
    const row = [];
    for (let c = 0; c < width; c += along) row.push(rounded(data[r * width + c], CELL_DIGITS));
    cells.push(row);
  }
  return { cells, strided: down > 1 || along > 1 };
}

/** @type {(found: Summary) => string} */
function described(result) {
  const bad = /** @type {const} */ (["nan", "inf"])
    .filter((name) => result[name])
    .map((name) => `${result[name]} ${name}`);
  const ends = [result.min, result.max]
    .filter((end) => end !== undefined)
    .map((end) => (result.dtype.startsWith("float") ? numberText(Number(end), CELL_DIGITS) : String(end)));
  const range = [...new Set(ends)].join(" … ");
  return [`[${result.shape.join("×")}]`, ...bad, ...(range ? [range] : [])].join(", ");
}

/** What is said of its finite numbers; nothing where there are none. */
/** @type {(f: (good: number[]) => number) => (x: Numbers) => Numeric | undefined} */
const ofGood = (f) => (x) => {
  const good = x.data.filter(Number.isFinite);
  return good.length ? rounded(f(good), DIGITS) : undefined;
};

/** @type {(is: (v: number) => boolean) => (x: Numbers) => number} */
const howMany = (is) => (x) => x.data.filter(is).length;

/**
 * What is said of an array that is not empty.
 * @type {{ [name: string]: (x: Numbers, dtype: string, found: Summary) => unknown }}
 */
const OF_ARRAYS = {
  min: ofGood((good) => good.reduce((a, b) => Math.min(a, b))),
  max: ofGood((good) => good.reduce((a, b) => Math.max(a, b))),
  mean: ofGood((good) => good.reduce((a, b) => a + b) / good.length),
  nan: howMany(Number.isNaN),
  inf: howMany((v) => Math.abs(v) === Infinity),
  zero: howMany((v) => v === 0),
  cells: (x) => cellsOf(x).cells,
  strided: (x) => cellsOf(x).strided || undefined,
  text(x, dtype, result) {
    const few = x.data.length <= 6 && x.shape.length <= 2;
    return few ? written(x, dtype) : described(result);
  },
};

/** @type {typeof OF_ARRAYS} */
const OF_NUMBERS = {
  text: ({ data }, dtype) => wordOf(data[0], dtype),
  number: ({ data }, dtype) => asNumeric(data[0], dtype),
};

/** @type {typeof OF_ARRAYS} */
const OF_EMPTY = { text: ({ shape }, dtype) => `[${shape.join("×")}], ${dtype}` };

/**
 * The summary of an array or a number. Each thing is found when somebody asks for it: of thousands of values a moment
 * shows a few, and of most it asks only whether they are finite.
 * @param {Numbers} x
 * @param {string} dtype
 * @returns {Summary}
 */
export function summaryOf(x, dtype) {
  const facts = !x.shape.length ? OF_NUMBERS : x.data.length ? OF_ARRAYS : OF_EMPTY;
  /** @type {{ [name: string | symbol]: unknown }} */
  const known = { dtype, shape: x.shape };
  /** @type {(name: string | symbol) => unknown} */
  const get = (name) => (name in known ? known[name] : (known[name] = facts[String(name)]?.(x, dtype, result)));
  /** @type {Summary} */
  const result = new Proxy(/** @type {Summary} */ ({}), {
    get: (_, name) => get(name),
    has: (_, name) => get(name) !== undefined,
  });
  return result;
}
