// @ts-check
// The inside of a node's box: its name or operation, and under it its value, or its shape with tiles.

import { draw } from "../elements/dom.js";
import { tileGroup } from "../elements/tiles.js";
import { given } from "../storyboard/lookup.js";
import { isArray, shapeText, shortValue, shorten } from "../storyboard/values.js";

/** @import { Index, Node, Storyboard, Summary } from "storyboard" */
/** @import { ArraySummary } from "../storyboard/values.js" */

const NAME = 7.4; // the width of a letter of a name
const VALUE = 7.3; // the same of a value
const OP = 6.4; // and of an operation beside a name

/** @type {(text: string) => number} */
const lengthOf = (text) => Array.from(text).length;

/**
 * Text that fits a width, at about `size` pixels a character.
 * @type {(text: string, width: number, size: number) => string}
 */
const fit = (text, width, size) => shorten(text, Math.max(2, Math.floor(width / size)));

/**
 * The style of letters of this size that are drawn up to `grow` times as large, as far as the text fits the room.
 * @type {(size: number, text: string, room: number, grow: number) => string | null}
 */
export function sizedFor(size, text, room, grow) {
  if (grow <= 1) return null;
  const most = size === 12.5 ? grow : Math.min(grow, 1.3);
  return "font-size:" + (size * Math.max(1, Math.min(most, room / (lengthOf(text) * 0.61 * size)))).toFixed(1) + "px";
}

/**
 * The inside of a node's box, the letters `grow` times as large where they fit.
 * @param {Storyboard} board
 * @param {Index} n
 * @param {number} w
 * @param {number} h
 */
export function nodeInside(board, n, w, h, grow = 1) {
  const node = board.nodes[n];
  const value = given(node.value) ? board.values[node.value] : null;
  const up = h > 50 ? -4 : 0; // room for the adjoint, which sits on the lower border
  const name = nameText(node, w, up - 5 - 3 * (grow - 1), grow);
  if (!name) return value ? [aloneText(value, w, grow)] : [];
  if (!value) return [name];
  if (isArray(value)) return [name, arrayInside(value, w, up, grow)];
  const text = fit(value.text, w - 10, VALUE);
  return [name, valueText(text, up + 13.5 + 6 * (grow - 1), sizedFor(12.5, text, w - 10, grow))];
}

/** @type {(text: string, y: number, style: string | null) => SVGTextElement} */
const valueText = (text, y, style) =>
  draw("text", { class: "node-value", x: 0, y, "text-anchor": "middle", text, style });

/**
 * A value where nothing else is to be said: a constant.
 * @type {(value: Summary, w: number, grow: number) => SVGTextElement}
 */
function aloneText(value, w, grow) {
  const text = fit(shortValue(value, Math.floor((w - 10) / NAME)), w - 10, NAME);
  return valueText(text, 1 + 3.5 * grow, sizedFor(12.5, text, w - 10, grow));
}

/**
 * What a box is called: the learner's name with its operation, or one of both, or a short expression; null where
 * there is none.
 * @type {(node: Node, w: number, y: number, grow: number) => SVGTextElement | null}
 */
function nameText(node, w, y, grow) {
  const op = node.op && node.op !== "ReadVariableOp" ? node.op : "";
  const room = w - 12;
  if (node.label && op) return nameWithOp(node.label, op, room, y, grow);
  const expression = node.text && node.text !== op && lengthOf(node.text) * NAME < room && node.role === "intermediate";
  const alone = node.label || (expression ? node.text : "") || op;
  if (!alone) return null;
  const text = fit(alone, room, NAME);
  const about = { class: node.label ? "node-name" : "node-name unnamed", x: 0, y, "text-anchor": "middle", text };
  return draw("text", { ...about, style: sizedFor(13, text, room, grow) });
}

/** @type {(name: string, op: string, room: number, y: number, grow: number) => SVGTextElement} */
function nameWithOp(name, op, room, y, grow) {
  const text = fit(name, room, 7.6);
  const both = lengthOf(text) * 7.6 + 6 + op.length * OP <= room;
  return draw(
    "text",
    { class: "node-name", x: 0, y, "text-anchor": "middle" },
    draw("tspan", { text, style: both ? null : sizedFor(13, text, room, grow) }),
    both ? draw("tspan", { class: "node-op", dx: 6, text: op }) : null,
  );
}

/**
 * An array's shape, and its tiles where there is room.
 * @type {(value: ArraySummary, w: number, up: number, grow: number) => SVGGElement}
 */
function arrayInside(value, w, up, grow) {
  const shape = shapeText(value);
  const letters = shape.length * VALUE;
  const room = Math.min(38, w - 20 - letters);
  const tiles = room > 8 ? tileGroup(value, 0, 0, room, 15) : null;
  const width = letters + (tiles ? tiles.width + 6 : 0);
  const left = -width / 2;
  const size = Math.max(1, Math.min(grow, 1.4, (w - 10) / width));
  const place = `translate(0 ${up + 9.5 + 3 * (size - 1)})` + (size > 1 ? ` scale(${size.toFixed(2)})` : "");
  if (tiles) tiles.group.setAttribute("transform", `translate(${left + letters + 6} ${-tiles.height / 2})`);
  const text = draw("text", { class: "node-value", x: left, y: 4, text: shape });
  return draw("g", { transform: place }, text, tiles && tiles.group);
}
