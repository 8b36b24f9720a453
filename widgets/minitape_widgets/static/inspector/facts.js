// @ts-check
// What the inspector knows about one node or one card: a heading, the rows of a table, and what the tape keeps for it.

import { make } from "../elements/dom.js";
import { heatMap } from "../elements/tiles.js";
import { given } from "../storyboard/lookup.js";
import { nodeName, nodeNames } from "../storyboard/sentences.js";
import { CARD, adjointOf } from "../storyboard/state.js";
import { stepOf } from "../storyboard/units.js";
import { shapeText, shortValue } from "../storyboard/values.js";
import { known, link, nodeLink, row, typed, valueAt, valueLine } from "./rows.js";

/** @import { Card, Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { About } from "./rows.js" */
/** @typedef {{ heading: string, rows: HTMLElement[], kept: HTMLElement[] | null }} Facts */

/** @type {(about: About, n: Index, stage: Stage) => Facts} */
export function nodeFacts(about, n, stage) {
  const { board, words, choose } = about;
  const node = board.nodes[n];
  const value = valueAt(board, node.value);
  const adjoint = adjointOf(stage, n);
  const rows = [row(words.say("ui.value"), valueLine(words, "value", value))];
  if (node.op) {
    const card = known(node.card) && board.cards[node.card] ? node.card : null;
    const said = card === null ? "" : node.op + " · " + words.say("ui.card.short", { card: card + 1 });
    rows.unshift(row(words.say("ui.made"), card === null ? node.op : link(said, () => choose({ card }))));
  }
  if (adjoint.value >= 0)
    rows.push(row(words.say("ui.adjoint"), valueLine(words, "adjoint", board.values[adjoint.value])));
  if (adjoint.parts.length > 1) {
    const text = adjoint.parts.map((part) => shortValue(board.values[part.value], 12)).join(" + ");
    rows.push(row(words.say("ui.parts"), make("span", { class: "is-adjoint", text })));
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
  const rows = card.inputs.map((n, i) => {
    const label = words.say("ui.input", { number: several ? i + 1 : "" });
    return nodeRow(about, n, label.trim());
  });
  if (output !== undefined) rows.push(nodeRow(about, output, words.say("ui.output")));
  (card.formula || []).forEach((formula, i) => {
    if (isAsked(board, words, c, i)) rows.push(formulaRow(board, words, card.inputs[i], formula));
  });
  const adjoint = output === undefined ? -1 : adjointOf(stage, output).value;
  if (adjoint >= 0) {
    const label = words.say("ui.adjoint.of", { output: nodeName(board, output) });
    rows.push(row(label, valueLine(words, "adjoint", board.values[adjoint])));
  }
  const value = output === undefined ? null : valueAt(board, board.nodes[output].value);
  if (value && value.shape.length) rows.push(row(words.say("ui.value"), heatMap(value, "value", words)));
  const layer = card.layer ? card.layer[1] : "";
  const heading = headed(words.say("ui.card.short", { card: c + 1 }), card.op, layer, step(about, c));
  return { heading, rows, kept: keptOf(board, words, card, stage.cards[c] === CARD.RELEASED) };
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
  const written = make("span", { class: "is-value", text });
  return row(label, nodeLink(about, n), " ", written, " ", make("span", { class: "fine", text: typed(value) }));
}

/** @type {(board: Storyboard, words: Words, input: Index, formula: string | null) => HTMLElement} */
function formulaRow(board, words, input, formula) {
  const label = words.say("ui.formula", { input: nodeName(board, input) });
  if (formula) return row(label, make("code", { class: "formula", text: formula }));
  return row(label, make("span", { class: "is-cut", text: words.say("ui.formula.none") }));
}

/**
 * A formula for a constant is true but of no use here: nothing is sent to what nobody watches.
 * @type {(board: Storyboard, words: Words, c: Index, i: number) => boolean}
 */
function isAsked(board, words, c, i) {
  const e = words.index.edgeOf.get(c + ":" + i);
  const flow = e === undefined ? "open" : board.edges[e].flow;
  return flow !== "unwatched" || !["constant", "input"].includes(board.nodes[board.cards[c].inputs[i]].role);
}

/**
 * What the tape keeps for a card and why, in sentences: which numbers the formulas above ask for.
 * @type {(board: Storyboard, words: Words, card: Card, released: boolean) => HTMLElement[] | null}
 */
function keptOf(board, words, { bytes, inputs, outputs, needs }, released) {
  if (!known(bytes)) return null;
  const all = [...inputs, outputs[0]];
  const needed = new Set(all.filter((n, i) => given(n) && (needs || [])[i]));
  const names = nodeNames(
    board,
    [...new Set(all)].filter((n) => needed.has(n)),
  );
  return [
    make("p", { text: words.say(released ? "ui.kept.released" : "ui.kept.held", { bytes }) }),
    make("p", { text: needed.size ? words.say("ui.kept.needed", { names }) : words.say("ui.kept.none") }),
  ];
}
