// A valley without a page: where a point stands, when it has left the picture, and the tapes of another rate.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedTrace } from "../../widgets/minitape_widgets/static/storyboard/check.js";
import * as walks from "../../widgets/minitape_widgets/static/valley/walks.js";
import { isNear, numberOf, valleys } from "./given.js";

test("a point stands where its numbers are, and far outside it stays near", () => {
  const valley = { x: [-2, 4], y: [0, 10] };
  assert.deepEqual(walks.spotOf(valley, [1, 5, -3]), [320, 130]);
  assert.deepEqual(walks.spotOf(valley, [4.2e7, 1e30, 1]), [1e4, 260 - 1e4]);
  assert.ok(walks.isInside(valley, [4, 10]) && !walks.isInside(valley, [4.1, 5]) && !walks.isInside(valley, [1, -1]));
});

test("the step at which a walk leaves the picture", () => {
  const { valley } = valleys.bowl;
  const at = (rate) => walks.leaves(valley, valley.rates.indexOf(rate));
  assert.deepEqual([at(0.1), at(0.96)], [-1, -1]);
  assert.equal(at(1.2), 1);
});

for (const name of ["bowl", "egg"])
  test(`the page plays the tapes of all rates as minitape does: ${name}`, () => {
    const { valley, storyboard } = valleys[name];
    valley.rates.forEach((_, rate) => {
      const board = walks.playedAt(storyboard, valley, rate);
      const { points } = valley.walks[rate];
      board.chapters.forEach(({ loss }, step) => {
        assert.ok(isNear(numberOf(board, loss), points[step][valley.names.length]), `${rate}, ${step}`);
      });
      const results = board.frames.filter(({ act }) => act === "result");
      assert.equal(results.length, valley.steps * valley.names.length);
      results.forEach(({ value }, i) => {
        const [step, which] = [Math.floor(i / valley.names.length), i % valley.names.length];
        assert.ok(isNear(numberOf(board, value), points[step][valley.names.length + 1 + which]), `${rate}, ${i}`);
      });
      assert.ok(
        board.replay.numbers.some(([, [number]]) => number === points[1][0]),
        "they are the recorded numbers now",
      );
    });
  });

test("what the page cannot play it does not pretend to", () => {
  for (const name of ["bent", "outside"]) {
    const { valley, storyboard } = valleys[name];
    assert.equal(walks.playedAt(storyboard, valley, valley.rates.length - 1), null, name);
  }
  const { valley, storyboard } = valleys.bowl;
  assert.equal(walks.playedAt({ ...storyboard, replay: null }, valley, 0), null);
  assert.equal(walks.playedAt({ ...storyboard, passes: storyboard.passes.slice(1) }, valley, 0), null);
});

test("a valley that is damaged is refused", () => {
  const trace = valleys.bowl;
  const { valley } = trace;
  assert.ok(checkedTrace(trace).valley);
  const other = (changes) => checkedTrace({ ...trace, valley: { ...valley, ...changes } });
  const [first, ...rest] = valley.walks;
  const wrong = [
    ...[{ names: [] }, { names: "w" }, { names: ["u", "v"] }, { x: [1, 1] }, { y: [0, NaN] }, { ticks: [[]] }],
    ...[{ ground: ["M0 0<script>"] }, { ground: [3] }, { rates: [] }, { rate: 999 }, { rate: -1 }, { walks: rest }],
    ...[{ walks: [{ ...first, points: [] }, ...rest] }, { walks: [{ ...first, points: [[1, 2, Infinity]] }, ...rest] }],
    ...[
      { walks: [{ ...first, points: [[1, 2]] }, ...rest] },
      { walks: [{ ...first, end: 3 }, ...rest] },
      { steps: "12" },
    ],
  ];
  for (const changes of wrong) assert.equal(other(changes), "ui.damaged", JSON.stringify(changes).slice(0, 60));
  assert.equal(checkedTrace({ ...trace, valley: 3 }), "ui.damaged");
  assert.equal(checkedTrace({ ...trace, storyboard: null }), "ui.damaged");
});
