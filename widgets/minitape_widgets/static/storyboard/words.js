// @ts-check
// The words that a lesson introduces. What belongs to a word that was not said yet is left out of the picture: its
// entry in the legend, its symbols, the inspector.

/** @import { Options } from "player" */

/** "shapes" are those of boxes, which say what a value is; "batch" is the bracket around rows of examples. */
export const WORDS = ["value", "adjoint", "local", "shapes", "batch", "inspector"];

/** @type {(options: Options, word: string) => boolean} */
export const knows = ({ knows }, word) => !knows || knows.includes(word);

/** Whoever opens the inspector meets local derivatives in it. @param {Options} options */
export function introduceInspector(options) {
  options.knows &&= WORDS.filter((word) => ["local", "inspector"].includes(word) || knows(options, word));
}
