// Which arrays are said to have an axis of examples: where it is certain, and nowhere else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { batchOf } from "../../widgets/minitape_widgets/static/replay/batch.js";

/** A storyboard of cards "made = op(inputs)", with the shape and role of each value. */
function boardOf(values, cards) {
  const names = Object.keys(values);
  return {
    nodes: names.map((name, value) => ({ role: values[name][1], value })),
    values: names.map((name) => ({ shape: values[name][0] })),
    cards: cards.map(([made, op, ...inputs]) => ({
      op,
      inputs: inputs.map((name) => names.indexOf(name)),
      outputs: [names.indexOf(made)],
    })),
    names,
  };
}

const LINE = {
  x: [[3, 2], "input"],
  w: [[2, 1], "variable"],
  b: [[1], "variable"],
  t: [[3, 1], "constant"],
  xw: [[3, 1], "intermediate"],
  y: [[3, 1], "intermediate"],
  e: [[3, 1], "intermediate"],
  loss: [[], "intermediate"],
};
const CARDS = [
  ["xw", "MatMul", "x", "w"],
  ["y", "Add", "xw", "b"],
  ["e", "Sub", "y", "t"],
  ["loss", "Mean", "e"],
];

/** @type {(values: any, cards: any) => string} */
function batch(values, cards) {
  const board = boardOf(values, cards);
  return [...batchOf(board)]
    .map((n) => board.names[n])
    .sort()
    .join(" ");
}

test("data, targets and what is computed row by row have an axis of examples; weights have none", () => {
  assert.equal(batch(LINE, CARDS), "e t x xw y");
});

test("nothing is claimed where the rows are not added up, or no data meets a weight", () => {
  assert.equal(batch(LINE, CARDS.slice(0, 3)), "");
  assert.equal(batch({ ...LINE, x: [[3, 2], "variable"] }, CARDS), "");
  assert.equal(batch({ ...LINE, w: [[2, 1], "constant"] }, CARDS), "");
});

test("what is stretched over the rows of data says that they are examples", () => {
  const values = {
    x: [[3, 2], "constant"],
    b: [[2], "variable"],
    k: [[3, 2], "constant"],
    y: [[3, 2], "intermediate"],
  };
  const rest = { ky: [[3, 2], "intermediate"], loss: [[], "intermediate"] };
  const ends = [
    ["ky", "Mul", "k", "y"],
    ["loss", "Sum", "ky"],
  ];
  const all = { ...values, ...rest };
  assert.equal(batch(all, [["y", "Add", "x", "b"], ...ends]), "k ky x y");
  assert.equal(batch(all, [["y", "Add", "b", "x"], ...ends]), "k ky x y");
  assert.equal(batch({ ...all, b: [[], "variable"] }, [["y", "Add", "x", "b"], ...ends]), "", "one number is no row");
  assert.equal(batch({ ...all, b: [[2], "constant"] }, [["y", "Add", "x", "b"], ...ends]), "");
  assert.equal(batch({ ...all, x: [[3, 1], "constant"] }, [["y", "Add", "x", "b"], ...ends]), "", "both are stretched");
  assert.equal(batch(all, [["y", "Add", "x", "b"], ends[0]]), "");
});

test("one row is no batch, and a matrix that stands on its side has other rows", () => {
  const one = Object.fromEntries(
    Object.entries(LINE).map(([name, [shape, role]]) => [name, [shape.map((n) => (n === 3 ? 1 : n)), role]]),
  );
  assert.equal(batch(one, CARDS), "");
  assert.equal(batch({ ...LINE, x: [[2, 3], "input"] }, CARDS), "");
});

test("rows that are mixed end it", () => {
  const mixed = [CARDS[0], ["y", "Transpose", "xw"], ["e", "Sub", "y", "t"], CARDS[3]];
  assert.equal(batch({ ...LINE, y: [[1, 3], "intermediate"] }, mixed), "");
});
