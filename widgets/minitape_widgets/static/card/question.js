// @ts-check
// The question of a card: what one can choose, what a choice means, and when the rest of the card is uncovered.

import { make, prose } from "../elements/dom.js";
import { icon } from "../elements/icons.js";
import { button } from "./button.js";
import { drawPrograms } from "./program.js";
import { drawStory } from "./story.js";

/** @import { Own } from "./card.js" */

/** @param {Own} own */
export function drawQuestion(own) {
  const { card, solved, tried, parts } = own;
  const choices = card.choices.map((/** @type {{ text: string }} */ { text }, /** @type {number} */ k) => {
    const right = solved && k === card.right;
    const shown = right ? "option right" : tried.includes(k) ? "option gone" : "option";
    const about = {
      type: "button",
      class: shown,
      disabled: solved || tried.includes(k),
      on: { click: () => choose(own, k) },
    };
    return make("button", about, text, right ? icon("check") : tried.includes(k) ? icon("close") : null);
  });
  parts.asked.replaceChildren(
    make("span", { class: "question" }, prose(card.question)),
    ...choices,
    ...(solved ? [] : [button(card.words, "show", "text-button", () => reveal(own))]),
  );
}

/** @type {(own: Own, k: number) => void} */
function choose(own, k) {
  own.last = k;
  const right = k === own.card.right;
  if (!right) own.tried.push(k);
  if (right) return reveal(own);
  drawQuestion(own);
  say(own);
  /** @type {HTMLElement} */ (own.parts.asked.querySelector("button:not(:disabled)")).focus();
}

/** Says what the chosen answer means. @param {Own} own */
export function say({ card, last, solved, parts }) {
  const { feedback } = parts;
  if (last < 0) return feedback.replaceChildren();
  const { words } = card;
  const right = last === card.right;
  feedback.className = "feedback " + (right ? "right" : "wrong");
  feedback.replaceChildren(
    icon(right ? "check" : "close"),
    make("strong", { text: words[right ? "right" : "wrong"] + " " }),
    make("span", {}, prose(card.choices[last].says), card.first ? [" ", words.changed] : ""),
    ...(right || solved ? [] : [" ", make("span", { class: "fine", text: words.try })]),
  );
}

/** @param {Own} own */
function reveal(own) {
  const { root } = own.parts;
  own.solved = true;
  drawPrograms(own);
  drawQuestion(own);
  say(own);
  drawStory(own);
  root.tabIndex = -1;
  root.focus({ preventScroll: true });
  root.scrollIntoView({ block: "nearest" });
}
