// Heights: no player is higher than its room where its panes can give way, and two side by side are equally high.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  arrangement,
  columnOf,
  heights,
  jointly,
  share,
  wanted,
} from "../../widgets/minitape_widgets/static/player/layout.js";

const MODES = ["beside", "rows", "single"];
const base = {
  em: 14,
  width: 1000,
  left: true,
  fixed: 200,
  caption: 60,
  tape: 120,
  chapters: 0,
  crowded: false,
  column: 400,
};

/** Measures of many players. */
function* everyFound() {
  for (const mode of MODES)
    for (const inspector of ["", "folded", "open"])
      for (const asks of [false, true])
        for (const tight of [0, 1, 2])
          for (const [code, graph, jacobian] of [
            [60, 90, 0],
            [300, 200, 0],
            [80, 460, 110],
            [900, 900, 0],
          ])
            yield { ...base, mode, inspector, asks, tight, code, graph, jacobian };
}

test("a height is shared: all where there is room, no more than there is, never less than the least", () => {
  const wishes = [
    { need: 300, least: 100 },
    { need: 100, least: 50 },
  ];
  assert.deepEqual(share(400, wishes), [300, 100]);
  assert.deepEqual(share(150, wishes), [100, 50]);
  assert.deepEqual(share(10, wishes), [100, 50]);
  for (let rest = 150; rest <= 400; rest += 7) {
    const given = share(rest, wishes);
    assert.ok(given[0] + given[1] <= rest && given[0] + given[1] > rest - 2 - 1e-9, `${rest}: ${given}`);
    given.forEach((height, i) => assert.ok(height >= wishes[i].least && height <= wishes[i].need));
  }
});

test("the stage fits its room, grows with it, and has what it needs where there is enough", () => {
  for (const found of everyFound()) {
    let before = 0;
    for (const room of [300, 500, 640, 860, 5000]) {
      const { stage, top, graph } = heights(found, room);
      assert.ok(stage >= before, "more room, no lower stage");
      before = stage;
      if (found.mode === "rows") assert.equal(stage, top + graph + found.jacobian);
      const least = heights(found, 0).stage;
      assert.ok(stage <= Math.max(room - found.fixed, least) + 1, `${JSON.stringify(found)} in ${room}: ${stage}`);
    }
    const { stage } = heights(found, 5000);
    if (found.mode === "beside") assert.ok(stage >= Math.max(found.code, found.graph + found.jacobian));
    if (found.mode === "rows") assert.ok(stage >= found.code + found.graph);
  }
});

test("on a small laptop a question and two strips find room, and the code and the graph keep some of theirs", () => {
  const found = { ...base, mode: "beside", jacobian: 0, tight: 0, inspector: "folded", code: 300, graph: 460 };
  assert.equal(heights({ ...found, asks: true, fixed: 220 }, 497).stage, 277);
  assert.equal(heights({ ...found, asks: false, fixed: 320 }, 497).stage, 177);
  assert.equal(heights({ ...found, asks: true }, 0).stage, Math.floor((7.4 + 12) * found.em));
  assert.equal(heights({ ...found, asks: false }, 0).stage, Math.floor(12 * found.em));
});

test("what may open has its room before it opens", () => {
  for (const found of everyFound()) {
    if (found.inspector !== "open") continue;
    const { stage } = heights(found, 5000);
    if (found.mode === "single") assert.ok(stage >= found.code + 11 * found.em);
    if (found.mode === "rows") assert.ok(heights(found, 5000).top >= Math.floor(5.8 * found.em));
  }
});

test("a curve has more of the stage, which is as high as before, and the graph keeps some", () => {
  for (const found of everyFound()) {
    if (found.mode !== "rows") continue;
    for (const room of [300, 640, 860]) {
      const [before, after] = [heights(found, room), heights(found, room, true)];
      assert.equal(after.top + after.graph, before.top + before.graph);
      assert.equal(after.stage, before.stage);
      assert.ok(after.top >= Math.min(15.2 * found.em, before.top + before.graph - 7.7 * found.em) - 1e-9);
      assert.ok(after.graph >= Math.min(before.graph, 7.7 * found.em) - 1e-9);
    }
  }
});

test("the panes stand beside each other where the graph keeps its size", () => {
  const found = {
    left: true,
    right: true,
    width: 1200,
    rest: 500,
    em: 14,
    code: { width: 300, height: 100 },
    picture: { width: 500, height: 300 },
    large: false,
  };
  assert.equal(arrangement(found), "beside");
  assert.equal(arrangement({ ...found, picture: { width: 3000, height: 100 } }), "rows");
  assert.equal(arrangement({ ...found, width: 500 }), "rows");
  assert.equal(arrangement({ ...found, width: 700, code: { width: 600, height: 100 } }), "rows");
  assert.equal(arrangement({ ...found, large: true, picture: { width: 3000, height: 100 } }), "beside");
  assert.equal(arrangement({ ...found, right: false }), "single");
  assert.equal(arrangement({ ...found, left: false }), "single");
  assert.equal(arrangement({ ...found, left: false, right: false }), "nothing");
});

test("the code's column is as wide as its code, within bounds", () => {
  assert.equal(columnOf("beside", 1000, 14, 300, false), 300);
  assert.equal(columnOf("beside", 1000, 14, 900, false), 420);
  assert.equal(columnOf("beside", 600, 14, 900, false), 276);
  assert.equal(columnOf("beside", 1000, 14, 10, false), 238);
  assert.equal(columnOf("rows", 1000, 14, 10, false), 420);
  assert.equal(columnOf("rows", 1000, 14, 2000, false), 692);
  assert.equal(columnOf("beside", 1000, 14, 2000, true), 455);
});

test("on a phone what is opened has the room of a curve, and the graph has the rest", () => {
  const found = { ...base, mode: "rows", jacobian: 0, tight: 2, asks: false, code: 300, graph: 300 };
  const open = heights({ ...found, width: 340, inspector: "open" }, 620);
  assert.deepEqual([open.top, open.graph], [15 * found.em, 620 - found.fixed - 15 * found.em]);
  for (const other of [{ width: 340, inspector: "folded" }, { inspector: "open" }])
    assert.ok(heights({ ...found, ...other }, 620).top < open.top);
});

test("a pane is as wide as a picture of its height, with its edges", () => {
  const picture = { width: 800, height: 500 };
  assert.equal(columnOf("beside", 1000, 14, 900, false, wanted(picture, 500)), 360);
  assert.equal(columnOf("beside", 1000, 14, 900, false, wanted(picture, 375)), 1000 - 600 - 10);
});

test("two players get the same heights, whichever is first", () => {
  const several = [...everyFound()].filter((_, i) => i % 5 === 0);
  for (const a of several)
    for (const b of several.slice(0, 8)) {
      const [ab, ba] = [jointly(a, { ...b, tape: 90, fixed: 190 }), jointly({ ...b, tape: 90, fixed: 190 }, a)];
      for (const name of ["code", "graph", "jacobian", "caption", "tape", "chapters", "fixed", "asks", "mode"])
        assert.equal(ab[name], ba[name], name);
      assert.ok(ab.fixed >= Math.max(a.fixed, 190) && ab.code >= a.code && ab.graph >= b.graph);
    }
});
