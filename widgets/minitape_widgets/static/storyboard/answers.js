// @ts-check
// The answers of a play: "dy/dx" and its value, for every source whose gradient is known. They hold until something new
// is recorded or played.

import { given } from "./lookup.js";
import { answerName, nodeNames } from "./sentences.js";
import { shorten } from "./values.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @typedef {{ node: Index, name: string, value: Index | null }} Answer null: the gradient is None */

const LETTERS = 14; // of a name

/** @type {(name: string) => string} what is no name is put in brackets: d(x * x)/dx */
const whole = (name) => (/^[\p{L}\p{N}_.[\]]+$/u.test(name) ? shorten(name, LETTERS) : `(${shorten(name, LETTERS)})`);

/**
 * @param {Storyboard} board
 * @param {Stage} stage
 * @returns {Answer[]}
 */
export function answersOf(board, { phase, pass, results }) {
  if (phase === "record" || !board.passes[pass]) return [];
  const target = whole(nodeNames(board, board.passes[pass].targets));
  return results
    .filter((result) => result.pass === pass)
    .map(({ node, value }) => {
      const name = "d" + target + "/d" + whole(answerName(board, node));
      return { node, name, value: given(value) ? value : null };
    });
}
