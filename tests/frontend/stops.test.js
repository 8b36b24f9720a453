// Steps of every size: where each stops, and what it says there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inStep, nextMoment, positionsOf } from "../../widgets/minitape_widgets/static/pair/steps.js";
import { indexOf } from "../../widgets/minitape_widgets/static/storyboard/lookup.js";
import { speaker } from "../../widgets/minitape_widgets/static/storyboard/sentences.js";
import {
  SIZES,
  nextStop,
  sizeIn,
  sizesOf,
  stopsOf,
  usualSize,
} from "../../widgets/minitape_widgets/static/storyboard/stops.js";
import { boards, catalogues, everyBoard } from "./given.js";

/** What is said at each stop. */
function told(board, size, language = "en") {
  const words = speaker(board, catalogues[language]);
  words.size.now = size;
  return stopsOf(board, size).ends.slice(1).map(words.captionText);
}

const asked = (board) => board.prompts.map(({ frame }) => frame);
const unasked = (board) => ({ ...board, prompts: [] });

test("every size goes from the beginning to the end, stops at every question, and never between acts", () => {
  for (const [name, board] of everyBoard)
    for (const size of SIZES) {
      const { ends } = stopsOf(board, size);
      assert.deepEqual([ends[0], ends.at(-1)], [0, board.frames.length], `${name} by ${size}`);
      ends.slice(1).forEach((end, i) => assert.ok(end > ends[i]));
      for (const frame of asked(board))
        assert.ok(ends.includes(frame), `${name} by ${size}: a question is passed over`);
    }
});

test("a step on, and back again, is where one was", () => {
  for (const [, board] of everyBoard)
    for (const size of SIZES) {
      const { ends } = stopsOf(board, size);
      for (let i = 1; i < ends.length; i++) {
        assert.equal(nextStop(board, size, ends[i - 1], 1), ends[i]);
        assert.equal(nextStop(board, size, ends[i], -1), ends[i - 1]);
        assert.equal(nextStop(board, size, ends[i] - 0.5, -1), ends[i - 1], "from between two stops to the one before");
      }
      assert.equal(nextStop(board, size, 0, -1), 0);
      assert.equal(nextStop(board, size, board.frames.length, 1), board.frames.length);
    }
});

test("a larger step is never a smaller one: lines stop where cards stop, ways where lines do", () => {
  for (const [name, board] of everyBoard)
    for (const [large, small] of [
      ["card", "act"],
      ["line", "card"],
      ["way", "line"],
    ]) {
      const fine = new Set(stopsOf(board, small).ends);
      for (const end of stopsOf(board, large).ends) assert.ok(fine.has(end), `${name}: ${large} at ${end}`);
    }
});

test("an act that says nothing of its own is told with its neighbour", () => {
  assert.deepEqual(told(unasked(boards.fan_out), "act").slice(3), [
    "The tape is played backwards, from y. A small change of y changes y just as much: its adjoint is 1.",
    "Card 3, Add: ȳ = 1.0. x × x receives ȳ = 1.0.",
    "3 × x receives ȳ = 1.0.",
    "Card 2, Mul: ū₂ = 1.0. The third x receives ū₂ × 3.0 = 1.0 × 3.0 = 3.0.",
    "Card 1, Mul: ū₁ = 1.0. The first x receives ū₁ × x = 1.0 × 2.0 = 2.0.",
    "The second x receives ū₁ × x = 1.0 × 2.0 = 2.0.",
    "x was used 3 times, so 3 parts arrive. They add up to its adjoint: 7.0.",
    "The gradient of y with respect to x is 7.0.",
  ]);
  assert.match(told(boards.running_example, "act").at(-1), /^The gradients of loss: b: .*, w: /);
});

test("a step ends where the lesson speaks, unless it is a round or the whole way", () => {
  const board = { ...unasked(boards.fan_out), asides: [{ frame: 5, text: { en: "Look." } }] };
  for (const size of SIZES)
    assert.equal(stopsOf(board, size).ends.includes(5), size !== "way" && size !== "round", size);
});

test("a card is one step there and one back", () => {
  for (const [name, board] of everyBoard) {
    const plain = unasked(board);
    const { ends } = stopsOf(plain, "card");
    for (let i = 1; i < ends.length; i++) {
      const acts = plain.frames.slice(ends[i - 1], ends[i]).map(({ act }) => act);
      assert.ok(acts.filter((act) => act === "visit").length <= 1, `${name}: ${acts}`);
      if (!acts.includes("visit")) assert.ok(acts.filter((act) => act === "record").length <= 1, `${name}: ${acts}`);
    }
  }
});

test("lines of a program: what each makes, and what it receives and sends on", () => {
  assert.deepEqual(told(unasked(boards.running_example), "line"), [
    "Line 6 makes prediction = [[0.1] [0.6] [1.1]].",
    "Line 7 makes loss = 3.72667.",
    told(unasked(boards.running_example), "act")[5],
    "Line 7 receives 1.0 and sends [[-0.6] [-0.9333] [-1.933]] to prediction.",
    "Line 6 receives [[-0.6] [-0.9333] [-1.933]] and sends [[-13.07] [-16.53]] to w and [-3.467] to b.",
    "The gradients of loss: b: [-3.467], w: [[-13.07] [-16.53]].",
  ]);
  assert.equal(told(unasked(boards.fan_out), "line")[2], "Line 3 receives 1.0 and sends 3.0 + 2.0 + 2.0 to x.");
  assert.equal(told(unasked(boards.fan_out), "line", "fr")[2], "La ligne 3 reçoit 1.0 et envoie 3.0 + 2.0 + 2.0 à x.");
});

