// @ts-check
// Which of the kept tapes a cell opens, and at which moment; without a page.

/** @import { Storyboard } from "storyboard" */
/** @import { Tape } from "health" */

/** Measures of what the way back carries: there a layer is met as the tape is played, elsewhere as it is recorded. */
const BACK = ["adjoint", "update"];

/**
 * The tape that is nearest to the steps from one to another; of two the earlier one.
 * @param {Tape[]} tapes
 * @param {number} from
 * @param {number} to
 */
export function nearest(tapes, from, to) {
  /** @param {Tape} tape */
  const far = ({ step }) => Math.max(0, from - step, step - to);
  return tapes.reduce((/** @type {Tape | null} */ best, tape) => (best && far(best) <= far(tape) ? best : tape), null);
}

/**
 * The moment at which a card is recorded, or played back where the measure is one of those; null for a card that the
 * storyboard does not have.
 * @param {Storyboard} board
 * @param {number | null} card
 * @param {string} measure
 */
export function momentOf(board, card, measure) {
  /** @param {string} act */
  const after = (act) =>
    board.frames.findIndex((frame) => frame.act === act && "card" in frame && frame.card === card) + 1;
  if (card === null || card >= board.cards.length) return null;
  return (BACK.includes(measure) && after("visit")) || after("record") || null;
}
