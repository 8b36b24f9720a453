// The graph's geometry, sizes and words, without a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { calloutWidth, endOf, gapsOf, placeCallout } from "../../widgets/minitape_widgets/static/graph/callout.js";
import { drawingsOf, whole } from "../../widgets/minitape_widgets/static/graph/drawings.js";
import { isQuiet } from "../../widgets/minitape_widgets/static/graph/edges.js";
import {
  closer,
  curve,
  distance,
  middle,
  outline,
  roomy,
  stackOf,
  tip,
} from "../../widgets/minitape_widgets/static/graph/geometry.js";
import { sizeFor } from "../../widgets/minitape_widgets/static/graph/inside.js";
import { numbersOf } from "../../widgets/minitape_widgets/static/graph/numbers.js";
import {
  detailAt,
  framed,
  heightIn,
  lettersAt,
  natural,
  scaleOf,
} from "../../widgets/minitape_widgets/static/graph/scale.js";
import { speaker } from "../../widgets/minitape_widgets/static/storyboard/sentences.js";
import { stateAt } from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { boards, catalogues, everyBoard, everyMoment } from "./given.js";

const everyDrawing = everyBoard.flatMap(([, board]) => board.drawings.map((_, d) => whole(board, d)));
const line = [
  [0, 0],
  [10, 0],
  [20, 0],
  [30, 0],
];

test("the middle of an edge lies on it, half way, and knows its direction", () => {
  assert.deepEqual(middle(line), { x: 15, y: 0, dx: 1, dy: 0 });
  assert.deepEqual(middle([...line, [40, 0], [50, 0], [60, 0]]), { x: 30, y: 0, dx: 1, dy: 0 });
  assert.deepEqual(middle([[4, 5]]), { x: 4, y: 5, dx: 1, dy: 0 });
  for (const { points } of everyDrawing.flatMap((drawing) => drawing.edges)) {
    const { x, y, dx, dy } = middle(points);
    assert.ok(Math.abs(Math.hypot(dx, dy) - 1) < 1e-9);
    for (const [at, i] of [
      [x, 0],
      [y, 1],
    ]) {
      const along = points.map((point) => point[i]);
      assert.ok(at >= Math.min(...along) - 1e-9 && at <= Math.max(...along) + 1e-9, "inside of its control points");
    }
  }
});

test("paths: every control point of an edge, and where it ends", () => {
  assert.equal(curve(line), "M0 0C10 0 20 0 30 0");
  assert.equal(curve([...line, [1, 1], [2, 2], [3, 3]]), "M0 0C10 0 20 0 30 0C1 1 2 2 3 3");
  assert.deepEqual(tip(line), { x: 30, y: 0, angle: 0 });
  assert.deepEqual(
    tip([
      [0, 0],
      [0, 1],
      [0, 2],
      [0, 9],
    ]),
    { x: 0, y: 9, angle: 90 },
  );
});

test("what a node is can be told by its outline alone", () => {
  const [variable, watched, constant, input, result] = ["variable", "watched", "constant", "input", "intermediate"].map(
    (role) => outline(role, 60, 30),
  );
  assert.equal(variable, watched);
  assert.equal(constant, input);
  assert.equal(new Set([variable, constant, result]).size, 3);
  assert.ok(!variable.includes("A") && result.includes("A12 12") === false && result.includes("A10 10"));
});

test("of a gap between columns a quarter is left, beside what a box keeps free", () => {
  const box = (x) => ({ node: 0, x, y: 0, w: 40, h: 20 });
  const { width, nodes, edges } = closer({
    width: 440,
    height: 20,
    nodes: [box(20), box(420)],
    edges: [
      {
        edge: 0,
        points: [
          [20, 0],
          [40, 0],
          [400, 0],
          [420, 0],
        ],
      },
    ],
  });
  const left = 0.75 * (400 - 40 - 28); // 14 pixels on either side of a box
  assert.deepEqual([width, nodes[0].x, nodes[1].x], [440 - left, 20, 420 - left]);
  assert.deepEqual(
    edges[0].points.map(([x]) => x),
    [20, 40, 400 - left, 420 - left],
  );
});