test("what a step receives and sends stands apart from the words, with its colour", () => {
  const board = unasked(boards.running_example);
  const words = speaker(board, catalogues.en);
  words.size.now = "line";
  const parts = words.caption(stopsOf(board, "line").ends[5]).filter((piece) => typeof piece === "object");
  assert.deepEqual(
    parts.filter(({ value }) => value).map(({ value }) => value.shape),
    [[3, 1], [2, 1], [1]],
  );
  assert.deepEqual(
    parts.map(({ name, text }) => ({ name, text })),
    [
      { name: "who", text: "Line 6" },
      { name: "adjoint", text: "[[-0.6] [-0.9333] [-1.933]]" },
      { name: "part", text: "[[-13.07] [-16.53]]" },
      { name: "node", text: "w" },
      { name: "part", text: "[-3.467]" },
      { name: "node", text: "b" },
    ],
  );
});

test("a training step of two layers is at most ten steps where nobody asks for others", () => {
  const board = boards.training;
  assert.equal(usualSize(boards.running_example), "act");
  const all = told(board, usualSize(board));
  assert.ok(all.length <= 3 * 10 && board.frames.length > 3 * 25);
  const step = all.slice(0, all.length / 3);
  assert.match(step[1], /^Dense1 makes .* = \[4×16\]/);
  assert.match(step[2], /^Dense2 makes model\(x\) = /);
  assert.match(
    step.find((text) => text.startsWith("Dense2 receives")),
    /^Dense2 receives .* and sends \[16×1\] to its kernel/,
  );
  assert.match(
    step.find((text) => text.startsWith("Dense1 receives")),
    /to its kernel and \[16\] to its bias\.$/,
  );
  assert.ok(step.every((text) => !text.includes("broadcast_to") && !text.includes("reshape")));
});

test("rounds: of a training loop there and back, of a loop on a tape each way, of a Jacobian its rows", () => {
  assert.deepEqual(told(boards.loop, "round"), [
    "Step 1: the loss is 16.0. The gradient of loss with respect to w is -16.0.",
    "Step 2: the loss is 0.64. The gradient of loss with respect to w is -3.2.",
    "Step 3: the loss is 0.0256. The gradient of loss with respect to w is -0.639999.",
  ]);
  const round = told(boards.folded, "round");
  assert.equal(round.length, 30 + 1 + 30 + 1);
  assert.match(round[2], /^Round 3 makes y₃ = /);
  assert.match(round[31], /^Round 30 receives 1\.0 and sends /);
  assert.equal(told(boards.jacobian, "round").filter((text) => text.startsWith("Row ")).length, 3);
  assert.deepEqual(
    everyBoard.filter(([, board]) => sizesOf(board).includes("round")).map(([name]) => name),
    ["jacobian", "loop", "folded", "training"],
    "what an inner play records is no loop",
  );
});

test("the whole way: there, and back to the answers", () => {
  assert.deepEqual(told(unasked(boards.fan_out), "way"), [
    "3 cards are recorded, up to y = 10.0.",
    "The gradient of y with respect to x is 7.0.",
  ]);
  assert.equal(told(boards.nested, "way").length, 3);
});

test("two players step together in every size", () => {
  for (const size of SIZES)
    for (const [, a] of everyBoard)
      for (const [, b] of everyBoard.slice(0, 4)) {
        const fine = inStep(a, b);
        const moments = inStep(a, b, size);
        assert.deepEqual([moments[0], moments.at(-1)], [fine[0], fine.at(-1)]);
        const begins = [a, b].map((board) => indexOf(board).recording);
        let at = moments[0];
        for (const moment of moments.slice(1)) {
          assert.deepEqual(nextMoment(moments, at, 1), moment, "each is reached by a step");
          assert.deepEqual(nextMoment(moments, moment, -1), at);
          moment.forEach((k, i) => {
            const board = [a, b][i];
            assert.ok(stopsOf(board, sizeIn(board, size)).ends.includes(k) || k === begins[i]);
          });
          at = moment;
        }
        assert.equal(nextMoment(moments, at, 1), undefined);
        const places = positionsOf(fine, moments);
        places.forEach((place, m) => moments[m].forEach((k, i) => assert.ok(fine[place][i] >= k)));
      }
});

test("after a question, which leads one act on, no stop of two players is passed over", () => {
  const moments = [
    [0, 0],
    [7, 3],
    [7, 7],
    [7, 9],
    [31, 16],
  ];
  /** @type {number[][]} */
  const seen = [];
  for (let at = [8, 4]; at; at = nextMoment(moments, at, 1)) seen.push(at);
  assert.deepEqual(seen, [[8, 4], [8, 7], [8, 9], [31, 16]]); // prettier-ignore
  assert.deepEqual(nextMoment(moments, [8, 4], -1), [7, 3]);
});
