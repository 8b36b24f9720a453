// @ts-check
// How a question is answered: by a number, a sign, a card or one of several choices.

import { make } from "../elements/dom.js";
import { readCard } from "./hints.js";
import { readAnswer } from "./judge.js";

/** @import { Index, Prompt } from "storyboard" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Answer } from "./judge.js" */
/** @typedef {(answer: Answer, text?: string) => void} Give  the answer, and what was written for it */
/** @typedef {{ elements: HTMLElement[], first: HTMLElement | null, takeCard?: (card: Index) => void }} Ways */

/**
 * A field for a text, and a button beside it; Enter gives the answer as well.
 * @param {Words} words
 * @param {Record<string, string>} about
 * @param {(text: string) => void} give
 */
function field(words, about, give) {
  /** @param {KeyboardEvent} event */
  function keydown(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    give(input.value);
  }
  const input = make("input", { type: "text", class: "answer", autocomplete: "off", ...about, on: { keydown } });
  const click = () => give(input.value);
  const check = make("button", { type: "button", class: "primary", on: { click } }, words.say("ui.prompt.check"));
  return { input, check };
}

/** @type {(text: string, give: () => void, name?: string) => HTMLElement} */
const option = (text, give, name) =>
  make("button", { type: "button", class: "option", name, text, on: { click: give } });

/**
 * The elements by which a question is answered; `first` takes the focus, `takeCard` hears of a card chosen elsewhere.
 * @param {Prompt} prompt
 * @param {Words} words
 * @param {Give} give
 * @returns {Ways}
 */
export function waysToAnswer(prompt, words, give) {
  if (prompt.kind === "number") {
    const about = { inputmode: "decimal", "aria-label": words.say("ui.prompt.number"), size: "10" };
    const { input, check } = field(words, about, (text) => give(readAnswer(prompt, text), text));
    return { elements: [input, check], first: input };
  }
  if (prompt.kind === "card") {
    const about = { inputmode: "numeric", "aria-label": words.say("ui.prompt.card"), size: "4" };
    const { input, check } = field(words, about, (text) => give(readCard(text), text));
    const hint = make("span", { class: "fine", text: words.say("ui.prompt.card.hint") });
    /** @param {Index} card */
    const takeCard = (card) => {
      input.value = String(card + 1);
      give(card, input.value);
    };
    return { elements: [hint, input, check], first: input, takeCard };
  }
  const options =
    prompt.kind === "sign"
      ? signsOf(prompt, words).map(([sign, text]) => option(text, () => give(sign)))
      : (prompt.choices || []).map(({ text }) => option(text, () => give(text), "choice-" + prompt.frame));
  return { elements: options, first: options[0] || null };
}

/** @type {(prompt: Prompt, words: Words) => [number, string][]} */
function signsOf(prompt, words) {
  /** @type {[number, string][]} */
  const told = (prompt.choices || []).flatMap(({ sign, text }) => (sign === undefined ? [] : [[sign, text]]));
  if (told.length) return told;
  return [
    [-1, words.say("ui.sign.minus")],
    [0, words.say("ui.sign.zero")],
    [1, words.say("ui.sign.plus")],
  ];
}
