// @ts-check
// The caption: the sentence of a moment, with values, adjoints and names in their colours, the phase of the play
// beside it, and under it what the lesson says at this moment. The end of a play is its answer.

import { assign, make, prose, renew, unbroken, write } from "../elements/dom.js";
import { gridInline } from "../elements/grid.js";
import { answersOf } from "../storyboard/answers.js";
import { asidesAt, toldAt } from "../storyboard/asides.js";
import { LOW, TALL, gridInLine, rowsOf, textOf } from "../storyboard/grid.js";
import { momentAt, stateAt } from "../storyboard/state.js";
import { roomyValue, shortValue } from "../storyboard/values.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Piece, Stage } from "player" */
/** @import { Grid } from "../storyboard/grid.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Words } from "../storyboard/sentences.js" */

/** @type {{ [name: string]: string }} the class of a piece; while the tape is played a value is an adjoint */
const CLASSES = {
  value: "value",
  loss: "value",
  answers: "is-adjoint",
  local: "is-local",
  adjoint: "is-adjoint",
  part: "is-adjoint",
  formula: "formula",
  node: "is-name",
  op: "is-name",
  output: "is-name",
  target: "is-name",
  card: "is-name",
  tape: "is-name",
  who: "is-name",
};
const ENDS = ["result", "release"]; // acts that say an answer
const LINES = 6.5; // no caption is higher
const NARROW = { em: 32, lines: 9.5 }; // but in a narrower player
const LINE = 1.64; // em: a line with what is above and below it
const MEASURED = 1000; // captions that are looked at, of a very long play
const LONGEST = 6; // of these, so many are measured
const SMALLER = 0.83; // numbers of arrays within a sentence, which keeps its lines together
const ROW_LETTERS = 60; // the letters of a line, which a row of numbers is as high as
const SEVERAL = 2; // arrays of rows in a sentence: of more, the picture is lower than it need be; of answers, one
const HIGH = 5; // em: where a sentence with tall arrays is higher than this, they are told by their shapes
const ANSWERS = 2; // written large: the sentence says more of them
const ANSWER = " caption-answer"; // the class of one

/** @type {(piece: Piece) => number} */
const rowsIn = (piece) => (typeof piece !== "string" && piece.value ? rowsOf(piece.value) : 1);

/** @type {(piece: Piece, kind: string, most: number) => Node | string | (Node | string)[]} */
function written(piece, kind, most) {
  if (typeof piece === "string") return prose(piece);
  const name = CLASSES[piece.name];
  const short = shortValue(piece.value, piece.text.length);
  const grid = gridInLine(piece.value, short, most);
  const text = grid ? undefined : most < TALL && rowsIn(piece) > most ? short : piece.text;
  return name
    ? make("span", { class: name === "value" ? kind + " is-result" : name, text }, grid && gridInline(grid, SMALLER))
    : prose(piece.text);
}

/**
 * The end of a play is its answer. A larger step says its answers itself.
 * @type {(board: Storyboard, words: Words, stage: Stage) =>
 *   { text: string, kind: string, name?: string, grid?: Grid | null }[]}
 */
function answersAt(board, words, stage) {
  const { frame } = stage;
  if (frame?.act !== "release" || words.size.now !== "act") return [];
  const answers = answersOf(board, stage);
  if (answers.length > ANSWERS) return [];
  const write = answers.length > 1 ? shortValue : roomyValue;
  return answers.map(({ name, value }) => {
    const summary = value === null ? null : board.values[value];
    const kind = value === null ? "is-cut" : "is-adjoint";
    const text = name + " = " + (summary ? textOf(summary) : "None");
    return { text, kind, name, grid: gridInLine(summary, write(summary, 14), TALL) };
  });
}

/** The moments with the longest sentences. @type {(board: Storyboard, words: Words) => number[]} */
function longestOf(board, words) {
  const every = Math.max(1, Math.ceil(board.frames.length / MEASURED));
  const lengths = [];
  const moments = new Set([...(board.asides ?? []).map(({ frame }) => frame), board.frames.length]);
  for (let k = 0; k <= board.frames.length; k += every) moments.add(k);
  for (const k of moments) {
    const rows = Math.max(...words.caption(k).map(rowsIn));
    lengths.push({ k, length: toldAt(board, words, k).length + ROW_LETTERS * rows });
  }
  const sorted = lengths.sort((a, b) => b.length - a.length).map(({ k }) => k);
  const answer = sorted.find((k) => board.frames[k - 1]?.act === "release"); // its numbers are higher than its letters
  return [...sorted.slice(0, LONGEST), ...(answer === undefined ? [] : [answer])];
}

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Held | null} held
 */
