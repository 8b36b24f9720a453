// @ts-check
// What the callout says about an act, in words with their colours: "2.0 = 1.0 × 2.0". Nothing here touches the page.

import { gridOf, transposed } from "../storyboard/grid.js";
import { given } from "../storyboard/lookup.js";
import { adjointOf, stateAt } from "../storyboard/state.js";
import { needsTiles, roomyValue, shortValue } from "../storyboard/values.js";
import { knows } from "../storyboard/words.js";
import { calloutWidth } from "./callout.js";
import { isQuiet } from "./edges.js";

/** @import { Index, PartFrame, Storyboard, Summary, SumFrame } from "storyboard" */
/** @import { Options, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Word } from "./callout.js" */
/** @typedef {{ board: Storyboard, words: Words, grow: number, options: Pick<Options, "knows"> }} Told see View */
/** @typedef {(v: Index, kind?: string) => Word} Write how a value is written */

/** @type {{ [op: string]: string }} operations that stretch or multiply arrays */
export const SIGNS = { MatMul: "@", Add: "+", Sub: "-", Mul: "×", Div: "/" };
const UNLIKE = ["part.plain", "part.late"]; // parts of which nobody knows the formula, or that came too late
const READ = 0.92; // of the usual size, numbers can be read
const ADDENDS = 4; // parts written one by one before "…"
const LONGEST = 30; // letters of a formula: a piece of one says nothing

/**
 * What may be said, the most telling first: with all numbers, with those that it comes to, with arrays as tiles with
 * their shapes. None where there is nothing to say.
 * @param {Told} told
 * @param {Stage} stage
 * @param {number} room  the width of the pane, in the picture
 * @returns {Word[][]}
 */
export function numbersOf(told, stage, room) {
  const { board, grow } = told;
  /** @type {(text: typeof shortValue) => Word[]} */
  const said = (write) => wordsOf(told, stage, (v, kind) => wordOf(board.values[v], kind || "adjoint", write));
  const [all, short] = [said(roomyValue), said(shortValue)];
  if (!all.some(({ grid, tiles }) => grid || tiles)) return all.length ? [all] : [];
  /** @type {(said: Word[]) => boolean} */
  const fits = (said) => calloutWidth(said) * Math.min(grow, 1.2) <= Math.min(520, room * 0.8);
  return [...[all, [...short.slice(0, -1), ...all.slice(-1)], all.slice(-1)].filter(fits), short];
}

/**
 * All numbers of small arrays of which one is stretched, or of a product of matrices, where they can be read; on the
 * way back the adjoint's rows are summed, or one factor is the adjoint, and the other comes transposed. Of what a
 * formula sends, that and the numbers.
 * @type {(board: Storyboard, stage: Stage, room: number, grow: number) => Word[] | null} as above
 */
export function equationOf({ cards, nodes, values }, stage, room, grow) {
  const { frame } = stage;
  if (frame?.act !== "record" && frame?.act !== "part") return null;
  const { op, inputs, outputs, formula } = cards[frame.card];
  const [first, second, made] = [...inputs, ...outputs].map((n) => nodes[n].value ?? -1);
  const product = op === "MatMul";
  const isPart = frame.act === "part";
  const folded = isPart && frame.key === "part.stretched" && op === "Add";
  const back = folded || (product && isPart && !UNLIKE.includes(frame.key ?? ""));
  const known = isPart ? back : product || !isSame(values, first, second);
  const rule = isPart && !SIGNS[op] && !given(frame.local) && frame.key !== "part.plain" && formula?.[frame.input];
  const says = rule && rule.length <= LONGEST;
  if (!says && (inputs.length !== 2 || !SIGNS[op] || !known)) return null;
  /** @type {(v: Index, kind: string, turned?: boolean) => Word} */
  const word = (v, kind, turned = false) => {
    const grid = product && values[v]?.shape.length !== 2 ? null : gridOf(values[v]);
    return { text: "", kind, grid: turned && grid ? transposed(grid) : grid, turned };
  };
  const factors = [first, second].map((v) => word(v, "value", isPart));
  if (isPart) factors[frame.input] = word(adjointOf(stage, outputs[0]).value, "adjoint"); // ū @ bᵀ, or aᵀ @ ū
  const result = isPart ? word(frame.value, "adjoint") : word(made, "value");
  const both = [factors[0], { text: ` ${SIGNS[op]} ` }, factors[1]];
  const left = says ? [{ text: rule }] : folded ? [{ text: "Σ " }, factors[frame.input]] : both;
  const said = [...left, { text: " = " }, result];
  const whole = said.every(({ text, grid }) => text || grid);
  return whole && calloutWidth(said) * grow * READ <= room ? said : null;
}

