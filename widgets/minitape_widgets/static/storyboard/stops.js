// @ts-check
// Steps of every size: where a step of a size stops. An act is the smallest, with what says nothing of its own; a card,
// a line or a layer, a round of a loop, the whole way there or back are made of acts. Pure: from frames, cards and
// their places in the program to the moments k at which one stops, and which acts a stop tells of.

import { given, indexOf, remembered } from "./lookup.js";
import { hasRounds, lineOf, lines, rounds } from "./units.js";

/** @import { Frame, Index, Storyboard } from "storyboard" */
/** @typedef {"act" | "card" | "line" | "round" | "way"} Size */
/** @typedef {{ ends: number[], beginOf: Map<number, number> }} Stops `beginOf`: the first act that a stop tells of */

export const SIZES = /** @type {Size[]} */ (["act", "card", "line", "round", "way"]);

const FEW = 10; // steps through which one goes one by one

const stopsOfSizes = remembered(() => /** @type {Map<Size, Stops>} */ (new Map()));

/** @type {(board: Storyboard) => Size[]} the sizes that differ here: without a loop there are no rounds */
export const sizesOf = (board) => SIZES.filter((size) => size !== "round" || hasRounds(board));

/** @type {(board: Storyboard, size: Size) => Size} that size, or what stands for it where there is none */
export const sizeIn = (board, size) => (sizesOf(board).includes(size) ? size : "way");

/**
 * How large steps are where nobody has said it: a training step of several layers goes line by line.
 * @type {(board: Storyboard) => Size}
 */
export function usualSize(board) {
  const { cards, passes, chapters } = board;
  const layers = cards.some(({ layer }) => layer) || passes.some(({ sources }) => sources.length > 2);
  return layers && stopsOf(board, "act").ends.length > FEW * Math.max(1, chapters.length) ? "line" : "act";
}

/**
 * @param {Storyboard} board
 * @param {Size} size
 * @returns {Stops}
 */
export function stopsOf(board, size) {
  const known = stopsOfSizes(board);
  const result = known.get(size) ?? find(board, size);
  known.set(size, result);
  return result;
}

/**
 * The stop after (by > 0) or before the moment k; k itself where there is none.
 * @param {Storyboard} board
 * @param {Size} size
 * @param {number} k
 * @param {number} by
 */
export function nextStop(board, size, k, by) {
  const { ends } = stopsOf(board, size);
  return (by > 0 ? ends.find((end) => end > k) : ends.findLast((end) => end < k)) ?? k;
}

/**
 * A question is asked before its act, so that a step ends there; and none passes over what the lesson says, but a round
 * or the whole way.
 * @param {Storyboard} board
 * @param {Size} size
 * @returns {Stops}
 */
function find(board, size) {
  const { frames, asides } = board;
  const asked = indexOf(board).promptAt;
  const spoken = new Set(size === "round" || size === "way" ? [] : asides?.map(({ frame }) => frame));
  const markOf = size === "act" ? acts(board) : marks(board, size);
  let now = "";
  /** @type {number[]} */
  const begins = [];
  frames.forEach((_, f) => {
    const next = markOf(f) ?? now;
    const heard = spoken.has(f) && frames[f].act !== "release";
    if (f === 0 || asked.has(f) || heard || next !== now) begins.push(f);
    now = next;
  });
  const ends = frames.length ? [...begins, frames.length] : [0];
  return { ends, beginOf: new Map(begins.map((begin, i) => [ends[i + 1], begin])) };
}

/**
 * That a card is visited is told with the first part that it sends, where both have no line of their own; several
 * answers are one act, and so are the last of them and the end of its tape.
 * @param {Storyboard} board
 * @returns {(f: number) => string | null}
 */
function acts({ frames }) {
  /** @type {(frame: Frame | undefined) => boolean} */
  const isPlain = (frame) => frame?.act === "result" && given(frame.value) && !frame.key;
  return (f) => {
    const frame = frames[f];
    const before = frames[f - 1];
    const quiet = before?.act === "visit" && before.key !== "visit.early" && before.where === undefined;
    const sends = frame.act === "part" && quiet;
    return sends || frame.act === "release" || (isPlain(frame) && isPlain(before)) ? null : String(f);
  };
}

/**
 * What an act is part of, as a text that changes where a step begins; null where it belongs to what goes on already.
 * @param {Storyboard} board
 * @param {Size} size
 * @returns {(f: number) => string | null}
 */
function marks(board, size) {
  const { frames, cards, notes, chapters, passes } = board;
  const units = size === "line" ? lines(board) : size === "round" ? rounds(board).units : [...cards.keys()];
  const fine = size === "card" || size === "line";
  const play = playOf(board);
  let line = "";
  let chapter = 0;

  /** @type {(f: number) => string | null} answers stand together; one that is None stands alone, with its cuts */
  function answer(f) {
    let at = f;
    while (frames[at]?.act === "cut") at += 1;
    const { act, value } = frames[at] || {};
    if (act !== "result") return null;
    return fine && !given(value) ? "none" + at : "answers" + play[at];
  }

  return (f) => {
    const frame = frames[f];
    if (frame.act === "chapter") return (size === "way" ? "record" : "chapter") + (chapter = f);
    if (size === "round" && chapters.length > 1) return null; // a round of a training loop goes there and back
    switch (frame.act) {
      case "record": // an outer tape records a play: the play goes on
        line = lineOf(cards[frame.card]);
        if (given(play[f])) return null;
        return "record" + (size === "way" ? chapter : units[frame.card]);
      case "skip":
      case "note":
        return given(play[f]) || !fine || (size === "line" && lineOf(notes[frame.note]) === line) ? null : "note" + f;
      case "seed":
        return "seed" + frame.pass + (size === "way" ? "" : frame.row || "");
      case "visit": {
        const byRow = size === "round" && passes[play[f] ?? -1]?.kind === "jacobian";
        return size === "way" || byRow ? null : "play" + units[frame.card];
      }
      case "cut":
      case "result":
        return size === "way" ? null : answer(f);
      default:
        return null;
    }
  };
}

/** @type {(board: Storyboard) => (Index | undefined)[]} the pass that each act is part of */
function playOf({ frames, passes }) {
  /** @type {(Index | undefined)[]} */
  const play = frames.map(() => undefined);
  passes.forEach(({ frames: [first, last] }, pass) => play.fill(pass, first, last + 1));
  return play;
}
