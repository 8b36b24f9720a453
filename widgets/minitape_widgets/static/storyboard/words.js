// @ts-check
// The words that a lesson introduces. What belongs to a word that was not said yet is left out of the picture: its
// entry in the legend, its symbols, the inspector.

/** @import { Options } from "player" */

/**
 * "shapes" are those of boxes, which say what a value is; "batch" is the bracket around rows of examples; "release" is
 * that a tape lets its cards go.
 */
export const WORDS = ["value", "adjoint", "local", "shapes", "batch", "inspector", "release"];
const NAMED = "release"; // only a lesson that names it speaks of it, and it may name nothing else

/** @type {(options: Pick<Options, "knows">, word: string) => boolean} */
export const knows = ({ knows }, word) =>
  knows?.includes(word) || (word !== NAMED && (!knows || knows.join() === NAMED));

/** Whoever opens the inspector meets local derivatives in it. @param {Options} options */
export function introduceInspector(options) {
  options.knows &&= WORDS.filter((word) => ["local", "inspector"].includes(word) || knows(options, word));
}