/** @type {(values: Summary[], v: Index, w: Index) => boolean} whether two arrays have the same shape */
const isSame = (values, v, w) => values[v]?.shape.join() === values[w]?.shape.join();

/**
 * "dy/dx = 7.0"; of an array whose numbers would be too small to be read, the tiles.
 * @type {(board: Storyboard, name: string, v: Index | null, room: number, grow: number) => Word[]} as above
 */
export function answerWords(board, name, v, room, grow) {
  const named = { text: name + " = " };
  if (v === null) return [named, { text: "None", kind: "cut" }];
  /** @type {(write: typeof shortValue) => Word[]} */
  const said = (write) => [named, wordOf(board.values[v], "adjoint", write)];
  return calloutWidth(said(roomyValue)) * grow > room ? said(shortValue) : said(roomyValue);
}

/** @type {(summary: Summary, kind: string, write: typeof shortValue) => Word} */
function wordOf(summary, kind, write) {
  const grid = write === roomyValue ? gridOf(summary) : null;
  const text = write(summary, 11);
  return { text, kind, grid, tiles: !grid && needsTiles(summary, text) ? summary : null };
}

/** @type {(told: Told, stage: Stage, value: Write) => Word[]} */
function wordsOf({ board, words, options }, stage, value) {
  const frame = stage.frame;
  if (!frame) return [];
  if (frame.act === "visit") return given(frame.value) ? [value(frame.value)] : [];
  if (frame.act === "record") return stage.current.value < 0 ? [] : [value(stage.current.value, "value")];
  if (frame.act === "seed") return [{ text: words.say("ui.seed") + " " }, value(frame.value)];
  if (frame.act === "cut") return isQuiet(frame, board) ? [] : [{ text: "None", kind: "cut" }];
  if (frame.act === "sum") return sumOf(board, stage.k, frame, value);
  if (frame.act !== "part") return [];
  const late = frame.key === "part.late" ? [{ text: " " + words.say("ui.late"), kind: "cut" }] : [];
  return [...productOf(board, stage, frame, value, knows(options, "local")), ...late];
}

/** @type {(board: Storyboard, k: number, frame: SumFrame, value: Write) => Word[]} */
function sumOf(board, k, frame, value) {
  const parts = stateAt(board, k - 1).parts.get(frame.node) || [];
  if (!parts.length) return [value(frame.value)];
  const [and, makes] = frame.key === "sum.kept" ? [", ", " → "] : [" + ", " = "]; // a tape of one's own may not add
  const addends = parts.slice(0, ADDENDS).flatMap((part, i) => [{ text: i ? and : "" }, value(part.value)]);
  const more = parts.length > ADDENDS ? [{ text: and + "…" }] : [];
  return [...addends, ...more, { text: makes }, value(frame.value)];
}

/**
 * adjoint × local derivative = part; where the local derivative is no single number, the formula. Who does not know of
 * local derivatives yet sees none that changes nothing.
 * @type {(board: Storyboard, stage: Stage, frame: PartFrame, value: Write, told: boolean) => Word[]}
 */
function productOf(board, stage, frame, value, told) {
  const { outputs, formula } = board.cards[frame.card];
  if (!given(frame.local)) {
    const said = formula && frame.key !== "part.plain" && formula[frame.input];
    return said && said.length <= LONGEST ? [{ text: said + " = " }, value(frame.value)] : [value(frame.value)];
  }
  const above = adjointOf(stage, outputs[0]).value;
  const summed = frame.key === "part.stretched";
  const known = above >= 0 ? value(above) : { text: "ȳ", kind: "adjoint" };
  const { min, max, number } = board.values[frame.local];
  if (number === 1 && !told) return [value(frame.value)];
  const times = summed && min === 1 && max === 1 ? [] : [{ text: " × " }, value(frame.local, "local")];
  return [...(summed ? [{ text: "Σ " }] : []), known, ...times, { text: " = " }, value(frame.value)];
}
