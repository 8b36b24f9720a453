// @ts-check
// The rounds of a loop lie on one another: which of them is on top is chosen here, one by one or by its number.

import { assign, make } from "../elements/dom.js";
import { iconButton } from "../elements/icons.js";
import { groupName } from "../storyboard/sentences.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Words } from "../storyboard/sentences.js" */

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Index[]} stack  the rounds, in their order
 * @param {Index} g  the one on top
 * @param {(g: Index) => void} choose
 */
export function selector(board, words, stack, g, choose) {
  const at = stack.indexOf(g);
  /** @type {(name: import("../elements/icons.js").IconName, key: string, by: number) => HTMLElement} */
  const button = (name, key, by) => {
    const made = iconButton(name, words.say(key), () => choose(stack[at + by]));
    assign(made, "disabled", stack[at + by] === undefined);
    return made;
  };
  const { label } = board.groups[g];
  const said = { class: "round-name", text: groupName(board, g, 18), title: label };
  const about = { type: "range", min: 1, max: stack.length, value: at + 1, "aria-label": words.say("ui.rounds") };
  const slider = make("input", { ...about, "aria-valuetext": label });
  slider.addEventListener("change", () => choose(stack[Number(/** @type {HTMLInputElement} */ (slider).value) - 1]));
  return make(
    "span",
    { class: "rounds", role: "group", "aria-label": words.say("ui.rounds") },
    [
      button("back", "ui.round.before", -1),
      make("span", said),
      make("span", { class: "of", text: "/ " + stack.length }),
    ],
    [button("next", "ui.round.after", 1), slider],
  );
}
