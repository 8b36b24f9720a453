// @ts-check
// What this front end can read: storyboards of version 1. A list that a storyboard leaves out is an empty one.

/** @import { Storyboard } from "storyboard" */

const VERSION = 1;
const LISTS = "sources tapes values nodes edges cards notes groups passes chapters prompts frames drawings".split(" ");

/**
 * Fills what a storyboard may leave out, and refuses (null) what this player cannot read.
 * @param {any} board
 * @returns {Storyboard | null}
 */
export function checked(board) {
  if (!board || typeof board !== "object" || board.version !== VERSION) return null;
  const lists = Object.fromEntries(LISTS.map((name) => [name, board[name] || []]));
  return { title: "", language: "en", ...board, ...lists };
}
