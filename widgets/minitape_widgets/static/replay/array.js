// @ts-check
// Arrays of numbers, as far as a page must compute with them: stretching, element by element, sums along axes, and the
// one trick for everything that only moves numbers about: to see where each comes from, move their places instead.

/** @typedef {{ shape: number[], data: number[] }} Numbers  the last axis runs fastest */
/** @typedef {number | number[] | null | undefined} Axis  null: all */

const MOST = 1e6; // numbers: a storyboard that claims more was not made by minitape

/** How many numbers have room in a shape. */
/** @type {(shape: number[]) => number} */
export function sizeOf(shape) {
  const size = shape.reduce((a, b) => a * b, 1);
  if (size <= MOST) return size;
  throw new RangeError("This array is too large for a page.");
}

/** @type {(a: number[], b: number[]) => boolean} */
export const isSame = (a, b) => a === b || (a.length === b.length && a.every((n, k) => n === b[k]));

/** @type {(shape: number[], x: number) => Numbers} */
export const filled = (shape, x) => ({ shape, data: Array(sizeOf(shape)).fill(x) });

/** @type {(x: Numbers, shape: number[]) => Numbers} */
export const reshaped = (x, shape) => ({ shape, data: x.data });

/** The places of a shape, counted from `start`: what is moved instead of numbers to see where they come from. */
/** @type {(shape: number[], start?: number) => Numbers} */
export const placesOf = (shape, start = 0) => ({ shape, data: filled(shape, 0).data.map((_, k) => start + k) });

/** An axis counted from the front; several; all. */
/** @type {(axis: Axis, rank: number) => number[]} */
export const axesOf = (axis, rank) =>
  (Array.isArray(axis) ? axis : axis === null || axis === undefined ? [...Array(rank).keys()] : [axis]).map((a) =>
    a < 0 ? a + rank : a,
  );

/** How far apart two neighbours along each axis lie. */
/** @type {(shape: number[]) => number[]} */
const stepsOf = (shape) => shape.map((_, k) => sizeOf(shape.slice(k + 1)));

/**
 * An array read in another order: along axis k of `shape`, every next number is `steps[k]` further on.
 * @param {Numbers} x
 * @param {number[]} shape
 * @param {number[]} steps
 * @param {number} [start]
 * @returns {Numbers}
 */
export function strided(x, shape, steps, start = 0) {
  const data = Array(sizeOf(shape)).fill(0);
  const at = shape.map(() => 0);
  let from = start;
  for (let k = 0; k < data.length; k++) {
    data[k] = x.data[from];
    for (let a = shape.length - 1; a >= 0; a--) {
      from += steps[a];
      if (++at[a] < shape[a]) break;
      from -= at[a] * steps[a];
      at[a] = 0;
    }
  }
  return { shape, data };
}

/** The array repeated along axes of length 1 and new first axes. */
/** @type {(x: Numbers, shape: number[]) => Numbers} */
export function stretched(x, shape) {
  if (isSame(x.shape, shape)) return x;
  if (x.data.length === 1) return filled(shape, x.data[0]);
  const old = [...Array(shape.length - x.shape.length).fill(1), ...x.shape];
  const steps = stepsOf(old).map((step, k) => (old[k] === 1 ? 0 : step));
  return strided(x, shape, steps);
}

/** @type {(shapes: number[][]) => number[]} */
export function commonShape(shapes) {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  const padded = shapes.map((shape) => [...Array(rank - shape.length).fill(1), ...shape]);
  return [...Array(rank).keys()].map((k) => padded.map((shape) => shape[k]).find((n) => n !== 1) ?? 1);
}

/**
 * A function of numbers, element by element; smaller arrays are stretched.
 * @param {(...x: number[]) => number} f
 * @param {Numbers[]} xs
 * @returns {Numbers}
 */
