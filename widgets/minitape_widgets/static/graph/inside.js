// @ts-check
// The inside of a node's box: its name or operation, and under it its value, or its shape with tiles. In a small
// picture letters are drawn larger in the same boxes; what finds no room at a size that can be read is left out: first
// the value, then the name, so that the shape speaks alone.

import { draw } from "../elements/dom.js";
import { bracket, gridGroup } from "../elements/grid.js";
import { tileGroup } from "../elements/tiles.js";
import { batchOf } from "../replay/batch.js";
import { given, indexOf } from "../storyboard/lookup.js";
import { isArray, shapeText, fitted, shortValue, shorten, shortenName } from "../storyboard/values.js";
import { LARGEST, LOWER, gridAt, halves, isBeside } from "./grids.js";
import { LARGEST as LARGEST_PILL } from "./scale.js";

/** @import { Index, Node, Storyboard, Summary } from "storyboard" */
/** @import { ArraySummary } from "../storyboard/values.js" */
/**
 * What stands in a box: its name and its value; of a small array also where its numbers have their middle.
 * @typedef {{ lines: (SVGElement | null)[], numbers?: { x: number, y: number, size: number } }} Inside
 */

const NAME = 14; // the size of letters of a name
const VALUE = 12.5; // the same of a value
const OP = 12; // and of an operation beside a name
const LETTER = 0.61; // the width of a letter of size 1
const LEAST = 10; // the size of the smallest letters in a picture that is drawn smaller, times `grow`
/** The same where there is room for more. @type {(grow: number) => number} */
const leastFor = (grow) => (grow > LARGEST ? LEAST : 12) * grow;

const SPARE = 28; // of the gap to the next column: a box may be so much wider
const SMALL = 1.8; // letters that are so much larger: of a picture whose arrowheads are too small to be seen

/** @type {(text: string) => number} */
const lengthOf = (text) => Array.from(text).length;

/** @type {(size: number) => string} */
const style = (size) => "font-size:" + size.toFixed(1) + "px";

/** @type {(node: Node, w: number, grow: number) => number} in a small picture a box is as wide as its name needs */
export const widthFor = ({ label, op }, w, grow) =>
  grow < SMALL ? w : Math.max(w, Math.min(w + SPARE, 12 + LETTER * LEAST * grow * lengthOf(label || op || "")));

const NAMED = 20; // the height of a name above an array's numbers
const LINES = 2.4; // two lines of letters of size 1, one above the other

/**
 * The size of letters for a text in a room: `grow` times as large where that fits, else as large as fits; 0 where
 * that cannot be read.
 * @type {(size: number, text: string, room: number, grow: number) => number}
 */
export function sizeFor(size, text, room, grow) {
  const result = Math.min(size * grow, room / (LETTER * lengthOf(text) || 1));
  return result < (grow > 1 ? leastFor(grow) : size * 0.98) ? 0 : result;
}

/**
 * A text as it fits, whole or shortened by `cut`; null where not even a few letters of it could be read.
 * @type {(text: string, size: number, room: number, grow: number,
 *   about: import("../elements/dom.js").Attributes, cut?: typeof shorten) => SVGTextElement | null}
 */
export function written(text, size, room, grow, about, cut = shorten) {
  const most = Math.floor(room / (LETTER * (grow > 1 ? leastFor(grow) : size)));
  const shown = cut(text, most);
  const result = most > 2 || shown === text ? sizeFor(size, shown, room, grow) : 0;
  return result ? draw("text", { "text-anchor": "middle", ...about, text: shown, style: style(result) }) : null;
}

/** Half of what its adjoint takes of a box, on the lower border. @type {(h: number, grow: number) => number} */
const badgeIn = (h, grow) => (h > 50 && grow < SMALL ? 4.5 * Math.min(LARGEST_PILL, grow) - 2.5 : 0);

/**
 * The inside of a node's box.
 * @param {Storyboard} board
 * @param {Index} n
 * @param {number} w
 * @param {number} h
 * @returns {Inside}
 */
export function nodeInside(board, n, w, h, grow = 1) {
  const node = board.nodes[n];
  const value = given(node.value) ? board.values[node.value] : null;
  const badge = indexOf(board).adjoints.has(n) ? badgeIn(h, grow) : 0;
  const up = h > 50 ? Math.min(-2, -badge) : 0;
  const tall = h - 4;
  const both = tall - 2 * badge; // letters in two lines are no larger than fits
  if (LEAST * grow > tall) return { lines: [] }; // not even one line can be read
  const name = nameText(node, w, grow);
  const beside = isBeside(board, { node: n, w, h, grow });
  const room = tall - (beside ? 0 : 2 * badge);
  const grid = gridInside(value, { w, h, room }, grow, name, beside, batchOf(board).has(n));
  if (grid) return grid;
  const low = !value || (name && LINES * LEAST * grow > both) ? null : valueInside(value, w, grow);
  if (!name || !low) {
    for (const alone of [name, low]) {
      const size = Math.min(parseFloat(alone?.style.fontSize || "0"), tall);
      if (size) alone?.setAttribute("style", style(size));
      if (alone) place(alone, 0.34 * size + up / 2);
    }
    return { lines: [name, low] };
  }
  const size = Math.min(NAME * grow, both / LINES);
  for (const line of [name, low]) if (parseFloat(line.style.fontSize) > size) line.style.fontSize = size + "px";
  place(name, up - 2 - 0.23 * size);
  place(low, up + (low.tagName === "g" ? 3 + 0.5 * size : 1.5 + 0.92 * size));
  return { lines: [name, low] };
}

