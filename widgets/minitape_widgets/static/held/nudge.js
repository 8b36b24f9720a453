// @ts-check
// What an adjoint means, to be tried out: a little more of one number, what becomes of the target, and what the
// adjoint had promised. In the plot the target is a curve and the adjoint is the slope of a straight line.

import { assign, make, renew } from "../elements/dom.js";
import { iconButton } from "../elements/icons.js";
import { nodeName } from "../storyboard/sentences.js";
import { plotOf } from "./plot.js";
import { spanAt } from "./spans.js";
import { briefText, placeOf, signedText, stepped } from "./steps.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Line } from "../replay/nudge.js" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Held } from "./held.js" */
/** @import { Span } from "./spans.js" */
/** @import { Drawn } from "./plot.js" */
/** @typedef {Omit<Drawn, "span" | "ys"> & { promise: number }} Nudged */

const MOST = 256; // cells to choose from
const WORK = 30_000; // numbers that a curve may cost
const PIECES = [60, 30, 10]; // of a curve, by what it costs; each is whole steps of its span
const OWN = /^(Arrow|Page|Home$|End$)/; // keys of a slider

/**
 * What the target of a line is called: its name; of several numbers their sum, of one of them its name and place.
 * @type {(board: Storyboard, words: Words, line: Line) => string}
 */
function targetName(board, words, { targets, plain, place }) {
  const names = targets.map((n) => nodeName(board, n)).join(" + ");
  return plain ? names : place ? names + place : words.say("ui.nudge.sum", { target: names });
}

/**
 * Why a node cannot be nudged, in a sentence; "" where it can.
 * @type {(words: Words, held: Held, n: Index, line: Line, nudged: Nudged) => string}
 */
function hindrance(words, held, n, { others, stays, adjoint }, { node, target, x, y }) {
  if (others.length) return words.say("ui.nudge.versions", { node, names: held.named(others) });
  const unknown = stays.length || adjoint ? stays : [n];
  if (unknown.length) return words.say("ui.nudge.stays", { names: held.named(unknown), target });
  const ends = new Map([
    [node, x],
    [target, y],
  ]);
  const odd = [...ends].filter(([, end]) => !Number.isFinite(end));
  return odd.length ? words.say("ui.nudge.odd", { names: odd.map(([one]) => one).join(", ") }) : "";
}

/** @param {string} text */
const remark = (text) => make("p", { class: "fine", text });

/** @type {(label: string, kind: string, text: string) => HTMLElement} */
const number = (label, kind, text) =>
  make("div", {}, make("span", { class: "fine", text: label }), make("strong", { class: kind, text }));

/**
 * The heights of a curve over a span. Those that are `known` already are not found again.
 * @param {Line} line
 * @param {number} cell
 * @param {Span} span
 * @param {Map<number, number>} known  quarters of a step -> the target
 */
function curveOf(line, cell, { from, to, step }, known) {
  /** @type {(x: number) => number} */
  function at(x) {
    const place = Math.round((4 * x) / step);
    const y = known.get(place) ?? line.at(cell, x);
    known.set(place, y);
    return y;
  }
  const pieces = PIECES.find((most) => most * line.work <= WORK) ?? PIECES[PIECES.length - 1];
  return Array.from({ length: pieces + 1 }, (_, k) => at(from + ((to - from) * k) / pieces));
}

/**
 * What is said under the slider: what a nudge does, beside what was promised; before the first one, how one begins.
 * @type {(words: Words, held: Held, line: Line, cell: number, nudged: Nudged) => HTMLElement[]}
 */
function report(words, held, line, cell, nudged) {
  const { slope, more, change, promise } = nudged;
  const said = {
    ...nudged,
    slope: briefText(slope),
    nudge: signedText(more),
    more: briefText(more),
    change: signedText(change),
    promise: signedText(promise),
  };
  if (held.nudged && more) {
    held.nudged.said = words.say("ui.nudge.said", said);
    return [
      number(words.say("ui.nudge.change", said), "is-value", said.change),
      number(words.say("ui.nudge.promise"), "is-adjoint", `${said.slope} × ${said.more} = ${said.promise}`),
    ];
  }
  if (line.left.length) return [remark(words.say("ui.nudge.left", { names: held.named(line.left) }))];
  return [remark(words.say(line.silent(cell) ? "ui.nudge.silent" : "ui.nudge.begin", said))];
}

/** @param {KeyboardEvent} event */
function keep(event) {
  if (OWN.test(event.key)) event.stopPropagation(); // else they would step
}

/**
 * What a node does to its target: the curve, a slider, and what is said of a nudge.
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Held} held
 */
