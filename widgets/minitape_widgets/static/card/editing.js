// @ts-check
// Changing the programs of a card, where a kernel runs them again; the head of the card has the buttons for it.

import { make, prose } from "../elements/dom.js";
import { button } from "./button.js";
import { ask } from "./kernel.js";
import { drawPrograms } from "./program.js";

/** @import { Own } from "./card.js" */

/** The title and, with a kernel, what one can do with the programs. @param {Own} own */
export function drawHead(own) {
  const { card, kernel, editing, parts } = own;
  const { words } = card;
  const tools = editing
    ? [button(words, "again", "primary", () => runBoth(own)), button(words, "reset", "text-button", () => reset(own))]
    : [button(words, "edit", "text-button", () => edit(own))];
  parts.head.replaceChildren(
    make("div", { class: "card-title" }, prose(card.title)),
    ...(kernel ? [make("span", { class: "card-tools" }, tools)] : []),
  );
}

/** @param {Own} own */
function edit(own) {
  own.editing = true;
  drawHead(own);
  drawPrograms(own);
  own.parts.programs.querySelector("textarea")?.focus();
}

/** @param {Own} own */
export function runBoth(own) {
  ask(own, { run: [...own.parts.programs.querySelectorAll("textarea")].map((field) => field.value) });
}

/** Runs the programs of the card again. @param {Own} own */
function reset(own) {
  own.editing = false;
  ask(own, { run: own.card.first || own.card.codes });
}
