// @ts-check
// The motion of one act in the graph. Forwards the values of the inputs run into their operation, and its result
// appears. Backwards the adjoint leaves its node, meets the local derivative on the edge, becomes the part, and arrives
// where it will be added; the parts slide together into their sum. Each returns when the result is there.

import { draw } from "../elements/dom.js";
import { FADE } from "../elements/motion.js";
import { given, indexOf } from "../storyboard/lookup.js";
import { adjointOf, stateAt } from "../storyboard/state.js";
import { originsBackwards, originsForwards, surpriseBackwards } from "../replay/origins.js";
import { shorten } from "../storyboard/values.js";
import { badgeAt, pillSize, slotOf } from "./badges.js";
import { isQuiet } from "./edges.js";
import { flyBackwards, flyForwards, flySurprise } from "./flights.js";
import { distance } from "./geometry.js";
import { pill } from "./pill.js";
import { shownPlace } from "./picture.js";
import { ROOM, STACKED } from "./scale.js";

/** @import { CutFrame, Index, PartFrame, RecordFrame, ResultFrame, SumFrame } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Motion, Point, Times } from "../elements/motion.js" */
/** @import { DrawnEdge } from "./edges.js" */
/** @import { DrawnNode } from "./boxes.js" */
/** @import { Kind } from "./pill.js" */
/** @import { Picture } from "./picture.js" */
/** @import { View } from "./view.js" */
/** @typedef {{ view: View, stage: Stage, picture: Picture, motion: Motion }} Scene */
/** @typedef {{ kind: Kind, value?: Index, text?: string, box?: DrawnNode }} Carried `box`: its beginning or end */

const MEET = 250; // milliseconds until the adjoint meets the local derivative
const ARRIVED = 540; // until the part is where it will be added
const OPENS = 150; // until a pill waits for the first of its numbers
const TOGETHER = 420; // until parts have become their sum
const MADE = 360; // until values have become a result
const SAMPLES = 16; // of an edge
const NEAR = 12; // pixels between a box and the end of its edge, at most
const GROWN = 2.5; // how much larger a number on its way may be than one that stays

/**
 * Moves what this act moves, of several answers all; returns when its result is there (0: at once).
 * @type {(view: View, stage: Stage, picture: Picture) => number}
 */
export function move(view, stage, picture) {
  const { frame } = stage;
  const { motion } = view.options;
  const on = motion && motion.wanted() && view.last >= 0 && stage.k > view.last && view.root.isConnected;
  if (!on || !frame) return 0;
  const scene = { view, stage, picture, motion };
  if (frame.act === "cut" || frame.key === "part.late")
    return moveCut(scene, /** @type {CutFrame | PartFrame} */ (frame));
  if (frame.act === "part") return movePart(scene, frame);
  if (frame.act === "sum") return moveSum(scene, frame);
  const results = view.board.frames.slice(view.last, stage.k).filter(({ act }) => act === "result");
  if (results.length)
    return Math.max(...results.map((result) => moveResult(scene, /** @type {ResultFrame} */ (result))));
  return frame.act === "record" ? moveRecord(scene, frame) : 0;
}

/** @type {(scene: Scene, frame: PartFrame) => number} */
function movePart(scene, frame) {
  const { view, stage, picture, motion } = scene;
  const { card, input, node, local, value } = frame;
  const edge = picture.edgeOf.get(stage.current.edge);
  const arrived = edge ? moveNumbers(scene, frame) : 0;
  const way = arrived ? null : wayBack(edge);
  if (!way) return arrived;
  const middle = way.length >> 1;
  const formula = (view.board.cards[card].formula || [])[input];
  const box = shownPlace(picture, node);
  if (given(local)) carry(scene, { kind: "local", value: local, box }, [way[middle]], [0, MEET]);
  else if (formula) carry(scene, { kind: "formula", text: shorten(formula, 24) }, [way[middle]], [0, MEET], "linear");
  approach(scene, view.board.cards[card].outputs[0], way.slice(0, middle + 1));
  const count = stage.parts.get(node)?.length || 1;
  const slot = slotOf(view.board, picture, node, Math.min(count - 1, STACKED), view.grow);
  carry(
    scene,
    { kind: "part", value, box },
    [...way.slice(middle), ...around(picture, node, way[SAMPLES], slot)],
    [MEET, ARRIVED],
    "ease-out",
  );
  motion.replace(badgeAt(picture, node)?.lastElementChild, ARRIVED);
  return appearCallout(scene, MEET);
}

/**
 * The numbers of a small array find their cells one by one; 0 where this is not to be seen.
 * @type {(scene: Scene, frame: PartFrame) => number}
 */
function moveNumbers(scene, frame) {
  const { view, stage, picture, motion } = scene;
  const { card, node, value } = frame;
  const adjoint = adjointOf(stage, view.board.cards[card].outputs[0]).value;
  const origins = adjoint < 0 ? null : originsBackwards(view.board, frame, adjoint);
  const count = stage.parts.get(node)?.length || 1;
  const place = Math.min(count - 1, STACKED);
  const surprise = adjoint < 0 ? null : surpriseBackwards(view.board, frame, adjoint);
  if (surprise && flySurprise(scene, frame, place, surprise, ARRIVED)) {
    motion.replace(badgeAt(picture, node)?.lastElementChild, ARRIVED);
    return appearCallout(scene, ARRIVED);
  }
  const goal = origins && flyBackwards(scene, node, value, place, origins, ARRIVED);
  if (!goal) return 0;
  if (goal.told || !origins.meet) motion.replace(badgeAt(picture, node)?.lastElementChild, goal.told ? ARRIVED : OPENS);
  return goal.told ? ARRIVED : appearCallout(scene, ARRIVED);
}

