// @ts-check
// The table of derivatives once more, in the page: how an operation computes, and one rule per input. In a rule, g is
// the adjoint of the output y; a, b, c, x are the inputs. Named as on the tape. The rows are those that the engine's
// table of facts promises (PAGE); a test holds each equal to the engine's.

import { added, each, filled, keptShape, product, reduced, reshaped, stretched, swapped } from "./array.js";
import { MOVES } from "./moves.js";

/** @import { Axis, Numbers } from "./array.js" */
/** @typedef {any} How  an operation's attributes */
/** @typedef {(g: any, y: any, xs: Numbers[], how: How) => Numbers} Rule  g, y: of several outputs, a list */
/**
 * `places`, of what only moves numbers: for each input the place in it of each number of the output, -1 for none; null
 * for an input that says where.
 * @typedef {object} Row
 * @property {(xs: Numbers[], how: How) => Numbers | Numbers[]} compute
 * @property {(i: number) => Rule | null} rule
 * @property {(xs: Numbers[], how: How) => (number[] | null)[]} [places]
 */
/** @typedef {(...x: number[]) => number} Scalar */

/**
 * A row for a function of numbers, element by element. Each rule is one, too: of g, y and the inputs.
 * @param {Scalar} f
 * @param {(Scalar | null)[]} rules
 * @returns {Row}
 */
const scalar = (f, ...rules) => ({
  compute: (xs) => each(f, ...xs),
  rule(i) {
    const rule = rules[i];
    return rule ? (g, y, xs) => each(rule, g, y, ...xs) : null;
  },
});

/**
 * A row for a function of whole arrays.
 * @param {(xs: Numbers[], how: How) => Numbers} compute
 * @param {(Rule | null)[]} rules
 * @returns {Row}
 */
const whole = (compute, ...rules) => ({ compute, rule: (i) => rules[i] ?? null });

/** @type {Scalar} */
const noNan = (a, b) => (b === 0 ? 0 : a * b);
/** @type {Scalar} */
const sigmoid = (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));
/** @type {Scalar} */
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
/** To the nearest whole number; from the middle, to the even one. */
/** @type {Scalar} */
const even = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
/** @type {Scalar} */
const remainder = (a, b) => a - b * Math.floor(a / b);
/** Where a number is none, Math.max and NumPy say so alike; of two zeros neither tells. */
/** @type {(answer: boolean) => number} */
const yes = (answer) => (answer ? 1 : 0);

const SELU = 1.0507009873554804934193349852946;
const SELU_ALPHA = 1.7580993408473768599402175208123;

