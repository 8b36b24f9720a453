// What an adjoint means: a nudge does what the adjoint promises, as long as it is small; and the plot that shows it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heightsOf, pathOf, placeIn, spanAt } from "../../widgets/minitape_widgets/static/held/spans.js";
import { briefText, signedText } from "../../widgets/minitape_widgets/static/held/steps.js";
import { holding, withOwnValues } from "../../widgets/minitape_widgets/static/replay/holding.js";
import { lineOf } from "../../widgets/minitape_widgets/static/replay/nudge.js";
import { adjointOf, stateAt } from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { replayed } from "./replayed.js";

/** A storyboard, its hands, and the line of a node at a moment (the last one, unless another is asked for). */
function taken(recorded) {
  const board = withOwnValues(recorded);
  const hand = holding(board);
  const node = (name) => board.nodes.findIndex((one) => one.label === name || one.text === name);
  const line = (n, k = board.frames.length) => lineOf(board, hand, n, adjointOf(stateAt(board, k), n).value);
  return { board, hand, node, line };
}

const named = (name) => taken(replayed.moments[name]);
const near = (a, b, tolerance, what) =>
  assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b)), `${what}: ${a}, not ${b}`);

test("of x * x + 3 * x at 2 a nudge of 0.1 gives 0.71, and the adjoint promised 0.7", () => {
  const { hand, node, line } = named("fan_out");
  const found = line(node("x"));
  const { change, promise, changes } = found.nudge(0, 0.1);
  near(change, 0.71, 1e-9, "change");
  near(promise, 0.7, 1e-9, "promise");
  const [x, square, triple, y] = ["0.1", "0.41", "0.3", "0.71"];
  assert.deepEqual(
    changes.map(([, by]) => briefText(by)),
    [x, square, triple, y],
    "the change of every number on the way",
  );
  assert.equal(found.plain, true);
  assert.deepEqual(
    [0, 1, 2].map((x) => found.at(0, x)),
    [0, 4, 10],
  );
  assert.ok(Math.abs(line(node("x × x")).nudge(0, 2).change - 2) < 1e-9, "a value in the middle has an adjoint of 1");
  hand.hold(node("x"), 0, 5);
  near(line(node("x")).nudge(0, 0.1).promise, 1.3, 1e-6, "the line moves along");
});

test("a curve ends where float32 does, though it is drawn in all digits", () => {
  const { hand, node, line } = named("fan_out");
  const found = line(node("x"));
  assert.equal(found.at(0, 1e20), Infinity, "as in the box of x × x");
  assert.equal(found.at(0, 1.1), 1.1 * 1.1 + 3 * 1.1, "no digit is lost");
  hand.hold(node("x"), 0, 1e20);
  assert.equal(line(node("x")).nudge(0, 0).y, Infinity, "and the plot has no point to stand on");
});

test("in every program a small nudge of any cell does what its adjoint says", () => {
  let seen = 0;
  for (const { name, board } of replayed.runs.filter((run) => run.name.startsWith("program"))) {
    const { board: mine, line } = taken(board);
    mine.nodes.forEach((_, n) => {
      const found = line(n);
      if (!found?.adjoint) return;
      assert.deepEqual(found.stays, []);
      const size = Math.max(...found.adjoint.data.map(Math.abs), 1e-3);
      for (let cell = 0; cell < found.value.data.length; cell += 2) {
        const [more, less] = [found.nudge(cell, 1e-6), found.nudge(cell, -1e-6)];
        const sides = [more.change / 1e-6, less.change / -1e-6];
        if (Math.abs(sides[0] - sides[1]) > 1e-3 * size) continue; // a corner: where(a > b), max
        assert.ok(Math.abs(sides[0] - more.promise / 1e-6) < 2e-3 * size, `${name}, node ${n}[${cell}]: ${sides}`);
        seen += 1;
      }
    });
  }
  assert.ok(seen > 1000, String(seen));
});

test("a target of several numbers counts as its seed says, a row of a Jacobian as its one number", () => {
  const { node, line } = named("weighed");
  const found = line(node("w"));
  assert.equal(found.plain, false);
  assert.equal(found.targets.length, 2);
  const { change, promise } = found.nudge(1, 1e-4); // of 10 w0² - w1² + 2 · 3 (w0 + w1): 2
  near(promise / 1e-4, 2, 1e-5, "promise");
  near(change / 1e-4, 2, 1e-3, "change");
  const { board, node: of, line: at } = named("jacobian");
  const rows = board.frames.flatMap((frame, k) => (frame.act === "row" ? [k] : []));
  const second = at(of("x"), rows[1]);
  assert.equal(second.place, "[1]");
  near(second.nudge(1, 1e-4).change, second.nudge(1, 1e-4).promise, 1e-6, "row");
  assert.equal(second.nudge(0, 1).change, 0);
});

