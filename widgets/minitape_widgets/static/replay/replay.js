// @ts-check
// The recorded entries, played once more by the page itself, with other numbers: forwards card by card, then backwards
// frame by frame as the storyboard tells it. What comes of it is numbers only. Which acts there are, and in which
// order, stays as it was recorded; so a branch that the program took is still taken, and the page can say so.

import { given, remembered } from "../storyboard/lookup.js";
import { each, filled, isSame, sizeOf, summedTo } from "./array.js";
import { TABLE } from "./table.js";

/** @import { Card, Frame, Index, Numeric, Storyboard, Summary } from "storyboard" */
/** @import { Numbers } from "./array.js" */
/** @typedef {Numbers | undefined} Found  none where the page does not know it */

/**
 * What one play found: the array of each node and frame, and the local derivative of each part; none where it stays as
 * it was.
 * @typedef {object} Played
 * @property {Found[]} nodes
 * @property {Found[]} frames
 * @property {Found[]} locals
 */

/** @type {Map<string, (x: number) => number>} */
const KEPT = new Map([
  ["float32", Math.fround],
  ["wide float32", (x) => (Number.isFinite(Math.fround(x)) ? x : Math.fround(x))], // all digits, and no larger number
  ["bool", (x) => (x ? 1 : 0)],
  ...["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"].map(
    (name) => /** @type {[string, (x: number) => number]} */ ([name, Math.trunc]),
  ),
]);

/** As the dtype keeps it: what is computed here has twice its digits. */
/** @type {(x: Numbers, dtype: string) => Numbers} */
export function kept(x, dtype) {
  const keep = KEPT.get(dtype);
  return keep ? { shape: x.shape, data: x.data.length === 1 ? [keep(x.data[0])] : x.data.map((v) => keep(v)) } : x;
}

/** @type {(text: any) => number} */
const numberOf = (text) =>
  typeof text === "number" ? text : ({ inf: Infinity, "-inf": -Infinity }[String(text)] ?? NaN);

/**
 * What every play of a storyboard begins with: the numbers that it holds whole (those nobody computed, and those the
 * page cannot compute), attributes, dtypes, seeds. All stay as they are, so they are looked up once.
 */
const preparedFor = remembered((board) => {
  const summaryOf = (/** @type {Index} */ node) => board.values[board.nodes[node].value ?? -1];
  const dtypeOf = board.nodes.map((_, node) => summaryOf(node)?.dtype ?? "");
  /** @type {Found[]} */
  const numbers = Array(board.nodes.length).fill(undefined);
  for (const [node, list] of board.replay?.numbers ?? [])
    numbers[node] = kept({ shape: summaryOf(node).shape, data: list.map(numberOf) }, dtypeOf[node]);
  /** @type {Map<Index, any>} */
  const how = new Map(board.replay?.attributes);
  /** @type {Map<number, any[]>} */
  const seeds = new Map(board.replay?.seeds);
  const wide = dtypeOf.map((dtype) => (dtype === "float32" ? "wide float32" : dtype));
  return { dtypeOf, wide, numbers, how, seeds };
});

/** What can be held: floating numbers that nobody computed. */
/** @type {(board: Storyboard) => Set<Index>} */
export const leavesOf = (board) =>
  new Set(
    (board.replay?.numbers ?? [])
      .map(([node]) => node)
      .filter((node) => board.nodes[node].card === null)
      .filter((node) => board.values[board.nodes[node].value ?? -1].dtype.startsWith("float")),
  );

/**
 * Plays a storyboard with other numbers at some nodes, which may be computed ones.
 * @param {Storyboard} board
 * @param {Map<Index, Numbers>} held
 * @param {Set<Index>} strange  nodes that are not to be computed
 * @returns {Played}
 */
export function play(board, held, strange = new Set()) {
  const { dtypeOf, numbers, how, seeds } = preparedFor(board);
  /** @type {Played} */
  const played = { nodes: [...numbers], frames: [], locals: [] };
  for (const [node, other] of held) played.nodes[node] = kept(other, dtypeOf[node]);
  board.cards.forEach((card, c) => {
    forwards(board, card, c, how.get(c) ?? {}, dtypeOf, played.nodes);
    for (const node of card.outputs) if (strange.has(node) && !held.has(node)) played.nodes[node] = undefined;
  });
  /** @type {Way} */
  const way = { board, how, dtypeOf, played, seeds, sums: new Map(), rows: new Map(), pass: -1, visits: 0 };
  board.frames.forEach((frame, k) => (played.frames[k] = tried(() => ACTS[frame.act]?.(way, frame, k))));
  return played;
}