export function each(f, ...xs) {
  const own = xs[0].shape;
  if (xs.every((x) => !x.shape.length)) return { shape: own, data: [f(...xs.map((x) => x.data[0]))] };
  const shape = xs.every((x) => isSame(x.shape, own)) ? own : commonShape(xs.map((x) => x.shape));
  const data = Array(sizeOf(shape)).fill(NaN); // one that keeps fractions from the start: else it is made twice
  const full = xs.map((x) => stretched(x, shape).data);
  const [a, b, c, d] = full;
  if (full.length === 1) for (let k = 0; k < data.length; k++) data[k] = f(a[k]);
  else if (full.length === 2) for (let k = 0; k < data.length; k++) data[k] = f(a[k], b[k]);
  else if (full.length === 3) for (let k = 0; k < data.length; k++) data[k] = f(a[k], b[k], c[k]);
  else if (full.length === 4) for (let k = 0; k < data.length; k++) data[k] = f(a[k], b[k], c[k], d[k]);
  else for (let k = 0; k < data.length; k++) data[k] = f(...full.map((x) => x[k]));
  return { shape, data };
}

/** Axes in another order. */
/** @type {(x: Numbers, order: number[]) => Numbers} */
export function transposed(x, order) {
  const steps = stepsOf(x.shape);
  const kept = axesOf(order, x.shape.length);
  return strided(
    x,
    kept.map((a) => x.shape[a]),
    kept.map((a) => steps[a]),
  );
}

/** The shape in which some axes have length 1. */
/** @type {(shape: number[], axis: Axis) => number[]} */
export function keptShape(shape, axis) {
  const gone = axesOf(axis, shape.length);
  return shape.map((n, k) => (gone.includes(k) ? 1 : n));
}

/**
 * Numbers joined along some axes, which stay with length 1.
 * @param {Numbers} x
 * @param {Axis} axis
 * @param {(before: number, x: number) => number} f
 * @param {number} start
 * @returns {Numbers}
 */
export function reduced(x, axis, f, start) {
  const shape = keptShape(x.shape, axis);
  const into = stretched(placesOf(shape), x.shape).data;
  const y = filled(shape, start);
  for (let k = 0; k < into.length; k++) y.data[into[k]] = f(y.data[into[k]], x.data[k]);
  return y;
}

/** @type {(x: Numbers, axis: Axis) => Numbers} */
export const added = (x, axis) => reduced(x, axis, (a, b) => a + b, 0);

/** What was stretched on the way there is added up on the way back. */
/** @type {(x: Numbers, shape: number[]) => Numbers} */
export function summedTo(x, shape) {
  if (isSame(x.shape, shape)) return x;
  const extra = x.shape.length - shape.length;
  const axes = x.shape.map((_, k) => k).filter((k) => k < extra || (shape[k - extra] === 1 && x.shape[k] !== 1));
  return reshaped(added(x, axes), shape);
}

/** Numbers taken from their places; where the place is -1, another number. */
/** @type {(x: number[], places: Numbers, other?: number) => Numbers} */
export const taken = (x, { shape, data }, other = 0) => ({ shape, data: data.map((p) => (p < 0 ? other : x[p])) });

/**
 * The way back of `taken`: each number is added where it was taken from.
 * @param {Numbers} g
 * @param {Numbers} places
 * @param {number[]} shape
 */
export function givenBack(g, places, shape) {
  const x = filled(shape, 0);
  places.data.forEach((p, k) => {
    if (p >= 0) x.data[p] += g.data[k];
  });
  return x;
}

/** The matrix product along the last two axes; the axes before them are stretched. */
/** @type {(a: Numbers, b: Numbers) => Numbers} */
export function product(a, b) {
  const [n, m] = a.shape.slice(-2);
  const p = b.shape[b.shape.length - 1];
  const front = commonShape([a.shape.slice(0, -2), b.shape.slice(0, -2)]);
  const [u, v] = [stretched(a, [...front, n, m]).data, stretched(b, [...front, m, p]).data];
  const y = filled([...front, n, p], 0);
  for (let s = 0; s < sizeOf(front); s++)
    for (let i = 0; i < n; i++)
      for (let k = 0; k < m; k++) {
        const x = u[(s * n + i) * m + k];
        for (let j = 0; j < p; j++) y.data[(s * n + i) * p + j] += x * v[(s * m + k) * p + j];
      }
  return y;
}

/** The last two axes, exchanged. */
/** @type {(x: Numbers) => Numbers} */
export const swapped = (x) => {
  const axes = [...x.shape.keys()];
  return transposed(x, [...axes.slice(0, -2), axes.length - 1, axes.length - 2]);
};
