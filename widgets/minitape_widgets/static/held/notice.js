// @ts-check
// One line, while any number is not the recorded one: the way back, and what does not follow.

import { assign, make, prose } from "../elements/dom.js";
import { icon } from "../elements/icons.js";

/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Held } from "./held.js" */

/**
 * @param {Words} words
 * @param {Held} held
 */
export function noticeLine(words, held) {
  const about = { type: "button", class: "text-button reset", on: { click: () => held.reset() } };
  const button = make("button", about, icon("back"), words.say("ui.held.reset"));
  const text = make("span", { class: "notice" });
  const root = make("div", { class: "held-line", hidden: true }, button, text);
  let shown = "";

  function update() {
    const said = held.notices().join(" ");
    if (said !== shown) text.replaceChildren(...prose(said));
    assign(text, "title", said.replaceAll("\u0060", ""));
    shown = said;
    root.hidden = !held.changed && !held.nudged;
  }

  return { root, update };
}