/** @type {{ [op: string]: Row }} */
const SCALARS = {
  Add: scalar(
    (a, b) => a + b,
    (g) => g,
    (g) => g,
  ),
  Sub: scalar(
    (a, b) => a - b,
    (g) => g,
    (g) => -g,
  ),
  Mul: scalar(
    (a, b) => a * b,
    (g, _y, _a, b) => g * b,
    (g, _y, a) => g * a,
  ),
  Div: scalar(
    (a, b) => a / b,
    (g, _y, _a, b) => g / b,
    (g, y, _a, b) => (-g * y) / b,
  ),
  Pow: scalar(
    (a, b) => a ** b,
    (g, _y, a, b) => g * (b * a ** (b - 1)),
    (g, y, a) => g * (y * (a > 0 ? Math.log(a) : 0)),
  ),
  Neg: scalar(
    (x) => -x,
    (g) => -g,
  ),
  Maximum: scalar(
    Math.max,
    (g, _y, a, b) => (a >= b ? g : 0),
    (g, _y, a, b) => (a >= b ? 0 : g),
  ),
  Minimum: scalar(
    Math.min,
    (g, _y, a, b) => (a <= b ? g : 0),
    (g, _y, a, b) => (a <= b ? 0 : g),
  ),
  FloorDiv: scalar((a, b) => Math.floor(a / b)),
  FloorMod: scalar(
    remainder,
    (g) => g,
    (g, _y, a, b) => -g * Math.floor(a / b),
  ),
  SquaredDifference: scalar(
    (a, b) => (a - b) ** 2,
    (g, _y, a, b) => g * (2 * (a - b)),
    (g, _y, a, b) => -g * (2 * (a - b)),
  ),
  BiasAdd: scalar(
    (a, b) => a + b,
    (g) => g,
    (g) => g,
  ),

  Exp: scalar(Math.exp, (g, y) => g * y),
  Expm1: scalar(Math.expm1, (g, _y, x) => g * Math.exp(x)),
  Log: scalar(Math.log, (g, _y, x) => g / x),
  Log1p: scalar(Math.log1p, (g, _y, x) => g / (1 + x)),
  Sqrt: scalar(Math.sqrt, (g, y) => noNan(0.5 / y, g)),
  Rsqrt: scalar(
    (x) => 1 / Math.sqrt(x),
    (g, y) => noNan(y * y * y * -0.5, g),
  ),
  Square: scalar(
    (x) => x * x,
    (g, _y, x) => g * (2 * x),
  ),
  Reciprocal: scalar(
    (x) => 1 / x,
    (g, y) => noNan(-(y * y), g),
  ),
  Sin: scalar(Math.sin, (g, _y, x) => g * Math.cos(x)),
  Cos: scalar(Math.cos, (g, _y, x) => -g * Math.sin(x)),
  Tan: scalar(Math.tan, (g, y) => g * (1 + y * y)),
  Asin: scalar(Math.asin, (g, _y, x) => g / Math.sqrt(1 - x * x)),
  Acos: scalar(Math.acos, (g, _y, x) => -g / Math.sqrt(1 - x * x)),
  Atan: scalar(Math.atan, (g, _y, x) => g / (1 + x * x)),
  Sinh: scalar(Math.sinh, (g, _y, x) => g * Math.cosh(x)),
  Cosh: scalar(Math.cosh, (g, _y, x) => g * Math.sinh(x)),
  Tanh: scalar(Math.tanh, (g, y) => g * (1 - y * y)),
  Asinh: scalar(Math.asinh, (g, y) => g / Math.cosh(y)),
  Acosh: scalar(Math.acosh, (g, y) => g / Math.sinh(y)),
  Atanh: scalar(Math.atanh, (g, _y, x) => g / (1 - x * x)),
  Sigmoid: scalar(sigmoid, (g, y) => g * (y * (1 - y))),
  Softplus: scalar(softplus, (g, _y, x) => g * sigmoid(x)),
  Abs: scalar(Math.abs, (g, _y, x) => g * Math.sign(x)),
  Sign: scalar(Math.sign, () => 0),
  Floor: scalar(Math.floor),
  Ceil: scalar(Math.ceil),
  Round: scalar(even),
  Rint: scalar(even),
  ZerosLike: scalar(() => 0),
  OnesLike: scalar(() => 1),
  Identity: scalar(
    (x) => x,
    (g) => g,
  ),
  StopGradient: scalar((x) => x),
  Cast: scalar(
    (x) => x,
    (g) => g,
  ),
  MulNoNan: scalar(
    noNan,
    (g, _y, _a, b) => noNan(g, b),
    (g, _y, a) => noNan(a, g),
  ),
  Select: scalar(
    (c, a, b) => (c ? a : b),
    null,
    (g, _y, c) => (c ? g : 0),
    (g, _y, c) => (c ? 0 : g),
  ),
  ClipByValue: scalar(
    (x, low, high) => Math.max(low, Math.min(x, high)),
    (g, _y, x, low, high) => (x >= low && x <= high ? g : 0),
    (g, _y, x, low) => (x < low ? g : 0),
    (g, _y, x, _low, high) => (x > high ? g : 0),
  ),

  Less: scalar((a, b) => yes(a < b)),
  LessEqual: scalar((a, b) => yes(a <= b)),
  Greater: scalar((a, b) => yes(a > b)),
  GreaterEqual: scalar((a, b) => yes(a >= b)),
  Equal: scalar((a, b) => yes(a === b)),
  NotEqual: scalar((a, b) => yes(a !== b)),
  LogicalAnd: scalar((a, b) => yes(a && b ? true : false)),
  LogicalOr: scalar((a, b) => yes(a || b ? true : false)),
  LogicalNot: scalar((a) => yes(!a)),
  IsNan: scalar((x) => yes(Number.isNaN(x))),
  IsInf: scalar((x) => yes(Math.abs(x) === Infinity)),
  IsFinite: scalar((x) => yes(Number.isFinite(x))),

  Relu: scalar(
    (x) => Math.max(x, 0),
    (g, y) => g * yes(y > 0),
  ),
  ReluGrad: scalar(
    (g, y) => g * yes(y > 0),
    (gg, _r, _g, y) => gg * yes(y > 0),
    () => 0,
  ),
  Relu6: scalar(
    (x) => Math.min(Math.max(x, 0), 6),
    (g, y) => g * yes(y > 0 && y < 6),
  ),
  Elu: scalar(
    (x) => (x < 0 ? Math.expm1(x) : x),
    (g, y) => (y < 0 ? g * (y + 1) : g),
  ),
  Selu: scalar(
    (x) => (x < 0 ? SELU_ALPHA * Math.expm1(x) : SELU * x),
    (g, y) => g * (y < 0 ? y + SELU_ALPHA : SELU),
  ),
  Softsign: scalar(
    (x) => x / (1 + Math.abs(x)),
    (g, _y, x) => g / (1 + Math.abs(x)) ** 2,
  ),
  SigmoidCrossEntropyWithLogits: scalar(
    (x, t) => Math.max(x, 0) - x * t + Math.log1p(Math.exp(-Math.abs(x))),
    (g, _y, x, t) => g * (sigmoid(x) - t),
    (g, _y, x) => -g * x,
  ),
};

