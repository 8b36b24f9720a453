// @ts-check
// The buttons to another step: first, back, step, last, and what else stands among them.

import { assign, make } from "../elements/dom.js";
import { icon, iconButton } from "../elements/icons.js";

/** @import { Attributes } from "../elements/dom.js" */
/** @import { Words } from "../storyboard/sentences.js" */

/**
 * @param {Words} words
 * @param {number} total
 * @param {{ go: (k: number) => void, step: (by: number) => void }} player
 * @param {Attributes} [about]  more of the button for a step
 * @param {HTMLElement[]} [others]
 */
export function transport(words, total, player, about, others) {
  const first = iconButton("first", words.say("ui.first"), () => player.go(0));
  const back = iconButton("back", words.say("ui.back"), () => player.step(-1));
  const forward = { type: "button", class: "primary step", ...about, on: { click: () => player.step(1) } };
  const step = make("button", forward, make("span", { text: words.say("ui.step") }), icon("step"));
  const last = iconButton("last", words.say("ui.last"), () => player.go(total));
  const group = { class: "transport", role: "group", "aria-label": words.say("ui.controls") };
  const root = make("div", group, first, back, step, others, last);

  /** What leads nowhere is not "disabled": that would throw the focus away. @param {number} k */
  function show(k, end = total) {
    for (const button of [first, back]) assign(button, "aria-disabled", k ? null : "true");
    for (const button of [step, last]) assign(button, "aria-disabled", k === end ? "true" : null);
  }

  return { root, step, show };
}