/**
 * Some cards once more, forwards only, with another array at a node. In all digits: what a small change does would
 * drown in the rounding of float32. What is too large for float32 is inf here, too.
 * @type {(board: Storyboard, nodes: Found[], cards: Index[], node: Index, other: Numbers) => Found[]}
 */
export function onwards(board, nodes, cards, node, other) {
  const { wide, how } = preparedFor(board);
  const result = [...nodes];
  for (const c of cards) for (const made of board.cards[c].outputs) result[made] = undefined;
  result[node] = other;
  for (const c of cards) forwards(board, board.cards[c], c, how.get(c) ?? {}, wide, result);
  return result;
}

/**
 * Computes the outputs of a card, where all inputs are known.
 * @param {Storyboard} board
 * @param {Card} card
 * @param {Index} c
 * @param {any} how
 * @param {string[]} dtypeOf
 * @param {Found[]} nodes
 */
function forwards(board, card, c, how, dtypeOf, nodes) {
  const row = TABLE.get(card.op);
  // not those of a second tape
  const mine = card.outputs.filter((node) => board.nodes[node].card === c && !nodes[node]);
  const inputs = card.inputs.map((node) => nodes[node]);
  if (!row || !mine.length || how === "unknown" || inputs.some((x) => !x)) return;
  const made = tried(() => [row.compute(/** @type {Numbers[]} */ (inputs), how)].flat()) ?? [];
  card.outputs.forEach((node, k) => {
    if (mine.includes(node)) nodes[node] = made[k] && kept(made[k], dtypeOf[node]);
  });
}

/**
 * What an operation or an act finds; nothing where it cannot. A tape from elsewhere may claim what fits none: then this
 * one is unknown to the page, and all others follow.
 * @template T
 * @param {() => T} find
 */
