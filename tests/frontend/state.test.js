// The stage after k acts: a pure function of the storyboard, and act by act what CONTRACT.md says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cutEdge } from "../../widgets/minitape_widgets/static/storyboard/current.js";
import { indexOf } from "../../widgets/minitape_widgets/static/storyboard/lookup.js";
import {
  CARD,
  EDGE,
  adjointOf,
  isPlaying,
  stateAt,
  wasPlayed,
} from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { boards, everyBoard as programs, isNear, numberOf } from "./given.js";

/** What no program of ours does, but another may. */
const { nested, none_by_escape, unwatched } = boards;
const isRelease = (frame) => frame.act === "release";
const recording = indexOf(unwatched).recording;
const variants = {
  "played twice": {
    ...unwatched,
    frames: [...unwatched.frames.filter((frame) => !isRelease(frame)), ...unwatched.frames.slice(recording)],
  },
  "never released": { ...nested, frames: nested.frames.filter((frame) => !isRelease(frame)) },
  "released early": {
    ...unwatched,
    frames: [...unwatched.frames.slice(0, 2), { act: "release", tape: 0 }, ...unwatched.frames.slice(2)],
  },
  "the way in was not seen": {
    ...none_by_escape,
    frames: none_by_escape.frames.filter(({ act, card }) => act !== "note" && (act !== "record" || card > 0)),
  },
  "a note while it is played": {
    ...unwatched,
    frames: unwatched.frames.toSpliced(recording + 3, 0, { act: "note", note: 0 }),
  },
};
const everyBoard = [...programs, ...Object.entries(variants)];

function everyMoment(look) {
  for (const [name, board] of everyBoard) for (let k = 0; k <= board.frames.length; k++) look(board, k, name);
}

/** What an act may change, besides k, frame, phase and current. */
const CHANGES = {
  record: ["cards", "nodes", "edges", "heads"],
  skip: ["notes", "nodes", "edges"],
  note: ["notes", "nodes", "edges"],
  seed: ["adjoint", "nodes", "edges", "pass", "parts", "cuts", "visited", "cards", "heads"],
  visit: ["cards", "heads", "visited", "adjoint"],
  part: ["parts", "edges", "cuts"],
  sum: ["adjoint", "parts"],
  cut: ["cuts", "edges"],
  result: ["results", "nodes", "edges"],
  release: ["released", "cards"],
  row: ["rows"],
  chapter: ["chapter"],
};

/** How many parts of a node are added up together with this one. */
function partsUntilTheirSum(board, frame) {
  const ends = ({ act, node }) => act === "seed" || (act === "sum" && node === frame.node);
  const at = board.frames.indexOf(frame);
  const from = board.frames.slice(0, at).findLastIndex(ends);
  const to = board.frames.findIndex((other, i) => i > at && ends(other));
  const span = board.frames.slice(from + 1, to < 0 ? undefined : to);
  return span.filter(({ act, node, key }) => act === "part" && node === frame.node && key !== "part.late").length;
}

