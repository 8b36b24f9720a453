// @ts-check
// Operations that compute nothing and only move numbers about: reshaping, slicing, stacking, looking up. Each says once
// how it moves. Moved places instead of numbers tell where every number came from, and so the way back is known too.

import { axesOf, filled, givenBack, placesOf, reshaped, sizeOf, strided, stretched, swapped } from "./array.js";
import { taken, transposed } from "./array.js";

/** @import { Numbers } from "./array.js" */
/** @import { How, Row } from "./table.js" */
/** @typedef {{ slice: (number | null)[] }} Slice */

const ALL = { slice: [null, null, null] };
const NOTHING = { slice: [0, 0, 1] };

/**
 * A row for an operation that moves the numbers of its inputs, but for those inputs in `fixed` (places, say). `move`
 * gets arrays and may put -1 where nothing comes from anywhere.
 * @param {(xs: Numbers[], how: How) => Numbers | Numbers[]} move
 * @param {number[]} [fixed]
 * @returns {Row}
 */
function moving(move, fixed = []) {
  /** @type {(xs: Numbers[], how: How) => { places: Numbers | Numbers[], starts: number[] }} */
  function followed(xs, how) {
    /** @type {number[]} */
    const starts = [];
    let start = 0;
    const marked = xs.map((x, i) => {
      starts.push(start);
      if (fixed.includes(i)) return x;
      start += x.data.length;
      return placesOf(x.shape, start - x.data.length);
    });
    return { places: move(marked, how), starts };
  }
  return {
    places(xs, how) {
      const { places, starts } = followed(xs, how);
      const all = [places].flat().flatMap(({ data }) => data);
      return xs.map((x, i) => {
        const end = starts[i] + x.data.length;
        return fixed.includes(i) ? null : all.map((at) => (at >= starts[i] && at < end ? at - starts[i] : -1));
      });
    },
    compute(xs, how) {
      const { places } = followed(xs, how);
      const moved = xs.filter((_, i) => !fixed.includes(i));
      const all = moved.length === 1 ? moved[0].data : moved.flatMap((x) => x.data);
      /** @type {(p: Numbers) => Numbers} */
      const read = (p) => taken(all, p, how.value);
      return Array.isArray(places) ? places.map(read) : read(places);
    },
    rule(i) {
      if (fixed.includes(i)) return null;
      return (g, _y, xs, how) => {
        const { places, starts } = followed(xs, how);
        const [gs, ps] = [[g].flat(), [places].flat()];
        const result = filled(xs[i].shape, 0);
        const end = starts[i] + result.data.length;
        ps.forEach((p, k) => {
          const mine = p.data.map((at) => (at >= starts[i] && at < end ? at - starts[i] : -1));
          givenBack(gs[k], { shape: p.shape, data: mine }, result.shape).data.forEach(
            (v, at) => (result.data[at] += v),
          );
        });
        return result;
      };
    },
  };
}

/**
 * Which part of an array a key names, as a way of reading it.
 * @param {number[]} shape
 * @param {(number | null | "..." | Slice)[]} key
 */
function partOf(shape, key) {
  const used = key.filter((k) => k !== null && k !== "...").length;
  const rest = Array(shape.length - used).fill(ALL);
  const dots = key.indexOf("...");
  const full = dots < 0 ? [...key, ...rest] : [...key.slice(0, dots), ...rest, ...key.slice(dots + 1)];
  const part = { shape: /** @type {number[]} */ ([]), steps: /** @type {number[]} */ ([]), start: 0 };
  let axis = 0;
  for (const k of full) {
    if (k === null) {
      part.shape.push(1);
      part.steps.push(0);
      continue;
    }
    const n = shape[axis];
    const step = sizeOf(shape.slice(++axis));
    if (typeof k === "number") part.start += (k < 0 ? k + n : k) * step;
    else {
      const [first, count, by] = rangeOf(/** @type {Slice} */ (k).slice, n);
      part.start += count ? first * step : 0;
      part.shape.push(count);
      part.steps.push(by * step);
    }
  }
  return part;
}

/**
 * What Python's slice(start, stop, step) names of n things: the first, how many, how far apart.
 * @param {(number | null)[]} slice
 * @param {number} n
 */
function rangeOf([start, stop, step], n) {
  const by = step ?? 1;
  const [least, most] = by > 0 ? [0, n] : [-1, n - 1];
  /** @type {(x: number | null, otherwise: number) => number} */
  const inside = (x, otherwise) => (x === null ? otherwise : Math.max(least, Math.min(most, x < 0 ? x + n : x)));
  const first = inside(start, by > 0 ? 0 : n - 1);
  const end = inside(stop, by > 0 ? n : -1);
  return [first, Math.max(0, Math.ceil((end - first) / by)), by];
}

/** @type {(x: Numbers, key: any) => Numbers} */
function sliced(x, key) {
  const { shape, steps, start } = partOf(x.shape, key);
  return strided(x, shape, steps, start);
}

