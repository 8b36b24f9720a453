// @ts-check
// What the inspector knows about one node or one card: a heading, the rows of a table, and what the tape keeps for it.

import { make } from "../elements/dom.js";
import { gridInline } from "../elements/grid.js";
import { heatMap, valueInline } from "../elements/tiles.js";
import { gridOf } from "../storyboard/grid.js";
import { given } from "../storyboard/lookup.js";
import { nodeName, nodeNames, titleOf } from "../storyboard/sentences.js";
import { CARD, adjointOf } from "../storyboard/state.js";
import { stepOf } from "../storyboard/units.js";
import { shapeText, shortValue, shorten } from "../storyboard/values.js";
import { known, link, nodeLink, row, typed, valueAt, valueLine } from "./rows.js";

/** @import { Card, Flow, Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { About } from "./rows.js" */
/** @typedef {{ heading: string, rows: HTMLElement[], kept: HTMLElement[] | null }} Facts */

const LABEL = 12; // letters of the names of several inputs
const LIBRARIES = new Map([
  ["tf", "TensorFlow"],
  ["torch", "PyTorch"],
  ["jax", "JAX"],
]); // by how operations begin

/** @type {(about: About, n: Index, stage: Stage) => Facts} */
export function nodeFacts(about, n, stage) {
  const { board, words, choose } = about;
  const node = board.nodes[n];
  const value = valueAt(board, node.value);
  const adjoint = adjointOf(stage, n);
  const rows = [row(words.say("ui.value"), valueLine(words, "value", value))];
  if (node.op) {
    const card = known(node.card) && board.cards[node.card] ? node.card : null;
    const said = card === null ? "" : titleOf(board, card) + " · " + words.say("ui.card.short", { card: card + 1 });
    rows.unshift(row(words.say("ui.made"), card === null ? node.op : link(said, () => choose({ card }))));
  }
  if (adjoint.value >= 0) {
    const summed = stage.frame?.act === "sum" && stage.frame.node === n;
    rows.push(result(row(words.say("ui.adjoint"), valueLine(words, "adjoint", board.values[adjoint.value])), summed));
  }
  if (adjoint.parts.length > 1) {
    const parts = adjoint.parts.map((part) => valueInline(board.values[part.value], "is-adjoint", 12));
    rows.push(row(words.say("ui.parts"), ...parts.flatMap((part, i) => (i ? [" + ", part] : [part]))));
  }
  rows.push(row(words.say("ui.type"), typed(value))); // last: beside a curve there is room for the numbers alone
  const bytes = known(node.bytes) ? node.bytes : value && value.bytes;
  const kept = known(bytes) ? [make("p", { text: words.say("ui.bytes.own", { bytes }) })] : null;
  const role = words.say(node.target ? "ui.target" : "ui.role." + node.role);
  // a leaf is of the step that uses it
  const user = node.card ?? board.cards.findIndex(({ inputs }) => inputs.includes(n));
  return { heading: headed(nodeName(board, n), role, step(about, user)), rows, kept };
}

/** @type {(about: About, c: Index, stage: Stage) => Facts} */
export function cardFacts(about, c, stage) {
  const { board, words } = about;
  const card = board.cards[c];
  const output = card.outputs[0];
  const several = card.inputs.length > 1;
  const now = stage.frame?.act === "record" && stage.frame.card === c;
  const rows = card.inputs.map((n, i) => {
    const label = words.say("ui.input", { number: several ? i + 1 : "" });
    return nodeRow(about, n, label.trim());
  });
  if (output !== undefined) rows.push(result(nodeRow(about, output, words.say("ui.output")), now));
  const parts = formulaRows(board, words, c);
  rows.splice(card.formula.some(Boolean) ? rows.length : 0, 0, ...parts); // that there is none comes first, to be seen
  const adjoint = output === undefined ? -1 : adjointOf(stage, output).value;
  if (adjoint >= 0) {
    const label = words.say("ui.adjoint.of", { output: nodeName(board, output) });
    rows.push(row(label, valueLine(words, "adjoint", board.values[adjoint])));
  }
  const value = output === undefined ? null : valueAt(board, board.nodes[output].value);
  if (value?.shape.length && !gridOf(value))
    rows.push(result(row(words.say("ui.value"), heatMap(value, "value", words)), now));
  const layer = card.layer ? card.layer[1] : "";
  const heading = headed(words.say("ui.card.short", { card: c + 1 }), titleOf(board, c), layer, step(about, c));
  return { heading, rows, kept: keptOf(board, words, card, stage.cards[c] === CARD.RELEASED) };
}

