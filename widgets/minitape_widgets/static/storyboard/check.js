// @ts-check
// What this front end can read: traces whose storyboards keep the contract, version 1. A trace may come from anywhere
// (a notebook that somebody sent, an older minitape, a file cut off), so everything that the player relies on is looked
// at once, before anything is drawn: kinds, indices, and how large it is. minitape/storyboard/contract.py says the
// same.

import { given } from "./lookup.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Trace } from "player" */
/** @typedef {(x: any, board: Storyboard, k?: number) => boolean} Kind whether something is what it should be; where in
 * its list it stands */

const VERSION = 1;
const MANY = 500_000; // of nodes, acts, ...
const CELLS = 16; // along an axis
const WHOLE = 4096; // numbers of an array that is played again
const GROUPS = ["layer", "function", "loop", "round", "step", "lines"];
const DEEP = 200; // groups in groups
const FAR = 1e7; // pixels
const LISTS = "sources tapes values nodes edges cards notes groups passes chapters prompts frames drawings".split(" ");

/** @type {(most: number) => Kind} */
const textUpTo = (most) => (x) => typeof x === "string" && x.length <= most;
/** @type {Kind} */
const text = textUpTo(20_000);
/** @type {Kind} a name that is looked up in a table: nothing that every object has */
const name = (x) => textUpTo(200)(x, NOTHING) && !(x in Object.prototype);
/** @type {Kind} */
const flag = (x) => typeof x === "boolean";
/** @type {Kind} */
const number = (x) => Number.isFinite(x);
/** @type {Kind} */
const numeric = (x) => Number.isFinite(x) || ["nan", "inf", "-inf"].includes(x);
/** @type {Kind} */
const count = (x) => Number.isSafeInteger(x) && x >= 0;
/** @type {Kind} */
const pixels = (x) => Number.isFinite(x) && Math.abs(x) <= FAR;
/** @type {Kind} */
const size = (x) => pixels(x, NOTHING) && x >= 0;

/** @type {(...kinds: Kind[]) => Kind} */
const either =
  (...kinds) =>
  (x, board) =>
    kinds.some((kind) => kind(x, board));
/** @type {(kind: Kind) => Kind} null, or left out, where there is none */
const maybe = (kind) => (x, board) => !given(x) || kind(x, board);
/** @type {(...names: string[]) => Kind} */
const oneOf =
  (...names) =>
  (x) =>
    names.includes(x);
/** @type {(kind: Kind, most?: number, least?: number) => Kind} */
const list =
  (kind, most = MANY, least = 0) =>
  (x, board) =>
    Array.isArray(x) && least <= x.length && x.length <= most && x.every((one) => kind(one, board));
/** @type {(table: keyof Storyboard) => Kind} an index into a list */
const at = (table) => (x, board) => count(x, board) && x < /** @type {any[]} */ (board[table]).length;
/** @type {(fields: Record<string, Kind>) => Kind} */
const record = (fields) => {
  const names = Object.keys(fields);
  const kinds = Object.values(fields);
  return (x, board) => {
    if (!isRecord(x)) return false;
    for (let i = 0; i < kinds.length; i++) if (!kinds[i](x[names[i]], board)) return false; // of thousands: no closures
    return true;
  };
};
/** @type {(x: any) => boolean} */
const isRecord = (x) => typeof x === "object" && x !== null && !Array.isArray(x);
/** @type {Kind} what fills the blanks of a sentence */
const params = (x, board) => isRecord(x) && list(maybe(either(text, number, flag)), 100)(Object.values(x), board);
/** @type {Kind} */
const span = (x, board) => list(count, 5, 5)(x, board) && at("sources")(x[0], board);
/** @type {Kind} */
const point = list(pixels, 2, 2);

