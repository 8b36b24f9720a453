// The page plays recorded entries again with other numbers, and must find what the engine found when it ran with them:
// every operation that the page knows, and random programs (replayed.py).

import assert from "node:assert/strict";
import { test } from "node:test";

import { each } from "../../widgets/minitape_widgets/static/replay/array.js";
import { hands, holding, withOwnValues } from "../../widgets/minitape_widgets/static/replay/holding.js";
import { limitsOf } from "../../widgets/minitape_widgets/static/replay/limits.js";
import { kept } from "../../widgets/minitape_widgets/static/replay/replay.js";
import { summaryOf } from "../../widgets/minitape_widgets/static/replay/summary.js";
import { TABLE } from "../../widgets/minitape_widgets/static/replay/table.js";
import { assertPlays, numberOf } from "./plays.js";
import { replayed } from "./replayed.js";

test("the table has the rows that Python promises", () => {
  assert.deepEqual([...TABLE.keys()].sort(), replayed.played);
});

for (const run of replayed.runs)
  test(`${run.name} in ${run.dtype} plays with other numbers as the engine does`, () => assertPlays(run));

test("a row that was just added plays, once the page has it, too", () => {
  assert.throws(() => assertPlays(replayed.new), /not found/);
  TABLE.set("Squash", {
    compute: ([x]) => each((a) => a / (1 + Math.abs(a)), x),
    rule: () => (g, y) => each((a, b) => a * (1 - Math.abs(b)) ** 2, g, y),
  });
  try {
    assertPlays(replayed.new);
  } finally {
    TABLE.delete("Squash");
  }
});

const FACTS = "text dtype shape number min max mean nan inf zero cells strided".split(" ");

test("what the page computes looks as what Python has computed", () => {
  for (const { summary, numbers } of replayed.summaries) {
    const { bytes, ...said } = summary;
    const x = kept({ shape: summary.shape, data: numbers.map(numberOf) }, summary.dtype);
    const found = summaryOf(x, summary.dtype);
    const names = FACTS.filter((name) => name in found);
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, found[name]])), said);
  }
});

const moments = replayed.moments;

/** A storyboard that can be held, and the node that a name means. */
function held(name) {
  const board = withOwnValues(moments[name]);
  const node = (label) => board.nodes.findIndex((one) => one.label === label);
  const text = (n) => board.values[board.nodes[n].value].text;
  const hands = holding(board);
  return { board, hands, limits: () => limitsOf(board, hands), node, text };
}

test("an equal number elsewhere does not move along", () => {
  const { board, hands, node, text } = held("fan_out"); // x * x + 3 * x at 2: two adjoints are 3 and 2 as well
  const before = board.values.map((value) => value.text);
  hands.hold(node("x"), 0, 5);
  assert.equal(text(node("x")), "5.0");
  assert.equal(text(node("y")), "40.0");
  const result = board.frames.find((frame) => frame.act === "result");
  assert.equal(board.values[result.value].text, "13.0");
  const three = board.nodes.findIndex((one) => one.text === "3.0");
  assert.equal(text(three), "3.0");
  assert.equal(hands.changed, true);
  hands.reset();
  assert.deepEqual(
    board.values.map((value) => value.text),
    before,
  );
  assert.equal(hands.changed, false);
});

/** A storyboard of which some cards claim an operation that throws; how often it was asked. */
function broken(board, which) {
  const asked = { times: 0 };
  const refuse = () => {
    asked.times += 1;
    throw new TypeError("no attribute");
  };
  // a Sum asks for its axis
  const cards = board.cards.map((card, c) => (which.includes(c) ? { ...card, op: "Sum" } : card));
  const attributes = which.map((c) => [c, new Proxy({}, { get: refuse })]);
  return { asked, board: withOwnValues({ ...board, cards, replay: { ...board.replay, attributes } }) };
}

test("the page plays only when somebody takes hold; what it cannot play stays and says so", () => {
  const { fan_out } = moments; // x * x + 3 * x at 2
  const { asked, board } = broken(
    fan_out,
    fan_out.cards.map((_, c) => c),
  );
  const { nodes, values } = board;
  const before = values.map((value) => value.text);
  const found = hands(board);
  const [x] = found.leaves;
  assert.equal(asked.times, 0);
  found.hold(x, 0, 5);
  assert.ok(asked.times);
  assert.equal(values[nodes[x].value].text, "5.0", "what one holds follows the hand");
  const { stays } = limitsOf(board, found);
  assert.ok(stays.length);
  for (const n of stays) assert.equal(values[nodes[n].value].text, before[nodes[n].value]);
  found.reset();
  assert.deepEqual(
    values.map((value) => value.text),
    before,
  );
});

test("beside a card that cannot be played the others are", () => {
  const { fan_out } = moments;
  const square = fan_out.cards.findIndex(({ inputs }) => inputs[0] === inputs[1]);
  const { board } = broken(fan_out, [square]);
  const found = hands(board);
  const [x] = found.leaves;
  found.hold(x, 0, 5);
  const text = (n) => board.values[board.nodes[n].value].text;
  const triple = board.cards.findIndex((card, c) => c !== square && card.inputs.includes(x));
  assert.equal(text(board.cards[triple].outputs[0]), "15.0");
  assert.equal(text(board.cards[square].outputs[0]), "4.0");
  assert.ok(limitsOf(board, found).stays.includes(board.cards[square].outputs[0]));
});

