// @ts-check
// What an adjoint means. Of one node and its adjoint: how far the target goes when the node gets a little more, by
// playing what follows from it; the straight line beside it has the adjoint as its slope.

import { escapes } from "./limits.js";
import { onwards, versionsOf } from "./replay.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Numbers } from "./array.js" */
/** @import { Holding } from "./holding.js" */
/** @import { Found } from "./replay.js" */
/** @typedef {{ node: Index, seed: Numbers }} Weighed  a target, and how much each of its numbers counts */
/** @typedef {NonNullable<ReturnType<typeof lineOf>>} Line */

/**
 * What the adjoint in an act is the derivative of: the targets of its play, weighed by their seeds; of a Jacobian's
 * row, one number of the target.
 * @type {(board: Storyboard, frames: Found[], k: number) => Weighed[]}
 */
function targetsOf(board, frames, k) {
  /** @type {Weighed[]} */
  const result = [];
  for (let f = k; f >= 0; f--) {
    const frame = board.frames[f];
    const seed = frames[f];
    if (frame.act === "visit" && result.length) break;
    if (frame.act !== "seed") continue;
    if (!seed) return []; // one that the page does not know
    result.unshift({ node: frame.node, seed });
    if (frame.row) break;
  }
  return result;
}

/** Whether the adjoint in an act was summed over the versions of a variable. */
/** @type {(board: Storyboard, node: Index, k: number) => boolean} */
function isOverVersions({ frames }, node, k) {
  const sum = frames.findLastIndex((one, f) => f <= k && one.act === "sum" && one.node === node);
  const summed = frames[sum];
  return summed?.act === "sum" && summed.key === "sum.versions" && !frames.slice(sum, k).some((f) => f.act === "seed");
}

/**
 * The cards between a node and the targets, in the order of the tape; and all that follows from the node.
 * @type {(board: Storyboard, node: Index, targets: Index[]) => { cards: Index[], reached: Set<Index> }}
 */
function between(board, node, targets) {
  const reached = new Set([node]);
  const later = board.cards.flatMap(({ inputs, outputs }, c) => {
    const mine = outputs.filter((n) => n !== node && board.nodes[n].card === c); // not those of a second tape
    if (!mine.length || !inputs.some((n) => reached.has(n))) return [];
    for (const made of mine) reached.add(made);
    return [c];
  });
  const wanted = new Set(targets);
  const cards = later
    .toReversed()
    .filter((c) => {
      const { inputs, outputs } = board.cards[c];
      if (!outputs.some((n) => wanted.has(n))) return false;
      for (const n of inputs) wanted.add(n);
      return true;
    })
    .toReversed();
  return { cards, reached };
}

/**
 * A node, its adjoint (the value `v` of the storyboard), and what follows from it; null where the page knows no
 * numbers.
 * @param {Storyboard} board  one with values of its own
 * @param {Holding} hand
 * @param {Index} node
 * @param {Index} v
 */
export function lineOf(board, hand, node, v) {
  const { nodes, frames } = hand.played;
  const k = board.frames.findLastIndex((frame) => "value" in frame && frame.value === v);
  const value = nodes[node];
  const adjoint = hand.isStrange(k) ? undefined : frames[k];
  const weighed = targetsOf(board, frames, k);
  if (!value || !weighed.length) return null;
  const targets = weighed.map((one) => one.node);
  const row = board.frames.slice(0, k + 1).findLast((frame) => frame.act === "seed")?.row;
  const { cards, reached } = between(board, node, targets);
  const made = cards.flatMap((c) => board.cards[c].outputs);
  const stays = made.filter((n) => hand.isGiven(n) || !nodes[n]);

  /** @type {(x: Numbers, seed: Numbers) => number} */
  const counted = (x, seed) => x.data.reduce((sum, y, i) => (seed.data[i] ? sum + y * seed.data[i] : sum), 0);

  /** Everything, with another number in one cell of the node. @type {(cell: number, x: number) => Found[]} */
  function playedAt(cell, x) {
    const data = [.../** @type {Numbers} */ (value).data];
    data[cell] = x;
    return onwards(board, nodes, cards, node, { shape: /** @type {Numbers} */ (value).shape, data });
  }

  /** The targets in one number. @type {(found: Found[]) => number} */
  const totalOf = (result) =>
    weighed.reduce((sum, one) => sum + counted(result[one.node] ?? { shape: [], data: [NaN] }, one.seed), 0);

  return {
    value,
    /** None where the page cannot compute it. */
    adjoint,
    targets,
    /** Whether the target is one number and counts once. */
    plain: weighed.length === 1 && weighed[0].seed.data.length === 1 && weighed[0].seed.data[0] === 1,
    /** Where one number of the target counts, and none of the others: its place, as a row of a Jacobian has it. */
    place: row ? "[" + row.join(", ") + "]" : "",
    /** Which adjoint it is: of which act. */
    id: k,
    /** Of an adjoint that counts several versions of a variable, the others: a nudge leaves them alone. */
    others: isOverVersions(board, node, k) ? versionsOf(board, node).filter((n) => n !== node && nodes[n]) : [],
    /** What the page cannot compute on the way to the target. */
    stays,
    /** What follows from the node and left the library: what was computed of it outside is not played again. */
    left: escapes(board, (n) => reached.has(n)).flatMap((m) => board.notes[m].nodes),
    /** How much work one look is: so many numbers are computed. */
    work: made.reduce((sum, n) => sum + (nodes[n]?.data.length ?? 0), 1),
    made,

    /** The target where a cell of the node has another number. @type {(cell: number, x: number) => number} */
    at: (cell, x) => totalOf(playedAt(cell, x)),

    /**
     * Whether some of the change takes a way on which no adjoint comes back, as through `tf.stop_gradient`: even a
     * tiny nudge does something else than the adjoint says.
     * @param {number} cell
     */
    silent(cell) {
      const between = new Set(cards);
      const blocked = board.edges.some((e) => e.flow !== "open" && reached.has(e.from) && between.has(e.card ?? -1));
      if (!blocked) return false;
      const [x, slope] = [value.data[cell], adjoint?.data[cell] ?? NaN];
      const h = 1e-5 * (Math.abs(x) || 1);
      const result = (totalOf(playedAt(cell, x + h)) - totalOf(playedAt(cell, x - h))) / (2 * h);
      return Math.abs(result - slope) > 1e-3 * Math.max(Math.abs(result), Math.abs(slope));
    },

    /**
     * A little more in a cell: the target without it, its change, what the adjoint promised, and the change of every
     * single number on the way.
     * @param {number} cell
     * @param {number} more
     */
    nudge(cell, more) {
      const before = playedAt(cell, value.data[cell]);
      const after = more ? playedAt(cell, value.data[cell] + more) : before;
      const y = totalOf(before);
      const single = [node, ...made].filter((n) => before[n]?.data.length === 1 && after[n]);
      /** @type {(found: Found[], n: Index) => number} */
      const number = (result, n) => result[n]?.data[0] ?? NaN;
      /** @type {[Index, number][]} */
      const changes = single.map((n) => [n, difference(number(before, n), number(after, n))]);
      const promise = (adjoint?.data[cell] ?? NaN) * more;
      return { y, change: difference(y, totalOf(after)), promise, changes };
    },
  };
}

/** A difference without the dust of the last digits. */
/** @type {(a: number, b: number) => number} */
const difference = (a, b) => (Math.abs(b - a) <= 1e-13 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : b - a);
