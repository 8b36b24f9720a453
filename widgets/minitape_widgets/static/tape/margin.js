// @ts-check
// The margin under the tape: what was seen but not recorded, one line for each note.

import { make, prose } from "../elements/dom.js";
import { noteSign } from "../elements/icons.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Choose, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @typedef {{ m: Index, text: string, where: string, times: number, current: boolean }} NoteLine */

const KEPT = 60; // notes kept at once: a loop may write thousands of them
const LINES = 5; // lines seen at once

/**
 * The lines of the notes so far: the same note again and again is one line with a count.
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Iterable<Index>} seen
 * @param {Index} current
 */
export function linesOf(board, words, seen, current) {
  /** @type {NoteLine[]} */
  const lines = [];
  for (const m of seen) {
    const text = words.note(m);
    const where = String(board.notes[m].where);
    const same = lines.find((line) => line.text === text && line.where === where);
    if (same) {
      same.times += 1;
      same.current = same.current || m === current;
    } else lines.push({ m, text, where, times: 1, current: m === current });
    if (lines.length > KEPT) lines.shift();
  }
  return lines;
}

/**
 * The notes that some act writes into the margin. Others only give the reason of a gradient that is None.
 * @param {Storyboard} board
 * @returns {Index[]}
 */
export function notesInMargin(board) {
  const written = board.frames.filter(({ act }) => act === "note" || act === "skip");
  return [...new Set(written.map((frame) => /** @type {Index} */ (frame.note)))];
}

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 */
export function marginPane(board, words, choose) {
  const list = make("ul", { class: "notes" });
  const none = make("p", { class: "fine", text: words.say("ui.margin.none") });
  const all = notesInMargin(board);
  const hidden = !all.length;
  const label = make("div", { class: "strip-label" }, words.say("ui.margin"));
  const root = make("div", { class: "margin", hidden }, label, list);
  let drawn = "";
  /** @type {[Stage, Index] | null} the moment that is shown */
  let moment = null;

  /** @type {(line: NoteLine, chosen: Index) => HTMLElement} */
  function lineOf({ m, text, times, current }, chosen) {
    const { kind, where } = board.notes[m];
    const about = {
      type: "button",
      class: "note" + (current ? " here" : "") + (m === chosen ? " chosen" : ""),
      "data-kind": kind,
      on: { click: () => choose({ note: m }) },
    };
    const said = make("span", {}, prose(text + (times > 1 ? " (×" + times + ")" : "")));
    const line = where ? make("span", { class: "fine", text: words.say("ui.line", { line: where[1] }) }) : null;
    return make("li", {}, make("button", about, noteSign({ class: "note-sign" }), said, line));
  }

  /** @type {(seen: Iterable<Index>, current: Index, chosen: Index) => void} */
  const fill = (seen, current, chosen) =>
    list.replaceChildren(...linesOf(board, words, seen, current).map((line) => lineOf(line, chosen)));

  /**
   * @param {Stage} stage
   * @param {Index} chosen
   */
  function update(stage, chosen) {
    moment = [stage, chosen];
    const key = stage.notes.length + "|" + stage.current.note + "|" + chosen;
    if (key === drawn) return;
    drawn = key;
    fill(stage.notes, stage.current.note, chosen);
    if (!stage.notes.length) list.append(make("li", {}, none));
    const here = /** @type {HTMLElement | null} */ (list.querySelector(".here"));
    if (here) list.scrollTop = here.offsetTop - list.offsetTop;
  }

  /**
   * Keeps room for all notes that will come, or for a few lines of them: nothing moves when one appears.
   * @param {number} em
   */
  function reserve(em, lines = LINES) {
    if (!all.length) return;
    list.style.height = "auto";
    fill(all, -1, -1);
    list.style.height = Math.ceil(Math.min(list.scrollHeight, (0.3 + 1.45 * lines) * 0.92 * em)) + "px";
    drawn = "";
    if (moment) update(...moment);
  }

  return { root, update, reserve };
}