/** Arrays laid one behind the other along an axis. */
/** @type {(xs: Numbers[], axis: number) => Numbers} */
function joined(xs, axis) {
  const [a] = axesOf(axis, xs[0].shape.length);
  const front = sizeOf(xs[0].shape.slice(0, a));
  const shape = xs[0].shape.map((n, k) => (k === a ? xs.reduce((sum, x) => sum + x.shape[a], 0) : n));
  /** @type {number[]} */
  const data = [];
  for (let f = 0; f < front; f++)
    for (const x of xs) {
      const block = x.data.length / front;
      data.push(...x.data.slice(f * block, (f + 1) * block));
    }
  return { shape, data };
}

/** The array with a new axis of length 1. */
/** @type {(x: Numbers, axis: number) => Numbers} */
function withAxis(x, axis) {
  const [a] = axesOf(axis, x.shape.length + 1);
  return reshaped(x, [...x.shape.slice(0, a), 1, ...x.shape.slice(a)]);
}

/** @type {(x: Numbers, axis: number, sizes: number[]) => Numbers[]} */
function divided(x, axis, sizes) {
  const [a] = axesOf(axis, x.shape.length);
  let start = 0;
  return sizes.map((n) => {
    const key = [...Array(a).fill(ALL), { slice: [start, (start += n), 1] }];
    return sliced(x, key);
  });
}

/** @type {(x: Numbers, axis: number) => Numbers[]} */
const unstacked = (x, axis) => {
  const [a] = axesOf(axis, x.shape.length);
  const shape = x.shape.filter((_, k) => k !== a);
  return divided(x, axis, Array(x.shape[a]).fill(1)).map((part) => reshaped(part, shape));
};

/** The slices of an array at some places of an axis. */
/** @type {(x: Numbers, ids: Numbers, axis: number) => Numbers} */
function lookedUp(x, ids, axis) {
  const [a] = axesOf(axis, x.shape.length);
  /** @type {(id: number) => Numbers} */
  const one = (id) => sliced(x, [...Array(a).fill(ALL), { slice: [id, id + 1, 1] }]);
  const result = ids.data.length ? joined(Array.from(ids.data, one), a) : sliced(x, [...Array(a).fill(ALL), NOTHING]);
  return reshaped(result, [...x.shape.slice(0, a), ...ids.shape, ...x.shape.slice(a + 1)]);
}

/** @type {(x: Numbers, paddings: number[][]) => Numbers} */
function padded(x, paddings) {
  const shape = x.shape.map((n, k) => n + paddings[k][0] + paddings[k][1]);
  return placed(
    x,
    shape,
    paddings.map(([before], k) => ({ slice: [before, before + x.shape[k], 1] })),
  );
}

/** Nothing everywhere but at the key: there, the array. */
/** @type {(x: Numbers, shape: number[], key: any) => Numbers} */
function placed(x, shape, key) {
  const y = filled(shape, -1);
  const at = sliced(placesOf(shape), key);
  stretched(x, at.shape).data.forEach((v, k) => (y.data[at.data[k]] = v));
  return y;
}

/** @type {(x: Numbers, axes: number[]) => Numbers} */
const turned = (x, axes) => {
  const all = axesOf(axes, x.shape.length);
  return sliced(
    x,
    x.shape.map((_, k) => ({ slice: [null, null, all.includes(k) ? -1 : 1] })),
  );
};

/** @type {(x: Numbers, shift: number[], axes: number[]) => Numbers} */
const rolled = (x, shift, axes) =>
  axes.reduce((y, axis, k) => {
    const n = y.shape[axesOf(axis, y.shape.length)[0]];
    const by = n ? ((shift[k] % n) + n) % n : 0;
    return joined(divided(y, axis, [n - by, by]).reverse(), axis);
  }, x);

/** @type {(x: Numbers, multiples: number[]) => Numbers} */
const repeated = (x, multiples) => multiples.reduce((y, n, k) => joined(Array(n).fill(y), k), x);

/** @type {{ [op: string]: Row }} */
export const MOVES = {
  Reshape: moving(([x], how) => reshaped(x, inferred(how.shape, x.data.length))),
  Transpose: moving(([x], how) => transposed(x, how.perm ?? [...x.shape.keys()].reverse())),
  MatrixTranspose: moving(([x]) => swapped(x)),
  Pack: moving((xs, how) =>
    joined(
      xs.map((x) => withAxis(x, how.axis)),
      how.axis,
    ),
  ),
  Unpack: moving(([x], how) => unstacked(x, how.axis)),
  Concat: moving((xs, how) => joined(xs, how.axis)),
  Split: moving(([x], how) => divided(x, how.axis, how.sizes)),
  StridedSlice: moving(([x], how) => sliced(x, how.key)),
  StridedSliceGrad: moving(([x], how) => placed(x, how.shape, how.key)),
  Pad: moving(([x], how) => padded(x, how.paddings)),
  Reverse: moving(([x], how) => turned(x, how.axis)),
  Roll: moving(([x], how) => rolled(x, [how.shift].flat(), [how.axis].flat())),
  Tile: moving(([x], how) => repeated(x, how.multiples)),
  GatherV2: moving(([x, ids], how) => lookedUp(x, ids, how.axis), [1]),
};

/** A shape in which one length may be -1: what is left. */
/** @type {(shape: number[], size: number) => number[]} */
const inferred = (shape, size) => shape.map((n) => (n < 0 ? size / Math.abs(sizeOf(shape)) : n));
