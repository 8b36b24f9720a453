// How far the page is scrolled when a player arrives: as little as it takes, from its beginning where it is too high.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shiftInto } from "../../widgets/minitape_widgets/static/player/arrival.js";

const view = { top: 100, bottom: 600 };

test("what is in view stays where it is, what is below or above comes in whole", () => {
  assert.equal(shiftInto({ top: 150, bottom: 500 }, view), 0);
  for (const [top, bottom] of [
    [400, 850],
    [700, 900],
    [-50, 300],
    [20, 90],
  ]) {
    const shift = shiftInto({ top, bottom }, view);
    assert.ok(top - shift >= view.top && bottom - shift <= view.bottom, `${top}: ${shift}`);
  }
  const shift = shiftInto({ top: 300, bottom: 1200 }, view);
  assert.ok(300 - shift >= view.top && 300 - shift < view.top + 20, "its beginning, where Step stands");
});
