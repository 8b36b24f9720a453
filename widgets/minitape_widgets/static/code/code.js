// @ts-check
// The code pane: the learner's own cell. The sub-expression of the current act is marked exactly; lines that did not
// run are dimmed; a line with a note in the margin has a sign beside its number. A long line goes on in the next row,
// so that it is never seen without its beginning; where room is short, empty lines and comments are left out, since
// the whole cell stands right above.

import { assign, make } from "../elements/dom.js";
import { noteSign } from "../elements/icons.js";
import { indexOf, lineInFile } from "../storyboard/lookup.js";
import { isPlaying } from "../storyboard/state.js";
import { lineOf } from "../storyboard/units.js";
import { fillLine, hangOf, isIdle, marksOf, tokensOf } from "./line.js";
import { roomOf } from "./room.js";

/** @import { Index, Source, Span, Storyboard } from "storyboard" */
/** @import { Choose, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Stretch } from "./line.js" */
/** @typedef {ReturnType<typeof lineRow>} Row */

const COLOURED = 15_000; // elements: what follows them has no colours, and a page can hold it

/** @type {(source: Source, line: number) => boolean} */
const ranLine = (source, line) => !source.lines || source.lines.some(([first, last]) => first <= line && line <= last);

/**
 * A line with its number, and the sign of its notes.
 * @param {string} text
 * @param {Stretch[] | null} tokens
 * @param {number} line
 * @param {boolean} ran
 * @param {Index[]} notes
 * @param {Words} words
 * @param {Choose} choose
 * @param {(() => void) | null} pick  chooses what the line computed; null where it computed nothing
 */
function lineRow(text, tokens, line, ran, notes, words, choose, pick) {
  const holds = make("code", { class: "text", style: `--hang: min(${hangOf(text)}ch, 9cqw)` });
  fillLine(holds, text, tokens, []);
  const about = {
    type: "button",
    class: "sign",
    "aria-label": words.say("ui.code.note", { line }),
    title: notes.length ? words.note(notes[0]) : "",
    hidden: true,
  };
  const sign = notes.length
    ? make("button", { ...about, on: { click: () => choose({ note: notes[0] }) } }, noteSign())
    : null;
  const label = { type: "button", "aria-label": words.say("ui.code.card", { line }), tabindex: "-1" };
  const number = make(pick ? "button" : "span", { class: "number", text: line, ...(pick ? label : {}) });
  const kinds = ["line", !ran && "dim", isIdle(text) && "idle", pick && "pick"].filter(Boolean).join(" ");
  /** @type {(event: Event) => void} */
  const onClick = ({ target }) => (sign?.contains(/** @type {Node} */ (target)) ? undefined : pick?.());
  const row = make(
    "div",
    { class: kinds, on: { click: onClick } },
    make("span", { class: "gutter" }, sign, number),
    holds,
  );
  /** @param {Stretch[]} marks */
  const mark = (marks) => {
    fillLine(holds, text, tokens, marks);
    row.classList.toggle("here", marks.length > 0);
  };
  return { row, holds, sign, notes, mark };
}

/**
 * The cards that each line recorded, and, in a program, those whose way back it is.
 * @param {Storyboard} board
 */
function cardsOfLine(board) {
  /** @type {Map<string, Index[]>} */
  const result = new Map();
  board.cards.forEach(({ where, back }, c) => {
    for (const span of [where, back]) {
      for (let line = span?.[1] ?? 1; span && line <= span[3]; line++) {
        const key = span[0] + ":" + line;
        const known = result.get(key) ?? [];
        known.push(c);
        result.set(key, known);
      }
    }
  });
  return result;
}

/**
 * Of which kind the mark of the current act is.
 * @param {Stage} stage
 */
function kindOf(stage) {
  const { frame } = stage;
  if (frame && (frame.act === "cut" || (frame.act === "result" && frame.value === null))) return "cut";
  if (frame && (frame.act === "note" || frame.act === "skip")) return "note";
  return isPlaying(stage) ? "play" : "record";
}

/**
 * The stretches that spans mark, by "source:line".
 * @type {(spans: [Span, string][], lines: string[][], rows: Map<string, Row>) => Map<string, Stretch[]>}
 */
function marksByLine(spans, lines, rows) {
  const result = new Map();
  for (const [span, kind] of spans) {
    if (!lines[span[0]]) continue;
    for (const [line, [start, end]] of marksOf(span, lines[span[0]])) {
      const key = span[0] + ":" + line;
      if (rows.has(key)) result.set(key, [...(result.get(key) || []), [start, end, kind]]);
    }
  }
  return result;
}

