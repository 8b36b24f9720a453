// @ts-check
// What the strips show: which cards and closed groups stand on one, and which of many tapes are seen at once.

import { given, remembered } from "../storyboard/lookup.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @typedef {{ card?: Index, group?: Index, cards: Index[] }} Item */

const SEVERAL = 3; // so many tapes are all shown
const SLOTS = 2; // of more, so many

/**
 * The outermost closed group around a card; null where all are open.
 * @type {(board: Storyboard, group: Index | null, open: Set<Index>) => Index | null}
 */
function closedAround(board, group, open) {
  let result = null;
  for (let g = group; given(g); g = board.groups[g].parent) if (!open.has(g)) result = g;
  return result;
}

/**
 * What the strip shows of one tape: cards, and closed groups as one card each; `placed` says where each card went.
 * @param {Storyboard} board
 * @param {Index[]} cards
 * @param {Set<Index>} open
 */
export function itemsOf(board, cards, open) {
  /** @type {Item[]} */
  const items = [];
  /** @type {Map<Index, number>} */
  const placed = new Map();
  for (const c of cards) {
    const group = closedAround(board, board.cards[c].group, open);
    const last = items[items.length - 1];
    if (group !== null && last && last.group === group) last.cards.push(c);
    else items.push(group === null ? { card: c, cards: [c] } : { group, cards: [c] });
    placed.set(c, items.length - 1);
  }
  return { items, placed };
}

/** @type {(item: Item | undefined, stage: Stage) => boolean} */
export const isRecorded = (item, stage) => Boolean(item && item.cards.some((c) => stage.cards[c]));

/** The tapes that have cards; where none has, the first. */
const writtenOf = remembered((board) => {
  const written = new Set(board.cards.map(({ tape }) => tape));
  return written.size ? [...written] : [0];
});

/**
 * How many strips are shown at once: all of a few tapes; of many, and in a training loop, which makes one per step,
 * as many as live together.
 * @param {Storyboard} board
 */
export function slotsOf(board) {
  const { length } = writtenOf(board);
  if (length <= SEVERAL && !board.chapters.length) return length;
  const living = new Set();
  let most = 1;
  for (const frame of board.frames) {
    if (frame.act === "record") living.add(board.cards[frame.card].tape);
    if (frame.act === "release") living.delete(frame.tape);
    most = Math.max(most, living.size);
  }
  return Math.min(SLOTS, most);
}

/**
 * Which of the tapes that have cards are shown: the one in use, and the newest of those that live.
 * @param {Storyboard} board
 * @param {Stage} stage
 * @param {number} slots
 */
export function chosenTapes(board, stage, slots) {
  const { frame, current } = stage;
  const played = given(frame?.pass) ? board.passes[frame.pass] : undefined;
  const used = current.card >= 0 ? board.cards[current.card].tape : (frame?.tape ?? played?.tape);
  const begun = [...stage.heads.keys()].sort((a, b) => b - a);
  const living = begun.filter((tape) => !stage.released.has(tape));
  const written = writtenOf(board);
  const wanted = [used, ...living, ...begun, ...written].filter((tape) => given(tape) && written.includes(tape));
  return new Set([...new Set(wanted)].slice(0, slots));
}