export function captionRow(board, words, held) {
  const phase = make("span", { class: "phase" });
  const caption = make("p", { class: "caption" });
  const asides = make("div", { class: "asides" });
  const root = make("div", { class: "caption-row" }, phase, make("div", { class: "said" }, caption, asides));
  const stopped = board.notes.some((note) => note.kind === "raised"); // the program raised: it did not finish
  /** @type {number[] | null} */
  let longest = null;
  let sized = "";
  let said = -1; // the moment of which it speaks
  let letters = 16; // their size, in pixels
  let measured = { width: "", height: 0 };

  /** In place of an answer: why there is none with the numbers that are held. @param {Stage} stage */
  const unknown = ({ frame }) =>
    frame && ENDS.includes(frame.act) && held?.turned ? words.say("ui.held.unknown") : "";

  /**
   * The same as a text, which a screen reader says.
   * @param {Stage} stage
   */
  const textAt = (stage) =>
    unknown(stage)
    || answersAt(board, words, stage)
      .map(({ text }) => text + ". ")
      .join("") + toldAt(board, words, stage.k);

  /** @param {Stage} stage */
  function say(stage) {
    const act = stage.frame ? stage.frame.act : "";
    const kind = act === "record" || act === "chapter" ? "is-value" : "is-adjoint";
    if (stage.k !== said && root.hasAttribute("tabindex")) root.scrollTop = 0; // it scrolls
    said = stage.k;
    const none = unknown(stage);
    const found = none ? [] : answersAt(board, words, stage);
    const answers = found.map(({ text, kind, name, grid }) =>
      make("strong", { class: kind + ANSWER }, grid ? [unbroken(name + " = "), gridInline(grid)] : unbroken(text)),
    );
    const large = ENDS.includes(act) && !answers.length ? ANSWER : "";
    const told = words.caption(stage.k);
    const repeated = found.length > 1 || found.some(({ grid }) => grid); // of one number it explains what dy/dx means
    /** @param {number} most */
    const fill = (most) => {
      const pieces = none ? prose(none) : told.flatMap((piece) => written(piece, kind + large, most));
      renew(caption, answers, repeated ? [] : answers.length ? make("span", { class: "fine" }, pieces) : pieces);
    };
    const several = told.filter((piece) => rowsIn(piece) > 1).length > SEVERAL - Number(ENDS.includes(act));
    const tall = !none && !several && told.some((piece) => rowsIn(piece) > LOW);
    fill(tall ? TALL : LOW);
    if (tall && caption.offsetHeight > HIGH * letters) fill(LOW);
    renew(
      asides,
      asidesAt(board, words, stage.k).map((text) => make("p", { class: "aside" }, prose(text))),
    );
    write(phase, words.say("ui.phase." + (stopped && stage.phase === "done" ? "stopped" : stage.phase)));
    assign(phase, "class", "phase " + stage.phase);
  }

  /**
   * The height at this width: that of the longest sentences of the whole play. `now` is said again afterwards.
   * @type {(width: number, em: number, now: Stage | null) => number}
   */
  function heightAt(width, em, now) {
    root.style.height = "";
    letters = em;
    const size = words.size.now;
    const key = [width, em, size].join("|"); // the same width asks for the same height
    if (measured.width === key) return measured.height;
    if (sized !== size) longest = null; // steps of another size say other sentences
    sized = size;
    longest ??= longestOf(board, words);
    let most = 0;
    for (const k of longest) {
      say(board.frames[k - 1]?.act === "release" ? stateAt(board, k) : momentAt(board, k));
      most = Math.max(most, root.offsetHeight);
    }
    if (now) say(now);
    const lines = width < NARROW.em * em ? NARROW.lines : LINES;
    const height = Math.min(most, Math.ceil(lines * LINE * em));
    assign(root, "tabindex", height < most ? "0" : null);
    measured = { width: key, height };
    return height;
  }

  return { root, say, textAt, heightAt };
}