/** @type {(scene: Scene, frame: SumFrame) => number} */
function moveSum(scene, { node }) {
  const { view, stage, picture, motion } = scene;
  const parts = stateAt(view.board, stage.k - 1).parts.get(node) || [];
  const sum = slotOf(view.board, picture, node, 0, view.grow);
  if (!sum || !parts.length) return 0;
  parts.slice(0, STACKED).forEach(({ value }, i) => {
    const from = slotOf(view.board, picture, node, i, view.grow) || sum;
    carry(scene, { kind: "part", value, box: shownPlace(picture, node) }, [from, sum], [0, TOGETHER], "ease-in");
  });
  motion.replace(badgeAt(picture, node), TOGETHER);
  return appearCallout(scene, TOGETHER);
}

/** @type {(scene: Scene, frame: CutFrame | PartFrame) => number} the adjoint runs as far as the cut */
function moveCut(scene, frame) {
  const { view, stage, picture } = scene;
  const { edge } = stage.current;
  const way = isQuiet(frame, view.board) ? null : wayBack(picture.edgeOf.get(edge));
  const runs = way && approach(scene, view.board.edges[edge].to, way.slice(0, (way.length >> 1) + 1), MEET + FADE);
  return runs ? appearCallout(scene, MEET) : 0;
}

/** @type {(scene: Scene, frame: ResultFrame) => number} the adjoint of a source becomes the answer */
function moveResult(scene, { node, value }) {
  const { view, picture, motion } = scene;
  const from = slotOf(view.board, picture, node, 0, view.grow);
  const to = picture.answers.get(node);
  if (!from || !to || !given(value)) return 0;
  const way = [from, { x: to.middles[to.middles.length - 1] - ROOM.side, y: to.y - ROOM.top }];
  carry(scene, { kind: "adjoint", value, box: shownPlace(picture, node) }, way, [0, MEET, MEET + FADE], "ease-in");
  motion.appear(to.group, MEET);
  return MEET;
}

/** @type {(scene: Scene, frame: RecordFrame) => number} */
function moveRecord(scene, { card }) {
  const { view, picture, motion } = scene;
  const { inputs, outputs } = view.board.cards[card];
  const made = outputs.map((node) => shownPlace(picture, node)).filter(given);
  if (!made.length) return 0;
  const origins = originsForwards(view.board, card);
  if (origins && flyForwards(scene, outputs[0], origins, ARRIVED)) return ARRIVED;
  inputs.forEach((node, i) => {
    const way = wayBack(picture.edgeOf.get(indexOf(view.board).edgeOf[card][i] ?? -1));
    const { value } = view.board.nodes[node];
    const box = shownPlace(picture, node);
    if (way && given(value)) carry(scene, { kind: "value", value, box }, way.reverse(), [0, MADE, MADE + FADE]);
  });
  for (const { element } of made) motion.appear(element, MADE);
  return appearCallout(scene, MADE);
}

/**
 * The adjoint of a node leaves its badge and runs along these points; false where it is not known.
 * @type {(scene: Scene, node: Index, way: Point[], gone?: number) => boolean}
 */
function approach(scene, node, way, gone) {
  const { view, stage, picture } = scene;
  const adjoint = adjointOf(stage, node).value;
  const from = slotOf(view.board, picture, node, 0, view.grow);
  const start = around(picture, node, way[0], from).reverse();
  const box = shownPlace(picture, node);
  if (adjoint >= 0)
    carry(scene, { kind: "adjoint", value: adjoint, box }, [...start, ...way], [0, MEET, gone], "ease-in");
  return adjoint >= 0;
}

/** @type {(scene: Scene, at: number) => number} */
function appearCallout({ picture, motion }, at) {
  motion.appear(picture.layers.now.querySelector(".callout"), at);
  return at;
}

/**
 * A number (or a text, where there is none) on its way, from one time to another.
 * @type {(scene: Scene, what: Carried, way: Point[], times: Times, easing?: string) => void}
 */
function carry({ view, picture, motion }, { kind, value, text, box }, way, times, easing) {
  const size = view.readable() ? pillSize(view.grow) : Math.min(GROWN, view.grow);
  const inside = pill(given(value) ? view.board.values[value] : null, kind, 0, text, size, box);
  const traveller = draw("g", { class: "traveller", "aria-hidden": "true" }, inside);
  picture.layers.moving.append(traveller);
  motion.travel(traveller, way, times, easing);
}

/**
 * From the end of an edge to a place on the border of its box: around the corner, so that no number inside is covered.
 * @type {(picture: Picture, node: Index, end: Point, slot: Point | null) => Point[]}
 */
function around(picture, node, end, slot) {
  const box = shownPlace(picture, node);
  if (!slot) return [];
  return box && distance(box, [end.x, end.y]) < NEAR ? [{ x: end.x, y: slot.y }, slot] : [slot];
}

/**
 * Points along an edge from its end to its beginning: the way back.
 * @param {DrawnEdge | undefined} drawn
 * @returns {Point[] | null}
 */
function wayBack(drawn) {
  const path = /** @type {SVGPathElement | undefined} */ (drawn?.element.querySelector(".edge-line"));
  const length = path ? path.getTotalLength() : 0;
  if (!path || !length) return null;
  return Array.from({ length: SAMPLES + 1 }, (_, i) => path.getPointAtLength(length * (1 - i / SAMPLES)));
}