/** The adjoint of what was reduced, copied along the axes that are gone. */
/** @type {(g: Numbers, x: Numbers, axis: Axis) => Numbers} */
const copied = (g, x, axis) => stretched(reshaped(g, keptShape(x.shape, axis)), x.shape);

/** What a reduction leaves: its axes with length 1, or without them. */
/** @type {(y: Numbers, how: How) => Numbers} */
function left(y, { axis, keepdims }) {
  if (keepdims) return y;
  const gone = axis === null || axis === undefined ? y.shape.map((_, k) => k) : [axis].flat();
  return reshaped(
    y,
    y.shape.filter((_, k) => !gone.includes(k) && !gone.includes(k - y.shape.length)),
  );
}

/** @type {(f: Scalar, start: number) => Row} */
const extreme = (f, start) =>
  whole(
    ([x], how) => left(reduced(x, how.axis, f, start), how),
    (g, y, [x], { axis }) => {
      const top = each((a, b) => yes(a === b), x, copied(y, x, axis));
      const share = each((a, n) => a / n, top, added(top, axis));
      return each((a, b) => a * b, copied(g, x, axis), share);
    },
  );

/** @type {(better: (a: number, b: number) => boolean) => Row} */
const placeOf = (better) =>
  whole(([x], { axis }) => {
    const best = reduced(x, axis, (a, b) => (Number.isNaN(a) || better(b, a) || Number.isNaN(b) ? b : a), NaN);
    const isBest = each((a, b) => yes(a === b), x, stretched(best, x.shape));
    const n = x.shape[axis < 0 ? axis + x.shape.length : axis];
    const line = x.shape.map((_, k) => (k === (axis < 0 ? axis + x.shape.length : axis) ? n : 1));
    const order = { shape: line, data: [...Array(n).keys()] };
    const where = each((a, k) => (a ? k : n), isBest, order);
    return left(reduced(where, axis, Math.min, n), { axis, keepdims: false });
  });

/** Logits without the largest, so that exp never overflows; and the logarithm of the sum of their exp. */
/** @type {(x: Numbers, axis: Axis) => { top: Numbers, sum: Numbers }} */
function logSumExp(x, axis) {
  const top = each((t) => (Number.isFinite(t) ? t : 0), reduced(x, axis, Math.max, -Infinity));
  const sum = added(
    each((a, t) => Math.exp(a - t), x, stretched(top, x.shape)),
    axis,
  );
  return { top, sum: each((s, t) => Math.log(s) + t, sum, top) };
}

/** @type {(x: Numbers, axis: Axis) => Numbers} */
const logSoftmax = (x, axis) => each((a, s) => a - s, x, logSumExp(x, axis).sum);

/** @type {(x: Numbers, axis: Axis) => Numbers} */
export const softmax = (x, axis) => each(Math.exp, logSoftmax(x, axis));

/** Labels, numbers of classes, as rows of zeros with a one. */
/** @type {(t: Numbers, x: Numbers) => Numbers} */
export function oneHot(t, x) {
  const n = x.shape[x.shape.length - 1];
  const y = filled(x.shape, 0);
  t.data.forEach((label, k) => (y.data[k * n + label] = 1));
  return y;
}

