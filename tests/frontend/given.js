// What the tests look at: storyboards that minitape has just made from real programs, with what Python says about them
// (test_frontend.py writes the file). They are frozen, so that a function that changes its storyboard is caught.

import { readFileSync } from "node:fs";

/** What a file holds that the environment names. */
export const frozen = (name) => freeze(JSON.parse(readFileSync(process.env[name], "utf-8")));

function freeze(x) {
  if (x && typeof x === "object") Object.values(Object.freeze(x)).forEach(freeze);
  return x;
}

export const { boards, captions, catalogues, health, spans, links, valleys } = frozen("MINITAPE_GIVEN");
export const everyBoard = Object.entries(boards);

/** Calls `look` for every moment of every storyboard: (board, k, name of the program). */
export function everyMoment(look) {
  for (const [name, board] of everyBoard) for (let k = 0; k <= board.frames.length; k++) look(board, k, name);
}

/** The number of a scalar; NaN where a value is none. */
export const numberOf = (board, v) => Number(board.values[v].number ?? NaN);

export const isNear = (a, b) => Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(a), Math.abs(b));
