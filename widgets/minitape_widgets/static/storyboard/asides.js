// @ts-check
// What a lesson says at a moment, beside the sentence of the act: the teacher's words, in the learner's language where
// they are written in it. Where a step is larger than an act, all that is said of the acts in it.

import { stopsOf } from "./stops.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Words } from "./sentences.js" */

/** @type {(board: Storyboard, words: Words, k: number) => string[]} */
export function asidesAt(board, words, k) {
  if (!board.asides?.length) return [];
  const before = stopsOf(board, words.size.now).beginOf.get(k) ?? k - 1;
  const texts = board.asides.filter(({ frame }) => before < frame && frame <= k).map((aside) => aside.text);
  return texts.map((text) => text[words.say("ui.language")] ?? Object.values(text)[0] ?? "");
}

/**
 * The sentence of a moment, and all that is said beside it.
 * @type {(board: Storyboard, words: Words, k: number) => string}
 */
export const toldAt = (board, words, k) => [words.captionText(k), ...asidesAt(board, words, k)].join(" ");
