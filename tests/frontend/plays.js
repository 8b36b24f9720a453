// Plays what was recorded again with other numbers, and compares with what the engine found when it ran with them; used
// by the tests (replay.test.js) and, for one row, by `make check OP=`: that writes the runs of replayed.py to this
// program, and reads a line for each that plays differently.

import assert from "node:assert/strict";
import { argv, stdin } from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { agrees, play } from "../../widgets/minitape_widgets/static/replay/replay.js";

export const numberOf = (x) => (typeof x === "number" ? x : { nan: NaN, inf: Infinity, "-inf": -Infinity }[x]);

/** The numbers of a storyboard that can be held. */
export function leavesOf(board) {
  const shapeOf = (node) => board.values[board.nodes[node].value].shape;
  return new Map(
    board.replay.numbers
      .filter(([node]) => board.nodes[node].card === null)
      .map(([node, list]) => [node, { shape: shapeOf(node), data: list.map(numberOf) }]),
  );
}

export function assertNear(found, expected, tolerance, what) {
  assert.ok(found, what + ": not found");
  assert.equal(found.data.length, expected.length, what);
  const numbers = expected.map(numberOf);
  const size = Math.max(1, ...numbers.filter(Number.isFinite).map(Math.abs));
  numbers.forEach((x, k) => {
    const y = found.data[k];
    const same = x === y || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= tolerance * size;
    assert.ok(same, `${what}[${k}]: ${y}, not ${x}`);
  });
}

/** Plays the first run with the numbers of the second, and compares with what that found. */
export function assertPlays({ board, other, dtype, targets, gradients }) {
  const played = play(board, leavesOf(other));
  const tolerance = dtype === "float64" ? 1e-9 : 1e-6;
  const seeds = board.passes[0].targets;
  seeds.forEach((node, i) => assertNear(played.nodes[node], targets[i], tolerance, `target ${i}`));
  const results = board.frames.map((frame, k) => [frame, played.frames[k]]).filter(([frame]) => frame.act === "result");
  gradients.forEach((g, i) => {
    if (g !== null) assertNear(results[i][1], g, tolerance, `gradient ${i}`);
    else assert.equal(results[i][1], undefined);
  });
  other.nodes.forEach((node, n) => {
    if (node.card !== null) assert.ok(agrees(played.nodes[n], other.values[node.value], 10), `node ${n}`);
  });
  other.frames.forEach((frame, k) => {
    if (!["part", "sum", "visit", "seed"].includes(frame.act) || frame.value === undefined) return;
    assert.ok(agrees(played.frames[k], other.values[frame.value], 10), `${frame.act} ${k}`);
    if (frame.local !== undefined) assert.ok(agrees(played.locals[k], other.values[frame.local], 10), `local ${k}`);
  });
}

if (argv[1] === fileURLToPath(import.meta.url))
  for (const run of JSON.parse(await text(stdin)))
    try {
      assertPlays(run);
    } catch (error) {
      console.log(`${run.name} in ${run.dtype}: ${String(error.message).split("\n")[0]}`);
    }