/** @type {Kind} */
const choice = record({ text, idea: maybe(name), say: maybe(text), card: maybe(count), sign: maybe(number) });
const prompt = {
  kind: oneOf("number", "sign", "card", "choice"),
  answer: maybe(either(number, text)),
  tolerance: maybe(number),
  choices: list(choice, 1000),
  say: maybe(text),
  question: maybe(text),
  code: maybe(text),
};
const ofFrame = {
  ...{ card: at("cards"), node: at("nodes"), note: at("notes"), edge: at("edges"), tape: at("tapes") },
  ...{ value: at("values"), local: at("values"), adjoint: at("values"), pass: at("passes"), chapter: at("chapters") },
  ...{ input: count, count, row: list(count, 64), why: name, key: name, use: count, where: span },
};
const FRAME = new Map(Object.entries(ofFrame));
/** @type {Kind} an act has a few of all fields: those that it has are looked at */
function frame(x, board) {
  if (!isRecord(x) || !name(x.act, board)) return false;
  for (const field in x) {
    const kind = FRAME.get(field);
    if (kind && given(x[field]) && !kind(x[field], board)) return false;
  }
  return true;
}
const NEEDED = new Map([
  ...Object.entries({
    record: ["card"],
    skip: ["note"],
    note: ["note"],
    seed: ["pass", "node", "value"],
    visit: ["card"],
  }),
  ...Object.entries({ part: ["card", "input", "node", "value"], sum: ["node", "value"], cut: ["why"] }),
  ...Object.entries({
    result: ["pass", "node"],
    row: ["pass", "row", "value"],
    release: ["tape"],
    chapter: ["chapter"],
  }),
]);

/** What each list of a storyboard holds. @type {Record<string, Kind>} */
const KINDS = {
  sources: record({
    name: text,
    text: textUpTo(2_000_000),
    lines: maybe(list(list(count, 2, 2))),
    first: maybe(count),
  }),
  tapes: record({ name: text, persistent: flag }),
  values: record({
    ...{ text, dtype: text, shape: list(count, 64), number: maybe(numeric), strided: maybe(flag), bytes: maybe(count) },
    ...{ min: maybe(numeric), max: maybe(numeric), mean: maybe(numeric) },
    ...{ nan: maybe(count), inf: maybe(count), zero: maybe(count), cells: maybe(list(list(numeric, CELLS), CELLS)) },
  }),
  nodes: record({
    ...{ label: text, text, op: maybe(text), target: flag, source: flag, bytes: maybe(count), where: maybe(span) },
    role: oneOf("variable", "watched", "constant", "input", "intermediate"),
    ...{ card: maybe(at("cards")), value: maybe(at("values")), group: maybe(at("groups")) },
  }),
  edges: record({
    ...{ from: at("nodes"), to: at("nodes"), card: maybe(at("cards")), input: maybe(count) },
    flow: oneOf("open", "unwatched", "blocked", "unregistered", "escape"),
  }),
  cards: record({
    ...{ op: text, tape: at("tapes"), inputs: list(at("nodes"), 10_000), outputs: list(at("nodes"), 10_000, 1) },
    ...{
      where: maybe(span),
      back: maybe(span),
      formula: list(maybe(text), 10_000),
      needs: list(flag, 10_001),
      bytes: maybe(count),
    },
    ...{ group: maybe(at("groups")), sign: maybe(textUpTo(200)), layer: maybe(list(either(count, text), 10)) },
  }),
  notes: record({
    ...{ kind: name, key: name, params, tape: maybe(at("tapes")), where: maybe(span), nodes: list(at("nodes")) },
  }),
  groups: record({
    ...{ label: text, kind: oneOf(...GROUPS), parent: maybe(at("groups")), nodes: list(at("nodes")) },
    cards: (x, board) => list(at("cards"), 2, 2)(x, board) && x[0] <= x[1],
  }),
  passes: record({
    ...{ kind: oneOf("gradient", "jacobian"), tape: at("tapes"), frames: list(at("frames"), 2, 2) },
    ...{ targets: list(at("nodes")), sources: list(at("nodes")) },
  }),
  chapters: record({ title: text, frame: at("frames"), loss: maybe(at("values")), group: maybe(at("groups")) }),
  prompts: record({ ...prompt, frame: at("frames"), key: name, params: maybe(params), right: maybe(textUpTo(200)) }),
  frames: (x, board) => frame(x, board) && (NEEDED.get(x.act) || []).every((field) => given(x[field])),
  drawings: (x, board) => (isRecord(x) && given(x.like) ? likeness : drawing)(x, board),
  asides: record({ frame: count, text: (x, board) => isRecord(x) && list(text, 10, 1)(Object.values(x), board) }),
};
const drawing = record({
  ...{ group: maybe(at("groups")), engine: text, width: size, height: size },
  nodes: list((x, board) => place(x, board) && given(x.node) !== given(x.group)),
  edges: list((x, board) => line(x, board) && x.points.length % 3 === 1),
});
const likeness = record({ group: at("groups"), like: at("drawings"), nodes: list(count), edges: list(at("edges")) });
const place = record({
  ...{
    x: pixels,
    y: pixels,
    w: size,
    h: size,
    node: maybe(at("nodes")),
    group: maybe(at("groups")),
    inside: maybe(flag),
  },
});
const line = record({
  edge: at("edges"),
  points: list(point, 10_000, 4),
  count: maybe(count),
  also: maybe(list(at("edges"))),
});