/** What an act must have done to the stage `before`. */
const DONE = {
  record(before, after, frame, board) {
    const { inputs, outputs, tape } = board.cards[frame.card];
    assert.equal(after.cards[frame.card], CARD.RECORDED);
    assert.deepEqual(after.heads.get(tape), { card: frame.card, doing: "record" });
    for (const node of [...inputs, ...outputs])
      assert.equal(after.nodes[node], 1, "a card shows its inputs and outputs");
    inputs.forEach((_, i) => {
      const e = indexOf(board).edgeOf[frame.card][i];
      if (e !== undefined) assert.equal(after.edges[e], EDGE.SHOWN);
    });
  },
  skip(before, after, frame) {
    assert.deepEqual(after.notes, [...before.notes, frame.note]);
    if (frame.node !== null) assert.equal(after.nodes[frame.node], 1);
  },
  note(before, after, frame, board) {
    assert.deepEqual(after.notes, [...before.notes, frame.note]);
    for (const node of board.notes[frame.note].nodes) assert.equal(after.nodes[node], 1);
  },
  seed(before, after, frame, board) {
    assert.equal(after.adjoint[frame.node], frame.value);
    assert.equal(after.pass, frame.pass);
    if (before.pass === frame.pass && !before.visited) return; // another target of the same play
    const { tape } = board.passes[frame.pass];
    const last = board.cards.findLastIndex((card, c) => card.tape === tape && after.cards[c]);
    if (last >= 0) assert.deepEqual(after.heads.get(tape), { card: last, doing: "turn" }, "the head turns at the end");
    const own = new Set(board.cards.flatMap((card) => (card.tape === tape ? [...card.inputs, ...card.outputs] : [])));
    board.nodes.forEach((_, node) => {
      if (own.has(node) && node !== frame.node) assert.equal(after.adjoint[node], -1, "an earlier play's are gone");
      if (own.has(node)) assert.equal(after.parts.has(node), false);
      if (!own.has(node) && node !== frame.node) {
        assert.equal(after.adjoint[node], before.adjoint[node], "an earlier round keeps its adjoints");
        assert.deepEqual(after.parts.get(node), before.parts.get(node));
      }
    });
    assert.ok(after.cuts.every(({ card }) => card !== null && board.cards[card].tape !== tape));
    assert.equal(after.visited, 0);
    board.edges.forEach(({ card }, e) => {
      if (card === null || board.cards[card].tape === tape) assert.ok(after.edges[e] <= EDGE.SHOWN);
    });
    const played = board.cards.filter((card, c) => card.tape === tape && after.cards[c] === CARD.PLAYED);
    assert.equal(played.length, 0);
    board.cards.forEach((card, c) => {
      if (card.tape !== tape) assert.equal(after.cards[c], before.cards[c], "another tape is as it was");
    });
  },
  visit(before, after, frame, board) {
    assert.equal(after.cards[frame.card], CARD.PLAYED);
    assert.deepEqual(after.heads.get(board.cards[frame.card].tape), { card: frame.card, doing: "play" });
    assert.equal(after.visited, before.visited + 1);
    if (frame.value === undefined) return;
    const reached = board.cards[frame.card].outputs.map((node) => adjointOf(after, node));
    assert.ok(
      reached.some(({ value }) => value === frame.value),
      "the adjoint of what is visited is complete",
    );
  },
  part(before, after, frame, board) {
    if (frame.key === "part.late") return DONE.cut(before, after, frame, board);
    const of = partsUntilTheirSum(board, frame);
    const part = { card: frame.card, input: frame.input, value: frame.value, local: frame.local ?? -1, of };
    assert.deepEqual(after.parts.get(frame.node), [...(before.parts.get(frame.node) || []), part]);
    const e = indexOf(board).edgeOf[frame.card][frame.input];
    if (e !== undefined) assert.equal(after.edges[e], EDGE.CARRIED);
    const { value, complete, parts } = adjointOf(after, frame.node);
    if (before.adjoint[frame.node] >= 0) return; // a seed, to which parts come
    assert.deepEqual(
      [value, complete],
      of > 1 ? [-1, false] : [frame.value, true],
      "parts wait for their sum, the first as well",
    );
  },
  sum(before, after, frame) {
    assert.equal(after.adjoint[frame.node], frame.value);
    assert.equal(after.parts.has(frame.node), false, "parts are gone when they are summed");
    assert.equal(after.parts.size, before.parts.size - 1);
    assert.deepEqual(adjointOf(after, frame.node), { value: frame.value, complete: true, parts: [] });
  },
  cut(before, after, frame, board) {
    assert.deepEqual(after.cuts, [...before.cuts, frame]);
    const e = cutEdge(frame, board);
    if (e >= 0) assert.equal(after.edges[e], EDGE.CUT);
    if (frame.card !== null) assert.deepEqual([board.edges[e].card, board.edges[e].input], [frame.card, frame.input]);
  },
  result(before, after, frame) {
    assert.deepEqual(after.results, [...before.results, frame]);
    assert.equal(after.nodes[frame.node], 1);
  },
  release(before, after, frame, board) {
    assert.ok(after.released.has(frame.tape));
    board.cards.forEach((card, c) => {
      const gone = card.tape === frame.tape && before.cards[c] !== CARD.FUTURE;
      assert.equal(after.cards[c], gone ? CARD.RELEASED : before.cards[c]);
    });
  },
  row: (before, after, frame) => assert.deepEqual(after.rows, [...before.rows, frame]),
  chapter: (before, after, frame) => assert.equal(after.chapter, frame.chapter),
};

test("a moment is the same however one comes to it", () => {
  for (const [name, board] of everyBoard) {
    const forward = board.frames.map((_, k) => stateAt(board, k));
    const back = board.frames
      .map((_, k) => k)
      .reverse()
      .map((k) => stateAt(board, k));
    assert.deepEqual(back.reverse(), forward, name);
    assert.deepEqual(stateAt(structuredClone(board), board.frames.length), stateAt(board, board.frames.length), name);
  }
});

test("every act does what the contract says, and nothing else", () => {
  const seen = new Set();
  everyMoment((board, k, name) => {
    if (k === 0) return;
    const [before, after] = [stateAt(board, k - 1), stateAt(board, k)];
    const frame = board.frames[k - 1];
    seen.add(frame.act);
    assert.deepEqual([after.k, after.frame], [k, frame]);
    DONE[frame.act](before, after, frame, board);
    const may = new Set(["k", "frame", "phase", "current", ...CHANGES[frame.act]]);
    for (const field of Object.keys(after).filter((field) => !may.has(field)))
      assert.deepEqual(after[field], before[field], `${name}: ${frame.act} changed ${field}`);
  });
  assert.deepEqual([...seen].sort(), Object.keys(DONE).sort(), "the programs have every act");
});

test("of two questions before one act the first is asked", () => {
  const [first, second] = [
    { frame: 2, key: "a" },
    { frame: 2, key: "b" },
  ];
  assert.equal(indexOf({ ...unwatched, prompts: [first, second] }).promptAt.get(2), first);
});

