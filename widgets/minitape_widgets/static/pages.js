// @ts-check
// A site of pages (notebooks/site): players, cards of the gallery and views of trainings in one text, which a browser
// fetches once for all of them.

import { show as showCard } from "./card/deliveries.js";
import { show, showAll as showPlayers } from "./deliveries.js";
import { showAll as showHealth } from "./health/deliveries.js";

/** Every place in an element, of whatever kind. */
export function showAll(root = document) {
  showPlayers(root, showCard); // which shows a trace as a player does
  showHealth(root, { show });
}