/** What no single record shows: [list, whether a record of it fits the others]. @type {[string, Kind][]} */
const TOGETHER = [
  ["edges", (x, board) => !given(x.card) || (count(x.input, board) && x.input < board.cards[x.card].inputs.length)],
  ["frames", (x, board) => !given(x.card) || !given(x.input) || x.input < board.cards[x.card].inputs.length],
  ["values", fitsShape],
  ["cards", (x, board, k) => x.formula.length === x.inputs.length && !isLate(x, board, Number(k))],
  ["groups", (x, board) => above(x, board) < DEEP],
  ["drawings", (x, board) => !given(x.like) || fitsModel(x, /** @type {any} */ (board.drawings[x.like]), board)],
];

/** @type {(shape: number[]) => number} */
const product = (shape) => shape.reduce((a, b) => a * b, 1);

/** Whether a shape can be one, and a value has as many cells; strided, no more. @type {(value: any) => boolean} */
function fitsShape({ shape, cells, strided }) {
  const all = product(shape);
  const wide = shape.at(-1);
  /** @type {(n: number, kept: number) => boolean} */
  const fits = (n, kept) => (strided ? kept <= n : kept === n);
  /** @type {(row: any[]) => boolean} */
  const fit = (row) => fits(wide, row.length);
  return count(all, NOTHING) && (!given(cells) || (fits(all / wide, cells.length) && cells.every(fit)));
}

/** Whether an input is made only after a card, or by it: no tape runs in a circle. */
/** @type {(card: any, board: Storyboard, k: number) => boolean} */
const isLate = ({ inputs, tape }, { nodes, cards }, k) =>
  inputs.some((/** @type {number} */ n) => (nodes[n].card ?? -1) >= k && cards[nodes[n].card ?? -1].tape === tape);

/** @type {(x: any, model: any, board: Storyboard) => boolean} a drawing that has its places from another */
const fitsModel = (x, model, board) =>
  !given(model.like)
  && x.nodes.length === model.nodes.length
  && x.edges.length === model.edges.length
  && x.nodes.every((/** @type {number} */ n, /** @type {number} */ i) =>
    at(given(model.nodes[i].node) ? "nodes" : "groups")(n, board),
  );

/** What the page plays again: arrays as large as their shapes say, of things that are there. @type {Kind} */
const replay = record({
  numbers: list((x, board) => {
    if (!list(() => true, 2, 2)(x, board) || !at("nodes")(x[0], board) || !list(numeric, WHOLE)(x[1], board))
      return false;
    const value = board.nodes[x[0]].value;
    return given(value) && product(board.values[value].shape) === x[1].length;
  }),
  attributes: list((x, board) => list(() => true, 2, 2)(x, board) && at("cards")(x[0], board)),
  seeds: list(
    (x, board) => list(() => true, 2, 2)(x, board) && at("frames")(x[0], board) && list(numeric, WHOLE)(x[1], board),
  ),
});

/** @type {(group: Storyboard["groups"][0], board: Storyboard) => number} in how many groups a group stands */
function above(group, board) {
  let found = 0;
  for (; given(group.parent) && found < DEEP; found++) group = board.groups[group.parent];
  return found;
}

/** What stands in the text: lists, and the field that says where. */
const PLACES = [
  ["nodes", "where"],
  ["cards", "where"],
  ["cards", "back"],
  ["notes", "where"],
  ["frames", "where"],
];

/**
 * What is wrong with a storyboard: the place, "nodes[3]"; "" where nothing is.
 * @param {Storyboard} board
 */