test("the beginning is empty, beyond the end is the end, an unknown act is passed over", () => {
  for (const [name, board] of everyBoard) {
    const start = stateAt(board, 0);
    assert.equal(start.phase, "start");
    for (const list of [start.nodes, start.cards, start.edges]) assert.ok(list.every((state) => state === 0));
    assert.ok(start.adjoint.every((value) => value === -1));
    assert.deepEqual(stateAt(board, -3), start);
    assert.deepEqual(stateAt(board, board.frames.length + 5), stateAt(board, board.frames.length), name);
    assert.equal(stateAt(board, board.frames.length).phase, "done");
  }
  const board = boards.fan_out;
  const later = { ...board, frames: [...board.frames.slice(0, 2), { act: "sing" }, ...board.frames.slice(2)] };
  assert.deepEqual(stateAt(later, 4).nodes, stateAt(board, 3).nodes);
});

test("the tape records, then is played; a note stands in the phase around it", () => {
  for (const [name, board] of everyBoard) {
    let phase = "record";
    board.frames.slice(0, -1).forEach(({ act }, f) => {
      if (act === "record" || act === "chapter") phase = "record";
      else if (act !== "note" && act !== "skip") phase = "play";
      const stage = stateAt(board, f + 1);
      assert.equal(stage.phase, phase, `${name} at ${f + 1}`);
      assert.equal(isPlaying(stage), phase === "play" && stage.pass >= 0, `${name} at ${f + 1}`);
    });
  }
});

test("numbers: parts add up to their sum, adjoint × local derivative is the part", () => {
  let [sums, products] = [0, 0];
  everyMoment((board, k, name) => {
    const frame = board.frames[k];
    if (frame?.act === "sum" && !["sum.versions", "sum.kept"].includes(frame.key)) {
      // there the parts are those of several readings, or are not added
      const parts = stateAt(board, k).parts.get(frame.node);
      assert.ok(parts.length > 1 && (frame.count === undefined || frame.count === parts.length), name);
      const total = parts.reduce((sum, part) => sum + numberOf(board, part.value), 0);
      if (Number.isFinite(total)) (assert.ok(isNear(total, numberOf(board, frame.value)), `${name} at ${k}`), sums++);
    }
    if (frame?.act === "part" && frame.local !== undefined && frame.key !== "part.stretched") {
      const above = adjointOf(stateAt(board, k), board.cards[frame.card].outputs[0]);
      assert.equal(above.complete, true, `${name} at ${k}: a part is sent when the adjoint is complete`);
      const product = numberOf(board, above.value) * numberOf(board, frame.local);
      if (Number.isFinite(product)) (assert.ok(isNear(product, numberOf(board, frame.value)), name), products++);
    }
  });
  assert.ok(sums > 3 && products > 10, `${sums} sums, ${products} products`);
});

test("a way that is not there is seen with both its ends", () => {
  let seen = 0;
  everyMoment((board, k) => {
    const stage = stateAt(board, k);
    board.edges.forEach(({ from, to, card }, e) => {
      if (card !== null || stage.edges[e] === EDGE.CUT) return;
      assert.equal(stage.edges[e] === EDGE.SHOWN, Boolean(stage.nodes[from] && stage.nodes[to]));
      seen += stage.edges[e];
    });
  });
  assert.ok(seen);
});

test("where an act stands", () => {
  everyMoment((board, k) => {
    if (k === 0) return;
    const { frame, current } = stateAt(board, k);
    if (frame.card !== undefined && frame.card !== null) assert.equal(current.card, frame.card);
    if (frame.node !== undefined && frame.node !== null) assert.equal(current.node, frame.node);
    if (frame.act === "record") assert.equal(current.node, board.cards[frame.card].outputs[0]);
    if (frame.act === "part" && current.edge >= 0) {
      const edge = board.edges[current.edge];
      assert.deepEqual([edge.from, edge.card, edge.input], [frame.node, frame.card, frame.input]);
    }
    if (frame.card >= 0 && !(frame.note >= 0)) assert.deepEqual(current.where, board.cards[frame.card].where);
  });
});

test("at the end of a training loop every round still has its adjoints", () => {
  const board = programs.find(([name]) => name === "loop")[1];
  const end = stateAt(board, board.frames.length);
  const visits = board.frames.filter((frame) => frame.act === "visit");
  assert.ok(visits.length > 6);
  for (const { card, value } of visits)
    assert.equal(adjointOf(end, board.cards[card].outputs[0]).value, value, `card ${card}`);
});

test("what is let go at the end without having been visited was not played", () => {
  const kinds = new Set();
  for (const [name, board] of programs) {
    const visits = board.frames.filter((frame) => frame.act === "visit").map(({ card }) => card);
    const stage = stateAt(board, board.frames.length);
    stage.cards.forEach((state, card) => {
      if (state !== CARD.RELEASED) return;
      kinds.add(wasPlayed(stage, board, card));
      assert.equal(wasPlayed(stage, board, card), visits.includes(card), `${name}, card ${card}`);
    });
  }
  assert.equal(kinds.size, 2, "the programs have cards of both kinds");
});
