// The module that Python joins for a widget and a page is the one whose files are served as they are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { inStep } from "../../widgets/minitape_widgets/static/pair/steps.js";
import { readLink, writeLink } from "../../widgets/minitape_widgets/static/player/link.js";
import { judge } from "../../widgets/minitape_widgets/static/prompt/judge.js";
import { speaker } from "../../widgets/minitape_widgets/static/storyboard/sentences.js";
import { stateAt } from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { catalogues, everyBoard, everyMoment } from "./given.js";

const whole = await import(pathToFileURL(process.env.MINITAPE_JOINED).href);

/**
 * The text of a function without what joining leaves out: comments, types, spaces, a comma at the end of a list, and
 * parentheses around one parameter.
 */
const bare = (f) =>
  String(f)
    .replace(/\/\*\*[^]*?\*\/|(?<=[;{},)]) \/\/ .*|^\s*\/\/ .*/gm, "")
    .replace(/\s+/g, "")
    .replace(/,(?=[)\]}])/g, "")
    .replace(/\((\w+)\)=>/g, "$1=>");

test("it has what a page and a notebook ask for", () => {
  assert.deepEqual([typeof whole.show, typeof whole.showAll], ["function", "function"]);
});

test("its functions are those of the files", () => {
  for (const [name, f] of Object.entries({ inStep, readLink, writeLink, judge, speaker, stateAt }))
    assert.equal(bare(whole[name]), bare(f), name);
});

test("it says and shows the same", () => {
  everyMoment((board, k) => assert.deepEqual(whole.stateAt(board, k), stateAt(board, k)));
  for (const [name, board] of everyBoard) {
    const [said, own] = [whole.speaker(board, catalogues.fr), speaker(board, catalogues.fr)];
    assert.deepEqual([0, 1, 2, 3].map(said.captionText), [0, 1, 2, 3].map(own.captionText), name);
  }
});
