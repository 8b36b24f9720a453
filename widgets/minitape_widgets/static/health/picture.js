// @ts-check
// The picture itself: the curve of the loss, a row of cells for each layer, the names on the left, the steps below. It
// is drawn in pixels of the width that there is, with one outline for all cells of one look: some thirty elements.

import { draw, make } from "../elements/dom.js";
import { SHARES, columnOf, curve, paths } from "./cells.js";
import { legend, patterns } from "./patterns.js";

/** @import { Finding, Health } from "./check.js" */
/** @import { Words } from "./words.js" */

const LOSS = 56; // pixels
const ROW = { least: 5, most: 22, all: 210 };
const NAME = 13; // a name needs so much height
const FLAG = 7; // the signs of tapes that were kept
const KEYS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -1e9],
  End: [0, 1e9],
  PageUp: [-1e9, 0],
  PageDown: [1e9, 0],
});

/**
 * @param {{
 *   move: (down: number, right: number) => void, point: (layer: number, column: number) => void, open: () => void,
 * }} told
 */
export function mountPicture({ move, point, open }) {
  const { defs, fill } = patterns();
  const lossName = make("div", { class: "health-loss-name" });
  const loss = draw("svg", { class: "health-loss", height: LOSS, "aria-hidden": "true" });
  const names = make("div", { class: "health-names", "aria-hidden": "true" });
  const outlines = draw("g");
  const kept = draw("path", { class: "kept" });
  const frame = draw("rect", { class: "lit" });
  const mark = draw("rect", { class: "cursor" });
  const back = draw("rect", { class: "back" });
  const cells = draw("svg", { class: "health-cells", "aria-hidden": "true" }, defs, back, outlines, kept, frame, mark);
  const help = make("span", { class: "hidden-text", id: "health-help" });
  const grid = make(
    "div",
    {
      class: "health-grid",
      tabindex: 0,
      role: "application",
      "aria-describedby": "health-help",
      on: { keydown: press, pointermove: aim, pointerdown: aim, click: open },
    },
    cells,
  );
  const flags = draw(
    "svg",
    { class: "health-flags", height: FLAG, "aria-hidden": "true" },
    draw("path", { class: "flag" }),
  );
  const axis = make("div", { class: "health-axis", "aria-hidden": "true" });
  const key = make("ul", { class: "health-legend" });
  const table = make(
    "div",
    { class: "health-picture" },
    lossName,
    loss,
    names,
    grid,
    make("div"),
    flags,
    make("div"),
    axis,
  );
  const root = make("div", {}, help, table, key);

  let edges = /** @type {number[]} */ ([]);
  let row = ROW.most;
  let at = /** @type {number[]} */ ([]);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const way = KEYS[event.key];
    const opens = event.key === "Enter" || event.key === " ";
    if ((!way && !opens) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (opens) open();
    else move(...way);
  }

  /** @param {PointerEvent} event */
  function aim(event) {
    const box = cells.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const layer = Math.max(0, Math.min(names.children.length - 1, Math.floor(y / row)));
    let column = 0;
    while (column + 1 < at.length && edges[column + 1] <= x) column += 1;
    point(layer, column);
  }

  /**
   * @param {Health} data
   * @param {string} measure
   * @param {Words} words
   * @param {number[]} tapes  the steps of those that were kept
   */
  function drawAll(data, measure, words, tapes) {
    const wide = Math.max(80, grid.clientWidth);
    const share = SHARES.includes(measure);
    at = data.at;
    row = Math.max(ROW.least, Math.min(ROW.most, ROW.all / data.layers.length));
    edges = [...at, data.steps].map((step) => (step / data.steps) * wide);
    const high = row * data.layers.length;
    cells.setAttribute("width", String(wide));
    cells.setAttribute("height", String(high));
    for (const [name, value] of Object.entries({ x: edges[0], width: wide - edges[0], height: high }))
      back.setAttribute(name, String(value));
    const found = paths(data.measures[measure].letters, edges, row, share);
    outlines.replaceChildren(
      ...Object.entries(found).map(([look, d]) => draw("path", { class: look, style: fill(look), d })),
    );
    drawKept(
      tapes.map((step) => (((step + 0.5) / data.steps) * wide).toFixed(1)),
      wide,
      high,
    );
    drawNames(data, words);
    drawLoss(data, words, wide);
    drawAxis(data, words, wide);
    grid.setAttribute("aria-label", words.say("grid.name", { measure: words.say(measure) }));
    help.textContent = [words.say("grid"), tapes.length ? words.say("grid.tapes") : ""].join(" ").trim();
    key.setAttribute("aria-label", words.say("legend"));
    key.replaceChildren(...legend(words, share, fill, tapes.length > 0));
  }

  /**
   * Where a tape was kept a thin line runs through the cells, with a flag below.
   * @param {string[]} places
   * @param {number} wide
   * @param {number} high
   */
  function drawKept(places, wide, high) {
    kept.setAttribute("d", places.map((x) => `M${x} 0V${high}`).join(""));
    flags.setAttribute("width", String(wide));
    flags.firstElementChild?.setAttribute("d", places.map((x) => `M${x} 1l4 6h-8z`).join(""));
    flags.toggleAttribute("hidden", !places.length);
    grid.classList.toggle("opens", places.length > 0);
  }

  /**
   * @param {Health} data
   * @param {Words} words
   */
  function drawNames(data, words) {
    const every = Math.ceil(NAME / row);
    names.style.height = `${row * data.layers.length}px`;
    names.replaceChildren(
      ...data.layers.map(({ name, frozen }, k) => {
        const text = frozen ? words.say("frozen", { layer: name }) : name;
        const label = make("div", { title: text, text: k % every ? "" : text });
        const high = `${Math.max(row, NAME)}px`;
        label.style.cssText = `top: ${k * row}px; height: ${high}; line-height: ${high}`;
        return label;
      }),
    );
  }

  /**
   * @param {Health} data
   * @param {Words} words
   * @param {number} wide
   */
  function drawLoss(data, words, wide) {
    const found = curve(data.losses, data.steps, { left: 0, right: wide, high: LOSS });
    loss.setAttribute("width", String(wide));
    loss.replaceChildren(
      draw("path", { class: "bad", style: fill("bad"), d: found.bad }),
      draw("path", { class: "band", d: found.band }),
      draw("path", { class: "curve", d: found.line }),
    );
    const ends = words.apart(found.ends);
    const name = make("span", { class: "is-name", text: words.say("loss") });
    lossName.replaceChildren(make("span", { text: ends[0] }), name, make("span", { text: ends[1] ?? "" }));
  }

  /**
   * @param {Health} data
   * @param {Words} words
   * @param {number} wide
   */
  function drawAxis(data, words, wide) {
    const rough = data.steps / Math.max(2, wide / 90);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough) || power;
    const ticks = [];
    for (let n = 0; n <= data.steps; n += step) {
      const tick = make("span", { text: n ? words.whole(n) : `${words.say("steps")} 0` });
      tick.style.left = `${(n / data.steps) * wide}px`;
      ticks.push(tick);
    }
    axis.replaceChildren(...ticks);
  }

  /** @param {Finding | null} found  the cells of a finding are framed */
  function light(found) {
    frame.toggleAttribute("hidden", !found);
    for (const [k, label] of [...names.children].entries()) label.classList.toggle("is-lit", found?.layer === k);
    if (!found || !at.length) return;
    const [x, y] = [edges[columnOf(at, found.step ?? 0)], found.layer === null ? 0 : found.layer * row];
    const high = found.layer === null ? names.children.length * row : row;
    const box = {
      x: x + 1,
      y: y + 1,
      width: Math.max(2, edges[edges.length - 1] - x - 2),
      height: Math.max(2, high - 2),
    };
    for (const [name, value] of Object.entries(box)) frame.setAttribute(name, String(value));
  }

  /**
   * @param {number} layer  -1 for none
   * @param {number} column
   */
  function markCell(layer, column) {
    mark.toggleAttribute("hidden", layer < 0);
    if (layer < 0) return;
    const box = {
      x: edges[column],
      y: layer * row,
      width: Math.max(3, edges[column + 1] - edges[column]),
      height: row,
    };
    for (const [name, value] of Object.entries(box)) mark.setAttribute(name, String(value));
  }

  return { root, draw: drawAll, light, mark: markCell, focus: () => grid.focus() };
}
