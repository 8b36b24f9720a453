// @ts-check
// What is on the stage after k acts. stateAt(board, k) is a pure function: it remembers nothing and looks at nothing
// but the storyboard, so forward, back and a jump are one and the same thing, and any moment can be drawn without its
// neighbours.

import { cutEdge, currentOf, nowhere, phaseAt } from "./current.js";
import { given, indexOf } from "./lookup.js";

/** @import { CutFrame, Frame, Index, PartFrame, Storyboard } from "storyboard" */
/** @import { Part, Stage } from "player" */
/** @template {Frame["act"]} Name @typedef {Extract<Frame, { act: Name }>} Of */

const HIDDEN = 0;
const SHOWN = 1;
export const CARD = { FUTURE: 0, RECORDED: 1, PLAYED: 2, RELEASED: 3 };
export const EDGE = { HIDDEN, SHOWN, CARRIED: 2, CUT: 3 };

/**
 * @param {Storyboard} board
 * @returns {Stage}
 */
const emptyStage = (board) => ({
  k: 0,
  frame: null,
  phase: "start",
  nodes: new Uint8Array(board.nodes.length),
  cards: new Uint8Array(board.cards.length),
  edges: new Uint8Array(board.edges.length),
  adjoint: new Int32Array(board.nodes.length).fill(-1),
  parts: new Map(),
  cuts: [],
  notes: [],
  results: [],
  rows: [],
  released: new Set(),
  pass: -1,
  chapter: -1,
  heads: new Map(),
  visited: 0,
  current: nowhere(),
});

/**
 * A play begins: adjoints belong to the call, so those of an earlier play of this tape are gone. Other tapes, such as
 * those of earlier rounds, keep theirs.
 * @param {Stage} stage
 * @param {Storyboard} board
 * @param {Index} pass
 */
function beginPlay(stage, board, pass) {
  stage.pass = pass;
  stage.visited = 0;
  const { tape, targets, sources } = board.passes[pass] || { tape: 0, targets: [], sources: [] };
  /** @type {(card: Index | null) => boolean} a way without a card is that of the play which cut it */
  const isOwn = (card) => !given(card) || board.cards[card].tape === tape;
  for (const node of [...(indexOf(board).nodesOfTape[tape] || []), ...targets, ...sources]) {
    stage.adjoint[node] = -1;
    stage.parts.delete(node);
  }
  stage.cuts = stage.cuts.filter(({ card }) => !isOwn(card));
  const last = indexOf(board).cardsOfTape[tape]?.findLast((c) => stage.cards[c]);
  if (last !== undefined) stage.heads.set(tape, { card: last, doing: "turn" });
  stage.cards.forEach((state, c) => {
    if (state === CARD.PLAYED && isOwn(c)) stage.cards[c] = CARD.RECORDED;
  });
  stage.edges.forEach((state, e) => {
    if (state > EDGE.SHOWN && isOwn(board.edges[e].card)) stage.edges[e] = EDGE.SHOWN;
  });
}

/**
 * @param {Stage} stage
 * @param {Storyboard} board
 * @param {Index | null | undefined} node
 */
function showNode(stage, board, node) {
  if (!given(node) || stage.nodes[node]) return;
  stage.nodes[node] = SHOWN;
  for (const e of indexOf(board).into[node]) {
    const edge = board.edges[e]; // one that no card made (an escape) appears with its end
    if (edge.card === null && stage.nodes[edge.from]) stage.edges[e] = EDGE.SHOWN;
  }
}

/**
 * @param {Stage} stage
 * @param {Storyboard} board
 * @param {Index} note
 */
function showNote(stage, board, note) {
  stage.notes.push(note);
  for (const node of board.notes[note].nodes || []) showNode(stage, board, node);
}

/** A way on which nothing passes. @type {(stage: Stage, frame: CutFrame | PartFrame, board: Storyboard) => void} */
function cut(stage, frame, board) {
  stage.cuts.push(frame);
  const e = cutEdge(frame, board);
  if (e >= 0) stage.edges[e] = EDGE.CUT;
}

/**
 * What each act changes on the stage.
 * @type {{ [Name in Frame["act"]]: (stage: Stage, frame: Of<Name>, board: Storyboard, f: number) => void }}
 */
