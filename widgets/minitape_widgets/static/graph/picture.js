// @ts-check
// One drawing put on the page: its stacks, its edges, its boxes, and layers above them for what changes with every act.

import { assign, draw } from "../elements/dom.js";
import { indexOf } from "../storyboard/lookup.js";
import { drawGroup, drawNode } from "./boxes.js";
import { drawEdge } from "./edges.js";
import { distance, overlaps, stackOf } from "./geometry.js";
import { ROOM, framed } from "./scale.js";

/** @import { Drawing, GroupBox, Index, NodeBox, Storyboard } from "storyboard" */
/** @import { DrawnBox, DrawnNode, Hands, Manner } from "./boxes.js" */
/** @import { DrawnEdge } from "./edges.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Place } from "./now.js" */
/** @typedef {ReturnType<typeof drawPicture>} Picture */

/**
 * @param {Manner} manner
 * @param {Drawing} drawing
 * @param {(group: Index) => boolean} opens
 * @param {(box: NodeBox | GroupBox) => Hands} handsOf
 * @param {Held | null} held
 */
export function drawPicture(manner, drawing, opens, handsOf, held) {
  const { board, grow } = manner;
  const edges = drawing.edges.map((line) => drawEdge(board, line));
  /** @type {DrawnBox[]} */
  const all = drawing.nodes.map((box) =>
    box.node === undefined
      ? drawGroup(board, box, grow, opens(box.group), handsOf(box))
      : drawNode(manner, box, handsOf(box), held),
  );
  const frames = all.filter((box) => box.info && box.inside); // they stand behind what is in them
  const boxes = all.filter((box) => !frames.includes(box));
  /** @type {Map<Index, DrawnNode[]>} node -> its places: a leaf that is used often is drawn once per use */
  const placesOf = new Map();
  for (const box of boxes) if (box.node !== undefined) placesOf.set(box.node, [...(placesOf.get(box.node) || []), box]);
  /** @type {Map<Index, DrawnEdge>} edge -> where it is drawn first */
  const edgeOf = new Map();
  for (const drawn of edges) for (const e of drawn.edges) if (!edgeOf.has(e)) edgeOf.set(e, drawn);
  for (const places of placesOf.values()) if (places.length > 1) twins(board, places, edges);
  const { fans } = indexOf(board);
  for (const box of boxes) if (fans.has(box.node)) box.stack = stackOf(box, boxes);
  return {
    ...framed(drawing),
    edges,
    boxes,
    frames,
    placesOf,
    edgeOf,
    layers: {
      frames: layer(
        "frames",
        frames.map((drawn) => drawn.element),
      ),
      edges: layer(
        "edges",
        edges.map((drawn) => drawn.element),
      ),
      boxes: layer(
        "nodes",
        boxes.map((drawn) => drawn.element),
      ),
      badges: layer("badges"),
      changes: layer("changes"),
      now: layer("top"),
      moving: layer("moving"),
    },
    /** @type {Map<number, import("./badges.js").Drawn>} node -> its adjoint or parts; ~node -> that nothing came */
    badges: new Map(),
    /** @type {Place | null} the callout of now */
    bubble: null,
    /** @type {Map<Index, Place>} node -> its answer */
    answers: new Map(),
  };
}

/** @type {(name: string, inside?: SVGElement[]) => SVGGElement} */
const layer = (name, inside = []) => draw("g", { class: name }, inside);

/**
 * Each place of a leaf belongs to the edges that begin there, and appears with them; where one is pointed at, all
 * light up, since they are one value.
 * @type {(board: Storyboard, places: DrawnNode[], edges: DrawnEdge[]) => void}
 */
function twins(board, places, edges) {
  for (const { edge, points } of edges) {
    if (board.edges[edge].from !== places[0].node) continue;
    const [start] = points;
    const nearest = places.reduce((best, place) => (distance(place, start) < distance(best, start) ? place : best));
    nearest.edges.push(edge);
  }
  /** @type {(on: boolean) => () => void} */
  const light = (on) => () => places.forEach(({ element }) => assign(element, "data-lit", on));
  for (const { element } of places) {
    for (const event of ["pointerenter", "focus"]) element.addEventListener(event, light(true));
    for (const event of ["pointerleave", "blur"]) element.addEventListener(event, light(false));
  }
}

/** Whether something above the picture would cover a box of it. */
/** @type {(above: Box[], boxes: Box[]) => boolean} */
export const isUnder = (above, boxes) =>
  boxes.some((box) => above.some((part) => overlaps(part, { ...box, x: box.x + ROOM.side, y: box.y + ROOM.top })));

/** @param {Picture} picture */
export const viewBoxOf = ({ width, height }) => `${-ROOM.side} ${-ROOM.top} ${width} ${height}`;

/**
 * The place of a node that is shown, if there is one.
 * @type {(picture: Picture, node: Index) => DrawnNode | undefined}
 */
export const shownPlace = (picture, node) => picture.placesOf.get(node)?.find((place) => place.shown);

/**
 * The box that the Tab key reaches: the one where something happens, else the first.
 * @type {(picture: Picture, node: Index) => DrawnBox | undefined}
 */
export function entryOf(picture, node) {
  const reachable = picture.boxes.filter((drawn) => drawn.shown);
  return reachable.find((drawn) => drawn.node === node) || reachable[0];
}
