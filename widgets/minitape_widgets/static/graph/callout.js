// @ts-check
// A callout: a small box with coloured words in it, put where it covers least: "2.0 = 1.0 × 2.0" beside its edge.

import { draw } from "../elements/dom.js";
import { gridGroup } from "../elements/grid.js";
import { tileGroup, tileSize } from "../elements/tiles.js";
import { numbersText } from "../storyboard/grid.js";

/** @import { ArraySummary } from "../storyboard/values.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Grid } from "../storyboard/grid.js" */
/**
 * @typedef {{ text: string, kind?: string, tiles?: ArraySummary | null, grid?: Grid | null,
 *   turned?: boolean }} Word `turned`: the grid is that of its transpose
 */
/**
 * What a callout is about. `tall`: the box's height; `wide`: its width, where a callout may also stand close above it
 * or to its left; `above`, `below`: how far what stands on its border reaches: no line goes through that.
 * @typedef {{ x: number, y: number, tall?: number, wide?: number, above?: number, below?: number }} Anchor
 */
/** @typedef {Box & { above: number, below: number }} Obstacle with what stands above and below it */
/**
 * `reach`: how far from its anchor it may stand, where that is not all one; `over`: what it covers only where it must,
 * if that is more than what it must not cover.
 * @typedef {{ from: number, to: number, height: number, spare: number, reach?: number, over?: Obstacle[] }} Bounds
 */
/**
 * `struck`: how many boxes its line strikes through, or it covers; `begin`: where that begins, beside its middle;
 * `gaps`: from which to which share of its length it is behind a box.
 * @typedef {{ bubble: Box, struck: number, begin: number, gaps: [number, number][] }} Stand
 */

const LETTER = 7.6;
const PADDING = 10;
const HEIGHT = 26;
const TILES = { width: 46, height: 16 };
const CLOSE = 24; // the nearest, for an answer
const BESIDE = 10;
const BORDER = 4; // kept free around each box by a callout; inside of it nothing is written
const STRUCK = 200; // pixels: so much farther it rather stands than on another box, or with a line through its number
const SHIFTS = [0, -1 / 6, 1 / 6, -1 / 3, 1 / 3, -1 / 2, 1 / 2, -2 / 3, 2 / 3, -1, 1, -4 / 3, 4 / 3]; // of its width
const BEGINS = [0, -0.4, 0.4]; // of its width: where a callout's line may begin, the middle first
const ALONG = 12; // pixels between points of a line
export const FAR = 600; // no callout stands farther from its anchor, to a side
const STEPS = Array.from({ length: 81 }, (_, k) => 15 * k - FAR); // tried where no place near the anchor is free
const WIDE = 4; // of these steps: where one is free, if only for a line through a number
const AWAY = [26, 44, 66, 90, 120, 160, 210, 270, 330]; // how far above or below its anchor a callout may stand

/** @type {(text: string) => number} */
const lettersOf = (text) => Array.from(text).length * LETTER;

/** @type {(word: Word) => number} its letters, and the tiles before them where numbers find no room */
const wordWidth = ({ text, tiles, grid }) =>
  (grid ? grid.width : lettersOf(text)) + (tiles ? tileSize(tiles, TILES.width, TILES.height).width + 4 : 0);

/** @type {(words: Word[]) => number} */
export const calloutWidth = (words) => words.reduce((sum, word) => sum + wordWidth(word), 0) + 2 * PADDING;

/** @type {(words: Word[]) => number} */
const calloutHeight = (words) => Math.max(HEIGHT, ...words.map(({ grid }) => (grid ? grid.height + 10 : 0)));

/** @type {(words: Word[], bubble: Box) => number[]} where each of the words has its middle */
export function wordsAt(words, { x, w }) {
  const width = calloutWidth(words);
  let from = PADDING - width / 2;
  return words.map((word) => x + (w / width) * ((from += wordWidth(word)) - wordWidth(word) / 2));
}

/** @type {(bubble: Box, obstacles: Obstacle[]) => boolean} whether it covers none of them */
const isFree = ({ x, y, w, h }, obstacles) =>
  obstacles.every(
    (box) =>
      Math.abs(x - box.x) >= (w + box.w) / 2 + BORDER
      || y + h / 2 <= box.y - box.h / 2 - box.above
      || y - h / 2 >= box.y + box.h / 2 + box.below,
  );

/**
 * From which to which share of its length a line is inside a box, with what is written on its border; the other way
 * round where it never is.
 * @type {(from: [number, number], to: [number, number], box: Obstacle) => [number, number]}
 */
