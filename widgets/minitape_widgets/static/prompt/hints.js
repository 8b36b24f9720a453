// @ts-check
// What is said to a mistake that no known idea stands behind: one hint after the other, each says more than the one
// before, so that three wrong answers do not meet the same sentence three times.

import { shorten } from "../storyboard/values.js";
import { distance, readNumber } from "./judge.js";

/** @import { Prompt } from "storyboard" */
/** @import { Answer } from "./judge.js" */
/** @typedef {{ key: string, parameters?: Record<string, unknown>, text?: string }} Hint `text`: the sentence itself */

const NEAR = 0.03; // of the right number: it was nearly found
const LONGEST = 12; // letters of an answer that is said back
const INFINITE = /^[+]?(inf|infini|infinity|∞)$/i; // larger than any number, and no slip of the keys

/**
 * The hints to an answer, the gentlest first; `text` is what was written, `cards` how many there are.
 * @param {Prompt} prompt
 * @param {Answer} answer
 * @param {string} text
 * @param {number} cards
 * @returns {Hint[]}
 */
export function hintsTo(prompt, answer, text, cards) {
  const about = prompt.question ? [] : [{ key: prompt.key + ".hint", parameters: prompt.params }];
  const written = { text: shorten(text.trim(), LONGEST), count: cards };
  const number = INFINITE.test(text.trim()) ? Infinity : Number(answer);
  if (prompt.kind === "choice" || prompt.kind === "sign") return [{ key: "ui.prompt.once" }, ...about];
  if (!text.trim()) return [{ key: "ui.prompt.blank" }];
  if (Number.isNaN(number)) return [{ key: "ui.prompt.unread", parameters: written }];
  const card = prompt.kind === "card";
  if (card && !(Number.isInteger(number) && 0 <= number && number < cards))
    return [{ key: "ui.prompt.card.missing", parameters: written }];
  const right = Number(prompt.answer);
  const near = !card && right && distance(number, right, NEAR) < Infinity; // next to 0, nothing is near
  const way = near ? "near" : number < right ? "larger" : "smaller";
  const key = card ? "ui.prompt.card.order" : prompt.question ? "ui.prompt.once" : "ui.prompt.again";
  const first = { key, text: prompt.hint ?? undefined };
  const last = { key: "ui.prompt." + (card ? "card." : "") + way };
  return near ? [last, first, ...about] : [first, ...about, last];
}

/**
 * A card's number as a learner may write it, counted from 0; NaN where it is none.
 * @param {string} text
 */
export const readCard = (text) => (text.trim() ? Number(readNumber(text)) - 1 : NaN);

/**
 * What is said to a wrong answer: the idea behind it, whenever it is known; where that was said before, the next hint
 * with it; and where none is known, the next hint.
 * @param {string} idea  "" where none is known
 * @param {string[]} hints
 * @param {Set<string>} said
 */
export function reply(idea, hints, said) {
  const hint = idea && !said.has(idea) ? "" : (hints.find((sentence) => !said.has(sentence)) ?? hints.at(-1) ?? "");
  for (const sentence of [idea, hint]) said.add(sentence);
  return [idea, hint].filter(Boolean).join(" ");
}