function tried(find) {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/**
 * What a way back needs to remember.
 * @typedef {object} Way
 * @property {Storyboard} board
 * @property {Map<Index, any>} how
 * @property {string[]} dtypeOf
 * @property {Played} played
 * @property {Map<Index, any[]>} seeds
 * @property {Map<Index, Found>} sums  node -> the sum of the parts that have come; undefined: not known
 * @property {Map<string, Found[]>} rows  pass and node -> the rows of its Jacobian
 * @property {Index} pass
 * @property {number} visits  since the seed
 */

/**
 * What each act finds.
 * @type {{ [act: string]: (way: Way, frame: any, k: number) => Found }}
 */
const ACTS = {
  seed(way, frame, k) {
    if (frame.pass !== way.pass || way.visits || frame.row) way.sums = new Map();
    way.pass = frame.pass;
    way.visits = 0;
    const seed = seedOf(frame, way.played.nodes[frame.node], way.seeds.get(k));
    way.sums.set(frame.node, seed);
    return seed;
  },
  visit(way, frame) {
    way.visits += 1;
    return adjointsOf(way.board.cards[frame.card], way.played.nodes, way.sums)[0];
  },
  part(way, frame, k) {
    const { part, local } = partOf(way, frame);
    const dtype = way.dtypeOf[frame.node];
    const result = part && kept(part, dtype);
    way.played.locals[k] = local && kept(local, dtype);
    const before = way.sums.get(frame.node);
    const both = before && result && kept(plus(before, result), dtype);
    way.sums.set(frame.node, way.sums.has(frame.node) ? both : result);
    return result;
  },
  sum: (way, frame) => (frame.key === "sum.versions" ? overVersions(way, frame) : way.sums.get(frame.node)),
  row(way, frame) {
    const result = way.visits ? way.sums.get(frame.node) : undefined;
    const key = frame.pass + ":" + frame.node;
    way.rows.set(key, [...(way.rows.get(key) ?? []), result]);
    return result;
  },
  result(way, frame, k) {
    if (!given(frame.value)) return undefined;
    const jacobian = way.board.passes[frame.pass].kind === "jacobian";
    return jacobian ? jacobianOf(way, frame) : answerOf(way, frame, k);
  },
};

/** @type {(a: Numbers, b: Numbers) => Numbers} */
const plus = (a, b) => each((x, y) => x + y, a, b);

/** The nodes of a variable: each time that it was given another value it has another number. */
/** @type {(board: Storyboard, node: Index) => Index[]} */
export function versionsOf({ nodes }, node) {
  const nameOf = (/** @type {Index} */ n) => nodes[n].label.replace(/[₀-₉]+$/, "");
  return [...nodes.keys()].filter((n) => nodes[n].role === "variable" && nameOf(n) && nameOf(n) === nameOf(node));
}

/** The adjoints of all versions of a variable in one; none where another number of them was counted. */
/** @type {(way: Way, frame: Extract<Frame, { act: "sum" }>) => Found} */
function overVersions({ board, sums, dtypeOf }, { node, count }) {
  const result = versionsOf(board, node).flatMap((n) => (sums.has(n) ? [sums.get(n)] : []));
  if (result.length !== count) return undefined;
  return result.reduce((a, b) => a && b && kept(plus(a, b), dtypeOf[node]));
}

/**
 * The answer for a source: its adjoint, or, of a variable that was read in several versions, what was said of them
 * before.
 * @param {Way} way
 * @param {Extract<Frame, { act: "result" }>} frame
 * @param {number} k
 */
function answerOf({ board, played, sums }, frame, k) {
  for (let f = k - 1; f >= 0 && board.frames[f].act !== "seed"; f--) {
    const other = board.frames[f];
    if (other.act === "sum" && other.node === frame.node) return played.frames[f];
  }
  return sums.get(frame.node);
}

/** @type {(frame: Frame & { act: "seed" }, y: Found, seed: any[] | undefined) => Found} */
function seedOf(frame, y, seed) {
  if (!y) return undefined;
  if (seed) return seed.length === y.data.length ? { shape: y.shape, data: seed.map(numberOf) } : undefined;
  return frame.key === "seed.given" ? undefined : filled(y.shape, 1);
}

/**
 * The adjoints of a card's outputs; of one that nothing has reached, zeros.
 * @type {(card: Card, nodes: Found[], sums: Map<Index, Found>) => Found[]}
 */
const adjointsOf = (card, nodes, sums) =>
  card.outputs.map((node) => (sums.has(node) ? sums.get(node) : nodes[node] && filled(nodes[node].shape, 0)));

/**
 * What a rule sends to one input, and its local derivative where the storyboard shows one.
 * @param {Way} way
 * @param {Extract<Frame, { act: "part" }>} frame
 * @returns {{ part?: Numbers, local?: Numbers }}
 */
function partOf({ board, how: ways, played: { nodes }, sums }, frame) {
  const how = ways.get(frame.card) ?? {};
  const card = board.cards[frame.card];
  const rule = TABLE.get(card.op)?.rule(frame.input);
  const xs = card.inputs.map((node) => nodes[node]);
  const ys = card.outputs.map((node) => nodes[node]);
  const reached = adjointsOf(card, nodes, sums);
  if (!rule || how === "unknown" || [...xs, ...ys, ...reached].some((x) => !x)) return {};
  const inputs = /** @type {Numbers[]} */ (xs);
  const several = ys.length > 1;
  const [y, g] = several ? [ys, reached] : [/** @type {Numbers} */ (ys[0]), reached[0]];
  const part = tried(() => summedTo(rule(g, y, inputs, how), inputs[frame.input].shape));
  if (!part || !given(frame.local) || several) return { part };
  const ones = filled(/** @type {Numbers} */ (ys[0]).shape, 1);
  return { part, local: tried(() => rule(ones, y, inputs, how)) };
}

/** The rows of a Jacobian, one under the other; not of a batch of Jacobians, whose rows stand in another order. */
/** @type {(way: Way, frame: Extract<Frame, { act: "result" }>) => Found} */
function jacobianOf({ board, rows }, frame) {
  const shapeOf = (/** @type {Index} */ node) => board.values[board.nodes[node].value ?? -1].shape;
  const [target] = board.passes[frame.pass].targets;
  const shape = [...shapeOf(target), ...shapeOf(frame.node)];
  const result = rows.get(frame.pass + ":" + frame.node) ?? [];
  const data = result.flatMap((row) => (row ? row.data : []));
  const whole = isSame(shape, board.values[frame.value ?? -1].shape) && data.length === sizeOf(shape);
  return whole && result.every(Boolean) ? { shape, data } : undefined;
}

/**
 * Whether what the page has computed is what was recorded, as far as a summary tells. A float32 has seven digits, and
 * where large numbers cancel out fewer; so it is asked with patience.
 * @param {Found} result
 * @param {Summary | undefined} recorded
 * @param {number} [scale]  the largest number that it was made of
 */
export function agrees(result, recorded, scale = 0) {
  if (!result || !recorded || !isSame(result.shape, recorded.shape)) return false;
  const good = result.data.filter(Number.isFinite);
  const ends = [good.reduce((a, b) => Math.min(a, b), Infinity), good.reduce((a, b) => Math.max(a, b), -Infinity)];
  const most = Math.max(scale, ...ends.filter(Number.isFinite).map(Math.abs));
  /** @type {(a: number, b: Numeric | null | undefined) => boolean} */
  const near = (a, b) => Object.is(a, numberOf(b)) || Math.abs(a - numberOf(b)) <= 2e-5 * most + 1e-12;
  if (!recorded.shape.length)
    return near(result.data[0], recorded.number) || result.data[0] === numberOf(recorded.number);
  return !good.length || (near(ends[0], recorded.min) && near(ends[1], recorded.max));
}
