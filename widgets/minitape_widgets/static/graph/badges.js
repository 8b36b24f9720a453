// @ts-check
// Adjoints and waiting parts, on the border of their nodes; a node drawn several times carries them at its first place.
// Where parts wait to be added, they stand from the place of their sum outwards, on the side that has room.

import { draw, write } from "../elements/dom.js";
import { rewriteGrid } from "../elements/grid.js";
import { rewriteTiles } from "../elements/tiles.js";
import { gridOf } from "../storyboard/grid.js";
import { given, indexOf } from "../storyboard/lookup.js";
import { adjointOf } from "../storyboard/state.js";
import { identity, isArray } from "../storyboard/values.js";
import { LOWER, halves, isBeside, largestAt, pillGrid, pillHigh } from "./grids.js";
import { pill, pillText } from "./pill.js";
import { shownPlace } from "./picture.js";
import { LARGEST, STACKED } from "./scale.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Picture } from "./picture.js" */
/** @import { View } from "./view.js" */
/** @typedef {{ x: number, y: number, step: number, box: import("./boxes.js").DrawnNode }} Spot */
/** @import { Grid } from "../storyboard/grid.js" */
/** @import { ArraySummary, MaybeSummary } from "../storyboard/values.js" */
/** @typedef {{ key: string, draw: () => SVGGElement, text?: string, value?: MaybeSummary, grid?: Grid | null }} Badge
 * what is badged: the same key is the same picture, but for its text or the numbers of its array */
/** @typedef {{ key: string, element: SVGGElement, value?: MaybeSummary }} Drawn */

/** @param {number} grow */
export const pillSize = (grow) => Math.min(LARGEST, grow);

/**
 * How far from the middle of a box a badge of this height stands, on its border.
 * @type {(h: number, grow: number, high?: number) => number}
 */
export const pillPlace = (h, grow, high = 18) =>
  h / 2 + (h > 50 ? 3 : 7) + ((high - 18) / 2) * Math.min(pillSize(grow), largestAt(high));

/**
 * Where the badge of a node stands, and how far from it the next part stands.
 * @type {(board: Storyboard, picture: Picture, node: Index, grow: number) => Spot | null}
 */
function placeOf(board, picture, node, grow) {
  const place = shownPlace(picture, node) || picture.placesOf.get(node)?.[0];
  if (!place) return null;
  const grid = isBeside(board, place) ? gridOf(board.values[board.nodes[node].value ?? -1]) : null;
  if (grid) return { x: place.x + halves(place.w, grid).right, y: place.y + LOWER, step: 0, box: place };
  const high = pillHigh(board, place);
  const step = (high - 2) * pillSize(grow);
  if (!indexOf(board).fans.has(node) || place.stack > 0)
    return { x: place.x, y: place.y + pillPlace(place.h, grow, high), step, box: place };
  // above, where the name stands inside
  return { x: place.x, y: place.y - place.h / 2 - (high / 2 + 2) * pillSize(grow), step: -step, box: place };
}

/**
 * The place of a part, counted from 0, which is the place of their sum: its middle, how large it is drawn there at
 * most, and at which box.
 * @type {(board: Storyboard, picture: Picture, node: Index, i: number, grow: number) =>
 *   { x: number, y: number, size: number, box: Spot["box"] } | null}
 */
export function slotOf(board, picture, node, i, grow) {
  const place = placeOf(board, picture, node, grow);
  if (!place) return null;
  const { x, y, step, box } = place;
  const size = isBeside(board, box) ? 1 : pillSize(grow);
  return { x, y: y + i * step, size, box };
}

/** @type {(picture: Picture, node: Index) => Element | null} */
export const badgeAt = ({ layers }, node) => layers.badges.querySelector(`[data-node="${node}"]`);

/**
 * @param {Storyboard} board
 * @param {Stage} stage
 * @param {Picture} picture
 * @param {Index} node
 * @param {number} grow
 * @param {string | null | undefined} text  "" where letters are too small, null where tiles are, too
 * @returns {Badge | null}
 */
