// @ts-check
// Where each number of a small array comes from, forwards and on the way back: which numbers were copied, moved or
// added up, and which row met which column. Nothing of it is measured: the table's own operations say it, given places
// instead of numbers.

import { given } from "../storyboard/lookup.js";
import { axesOf, isSame, placesOf, sizeOf, stretched } from "./array.js";
import { TABLE, isElementwise, oneHot, softmax } from "./table.js";

/** @import { Card, Index, PartFrame, Storyboard, Summary } from "storyboard" */
/** @import { Numbers } from "./array.js" */
/**
 * @typedef {object} Origin
 * @property {Index} node
 * @property {boolean} adjoint  whether its adjoint is meant, else its value
 * @property {number[][]} cells  for each number of the result, those that it was made of
 * @property {number[]} numbers  what each of them brings
 * @property {number} [shares]  into how many it was divided before
 * @property {boolean} [mean]  whether what comes to a cell is divided there
 * @property {{ node: Index, of: number[] }} [ids]  of what is gathered: its ids, and by which each number was taken
 */
/**
 * What a result was made of. `meet`: a row of the first and a column of the second (of what is transposed, the other
 * way round) are multiplied, else numbers only move and are added.
 * @typedef {{ origins: Origin[], meet: boolean }} Origins
 */

/**
 * What softmax with a cross-entropy sends back to its logits: p minus the one-hot, times its adjoint.
 * @typedef {object} Surprise
 * @property {Index} labels
 * @property {number[]} probabilities  one for each number of the part, as all that follows
 * @property {number[]} taken  what is taken away from them
 * @property {number[]} label  from which of the labels' numbers that comes
 * @property {number[]} row  which number of the adjoint counts there
 * @property {number[]} adjoint
 */

/** @type {(board: Storyboard, v: Index | null | undefined) => Summary | null} */
const summaryAt = (board, v) => (given(v) ? board.values[v] : null);

/**
 * A small array from its summary, which then holds all of it.
 * @type {(summary: Summary | null) => Numbers | null}
 */
function numbersOf(summary) {
  if (!summary) return null;
  const { shape, cells, number, strided } = summary;
  if (!shape.length) return typeof number === "number" ? { shape, data: [number] } : null;
  const data = strided ? [] : (cells ?? []).flat();
  return data.length && data.every((x) => typeof x === "number") ? { shape, data: data.map(Number) } : null;
}

/** @type {(board: Storyboard, node: Index) => Numbers | null} */
const valueOf = (board, node) => numbersOf(summaryAt(board, board.nodes[node].value));

/** The attributes of a card; null where the page does not know them. @type {(board: Storyboard, c: Index) => any} */
function howOf(board, c) {
  const how = new Map(board.replay?.attributes).get(c) ?? {};
  return how === "unknown" || !board.replay ? null : how;
}

/**
 * The other way round: for each of `size` places, those that point at it.
 * @type {(to: number[], size: number) => number[][]}
 */
function inverse(to, size) {
  const result = Array.from({ length: size }, () => /** @type {number[]} */ ([]));
  to.forEach((place, k) => result[place]?.push(k));
  return result;
}

/** @type {(places: number[]) => number[][]} */
const alone = (places) => places.map((place) => (place < 0 ? [] : [place]));

/**
 * For each number of the output the place in the input that it was copied from; for a sum, the other way round.
 * @type {(op: string, xs: Numbers[], i: number, y: Numbers, how: any) =>
 *   { copied: number[] } | { added: number[] } | null}
 */
function placesIn(op, xs, i, y, how) {
  if (isElementwise(op)) return { copied: stretched(placesOf(xs[i].shape), y.shape).data };
  const row = TABLE.get(op);
  if (op === "Sum" || op === "Mean") {
    const sum = TABLE.get("Sum")?.rule(0); // copies what it is given: a sum's number goes to all that were added
    return sum ? { added: sum(placesOf(y.shape), null, xs, how).data } : null;
  }
  if (!row?.places) return null;
  const from = row.places(xs, how)[i];
  return from ? { copied: from } : null;
}

/** @type {(card: Card, xs: Numbers[], y: Numbers, how: any) => Origin["ids"]} */
function idsOf({ op, inputs }, [x, ids], y, how) {
  if (op !== "GatherV2") return undefined;
  const [axis] = axesOf(how.axis, x.shape.length);
  const inner = sizeOf(x.shape.slice(axis + 1));
  return { node: inputs[1], of: y.data.map((_, d) => Math.floor(d / inner) % ids.data.length) };
}

/** @type {(n: number, from: number, step: number) => number[]} */
const run = (n, from, step) => Array.from({ length: n }, (_, k) => from + k * step);

/**
 * Of a product of matrices r x k and k x c: the row and the column that make each number.
 * @type {(rows: number, inner: number, columns: number) => { rows: number[][], columns: number[][] }}
 */
function crossings(rows, inner, columns) {
  const all = run(rows * columns, 0, 1);
  return {
    rows: all.map((d) => run(inner, Math.floor(d / columns) * inner, 1)),
    columns: all.map((d) => run(inner, d % columns, columns)),
  };
}

/** Whether a matrix is multiplied by a second, or each of a batch is. @type {(card: Card, xs: Numbers[]) => boolean} */
const isProduct = ({ op }, [x, w]) => op === "MatMul" && x.shape.length > 1 && w.shape.length === 2;

/** @type {(x: Numbers) => [number, number]} its rows and columns; the matrices of a batch stand below each other */
const sidesOf = ({ shape, data }) => [data.length / shape[shape.length - 1], shape[shape.length - 1]];

