// @ts-check
// One line of Python, coloured with a light hand and marked where something happens. Columns count characters, as
// Python counts them, so a line is cut up by code points and never by JavaScript's halves of them.

import { make } from "../elements/dom.js";

/** @import { Span } from "storyboard" */
/** @typedef {[start: number, end: number, kind: string]} Stretch */

const WORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global "
    + "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
const COMMENT = /(#.*$)/;
const STRING = /([rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?))/;
const NUMBER = /(\b\d[\w.]*|\.\d\w*)/;
const NAME = /([\p{L}_][\p{L}\p{N}_]*)/u;
const MAGIC = /(^\s*[%!@].*$)/;
const TOKEN = new RegExp([COMMENT, STRING, NUMBER, NAME, MAGIC].map((pattern) => pattern.source).join("|"), "gu");

// After an opening bracket or a comma, before a dot, after an operator between two operands.
const BREAK = new RegExp(
  [
    String.raw`[([{,](?=[^\s)\]},])`,
    String.raw`[\p{L}\p{N}_)\]](?=\.[\p{L}_])`,
    String.raw`(?<=[\p{L}\p{N}_)\]])(?<!\d[eE])(?:\*\*|\/\/|[=!<>]=|[-+*/@%<>|&^])(?=[^\s=])`,
  ].join("|"),
  "gu",
);
const NOTHING = /^\s*(#.*)?$/;

/**
 * Whether nothing happens in a line of code: it is empty, or a comment.
 * @param {string} line
 */
export const isIdle = (line) => NOTHING.test(line);

/**
 * Where a line that is too long goes on in the next row: a little further in than it began, in letters.
 * @param {string} line
 */
export const hangOf = (line) => Math.min(8, line.length - line.trimStart().length) + 2;

/**
 * How many rows a line takes where `letters` stand side by side.
 * @param {string} line
 * @param {number} letters
 */
export function rowsOf(line, letters) {
  if (line.length <= letters) return 1;
  const next = Math.max(4, letters - hangOf(line));
  let rows = 1;
  let used = 0;
  const width = () => (rows > 1 ? next : letters);
  for (const chunk of chunksOf(line)) {
    const wide = Array.from(chunk.trimEnd()).length;
    if (used && used + wide > width()) {
      rows += 1;
      used = 0;
    }
    for (used += wide; used > width(); rows += 1) used -= width(); // no row is wide enough for it
    used += Array.from(chunk).length - wide;
  }
  return rows;
}

/**
 * A line cut up where it may go on in the next row: after a space, a bracket, a comma or an operator, before a dot, and
 * never inside of a word or a number.
 * @param {string} line
 */
export function chunksOf(line) {
  const letters = Array.from(line);
  const indent = letters.findIndex((letter) => letter.trim());
  const words = letters.flatMap((letter, at) => (at && letter.trim() && !letters[at - 1].trim() ? [at] : []));
  const bounds = [...words, ...breaksOf(line, tokensOf(line))].filter((at) => at > indent).sort((a, b) => a - b);
  return [0, ...bounds].map((from, i) => letters.slice(from, bounds[i]).join(""));
}

/**
 * Where a browser, which breaks a line at spaces, may break it besides.
 * @param {string} line
 * @param {Stretch[]} tokens
 */
export function breaksOf(line, tokens) {
  /** @type {number[]} */
  const result = [];
  let units = 0;
  let at = 0;
  let t = 0; // the token that ends after it: a line may hold thousands
  for (const { index, 0: whole } of line.matchAll(BREAK)) {
    at += Array.from(line.slice(units, index + whole.length)).length;
    units = index + whole.length;
    while (t < tokens.length && tokens[t][1] <= at) t += 1;
    if (t === tokens.length || at <= tokens[t][0]) result.push(at);
  }
  return result;
}

/**
 * The keywords, strings, numbers and comments of a line, in code points.
 * @param {string} line
 */
export function tokensOf(line) {
  /** @type {Stretch[]} */
  const result = [];
  let units = 0;
  let points = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [whole, comment, string, number, name, magic] = match;
    points += Array.from(line.slice(units, match.index)).length;
    const length = Array.from(whole).length;
    if (comment !== undefined || magic !== undefined) result.push([points, points + length, "comment"]);
    else if (string !== undefined) result.push([points, points + length, "string"]);
    else if (number !== undefined) result.push([points, points + length, "number"]);
    else if (WORDS.has(name)) result.push([points, points + length, "keyword"]);
    points += length;
    units = match.index + whole.length;
  }
  return result;
}

/**
 * A line cut up so that every piece is of one token and one mark at most.
 * @param {string} text
 * @param {Stretch[]} tokens
 * @param {Stretch[]} marks
 */
export function piecesOf(text, tokens, marks) {
  const letters = Array.from(text);
  const ends = [...tokens, ...marks].flatMap(([start, end]) => [start, end]);
  const bounds = new Set([0, letters.length, ...ends.map((end) => Math.min(end, letters.length))]);
  const ordered = [...bounds].sort((a, b) => a - b);
  let t = 0;
  return ordered.slice(0, -1).map((from, i) => {
    const to = ordered[i + 1];
    while (t < tokens.length && tokens[t][1] <= from) t += 1;
    const token = t < tokens.length && tokens[t][0] <= from ? tokens[t][2] : undefined;
    const mark = marks.find(([start, end]) => start <= from && to <= end)?.[2];
    return { text: letters.slice(from, to).join(""), token, mark };
  });
}

/**
 * Fills an element with the pieces of a line; with no more than its marks where there are no tokens (null).
 * @param {Element} target
 * @param {string} text
 * @param {Stretch[] | null} tokens
 * @param {Stretch[]} marks
 */
export function fillLine(target, text, tokens, marks) {
  const breaks = tokens ? breaksOf(text, tokens) : [];
  let at = 0;
  let next = 0;
  /** @type {(piece: string) => (string | Element)[]} the piece, with the places where the line may be broken */
  const broken = (piece) => {
    const from = at;
    const letters = Array.from(piece);
    at += letters.length;
    const inside = [0];
    for (; breaks[next] <= at; next++) inside.push(breaks[next] - from);
    return inside.flatMap((start, i) => [
      ...(i ? [make("wbr")] : []),
      letters.slice(start, inside[i + 1] ?? letters.length).join(""),
    ]);
  };
  const nodes = piecesOf(text, tokens ?? [], marks).flatMap(({ text, token, mark }) => {
    const classes = [token ? "token-" + token : "", mark ? "mark mark-" + mark : ""].join(" ").trim();
    return classes ? make(mark ? "mark" : "span", { class: classes }, broken(text)) : broken(text);
  });
  target.replaceChildren(...nodes);
}

/**
 * The marks that a span makes, line by line: a Map from line number to [start, end].
 * @param {Span} span
 * @param {string[]} lines
 */
export function marksOf([, line, column, endLine, endColumn], lines) {
  /** @type {Map<number, [number, number]>} */
  const result = new Map();
  for (let n = line; n <= Math.min(endLine, lines.length); n++) {
    const text = lines[n - 1];
    const indent = text.length - text.trimStart().length;
    result.set(n, [n === line ? column : indent, n === endLine ? endColumn : Array.from(text).length]);
  }
  return result;
}