function badgeOf(board, stage, picture, node, grow, text) {
  const result = placeOf(board, picture, node, grow);
  if (!result || !stage.nodes[node]) return null;
  const { x, y, step, box } = result;
  const { value, parts } = adjointOf(stage, node);
  const arriving = stage.frame?.act === "part" && stage.frame.node === node;
  const size = isBeside(board, box) ? 1 : pillSize(grow);
  const place = { transform: `translate(${x} ${y})`, "data-node": node };
  if (value >= 0 && (stage.adjoint[node] >= 0 || !arriving)) {
    const summary = board.values[value];
    const one = () => draw("g", place, pill(summary, "adjoint", 0, text, size, box));
    if (text === null) return { key: [node, x, y, "mark"].join(" "), draw: one };
    const written = text ?? pillText(summary, box); // another number of as many letters stands where the first did
    const grid = text === undefined ? pillGrid(summary, box) : null;
    const key = [node, x, y, written.length || (grid ? "w" + grid.w : "tiles"), text].join(" ");
    return { key, draw: one, text: written, value: summary, grid };
  }
  const values = parts.map((part) => part.value);
  const pills = () => values.slice(0, STACKED).map((v, i) => pill(board.values[v], "part", i * step, text, size, box));
  const more = values.length - STACKED;
  const low = { class: "node-op", "text-anchor": "middle", y: STACKED * step + 4, style: `font-size:${11 * size}px` };
  const several = () => draw("g", place, pills(), more > 0 ? draw("text", low, "+ " + more) : null);
  const shown = values.map((v) => identity(board.values[v]));
  return { key: [node, x, y, shown, text].join("+"), draw: several };
}

/**
 * The badge of a source to which nothing came.
 * @type {(picture: Picture, node: Index, grow: number) => Badge | null}
 */
function noneOf(picture, node, grow) {
  const [place] = picture.placesOf.get(node) || [];
  if (!place) return null;
  const at = { transform: `translate(${place.x} ${place.y + pillPlace(place.h, grow)})` };
  return { key: "none " + node, draw: () => draw("g", at, pill(null, "none", 0, "None", pillSize(grow))) };
}

/**
 * Draws all badges of a moment, with their numbers where these can be read. What stays as it was is not drawn again,
 * nor is what `waits`.
 * @type {(view: View, stage: Stage, picture: Picture, waits?: (node: Index) => boolean) => void}
 */
export function drawBadges({ board, grow, written }, stage, picture, waits = () => false) {
  const text = written();
  /** @type {Picture["badges"]} */
  const badges = new Map();
  stage.adjoint.forEach((value, node) => {
    if (value < 0 && !stage.parts.has(node)) return;
    const before = picture.badges.get(node);
    const badge = before && waits(node) ? before : drawn(badgeOf(board, stage, picture, node, grow, text), before);
    if (badge) badges.set(node, badge);
  });
  for (const { pass, node, value } of stage.results) {
    if (pass !== stage.pass || given(value)) continue;
    const badge = drawn(noneOf(picture, node, grow), picture.badges.get(~node));
    if (badge) badges.set(~node, badge);
  }
  keepInOrder(picture.layers.badges, picture.badges, badges);
  picture.badges = badges;
}

/** A badge as it is now: the one that was there, where only its numbers are others. */
/** @type {(badge: Badge | null, before: Drawn | undefined) => Drawn | null} */
function drawn(badge, before) {
  if (!badge) return null;
  const { key, draw, text, value, grid } = badge;
  const known = before?.key === key ? before.element : null;
  const same = before?.value === value || !isArray(value);
  const element = known && (text || same || holds(known, value, grid)) ? known : draw();
  if (text) write(element.querySelector("text"), text);
  return { key, element, value };
}

/**
 * Writes an array into a badge; false where that must be drawn anew.
 * @type {(badge: SVGGElement, value: ArraySummary, grid: Badge["grid"]) => boolean}
 */
function holds(badge, value, grid) {
  if (grid) return rewriteGrid(badge, grid);
  const tiles = badge.querySelector(".tiles");
  if (tiles) rewriteTiles(tiles, value);
  return tiles !== null;
}

/**
 * How far every number goes when one gets a little more: on the other border of their boxes.
 * @type {(view: View, picture: Picture, changes: [Index, string][]) => void}
 */
export function drawChanges({ board, grow, readable }, picture, changes) {
  const size = pillSize(grow);
  const drawn = changes.map(([node, text]) => {
    const place = readable() ? shownPlace(picture, node) : null;
    if (!place) return null;
    const above = indexOf(board).fans.has(node) && place.stack < 0; // there its adjoint stands
    const at = `translate(${place.x + place.w / 4} ${place.y + (above ? 1 : -1) * pillPlace(place.h, grow)})`;
    return draw("g", { class: "nudged", transform: at }, pill(null, "value", 0, text, size));
  });
  picture.layers.changes.replaceChildren(...drawn.filter(given));
}

/**
 * Takes out what is gone and puts in what is new: in the same order, however one came here.
 * @type {(layer: SVGGElement, before: Picture["badges"], after: Picture["badges"]) => void}
 */
function keepInOrder(layer, before, after) {
  for (const [node, { element }] of before) if (after.get(node)?.element !== element) element.remove();
  let at = layer.firstChild;
  for (const { element } of after.values()) {
    if (element === at) at = at.nextSibling;
    else layer.insertBefore(element, at);
  }
}