test("beside a seed that fits nothing the values follow, and the adjoints stay and say so", () => {
  const { fan_out } = moments;
  const seed = fan_out.frames.findIndex(({ act }) => act === "seed");
  const [target] = fan_out.passes[0].targets;
  const given = fan_out.frames.map((frame, k) => (k === seed ? { ...frame, key: "seed.given" } : frame));
  const empty = fan_out.frames.map((one) => (one.act === "sum" ? { ...one, key: "sum.versions", count: 0 } : one));
  for (const [seeds, frames, unseeded] of [
    [[[seed, [1, 2, 3]]], fan_out.frames, [target]],
    [[], given, [target]],
    [[], empty, []],
  ]) {
    const board = withOwnValues({ ...fan_out, frames, replay: { ...fan_out.replay, seeds } });
    const found = hands(board);
    const [x] = found.leaves;
    found.hold(x, 0, 5);
    assert.equal(board.values[board.nodes[target].value].text, "40.0", "5 × 5 + 3 × 5");
    assert.deepEqual(limitsOf(board, found).unseeded, unseeded);
    found.reset();
    assert.equal(board.values[board.nodes[target].value].text, "10.0");
  }
});

test("only numbers that nobody computed can be held", () => {
  for (const board of Object.values(moments)) {
    const { leaves } = holding(withOwnValues(board));
    for (const n of leaves) assert.equal(board.nodes[n].card, null);
    assert.ok(leaves.size);
  }
});

test("a branch that was taken is said to be turned when its question would be answered otherwise", () => {
  const { hands, limits, node } = held("branch");
  hands.hold(node("x"), 0, 1);
  assert.deepEqual(limits().turned, []);
  hands.hold(node("x"), 0, -1);
  assert.equal(limits().turned.length, 1);
  hands.reset();
  assert.deepEqual(limits().turned, []);
});

test("what cannot be played stays as it was, and says so", () => {
  const { hands, limits, node, text } = held("unknown");
  const before = text(node("u"));
  hands.hold(node("x"), 0, 9);
  assert.equal(text(node("u")), before);
  assert.deepEqual(limits().stays, [node("u")]);
});

test("a variable that was given another number later says so: that one stays", () => {
  const { board, hands, limits, node, text } = held("assigned");
  assert.deepEqual(limits().later, []);
  const first = node("w");
  hands.hold(first, 0, 5);
  assert.deepEqual(limits().later, [first]);
  const last = board.nodes.findLastIndex((one) => one.label === "w");
  assert.equal(text(last), "1.4");
  hands.hold(last, 0, 2);
  assert.deepEqual(limits().later, []);
});

test("so does one that was given another number on the same tape", () => {
  const { board, hands, limits, node } = held("assigned on the tape");
  hands.hold(node("w₁"), 0, 5);
  assert.deepEqual(limits().later, [node("w₁")]);
  hands.hold(node("w₂"), 0, 2);
  assert.deepEqual(limits().later, []);
  hands.reset();
  hands.hold(node("v"), 0, 2);
  assert.deepEqual(limits().later, [], board.nodes.map(({ label }) => label).join());
});

test("an infinite number elsewhere does not let wrong numbers pass", () => {
  const other = structuredClone(moments.infinite);
  const y = other.nodes.findIndex((one) => one.label === "y");
  other.values[other.nodes[y].value] = { ...other.values[other.nodes[y].value], text: "7.0", number: 7 };
  const board = withOwnValues(other);
  assert.equal(holding(board).numbers(y), undefined);
});

test("what was computed outside of the library stays as it was, and says so", () => {
  const { board, hands, limits, node, text } = held("escape");
  hands.hold(node("x"), 0, 9);
  assert.equal(text(node("total")), "5.0");
  assert.deepEqual(
    limits().left.map((m) => board.notes[m].params.how),
    ["NumPy"],
  );
  hands.reset();
  assert.deepEqual(limits().left, []);
});

test("what flows out of its domain is shown as what it is", () => {
  const { hands, node, text } = held("logarithm");
  hands.hold(node("x"), 0, -1);
  assert.equal(text(node("y")), "nan");
  hands.hold(node("x"), 0, 0);
  assert.equal(text(node("y")), "-inf");
  hands.hold(node("x"), 0, 1e39); // too large for float32
  assert.equal(text(node("x")), "inf");
});

test("a Jacobian and a tape of a tape follow too", () => {
  const { board, hands, node } = held("nested");
  hands.hold(node("x"), 0, 2);
  const last = board.frames.findLast((frame) => frame.act === "result");
  assert.equal(board.values[last.value].text, "12.0"); // of x * x * x: 6 x
  const { board: other, hands: mine, node: named } = held("jacobian");
  mine.hold(named("x"), 1, 10);
  const whole = other.frames.findLast((frame) => frame.act === "result");
  assert.deepEqual(other.values[whole.value].cells, [
    [2, 0, 0],
    [0, 20, 0],
    [0, 0, 6],
  ]);
});

test("a drag is quick: 200 cards in 16 ms, 2,000 in 50 ms, 95 of 100 times", () => {
  for (const [name, most] of [
    ["chain200", 16],
    ["chain2000", 50],
  ]) {
    const { hands, node } = held(name);
    const times = Array.from({ length: 100 }, (_, k) => {
      const start = process.cpuUsage(); // not the clock: other tests run at the same time
      hands.hold(node("x"), 0, 0.3 + k / 1000);
      return process.cpuUsage(start).user / 1000;
    });
    const ninetyFifth = times.sort((a, b) => a - b)[94];
    assert.ok(ninetyFifth < most, `${name}: ${ninetyFifth} ms`);
  }
});

test("the gradient of a variable that was read in two versions follows, too", () => {
  const { board, hands, node } = held("assigned on the tape");
  const answer = board.frames.findLastIndex((frame) => frame.act === "result" && frame.node === node("w₁"));
  const shown = () => board.values[board.frames[answer].value].number;
  assert.equal(shown(), 4);
  hands.hold(node("v"), 0, 7);
  assert.equal(shown(), 8, "7 for the number before the assignment, 1 for that behind it");
});