export function nudgePane(board, words, held) {
  const plot = plotOf(words);
  const on = { input: () => nudge(Number(slider.value)), keydown: keep };
  const slider = make("input", { type: "range", class: "nudge-slider", step: 1, on });
  const less = iconButton("minus", words.say("ui.nudge.less"), () => nudge(steps() - 1));
  const more = iconButton("plus", words.say("ui.nudge.more"), () => nudge(steps() + 1));
  const row = make("div", { class: "nudge-row" }, less, slider, more);
  const about = { class: "nudge-cells", "aria-label": words.say("ui.nudge.cell"), on: { change: choose } };
  const cells = make("select", about);
  const told = make("div", { class: "nudge-told" });
  const root = make("div", { class: "nudge", role: "group", hidden: true }, cells, plot.parts, row, told);
  /** @type {Index | null} */
  let node = null;
  let cell = 0;
  /** @type {Span | null} */
  let span = null;
  let drawn = ""; // which curve
  /** @type {Map<number, number>} what is known of it */
  let known = new Map();

  /** How many steps the number is nudged. */
  const steps = () => (held.nudged?.node === node && span ? Math.round(held.nudged.more / span.step) : 0);

  /** @param {number} by */
  function nudge(by) {
    const inside = Math.max(Number(slider.min), Math.min(Number(slider.max), by));
    if (node !== null && span) held.nudge(node, cell, stepped(0, inside, span.step));
  }

  /** @param {number} at */
  function look(at) {
    cell = at;
    span = null;
    cells.value = String(at);
  }

  function choose() {
    look(Number(cells.value));
    held.touched = null;
    if (node !== null) held.nudge(node, cell, 0);
  }

  /**
   * Another node: which of its numbers can be chosen. The first is that on which the target depends most: of the others
   * some may do nothing to it.
   * @type {(n: Index, line: Line) => void}
   */
  function begin(n, { value: { shape, data }, adjoint }) {
    const slopes = (adjoint?.data ?? []).map(Math.abs);
    node = n;
    cell = Math.max(0, slopes.indexOf(Math.max(...slopes)));
    span = null;
    cells.hidden = !shape.length;
    const names = shape.length ? data.map((_, k) => nodeName(board, n) + placeOf(k, shape)) : [];
    cells.replaceChildren(...names.map((text, value) => make("option", { value, text, selected: value === cell })));
  }

  /**
   * Shows a node with its adjoint; nothing where it has none.
   * @param {Index | null} n
   */
  function update(n) {
    const line = n === null ? null : held.line(n);
    root.hidden = !line || line.value.data.length > MOST;
    assign(root, "data-large", n !== null && held.can(n)); // of what is computed, the code says more than a curve
    if (n === null || !line || root.hidden) {
      node = null;
      return;
    }
    if (n !== node) begin(n, line);
    if (held.touched?.node === n && held.touched.cell !== cell) look(held.touched.cell);
    const target = targetName(board, words, line);
    const name = nodeName(board, n) + placeOf(cell, line.value.shape);
    const label = words.say("ui.nudge", { node: name });
    assign(root, "aria-label", label);
    assign(slider, "aria-label", label);
    const more = steps() && held.nudged ? held.nudged.more : 0;
    const slope = line.adjoint?.data[cell] ?? NaN;
    const nudged = { node: name, target, x: line.value.data[cell], slope, more, ...line.nudge(cell, more) };
    const stuck = hindrance(words, held, n, line, nudged);
    for (const part of [...plot.parts, row]) part.hidden = Boolean(stuck);
    if (!stuck) drawPlot(n, line, nudged);
    if (!stuck) assign(slider, "aria-valuetext", more ? `${name} ${signedText(more)}` : name);
    renew(told, stuck ? remark(stuck) : report(words, held, line, cell, nudged));
  }

  /**
   * The curve stays while its own number is drawn along: only the point moves.
   * @type {(n: Index, line: Line, nudged: Nudged) => void}
   */
  function drawPlot(n, line, nudged) {
    const { x } = nudged;
    const now = (span = spanAt(x, span));
    const key = [n, cell, now.step, line.id, held.besides(n, cell)].join("|");
    if (key !== drawn) known = new Map();
    drawn = key;
    plot.show({ ...nudged, span: now, ys: curveOf(line, cell, now, known) });
    assign(slider, "min", Math.ceil((now.from - x) / now.step - 1e-6));
    assign(slider, "max", Math.floor((now.to - x) / now.step + 1e-6));
    slider.value = String(steps());
  }

  return { root, update };
}
