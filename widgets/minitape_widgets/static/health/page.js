// @ts-check
// A page that was exported, with the views of trainings and with players: both in one text, since nobody brings the
// player later.

import { show, showAll as showPlayers } from "../deliveries.js";
import { showAll as showHealth } from "./deliveries.js";

/** Every place of a player, and every place of a training. */
export function showAll(root = document) {
  showPlayers(root);
  showHealth(root, { show });
}

export { show };
