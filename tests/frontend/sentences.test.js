// Sentences: the same as Python's, for every act of every program, in every language.

import assert from "node:assert/strict";
import { test } from "node:test";

import { groupName, nodeName, pieces, speaker } from "../../widgets/minitape_widgets/static/storyboard/sentences.js";
import { stopsOf } from "../../widgets/minitape_widgets/static/storyboard/stops.js";
import {
  fitted,
  numberText,
  shapeText,
  shortValue,
  shorten,
  shortenName,
} from "../../widgets/minitape_widgets/static/storyboard/values.js";
import { boards, captions, catalogues, everyBoard } from "./given.js";

test("every caption of a single act is Python's", () => {
  for (const [name, board] of everyBoard)
    for (const [language, said] of Object.entries(captions[name])) {
      const words = speaker({ ...board, language }, catalogues[language]);
      const { beginOf } = stopsOf(board, "act");
      const alone = [...said.keys()].filter((k) => (beginOf.get(k) ?? k - 1) === k - 1);
      assert.deepEqual(
        alone.map((k) => words.captionText(k)),
        alone.map((k) => said[k]),
        `${name} in ${language}`,
      );
    }
});

test("a caption says its values, so that they can be coloured", () => {
  const board = boards.fan_out;
  const words = speaker(board, catalogues.en);
  board.frames.forEach((frame, f) => {
    const said = words.caption(f + 1).filter((piece) => typeof piece !== "string");
    const value = said.find((piece) => piece.name === "value");
    if (value && frame.act === "part") assert.equal(value.text, board.values[frame.value].text);
  });
});

test("of an unknown key the longest known beginning speaks; an unknown name is an empty text", () => {
  const catalogue = { cut: "cut", "cut.escape": "through {tool}" };
  assert.deepEqual(pieces(catalogue, "cut.escape.numpy", { tool: "NumPy" }), [
    "through ",
    { name: "tool", text: "NumPy" },
  ]);
  assert.deepEqual(pieces(catalogue, "cut.other"), ["cut"]);
  assert.deepEqual(pieces(catalogue, "cut.escape", { tool: null }), ["through ", { name: "tool", text: "" }]);
  assert.deepEqual(pieces(catalogue, "nothing.at.all"), []);
});

test("every node has a name, and a folded group one that fits where it can", () => {
  for (const [, board] of everyBoard) board.nodes.forEach((_, n) => assert.ok(nodeName(board, n).length));
  const board = {
    groups: [
      { kind: "round", label: "for i in range(9), round 5" },
      { kind: "layer", label: "dense, wide" },
    ],
  };
  assert.equal(groupName(board, 0, 40), "for i in range(9), round 5");
  assert.equal(groupName(board, 0, 13), "round 5");
  assert.equal(groupName(board, 1, 5), "dense, wide");
});

test("a zero has no sign", () => {
  assert.deepEqual(
    [-0, 0, -1e-7].map((x) => numberText(x)),
    ["0.0", "0.0", "-1e-07"],
  );
});

test("values in few characters", () => {
  assert.deepEqual(
    ["2.50036", "0.0049321", "-0.00012345", "prediction"].map((text) => fitted(text, 6)),
    ["2.5004", "0.0049", "-1e-4", "predi…"],
    "a number is rounded, where a name is cut",
  );
  const array = { text: "[1. 2.]", dtype: "float32", shape: [2], cells: [[1, 2]] };
  const large = { text: "[3×2] from 0 to 5", dtype: "float32", shape: [3, 2], cells: [[0, 5]] };
  assert.deepEqual([shapeText(large), shapeText({ shape: [] }), shapeText(null)], ["[3×2]", "", ""]);
  assert.deepEqual(
    [shortValue(array), shortValue(array, 5), shortValue(large, 99), shortValue(null)],
    ["[1. 2.]", "[2]", "[3×2]", "None"],
  );
  const names = [
    "BatchNorm.gamma",
    "BatchNorm.moving_variance",
    "Dense1.kernel",
    "a.b.c.kernel",
    "loss",
    "a_long_loss",
  ];
  assert.deepEqual(
    names.map((name) => shortenName(name, 9)),
    ["Ba….gamma", "BatchNor…", "Dense1.k…", "a.b.c.ke…", "loss", "a_long_l…"],
  );
  assert.deepEqual([shorten("abc", 3), shorten("abcd", 3), shorten("😀😀😀", 2)], ["abc", "ab…", "😀…"]);
});
