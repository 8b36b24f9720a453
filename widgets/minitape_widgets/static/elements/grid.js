// @ts-check
// The numbers of a small array, each in a cell.

import { ROW } from "../storyboard/grid.js";
import { draw, write } from "./dom.js";

/** @import { Grid } from "../storyboard/grid.js" */

/** @type {(text: string) => boolean} */
const isOdd = (text) => ["nan", "inf", "-inf"].includes(text);

/**
 * The grid around (0, 0), `grow` times as large.
 * @type {(grid: Grid, grow?: number) => SVGGElement}
 */
export function gridGroup({ rows, w, width, height }, grow = 1) {
  const group = draw("g", { class: "grid", ...(grow === 1 ? {} : { transform: `scale(${grow})` }) });
  rows.forEach((row, r) =>
    row.forEach((text, c) => {
      const [x, y] = [c * w - width / 2, r * ROW - height / 2];
      const cell = r * row.length + c;
      const odd = isOdd(text) ? " odd" : "";
      group.append(
        draw("rect", { class: "grid-cell" + odd, x, y, width: w, height: ROW, "data-cell": cell }),
        draw("text", {
          class: "grid-number" + odd,
          x: x + w / 2,
          y: y + ROW / 2 + 5,
          "text-anchor": "middle",
          text,
          "data-cell": cell,
        }),
      );
    }),
  );
  return group;
}

/**
 * A bracket around the first axis of a grid, whose rows are examples; of a vector that lies.
 * @type {(grid: Grid, lies: boolean) => SVGPathElement}
 */
export function bracket({ width, height }, lies) {
  const [x, y] = [-width / 2 - 1, -height / 2 - 1];
  const d = lies ? `M${x} ${y}v-2.5h${width + 2}v2.5` : `M${x} ${y}h-2.5v${height + 2}h2.5`;
  return draw("path", { class: "batch", d });
}

/**
 * Gives the cells that are there other numbers, where these fit; a finger that holds one keeps it.
 * @type {(element: Element, grid: Grid) => boolean}
 */
export function rewriteGrid(element, grid) {
  const numbers = element.querySelectorAll(".grid-number");
  const room = Number(element.querySelector(".grid-cell")?.getAttribute("width"));
  const texts = grid.rows.flat();
  if (numbers.length !== texts.length || grid.w > room || element.querySelector(".odd") || texts.some(isOdd))
    return false;
  texts.forEach((text, k) => write(numbers[k], text));
  return true;
}

/**
 * The grid as a picture in a line of text, which says its numbers.
 * @param {Grid} grid
 * @param {number} [grow]
 */
export function gridInline(grid, grow = 1) {
  const { rows, width, height } = grid;
  const label = "[" + rows.map((row) => "[" + row.join(" ") + "]").join(" ") + "]";
  const [w, h] = [width + 2, height + 2];
  const size = { viewBox: `${-w / 2} ${-h / 2} ${w} ${h}`, width: w * grow, height: h * grow };
  return draw("svg", { class: "grid-inline", ...size, role: "img", "aria-label": label }, gridGroup(grid));
}
