// @ts-check
// What a player does with held numbers: one evaluation per frame, what it says of them, and the way back to the numbers
// that were recorded. How the numbers are computed is in replay/.

import { hands, withOwnValues } from "../replay/holding.js";
import { given } from "../storyboard/lookup.js";
import { nodeName, nodeNames } from "../storyboard/sentences.js";
import { shortValue } from "../storyboard/values.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Holding } from "../replay/holding.js" */
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
 * The play by which a number is asked about: the one on stage, else the last one that answers for it.
 * @type {(board: Storyboard, node: Index, pass: Index) => Index}
 */
function passFor(board, node, pass) {
  /** @param {Index} p */
  const asks = (p) => board.passes[p]?.sources.includes(node);
  return asks(pass) ? pass : board.passes.findLastIndex((_, p) => asks(p));
}

/**
 * @param {Storyboard} board
 * @param {Holding} hand
 * @param {Words} words
 * @param {() => void} redraw
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

    /** @param {Index} node */
    can: (node) => hand.leaves.has(node),
    /** @param {Index} node */
    numbers: (node) => hand.numbers(node),
    number,
    get changed() {
      return hand.changed;
    },
    set,
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
    show();
  }

  /** Brings the recorded numbers back; false where nothing had changed. */
  function reset() {
    if (!hand.changed && !wanted) return false;
    cancelAnimationFrame(frame);
    frame = 0;
    wanted = null;
    hand.reset();
    show();
    return true;
  }

  function show() {
    held.revision += 1;
    held.busy = true;
    redraw();
    held.busy = false;
    clearTimeout(rest);
    rest = setTimeout(() => speak(said()), REST);
  }

  /** For those who listen: the number, what became of the target, and the gradient between both. */
  function said() {
    if (!hand.changed) return words.say("ui.held.recorded");
    const pass = board.passes[passFor(board, last, -1)];
    /** @type {(node: Index) => string} */
    const shown = (node) => nodeName(board, node) + " = " + shortValue(board.values[board.nodes[node].value ?? -1], 30);
    const answer = pass && board.frames.findLast((act) => act.act === "result" && act.node === last);
    const known = answer && "value" in answer && given(answer.value) ? board.values[answer.value] : null;
    const [target] = pass ? pass.targets : [];
    const slope = known ? ["d" + nodeName(board, target) + "/d" + nodeName(board, last), shortValue(known, 30)] : [];
    const facts = [shown(last), ...(given(target) ? [shown(target)] : []), ...(known ? [slope.join(" = ")] : [])];
    return [facts.join(", "), ...notices()].join(". ");
  }

  /** What does not follow, and where a number is no longer finite: a sentence for each. */
  function notices() {
    if (!hand.changed) return [];
    const { turned, left, stays } = hand;
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
      ...(stays.length ? [words.say("ui.held.stays", { names: named(stays) })] : []),
    ];
  }

  /** @param {Index[]} nodes */
  const named = (nodes) => nodeNames(board, nodes.slice(0, NAMED)) + (nodes.length > NAMED ? ", …" : "");

  function destroy() {
    cancelAnimationFrame(frame);
    clearTimeout(rest);
  }

  return held;
}
