// @ts-check
// What this front end can read: traces whose storyboards keep the contract, version 1. A trace may come from anywhere
// (a notebook that somebody sent, an older minitape, a file cut off), so all of it is looked at before anything is
// drawn: its form, which is a JSON Schema, and what no schema says of parts that belong together.
// minitape/storyboard/contract.py has the same relations under the same names.

import { TRACE } from "../schemas.js";
import { given } from "./lookup.js";
import { isRecord, readerOf } from "./schema.js";

/** @import { Card, Drawing, Edge, Frame, Group, Index, Numeric, Span } from "storyboard" */
/** @import { Storyboard, Summary, Valley } from "storyboard" */
/** @import { Trace } from "player" */

const { Storyboard: FORM, Settings: SETTINGS } = TRACE.$defs;
const VERSION = FORM.properties.version.const;
const DEEP = 200; // groups in groups
const LINES = 3000; // of all sources
const LETTERS = 200_000;
const POINTS = 100_000; // of the lines of a drawing
const COVERED = 500_000; // lines that the cards stand on, each counted for itself
/** @type {(part: string) => import("./schema.js").Reader} */
const reader = (part) => readerOf(TRACE.$defs[part], TRACE.$defs);
const boardAt = reader("Storyboard");
const questionAt = reader("Question");
const valleyAt = reader("Valley");
const settings = Object.keys(SETTINGS.properties).map((name) => ({
  name,
  at: readerOf(SETTINGS.properties[name], TRACE.$defs),
}));

/** @type {(numbers: number[]) => number} */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
/** @type {(shape: number[]) => number} */
const product = (shape) => shape.reduce((a, b) => a * b, 1);

/** Whether the input that is meant is one of the card's. */
/** @type {(x: Frame | Edge, board: Storyboard) => boolean} */
const hasItsInput = ({ card, input }, { cards }) => !given(card) || !given(input) || input < cards[card].inputs.length;

/** Whether an edge leads into an input of a card, or stands for a way that is not there. */
/** @type {(edge: Edge, board: Storyboard) => boolean} */
const isWayOrCut = (edge, board) => edge.card === null || (edge.input !== null && hasItsInput(edge, board));

/** Whether a shape can be one, and a value has as many cells; strided, no more. @type {(value: Summary) => boolean} */
function fitsItsShape({ shape, cells, strided }) {
  const whole = product(shape);
  if (!given(cells) || !Number.isSafeInteger(whole)) return Number.isSafeInteger(whole);
  const wide = shape.at(-1) ?? 0;
  /** @type {(n: number, kept: number) => boolean} */
  const fits = (n, kept) => (strided ? kept <= n : kept === n);
  return whole > 0 && wide > 0 && fits(whole / wide, cells.length) && cells.every((row) => fits(wide, row.length));
}

/** Whether a card has a formula for each input. @type {(card: Card) => boolean} */
const hasItsFormulas = ({ formula, inputs }) => formula.length === inputs.length;

/** Whether the cards that made its inputs are earlier ones: no tape runs in a circle. */
/** @type {(card: Card, board: Storyboard, k: number) => boolean} */
const comesAfterItsInputs = ({ inputs, tape }, { nodes, cards }, k) =>
  inputs.every((n) => {
    const c = nodes[n].card;
    return c === null || c < k || cards[c].tape !== tape;
  });

/** Whether a group ends where it begins or later, and the groups around it end somewhere. */
/** @type {(group: Group, board: Storyboard) => boolean} */
function hasAnEnd({ parent, cards: [first, last] }, { groups }) {
  let deep = 0;
  for (; parent !== null && deep < DEEP; deep++) ({ parent } = groups[parent]);
  return deep < DEEP && first <= last;
}

/** Whether lines are whole curves, and other places, or a drawing with another's, have as many boxes and lines. */
/** @type {(drawing: Storyboard["drawings"][0], board: Storyboard) => boolean} */
function canBeDrawn(drawing, board) {
  if (drawing.like === undefined) {
    const { nodes, edges, others } = drawing;
    const own = edges.map((line) => line.points);
    const lines = own.concat(...(others ?? []).map((one) => one.lines));
    return (
      sum(lines.map((points) => points.length)) <= POINTS
      && lines.every((points) => points.length % 3 === 1)
      && (others ?? []).every((one) => one.boxes.length === nodes.length && one.lines.length === edges.length)
    );
  }
  const { nodes, edges } = drawing;
  const model = board.drawings[drawing.like];
  return (
    model.like === undefined
    && nodes.length === model.nodes.length
    && edges.length === model.edges.length
    && model.nodes.every((box, i) => nodes[i] < board[box.node === undefined ? "groups" : "nodes"].length)
  );
}

/** Whether an array that is played again is as large as its shape says. */
/** @type {(played: [Index, Numeric[]], board: Storyboard) => boolean} */
function hasItsNumbers([node, numbers], { nodes, values }) {
  const { value } = nodes[node];
  return value !== null && product(values[value].shape) === numbers.length;
}

