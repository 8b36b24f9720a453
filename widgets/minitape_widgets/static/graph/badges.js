// @ts-check
// Adjoints and waiting parts, on the lower border of their nodes; a node drawn several times carries them at its
// first place.

import { draw } from "../elements/dom.js";
import { given } from "../storyboard/lookup.js";
import { adjointOf } from "../storyboard/state.js";
import { pill } from "./pill.js";
import { shownPlace } from "./picture.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Picture } from "./picture.js" */
/** @typedef {{ key: string, draw: () => SVGGElement }} Badge what is badged: the same key is the same picture */

export const STACKED = 4; // parts drawn one by one before "and n more"
const HIGH = 16; // a part in a stack

/** @param {number} grow */
export const pillSize = (grow) => Math.min(1.35, grow);

/** @type {(h: number, grow: number) => number} how far from the middle of a box its badge stands */
const pillPlace = (h, grow) => h / 2 + (h > 50 ? 3 : 7) + 9 * (pillSize(grow) - 1);

/**
 * @param {Storyboard} board
 * @param {Stage} stage
 * @param {Picture} picture
 * @param {Index} node
 * @param {number} grow
 * @returns {Badge | null}
 */
function badgeOf(board, stage, picture, node, grow) {
  const places = picture.placesOf.get(node);
  if (!places || !stage.nodes[node]) return null;
  const { x, y, h, stack } = shownPlace(picture, node) || places[0];
  const { value, parts } = adjointOf(stage, node);
  const way = parts.length > 1 ? stack : 1; // several parts stack where there is room: below, else above
  const arriving = stage.frame?.act === "part" && stage.frame.node === node;
  const whole = stage.adjoint[node] >= 0 || (parts.length === 1 && !arriving);
  const size = pillSize(grow);
  const place = { transform: `translate(${x} ${y + way * pillPlace(h, grow)})` };
  if (whole) {
    const one = () => draw("g", place, pill(board.values[value], "adjoint", 0, undefined, size));
    return { key: [node, x, y, value].join(" "), draw: one };
  }
  const step = way * HIGH * size;
  const values = parts.map((part) => part.value);
  const pills = () => values.slice(0, STACKED).map((v, i) => pill(board.values[v], "part", i * step, undefined, size));
  const more = values.length - STACKED;
  const low = { class: "fine", "text-anchor": "middle", y: STACKED * step + 4, text: "+ " + more };
  const several = () => draw("g", place, pills(), more > 0 ? draw("text", low) : null);
  return { key: [node, x, y, values].join("+"), draw: several };
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
 * Draws all badges of a moment. What stays as it was is not drawn again.
 * @param {Storyboard} board
 * @param {Stage} stage
 * @param {Picture} picture
 * @param {number} grow
 */
export function drawBadges(board, stage, picture, grow) {
  /** @type {(Badge | null)[]} */
  const wanted = [];
  stage.adjoint.forEach((value, node) => {
    if (value >= 0 || stage.parts.has(node)) wanted.push(badgeOf(board, stage, picture, node, grow));
  });
  for (const { pass, node, value } of stage.results)
    if (pass === stage.pass && !given(value)) wanted.push(noneOf(picture, node, grow));
  /** @type {Map<string, SVGGElement>} */
  const badges = new Map();
  for (const badge of wanted.filter(given)) badges.set(badge.key, picture.badges.get(badge.key) || badge.draw());
  keepInOrder(picture.layers.badges, picture.badges, badges);
  picture.badges = badges;
}

/**
 * Takes out what is gone and puts in what is new: in the same order, however one came here.
 * @type {(layer: SVGGElement, before: Map<string, SVGGElement>, after: Map<string, SVGGElement>) => void}
 */
function keepInOrder(layer, before, after) {
  for (const [key, element] of before) if (!after.has(key)) element.remove();
  let at = layer.firstChild;
  for (const element of after.values()) {
    if (element === at) at = at.nextSibling;
    else layer.insertBefore(element, at);
  }
}