/** @type {(row: HTMLElement, made: boolean) => HTMLElement} what an act makes waits until it is there (player.js) */
function result(row, made) {
  row.classList.toggle("is-result", made);
  return row;
}

/** @type {(...texts: string[]) => string} */
const headed = (...texts) => texts.filter(Boolean).join(" · ");

/** @type {(about: About, c: Index) => string} of which step it speaks */
const step = ({ board, words }, c) => (c >= 0 ? stepOf(board, c, words.say) : "");

/**
 * An input or output of a card: its name, its value unless that is its name, and its type.
 * @type {(about: About, n: Index, label: string) => HTMLElement}
 */
function nodeRow(about, n, label) {
  const { board } = about;
  const value = valueAt(board, board.nodes[n].value);
  const short = value ? shortValue(value, 14) : "";
  const text = [shapeText(value), nodeName(board, n)].includes(short) ? "" : short;
  const grid = gridOf(value);
  const written = make("span", { class: "is-value" }, grid ? gridInline(grid) : text);
  return row(label, nodeLink(about, n), " ", written, " ", make("span", { class: "fine", text: typed(value) }));
}

/** @type {(board: Storyboard, words: Words, c: Index, i: number) => Flow} */
function flowOf(board, words, c, i) {
  const e = words.index.edgeOf[c][i];
  return e === undefined ? "open" : board.edges[e].flow;
}

/**
 * How the part for each input is made; why there is no formula is said once for all inputs of which it is true. A
 * formula for a constant is true but of no use here: nothing is sent to what nobody watches.
 * @type {(board: Storyboard, words: Words, c: Index) => HTMLElement[]}
 */
function formulaRows(board, words, c) {
  const { inputs, formula, op: own } = board.cards[c];
  const op = titleOf(board, c);
  /** @type {Map<number | Flow, Index[]>} the place of a formula, or how the way of those goes that have none */
  const facts = new Map();
  inputs.forEach((n, i) => {
    const flow = flowOf(board, words, c, i);
    if (flow === "unwatched" && ["constant", "input"].includes(board.nodes[n].role)) return;
    const key = formula[i] ? i : flow;
    facts.set(key, [...(facts.get(key) ?? []), n]);
  });
  return [...facts].map(([key, nodes]) => {
    const names = nodeNames(board, [...new Set(nodes)]);
    const label = words.say("ui.formula", { input: nodes.length > 1 ? shorten(names, LABEL) : names });
    return row(label, typeof key === "number" ? make("code", { class: "formula", text: formula[key] }) : lack(key));
  });

  /** @param {Flow} flow */
  function lack(flow) {
    if (flow === "unregistered") return make("span", { class: "is-cut", text: words.say("cut.unregistered", { op }) });
    if (flow !== "open") return make("span", { class: "is-cut", text: words.say("ui.formula.none") });
    const library = LIBRARIES.get(own.split(".")[0]);
    const key = library ? "ui.formula.library" : "ui.formula.unknown";
    return make("span", { class: "fine", text: words.say(key, { op, library }) });
  }
}

/**
 * What the tape keeps for a card and why, in sentences: which numbers the formulas above ask for.
 * @type {(board: Storyboard, words: Words, card: Card, released: boolean) => HTMLElement[] | null}
 */
function keptOf(board, words, { bytes, inputs, outputs, needs, formula }, released) {
  if (!known(bytes)) return null;
  const all = [...inputs, outputs[0]];
  const needed = new Set(all.filter((n, i) => given(n) && (needs || [])[i]));
  const names = nodeNames(
    board,
    [...new Set(all)].filter((n) => needed.has(n)),
  );
  const kept = make("p", { text: words.say(released ? "ui.kept.released" : "ui.kept.held", { bytes }) });
  if (!formula.some(Boolean)) return [kept];
  return [kept, make("p", { text: needed.size ? words.say("ui.kept.needed", { names }) : words.say("ui.kept.none") })];
}
