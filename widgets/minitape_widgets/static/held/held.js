// @ts-check
// What a player does with held numbers: one evaluation per frame, what it says of them, and the way back to the numbers
// that were recorded. How the numbers are computed is in replay/.

import { hands, withOwnValues } from "../replay/holding.js";
import { lineOf } from "../replay/nudge.js";
import { given } from "../storyboard/lookup.js";
import { nodeName, nodeNames } from "../storyboard/sentences.js";
import { adjointOf } from "../storyboard/state.js";
import { shortValue } from "../storyboard/values.js";
import { signedText } from "./steps.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Holding } from "../replay/holding.js" */
/** @import { Line } from "../replay/nudge.js" */
/** @typedef {ReturnType<typeof heldNumbers>} Held */

const REST = 400; // ms without a change, until it is said: nobody can listen to every frame of a drag
const NAMED = 3; // of many names, so many

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

  const held = {
    /** Counts the changes: what was drawn before is drawn anew. */
    revision: 0,
    /** Whether what is drawn just now is a change of numbers, and no other moment. */
    busy: false,
    /** Whether a question is open: it is about the numbers that were recorded. */
    waits: false,
    /** @type {Stage | null} what is on the stage */
    stage: null,
    /**
     * A little more that is tried out, and is not held; what came of it, in a sentence.
     * @type {{ node: Index, cell: number, more: number, said: string } | null}
     */
    nudged: null,

    /** @param {Index} node */
    can: (node) => hand.leaves.has(node),
    /** @param {Index} node */
    numbers: (node) => hand.numbers(node),
    number,
    get changed() {
      return hand.changed;
    },
    set,
    nudge,
    named,
    changes,
    line,
    /** @type {(node: Index, cell: number) => string} */
    besides: (node, cell) => hand.besides(node, cell),
    reset,
    notices,
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

  /** How far every single number goes with what is tried out now. @returns {[Index, string][]} */
  function changes() {
    if (!held.nudged) return [];
    const { node, cell, more } = held.nudged;
    const found = line(node)?.nudge(cell, more).changes ?? [];
    return found.map(([n, change]) => [n, signedText(change)]);
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
    held.busy = true;
    redraw(node);
    held.busy = false;
    clearTimeout(rest);
    rest = setTimeout(() => speak(said()), REST);
  }

  /** For those who listen: the number, and as far as they are on the stage the target and the gradient between both. */
  function said() {
    const tried = held.nudged ? [held.nudged.said] : [];
    if (!hand.changed) return tried[0] ?? words.say("ui.held.recorded");
    const stage = /** @type {Stage} */ (held.stage);
    /** @type {(node: Index) => string} */
    const shown = (node) => nodeName(board, node) + " = " + shortValue(board.values[board.nodes[node].value ?? -1], 30);
    const answer = stage.results.findLast(({ node, value }) => node === last && given(value));
    const asked = answer ? board.passes[answer.pass] : board.passes.findLast(({ sources }) => sources.includes(last));
    const target = asked?.targets[0] ?? -1;
    const facts = [shown(last)];
    if (stage.nodes[target]) facts.push(shown(target));
    if (answer) {
      const slope = shortValue(board.values[answer.value ?? -1], 30);
      facts.push("d" + nodeName(board, target) + "/d" + nodeName(board, last) + " = " + slope);
    }
    return [facts.join(", "), ...tried, ...notices()].join(". ");
  }

  /** What does not follow, and where a number is no longer finite: a sentence for each. */
  function notices() {
    if (!hand.changed) return [];
    const { turned, left, stays, unseeded, later } = hand;
    const adjoints = unseeded.map((n) => words.say("ui.adjoint.of", { output: nodeName(board, n) }));
    const names = [...(stays.length ? [named(stays)] : []), ...new Set(adjoints)].join(", ");
    /** @type {(key: string, notes: Index[]) => string[]} */
    const ofNotes = (key, notes) =>
      notes.slice(0, 1).map((m) => {
        const { where, nodes } = board.notes[m];
        return words.say(key, { names: named(nodes), line: where ? where[1] : "?" });
      });
    const odd = hand.odd;
    return [
      ...ofNotes("ui.held.turned", turned),
      ...(odd < 0 ? [] : [words.say("ui.held.odd", { card: odd + 1, op: board.cards[odd].op })]),
      ...ofNotes("ui.held.left", left),
      ...(names ? [words.say("ui.held.stays", { names })] : []),
      ...(later.length ? [words.say("ui.held.later", { names: named(later) })] : []),
    ];
  }

  /** @param {Index[]} nodes */
  function named(nodes) {
    return nodeNames(board, nodes.slice(0, NAMED)) + (nodes.length > NAMED ? ", …" : "");
  }

  function destroy() {
    cancelAnimationFrame(frame);
    clearTimeout(rest);
  }

  return held;
}
