// @ts-check
// The tape pane: all strips of a storyboard (nested tapes have one each), with the margin under them.

import { assign, make } from "../elements/dom.js";
import { chosenTapes, slotsOf } from "./items.js";
import { marginPane } from "./margin.js";
import { oneStrip } from "./strip.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Choose, Options, Selection, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Strip } from "./strip.js" */

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 * @param {Options} options
 * @param {Held | null} held
 */
export function tapePane(board, words, choose, options, held) {
  function foldAll() {
    const folded = strips.some((strip) => strip.isFolded());
    for (const strip of strips) strip.setFolded(!folded);
  }
  /** @type {Strip[]} */
  const strips = board.tapes.map((_, tape) => oneStrip(board, tape, words, choose, options, foldAll));
  const margin = marginPane(board, words, choose);
  const slots = slotsOf(board);
  const inside = [strips.map((strip) => strip.root), margin.root];
  const root = make("div", { class: "pane tape", "data-pane": "tape" }, ...inside);

  /**
   * @param {Stage} stage
   * @param {Selection} selection
   */
  function update(stage, selection) {
    const shown = chosenTapes(board, stage, slots);
    strips.forEach((strip, tape) => {
      assign(strip.root, "hidden", !shown.has(tape));
      if (!shown.has(tape)) return;
      if (held?.busy) strip.dress(stage, selection?.card ?? -1);
      else strip.update(stage, selection?.card ?? -1);
    });
    margin.update(stage, selection?.note ?? -1);
  }

  return { root, update, reserve: margin.reserve };
}