/** One number of a line is reached by the tab key, the others from there by the arrows. */
/** @param {HTMLElement} scroller  @param {Element[]} blocks */
function walkNumbers(scroller, blocks) {
  const numbers = blocks.flatMap((block) => [
    .../** @type {NodeListOf<HTMLElement>} */ (block.querySelectorAll("button.number")),
  ]);
  if (numbers.length) numbers[0].tabIndex = 0;
  scroller.addEventListener("keydown", (event) => {
    const at = numbers.indexOf(/** @type {HTMLElement} */ (event.target));
    const next = numbers[at + (event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : NaN)];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
}

/** @param {Element} scroller */
const lineHeight = (scroller) => parseFloat(getComputedStyle(scroller).lineHeight) || 21;

/** Brings a line, if there is one, into view by scrolling the pane alone: the page must not move under the reader. */
/** @type {(scroller: HTMLElement, row: HTMLElement | undefined) => void} */
function reveal(scroller, row) {
  if (!row) return;
  const line = lineHeight(scroller);
  const top = row.offsetTop - scroller.offsetTop;
  const bottom = top + row.offsetHeight;
  const margin = Math.min(line, scroller.clientHeight / 4);
  if (top - margin < scroller.scrollTop || bottom + margin > scroller.scrollTop + scroller.clientHeight) {
    const above = Math.floor((scroller.clientHeight - row.offsetHeight) / 2 / line);
    scroller.scrollTop = top - Math.max(0, above) * line;
  }
}

/** The edge of the pane never cuts a line in half: what is left of its height is margin. */
/** @type {(root: Element, scroller: HTMLElement) => void} */
function wholeLines(root, scroller) {
  scroller.style.height = ""; // the height that it would have, not the one that it was given before
  const room = root.clientHeight - scroller.offsetTop * 2;
  const line = lineHeight(scroller);
  if (room <= 0) return;
  scroller.style.height = Math.max(1, Math.floor((room + 1) / line)) * line + "px";
}

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 */
export function codePane(board, words, choose) {
  const { sources } = board;
  const lines = sources.map((source) => source.text.split("\n"));
  const cards = cardsOfLine(board);
  const notes = indexOf(board).notesOfLine;
  const first = board.cards.map(lineOf).find(Boolean) ?? "";
  let aim = ""; // the line to keep in view: before anything runs the first one that will
  /** @type {string[]} */
  let marked = [];
  /** @type {Stage | null} */
  let shown = null;
  let picked = -1;
  let from = ""; // the line on which it was picked
  /** @type {Map<string, Row>} "source:line" -> its row */
  const rows = new Map();
  let room = COLOURED;
  const about = { class: "code-scroll", tabindex: "0", role: "group", "aria-label": words.say("ui.code") };
  const scroller = make("div", about);
  const root = make("div", { class: "pane code", "data-pane": "code" }, scroller);
  const blocks = sources.map(block);
  walkNumbers(scroller, blocks);

  /** A source, from its first line with a text; its name, unless it is the only cell. */
  /** @type {(source: Source, s: Index) => Element} */
  function block(source, s) {
    const begins = lines[s].findIndex((text) => text.trim());
    const list = lines[s].map((text, i) => {
      if (i < begins) return null;
      const key = s + ":" + (i + 1);
      const here = cards.get(key);
      const number = lineInFile(source, i + 1);
      const pick = here ? () => pickOf(here, key) : null;
      const tokens = text.length <= room ? tokensOf(text) : null;
      const row = lineRow(text, tokens, number, ranLine(source, i + 1), notes.get(key) || [], words, choose, pick);
      room -= row.holds.childElementCount;
      rows.set(key, row);
      return row.row;
    });
    const named = sources.length > 1 || source.name !== "cell";
    const name = named ? make("div", { class: "source-name", text: source.name }) : null;
    return make("div", { class: "source" }, name, make("div", { class: "lines" }, list));
  }

  /**
   * Chooses a card of a line; where the line made several, the next one each time.
   * @param {Index[]} made
   * @param {string} key
   */
  function pickOf(made, key) {
    const seen = made.filter((c) => shown?.cards[c]);
    if (!seen.length || !(getSelection()?.isCollapsed ?? true)) return; // text was marked, to be copied
    picked = seen[(seen.indexOf(picked) + 1) % seen.length];
    from = key;
    choose({ card: picked });
  }

  /**
   * Marks the current span and, more quietly, the chosen ones.
   * @param {Stage} stage
   * @param {Span[]} chosen
   */
  function update(stage, chosen) {
    /** @type {[Span, string][]} */
    const spans = chosen.map((span) => [span, "chosen"]);
    const asked = [...marksByLine(spans, lines, rows).keys()];
    if (stage.current.where) spans.unshift([stage.current.where, kindOf(stage)]);
    shown = stage;
    const now = marksByLine(spans, lines, rows);
    for (const key of marked) if (!now.has(key)) rows.get(key)?.mark([]);
    for (const [key, marks] of now) rows.get(key)?.mark(marks);
    marked = [...now.keys()];
    aim = asked.includes(from) ? from : (asked[0] ?? marked[0] ?? (stage.k ? "" : first));
    const seen = new Set(stage.notes);
    for (const { sign, notes } of rows.values()) if (sign) assign(sign, "hidden", !notes.some((m) => seen.has(m)));
    follow();
  }

  /** What was measured without them, thousands of lines, is laid out once: in the room that they have. */
  function fit() {
    if (!scroller.firstChild) scroller.append(...blocks);
    wholeLines(root, scroller);
  }

  /** Keeps the marked line in view. */
  const follow = () => reveal(scroller, rows.get(aim)?.row);

  return {
    root,
    update,
    follow,
    fit,
    ...roomOf(sources, lines, () => lineHeight(scroller)),
    /** @param {boolean} brief */
    setBrief: (brief) => root.classList.toggle("brief", brief),
  };
}
