// @ts-check
// A target over one number: a curve, the point where one stands, and the straight line whose slope is the adjoint. A
// nudge goes along both: what the line promises, and what the curve does.

import { assign, draw, make, write } from "../elements/dom.js";
import { heightsOf, pathOf, placeIn } from "./spans.js";
import { briefText } from "./steps.js";

/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Span } from "./spans.js" */

/**
 * What is drawn.
 * @typedef {object} Drawn
 * @property {string} node
 * @property {string} target
 * @property {Span} span
 * @property {number[]} ys  the target at evenly spaced numbers of the span
 * @property {number} x
 * @property {number} y
 * @property {number} slope
 * @property {number} more  the nudge
 * @property {number} change  what it does to the target
 */

/** @param {Words} words */
export function plotOf(words) {
  const [run, gap, curve, tangent, point, promise, change] = "run gap curve tangent point promise change"
    .split(" ")
    .map((name) => draw("path", { class: "plot-" + name }));
  const about = { class: "plot", viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img" };
  const svg = draw("svg", about, run, gap, curve, tangent, promise, point, change);
  const slope = make("span", { class: "plot-slope is-adjoint", "aria-hidden": "true" });
  const ends = [0, 1, 2].map(() => make("span"));
  const axis = make("div", { class: "plot-axis", "aria-hidden": "true" }, ends);
  const frame = make("div", { class: "plot-frame" }, svg, slope);

  /** @param {Drawn} drawn */
  function show(drawn) {
    const { node, target, span, ys, x, y, more } = drawn;
    const { low, high } = heightsOf(ys, y);
    /** @type {(x: number, y: number) => string} */
    const at = (x, y) => `${placeIn(x, span.from, span.to)} ${100 - placeIn(y, low, high)}`;
    /** @type {(x: number) => string} */
    const onLine = (x) => at(x, y + drawn.slope * (x - drawn.x));
    /** A line through points; of one, a dot. @type {(path: SVGElement, ...points: string[]) => void} */
    const join = (path, ...points) => assign(path, "d", points.length ? `M${points.join("L")}h0.01` : "");
    const tame = Number.isFinite(drawn.slope);
    const line = tame && more ? [onLine(x + more)] : [];
    const reached = more && Number.isFinite(drawn.change) ? [at(x + more, y + drawn.change)] : [];
    assign(curve, "d", pathOf(ys, low, high));
    join(tangent, ...(tame ? [onLine(span.from), onLine(span.to)] : []));
    join(run, ...line.flatMap((end) => [at(x, y), at(x + more, y), end]));
    join(gap, ...line.flatMap((end) => reached.map((other) => end + "L" + other)));
    join(point, at(x, y));
    join(promise, ...line);
    join(change, ...reached);
    const said = { node, target, value: briefText(x), result: briefText(y), slope: briefText(drawn.slope) };
    assign(svg, "aria-label", words.say("ui.nudge.curve", said));
    write(slope, words.say("ui.nudge.slope", said));
    const written = [briefText(span.from), words.say("ui.nudge.axes", said), briefText(span.to)];
    ends.forEach((end, k) => write(end, written[k]));
  }

  return { parts: [frame, axis], show };
}
