// @ts-check
// From an act to a sentence. The catalogue holds one sentence per kind of act, with names in braces; here the names
// are looked up in the storyboard. The same small rules stand in Python (minitape/sentences.py,
// storyboard/text/captions.py); a test holds the two equal.

import { textOf } from "./grid.js";
import { given, indexOf } from "./lookup.js";
import { stopsOf } from "./stops.js";
import { tell } from "./tell.js";

/** @import { Frame, Index, Storyboard } from "storyboard" */
/** @import { Catalogue, Piece } from "player" */
/** @import { Size } from "./stops.js" */
/** @import { Said } from "./tell.js" */
/** @typedef {Record<string, unknown>} Parameters */
/** @typedef {ReturnType<typeof speaker>} Words */

/**
 * What a node is called: the learner's name, else its text (its operation, or the constant's value).
 * @param {Storyboard} board
 * @param {Index} n
 */
export function nodeName(board, n) {
  const node = board.nodes[n];
  return node.label || node.text || node.op || "?";
}

/**
 * What learners know the operation of a card by.
 * @param {Storyboard} board
 * @param {Index} c
 */
export function titleOf(board, c) {
  const { called, op } = board.cards[c];
  return called || op;
}

/**
 * What a folded group is called where there is little room: of "for i in range(9), round 5" the round.
 * @param {Storyboard} board
 * @param {Index} group
 * @param {number} length
 */
export function groupName(board, group, length) {
  const { label, kind } = board.groups[group];
  if (Array.from(label).length <= length || !["loop", "round"].includes(kind)) return label;
  return label.slice(label.lastIndexOf(", ") + 2);
}

/** @type {(board: Storyboard, v: Index | null | undefined) => string} */
const valueText = (board, v) => (given(v) ? textOf(board.values[v]) : "None");

/**
 * A value as a piece of a sentence, where it is seen with its numbers.
 * @type {(board: Storyboard, v: Index | null | undefined, name: string) => Piece[]}
 */
const valuePiece = (board, v, name) => [
  { name, text: valueText(board, v), value: given(v) ? board.values[v] : undefined },
];

/**
 * What the source of an answer is called: without its number where the answer is that of all versions of a variable.
 * @type {(board: Storyboard, n: Index) => string}
 */
export function answerName(board, n) {
  const name = nodeName(board, n);
  return indexOf(board).versions.has(n) ? name.replace(/[₀-₉]+$/, "") : name;
}

/** @type {(board: Storyboard, list: Index[]) => string} */
export const nodeNames = (board, list) => list.map((n) => nodeName(board, n)).join(", ");

const BLANK = /(\{\w+(?:\|one:[^|{}]*\|other:[^|{}]*)?\})/;
const PARTS = /^\{(\w+)(?:\|one:([^|]*)\|other:([^|]*))?\}$/;

/**
 * The sentence of a key in pieces, so that the player can colour a value where it stands. Of an unknown key the longest
 * beginning that is known speaks. "{count|one:# card|other:# cards}" is one of two forms; the catalogue says which
 * numbers are "one".
 * @param {Catalogue} catalogue
 * @param {string} key
 * @param {Parameters} [parameters]
 * @returns {Piece[]}
 */
export function pieces(catalogue, key, parameters = {}) {
  while (!(key in catalogue) && key.includes(".")) key = key.slice(0, key.lastIndexOf("."));
  const parts = (catalogue[key] || "").split(BLANK).filter(Boolean);
  return parts.flatMap((piece) => {
    const match = PARTS.exec(piece);
    if (!match) return piece;
    const [, name, one, other] = match;
    if (Array.isArray(parameters[name])) return parameters[name]; // pieces already
    const text = given(parameters[name]) ? String(parameters[name]) : "";
    if (one === undefined) return { name, text };
    return (catalogue["plural.one"].split(" ").includes(text) ? one : other).replaceAll("#", () => text);
  });
}

const RECORDING = /\{(\w+)_recording\}/g;

/**
 * A catalogue in the words of the library that was recorded: "the graph" stands in the place of {the_recording}, and a
 * sentence of PyTorch's own, whose key ends with ".graph", in the place of the usual one.
 * @param {Catalogue} catalogue
 * @param {string} recording
 */
export function spoken(catalogue, recording) {
  /** @type {Catalogue} */
  const result = {};
  for (const key of Object.keys(catalogue)) {
    const text = catalogue[`${key}.${recording}`] ?? catalogue[key];
    result[key] = text.replace(RECORDING, (_, form, /** @type {number} */ at) => {
      const word = catalogue[`recording.${recording}.${form}`] ?? "";
      return /(^|[.!?] )$/.test(text.slice(0, at)) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
    });
  }
  return result;
}