function inside([x, y], [endX, endY], box) {
  /** @type {(at: number, along: number, low: number, high: number) => number[]} when it is between both */
  const between = (at, along, low, high) =>
    [(low - at) / (along || 1e-9), (high - at) / (along || 1e-9)].sort((a, b) => a - b);
  const across = between(x, endX - x, box.x - box.w / 2, box.x + box.w / 2);
  const [above, below] = [box.above, box.below].map((room) => box.h / 2 - BORDER + (room > BORDER ? room : 0));
  const down = between(y, endY - y, box.y - above, box.y + below);
  return [Math.max(0, across[0], down[0]), Math.min(1, across[1], down[1])];
}

/** @type {(from: [number, number], to: [number, number], boxes: Obstacle[]) => [number, number][]} */
export const gapsOf = (from, to, boxes) =>
  boxes.map((box) => inside(from, to, box)).filter(([enters, leaves]) => enters < leaves);

/**
 * A callout here, with the line that strikes through the fewest of the obstacles, its own box left aside; `covers`:
 * whether it may stand on some.
 * @type {(bubble: Box, at: Anchor, obstacles: Obstacle[], covers: boolean) => Stand}
 */
function standing(bubble, at, obstacles, covers) {
  const end = endOf(bubble, at);
  const seen = covers ? obstacles.filter((box) => isFree(bubble, [box])) : obstacles;
  const others = seen.filter((box) => box.x !== at.x || box.y !== at.y + (at.tall || 0) / 2);
  const begins = BEGINS.map((part) => part * bubble.w);
  const gaps = begins.map((begin) => gapsOf([bubble.x + begin, bubble.y], end, others));
  const fewest = gaps.reduce((best, one) => (one.length < best.length ? one : best));
  const struck = fewest.length + obstacles.length - seen.length;
  return { bubble, struck, begin: begins[gaps.indexOf(fewest)], gaps: fewest };
}

/**
 * The best place for a callout of this size, which covers nothing: tried above and below its anchor, at several
 * distances; for some also to the left of it; then wherever there is room. Null where there is none.
 * @type {(size: { w: number, h: number }, at: Anchor, obstacles: Obstacle[], bounds: Bounds) => Stand | null}
 */
export function placeCallout({ w, h }, at, obstacles, { from, to, height, spare, reach = Infinity, over = obstacles }) {
  const [left, right] = [from + w / 2, to - w / 2];
  const [top, bottom] = [h / 2 + 2 - spare, height + spare - h / 2 - 2];
  if (left > right || top > bottom) return null;
  /** @type {(x: number) => number} */
  const across = (x) => Math.max(left, Math.min(right, x));
  /** @type {(y: number) => number} */
  const down = (y) => Math.max(top, Math.min(bottom, y));
  const near = (at.wide ? [CLOSE, ...AWAY] : AWAY)
    .filter((away) => away <= reach)
    .map((away) => away + (h - HEIGHT) / 2)
    .flatMap((away) =>
      [-1, 1].flatMap((way) =>
        SHIFTS.map((shift) => ({ x: across(at.x + shift * w), y: down(at.y + way * away), w, h })),
      ),
    );
  const beside = at.x - (at.wide || 0) / 2 - w / 2 - BESIDE;
  if (at.wide && beside > left) near.push({ x: beside, y: at.y + (at.tall || 0) / 2, w, h });
  const under = down(at.y + (at.tall || 0) + BORDER + h / 2);
  if (at.wide) near.push(...SHIFTS.map((shift) => ({ x: across(at.x + shift * w), y: under, w, h })));
  /** @type {(bubble: Box) => number} */
  const far = ({ x, y }) => Math.hypot(x - at.x, y - at.y);
  /** @type {(places: Box[]) => Stand[]} up to the nearest with a free line: none that is farther costs less */
  const free = (places) => {
    const near = places.filter((bubble) => isFree(bubble, obstacles)).sort((a, b) => far(a) - far(b));
    /** @type {Stand[]} */
    const result = [];
    while (near.length > result.length && (result.at(-1)?.struck ?? 1))
      result.push(standing(near[result.length], at, over, over !== obstacles));
    return result;
  };
  const stands = free(near);
  if (reach >= FAR && stands.every(({ struck }) => struck)) {
    const steps = STEPS.filter((_, k) => !stands.length || k % WIDE === 0);
    const [xs, ys] = [
      new Set(steps.map((step) => across(at.x + step))),
      new Set(steps.map((step) => down(at.y + step))),
    ];
    stands.push(...free([...xs].flatMap((x) => [...ys].map((y) => ({ x, y, w, h })))));
  }
  /** @type {(stand: Stand) => number} a little for standing far away */
  const costOf = ({ bubble, struck }) => far(bubble) + STRUCK * struck;
  const costs = stands.map(costOf);
  return stands[costs.indexOf(Math.min(...costs))] ?? null;
}

