// @ts-check
// What happens at this moment, above everything else: the cuts, and one callout.

import { draw } from "../elements/dom.js";
import { cutEdge } from "../storyboard/current.js";
import { STACKED, pillSize } from "./badges.js";
import { callout, calloutWidth } from "./callout.js";
import { cutMark, isQuiet } from "./edges.js";
import { answerAt, numbersOf } from "./numbers.js";
import { ROOM } from "./scale.js";

/** @import { Frame } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Anchor, Bounds, Obstacle } from "./callout.js" */
/** @import { DrawnBox } from "./boxes.js" */
/** @import { View } from "./view.js" */
/** @import { Picture } from "./picture.js" */

const OWN = 4; // times worse than another: to cover the box, and its number, of which something is said
const ANSWER = 1.4; // how much larger an answer stands
const FAR = { x: 600, y: 300 }; // no callout goes farther

/**
 * @param {View} view
 * @param {Stage} stage
 * @param {Picture} picture
 */
export function drawNow(view, stage, picture) {
  const { board } = view;
  const marks = stage.cuts.map((cut) => {
    const drawn = picture.edgeOf.get(cutEdge(cut, board));
    return drawn ? cutMark(drawn.middle, isQuiet(cut, board)) : null;
  });
  picture.layers.now.replaceChildren(...marks.filter((mark) => mark !== null));
  picture.bubble = null;
  const { frame } = stage;
  if (frame && (frame.act !== "visit" || !view.readable())) drawCallout(view, stage, picture, frame);
}

/** @type {(view: View, stage: Stage, picture: Picture, frame: Frame) => void} */
function drawCallout(view, stage, picture, frame) {
  const { board, words, grow } = view;
  const said = numbersOf(board, stage, words, picture.width, grow);
  if (!said) return;
  const answer = answerAt(board, stage);
  const drawn = picture.edgeOf.get(stage.current.edge);
  const box = picture.placesOf.get(answer?.node ?? stage.current.node)?.[0];
  const onBox = answer || ["visit", "sum", "seed"].includes(frame.act);
  const at = onBox ? box && { x: box.x, y: box.y - box.h / 2, tall: box.h } : drawn && drawn.middle;
  if (!at) return;
  const near = picture.boxes.filter(
    (other) => other.shown && Math.abs(other.x - at.x) < FAR.x && Math.abs(other.y - at.y) < FAR.y,
  );
  const own = (/** @type {DrawnBox} */ other) => (other === box ? OWN : 1);
  const obstacles = [
    ...near.map((other) => ({ ...obstacleOf(other, stage, pillSize(grow)), weight: own(other) })),
    ...corners(view),
  ];
  /** @type {Anchor} */
  const anchor = { ...at, x: at.x + ROOM.side, y: at.y + ROOM.top };
  const across = view.scroller.clientWidth / view.scale();
  const wanted = answer ? Math.max(ANSWER, grow) : grow;
  const larger = Math.max(1, Math.min(wanted, (Math.min(picture.width, across) - 12) / calloutWidth(said)));
  const { group, bubble } = callout(said, anchor, obstacles, boundsFor(view, picture, box), frame.act, larger);
  picture.bubble = bubble;
  picture.layers.now.append(draw("g", { transform: `translate(${-ROOM.side} ${-ROOM.top})` }, group));
}

/**
 * A box with its badges, in the coordinates of the picture's frame.
 * @type {(box: DrawnBox, stage: Stage, size: number) => Obstacle}
 */
function obstacleOf({ x, y, w, h, node, stack }, stage, size) {
  const parts = (node !== undefined && stage.parts.get(node)) || [];
  const pile = 14 * size * Math.min(STACKED, parts.length);
  const above = stack < 0 ? 22 * size + pile : 4;
  const below = 12 * (2 * size - 1) + (stack < 0 ? 0 : pile);
  return { x: x + ROOM.side, y: y + ROOM.top, w, h, above, below };
}

/**
 * The pane's name and its buttons lie above the picture: what is said should not lie under them.
 * @param {View} view
 * @returns {Obstacle[]}
 */
function corners({ svg, heading, trail, tools, scale }) {
  const own = svg.getBoundingClientRect();
  const s = scale();
  return [heading, trail, tools]
    .map((part) => part.getBoundingClientRect())
    .filter((box) => box.width && own.width)
    .map((box) => ({
      x: (box.left + box.width / 2 - own.left) / s,
      y: (box.top + box.height / 2 - own.top) / s,
      w: box.width / s,
      h: box.height / s,
      above: 0,
      below: 0,
      weight: 5,
    }));
}

/**
 * Where a callout may stand: in the picture, in what the pane shows above and below it, and so near to its node that
 * both are seen at once.
 * @type {(view: View, picture: Picture, box: DrawnBox | undefined) => Bounds}
 */
function boundsFor({ scroller, scale }, { width, height }, box) {
  const wide = scroller.clientWidth / scale();
  const spare = Math.max(0, scroller.clientHeight / scale() - height) / 2;
  if (!box) return { from: 0, to: width, height, spare };
  const x = box.x + ROOM.side;
  const far = box.w / 2 + 8;
  return { from: Math.max(0, x + far - wide), to: Math.min(width, x - far + wide), height, spare };
}
