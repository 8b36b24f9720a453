// @ts-check
// What happens at this moment, above everything else: the cuts, and one callout; at the end of a play, the answers.

import { draw } from "../elements/dom.js";
import { answersOf } from "../storyboard/answers.js";
import { cutEdge } from "../storyboard/current.js";
import { gridOf } from "../storyboard/grid.js";
import { indexOf } from "../storyboard/lookup.js";
import { badgeAt, pillPlace, pillSize, slotOf } from "./badges.js";
import { FAR, alongLine, callout, calloutWidth, standOf, wordsAt } from "./callout.js";
import { HEAD } from "./drawings.js";
import { cutMark, isQuiet } from "./edges.js";
import { overlaps } from "./geometry.js";
import { isBeside, pillHigh } from "./grids.js";
import { answerWords, equationOf, numbersOf } from "./numbers.js";
import { sizeOfPill } from "./pill.js";
import { shownPlace } from "./picture.js";
import { ROOM, STACKED } from "./scale.js";
import { corners } from "./view.js";

/** @import { Frame, Index } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Anchor, Bounds, Obstacle, Word } from "./callout.js" */
/** @import { Box } from "./geometry.js" */
/** @import { DrawnBox } from "./boxes.js" */
/** @import { View } from "./view.js" */
/** @import { Picture } from "./picture.js" */
/**
 * @typedef {Obstacle & { group: SVGElement, said: Word[], line: Obstacle[], middles: number[], size: number }} Place
 *   where a callout stands, what it says, its line, and where its words have their middles
 */
/**
 * @typedef {{ said: Word[], most?: number, about?: Index[] }} Try `most`: how many boxes its line may strike through;
 *   `about`: the nodes whose boxes it covers not, if it may cover all others
 */
/**
 * @typedef {Try & { at: Anchor, box: DrawnBox | undefined, kind: string, grow: number, others?: Obstacle[],
 *   reach?: number }} Told `reach`: see Bounds
 */

const SAID = ["part", "sum", "cut", "seed"]; // acts of which a callout tells
const LITTLE = 2; // boxes that the line to numbers may strike through: else tiles stand for them
const EDGE = 8; // pixels between a callout and the edge of the pane, which it would else touch, as if cut off
const LEAST = 0.96; // as large as what is said on the way, as far as that can be read
const BARE = 0.9; // the same of numbers alone, whose letters are larger
const LARGE = [1.6, 1.3, 1, LEAST]; // how much larger an answer is: the first of these that has a place
const FEW = 2; // answers that are all large at the end
const ANSWERS = 6; // drawn at once
const NEAR = 240; // how far from its box one stands, if there are others or it is large

/**
 * @param {View} view
 * @param {Stage} stage
 * @param {Picture} picture
 */
export function drawNow(view, stage, picture) {
  const { board } = view;
  if (!view.still) view.stands.clear();
  const marks = stage.cuts.map((cut) => {
    const drawn = picture.edgeOf.get(cutEdge(cut, board));
    return drawn ? cutMark(drawn.middle, isQuiet(cut, board)) : null;
  });
  picture.layers.now.replaceChildren(...marks.filter((mark) => mark !== null));
  picture.bubble = null;
  for (const node of picture.answers.keys()) badgeAt(picture, node)?.removeAttribute("visibility");
  picture.answers.clear();
  const { frame } = stage;
  const says = frame && (SAID.includes(frame.act) || (frame.act === "visit" && !view.readable()));
  const tries = frame ? triesOf(view, stage, picture, frame, Boolean(says)) : [];
  if (frame && (says || tries.length)) drawCallout(view, stage, picture, frame, tries);
  else if (!view.turned) drawAnswers(view, stage, picture);
}

/** The width of the pane, in the picture. @type {(view: View, picture: Picture) => number} */
const roomIn = (view, { width }) => Math.max(width, view.room().width / view.scale());

/**
 * What may be said, the most telling first: all numbers of a product that are not seen in its boxes, if it must be over
 * boxes that have nothing to do with it; numbers that an act makes or completes, and that are seen nowhere else; and
 * what it `says` anyway, if it must be with tiles, or else what it comes to, over such boxes.
 * @type {(view: View, stage: Stage, picture: Picture, frame: Frame, says: boolean) => Try[]}
 */
