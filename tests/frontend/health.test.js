// The cells of a training's health without a page: drawn as the still picture draws them; the loss; what is refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { columnOf, curve, paths } from "../../widgets/minitape_widgets/static/health/cells.js";
import { checkedHealth } from "../../widgets/minitape_widgets/static/health/check.js";
import { momentOf, nearest } from "../../widgets/minitape_widgets/static/health/tapes.js";
import { speaker } from "../../widgets/minitape_widgets/static/health/words.js";
import { health } from "./given.js";

for (const share of [false, true])
  test(`page and still picture draw the same cells, ${share ? "shares" : "sizes"}`, () => {
    const { letters, edges, row } = health;
    assert.deepEqual(paths(letters, edges, row, share), health.paths[share ? "True" : "False"]);
  });

test("the column of a step", () => {
  const at = [0, 1, 5, 40];
  assert.deepEqual(
    [0, 1, 4, 5, 39, 40, 1e6].map((step) => columnOf(at, step)),
    [0, 1, 1, 2, 2, 3, 3],
  );
});

const BOX = { left: 0, right: 100, high: 50 };
const lossOf = (mean) => curve({ each: 1, mean, low: mean, high: mean }, mean.length, BOX);

test("a loss that spans much is drawn on a logarithmic scale", () => {
  const heights = ({ line }) => [...line.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
  assert.deepEqual(heights(lossOf([1, 2, 3])), [48, 25, 2]);
  assert.deepEqual(heights(lossOf([1, 100, 10000])), [48, 25, 2]);
  assert.deepEqual(heights(lossOf([-1, 0, 1])), [48, 25, 2]);
});

test("where the loss is no number, its line is broken and a sign stands", () => {
  const { line, bad, ends } = lossOf([1, 2, null, 3]);
  assert.equal(line.split("M").length - 1, 2);
  assert.equal(bad, "M50.0 41.0H75.0v9H50.0z");
  assert.deepEqual(ends, [3, 1]);
  assert.deepEqual([lossOf([null]).ends, lossOf([null]).line], [[null], ""]);
  assert.deepEqual(lossOf([0.5, 0.5]).ends, [0.5], "a flat one has one height");
});

const place = { text: "line 1", code: "x" };
const fine = () => ({
  format: "minitape.health.view",
  version: 1,
  language: "en",
  title: "3 steps",
  steps: 3,
  ended: true,
  looked: [0, 2],
  at: [0, 2],
  layers: [{ name: "w", op: "MatMul", frozen: false, place }],
  measures: { adjoint: { letters: ["4x"], numbers: [[1, null]] } },
  losses: { each: 1, mean: [1, 2, null], low: [1, 2, null], high: [1, 2, null] },
  bad: { layer: 0, step: 2, op: "Log", place },
  findings: [{ text: "a", cure: "b", about: "c", measure: "adjoint", layer: null, step: null, place: null }],
});

test("data that are whole are drawn, and nothing else", () => {
  assert.equal(typeof checkedHealth(fine()), "object");
  for (const key of Object.keys(fine())) {
    for (const wrong of [undefined, -1, "x".repeat(6000), {}, [[]], NaN, true]) {
      if (key === "ended" && wrong === true) continue;
      assert.equal(typeof checkedHealth({ ...fine(), [key]: wrong }), "string", `${key}: ${wrong}`);
    }
  }
});

const tape = (step) => ({ step, cards: [3], bad: null, trace: { deflate: "eJw=" } });

test("tapes that are whole can be opened, and nothing else is drawn", () => {
  assert.equal(typeof checkedHealth({ ...fine(), tapes: [tape(0), tape(2)], note: "x" }), "object");
  assert.equal(typeof checkedHealth({ ...fine(), tapes: [] }), "object");
  const wrong = [
    ...[null, 5, "<img>", {}, [null], Array(51).fill(tape(0))].map((tapes) => ({ tapes })),
    ...[-1, 3, 1.5, "0", null].map((step) => ({ tapes: [{ ...tape(0), step }] })),
    ...[null, [], [1, 2], ["1"], [-1], [1e9], {}].map((cards) => ({ tapes: [{ ...tape(0), cards }] })),
    ...[undefined, "1", -1, 1e9].map((bad) => ({ tapes: [{ ...tape(0), bad }] })),
    ...[null, "x", {}, { deflate: 5 }, { deflate: "x".repeat(4e6 + 1) }].map((trace) => ({
      tapes: [{ ...tape(0), trace }],
    })),
    ...[5, null, {}, "x".repeat(6000)].map((note) => ({ note })),
  ];
  for (const one of wrong)
    assert.equal(typeof checkedHealth({ ...fine(), ...one }), "string", JSON.stringify(one).slice(0, 80));
});

test("the nearest tape: that of the step, else the earlier one of two", () => {
  const tapes = [0, 4, 10].map(tape);
  const found = (from, to = from) => nearest(tapes, from, to)?.step;
  assert.deepEqual([found(4), found(1), found(2), found(7), found(99), found(3, 12)], [4, 0, 0, 4, 10, 4]);
  assert.equal(nearest([], 0, 1), null);
});

test("the moment of a card: as it is recorded, or played back for what the way back carries", () => {
  const frames = [
    { act: "record", card: 0 },
    { act: "record", card: 1 },
    { act: "seed" },
    { act: "visit", card: 1 },
    { act: "part", card: 1 },
  ];
  const board = { cards: [{}, {}], frames };
  assert.deepEqual(
    ["value", "dead", "adjoint", "update"].map((measure) => momentOf(board, 1, measure)),
    [2, 2, 4, 4],
  );
  assert.equal(momentOf(board, 0, "adjoint"), 1, "a card that no gradient passes is met where it was recorded");
  assert.deepEqual([momentOf(board, null, "value"), momentOf(board, 2, "value")], [null, null]);
});

test("a training of which nothing was measured needs no measures", () => {
  assert.equal(typeof checkedHealth({ ...fine(), measures: {}, looked: [], at: [] }), "object");
});

const WORDS = new URL("../../widgets/minitape_widgets/static/health/words/en.json", import.meta.url);
const english = speaker(JSON.parse(readFileSync(WORDS, "utf-8")), "en");
const seen = {
  steps: 150,
  looked: [0, 1, 2, 40],
  at: [0, 2, 3, 40, 41],
  layers: [{ name: "in" }, { name: "out" }, { name: "never" }],
  measures: {
    adjoint: {
      letters: ["14.x.", "44.4.", "....."],
      numbers: [[2e-3, 1, null, null, null], [2, 1, null, 3, null], Array(5).fill(null)],
    },
    update: {
      letters: ["84.z.", "44.4.", "....."],
      numbers: [[5, 1e-3, null, 0, null], [1e-3, 2e-3, null, 3e-3, null], Array(5).fill(null)],
    },
    dead: { letters: ["08.4.", "....."], numbers: [[0, 1, null, 0.5, null], Array(5).fill(null)] },
  },
};

test("a cell says which looks it comes from, and what it compares", () => {
  const said = (measure, layer) => seen.at.map((_, column) => english.cell(seen, measure, layer, column));
  assert.deepEqual(said("adjoint", 0), [
    "in, steps 0 to 1, the average of 2 looks: adjoint 0.002, 1,000 times smaller than that of out.",
    "in, step 2: adjoint 1, about as large as that of out.",
    "in, steps 3 to 39: not measured. Measured nearest to it: step 2, step 40.",
    "in, step 40: some values or adjoints are not finite.",
    "in, steps 41 to 149: not measured. Measured nearest to it: step 40.",
  ]);
  assert.equal(said("adjoint", 1)[3], "out, step 40: adjoint 3, with which the other layers are compared.");
  assert.equal(said("adjoint", 2)[1], "never, step 2: not measured.");
  assert.equal(
    said("update", 0)[0],
    "in, steps 0 to 1, the average of 2 looks: update/weight 5, 5,000 times larger than a usual step, 0.001.",
  );
  assert.equal(said("update", 0)[3], "in, step 40: update/weight 0, exactly 0 everywhere.");
  assert.equal(said("dead", 0)[3], "in, step 40: 50 % of the units put out 0 for the whole batch.");
});

test("what was recorded is called as its library calls it", () => {
  const graph = speaker(JSON.parse(readFileSync(WORDS, "utf-8")), "en", "graph");
  const title = [english, graph].map((words) => words.say("tape.title", { step: 3 }));
  assert.deepEqual(title, ["The tape of step 3", "The graph of step 3"]);
  assert.equal(graph.say("fine"), english.say("fine"));
});

test("a size beside one that is hardly anything", () => {
  const numbers = [[1], [1e-30]];
  const tiny = { ...seen, looked: [0], at: [0], measures: { adjoint: { letters: ["8", "4"], numbers } } };
  assert.match(english.cell(tiny, "adjoint", 0, 0), /adjoint 1, 1\.0e30 times larger than that of out\.$/);
});

test("numbers in words", () => {
  const words = speaker({}, "fr");
  const short = [0, 1.5, 1e-7, -0.25, 123456].map((n) => words.short(n));
  assert.deepEqual(short, ["0", "1,5", "1,0e−7", "−0,25", "1,2e5"]);
  assert.deepEqual(words.apart([0.6886, 0.6885]), ["0,6886", "0,6885"]);
  assert.deepEqual(words.apart([3, 0]), ["3", "0"]);
  assert.deepEqual(words.apart([2, null]), ["2", ""]);
});
