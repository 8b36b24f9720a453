// @ts-check
// Where one act stands: on which card, node and edge, at which place in the learner's text, and in which phase of the
// play.

import { given, indexOf } from "./lookup.js";

/** @import { CutFrame, Frame, Index, PartFrame, Storyboard } from "storyboard" */
/** @import { Current, Stage } from "player" */

const BESIDE = ["note", "skip"]; // what happens in either phase

/** @returns {Current} */
export const nowhere = () => ({ card: -1, node: -1, edge: -1, note: -1, where: null, value: -1, local: -1 });

/**
 * The edge that a cut stands on: the card's own, or, where no card was made, the one that leaves or enters the node.
 * @param {CutFrame | PartFrame} frame
 * @param {Storyboard} board
 * @returns {Index}
 */
export function cutEdge(frame, board) {
  if (frame.act === "cut" && given(frame.edge)) return frame.edge;
  const { edgeOf, into } = indexOf(board);
  const own = given(frame.card) && given(frame.input) ? edgeOf[frame.card][frame.input] : undefined;
  if (own !== undefined) return own;
  const leading = given(frame.node) ? into[frame.node] : [];
  return leading.find((e) => board.edges[e].flow !== "open") ?? -1;
}

/**
 * @param {Frame} frame
 * @param {Storyboard} board
 */
export function currentOf(frame, board) {
  const current = { ...nowhere(), value: frame.value ?? -1, local: frame.local ?? -1 };
  if (given(frame.card)) {
    const card = board.cards[frame.card];
    current.card = frame.card;
    current.where = card.where;
    if (frame.act === "record" || frame.act === "visit") current.node = card.outputs[0];
    if (frame.act === "record") current.value = board.nodes[current.node].value ?? -1;
    if (given(frame.input)) current.edge = indexOf(board).edgeOf[frame.card][frame.input] ?? -1;
  }
  if (frame.act === "cut") current.edge = cutEdge(frame, board);
  if (given(frame.node)) {
    current.node = frame.node;
    if (!current.where) current.where = board.nodes[frame.node].where;
  }
  if (frame.where !== undefined) current.where = frame.where; // a line of a program, which need not be the card's
  const note = given(frame.note) && board.notes[frame.note];
  if (given(frame.note) && note) {
    current.note = frame.note;
    current.where = note.where || current.where;
  }
  return current;
}

/**
 * Is the tape recording or played back? In a training loop both come again and again; a note changes nothing.
 * @param {Storyboard} board
 * @param {number} k
 * @returns {Stage["phase"]}
 */
export function phaseAt(board, k) {
  if (k === 0) return "start";
  if (k === board.frames.length) return "done";
  let f = k - 1;
  while (f > 0 && BESIDE.includes(board.frames[f].act)) f -= 1;
  return ["record", "chapter", ...BESIDE].includes(board.frames[f].act) ? "record" : "play";
}