/**
 * What the output of a card was made of, where that is more than number by number.
 * @type {(board: Storyboard, c: Index) => Origins | null}
 */
export function originsForwards(board, c) {
  const card = board.cards[c];
  const xs = card.inputs.map((node) => valueOf(board, node));
  const y = card.outputs.length === 1 ? valueOf(board, card.outputs[0]) : null;
  const how = howOf(board, c);
  if (!y || !how || xs.some((x) => !x)) return null;
  const inputs = /** @type {Numbers[]} */ (xs);
  /** @type {(i: number, cells: number[][]) => Origin} */
  const from = (i, cells) => ({
    ...{ node: card.inputs[i], adjoint: false, cells, numbers: inputs[i].data },
    mean: card.op === "Mean",
  });
  if (isProduct(card, inputs)) {
    const { rows, columns } = crossings(...sidesOf(inputs[0]), inputs[1].shape[1]);
    return { origins: [from(0, rows), from(1, columns)], meet: true };
  }
  if (inputs.every(({ shape }) => isSame(shape, y.shape)) && isElementwise(card.op)) return null;
  const result = inputs.map((_, i) => placesIn(card.op, inputs, i, y, how));
  const origins = result.flatMap((places, i) => {
    if (!places) return [];
    const cells = "copied" in places ? alone(places.copied) : inverse(places.added, y.data.length);
    return [{ ...from(i, cells), ids: idsOf(card, inputs, y, how) }];
  });
  return origins.length ? { origins, meet: false } : null;
}

/**
 * What a part was made of, where that is more than number by number.
 * @type {(board: Storyboard, frame: PartFrame, adjoint: Index) => Origins | null} `adjoint`: the value of the output's
 */
export function originsBackwards(board, { card: c, input: i }, adjoint) {
  const card = board.cards[c];
  const xs = card.inputs.map((node) => valueOf(board, node));
  const y = card.outputs.length === 1 ? valueOf(board, card.outputs[0]) : null;
  const g = numbersOf(summaryAt(board, adjoint));
  const how = howOf(board, c);
  if (!y || !g || !how || !isSame(g.shape, y.shape) || xs.some((x) => !x)) return null;
  const inputs = /** @type {Numbers[]} */ (xs);
  /** @type {(cells: number[][], numbers?: number[]) => Origin} */
  const above = (cells, numbers = g.data) => ({ node: card.outputs[0], adjoint: true, cells, numbers });
  if (isProduct(card, inputs)) {
    const [[rows, inner], [, columns]] = inputs.map(sidesOf);
    const { node, other } = { node: card.inputs[1 - i], other: inputs[1 - i].data };
    const numbers = run(inputs[i].data.length, 0, 1);
    const width = i ? columns : inner;
    // of the first, its row of the adjoint and a row of the second; of the second, a column of the first and its own
    const mine = numbers.map((d) =>
      i ? run(rows, d % width, columns) : run(columns, Math.floor(d / width) * columns, 1),
    );
    const its = numbers.map((d) =>
      i ? run(rows, Math.floor(d / width), inner) : run(columns, (d % width) * columns, 1),
    );
    const origins = [above(mine), { node, adjoint: false, cells: its, numbers: other }];
    return { origins: i ? origins.reverse() : origins, meet: true };
  }
  const places = placesIn(card.op, inputs, i, y, how);
  if (!places) return null;
  const size = inputs[i].data.length;
  if ("added" in places) {
    const shares = card.op === "Mean" ? size / g.data.length : 1;
    const sent = g.data.map((x) => x / shares);
    return { origins: [{ ...above(alone(places.added), sent), shares }], meet: false };
  }
  const ids = idsOf(card, inputs, y, how);
  if (!isElementwise(card.op)) return { origins: [{ ...above(inverse(places.copied, size)), ids }], meet: false };
  if (isSame(inputs[i].shape, y.shape)) return null;
  const sent = TABLE.get(card.op)?.rule(i)?.(g, y, inputs, how);
  return sent ? { origins: [above(inverse(places.copied, size), sent.data)], meet: false } : null;
}

/**
 * What the numbers of a small array become in an act; null where they only pass one by one.
 * @type {(board: Storyboard, k: number) => Origins | Surprise | null}
 */
export function taughtBy(board, k) {
  const { frames } = board;
  const frame = frames[k - 1];
  if (frame.act === "record") return originsForwards(board, frame.card);
  if (frame.act !== "part" || frame.key === "part.late") return null;
  let f = k - 1;
  while (f > 0 && frames[f].act !== "visit") f -= 1;
  const adjoint = frames[f].value ?? -1;
  return adjoint < 0 ? null : (surpriseBackwards(board, frame, adjoint) ?? originsBackwards(board, frame, adjoint));
}

const ENTROPIES = ["SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"];

/** @type {(board: Storyboard, frame: PartFrame, adjoint: Index) => Surprise | null} `adjoint`: as above */
export function surpriseBackwards(board, { card: c, input }, adjoint) {
  const { op, inputs } = board.cards[c];
  if (input || !ENTROPIES.includes(op)) return null;
  const [x, t] = inputs.map((node) => valueOf(board, node));
  const g = numbersOf(summaryAt(board, adjoint));
  if (!x || !t || !g) return null;
  const sparse = op.startsWith("Sparse");
  const width = x.shape[x.shape.length - 1];
  const row = x.data.map((_, d) => Math.floor(d / width));
  return {
    labels: inputs[1],
    probabilities: softmax(x, -1).data,
    taken: (sparse ? oneHot(t, x) : t).data,
    label: sparse ? row : x.data.map((_, d) => d),
    row,
    adjoint: g.data,
  };
}