function triesOf(view, stage, picture, frame, says) {
  const { board, grow } = view;
  /** @type {(node: Index) => boolean} */
  const isUnseen = (node) => {
    const box = shownPlace(picture, node);
    return Boolean(box && !box.numbers && gridOf(board.values[board.nodes[node].value ?? -1]));
  };
  const room = roomIn(view, picture);
  const made = frame.act === "visit" || frame.act === "record" ? [stage.current.node] : [];
  const told = says || made.some(isUnseen) ? numbersOf(view, stage, room) : [];
  const card = board.cards[stage.current.card];
  const about = card ? [...card.inputs, ...card.outputs] : [];
  const unseen = about.some(isUnseen);
  const equation = unseen || frame.act === "part" ? equationOf(board, stage, room, grow) : null;
  return [
    ...(equation ? [{ said: equation, most: LITTLE }, ...(unseen ? [{ said: equation, about }] : [])] : []),
    ...told.slice(0, -1).map((said) => ({ said, most: LITTLE })),
    ...(says && told[0] ? [{ said: told[told.length - 1] }, { said: told[0].slice(-1), about }] : []),
  ];
}

/** @type {(view: View, stage: Stage, picture: Picture, frame: Frame, tries: Try[]) => void} */
function drawCallout(view, stage, picture, frame, tries) {
  const drawn = picture.edgeOf.get(stage.current.edge);
  const { node } = stage.current;
  const box = shownPlace(picture, node) || picture.placesOf.get(node)?.[0];
  const onBox = ["record", "visit", "sum", "seed"].includes(frame.act);
  const at = onBox ? box && over(view, box, stage) : drawn && drawn.middle;
  if (!at) return;
  const what = { at, box, kind: frame.key === "part.late" ? "cut" : frame.act, grow: view.grow };
  for (const one of tries) picture.bubble ??= put(view, stage, picture, { ...what, ...one });
}

/**
 * The end of a play is its answer: large, at its source; of many only the one at hand, and the others where they cover
 * nothing.
 * @type {(view: View, stage: Stage, picture: Picture) => void}
 */
function drawAnswers(view, stage, picture) {
  /** @type {Obstacle[]} */
  const others = [];
  const answers = answersOf(view.board, stage).slice(-ANSWERS);
  const now = stage.frame?.act === "result" ? stage.frame.node : -1;
  /** @type {(node: Index) => boolean} */
  const atHand = (node) => node === now || answers.length <= FEW;
  answers.sort((a, b) => Number(b.node === now) - Number(a.node === now)); // it has the first choice of a place
  for (const { node, name, value } of answers) {
    const box = shownPlace(picture, node);
    if (!box) continue;
    const what = {
      said: answerWords(view.board, name, value, roomIn(view, picture), view.grow),
      at: { ...over(view, box, stage), wide: box.w },
      box,
      others,
    };
    const kind = atHand(node) ? "answer" : "answer callout-held";
    /** @type {(size: number, most: number, reach?: number, said?: Word[]) => Place | null} */
    const tried = (size, most, reach, said = what.said) =>
      put(view, stage, picture, { ...what, kind, grow: view.grow * size, most, reach, said });
    /** @type {Place | null} */
    let place = null;
    for (const size of LARGE.slice(atHand(node) ? 0 : 2)) place ??= tried(size, 0, NEAR);
    // whose numbers are seen at its source needs no line behind a box
    const struck = badgeAt(picture, node)?.querySelector(".grid-number") ? 0 : 1;
    if (atHand(node) && (now < 0 || node === now)) place ??= tried(LEAST, struck);
    for (const most of [0, struck]) place ??= tried(BARE, most, NEAR, what.said.slice(1)); // its line says whose
    if (!place) continue;
    picture.answers.set(node, place);
    others.push(place, ...place.line);
    if (atHand(node)) picture.bubble ??= place;
    if (hides(view, picture, node, place)) badgeAt(picture, node)?.setAttribute("visibility", "hidden");
  }
}

/**
 * Whether an answer stands on the adjoint of its source, which is the same number.
 * @type {(view: View, picture: Picture, node: Index, place: Place) => boolean}
 */
function hides(view, picture, node, place) {
  const slot = slotOf(view.board, picture, node, 0, view.grow);
  const badge = /** @type {SVGGElement | null} */ (badgeAt(picture, node));
  if (!slot || !badge) return false;
  const [w, h] = sizeOfPill(badge);
  return overlaps({ x: slot.x + ROOM.side, y: slot.y + ROOM.top, w, h }, place);
}

/** @type {(view: View, box: DrawnBox, stage: Stage) => Anchor} */
function over(view, box, stage) {
  const { above, below } = obstacleOf(view, box, stage, false);
  return { x: box.x, y: box.y - box.h / 2, tall: box.h, above, below };
}

/**
 * Puts a callout where it covers nothing, and returns its place as one that the next should not cover; null where there
 * is none.
 * @type {(view: View, stage: Stage, picture: Picture, what: Told) => Place | null}
 */
