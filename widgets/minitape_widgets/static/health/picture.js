// @ts-check
// The picture itself: the curve of the loss, the grid of cells with the layers' names on the left and the steps below,
// and what the cells mean. It is drawn in pixels of the width that there is, with some thirty elements.

import { assign, draw, make } from "../elements/dom.js";
import { SHARES, curve, scaleOf } from "./cells.js";
import { mountGrid } from "./grid.js";
import { legend, patterns } from "./patterns.js";

/** @import { Finding, Health, Tape } from "health" */
/** @import { Hands } from "./grid.js" */
/** @import { Words } from "./words.js" */

const LOSS = 56; // pixels
const NAME = 13; // a name needs so much height
const FLAG = 7; // the signs of tapes that were kept

/**
 * The names of the layers, of which those are seen that have room.
 * @param {Health} data
 * @param {Words} words
 * @param {number} row
 */
function labelsOf({ layers }, words, row) {
  const every = Math.ceil(NAME / row);
  const high = `${Math.max(row, NAME)}px`;
  return layers.map(({ name, frozen }, k) => {
    const text = frozen ? words.say("frozen", { layer: name }) : name;
    const label = make("div", { title: text, text: k % every ? "" : text });
    label.style.cssText = `top: ${k * row}px; height: ${high}; line-height: ${high}`;
    return label;
  });
}

/**
 * The steps below the cells, at round numbers.
 * @param {number} steps
 * @param {Words} words
 * @param {number} wide
 */
function ticksOf(steps, words, wide) {
  const rough = steps / Math.max(2, wide / 90);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const each = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough) || power;
  const ticks = [];
  for (let n = 0; n <= steps; n += each) {
    const tick = make("span", { text: n ? words.whole(n) : `${words.say("steps")} 0` });
    tick.style.left = `${(n / steps) * wide}px`;
    ticks.push(tick);
  }
  return ticks;
}

/** @param {Hands} hands */
export function mountPicture(hands) {
  const { defs, fill } = patterns();
  const grid = mountGrid(hands, defs, fill);
  const lossName = make("div", { class: "health-loss-name" });
  const loss = draw("svg", { class: "health-loss", height: LOSS, "aria-hidden": "true" });
  const names = make("div", { class: "health-names", "aria-hidden": "true" });
  const flag = draw("path", { class: "flag" });
  const flags = draw("svg", { class: "health-flags", height: FLAG, "aria-hidden": "true" }, flag);
  const axis = make("div", { class: "health-axis", "aria-hidden": "true" });
  const key = make("ul", { class: "health-legend" });
  const rows = [lossName, loss, names, grid.root, make("div"), make("div", {}, flags, axis)];
  const root = make("div", {}, grid.help, make("div", { class: "health-picture" }, rows), key);

  /**
   * @param {Health} data
   * @param {string} measure
   * @param {Words} words
   * @param {Tape[]} tapes  those that can be opened
   */
  function drawAll(data, measure, words, tapes) {
    const scale = scaleOf(data, Math.max(80, grid.root.clientWidth));
    const { wide, row, high } = scale;
    const places = tapes.map(({ step }) => (((step + 0.5) / data.steps) * wide).toFixed(1));
    grid.draw(data, measure, words, scale, places.length > 0);
    names.style.height = `${high}px`;
    names.replaceChildren(...labelsOf(data, words, row));
    drawLoss(data, words, wide);
    assign(flags, "width", wide);
    assign(flag, "d", places.map((x) => `M${x} 1l4 6h-8z`).join(""));
    assign(flags, "hidden", !places.length);
    axis.replaceChildren(...ticksOf(data.steps, words, wide));
    assign(key, "aria-label", words.say("legend"));
    key.replaceChildren(...legend(words, SHARES.includes(measure), fill, tapes.length > 0));
  }

  /**
   * @param {Health} data
   * @param {Words} words
   * @param {number} wide
   */
  function drawLoss({ losses, steps }, words, wide) {
    const result = curve(losses, steps, { left: 0, right: wide, high: LOSS });
    assign(loss, "width", wide);
    loss.replaceChildren(
      draw("path", { class: "bad", style: fill("bad"), d: result.bad }),
      draw("path", { class: "band", d: result.band }),
      draw("path", { class: "curve", d: result.line }),
    );
    const ends = words.apart(result.ends);
    const name = make("span", { class: "is-name", text: words.say("loss") });
    lossName.replaceChildren(make("span", { text: ends[0] }), name, make("span", { text: ends[1] ?? "" }));
  }

  /** @param {Finding | null} finding  its cells are framed, its layer is lit */
  function light(finding) {
    grid.light(finding);
    [...names.children].forEach((label, k) => label.classList.toggle("is-lit", finding?.layer === k));
  }

  return { root, draw: drawAll, light, mark: grid.mark, focus: () => grid.root.focus() };
}
