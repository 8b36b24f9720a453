// @ts-check
// How two players share the room that there is: side by side or one above the other, and with their tapes folded away
// where not all is to be seen at once.

import { fontSize } from "../elements/dom.js";
import { foldButton } from "../elements/icons.js";
import { jointly, roomOf } from "../player/layout.js";

/** @import { Options } from "player" */
/** @import { Player } from "../player/player.js" */
/** @typedef {ReturnType<typeof tapesFold>} Fold */
/**
 * What stands around two players.
 * @typedef {object} Parts
 * @property {HTMLElement} root
 * @property {HTMLElement} topBar
 * @property {HTMLElement | null} unread
 * @property {HTMLElement} sides  their places
 * @property {HTMLElement | null} heading  the name over the first
 * @property {HTMLElement} key
 */

const BOTH = 44; // em: from this width on they stand side by side, below it one above the other

/**
 * The button that opens the tapes where there is little room.
 * @param {string} name
 * @param {() => void} changed
 */
export function tapesFold(name, changed) {
  let open = false; // by hand
  const { button, show } = foldButton("fold-button", name, () => {
    open = !open;
    changed();
  });
  button.hidden = true;

  /** @param {boolean} asked  whether it is needed */
  function offer(asked) {
    button.hidden = !asked;
    show(open);
    return asked && !open;
  }

  return { button, offer };
}

/**
 * Both get the same heights, so that code stands beside code and tape beside tape; one above the other, each gets
 * half of the room. Where all of it is not to be seen at once, the tapes are folded away, until they are asked for,
 * and the legend is left out.
 * @type {(parts: Parts, players: Player[], options: Options, fold: Fold) => void}
 */
export function arrangeBoth(parts, players, options, fold) {
  const { root, sides } = parts;
  root.classList.toggle("large", options.large);
  const across = root.clientWidth >= BOTH * fontSize(root);
  sides.classList.toggle("stacked", !across);
  const whole = place(parts, players, options, { across });
  if (!whole) return;
  const tight = whole > roomOf(options.room) + 1;
  const tucked = fold.offer(tight && !options.hide.includes("tape"));
  if (tight) place(parts, players, options, { across, tucked, close: true });
}

/**
 * Puts both in their places, closely or not, with or without the tapes; returns the height that all takes (0 while out
 * of sight).
 * @param {Parts} parts
 * @param {Player[]} players
 * @param {Options} options
 * @param {{ across: boolean, close?: boolean, tucked?: boolean }} how
 */
function place({ root, topBar, unread, heading, key }, players, options, { across, close = false, tucked = false }) {
  const dense = close && (!across || Boolean(options.room));
  key.hidden = options.hide.includes("graph") || dense;
  root.classList.toggle("dense", dense);
  const used = topBar.offsetHeight + key.offsetHeight + (unread ? unread.offsetHeight : 0) + 2;
  const room =
    (roomOf(options.room) - used) / (across ? 1 : 2) - (heading ? heading.offsetHeight : 0) - (across ? 0 : 2);
  const [a, b] = players.map((player) => player.layout.measure(room, { tucked, dense }));
  if (!a || !b) return 0;
  const both = across ? jointly(a, b) : null;
  players.forEach((player, i) => player.layout.settle(both || [a, b][i], room));
  return root.offsetHeight;
}
