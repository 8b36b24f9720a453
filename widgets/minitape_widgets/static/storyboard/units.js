// @ts-check
// What belongs together in a step larger than an act: the cards of one line of the program, or of one call of a layer,
// and those of one round of a loop.

import { given, indexOf, remembered } from "./lookup.js";

/** @import { Card, Span, Storyboard } from "storyboard" */

const FEWEST = 3; // rounds of a loop; what a program does twice may be a function that is called twice

/** @type {(told: { where: Span | null }) => string} the line of the program on which a card or a note stands */
export const lineOf = ({ where }) => (where ? where[0] + ":" + where[1] : "");

/** @type {(card: Card) => string} equal for cards that the same piece of the program made on the same tape */
const madeAt = ({ tape, where, op, layer }) => (where ? [tape, ...where, op, layer ? layer[1] : ""].join() : "");

/**
 * The unit of each card, as a number: a layer's call, else a line; where a line runs again, it is another unit.
 * @param {Storyboard} board
 * @returns {number[]}
 */
export function lines(board) {
  const { cards } = board;
  const inner = madeByPlays(board);
  let unit = -1;
  let first = "";
  return cards.map((card, c) => {
    const before = cards[c - 1];
    const same =
      before && (card.layer ? before.layer?.[0] === card.layer[0] : !before.layer && isSameLine(before, card));
    if (!same || (!card.layer && !inner.has(c) && madeAt(card) === first)) {
      unit += 1;
      first = madeAt(card);
    }
    return unit;
  });
}

/** @type {(a: Card, b: Card) => boolean} */
const isSameLine = (a, b) => lineOf(a) === lineOf(b) && lineOf(a) !== "";

/**
 * The round of each card, from 1 within its loop, 0 outside of loops; and a unit for each round and for what stands
 * between loops. A loop is what begins again at the same place.
 */
export const rounds = remembered((board) => {
  const { cards } = board;
  const inner = madeByPlays(board);
  const keys = cards.map((card, c) => (inner.has(c) ? "" : madeAt(card)));
  /** @type {Map<string, number[]>} where the cards of one place stand */
  const places = new Map();
  keys.forEach((key, c) => (places.get(key) || places.set(key, []).get(key))?.push(c));
  const round = cards.map(() => 0);
  const units = cards.map(() => 0);
  let unit = 0;
  for (let c = 0; c < cards.length; c++) {
    units[c] = unit;
    const starts = keys[c] ? (places.get(keys[c]) || []).filter((place) => place >= c) : [];
    if (starts.length < FEWEST) continue;
    const last = starts[starts.length - 1];
    const body = new Set(keys.slice(c, last));
    let end = last;
    while (end + 1 < cards.length && body.has(keys[end + 1])) end += 1;
    for (let k = c, r = 0; k <= end; k++) {
      if (k === starts[r]) r += 1;
      round[k] = r;
      units[k] = unit + r;
    }
    unit += starts.length + 1;
    c = end;
  }
  return { round, units };
});

/**
 * The cards that an outer tape recorded while an inner one was played: all at the place of that play, and no loop.
 * @param {Storyboard} board
 */
function madeByPlays({ passes, frames }) {
  const made = new Set();
  for (const pass of passes)
    for (const frame of frames.slice(...pass.frames)) if (frame.act === "record") made.add(frame.card);
  return made;
}

/** @type {(board: Storyboard) => boolean} whether anything is done again and again */
export const hasRounds = (board) =>
  board.chapters.length > 1 || board.frames.some(({ row }) => given(row)) || rounds(board).round.some((r) => r > 0);

/**
 * Of which step a card is: the title of its round of a training loop, the number of its round of another, "" without.
 * @param {Storyboard} board
 * @param {number} card
 * @param {(key: string, parameters?: Record<string, unknown>) => string} say
 */
export function stepOf(board, card, say) {
  const chapter = indexOf(board).chapterOf.get(card);
  if (chapter !== undefined && board.chapters.length > 1) return board.chapters[chapter].title;
  const round = rounds(board).round[card];
  return round ? say("stop.round", { round }) : "";
}