export function faultOf(board) {
  for (const part of ["title", "language"]) if (!text(/** @type {any} */ (board)[part], board)) return part;
  for (const part of LISTS) if (!list(() => true)(/** @type {any} */ (board)[part], board)) return part;
  for (const part of /** @type {const} */ (["frames", "drawings"]))
    if (board.cards.length && !board[part].length) return part;
  if (!maybe(list(() => true))(board.asides, board)) return "asides";
  const lists = /** @type {Record<string, any[] | undefined>} */ (/** @type {unknown} */ (board));
  for (const [part, kind] of [...Object.entries(KINDS), ...TOGETHER]) {
    const wrong = (lists[part] ?? []).findIndex((x, k) => !kind(x, board, k));
    if (wrong >= 0) return `${part}[${wrong}]`;
  }
  if (given(board.replay) && !replay(board.replay, board)) return "replay";
  const lines = board.sources.map((source) => source.text.split("\n").length);
  /** @type {(where: import("storyboard").Span | null | undefined) => boolean} */
  const beyond = (where) => !!where && !(where[1] >= 1 && where[1] <= where[3] && where[3] <= lines[where[0]]);
  for (const [part, field] of PLACES) {
    const wrong = (lists[part] ?? []).findIndex((x) => beyond(x[field]));
    if (wrong >= 0) return `${part}[${wrong}].${field}`;
  }
  return "";
}

/** The drawing of a tape that holds nothing. */
const BLANK = { group: null, engine: "", width: 0, height: 0, nodes: [], edges: [] };

/**
 * Fills what a storyboard may leave out, and refuses (null) what this player cannot read.
 * @param {any} board
 * @returns {Storyboard | null}
 */
export function checked(board) {
  if (!isRecord(board) || board.version !== VERSION) return null;
  const lists = Object.fromEntries(LISTS.map((part) => [part, board[part] ?? []]));
  const whole = { title: "", language: "en", ...board, ...lists };
  if (faultOf(whole)) return null;
  if (!whole.drawings.length) whole.drawings = [BLANK];
  return whole;
}

const NOTHING = /** @type {any} */ ({});
/** @type {Record<string, Kind>} how a trace is shown: what is no setting is left out */
const SETTINGS = {
  ...{ start: either(number, text), hide: list(text, 100), large: flag, folded: flag, language: text, link: text },
  ...{ names: list(text, 2), unread: list(text, 100), size: text, judged: flag, room: number, above: size },
};
const question = record({ ...prompt, question: (x, board) => text(x, board) && x !== "" });

/** @type {Kind} a path of a picture: nothing but moves and lines */
const path = (x) => textUpTo(100_000)(x, NOTHING) && /^[ML\d .-]*$/.test(x);
/** @type {Kind} */
const ends = (x) => list(number, 2, 2)(x, NOTHING) && x[0] < x[1];
/** @type {Kind} */
const tick = (x) => list(() => true, 2, 2)(x, NOTHING) && pixels(x[0], NOTHING) && text(x[1], NOTHING);
const walks = record({
  ...{ names: list(textUpTo(200), 2, 1), x: ends, y: ends, ground: list(path, 20), ticks: list(list(tick, 20), 2, 2) },
  ...{ steps: count, rate: count, rates: list(number, 200, 1) },
  walks: list(record({ points: list(list(number, 5, 3), 100, 1), end: textUpTo(200) })),
});
/** @type {Kind} walks, one for each rate, in as many numbers as there are variables */
const valley = (x) =>
  walks(x, NOTHING)
  && x.rate < x.rates.length
  && x.walks.length === x.rates.length
  && x.walks.every((/** @type {any} */ walk) =>
    walk.points.every((/** @type {any} */ point) => point.length === 2 * x.names.length + 1),
  );

/**
 * A trace that can be shown, or the key of the sentence that says why not.
 * @param {any} trace
 * @returns {Trace | string}
 */
export function checkedTrace(trace) {
  if (!isRecord(trace)) return "ui.damaged";
  const settings = isRecord(trace.options) ? trace.options : {};
  const fits = Object.entries(SETTINGS).filter(([option, kind]) => kind(settings[option], NOTHING));
  const options = Object.fromEntries(fits.map(([option]) => [option, settings[option]]));
  if (given(trace.question))
    return question(trace.question, NOTHING) ? { question: trace.question, options } : "ui.damaged";
  const boards = given(trace.pair) ? trace.pair : [trace.storyboard];
  if (!Array.isArray(boards) || boards.length !== (given(trace.pair) ? 2 : 1)) return "ui.damaged";
  if (boards.some((board) => isRecord(board) && Number.isInteger(board.version) && board.version !== VERSION))
    return "ui.version";
  if (given(trace.valley) && !valley(trace.valley, NOTHING)) return "ui.damaged";
  const [first, second] = boards.map(checked);
  if (!first || (boards.length > 1 && !second)) return "ui.damaged";
  if (second) return { pair: [first, second], options };
  return given(trace.valley) ? { valley: trace.valley, storyboard: first, options } : { storyboard: first, options };
}
