// @ts-check
// The picture of a valley: its curve or contours, the way so far, and the point. What has left the picture is shown by
// an arrow at its edge.

import { assign, draw } from "../elements/dom.js";
import { HEIGHT, isInside, spotOf, WIDTH } from "./walks.js";

/** @import { Valley } from "storyboard" */

const PAD = { left: 62, right: 14, top: 22, bottom: 36 };

/**
 * @param {Valley} valley
 * @param {string} up  what the upper axis carries
 */
export function groundOf(valley, up) {
  const flat = valley.names.length > 1;
  const curve = valley.ground.map((d) => draw("path", { class: flat ? "valley-contour" : "valley-curve", d }));
  const [way, steps, slope] = ["way", "steps", "slope"].map((name) => draw("path", { class: "valley-" + name }));
  const point = draw("circle", { class: "valley-point", r: 7 });
  const arrow = draw("path", { class: "valley-arrow", d: "M0 0l-14 -7v14z" });
  const box = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
  const inside = draw("svg", { ...box, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, curve, slope, way, steps, point);
  /** @type {(x: number, y: number, text: string, anchor: string) => SVGElement} */
  const label = (x, y, text, anchor) => draw("text", { x, y, text, "text-anchor": anchor });
  const [across, above] = valley.ticks;
  const labels = [
    ...across.map(([at, text]) => label(at, HEIGHT + 17, text, "middle")),
    ...above.map(([at, text]) => label(-8, at + 4, text, "end")),
    label(WIDTH / 2, HEIGHT + 33, valley.names[0], "middle"),
    label(-8, -8, up, "end"),
  ];
  const frame = draw("rect", { class: "valley-frame", ...box });
  const size = [-PAD.left, -PAD.top, WIDTH + PAD.left + PAD.right, HEIGHT + PAD.top + PAD.bottom];
  const about = { class: "valley-svg", viewBox: size.join(" "), role: "img" };
  const svg = draw("svg", about, frame, inside, labels, arrow);

  /**
   * @param {number[][]} points  those of the walk
   * @param {number} k  on which of them one stands
   * @param {string} said
   */
  function show(points, k, said) {
    const places = points.slice(0, k + 1).map((one) => spotOf(valley, one));
    const [x, y] = places[k];
    assign(way, "d", "M" + places.map((place) => place.join(" ")).join("L"));
    assign(steps, "d", places.map((place) => `M${place.join(" ")}h.01`).join(""));
    assign(slope, "d", flat ? "" : tangent(points[k]));
    const out = !isInside(valley, points[k]);
    assign(point, "cx", x);
    assign(point, "cy", y);
    assign(arrow, "hidden", !out);
    const [a, b] = [Math.max(0, Math.min(WIDTH, x)), Math.max(0, Math.min(HEIGHT, y))];
    const turn = (Math.atan2(y - b, x - a) * 180) / Math.PI;
    assign(arrow, "transform", `translate(${a} ${b}) rotate(${turn.toFixed(1)})`);
    assign(svg, "aria-label", said);
  }

  /** The straight line through a point with its slope. @type {(point: number[]) => string} */
  function tangent([w, loss, slope]) {
    const run = (valley.x[1] - valley.x[0]) / 8;
    const ends = [-run, run].map((more) => spotOf(valley, [w + more, loss + slope * more]));
    return "M" + ends.map((end) => end.join(" ")).join("L");
  }

  return { svg, show };
}