/** What no schema says: [list, whether one of it fits the others]. */
/** @type {[string, (one: any, board: Storyboard, k: number) => boolean][]} */
const RELATIONS = [
  ["edges", isWayOrCut],
  ["frames", hasItsInput],
  ["values", fitsItsShape],
  ["cards", hasItsFormulas],
  ["cards", comesAfterItsInputs],
  ["groups", hasAnEnd],
  ["drawings", canBeDrawn],
  ["replay.numbers", hasItsNumbers],
];
/** What stands in the text: lists, and the field that says where. */
const SPANS = "nodes.where cards.where cards.back notes.where frames.where".split(" ").map((pair) => pair.split("."));
/** @type {(where: Span | null | undefined, lines: number[]) => boolean} whether a span ends where its text has ended */
const isBeyond = (where, lines) =>
  given(where) && !(where[1] >= 1 && where[1] <= where[3] && where[3] <= lines[where[0]]);

/**
 * What is wrong with a storyboard: the place, "nodes[3].card"; "" where nothing is.
 * @param {Storyboard} board
 */
export function faultOf(board) {
  const place = boardAt(board, board);
  if (place !== null) return place.slice(1) || "its form";
  for (const part of /** @type {const} */ (["frames", "drawings"]))
    if (board.cards.length && !board[part].length) return part;
  /** @type {Record<string, any>} */
  const lists = { ...board, "replay.numbers": board.replay?.numbers ?? [] };
  for (const [part, fits] of RELATIONS) {
    const wrong = lists[part].findIndex((/** @type {any} */ one, /** @type {number} */ k) => !fits(one, board, k));
    if (wrong >= 0) return `${part}[${wrong}]`;
  }
  const texts = board.sources.map((source) => source.text);
  const lines = texts.map((text) => text.split("\n").length);
  if (sum(lines) > LINES || sum(texts.map((text) => Array.from(text).length)) > LETTERS) return "sources";
  for (const [part, field] of SPANS) {
    const wrong = lists[part].findIndex((/** @type {any} */ one) => isBeyond(one[field], lines));
    if (wrong >= 0) return `${part}[${wrong}].${field}`;
  }
  const spans = board.cards.flatMap(({ where, back }) => [where, back]);
  return sum(spans.map((span) => (span ? span[3] - span[1] + 1 : 0))) > COVERED ? "cards" : "";
}

/** The drawing of a tape that holds nothing. @type {Drawing} */
const BLANK = { group: null, engine: "", width: 0, height: 0, nodes: [], edges: [] };
/** @type {any} */
const lists = Object.fromEntries(FORM.required.map((/** @type {string} */ part) => [part, []]));
/** A storyboard of nothing. @type {Storyboard} */
export const EMPTY = { ...lists, version: VERSION, language: "en", title: "" };

/**
 * A storyboard that can be drawn, null where this player cannot read it.
 * @param {any} board
 * @returns {Storyboard | null}
 */
export function checked(board) {
  if (!isRecord(board) || board.version !== VERSION || faultOf(board)) return null;
  return board.drawings.length ? board : { ...board, drawings: [BLANK] };
}

/** Walks, one for each rate, in as many numbers as there are variables. @type {(valley: Valley) => boolean} */
const isWalked = ({ names, x, y, rate, rates, walks }) =>
  x[0] < x[1]
  && y[0] < y[1]
  && rate < rates.length
  && walks.length === rates.length
  && walks.every(({ points }) => points.every((point) => point.length === 2 * names.length + 1));

/**
 * A trace that can be shown, or the key of the sentence that says why not.
 * @param {any} trace
 * @returns {Trace | string}
 */
export function checkedTrace(trace) {
  if (!isRecord(trace)) return "ui.damaged";
  const { question, pair, valley } = trace;
  const set = isRecord(trace.options) ? trace.options : {};
  const known = settings.filter(({ name, at }) => set[name] !== undefined && at(set[name], set) === null);
  const options = Object.fromEntries(known.map(({ name }) => [name, set[name]]));
  if (given(question)) return questionAt(question, question) === null ? { question, options } : "ui.damaged";
  const boards = given(pair) ? pair : [trace.storyboard];
  if (!Array.isArray(boards) || boards.length !== (given(pair) ? 2 : 1)) return "ui.damaged";
  if (boards.some((board) => isRecord(board) && Number.isInteger(board.version) && board.version !== VERSION))
    return "ui.version";
  if (given(valley) && !(valleyAt(valley, valley) === null && isWalked(valley))) return "ui.damaged";
  const [first, second] = boards.map(checked);
  if (!first || (boards.length > 1 && !second)) return "ui.damaged";
  if (second) return { pair: [first, second], options };
  return given(valley) ? { valley, storyboard: first, options } : { storyboard: first, options };
}
