// @ts-check
// How far held numbers reach: what follows from them and stays as it was recorded all the same, and where the program
// itself would have gone another way.

import { remembered } from "../storyboard/lookup.js";
import { isOther } from "./holding.js";
import { versionsOf } from "./replay.js";

/** @import { Index, Note, Storyboard } from "storyboard" */
/** @import { Numbers } from "./array.js" */
/** @import { Holding } from "./holding.js" */

/** Whether a value that left was asked for its truth: an `if`, a `while`. */
/** @type {(note: Note) => boolean} */
const decides = (note) => note.params.how === "bool()";

/** Whether something that was asked for its truth would answer otherwise. */
/** @type {(x: Numbers | undefined) => boolean | undefined} */
const truth = (x) => x && x.data.some((v) => v !== 0);

/** @type {(x: Numbers | undefined) => boolean} */
const isTame = (x) => !x || x.data.every(Number.isFinite);

/** The notes of values that something is true of, and that left the library: to be computed with, or to decide. */
/** @type {(board: Storyboard, is: (node: Index) => boolean, deciding?: boolean) => Index[]} */
export const escapes = (board, is, deciding = false) =>
  board.notes.flatMap((note, m) =>
    note.kind === "escape" && decides(note) === deciding && note.nodes.some(is) ? [m] : [],
  );

/** Which nodes each node leads to. */
const nextOf = remembered((board) => {
  /** @type {Index[][]} */
  const after = board.nodes.map(() => []);
  for (const { from, to } of board.edges) after[from].push(to);
  return after;
});

/**
 * What can be said of the numbers that are held now.
 * @param {Storyboard} board
 * @param {Holding} hand
 */
export function limitsOf(board, { played: { nodes, frames }, held, leaves, was, isGiven }) {
  const follows = new Set(held.keys());
  // the set grows while it is read
  for (const node of follows) for (const next of nextOf(board)[node]) follows.add(next);
  /** @type {(n: Index) => boolean} */
  const isChanged = (n) => isOther(nodes[n], was(n));
  /** @type {(n: Index) => boolean} */
  const isOver = (n) => versionsOf(board, n).some((m) => m > n && !held.has(m) && leaves.has(m));
  /** @type {(n: Index) => boolean} */
  const isOdd = (n) => !isTame(nodes[n]) && isChanged(n);

  return {
    /** What would have changed, but stays as it was recorded: the page cannot compute it. */
    stays: [...follows].filter((n) => !held.has(n) && (!nodes[n] || isGiven(n))),

    /** The targets that would have changed, and whose way back the page does not know: it has no seed for them. */
    unseeded: board.frames.flatMap((frame, k) =>
      frame.act === "seed" && !frames[k] && nodes[frame.node] && follows.has(frame.node) ? [frame.node] : [],
    ),

    /** The variables that were changed and were given another number later: that is one of its own, and stays. */
    later: [...held.keys()].filter(isOver),

    /** The first card that makes a NaN or an infinity of finite numbers, though it was none before; -1: none does. */
    odd: board.cards.findIndex((card) => card.outputs.some(isOdd) && card.inputs.every((n) => isTame(nodes[n]))),

    /** The notes of values that decided a branch, and would now decide otherwise. */
    turned: escapes(board, (n) => truth(nodes[n]) !== truth(was(n)), true),

    /**
     * The notes of values that have changed and had left the library: what was computed of them outside stays as it
     * was.
     */
    left: escapes(board, isChanged),
  };
}
