// @ts-check
// What the learner chooses in a player: a card, a node, a note; how it is let go, and the inspector that tells of it.

import { given } from "../storyboard/lookup.js";
import { introduceInspector, knows } from "../storyboard/words.js";
import { arrange, redraw } from "./shown.js";

/** @import { Index } from "storyboard" */
/** @import { Selection } from "player" */
/** @import { Own } from "./shown.js" */

/** @type {(own: Own, what: Selection) => void} */
export function choose(own, what) {
  if (what && what.card !== undefined && own.parts.prompts.takeCard(what.card)) return;
  select(own, what);
  const looks = what && what.note === undefined;
  if (looks && !knows(own.options, "inspector")) {
    introduceInspector(own.options);
    arrange(own);
  }
  if (looks && own.layout.isAway()) fold(own, false);
  redraw(own);
}

/** @type {(own: Own, what: Selection) => void} */
export function select(own, what) {
  const { held } = own;
  own.selection = what;
  if (held?.nudged && held.nudged.node !== what?.node) held.nudged = null;
}

/** What is taken hold of is what one looks at. @type {(own: Own, node?: Index) => void} */
export function redrawHeld(own, node) {
  const other = given(node) && own.selection?.node !== node;
  if (other) select(own, { node });
  redraw(own, !other);
}

/** What Escape does: the recorded numbers come back; else what is chosen is let go. @param {Own} own */
export function letGo(own) {
  if (own.held?.reset()) return true;
  if (!own.selection) return false;
  choose(own, null);
  return true;
}

/** Folds the inspector away, or opens it. @type {(own: Own, on: boolean) => void} */
export function fold(own, on) {
  if (own.lead) return own.lead.fold(on);
  own.layout.setFold(on);
  arrange(own);
  redraw(own);
}