/**
 * The name above the numbers of a small array, as large as the box allows; null where they cannot be read.
 * @type {(value: Summary | null, box: { w: number, h: number, room: number }, grow: number,
 *   name: SVGTextElement | null, beside: boolean, batch: boolean) => Inside | null} `room`: of its height;
 *   `beside`: its adjoint stands beside it; `batch`: its rows are examples
 */
function gridInside(value, { w, h, room }, grow, name, beside, batch) {
  const grid = gridAt(value, { w, h, grow });
  if (!grid) return null;
  const above = name ? NAMED : 2;
  const size = beside ? 1 : Math.min(grow, (w - 8) / grid.width, room / (grid.height + above));
  if (size < (grow > LARGEST ? grow * 0.78 : 1)) return null;
  const spare = room - (above + grid.height) * size;
  const badged = beside || room < h - 4;
  const top = (badged ? Math.min(4, Math.max(0, spare / 2)) : spare / 2) - h / 2;
  if (name && parseFloat(name.style.fontSize) > NAME * size) name.style.fontSize = NAME * size + "px";
  if (name) place(name, top + (beside ? 13 : 15) * size); // beside a value an adjoint's border comes near
  const cells = gridGroup(grid, size);
  if (value && batch) cells.append(bracket(grid, value.shape.length === 1));
  const group = draw("g", { class: "node-value" }, cells);
  const at = beside
    ? { x: halves(w, grid).left, y: LOWER, size }
    : { x: 0, y: top + (above + grid.height / 2) * size, size };
  place(group, at.y, at.x);
  return { lines: [name, group], numbers: at };
}

/** @type {(element: SVGElement, y: number, x?: number) => void} */
const place = (element, y, x = 0) => element.setAttribute("transform", `translate(${x} ${y.toFixed(1)})`);

/**
 * What a box is called: the learner's name with its operation, or one of both, or a short expression; null where
 * there is none, or no room.
 * @type {(node: Node, w: number, grow: number) => SVGTextElement | null}
 */
function nameText(node, w, grow) {
  const op = node.op && node.op !== "ReadVariableOp" ? node.op : "";
  const room = w - 10;
  if (node.label) {
    const both = op && LETTER * grow * (NAME * lengthOf(node.label) + OP * lengthOf(op)) + 6 <= room;
    const name = written(node.label, NAME, room, grow, { class: "node-name" }, shortenName);
    if (both && name) name.append(draw("tspan", { class: "node-op", dx: 6, text: op, style: style(OP * grow) }));
    return name;
  }
  const expression = node.text !== op && node.role === "intermediate" && sizeFor(NAME, node.text, room, grow);
  const alone = expression ? node.text : op;
  return alone ? written(alone, NAME, room, grow, { class: "node-name unnamed" }) : null;
}

/** @type {(value: Summary, w: number, grow: number) => SVGElement | null} */
function valueInside(value, w, grow) {
  if (isArray(value)) return arrayInside(value, w, grow);
  const text = numberInside(value, w, grow);
  return text ? written(text, VALUE, w - 10, grow, { class: "node-value" }) : null;
}

/** A number as it fits into a box, "" where it does not. @type {(value: Summary, w: number, grow: number) => string} */
export function numberInside(value, w, grow) {
  const most = Math.floor((w - 10) / (LETTER * (grow > 1 ? leastFor(grow) : VALUE)));
  return most > 2 ? fitted(shortValue(value, most), most) : "";
}

/**
 * An array's shape, and its tiles where there is room; where letters find none, the tiles alone.
 * @type {(value: ArraySummary, w: number, grow: number) => SVGGElement | null}
 */
function arrayInside(value, w, grow) {
  const shape = shapeText(value);
  const size = sizeFor(VALUE, shape, w - 12, grow);
  const letters = size ? lengthOf(shape) * LETTER * size + 4 : 0;
  const room = Math.min(38 * Math.min(grow, 1.4), w - 16 - letters);
  const tiles = room > 8 ? tileGroup(value, 0, 0, room, 15 * Math.min(grow, 1.4)) : null;
  const left = -(letters + (tiles ? tiles.width + 4 : 0)) / 2;
  if (tiles) tiles.group.setAttribute("transform", `translate(${left + letters + 4} ${-tiles.height / 2})`);
  const about = { class: "node-value", x: left, y: size * 0.34, text: shape };
  const text = size ? draw("text", { ...about, style: style(size) }) : null;
  return text || tiles ? draw("g", {}, draw("g", {}, text, tiles && tiles.group)) : null;
}
