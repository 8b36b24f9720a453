// @ts-check
// A step of several acts moves those that teach, one after the other, in the graph; everything else on the page is
// already as it is after the step. Whatever is done meanwhile ends it.

import { isProduct } from "../controls/rhythm.js";
import { FADE } from "../elements/motion.js";
import { taughtBy } from "../replay/origins.js";
import { stateAt } from "../storyboard/state.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Own } from "./shown.js" */

const MOST = 3; // acts of a step that move: less than two seconds
const LOOKED = 40; // acts, of a long line the last
const EACH = 540 + FADE + 40; // milliseconds: one sees for a moment what has come of it
const MOVING = ["record", "part", "sum"];
const RESULTS = ".is-result, .card.recording"; // what an act makes, in all parts but the graph

/**
 * The moments of a step that move. Of more than three those in which arrays are stretched, folded, shared out or meet
 * come first, and those that only pass a number on come last; of these the latest, since the callout tells of the last.
 * @type {(board: Storyboard, from: number, to: number) => number[]}
 */
export function actsOf(board, from, to) {
  /** @type {number[][]} */
  const [taught, made, passed] = [[], [], []];
  for (let k = to; k > Math.max(0, from, to - LOOKED) && taught.length < MOST; k--) {
    const frame = board.frames[k - 1];
    if (!MOVING.includes(frame.act)) {
      if (k === to) return [to]; // answers move together
    } else if (taughtBy(board, k)) taught.push(k);
    else (frame.act !== "part" || isProduct(board, frame) ? made : passed).push(k);
  }
  return [...taught, ...made, ...passed].slice(0, MOST).sort((a, b) => a - b);
}

/**
 * Moves these acts in the graph, then shows the moment itself.
 * @param {Own} own
 * @param {number[]} acts
 */
export function perform(own, acts) {
  const { board, k: end, motion, stage, selection, parts } = own;
  const { graph } = parts.panes;
  const [k = end, ...rest] = acts;
  if (!stage) return;
  const arrives = graph.update(k < end ? stateAt(board, k) : stage, selection);
  /** @type {(at: number) => void} */
  const hold = (at) => parts.root.querySelectorAll(RESULTS).forEach((late) => motion.appear(late, at));
  if (k === end) return arrives ? hold(arrives) : undefined;
  const next = () => {
    motion.stop();
    own.jumped ||= !rest.length; // the moment's own act was not chosen
    perform(own, rest);
  };
  if (!arrives) return next();
  hold(MOST * EACH);
  motion.after(graph.root, EACH, next);
}