/** @type {(x: Numbers, t: Numbers) => Numbers} */
const crossEntropy = (x, t) =>
  left(
    added(
      each((a, b) => (b === 0 ? 0 : -b * a), logSoftmax(x, -1), t),
      -1,
    ),
    { axis: -1, keepdims: false },
  );

/** @type {(x: Numbers) => Numbers} */
const column = (x) => reshaped(x, [...x.shape, 1]);

/** @type {{ [op: string]: Row }} */
const WHOLE = {
  Sum: whole(
    ([x], how) => left(added(x, how.axis), how),
    (g, _y, [x], how) => copied(g, x, how.axis),
  ),
  Mean: whole(
    ([x], how) =>
      left(
        each((s) => s / meant(x, how.axis), added(x, how.axis)),
        how,
      ),
    (g, _y, [x], how) =>
      copied(
        each((s) => s / meant(x, how.axis), g),
        x,
        how.axis,
      ),
  ),
  L2Loss: whole(
    ([x]) =>
      left(
        added(
          each((a) => (a * a) / 2, x),
          null,
        ),
        {},
      ),
    (g, _y, [x]) => each((a, b) => a * b, g, x),
  ),
  BroadcastTo: whole(
    ([x], { shape }) => stretched(x, shape),
    (g) => g,
  ),
  Max: extreme(Math.max, -Infinity),
  Min: extreme(Math.min, Infinity),
  All: whole(([x], how) =>
    left(
      reduced(x, how.axis, (a, b) => yes(a && b ? true : false), 1),
      how,
    ),
  ),
  Any: whole(([x], how) =>
    left(
      reduced(x, how.axis, (a, b) => yes(a || b ? true : false), 0),
      how,
    ),
  ),
  ArgMax: placeOf((a, b) => a > b),
  ArgMin: placeOf((a, b) => a < b),
  LogSumExp: whole(
    ([x], how) => left(logSumExp(x, how.axis).sum, how),
    (g, y, [x], { axis }) => each((a, b, c) => a * Math.exp(b - c), copied(g, x, axis), x, copied(y, x, axis)),
  ),
  MatMul: whole(
    ([a, b]) => product(a, b),
    (g, _y, [, b]) => product(g, swapped(b)),
    (g, _y, [a]) => product(swapped(a), g),
  ),
  AddN: { compute: (xs) => xs.slice(1).reduce((sum, x) => each((a, b) => a + b, sum, x), xs[0]), rule: () => (g) => g },
  LeakyRelu: {
    compute: ([x], { alpha }) => each((a) => (a > 0 ? a : a * alpha), x),
    rule:
      () =>
      (g, _y, [x], { alpha }) =>
        each((a, b) => (b > 0 ? a : a * alpha), g, x),
  },
  Softmax: whole(
    ([x], { axis }) => softmax(x, axis),
    (g, y, _xs, { axis }) => {
      const mean = added(
        each((a, b) => a * b, g, y),
        axis,
      );
      return each((a, m, b) => (a - m) * b, g, mean, y);
    },
  ),
  LogSoftmax: whole(
    ([x], { axis }) => logSoftmax(x, axis),
    (g, y, _xs, { axis }) => each((a, s, b) => a - s * Math.exp(b), g, added(g, axis), y),
  ),
  SoftmaxCrossEntropyWithLogits: whole(
    ([x, t]) => crossEntropy(x, t),
    (g, _y, [x, t]) => each((a, p, b) => a * (p - b), column(g), softmax(x, -1), t),
    (g, _y, [x]) => each((a, p) => -a * p, column(g), logSoftmax(x, -1)),
  ),
  SparseSoftmaxCrossEntropyWithLogits: whole(
    ([x, t]) => crossEntropy(x, oneHot(t, x)),
    (g, _y, [x, t]) => each((a, p, b) => a * (p - b), column(g), softmax(x, -1), oneHot(t, x)),
  ),
};

/** How many numbers became one. */
/** @type {(x: Numbers, axis: Axis) => number} */
const meant = (x, axis) => x.data.length / filled(keptShape(x.shape, axis), 0).data.length;

/** @type {Map<string, Row>} */
export const TABLE = new Map(Object.entries({ ...SCALARS, ...WHOLE, ...MOVES }));

/** Whether it computes number by number, smaller arrays stretched. @type {(op: string) => boolean} */
export const isElementwise = (op) => Object.hasOwn(SCALARS, op);
