// @ts-check
// What a lesson says at a moment, beside the sentence of the act: the teacher's words, in the learner's language where
// they are written in it.

/** @import { Storyboard } from "storyboard" */
/** @import { Words } from "./sentences.js" */

/** @type {(board: Storyboard, words: Words, k: number) => string[]} */
export function asidesAt(board, words, k) {
  const texts = (board.asides ?? []).filter((aside) => aside.frame === k).map((aside) => aside.text);
  return texts.map((text) => text[words.say("ui.language")] ?? Object.values(text)[0] ?? "");
}

/**
 * The sentence of a moment, and all that is said beside it.
 * @type {(board: Storyboard, words: Words, k: number) => string}
 */
export const toldAt = (board, words, k) => [words.captionText(k), ...asidesAt(board, words, k)].join(" ");
