// Where the numbers of small arrays come from, in every recorded act of every program that the page plays: put together
// from their origins they are the numbers that the engine has found.

import assert from "node:assert/strict";
import { test } from "node:test";

import { originsBackwards, originsForwards } from "../../widgets/minitape_widgets/static/replay/origins.js";
import { gridOf } from "../../widgets/minitape_widgets/static/storyboard/grid.js";
import { boards } from "./given.js";
import { replayed } from "./replayed.js";

const ALL = [...Object.values(boards), ...replayed.runs.map(({ board }) => board)];
const cellsOf = ({ shape, cells, number }) => (shape.length ? cells.flat() : [number]).map(Number);

/** The numbers that origins make: a row times a column, else a sum. */
function made({ origins, meet }) {
  const count = origins[0].cells.length;
  return Array.from({ length: count }, (_, d) => {
    const brought = origins.map(({ cells, numbers }) => cells[d].map((cell) => numbers[cell]));
    if (!meet) return brought.flat().reduce((a, b) => a + b, 0);
    const [row, column] = brought;
    assert.equal(row.length, column.length);
    return row.reduce((sum, a, k) => sum + a * column[k], 0);
  });
}

function assertNear(found, wanted, what) {
  assert.equal(found.length, wanted.length, what);
  const size = Math.max(1, ...wanted.map(Math.abs));
  found.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]) <= 4e-3 * size, `${what}[${k}]: ${x}, not ${wanted[k]}`));
}

test("a result is what its origins bring", () => {
  const seen = new Map();
  for (const board of ALL)
    board.cards.forEach((card, c) => {
      const found = originsForwards(board, c);
      if (!found) return;
      const wanted = cellsOf(board.values[board.nodes[card.outputs[0]].value]);
      const elementwise =
        found.origins.length > 1
        && !found.meet
        && found.origins.every(({ cells }) => cells.every((list) => list.length === 1));
      const { shape } = board.values[board.nodes[card.inputs[0]].value];
      const kind = found.meet ? "product " + shape.length : elementwise ? "stretched" : card.op;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      const share = card.op === "Mean" ? found.origins[0].cells[0].length : 1;
      if (kind === "stretched") assert.ok(found.origins.every(({ cells }) => cells.length === wanted.length));
      else
        assertNear(
          made(found).map((x) => x / share),
          wanted,
          `${card.op} ${c}`,
        );
    });
  for (const kind of ["product 2", "product 3", "stretched", "Sum", "Mean", "Reshape"])
    assert.ok(seen.get(kind) > 0, kind + " was not seen");
});

test("a part is what its origins bring", () => {
  const seen = new Map();
  for (const board of ALL) {
    let adjoint = null;
    for (const frame of board.frames) {
      if (frame.act === "visit") adjoint = frame.value;
      if (frame.act !== "part" || adjoint === null || adjoint === undefined) continue;
      const found = originsBackwards(board, frame, adjoint);
      if (!found) continue;
      const { op } = board.cards[frame.card];
      const kind = found.meet ? "product " + frame.input : frame.key === "part.stretched" ? "folded" : op;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      const wanted = cellsOf(board.values[frame.value]);
      const { shares = 1, numbers } = found.origins[0];
      if (op === "Mean") assert.equal(shares, wanted.length / numbers.length);
      assertNear(made(found), wanted, `${op} ${frame.card}.${frame.input}`);
    }
  }
  for (const kind of ["product 0", "product 1", "folded", "Sum", "Mean"])
    assert.ok(seen.get(kind) > 0, kind + " was not seen");
});

test("at most a dozen numbers are a grid, in the order of their axes", () => {
  const cells = [
    [0, 0.5],
    [-1, 1e-7],
    ["nan", 12345.678],
  ];
  const grid = gridOf({ text: "", dtype: "float32", shape: [3, 2], cells });
  assert.deepEqual(grid.rows, [
    ["0.", "0.5"],
    ["-1.", "1e-07"],
    ["nan", "1.235e+04"],
  ]);
  assert.equal(gridOf({ text: "", dtype: "int64", shape: [1], cells: [[7]] }).rows[0][0], "7");
  assert.equal(gridOf({ text: "", dtype: "bool", shape: [2], cells: [[1, 0]] }).rows[0][1], "False");
  assert.equal(gridOf({ text: "", dtype: "float32", shape: [13], cells: [Array(13).fill(0)] }), null);
  assert.equal(gridOf({ text: "1.0", dtype: "float32", shape: [], number: 1 }), null);
});
