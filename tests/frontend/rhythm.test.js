// The rhythm of slow play, act by act, on programs that minitape has just played.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stayOf } from "../../widgets/minitape_widgets/static/controls/rhythm.js";
import { everyMoment, numberOf } from "./given.js";

test("slow at the first product, at sums and at answers; quick where nothing new happens", () => {
  const seen = new Set();
  let products = 0;
  everyMoment((board, k, name) => {
    const frame = board.frames[k - 1];
    const stay = stayOf(board, k);
    if (!frame || frame.act === "seed") products = 0;
    assert.ok(stay >= 0.5 && stay <= 1.6, `${name} at ${k}`);
    if (["sum", "result", "release", "seed"].includes(frame?.act)) assert.ok(stay > 1, `${name} at ${k}`);
    if (frame?.act === "visit") assert.ok(stay < 1, `${name} at ${k}`);
    if (frame?.act !== "part" || frame.local === undefined || frame.local === null) return;
    const local = board.values[frame.local];
    if (local.shape.length) return;
    const kind = numberOf(board, frame.local) === 1 ? "same" : (products += 1) > 1 ? "product" : "first";
    seen.add(kind + Math.sign(stay - 1));
  });
  for (const wanted of ["same-1", "first1", "product0"]) assert.ok(seen.has(wanted), wanted);
  for (const never of ["same0", "same1", "product-1"]) assert.ok(!seen.has(never), never);
});
