// @ts-check
// What is said of held numbers: the number and the gradient, what does not follow, and where one is no longer finite.

import { limitsOf } from "../replay/limits.js";
import { given } from "../storyboard/lookup.js";
import { nodeName, nodeNames, titleOf } from "../storyboard/sentences.js";
import { shortValue } from "../storyboard/values.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Holding } from "../replay/holding.js" */
/** @import { Words } from "../storyboard/sentences.js" */

/** @typedef {{ stage: Stage | null, nudged: { said: string } | null }} Tried what is on the stage, and tried out */

const NAMED = 3; // of many names, so many

/** @type {(board: Storyboard, nodes: Index[]) => string} */
export const namedOf = (board, nodes) => nodeNames(board, nodes.slice(0, NAMED)) + (nodes.length > NAMED ? ", …" : "");

/**
 * For those who listen: the number that was changed `last`, and as far as they are on the stage the target and the
 * gradient between both.
 * @type {(board: Storyboard, words: Words, hand: Holding, held: Tried, last: Index) => string}
 */
export function saidOf(board, words, hand, { stage, nudged }, last) {
  const tried = nudged ? [nudged.said] : [];
  if (!hand.changed || !stage) return tried[0] ?? words.say("ui.held.recorded");
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
  return [facts.join(", "), ...tried, ...noticesOf(board, words, hand)].join(". ");
}

/**
 * What does not follow, and where a number is no longer finite: a sentence for each.
 * @type {(board: Storyboard, words: Words, hand: Holding) => string[]}
 */
export function noticesOf(board, words, hand) {
  if (!hand.changed) return [];
  const { turned, left, stays, unseeded, later, odd } = limitsOf(board, hand);
  const adjoints = unseeded.map((n) => words.say("ui.adjoint.of", { output: nodeName(board, n) }));
  const names = [...(stays.length ? [namedOf(board, stays)] : []), ...new Set(adjoints)].join(", ");
  /** @type {(key: string, notes: Index[]) => string[]} */
  const ofNotes = (key, notes) =>
    notes.slice(0, 1).map((m) => {
      const { where, nodes } = board.notes[m];
      return words.say(key, { names: namedOf(board, nodes), line: where ? where[1] : "?" });
    });
  return [
    ...ofNotes("ui.held.turned", turned),
    ...(odd < 0 ? [] : [words.say("ui.held.odd", { card: odd + 1, op: titleOf(board, odd) })]),
    ...ofNotes("ui.held.left", left),
    ...(names ? [words.say("ui.held.stays", { names })] : []),
    ...(later.length ? [words.say("ui.held.later", { names: namedOf(board, later) })] : []),
  ];
}
