// @ts-check
// Which moment of both players is shown: one of those that they have in step, or, where one of them went ahead after a
// question, somewhere before the next.

import { inStep, isReached, nextMoment, positionsOf } from "./steps.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Options } from "player" */
/** @import { Player } from "../player/player.js" */
/** @import { Size } from "../storyboard/stops.js" */

/**
 * What is told of a moment to those who show where both are.
 * @callback Tell
 * @param {number} position  the first of the moments at which both have come as far
 * @param {number} passed  how many steps of the chosen size are behind it
 * @param {number} steps  of how many
 */

/**
 * Where both are, and all ways to another moment.
 * @param {[Storyboard, Storyboard]} boards
 * @param {Player[]} players  of both, once they are made
 * @param {Options} options
 * @param {Tell} tell
 * @param {() => void} stop  ends slow play
 */
export function momentsOf(boards, players, options, tell, stop) {
  const moments = inStep(...boards);
  const total = moments.length - 1;
  let stops = moments; // those of the chosen size of steps
  let at = moments[0];
  let position = 0;
  let busy = false; // while both are told where to go, what they report is no news

  /**
   * Goes to a moment of both.
   * @param {number} next
   */
  function go(next) {
    position = Math.max(0, Math.min(total, Math.round(next) || 0));
    show(moments[position]);
  }

  function show(moment = at) {
    at = moment;
    busy = true;
    players.forEach((player, i) => player.go(moment[i], true));
    busy = false;
    tell(position, stops.filter((stop) => isReached(stop, at)).length - 1, stops.length - 1);
  }

  /**
   * One step on or back; false where it stops: at the end, or at a question of one of them.
   * @param {number} by
   * @param {boolean} [keepPlaying]
   * @param {Size} [size]
   */
  function step(by, keepPlaying, size = options.size) {
    const next = nextMoment(size === "act" ? moments : stops, at, by);
    if (!keepPlaying) stop();
    if (!next) return false;
    return goOn(next) && position < total;
  }

  /** Goes to a moment, unless one of them is to be asked before. @param {number[]} next */
  function goOn(next) {
    if (players.some((player, i) => player.k < next[i] && player.ask())) return false;
    [position] = positionsOf(moments, [next]);
    show(next);
    return true;
  }

  /**
   * One went somewhere by itself: to a round of a loop, or on after a question; then the other may be asked, too.
   * @type {(i: number, k: number) => void}
   */
  function followOne(i, k) {
    if (busy) return;
    const next = k === at[i] + 1 && nextMoment(moments, at, 1);
    const result = moments.findIndex((moment) => moment[i] === k);
    if (next) goOn(next);
    else go(result < 0 ? position : result);
  }

  /** @param {Size} size */
  function setSize(size) {
    stops = inStep(...boards, size);
  }

  return {
    moments,
    total,
    get k() {
      return position;
    },
    go,
    show,
    step,
    followOne,
    setSize,
  };
}
