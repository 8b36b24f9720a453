// @ts-check
// What a player does with held numbers: one evaluation per frame, what it says of them, and the way back to the numbers
// that were recorded. How the numbers are computed is in replay/.

import { hands, withOwnValues } from "../replay/holding.js";
import { limitsOf } from "../replay/limits.js";
import { lineOf } from "../replay/nudge.js";
import { adjointOf } from "../storyboard/state.js";
import { namedOf, noticesOf, saidOf } from "./said.js";
import { signedText } from "./steps.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Holding } from "../replay/holding.js" */
/** @import { Line } from "../replay/nudge.js" */
/** @typedef {ReturnType<typeof heldNumbers>} Held */

const REST = 400; // ms without a change, until it is said: nobody can listen to every frame of a drag

/**
 * A storyboard whose numbers can be changed, and the hands that change them; as it was recorded, where there are none.
 * @param {Storyboard} recorded
 * @returns {{ board: Storyboard, hand: Holding | null }}
 */
export function holdable(recorded) {
  const board = recorded.replay ? withOwnValues(recorded) : recorded;
  const hand = hands(board);
  return hand ? { board, hand } : { board: recorded, hand };
}

/** Before anything is held. */
const resting = () => ({
  /** Counts the changes: what was drawn before is drawn anew. */
  revision: 0,
  /** Whether what is drawn just now is a change of numbers, and no other moment. */
  busy: false,
  /** Whether another may come with the next frame: what is not seen waits until the hand rests. */
  hurries: false,
  /** Whether a question is open: it is about the numbers that were recorded. */
  waits: false,
  /** @type {Stage | null} what is on the stage */
  stage: null,
  /**
   * A little more that is tried out, and is not held; what came of it, in a sentence.
   * @type {{ node: Index, cell: number, more: number, said: string } | null}
   */
  nudged: null,
  /** @type {{ node: Index, cell: number } | null} whose number was drawn along last */
  touched: null,
});

/**
 * How far every single number goes with what is tried out now.
 * @type {(nudged: ReturnType<typeof resting>["nudged"], line: (node: Index) => Line | null) => [Index, string][]}
 */
function changesOf(nudged, line) {
  const result = nudged ? (line(nudged.node)?.nudge(nudged.cell, nudged.more).changes ?? []) : [];
  return result.map(([n, change]) => [n, signedText(change)]);
}

/**
 * @param {Storyboard} board
 * @param {Holding} hand
 * @param {Words} words
 * @param {(node?: Index) => void} redraw  told which node was changed
 * @param {(text: string) => void} speak
 */
export function heldNumbers(board, hand, words, redraw, speak) {
  /** @type {[Index, number, number] | null} what the next frame will evaluate */
  let wanted = null;
  let frame = 0;
  let rest = 0;
  /** @type {Index} the node that was changed last */
  let last = -1;
  let known = { revision: -1, turned: false }; // looked at once for a change: it takes a walk over all edges

  const held = {
    ...resting(),
    /** @param {Index} node */
    can: (node) => hand.leaves.has(node),
    /** @param {Index} node */
    numbers: (node) => hand.numbers(node),
    number,
    get changed() {
      return hand.changed;
    },
    /** Whether the program would have gone another way with these numbers: what it answers there is not known. */
    get turned() {
      const { revision } = held;
      if (known.revision !== revision)
        known = { revision, turned: hand.changed && limitsOf(board, hand).turned.length > 0 };
      return known.turned;
    },
    set,
    nudge,
    named: (/** @type {Index[]} */ nodes) => namedOf(board, nodes),
    changes: () => changesOf(held.nudged, line),
    line,
    /** @type {(node: Index, cell: number) => string} */
    besides: (node, cell) => hand.besides(node, cell),
    reset,
    notices: () => noticesOf(board, words, hand),
    destroy,
  };

  /**
   * The number of one cell, as it will be with the next frame.
   * @type {(node: Index, cell: number) => number | undefined}
   */
  function number(node, cell) {
    const coming = wanted && wanted[0] === node && wanted[1] === cell;
    return coming ? wanted?.[2] : hand.numbers(node)?.data[cell];
  }

  /**
   * Gives one cell of a node another number, with the next frame.
   * @type {(node: Index, cell: number, value: number) => void}
   */
  function set(node, cell, value) {
    if (held.waits) return;
    // one number is tried out at a time
    if (held.nudged?.node === node && held.nudged.cell !== cell) held.nudged = null;
    if (wanted && (wanted[0] !== node || wanted[1] !== cell)) hand.hold(...wanted);
    wanted = [node, cell, value];
    last = node;
    frame ||= requestAnimationFrame(apply);
  }

  function apply() {
    frame = 0;
    if (wanted) hand.hold(...wanted);
    wanted = null;
    show(last);
  }

  /** Tries out a little more in one cell of a node. @type {(node: Index, cell: number, more: number) => void} */
  function nudge(node, cell, more) {
    held.nudged = more ? { node, cell, more, said: "" } : null;
    show();
  }

  /** What follows from a node that has an adjoint now. @type {(node: Index) => Line | null} */
  function line(node) {
    const adjoint = held.stage ? adjointOf(held.stage, node).value : -1;
    return adjoint < 0 ? null : lineOf(board, hand, node, adjoint);
  }

  /** Brings the recorded numbers back; false where nothing had changed. */
  function reset() {
    if (!hand.changed && !wanted && !held.nudged) return false;
    held.nudged = null;
    cancelAnimationFrame(frame);
    frame = 0;
    wanted = null;
    hand.reset();
    show();
    return true;
  }

  /** @param {Index} [node] */
  function show(node) {
    held.revision += 1;
    held.hurries = true;
    draw(node);
    clearTimeout(rest);
    rest = setTimeout(() => {
      const waits = held.hurries;
      held.hurries = false;
      if (waits) draw(); // after a step, all of it is there, and moves
      speak(saidOf(board, words, hand, held, last));
    }, REST);
  }

  /** @param {Index} [node] */
  function draw(node) {
    held.busy = true;
    redraw(node);
    held.busy = false;
  }

  function destroy() {
    cancelAnimationFrame(frame);
    clearTimeout(rest);
  }

  return held;
}