/**
 * The best place for some words, if there is one.
 * @type {(words: Word[], at: Anchor, obstacles: Obstacle[], bounds: Bounds, grow: number) => Stand | null}
 */
export const standOf = (words, at, obstacles, bounds, grow) =>
  placeCallout({ w: calloutWidth(words) * grow, h: calloutHeight(words) * grow }, at, obstacles, bounds);

/**
 * Draws the words at their place.
 * @type {(words: Word[], at: Anchor, stand: Stand, kind: string, grow?: number) => SVGGElement}
 */
export function callout(words, at, { bubble, begin, gaps }, kind, grow = 1) {
  const inner = calloutWidth(words);
  const high = calloutHeight(words);
  const { x, y } = bubble;
  const [endX, endY] = endOf(bubble, at);
  const [right, down] = [endX - x - begin, endY - y];
  /** @type {(share: number) => string} */
  const point = (share) => [begin + share * right, share * down].map((length) => length / grow).join(" ");
  let d = "";
  let from = 0;
  for (const [enters, leaves] of [...gaps.toSorted(([a], [b]) => a - b), [1, 1]]) {
    if (enters > from) d += `M${point(from)}L${point(enters)}`;
    from = Math.max(from, leaves);
  }
  return draw(
    "g",
    { class: "callout callout-" + kind, transform: `translate(${x} ${y})` + (grow > 1 ? ` scale(${grow})` : "") },
    draw("path", { class: "callout-line", d }),
    draw("rect", { x: -inner / 2, y: -high / 2, width: inner, height: high, rx: 6 }),
    words.some((word) => word.tiles || word.grid) ? wordsApart(words, PADDING - inner / 2) : wordsInOne(words),
  );
}

/**
 * @type {(bubble: Box, at: Anchor) => [number, number]} where its line ends: on top of the box and its badge,
 *   under or beside it
 */
export function endOf({ x, y, w }, { x: middle, y: top, tall = 0, wide = 0, above = 0, below = 0 }) {
  if (wide && x + w / 2 < middle - wide / 2) return [middle - wide / 2, top + tall / 2];
  return [middle, tall && y > top + tall / 2 ? top + tall + below : top - above];
}

/** @type {(stand: Stand, at: Anchor) => { x: number, y: number }[]} points of its line, which no other may cover */
export function alongLine({ bubble: { x, y }, begin }, at) {
  const [endX, endY] = endOf({ x, y, w: 0, h: 0 }, at);
  const count = Math.ceil(Math.hypot(endX - x - begin, endY - y) / ALONG);
  return Array.from({ length: count }, (_, k) => ({
    x: x + begin + ((endX - x - begin) * (k + 1)) / count,
    y: y + ((endY - y) * (k + 1)) / count,
  }));
}

/** @param {Word} word */
const classOf = (word) => (word.kind ? "is-" + word.kind : null);

const MIDDLE = { y: 4.6, "text-anchor": "middle", "xml:space": "preserve" };

/** @param {Word[]} words */
const wordsInOne = (words) =>
  draw(
    "text",
    { x: 0, ...MIDDLE },
    words.map((word) => draw("tspan", { class: classOf(word), text: word.text })),
  );

/**
 * With tiles or grids between them, each word gets a place of its own.
 * @param {Word[]} words
 * @param {number} x
 */
function wordsApart(words, x) {
  const drawn = [];
  for (const word of words) {
    if (word.tiles) {
      const { group, width, height } = tileGroup(word.tiles, 0, 0, TILES.width, TILES.height);
      group.setAttribute("transform", `translate(${x} ${-height / 2})`);
      group.setAttribute("data-numbers", numbersText(word.tiles) ?? "");
      group.classList.add("is-" + word.kind);
      drawn.push(group);
      x += width + 4;
    }
    if (word.grid) {
      const at = { class: classOf(word), transform: `translate(${x + word.grid.width / 2})` };
      drawn.push(draw("g", at, gridGroup(word.grid)));
      x += word.grid.width;
      continue;
    }
    const room = lettersOf(word.text);
    drawn.push(draw("text", { x: x + room / 2, ...MIDDLE, class: classOf(word), text: word.text }));
    x += room;
  }
  return drawn;
}
