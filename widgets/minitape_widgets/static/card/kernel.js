// @ts-check
// What a card asks of its kernel, and what it says where that has stopped or was restarted.

import { CATALOGUES } from "./texts.js";

/** @import { Own } from "./card.js" */

/**
 * Asks the kernel. It says that it is done with every message; where it did not answer before, it knows nothing of this
 * card.
 * @param {Own} own
 * @param {unknown} message
 */
export function ask(own, message) {
  own.parts.root.classList.add("running");
  const status = (/** @type {any} */ { content }) => {
    if (content.execution_state === "idle" && own.parts.root.classList.contains("running")) lost(own);
  };
  try {
    own.kernel?.send(message, { iopub: { status } });
  } catch (_) {
    lost(own); // it cannot be reached
  }
}

/** @param {Own} own */
export const answered = (own) => tell(own, false);

/** @param {Own} own */
export const lost = (own) => tell(own, true);

/** @type {(own: Own, lost: boolean) => void} */
function tell({ card, parts }, lost) {
  parts.root.classList.remove("running");
  parts.gone.textContent = lost ? CATALOGUES[card.language].gone : "";
  parts.gone.hidden = !lost;
}
