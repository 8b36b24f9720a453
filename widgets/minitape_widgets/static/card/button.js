// @ts-check
// A button of a card, with the word for it and what the pointer is told.

import { make } from "../elements/dom.js";

/** @type {(words: any, name: string, look: string, click: () => void) => HTMLElement} */
export const button = (words, name, look, click) =>
  make("button", { type: "button", class: look, title: words[name + "-tip"], on: { click } }, words[name]);
