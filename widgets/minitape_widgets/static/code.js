// The code pane: the learner's own cell. The sub-expression of the current act is marked exactly; lines that did not run are
// dimmed; a line with a note in the margin has a sign beside its number. Columns count characters, as Python counts them, so a
// line is cut up by code points and never by JavaScript's halves of them.

import { assign, draw, make } from "./dom.js";
import { indexOf } from "./state.js";

const WORDS = new Set(("False None True and as assert async await break class continue def del elif else except finally for from global " +
  "if import in is lambda nonlocal not or pass raise return try while with yield").split(" "));
const TOKEN = /(#.*$)|([rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?))|(\b\d[\w.]*|\.\d\w*)|([\p{L}_][\p{L}\p{N}_]*)|(^\s*[%!@].*$)/gu;

/** Pieces of a line: [start, end, class], in code points. A light hand: keywords, strings, numbers, comments. */
function tokensOf(line) {
  const found = [];
  let units = 0, points = 0;
  for (const match of line.matchAll(TOKEN)) {
    points += Array.from(line.slice(units, match.index)).length;
    const length = Array.from(match[0]).length;
    const kind = match[1] !== undefined || match[5] !== undefined ? "comment" : match[2] !== undefined ? "string" : match[3] !== undefined ? "number"
      : WORDS.has(match[4]) ? "keyword" : "";
    if (kind) found.push([points, points + length, kind]);
    points += length;
    units = match.index + match[0].length;
  }
  return found;
}

/** Fills one line with spans; `marks` are [start, end, kind] in code points. */
function fillLine(target, text, tokens, marks) {
  const letters = Array.from(text);
  const bounds = new Set([0, letters.length]);
  for (const [start, end] of [...tokens, ...marks]) { bounds.add(Math.min(start, letters.length)); bounds.add(Math.min(end, letters.length)); }
  const ordered = [...bounds].sort((a, b) => a - b);
  const nodes = [];
  for (let i = 0; i + 1 < ordered.length; i++) {
    const [from, to] = [ordered[i], ordered[i + 1]];
    const token = tokens.find(([start, end]) => start <= from && to <= end);
    const mark = marks.find(([start, end]) => start <= from && to <= end);
    const classes = [token ? "token-" + token[2] : "", mark ? "mark mark-" + mark[2] : ""].join(" ").trim();
    const piece = letters.slice(from, to).join("");
    nodes.push(classes ? make(mark ? "mark" : "span", { class: classes, text: piece }) : document.createTextNode(piece));
  }
  target.replaceChildren(...nodes);
}

const ranLine = (source, line) => !source.lines || source.lines.some(([first, last]) => first <= line && line <= last);

/** The marks that a span makes, line by line: a Map from line number to [start, end]. */
export function marksOf(span, lines) {
  const [, line, column, endLine, endColumn] = span, found = new Map();
  for (let n = line; n <= Math.min(endLine, lines.length); n++) {
    const indent = lines[n - 1].length - lines[n - 1].trimStart().length;
    found.set(n, [n === line ? column : indent, n === endLine ? endColumn : Array.from(lines[n - 1]).length]);
  }
  return found;
}

export function codePane(board, words, choose) {
  const rows = new Map(), tokens = new Map();
  const lines = board.sources.map((source) => source.text.split("\n"));
  const notes = indexOf(board).notesOfLine;
  const blocks = board.sources.map((source, s) => {
    const list = lines[s].map((text, i) => {
      const key = s + ":" + (i + 1);
      const holds = make("code", { class: "text" });
      tokens.set(key, tokensOf(text));
      fillLine(holds, text, tokens.get(key), []);
      const here = notes.get(key);
      const sign = here && make("button", { type: "button", class: "sign", "aria-label": words.say("ui.code.note", { line: i + 1 }), title: words.note(here[0]),
        hidden: true, on: { click: () => choose({ note: here[0] }) } },
        draw("svg", { viewBox: "0 0 8 8", "aria-hidden": "true" }, draw("path", { d: "M4 .5 7.5 4 4 7.5 .5 4z", fill: "currentColor" })));
      const row = make("div", { class: "line" + (ranLine(source, i + 1) ? "" : " dim") },
        make("span", { class: "gutter" }, sign, make("span", { class: "number", text: i + 1 })), holds);
      rows.set(key, { row, holds, text, sign, notes: here || [] });
      return row;
    });
    return make("div", { class: "source" }, board.sources.length > 1 || source.name ? make("div", { class: "source-name", text: source.name }) : null,
      make("div", { class: "lines" }, list));
  });
  const scroller = make("div", { class: "code-scroll", tabindex: "0", role: "group", "aria-label": words.say("ui.code") }, blocks);
  const root = make("div", { class: "pane code", "data-pane": "code" }, scroller);
  let marked = [];

  /** Marks the current span (kind "record", "play", "cut" or "note") and, more quietly, the chosen one. */
  function update(stage, chosen) {
    const spans = [];
    const frame = stage.frame;
    if (stage.current.where) spans.push([stage.current.where, frame.act === "cut" || (frame.act === "result" && frame.value === null) ? "cut"
      : frame.act === "note" || frame.act === "skip" ? "note" : stage.pass >= 0 ? "play" : "record"]);
    if (chosen) spans.push([chosen, "chosen"]);
    const now = new Map();
    for (const [span, kind] of spans) {
      if (!lines[span[0]]) continue;
      for (const [line, [start, end]] of marksOf(span, lines[span[0]])) {
        const key = span[0] + ":" + line;
        if (rows.has(key)) now.set(key, [...(now.get(key) || []), [start, end, kind]]);
      }
    }
    for (const key of marked) if (!now.has(key)) { const r = rows.get(key); fillLine(r.holds, r.text, tokens.get(key), []); r.row.classList.remove("here"); }
    for (const [key, marks] of now) { const r = rows.get(key); fillLine(r.holds, r.text, tokens.get(key), marks); r.row.classList.add("here"); }
    marked = [...now.keys()];
    const seen = new Set(stage.notes);
    for (const r of rows.values()) if (r.sign) assign(r.sign, "hidden", !r.notes.some((m) => seen.has(m)));
    follow();
  }
  /** Keeps the marked line in view by scrolling the pane alone: the page must not move under the reader. */
  function follow() {
    if (!marked.length) return;
    const row = rows.get(marked[0]).row, box = scroller, line = lineHeight();
    const top = row.offsetTop - box.offsetTop, bottom = top + row.offsetHeight, margin = Math.min(line, box.clientHeight / 4);
    if (top - margin < box.scrollTop || bottom + margin > box.scrollTop + box.clientHeight) box.scrollTop = top - Math.max(0, Math.floor((box.clientHeight - row.offsetHeight) / 2 / line)) * line;
    const mark = rows.get(marked[0]).holds.querySelector(".mark");          // a long line in a narrow pane
    if (!mark) return;
    const left = mark.offsetLeft - box.offsetLeft, right = left + mark.offsetWidth;
    const gutter = 2.5 * line, end = right + line - box.clientWidth;
    if (end <= 0) box.scrollLeft = 0;
    else if (left - gutter < box.scrollLeft || end > box.scrollLeft) box.scrollLeft = Math.min(left - gutter, end);
  }
  /** Before anything runs: the first line that will. */
  function showFirst() {
    const first = board.cards.map((card) => card.where).find(Boolean);
    const row = first && rows.get(first[0] + ":" + first[1]);
    if (row && row.row.offsetTop > scroller.clientHeight) scroller.scrollTop = row.row.offsetTop - scroller.offsetTop - Math.floor(scroller.clientHeight / 2 / lineHeight()) * lineHeight();
  }
  const lineHeight = () => parseFloat(getComputedStyle(scroller).lineHeight) || 21;
  /** The edge of the pane never cuts a line in half: what is left of its height is margin. All rows of the pane are one line high. */
  function fit() {
    scroller.style.height = "";                                // the height that it would have, not the one that it was given before
    const room = root.clientHeight - scroller.offsetTop * 2, bar = scroller.offsetHeight - scroller.clientHeight, line = lineHeight();
    if (room > 0) scroller.style.height = Math.max(1, Math.floor((room - bar + 1) / line)) * line + bar + "px";
  }
  const longest = Math.max(0, ...lines.flat().map((text) => Array.from(text).length));
  const headings = blocks.length - 1 + blocks.filter((block) => block.children.length > 1).length;
  /** What the whole of it would take, in pixels, at this size of the letters; in a column where lines are wrapped, that much more. */
  function wish(em, column) {
    const letters = column ? Math.max(8, Math.floor((column / em - 3.2) / 0.558)) : Infinity;
    const rows = (text) => { const more = Array.from(text).length - letters; return more > 0 ? 1 + Math.ceil(more / (letters - 2)) : 1; };
    return { width: (0.57 * longest + 4.8) * em, height: (headings + lines.flat().reduce((sum, text) => sum + rows(text), 0)) * lineHeight() + 1.3 * em };
  }
  return { root, update, follow, fit, showFirst, wish };
}
