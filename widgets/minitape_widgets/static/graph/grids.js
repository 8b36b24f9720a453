// @ts-check
// Which small arrays are written with their numbers at a box, and how high the pill of one is. Nothing here touches the
// page.

import { ROW, gridOf, rowsOf } from "../storyboard/grid.js";
import { indexOf } from "../storyboard/lookup.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Grid } from "../storyboard/grid.js" */
/** @import { MaybeSummary } from "../storyboard/values.js" */
/** @typedef {{ w: number, h: number, node?: Index, grow?: number }} Sized */

const WIDER = 24; // a pill may be so much wider than its box
const NAMED = 28; // what a box has beside the numbers of an array, in a drawing that was made for them (drawings.py)
const HIGH = 18; // a pill of one row
const BESIDE = 40; // what a box has beside the numbers of an array and of its adjoint (drawing/grid.py)
const MARGIN = 8; // of it to the left
export const LARGEST = 1.45; // in larger letters several rows find no room
const SHORT = 15; // the narrowest adjoint
const LOW = 42; // beside the numbers, of the height of a box with an adjoint below it (drawings.py)

/**
 * The grid of a small array that stands or arrives at a box, where that has room for numbers.
 * @type {(summary: MaybeSummary, box: Sized | null | undefined) => Grid | null}
 */
export function gridAt(summary, box) {
  if (!box || !summary) return null;
  const height = ROW * rowsOf(summary);
  const roomy = (box.grow ?? 1) <= LARGEST && height + NAMED <= box.h;
  const grid = roomy || height === ROW ? gridOf(summary) : null; // numbers are written only where they have room
  return grid && grid.width <= box.w + WIDER ? grid : null;
}

const SIGN = 24; // of a pill beside its numbers
const SMALLER = 0.7; // than other letters in this picture: what is smaller still cannot be read

/** How large a pill of this height is drawn at most. @type {(high: number) => number} */
export const largestAt = (high) => Math.max(1, 0.65 + 22 / high);

/**
 * How large a pill with these numbers is drawn at a box: as wide as the gap to its neighbours allows, and as high as
 * that to the box below.
 * @type {(grid: Grid | null, box: Sized | null, grow: number) => number}
 */
export const pillScale = (grid, box, grow) =>
  grid && box ? Math.max(1, Math.min(grow, (box.w + WIDER) / (grid.width + SIGN), largestAt(highWith(grid)))) : grow;

/**
 * The grid of a small array in a pill at a box, where its numbers are no smaller than others there.
 * @type {(summary: MaybeSummary, box: Sized | null | undefined) => Grid | null}
 */
export function pillGrid(summary, box) {
  const grid = gridAt(summary, box);
  const grow = box?.grow ?? 1;
  return grid && box && pillScale(grid, box, grow) < SMALLER * grow ? null : grid;
}

/** @type {(grid: Grid | null) => number} */
export const highWith = (grid) => (grid && grid.height > ROW ? grid.height + 4 : HIGH);

/**
 * Whether the adjoint of a value stands beside its numbers, in the box: that of a tall array, where it is one part.
 * Else it hangs below the box.
 * @type {(board: Storyboard, box: Sized) => boolean}
 */
export function isBeside(board, box) {
  const { node = -1 } = box;
  const grid = gridAt(board.values[board.nodes[node]?.value ?? -1], box);
  const { fans, adjoints } = indexOf(board);
  const tall = grid !== null && grid.rows.length > grid.rows[0].length;
  const low = tall && box.h < grid.height + LOW && box.w >= grid.width + BESIDE + SHORT;
  return low && !fans.has(node) && adjoints.has(node);
}

export const LOWER = 9.5; // where both stand, under the name

/**
 * Where the middles of a value's numbers and of its adjoint beside them stand.
 * @type {(w: number, grid: Grid) => { left: number, right: number }}
 */
export function halves(w, grid) {
  const left = MARGIN + grid.width;
  return { left: MARGIN + grid.width / 2 - w / 2, right: (left - MARGIN / 2) / 2 };
}

/**
 * How high the pills of a node are.
 * @type {(board: Storyboard, box: Sized) => number}
 */
export function pillHigh(board, box) {
  const { node = -1 } = box;
  const value = indexOf(board).adjoints.get(node) ?? board.nodes[node]?.value;
  return highWith(pillGrid(board.values[value ?? -1], box));
}
