// @ts-check
// A question of its own, between the cells of a lesson: the same panel, without a play behind it.

import { isForeign, make } from "../elements/dom.js";
import { watchTheme } from "../elements/theme.js";
import { EMPTY } from "../storyboard/check.js";
import { speaker } from "../storyboard/sentences.js";
import { promptPanel } from "./prompt.js";

/** @import { Prompt } from "storyboard" */
/** @import { Catalogue } from "player" */

/**
 * @param {Element} host
 * @param {Record<string, any>} question
 * @param {Catalogue} catalogue
 */
export function mountQuestion(host, question, catalogue) {
  const panel = promptPanel(EMPTY, speaker(EMPTY, catalogue), null);
  const about = { class: "player asking", role: "group", "aria-label": catalogue["ui.prompt"] };
  const root = make("div", about, panel.root);
  root.addEventListener("keydown", (event) => {
    if (!isForeign(event) && event.key !== "Tab") event.stopPropagation();
  });
  host.append(root);
  panel.ask(/** @type {Prompt} */ ({ frame: 0, ...question }));
  const unwatch = watchTheme(host, root);
  const destroy = () => {
    unwatch();
    root.remove();
  };
  return { root, panel, k: 0, total: 0, go() {}, step() {}, destroy };
}
