// @ts-check
// What a player has, and how all of it is told which moment is shown and what is chosen.

import { write } from "../elements/dom.js";
import { stopsOf } from "../storyboard/stops.js";
import { perform } from "./acts.js";
import { writeLink } from "./link.js";

/** @import { Span, Storyboard } from "storyboard" */
/** @import { Options, Selection, Stage } from "player" */
/** @import { Motion } from "../elements/motion.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Layout } from "./arrange.js" */
/** @import { Lead, Parts } from "./parts.js" */

/**
 * One player: what it was given, what stands in it, and what it remembers.
 * @typedef {object} Own
 * @property {Storyboard} board
 * @property {Words} words
 * @property {Options} options
 * @property {number} above  pixels that belong to others
 * @property {Lead | null} lead  where it is one of two
 * @property {Held | null} held
 * @property {Motion} motion
 * @property {Parts} parts
 * @property {Layout} layout
 * @property {Set<(k: number) => void>} listeners
 * @property {number} k
 * @property {boolean} jumped  a jump is never animated: over a thousand nodes that would take seconds
 * @property {Stage | null} stage
 * @property {Selection} selection
 * @property {boolean} large  whether the panes stand as a curve wants it
 */

/** @type {(board: Storyboard, selection: Selection) => Span[]} where what is chosen stands in the text */
function placesOf(board, selection) {
  const { card, node, note } = selection ?? {};
  const { where, back } = /** @type {{ where?: Span | null, back?: Span | null }} */ (
    board.cards[card ?? -1] ?? board.nodes[node ?? -1] ?? board.notes[note ?? -1] ?? {}
  );
  return [where, back].filter((span) => !!span);
}

/**
 * Tells every part that is shown which moment it is, and what is chosen.
 * @param {Own} own
 * @param {boolean} [still]  whether neither has changed, but only numbers
 * @param {number[]} [acts]  moments before this one that the graph shows first, one after the other
 */
export function redraw(own, still = false, acts = []) {
  const { board, options, held, motion, stage, selection } = own;
  const { live, caption, panes, loss, jacobian, controls } = own.parts;
  if (!stage) return;
  if (held) held.stage = stage;
  if (held && !held.busy) held.hurries = false; // all of it is drawn now
  if (motion.waits()) own.jumped = true; // what is yet to move ends at once
  motion.stop();
  caption.say(stage);
  const hurries = held?.busy && held.hurries; // only numbers have changed, and will again: nothing is said of them
  const text = hurries ? "" : caption.textAt(stage);
  if (!held?.busy) write(live, text);
  const shows = /** @param {string} name */ (name) => !options.hide.includes(name);
  if (shows("code") && !still) panes.code.update(stage, placesOf(board, selection));
  if (shows("inspector")) panes.inspector.update(stage, selection);
  if (own.large !== panes.inspector.isLarge()) {
    own.large = !own.large;
    arrange(own);
  }
  if (shows("tape")) panes.tape.update(stage, selection);
  if (loss) loss.update(stage);
  if (jacobian) jacobian.update(stage);
  if (shows("graph")) perform(own, acts);
  if (own.lead || hurries) return;
  const { ends } = stopsOf(board, options.size);
  controls.update(own.k, text, ends.filter((end) => end > 0 && end <= own.k).length, ends.length - 1);
  if (!still) showLink(own);
}

/** Gives all panes their heights; of two the lead does. @param {Own} own */
export function arrange(own) {
  if (own.lead) return own.lead.arrange();
  own.layout.fit(own.above);
  showLink(own);
}

/** @param {Own} own */
function showLink({ parts, options, layout, k }) {
  parts.menu?.setLink(writeLink({ ...options, start: Math.max(0, k), folded: layout.folded }));
}
