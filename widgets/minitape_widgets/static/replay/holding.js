// @ts-check
// Taking hold of numbers: a storyboard whose numbers can be changed, while its acts stay as they were recorded. Whoever
// draws it reads its values as ever; what is here puts others in their place.

import { given, remembered } from "../storyboard/lookup.js";
import { agrees, leavesOf, play } from "./replay.js";
import { summaryOf } from "./summary.js";

/** @import { Frame, Index, Storyboard } from "storyboard" */
/** @import { Numbers } from "./array.js" */
/** @import { Played } from "./replay.js" */
/** @typedef {ReturnType<typeof holding>} Holding */

/**
 * A copy of a storyboard in which every node and every frame has a value of its own. (In a storyboard equal values are
 * one: a 2 at the start and a 2 at the end would change together.)
 * @param {Storyboard} board
 * @returns {Storyboard}
 */
export function withOwnValues(board) {
  const values = [...board.values];
  /** @type {<T extends Index | null | undefined>(v: T) => T} */
  const own = (v) => /** @type {any} */ (given(v) ? values.push(board.values[/** @type {number} */ (v)]) - 1 : v);
  const nodes = board.nodes.map((node) => ({ ...node, value: own(node.value) }));
  /** @type {Index | null | undefined} */
  let adjoint;
  const frames = board.frames.map((frame) => {
    const value = "value" in frame ? own(frame.value) : undefined;
    if (frame.act === "visit") adjoint = value;
    if (!("value" in frame)) return frame; // nothing in it can change
    const copy = /** @type {any} */ ({ ...frame, value });
    if (frame.act === "part" && given(frame.local)) copy.local = own(frame.local);
    if (frame.act === "part" && given(frame.adjoint)) copy.adjoint = adjoint;
    return /** @type {Frame} */ (copy);
  });
  const chapters = board.chapters.map((chapter) => {
    const pass = board.passes.find((one) => one.frames[0] >= chapter.frame);
    return { ...chapter, loss: given(chapter.loss) && pass ? nodes[pass.targets[0]].value : chapter.loss };
  });
  return { ...board, values, nodes, frames, chapters };
}

/** @type {(a: Numbers | undefined, b: Numbers | undefined) => boolean} */
export const isOther = (a, b) => Boolean(a && b && a.data.some((x, k) => !Object.is(x, b.data[k])));

/** The largest finite number of some arrays. */
/** @type {(arrays: (Numbers | undefined)[]) => number} */
const largest = (arrays) =>
  arrays.reduce(
    (most, x) => (x?.data ?? []).reduce((m, v) => (Math.abs(v) < Infinity ? Math.max(m, Math.abs(v)) : m), most),
    0,
  );

/**
 * Hands for a storyboard; null where nothing can be held.
 * @param {Storyboard} board  one with values of its own: they are changed
 */
export function hands(board) {
  const hand = holding(board);
  return hand.leaves.size ? hand : null;
}

/**
 * The recorded play as this page computes it, before any number is changed: found when somebody takes hold, since who
 * only looks need not wait for it. What it computes otherwise than was recorded is strange, and is left alone.
 */
const ownPlay = remembered((board) => {
  const first = play(board, new Map());
  const scale = largest(first.nodes);
  /** @type {(found: Numbers | undefined, v: Index | null | undefined) => boolean} */
  const differs = (result, v) => Boolean(result && given(v) && !agrees(result, board.values[v], scale));
  const strange = new Set(board.nodes.flatMap(({ value }, n) => (differs(first.nodes[n], value) ? [n] : [])));
  const base = strange.size ? play(board, new Map(), strange) : first;
  const strangeFrames = new Set(
    board.frames.flatMap((frame, k) => ("value" in frame && differs(base.frames[k], frame.value) ? [k] : [])),
  );
  return { base, strange, strangeFrames };
});

/** @param {Storyboard} board */
export function holding(board) {
  const recorded = [...board.values];
  const sent = new Set(board.replay?.numbers.map(([n]) => n));
  /** @type {Map<Index, Numbers>} */
  const held = new Map();
  /** @type {Played | null} */
  let changed = null;
  const now = () => changed ?? ownPlay(board).base;
  /** @type {(node: Index) => Numbers | undefined} */
  const was = (node) => ownPlay(board).base.nodes[node];

  /** @type {(v: Index | null | undefined, found: Numbers | undefined, was: Numbers | undefined) => void} */
  function put(v, result, was) {
    if (!given(v)) return;
    board.values[v] = result && was && isOther(result, was) ? summaryOf(result, recorded[v].dtype) : recorded[v];
  }

  function show() {
    const { base, strange, strangeFrames } = ownPlay(board);
    changed = held.size ? play(board, held, strange) : null;
    const played = now();
    board.nodes.forEach((node, n) => put(node.value, played.nodes[n], base.nodes[n]));
    board.frames.forEach((frame, k) => {
      if (strangeFrames.has(k)) return;
      if ("value" in frame) put(frame.value, played.frames[k], base.frames[k]);
      if (frame.act === "part") put(frame.local, played.locals[k], base.locals[k]);
    });
  }

  return {
    /** What can be held: numbers that nobody computed, and that may be changed a little. */
    leaves: leavesOf(board),

    /** The nodes that are held, with their numbers. */
    held,

    /** All that is found now. */
    get played() {
      return now();
    },

    /** The numbers that a node has now; none where the page does not know them. */
    /** @type {(node: Index) => Numbers | undefined} */
    numbers: (node) => now().nodes[node],

    /** The numbers that it had before any was changed. */
    was,

    /** Gives one cell of a node another number. */
    /** @type {(node: Index, cell: number, value: number) => void} */
    hold(node, cell, value) {
      const x = held.get(node) ?? was(node);
      if (!x) return;
      const data = x.data.slice();
      data[cell] = value;
      held.set(node, { shape: x.shape, data });
      show();
    },

    /** Brings the recorded numbers back. */
    reset() {
      held.clear();
      show();
    },

    /**
     * All changes but that of one cell, as a text: where it is the same, a curve over this cell is.
     * @type {(node: Index, cell: number) => string}
     */
    besides(node, cell) {
      /** @type {(n: Index, x: Numbers) => number[]} */
      const others = (n, { data }) => (n === node ? data.map((v, k) => (k === cell ? 0 : v)) : data);
      return [...held].map(([n, x]) => n + ":" + others(n, x).join()).join(";");
    },

    /** Whether any number is not the recorded one. */
    get changed() {
      return held.size > 0;
    },

    /** Whether the page computes an act otherwise than was recorded. */
    /** @param {number} k */
    isStrange: (k) => ownPlay(board).strangeFrames.has(k),

    /** Whether a node's numbers came with the storyboard: nobody computed them, or the page cannot. */
    /** @param {Index} n */
    isGiven: (n) => sent.has(n),
  };
}
