// @ts-check
// The ways a card of the gallery reaches a page: those of a player (../deliveries.js), with a kernel behind it where
// there is one. This module is the whole front end and the gallery; what shows players alone does without it.

import { showAll as placesOf, show as showTrace } from "../deliveries.js";
import { guardKeys, hostWith, isPacked, takeStill, unpacked } from "../elements/host.js";
import { arrive, whoseCellRuns } from "../player/arrival.js";
import { STYLE } from "../texts.js";
import { mountCard } from "./card.js";
import { isCard } from "./check.js";
import { mountGallery } from "./gallery.js";
import { STYLE as OWN } from "./texts.js";

/** @import { Kernel } from "./card.js" */

const LARGEST = 1 << 24; // bytes of a card that was packed, with its plays

/**
 * Shows a card, or, as the player's own `show` does, a trace; returns the function that takes it away again.
 * @param {Element} element
 * @param {any} packed
 * @param {(host: Element) => boolean} [isFresh]  whether the learner has run its cell just now
 * @param {Kernel | null} [kernel]  runs changed programs, and brings other cards
 */
export function show(element, packed, isFresh = whoseCellRuns(), kernel = null) {
  let close = () => {};
  let gone = false;
  /** @param {any} given */
  const put = (given) => {
    if (gone) return;
    close = isCard(given) ? showCard(element, given, isFresh, kernel) : showTrace(element, given, isFresh);
  };
  const plain = isPacked(packed) ? unpacked(packed, LARGEST) : Promise.resolve(packed);
  plain.then(put).catch((error) => {
    console.error("minitape: the card could not be shown", error);
    close = showTrace(element, null);
  });
  return () => {
    gone = true;
    close();
  };
}

/**
 * @param {Element} element
 * @param {any} given
 * @param {(host: Element) => boolean} isFresh
 * @param {Kernel | null} kernel
 */
function showCard(element, given, isFresh, kernel) {
  const { host, place } = hostWith(STYLE + OWN);
  const mount = given.card.gallery && kernel ? mountGallery : mountCard;
  const card = mount(place, given, kernel);
  takeStill(element);
  element.append(host);
  const change = () => unpacked(kernel?.get("payload")).then((next) => isCard(next) && card.update(next));
  kernel?.on("change:payload", change);
  const unguard = guardKeys(host);
  const stay = arrive(host, isFresh);
  return () => {
    stay();
    unguard();
    kernel?.off("change:payload", change);
    card.destroy();
    host.remove();
  };
}

/** An exported page: every place of a card or of a player. */
export function showAll(root = document) {
  placesOf(root, show);
}