const ACTS = {
  record(stage, frame, board) {
    const card = board.cards[frame.card];
    stage.cards[frame.card] = CARD.RECORDED;
    card.inputs.forEach((node, i) => {
      showNode(stage, board, node);
      const e = indexOf(board).edgeOf[frame.card][i];
      if (e !== undefined) stage.edges[e] = EDGE.SHOWN;
    });
    for (const node of card.outputs) showNode(stage, board, node);
    stage.heads.set(card.tape, { card: frame.card, doing: "record" });
  },
  skip(stage, frame, board) {
    showNote(stage, board, frame.note);
    showNode(stage, board, frame.node);
  },
  note(stage, frame, board) {
    showNote(stage, board, frame.note);
  },
  seed(stage, frame, board) {
    if (frame.pass !== stage.pass || stage.visited) beginPlay(stage, board, frame.pass);
    showNode(stage, board, frame.node);
    stage.adjoint[frame.node] = frame.value;
  },
  visit(stage, frame, board) {
    stage.cards[frame.card] = CARD.PLAYED;
    stage.heads.set(board.cards[frame.card].tape, { card: frame.card, doing: "play" });
    stage.visited += 1;
    if (frame.key === "visit.early") stage.adjoint[board.cards[frame.card].outputs[0]] = frame.value ?? -1;
  },
  part(stage, frame, board, f) {
    const { card, input, node, value, local } = frame;
    if (frame.key === "part.late") return cut(stage, frame, board);
    if (!stage.parts.has(node)) stage.parts.set(node, []);
    stage.parts.get(node)?.push({ card, input, value, local: local ?? -1, of: indexOf(board).shares[f]?.length ?? 1 });
    const e = indexOf(board).edgeOf[card][input];
    if (e !== undefined) stage.edges[e] = EDGE.CARRIED;
  },
  sum(stage, frame) {
    stage.adjoint[frame.node] = frame.value;
    stage.parts.delete(frame.node);
  },
  cut,
  result(stage, frame, board) {
    showNode(stage, board, frame.node);
    stage.results.push(frame);
  },
  release(stage, frame, board) {
    stage.released.add(frame.tape);
    for (const c of indexOf(board).cardsOfTape[frame.tape]) if (stage.cards[c]) stage.cards[c] = CARD.RELEASED;
  },
  row(stage, frame) {
    stage.rows.push(frame);
  },
  chapter(stage, frame) {
    stage.chapter = frame.chapter;
  },
};

/**
 * A moment with nothing on the stage yet: enough for its sentence, unless that tells answers.
 * @param {Storyboard} board
 * @param {number} k
 * @returns {Stage}
 */
export function momentAt(board, k) {
  const last = Math.max(0, Math.min(k, board.frames.length));
  return { ...emptyStage(board), k: last, frame: last ? board.frames[last - 1] : null, phase: phaseAt(board, last) };
}

/**
 * The stage after the acts frames[0] .. frames[k-1].
 * @param {Storyboard} board
 * @param {number} k
 */
export function stateAt(board, k) {
  const stage = momentAt(board, k);
  for (let f = 0; f < stage.k; f++) {
    const frame = board.frames[f];
    const act = /** @type {((...told: [Stage, Frame, Storyboard, number]) => void) | undefined} */ (ACTS[frame.act]);
    if (act) act(stage, frame, board, f); // an act of a later version is passed over, not an error
  }
  if (stage.frame) stage.current = currentOf(stage.frame, board);
  return stage;
}

/**
 * All that is known about the adjoint of a node; value -1 where nothing has arrived, or where parts wait for their sum.
 * @param {Stage} stage
 * @param {Index} node
 * @returns {{ value: Index, complete: boolean, parts: Part[] }}
 */
export function adjointOf(stage, node) {
  const parts = stage.parts.get(node) || [];
  if (stage.adjoint[node] >= 0) return { value: stage.adjoint[node], complete: true, parts };
  if (parts.length === 1 && parts[0].of === 1) return { value: parts[0].value, complete: true, parts };
  return { value: -1, complete: false, parts };
}

/**
 * Whether what happens now is a way back: after one, the next tape is recorded.
 * @type {(stage: Stage) => boolean}
 */
export const isPlaying = ({ pass, phase }) => pass >= 0 && phase !== "record";

/**
 * Whether a play has come to a card. At its end cards are released that it never came to, too.
 * @type {(stage: Stage, board: Storyboard, card: Index) => boolean}
 */
export const wasPlayed = (stage, board, card) =>
  stage.cards[card] === CARD.PLAYED || (stage.cards[card] === CARD.RELEASED && indexOf(board).visited.has(card));