test("columns come closer: no box changes its size, none is passed or covered", () => {
  for (const drawing of everyDrawing) {
    const near = closer(drawing);
    assert.ok(near.width <= drawing.width && near.height === drawing.height);
    near.nodes.forEach((box, i) => assert.deepEqual({ ...box, x: 0 }, { ...drawing.nodes[i], x: 0 }));
    const overlaps = (boxes) =>
      boxes.flatMap((a, i) =>
        boxes
          .slice(i + 1)
          .filter((b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2),
      );
    assert.equal(overlaps(near.nodes).length, overlaps(drawing.nodes).length);
    const order = (boxes) => boxes.map((_, i) => i).sort((a, b) => boxes[a].x - boxes[b].x || a - b);
    assert.deepEqual(order(near.nodes), order(drawing.nodes));
  }
});

test("parts stack where the next box is farther away", () => {
  const box = { x: 0, y: 0, w: 40, h: 20 };
  const at = (y, x = 0) => ({ x, y, w: 40, h: 20 });
  assert.equal(stackOf(box, [box]), 1);
  assert.equal(stackOf(box, [box, at(40)]), -1);
  assert.equal(stackOf(box, [box, at(90)]), 1);
  assert.equal(stackOf(box, [box, at(50), at(-40)]), 1);
  assert.equal(stackOf(box, [box, at(40, 300)]), 1);
  let read = 0;
  const nodes = Array.from({ length: 300 }, (_, k) => ({ node: k, x: 0, w: 10, h: 10, y: 99 * k }));
  for (const one of nodes) Object.defineProperty(one, "x", { enumerable: true, get: () => ((read += 1), 0) });
  const drawing = { width: 9, height: 99 * 300, nodes, edges: [] };
  assert.equal(roomy(drawing, new Map([[299, 4]]), () => 18).nodes[299].y, 99 * 299);
  assert.ok(read < 1000, "only where parts stack are all other boxes looked at");
  assert.equal(distance(box, [0, 5]), 0);
  assert.equal(distance(box, [23, 14]), 5);
});

test("a picture fits its pane, always, and is no smaller than it has to be", () => {
  const panes = [
    { width: 300, height: 120 },
    { width: 700, height: 300 },
    { width: 1300, height: 460 },
    { width: 1900, height: 900 },
  ];
  for (const options of [{ large: false }, { large: true }, { large: false, bare: true }])
    for (const picture of everyDrawing.map(framed))
      for (const pane of panes) {
        const scale = scaleOf(picture, pane, options);
        assert.ok(picture.width * scale <= pane.width && picture.height * scale <= pane.height, "it fits");
        const fills = picture.width * scale >= pane.width - 15 || picture.height * scale >= pane.height - 3;
        assert.ok(fills || scale === natural(options, pane.width), "as large as the pane, or as it is meant to be");
        assert.ok(heightIn(picture, pane.width, options) >= picture.height * scale - 1);
      }
  assert.equal(lettersAt(1, { large: false }), 1);
});

test("a small picture grows with a wide pane", () => {
  const picture = { width: 400, height: 200 };
  const at = (width) => scaleOf(picture, { width, height: 800 }, { large: false });
  assert.ok(at(800) < at(1100) && at(1100) < at(1340) && at(1900) <= 1.6);
});

test("a callout stands inside of its bounds, and beside the boxes where there is room", () => {
  const size = { w: 120, h: 26 };
  const bounds = { from: 0, to: 600, height: 300, spare: 0 };
  const wall = { x: 300, y: 124, w: 300, h: 40, above: 0, below: 0 };
  for (const at of [
    { x: 300, y: 150 },
    { x: 5, y: 5 },
    { x: 599, y: 299 },
  ]) {
    const { x, y } = placeCallout(size, at, [], bounds).bubble;
    assert.ok(x >= 60 && x <= 540 && y >= 13 && y <= 287);
  }
  assert.equal(
    placeCallout(size, { x: 300, y: 150 }, [], bounds).bubble.y,
    124,
    "just above, where nothing is in the way",
  );
  assert.equal(placeCallout(size, { x: 300, y: 150 }, [wall], bounds).bubble.y, 176, "below, where a box is above");
});

test("a callout covers nothing: it stands farther away, or nowhere", () => {
  const size = { w: 120, h: 26 };
  const at = { x: 300, y: 150 };
  const wall = { x: 300, y: 150, w: 600, h: 240, above: 0, below: 0 };
  const bounds = { from: 0, to: 600, height: 300, spare: 0 };
  assert.ok(placeCallout(size, at, [wall], bounds).bubble.y < 20, "in the gap that is left");
  assert.equal(placeCallout(size, at, [wall], { ...bounds, reach: 90 }), null, "not so far away");
  assert.equal(placeCallout(size, at, [{ ...wall, h: 290 }], bounds), null);
  assert.equal(placeCallout({ w: 700, h: 26 }, at, [], bounds), null, "wider than the pane");
  const most = { ...wall, x: 150, w: 300, h: 300 }; // only the far right is free
  const { bubble } = placeCallout(size, { x: 20, y: 150 }, [most], bounds);
  assert.ok(bubble.x - 60 >= 300);
});

test("a callout that may stand on boxes stands on as few as it can", () => {
  const box = { w: 100, h: 40, above: 0, below: 0 };
  const near = [110, 230, 350, 470].map((x) => ({ ...box, x, y: 80 }));
  const over = [...near, { ...box, x: 110, y: 170 }, { ...box, x: 300, y: 240 }];
  const bounds = { from: 0, to: 600, height: 260, spare: 0 };
  const own = { x: 300, y: 20, w: 40, h: 30, above: 0, below: 0 };
  const { bubble, struck } = placeCallout({ w: 560, h: 30 }, { x: 300, y: 5, tall: 30 }, [own], { ...bounds, over });
  assert.ok(bubble.y - 15 >= 100 && bubble.y + 15 <= 150 && struck <= 1, JSON.stringify({ bubble, struck }));
  assert.ok(placeCallout({ w: 560, h: 30 }, { x: 300, y: 5, tall: 30 }, [own], bounds).bubble.y < 100, "else near");
});

test("the line of an answer does not strike through the box above its own", () => {
  const box = { x: 300, w: 80, h: 60, above: 4, below: 12 };
  const [above, own] = [
    { ...box, y: 120 },
    { ...box, y: 206 },
  ];
  const at = { x: 300, y: 176, tall: 60, wide: 80 };
  const bounds = { from: 0, to: 600, height: 250, spare: 0 };
  const { x, y } = placeCallout({ w: 200, h: 42 }, at, [above, own], bounds).bubble;
  assert.ok(x < 200 && y === 206, `beside it, not at ${x}, ${y}`);
});

test("the line of a callout begins where it passes by what stands below its own box", () => {
  const at = { x: 150, y: 0, tall: 36, wide: 60, above: 4, below: 12 };
  const own = { x: 150, y: 18, w: 60, h: 36, above: 4, below: 12 };
  const number = { x: 150, y: 68, w: 30, h: 20, above: 4, below: 4 };
  const bounds = { from: 20, to: 320, height: 120, spare: 0 };
  const { bubble, begin, struck } = placeCallout({ w: 200, h: 26 }, at, [own, number], bounds);
  assert.ok(
    Math.abs(bubble.x - 150) < 100 && bubble.y > 90 && begin && struck === 0,
    JSON.stringify({ bubble, begin }),
  );
});

test("the line of a callout strikes through a box where it meets its middle, however small that is", () => {
  const box = { x: 30, y: 0, w: 10, h: 8, above: 4, below: 10 };
  const struck = (x, y, endX, endY) => gapsOf([x, y], [endX, endY], [box]).length > 0;
  assert.deepEqual([struck(0, 0, 100, 0), struck(26, 50, 26, -50), struck(100, 9, 0, 9)], [true, true, true]);
  assert.deepEqual(gapsOf([0, 0], [100, 0], [box]), [[0.25, 0.35]], "so much of it is behind the box");
  assert.deepEqual([struck(0, 11, 100, 11), struck(0, 0, 20, 0), struck(20, -1, 30, -9)], [false, false, false]);
});

test("the line of a callout ends at the badge of its box, and does not cross it", () => {
  const at = { x: 300, y: 176, tall: 60, wide: 80, above: 0, below: 12 };
  const above = { ...at, above: 20, below: 0 };
  const size = { w: 200, h: 42 };
  const ends = [at, above].flatMap((at) => [90, 300].map((y) => endOf({ x: 300, y, ...size }, at)[1]));
  assert.deepEqual(ends, [176, 248, 156, 236]);
});

test("the callout of a part says the multiplication, that of a sum its parts, with the texts of the values", () => {
  let said = 0;
  everyMoment((board, k, name) => {
    const frame = board.frames[k - 1];
    const words = speaker(board, catalogues.en);
    const [found] = numbersOf({ board, words, grow: 1, options: { knows: null } }, stateAt(board, k), 4000);
    if (frame?.act === "visit" && frame.value !== undefined)
      return assert.deepEqual([found.length, found[0].kind], [1, "adjoint"]); // said where its number cannot be read
    if (!["part", "sum", "cut", "seed"].includes(frame?.act)) return assert.ok(!found || frame.act === "record");
    if (frame.act === "cut") return assert.equal(!found, isQuiet(frame, board));
    const text = found.map((word) => word.text).join("");
    assert.ok(calloutWidth(found) > 20);
    const scalar = (v) => board.values[v].shape.length === 0;
    if (!scalar(frame.value)) return;
    said += 1;
    const late = frame.key === "part.late" ? " too late" : "";
    assert.ok(text.endsWith(board.values[frame.value].text + late), `${name} at ${k}: ${text}`);
    if (frame.act === "sum" && frame.key !== "sum.kept") {
      const parts = stateAt(board, k - 1)
        .parts.get(frame.node)
        .map((part) => board.values[part.value].text);
      assert.equal(
        text,
        parts.slice(0, 4).join(" + ") + (parts.length > 4 ? " + …" : "") + " = " + board.values[frame.value].text,
      );
    }
    if (frame.act === "part" && frame.local >= 0 && scalar(frame.local)) {
      assert.match(text, / × /);
      assert.ok(text.includes(board.values[frame.local].text));
      assert.equal(found.find((word) => word.kind === "local").text, board.values[frame.local].text);
    }
  });
  assert.ok(said > 20);
});

test("before local derivatives have been introduced, one that changes nothing is left out of the callout", () => {
  const board = boards.fan_out;
  const words = speaker(board, catalogues.en);
  /** @type {(knows: string[] | null) => string[]} */
  const said = (knows) =>
    board.frames.flatMap(({ act }, f) => {
      const [found] =
        act === "part" ? numbersOf({ board, words, grow: 1, options: { knows } }, stateAt(board, f + 1), 4000) : [[]];
      return found.length ? [found.map(({ text }) => text).join("")] : [];
    });
  const last = ["1.0 × 3.0 = 3.0", "1.0 × 2.0 = 2.0", "1.0 × 2.0 = 2.0"];
  assert.deepEqual(said(null), ["1.0 × 1.0 = 1.0", "1.0 × 1.0 = 1.0", ...last]);
  assert.deepEqual(said(["value", "adjoint"]), ["1.0", "1.0", ...last]);
});

test("what a tape of one's own did wrong is not called a sum, nor a product", () => {
  const board = boards.own;
  const told = { board, words: speaker(board, catalogues.en), grow: 1, options: { knows: null } };
  const said = board.frames
    .map((frame, f) => [frame, numbersOf(told, stateAt(board, f + 1), 4000)[0]])
    .filter(([frame]) => ["sum.kept", "part.plain"].includes(frame.key))
    .map(([, found]) => found.map((word) => word.text).join(""));
  assert.deepEqual(said, ["-6.0", "5.0, 6.0, -6.0 → -6.0"]);
});

test("a constant is cut quietly; a variable, and a way that is not there, are not", () => {
  const board = boards.unwatched;
  const cuts = board.frames.filter((frame) => frame.act === "cut");
  assert.ok(cuts.length > 1 && cuts.every((frame) => !isQuiet(frame, board)));
  const node = board.nodes.findIndex((node) => node.role === "constant" || node.role === "input");
  const cut = { act: "cut", card: 0, input: 0, node, why: "unwatched" };
  const unasked = { ...board, frames: [] };
  assert.equal(isQuiet(cut, unasked), true);
  for (const other of [{ card: null }, { node: null }, { why: "blocked" }])
    assert.equal(isQuiet({ ...cut, ...other }, unasked), false);
  const asked = { ...board, frames: [{ act: "result", pass: 0, node, value: null }] };
  assert.equal(isQuiet(cut, asked), false, "its gradient was asked for, and is None");
});

test("what is too small to be read shows less, never smaller letters", () => {
  for (const grow of [1.2, 1.6, 2, 3, 5])
    for (const text of ["w", "loss", "tf.matmul(x, w1)"]) {
      const size = sizeFor(13, text, 100, grow);
      assert.ok(size === 0 || (size >= 10 * grow && size <= 13 * grow && size * text.length * 0.6 <= 100));
    }
  assert.ok(sizeFor(13, "loss", 100, 1.2) > 0 && sizeFor(13, "tf.matmul(x, w1)", 100, 1.2) === 0);
  const details = [1, 0.5, 0.4, 0.2, 0.05].map((scale) => detailAt(scale, { large: false }));
  assert.deepEqual(details, ["all", "all", "names", "shapes", "colours"]);
});