function put(view, stage, picture, what) {
  const { said, at, box, kind, grow, others = [], most = Infinity, reach, about } = what;
  const wide = calloutWidth(said);
  const larger = Math.max(1, Math.min(grow, (view.room().width - 3 * EDGE) / view.scale() / wide));
  const anchor = { ...at, x: at.x + ROOM.side, y: at.y + ROOM.top };
  const key = [kind, at.x, at.y, larger, wide, reach, about, others.map(({ w }) => w)].join();
  let stand = view.stands.get(key);
  if (stand === undefined) {
    const obstacles = inTheWay(view, stage, picture, what, wide * larger);
    const over = about && inTheWay(view, stage, picture, { ...what, about: undefined }, wide * larger);
    const bounds = { ...boundsFor(view, picture, box), reach, over };
    view.stands.set(key, (stand = standOf(said, anchor, obstacles, bounds, larger)));
  }
  if (!stand || stand.struck > most) return null;
  const group = callout(said, anchor, stand, kind + (about ? " callout-over" : ""), larger);
  picture.layers.now.append(draw("g", { transform: `translate(${-ROOM.side} ${-ROOM.top})` }, group));
  const line = alongLine(stand, anchor).map((at) => ({ ...at, w: 2, h: 2, above: 4, below: 4 }));
  return { ...stand.bubble, above: 4, below: 4, group, said, line, middles: wordsAt(said, stand.bubble), size: larger };
}

/**
 * What a callout of this width should not cover.
 * @type {(view: View, stage: Stage, picture: Picture, what: Told, wide: number) => Obstacle[]}
 */
function inTheWay(view, stage, picture, { said, at, box, kind, about, others = [] }, wide) {
  const near = picture.boxes.filter(
    ({ shown, node = -1, x, y, w }) =>
      shown && (about?.includes(node) ?? true) && Math.max(Math.abs(x - at.x), Math.abs(y - at.y)) < FAR + wide + w,
  );
  const answers = kind.startsWith("answer") && said[said.length - 1].kind !== "cut"; // that there is none stays
  const own = near.map((other) => obstacleOf(view, other, stage, answers && other === box));
  const names = [...picture.frames.filter(({ shown }) => shown).map(nameOf), ...corners(view)];
  return [...own, ...names.map((box) => ({ ...box, above: 0, below: 0 })), ...others];
}

/**
 * A box with its badges (of the one that is `answered`, its adjoint may be covered), in the coordinates of the frame.
 * Where they stand is placeOf's (badges.js) to say: only parts that are added up stand above.
 * @type {(view: View, box: DrawnBox, stage: Stage, answered: boolean) => Obstacle}
 */
function obstacleOf({ board, grow, picture }, box, stage, answered) {
  const { x, y, h, node = -1, stack } = box;
  const size = pillSize(grow);
  const parts = stage.parts.get(node) || [];
  const high = pillHigh(board, box);
  // the first part stands where their sum will
  const pile = (high - 2) * size * Math.min(STACKED, Math.max(0, parts.length - 1));
  const up = stack < 0 && indexOf(board).fans.has(node);
  const came = parts.length > 0 || stage.adjoint[node] >= 0 || stage.results.some((result) => result.node === node);
  const badged = came && !isBeside(board, box);
  const badge = badged && picture ? badgeAt(picture, node) : null;
  const w = Math.max(box.w, badge ? sizeOfPill(badge)[0] : 0); // numbers may be wider than their box
  const above = badged && up && !answered ? (high + 3) * size + pile : 4; // with its border
  const below = badged && !up && !answered ? pillPlace(h, grow, high) - h / 2 + (high / 2) * size + pile : 4;
  return { x: x + ROOM.side, y: y + ROOM.top, w, h, above, below };
}

/** @type {(box: DrawnBox) => Box} the name of a stack that has its round in it */
const nameOf = ({ x, y, w, h }) => ({ x: x + ROOM.side, y: y - h / 2 + HEAD / 2 + ROOM.top, w, h: HEAD });

/**
 * Where a callout may stand: in the picture, in what the pane shows around it, and so near to its node that
 * both are seen at once.
 * @type {(view: View, picture: Picture, box: DrawnBox | undefined) => Bounds}
 */
function boundsFor({ room, scale }, { width, height }, box) {
  const edge = EDGE / scale();
  const wide = room().width / scale();
  const spare = Math.max(0, room().height / scale() - height) / 2;
  const beside = Math.max(0, wide - width) / 2;
  const [from, to] = [edge - beside, width + beside - edge];
  if (!box) return { from, to, height, spare };
  const x = box.x + ROOM.side;
  const far = box.w / 2 + 8;
  return { from: Math.max(from, x + far - wide), to: Math.min(to, x - far + wide), height, spare };
}