test("each play of a tape has its own target", () => {
  const { board, node, line } = named("twice");
  const ends = board.frames.flatMap((frame, k) => (frame.act === "result" ? [k + 1] : []));
  const [first, second] = ends.map((k) => line(node("x"), k));
  near(first.nudge(0, 1).change, 5, 1e-9, "of x * x");
  near(second.nudge(0, 1).change, 19, 1e-9, "of x * x * x");
});

test("what has no adjoint yet, or none that the page can compute, has no line", () => {
  const { node, line } = named("fan_out");
  assert.equal(line(node("x"), 3), null);
  const other = named("unknown");
  assert.deepEqual(other.line(other.node("x")).stays, [other.node("u")]);
  const u = other.line(other.node("u"));
  assert.deepEqual(u.stays, [], "behind what the page cannot compute all is well");
  near(u.nudge(0, 1).change, 1.5, 1e-6, "u * x");
});

test("a way on which no adjoint comes back is told from a bend", () => {
  const stopped = named("stopped");
  assert.equal(stopped.line(stopped.node("x")).silent(0), true);
  assert.equal(named("fan_out").line(named("fan_out").node("x")).silent(0), false);
  const chosen = named("chosen");
  assert.equal(chosen.line(chosen.node("x")).silent(0), false, "what only chooses sends nothing");
});

test("a logarithm of nothing is not finite, and the line says so", () => {
  const { hand, node, line } = named("logarithm");
  assert.equal(line(node("x")).at(0, -1), NaN);
  hand.hold(node("x"), 0, 0);
  assert.equal(line(node("x")).at(0, 0), -Infinity);
  assert.ok(Number.isNaN(line(node("x")).nudge(0, -1).change));
});

test("a plot stays while its point is drawn along, and moves on at its end", () => {
  const first = spanAt(2);
  assert.deepEqual([first.from, first.to].map(briefText), ["\u22121", "5"]);
  assert.deepEqual(spanAt(3, first), first);
  const later = spanAt(5, first);
  near(later.to - later.from, 6, 1e-9, "width");
  assert.ok(later.from > first.from && later.to > 5);
  const moved = (spanAt(5.1, first).from - first.from) / first.step; // seven steps would do
  assert.equal(Math.round(moved * 1e6) / 1e6, 8, "by whole pieces of the curve: no point of it is played again");
  assert.deepEqual(spanAt(500, first), spanAt(500), "a point far off has a plot of its own");
  assert.deepEqual(spanAt(0).step, 0.1);
});

test("a curve that runs away leaves room for the rest, and is broken where it is no number", () => {
  const ys = Array.from({ length: 41 }, (_, k) => 1 / (k - 20.01));
  const { low, high } = heightsOf(ys, 0.1);
  assert.ok(high < 20 && low > -20, `${low} to ${high}`);
  assert.ok(heightsOf([3, 3, 3], 3).high > 3, "a flat one has a height");
  const relu = Array.from({ length: 61 }, (_, k) => Math.max(0, k - 50));
  assert.ok(heightsOf(relu, 0).high > 10, "a unit that wakes up near the end is seen to rise");
  assert.ok(heightsOf([NaN, Infinity], 1).high > 1);
  assert.equal(pathOf([0, NaN, 1, 2], 0, 2), "M0 100M66.67 50L100 0");
  assert.equal(placeIn(Infinity, 0, 1), 1e4);
});

test("a change is written with its sign", () => {
  assert.deepEqual([0.71, -2, 0, NaN, 1e-7].map(signedText), ["+0.71", "\u22122", "0", "nan", "+1e\u221207"]);
});

test("a gradient that counts two versions of a variable is no promise for a nudge of one of them", () => {
  const { board, node, line } = named("assigned on the tape");
  const others = (k) => line(node("w₁"), k).others;
  const sum = board.frames.findIndex((frame) => frame.key === "sum.versions");
  assert.deepEqual(others(sum), [], "before both are counted the adjoint is its own");
  assert.deepEqual(others(sum + 1), [node("w₂")]);
  assert.deepEqual(others(board.frames.length), [node("w₂")]);
  assert.deepEqual(line(node("w₂")).others, []);
  assert.deepEqual(line(node("v")).others, []);
});
