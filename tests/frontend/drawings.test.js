// Which drawing a moment shows: rounds lie on one another, and what was opened is left when the play leaves it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawingsOf, whole } from "../../widgets/minitape_widgets/static/graph/drawings.js";
import { bestOf, scaleOf } from "../../widgets/minitape_widgets/static/graph/scale.js";
import { stateAt } from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { boards, everyBoard } from "./given.js";

const board = boards.folded; // a loop of 30 rounds, two operations each
const loop = board.groups.findIndex((group) => group.kind === "loop");
const rounds = [...board.groups.keys()].filter((g) => board.groups[g].parent === loop);
const drawings = drawingsOf(board, {});
const records = board.frames.findIndex((frame) => frame.act === "record" && frame.card === 20);

test("rounds that are alike stand at the same places, each with its own nodes", () => {
  const [third, fourth] = [rounds[2], rounds[3]].map((g) => drawings.numberOf(g, null));
  const places = (d) => whole(board, d).nodes.map(({ x, y, w, h }) => [x, y, w, h]);
  assert.deepEqual(places(third), places(fourth));
  const nodes = (d) => whole(board, d).nodes.map((box) => box.node);
  assert.notDeepEqual(nodes(third), nodes(fourth));
  for (const d of [third, fourth]) {
    const [first, last] = board.groups[board.drawings[d].group].cards;
    const made = board.cards.slice(first, last + 1).flatMap((card) => card.outputs);
    assert.ok(made.every((node) => nodes(d).includes(node)));
    for (const line of whole(board, d).edges) {
      const { from, to } = board.edges[line.edge];
      assert.ok(nodes(d).includes(from) && nodes(d).includes(to));
    }
  }
});

test("the round that is played lies on top of its stack", () => {
  const stage = stateAt(board, records + 1);
  const { drawing, rounds: tops } = drawings.at(0, stage);
  assert.deepEqual(tops, [rounds[10]]);
  const box = drawing.nodes.find((one) => one.inside);
  assert.equal(box.group, loop);
  const inner = drawing.nodes.slice(
    drawing.nodes.length - whole(board, drawings.numberOf(rounds[10], stage)).nodes.length,
  );
  for (const one of inner) {
    assert.ok(Math.abs(one.x - box.x) + one.w / 2 <= box.w / 2 && Math.abs(one.y - box.y) + one.h / 2 <= box.h / 2);
    assert.ok(one.y - one.h / 2 >= box.y - box.h / 2 + 30, "under the stack's name");
  }
  assert.equal(drawings.numberOf(loop, stage), drawings.numberOf(rounds[10], stage));
  const end = stateAt(board, board.frames.length);
  assert.deepEqual(drawings.at(0, end).rounds, [rounds[0]], "the play ends at the first round");
});

test("what was opened follows the play to other rounds, and is left with the loop", () => {
  const third = drawings.numberOf(rounds[2], null);
  assert.equal(drawings.near(third, board.groups[rounds[2]].cards[0]), third);
  assert.equal(drawings.near(third, board.groups[rounds[29]].cards[1]), drawings.numberOf(rounds[29], null));
  assert.equal(drawings.near(0, 5), 0, "the whole stays the whole");
  assert.deepEqual(drawings.stack(rounds[2]), rounds);
  assert.ok(drawings.opens(loop) && drawings.opens(rounds[0]));
});

test("of several drawings the one with the most numbers that can be read is seen, else the largest", () => {
  const of = (...found) => bestOf(found, {});
  assert.equal(of({ scale: 0.8, numbers: 9 }, { scale: 1.06, numbers: 3 }), 0);
  assert.equal(of({ scale: 0.7, numbers: 9 }, { scale: 0.8, numbers: 3 }), 1, "too small to be read");
  assert.equal(of({ scale: 0.7, numbers: 9 }, { scale: 0.75, numbers: 3 }), 0, "both are small");
  assert.equal(of({ scale: 0.4, numbers: 9 }, { scale: 0.45, numbers: 3 }), 1, "no number is seen");
  assert.equal(of({ scale: 0.9, numbers: 3 }, { scale: 0.85, numbers: 3 }), 1, "its own, where little lies between");
  assert.equal(of({ scale: 1.06, numbers: 3 }, { scale: 0.93, numbers: 3 }), 1, "its own is large enough");
  assert.equal(of({ scale: 1, numbers: 3 }, { scale: 0.8, numbers: 3 }), 0);
  assert.equal(
    bestOf(
      [
        { scale: 0.9, numbers: 9 },
        { scale: 1, numbers: 3 },
      ],
      { large: true },
    ),
    1,
  );
});

test("a pane takes the drawing that it shows best: the same boxes and lines at other places", () => {
  const several = everyBoard.filter(([, one]) => one.drawings[0].others);
  assert.ok(several.length > 1);
  for (const [name, one] of several) {
    const ways = drawingsOf(one, {});
    const own = one.drawings[0].others.length;
    const pane = { width: 342, height: 430 };
    const scale = (i) => Math.min(...ways.sizes(i).map((size) => scaleOf(size, pane, {})));
    const taken = ways.take([pane]);
    assert.ok(taken < own && scale(taken) > scale(own), name);
    const { drawing, way } = ways.at(0, null);
    assert.equal(way, taken);
    assert.deepEqual(
      drawing.nodes.map(({ node, group }) => [node, group]),
      one.drawings[0].nodes.map(({ node, group }) => [node, group]),
    );
    const [x, , w, h] = one.drawings[0].others[taken].boxes.at(-1);
    assert.deepEqual([drawing.nodes.at(-1).x, drawing.nodes.at(-1).w, drawing.nodes.at(-1).h], [x, w, h]);
    assert.equal(drawing.edges[0].points.length, one.drawings[0].others[taken].lines[0].length);
  }
});
