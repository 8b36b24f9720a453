// @ts-check
// What a step larger than an act says: what a card, a line, a layer or a round received and what it sent on, or what it
// made; of the whole way back, its answers.

import { gridOf, textOf } from "./grid.js";
import { given, lineInFile } from "./lookup.js";
import { rounds } from "./units.js";
import { shortValue } from "./values.js";

/** @import { Frame, Index, PartFrame, RecordFrame, ResultFrame, Storyboard, VisitFrame } from "storyboard" */
/** @import { Piece } from "player" */
/** @import { Size } from "./stops.js" */
/** @typedef {{ key: string, parameters: Record<string, unknown> } | Frame} Said a sentence, or that of an act */
/** @typedef {(key: string, parameters?: Record<string, unknown>) => string} Say */
/** @typedef {(key: string, parameters?: Record<string, unknown>) => Piece[]} Pieces the same, with its numbers apart */
/** @typedef {(index: Index) => string} Called a node, a card */
/** @typedef {{ board: Storyboard, size: Size, say: Say, pieces: Pieces, name: Called, title: Called }} Telling */

const PARTS = 4; // written out, of those that reach one node
const LENGTH = 24; // letters of a value inside of a sentence

/**
 * The sentences of the acts from `begin` to before `end`.
 * @param {Telling} telling
 * @param {number} begin
 * @param {number} end
 * @returns {Said[]}
 */
export function tell(telling, begin, end) {
  const { board, size } = telling;
  const frames = board.frames.slice(begin, end);
  /** @type {<Name extends Frame["act"]>(act: Name) => Extract<Frame, { act: Name }>[]} */
  const all = (act) => /** @type {any[]} */ (frames.filter((frame) => frame.act === act));
  const [records, visits, results, rows] = [all("record"), all("visit"), all("result"), all("row")];
  const chapter = size === "round" ? all("chapter") : [];
  if (results.length) return [...chapter, ...answers(telling, results)];
  if (size === "act" && visits.length) return [visited(telling, visits[0]), ...all("part")];
  if (rows.length) return rows;
  if (visits.length && frames[0].act === "visit") return [played(telling, visits, all("part"))];
  if (records.length > 1 && !visits.length) return [recorded(telling, records)];
  return frames.filter((frame, f) => frame.act !== "release" || f === 0).slice(-1);
}

/** What a play has found. @type {(telling: Pick<Telling, "board" | "name">, results: ResultFrame[]) => Said[]} */
function answers({ board, name }, results) {
  if (results.length === 1) return results;
  const { targets } = board.passes[results[0].pass];
  const answers = results.flatMap(({ node, value }, i) => [
    { name: "answers", text: (i ? ", " : "") + name(node) + ": " },
    shown(board, value, "answers"),
  ]);
  return [{ key: "stop.answers", parameters: { target: targets.map(name).join(", "), answers } }];
}

/** @type {(telling: Telling, records: RecordFrame[]) => Said} */
function recorded(telling, records) {
  const { board, size, name } = telling;
  const card = records[records.length - 1].card;
  const output = board.cards[card].outputs[0];
  const value = board.nodes[output].value;
  const text = given(value) ? board.values[value].text : "";
  const made = { output: name(output), value: [{ ...shown(board, value, "value"), text }] };
  if (size === "way") return { key: "stop.recorded", parameters: { ...made, count: records.length } };
  return { key: "stop.record", parameters: { ...made, who: whoIs(telling, card) } };
}

/** @type {(telling: Telling, visit: VisitFrame) => Said} whose turn it is, before what it sends */
function visited({ board, title }, { card, value }) {
  const { sign } = board.cards[card];
  return {
    key: "visit.sends",
    parameters: { card: card + 1, op: title(card), sign, adjoint: [shown(board, value, "adjoint", true)] },
  };
}

/**
 * What arrived at the outside of these cards, and what they sent to the outside.
 * @type {(telling: Telling, visits: VisitFrame[], parts: PartFrame[]) => Said}
 */
function played(telling, visits, parts) {
  const { board, say, pieces, name } = telling;
  const inside = new Set(visits.flatMap(({ card }) => board.cards[card].outputs));
  const layer = board.cards[visits[0].card].layer;
  /** @type {Map<Index, Piece[]>} */
  const sent = new Map();
  for (const { node, value } of parts)
    if (!inside.has(node)) sent.set(node, [...(sent.get(node) || []), shown(board, value, "part")]);
  /** @type {(node: Index) => string} "kernel", for a weight of this layer; else "" */
  const ownName = (node) =>
    layer && name(node).startsWith(layer[1] + ".") ? name(node).slice(layer[1].length + 1) : "";
  const nodes = [...sent.keys()].sort((a, b) => Number(!ownName(a)) - Number(!ownName(b)) || a - b);
  const listed = nodes.map((node) => {
    const values = sent.get(node) || [];
    const some = [...values.slice(0, PARTS), ...(values.length > PARTS ? ["…"] : [])];
    const part = some.flatMap((one, i) => (i ? [" + ", one] : [one]));
    return pieces(ownName(node) ? "stop.sent.own" : "stop.sent", { part, node: ownName(node) || name(node) });
  });
  const key = listed.length ? "stop.play" : "stop.play.nothing";
  const adjoint = [shown(board, visits[0].value, "adjoint")];
  return { key, parameters: { who: whoIs(telling, visits[0].card), adjoint, sent: joined(listed, say("stop.and")) } };
}

/** @type {(list: Piece[][], and: string) => Piece[]} "a", "a and b", "a, b and c" */
const joined = (list, and) => list.flatMap((one, i) => [...(i ? [i === list.length - 1 ? and : ", "] : []), ...one]);

/**
 * A value in a sentence of several: all of a few numbers, else its shape, and `alone` how far its numbers go.
 * @type {(board: Storyboard, v: Index | null | undefined, name: string, alone?: boolean) => Exclude<Piece, string>}
 */
function shown(board, v, name, alone = false) {
  const value = given(v) ? board.values[v] : undefined;
  return { name, text: value && (alone || gridOf(value)) ? textOf(value) : shortValue(value, LENGTH), value };
}

/** @type {(telling: Telling, card: Index) => string} the card, line, layer or round that a step is about */
function whoIs({ board, size, say, title }, card) {
  const { where, layer } = board.cards[card];
  const round = size === "round" ? rounds(board).round[card] : 0;
  if (round) return say("stop.round", { round });
  if (layer && size === "line") return layer[1];
  if (where && size !== "card") return say("stop.line", { line: lineInFile(board.sources[where[0]], where[1]) });
  return say("stop.card", { card: card + 1, op: title(card) });
}