/** @type {(list: Piece[]) => string} */
const plain = (list) => list.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");

/**
 * The key of a frame's sentence: its own, else the one that its act chooses.
 * @param {Storyboard} board
 * @param {Frame} frame
 */
export function keyOf(board, frame) {
  if (frame.key) return frame.key;
  if (frame.act === "note" || frame.act === "skip") return board.notes[frame.note].key;
  if (frame.act === "cut") return "cut." + frame.why;
  if (frame.act === "result" && !given(frame.value)) return "result.none";
  if (frame.act === "release" && !board.tapes[frame.tape].name) return "release.unnamed";
  if (frame.act === "chapter" && given(board.chapters[frame.chapter].loss)) return "chapter.loss";
  return frame.act;
}

/**
 * The texts that a sentence about a frame may use, resolved from the frame's indices.
 * @param {Storyboard} board
 * @param {Catalogue} catalogue
 * @param {Frame} frame
 */
export function parametersOf(board, catalogue, frame) {
  /** @type {Parameters} */
  const result = {};
  if (given(frame.card)) {
    const { outputs, formula, sign } = board.cards[frame.card];
    const output = outputs.length ? nodeName(board, outputs[0]) : "";
    Object.assign(result, {
      card: frame.card + 1,
      op: titleOf(board, frame.card),
      sign,
      output,
      outputs: nodeNames(board, outputs),
    });
    if (outputs.length && frame.act === "record")
      result.value = valuePiece(board, board.nodes[outputs[0]].value, "value");
    if (given(frame.input)) result.formula = (formula && formula[frame.input]) || "";
  }
  if (given(frame.note)) Object.assign(result, board.notes[frame.note].params);
  const whole = frame.act === "result" || frame.key === "sum.versions";
  if (given(frame.node)) result.node = (whole ? answerName : nodeName)(board, frame.node);
  for (const name of /** @type {const} */ (["value", "local", "adjoint"]))
    if (name in frame) result[name] = valuePiece(board, /** @type {any} */ (frame)[name], name);
  if (given(frame.use)) result.use = plain(pieces(catalogue, "use." + frame.use, { count: frame.use }));
  if (given(frame.count)) result.count = frame.count;
  if (given(frame.row)) result.row = "[" + frame.row.join(", ") + "]";
  if (given(frame.tape)) result.tape = board.tapes[frame.tape].name;
  if (given(frame.pass) && board.passes[frame.pass]) result.target = nodeNames(board, board.passes[frame.pass].targets);
  if (given(frame.chapter)) {
    const { title, loss } = board.chapters[frame.chapter];
    Object.assign(result, { title, loss: valueText(board, loss) });
  }
  if (frame.why && !result.why) result.why = plain(pieces(catalogue, "why." + frame.why, result));
  return result;
}

/**
 * The speaker of one player: words in one language, of the library that was recorded. `size.now` is the size of a
 * step: a larger one than an act has a sentence of its own.
 * @param {Storyboard} board
 * @param {Catalogue} sentences
 */
export function speaker(board, sentences) {
  const catalogue = spoken(sentences, board.recording ?? "tape");
  const size = { now: /** @type {Size} */ ("act") };

  /** @type {(key: string, parameters?: Parameters) => Piece[]} */
  const told = (key, parameters) => pieces(catalogue, key, parameters);

  /** @type {(key: string, parameters?: Parameters) => string} */
  const say = (key, parameters) => plain(told(key, parameters));

  /** @type {(n: Index) => string} */
  const name = (n) => nodeName(board, n);

  /** @type {(c: Index) => string} */
  const title = (c) => titleOf(board, c);

  /** @param {number} k */
  function caption(k) {
    if (k === 0) return pieces(catalogue, board.frames.length ? "start" : "start.empty");
    const begin = stopsOf(board, size.now).beginOf.get(k) ?? k - 1;
    if (begin === k - 1) return ofAct(board.frames[begin]);
    return joined(tell({ board, size: size.now, say, pieces: told, name, title }, begin, k));
  }

  /** @param {Said[]} list */
  const joined = (list) =>
    list.flatMap((said, i) => [
      ...(i ? [" "] : []),
      ...("act" in said ? ofAct(said) : told(said.key, said.parameters)),
    ]);

  /** @param {Frame} frame */
  const ofAct = (frame) => told(keyOf(board, frame), parametersOf(board, catalogue, frame));

  /** @type {(k: number) => string} */
  const captionText = (k) => plain(caption(k));

  /** What one act says, whatever the size of a step. @param {Frame} frame */
  const actText = (frame) => plain(ofAct(frame));

  /** @type {(m: Index) => string} */
  const note = (m) => say(board.notes[m].key, board.notes[m].params);

  return { say, caption, captionText, actText, note, size, index: indexOf(board) };
}
