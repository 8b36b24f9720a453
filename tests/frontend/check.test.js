// Traces from elsewhere, without a page: each is refused with the key of a sentence, or everything that is told of it
// can be told at every moment. Python (minitape/storyboard/contract.py) finds the same faults.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { inStep } from "../../widgets/minitape_widgets/static/pair/steps.js";
import { checkedTrace, faultOf } from "../../widgets/minitape_widgets/static/storyboard/check.js";
import { indexOf } from "../../widgets/minitape_widgets/static/storyboard/lookup.js";
import { speaker } from "../../widgets/minitape_widgets/static/storyboard/sentences.js";
import { adjointOf, stateAt } from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { shortValue } from "../../widgets/minitape_widgets/static/storyboard/values.js";
import { boards, catalogues, everyBoard } from "./given.js";

const mutated = JSON.parse(readFileSync(process.env.MINITAPE_MUTATED, "utf-8"));

function tell(board) {
  const words = speaker(board, catalogues.en);
  for (let k = 0; k <= Math.min(board.frames.length, 60); k++) {
    words.captionText(k);
    const stage = stateAt(board, k);
    board.nodes.forEach((_, n) => adjointOf(stage, n));
  }
  board.notes.forEach((_, m) => words.note(m));
  return indexOf(board);
}

test("real storyboards keep the contract", () => {
  for (const [name, board] of everyBoard) assert.equal(faultOf(board), "", name);
});

test("mutated traces are refused or told, as Python says, for the same fault", () => {
  let shown = 0;
  mutated.forEach(({ trace, fits, faults }, k) => {
    const { pair, storyboard } = trace;
    const all = [...(Array.isArray(pair) ? pair : []), ...("storyboard" in trace ? [storyboard] : [])];
    assert.deepEqual(all.map(faultOf), faults, `trace ${k}`);
    const found = checkedTrace(trace);
    assert.equal(typeof found !== "string", fits, `trace ${k}: Python says ${fits ? "that it fits" : "no"}`);
    if (typeof found === "string") return assert.ok(found in catalogues.en && found in catalogues.fr, found);
    shown += 1;
    (found.pair || [found.storyboard]).forEach(tell);
    if (found.pair) inStep(...found.pair);
  });
  console.log(`${shown} of ${mutated.length} are shown`);
  assert.ok(shown > mutated.length / 20 && shown < mutated.length * 0.9, `${shown} of ${mutated.length}`);
});

test("what claims to be larger than the contract allows is refused", () => {
  const board = boards.jacobian;
  const value = board.values.findIndex(({ cells }) => cells);
  const wide = board.values.with(value, { ...board.values[value], cells: Array(4000).fill(Array(4000).fill(0)) });
  assert.equal(faultOf({ ...board, values: wide }), `values[${value}].cells`);
  for (const claim of [{ shape: [1e9, 1e9], strided: true }, { shape: [4, 4] }, { shape: [1], strided: true }])
    assert.equal(
      faultOf({ ...board, values: board.values.with(value, { ...board.values[value], ...claim }) }),
      `values[${value}]`,
    );
  assert.equal(faultOf({ ...board, title: "x".repeat(1e6) }), "title");
  const group = { label: "g", kind: "loop", cards: [0, 0], nodes: [] };
  assert.equal(faultOf({ ...board, groups: [{ ...group, parent: 0 }] }), "groups[0]");
  assert.equal(faultOf({ ...board, frames: Array(600_000).fill(board.frames[0]) }), "frames");
  assert.equal(
    faultOf({ ...board, notes: [{ ...boards.unwatched.notes[0], key: "constructor", where: null, nodes: [] }] }),
    "notes[0].key",
  );
});

test("a tape that runs in a circle is refused", () => {
  const { cards, ...board } = boards.fan_out;
  const last = cards.at(-1).outputs[0];
  for (const [c, node] of [
    [0, last],
    [0, cards[0].outputs[0]],
    [cards.length - 1, last],
  ]) {
    const inputs = cards[c].inputs.with(0, node);
    assert.equal(faultOf({ ...board, cards: cards.with(c, { ...cards[c], inputs }) }), `cards[${c}]`);
  }
});

test("a number that claims to be a long text is cut", () => {
  const summary = { text: "7".repeat(5000), dtype: "float32", shape: [] };
  assert.equal(Array.from(shortValue(summary)).length, 40);
  assert.equal(shortValue({ ...summary, text: "-1.23457e-10" }), "-1.23457e-10");
});

test("the settings of a trace: what is none is left out", () => {
  const options = {
    start: { toString: 5 },
    hide: ["code", 5],
    large: true,
    names: [{}],
    link: {},
    language: "fr",
    still: 1,
  };
  assert.deepEqual(checkedTrace({ storyboard: boards.fan_out, options }).options, { large: true, language: "fr" });
  for (const trace of [
    null,
    5,
    "x",
    [],
    {},
    { pair: [] },
    { pair: [boards.fan_out] },
    { question: { question: "?" } },
    { question: { kind: "number", choices: [], question: "" } },
  ])
    assert.equal(checkedTrace(trace), "ui.damaged");
  assert.equal(checkedTrace({ storyboard: { ...boards.fan_out, version: 2 } }), "ui.version");
});
