// @ts-check
// The cells: a row for each layer, a column for some steps, with one outline for all cells of one look. On them stand
// the frame of a finding and the cursor, which is moved by the pointer and by keys.

import { assign, draw, make } from "../elements/dom.js";
import { SHARES, columnOf, paths, within } from "./cells.js";

/** @import { Scale } from "./cells.js" */
/** @import { Finding, Health } from "health" */
/** @import { Words } from "./words.js" */
/** @typedef {{ layer: number, step: number }} Cursor the cell that is looked at: the one in which this step lies */
/**
 * What the grid asks of its view.
 * @typedef {{
 *   move: (down: number, right: number) => void, point: (layer: number, column: number) => void, open: () => void,
 * }} Hands
 */

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

/** @type {(element: Element, box: Record<string, number>) => void} */
function place(element, box) {
  for (const [name, value] of Object.entries(box)) assign(element, name, value);
}

/**
 * @param {Hands} hands
 * @param {SVGElement} defs  the patterns of the cells
 * @param {(look: string) => string | null} fill
 */
export function mountGrid({ move, point, open }, defs, fill) {
  const outlines = draw("g");
  const frame = draw("rect", { class: "lit" });
  const mark = draw("rect", { class: "cursor" });
  const back = draw("rect", { class: "back" });
  const cells = draw("svg", { class: "health-cells", "aria-hidden": "true" }, defs, back, outlines, frame, mark);
  const help = make("span", { class: "hidden-text", id: "health-help" });
  const root = make(
    "div",
    {
      class: "health-grid",
      tabindex: 0,
      role: "application",
      "aria-describedby": help.id,
      on: { keydown: press, pointermove: aim, pointerdown: aim, click: open },
    },
    cells,
  );
  /** @type {Scale} */
  let scale; // of what was drawn; before that nothing of it is seen, and so nothing is asked of it

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
    const { left, top } = cells.getBoundingClientRect();
    const layer = within(Math.floor((event.clientY - top) / scale.row), scale.rows);
    point(layer, columnOf(scale.edges.slice(0, -1), event.clientX - left));
  }

  /**
   * @param {Health} data
   * @param {string} measure
   * @param {Words} words
   * @param {Scale} next
   * @param {boolean} opens  whether tapes were kept
   */
  function drawAll(data, measure, words, next, opens) {
    scale = next;
    const { edges, row, wide, high } = scale;
    place(cells, { width: wide, height: high });
    place(back, { x: edges[0], width: wide - edges[0], height: high });
    const result = paths(data.measures[measure].letters, edges, row, SHARES.includes(measure));
    outlines.replaceChildren(
      ...Object.entries(result).map(([look, d]) => draw("path", { class: look, style: fill(look), d })),
    );
    root.classList.toggle("opens", opens);
    assign(root, "aria-label", words.say("grid.name", { measure: words.say(measure) }));
    help.textContent = words.say("grid") + (opens ? ` ${words.say("grid.tapes")}` : "");
  }

  /** @param {Finding | null} finding  its cells are framed: from its step on, of its layer or of all */
  function light(finding) {
    assign(frame, "hidden", !finding);
    if (!finding) return;
    const { at, edges, row, wide, high } = scale;
    const x = edges[columnOf(at, finding.step ?? 0)];
    const [y, tall] = finding.layer === null ? [0, high] : [finding.layer * row, row];
    place(frame, { x: x + 1, y: y + 1, width: Math.max(2, wide - x - 2), height: Math.max(2, tall - 2) });
  }

  /** @param {Cursor | null} cursor */
  function markCell(cursor) {
    assign(mark, "hidden", !cursor);
    if (!cursor) return;
    const { at, edges, row } = scale;
    const column = columnOf(at, cursor.step);
    const x = edges[column];
    place(mark, { x, y: cursor.layer * row, width: Math.max(3, edges[column + 1] - x), height: row });
  }

  return { root, help, draw: drawAll, light, mark: markCell };
}
