// How a held number is stepped, read and written.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldText, numberIn, placeOf, strideOf, stepped } from "../../widgets/minitape_widgets/static/held/steps.js";

test("a step is a tenth of the leading digit's place", () => {
  const steps = [3, -3, 25, 250, 0.02, 0, NaN, Infinity].map((x) => Number(strideOf(x).toPrecision(3)));
  assert.deepEqual(steps, [0.1, 0.1, 1, 10, 0.001, 0.1, 0.1, 0.1]);
  assert.equal(stepped(0.1, 2, 0.1), 0.3);
  assert.equal(stepped(NaN, 1, 0.1), 0.1);
  let x = 0.5;
  for (let k = 0; k < 50; k++) x = Math.fround(stepped(x, -1, 0.01));
  assert.equal(x, 0, "fifty steps down in float32 leave no dust");
  assert.equal(stepped(0.123, 1, 0.01), 0.133);
});

test("a text is a number, or it is none", () => {
  assert.deepEqual([" 2,5 ", "−3", "1e-3", ".5", "+4", "-inf", "∞"].map(numberIn), [
    2.5,
    -3,
    0.001,
    0.5,
    4,
    -Infinity,
    Infinity,
  ]);
  assert.ok(Number.isNaN(numberIn("NaN")));
  for (const text of ["", "two", "1.2.3", "0x10", "1 2", "-", "--1", "constructor"])
    assert.equal(numberIn(text), undefined);
  assert.equal(fieldText(2), "2");
});

test("a cell is named by its place", () => {
  assert.deepEqual(
    [0, 5].map((cell) => placeOf(cell, [2, 3])),
    ["[0, 0]", "[1, 2]"],
  );
  assert.equal(placeOf(0, []), "");
});
