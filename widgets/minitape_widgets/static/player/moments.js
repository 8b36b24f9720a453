// @ts-check
// Which moment a player shows: all ways to another one end in goTo(). A question stops every step before its act.

import { stateAt } from "../storyboard/state.js";
import { nextStop } from "../storyboard/stops.js";
import { actsOf } from "./acts.js";
import { select } from "./choice.js";
import { redraw } from "./shown.js";

/** @import { Index } from "storyboard" */
/** @import { Size } from "../storyboard/stops.js" */
/** @import { Own } from "./shown.js" */

const FINE = /** @type {Size[]} */ (["act", "card", "line"]); // steps that move

/**
 * @param {Own} own
 * @param {number} target
 * @param {boolean} [keepPlaying]
 */
export function goTo(own, target, keepPlaying) {
  const { root, controls, prompts } = own.parts;
  const next = Math.max(0, Math.min(own.board.frames.length, Math.round(target) || 0));
  if (!keepPlaying) controls.stop();
  if (prompts.open) prompts.dismiss();
  if (next === own.k) return redraw(own);
  const sizes = FINE.filter((size) => size === "act" || size === own.options.size);
  own.jumped = next !== own.k + 1 && !sizes.some((size) => next === nextStop(own.board, size, own.k, 1));
  root.classList.toggle("jump", own.jumped);
  const acts = keepPlaying || !own.motion.wanted() ? [] : actsOf(own.board, own.k, next);
  own.k = next;
  select(own, null);
  own.stage = stateAt(own.board, next);
  own.motion.stop();
  redraw(own, false, acts);
  for (const listener of own.listeners) listener(next);
}

/**
 * Goes to a moment of a card, and opens the box that it lies in.
 * @type {(own: Own, target: number, card: Index) => void}
 */
export function look(own, target, card) {
  goTo(own, target);
  if (!own.options.hide.includes("graph")) own.parts.panes.graph.show(card);
}

/** Asks the question that stands before the next act; false where there is none. @param {Own} own */
export function ask(own) {
  const { live, controls, prompts } = own.parts;
  const waiting = prompts.waiting(own.k);
  if (!waiting) return false;
  controls.stop();
  own.held?.reset();
  const first = prompts.ask(waiting);
  live.textContent = own.words.say(waiting.key, waiting.params || {}) || live.textContent;
  if (first) first.focus({ preventScroll: true });
  return true;
}

/**
 * One step on or back; false where it stops: at the end, or at a question.
 * @param {Own} own
 * @param {number} by
 * @param {boolean} [keepPlaying]
 * @param {Size} [size]
 */
export function step(own, by, keepPlaying, size = own.options.size) {
  const next = nextStop(own.board, size, own.k, by);
  if ((by > 0 && ask(own)) || next === own.k) return false;
  goTo(own, next, keepPlaying);
  return own.k < own.board.frames.length;
}
