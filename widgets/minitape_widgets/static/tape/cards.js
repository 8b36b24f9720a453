// @ts-check
// One card of a strip, or a closed group of them: made once, and dressed anew at every moment.

import { assign, make, write } from "../elements/dom.js";
import { icon } from "../elements/icons.js";
import { given } from "../storyboard/lookup.js";
import { groupName, nodeName, titleOf } from "../storyboard/sentences.js";
import { CARD, adjointOf, isPlaying, wasPlayed } from "../storyboard/state.js";
import { fitted, shortValue, shorten } from "../storyboard/values.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Item } from "./items.js" */

const MADE = 13; // letters of what a card made
const STATES = ["future", "recorded", "played", "released"];

/** @type {(tag: string, text?: string | number) => HTMLElement} */
const span = (name, text) => make("span", { class: name, text });

/**
 * A closed group; a click opens it.
 * @param {Storyboard} board
 * @param {Index} g
 * @param {() => void} click
 */
function groupCard(board, g, click) {
  const title = board.groups[g].label;
  const about = { type: "button", class: "card group", title, tabindex: "-1", "aria-expanded": "false" };
  return make(
    "button",
    { ...about, on: { click } },
    make("span", { class: "card-top" }, span("card-number"), icon("open")),
    span("card-op", shorten(groupName(board, g, 14), 18)),
    span("card-value"),
  );
}

/**
 * What the card made: "y = 4.0"; an array that would be cut off is named by its shape.
 * @param {Storyboard} board
 * @param {Index} c
 */
function madeBy(board, c) {
  const node = board.nodes[board.cards[c].outputs[0]];
  if (!node) return "";
  const label = node.label ? node.label + " = " : "";
  if (!given(node.value)) return label;
  const room = Math.max(5, MADE - label.length);
  return label + fitted(shortValue(board.values[node.value], room), room);
}

/**
 * @param {Storyboard} board
 * @param {Item} item
 * @param {() => void} click
 */
export function cardOf(board, item, click) {
  if (item.card === undefined) return groupCard(board, /** @type {Index} */ (item.group), click);
  return make(
    "button",
    { type: "button", class: "card", tabindex: "-1", on: { click } },
    make("span", { class: "card-top" }, span("card-number", item.card + 1), span("card-adjoint")),
    span("card-op", shorten(titleOf(board, item.card), 14)),
    span("card-value"),
  );
}

/**
 * Puts a card at its place, and shows on it what is known now.
 * @param {HTMLElement} element
 * @param {Item} item
 * @param {number} left
 * @param {{ board: Storyboard, words: Words, stage: Stage, selected: Index, told: boolean }} now  `told`: see view.js
 */
export function dressCard(element, item, left, { board, words, stage, selected, told }) {
  const first = item.cards[0];
  const gone = Math.max(...item.cards.map((c) => stage.cards[c]));
  const played = item.cards.some((c) => wasPlayed(stage, board, c));
  const state = gone < CARD.RELEASED || told ? gone : played ? CARD.PLAYED : CARD.RECORDED;
  const here = item.cards.includes(stage.current.card) ? (isPlaying(stage) ? " playing" : " recording") : "";
  const chosen = item.card !== undefined && item.card === selected;
  const kind = item.group === undefined ? "card " : "card group ";
  assign(element, "class", kind + STATES[state] + here + (chosen ? " chosen" : ""));
  const [top, , made] = element.children;
  assign(element, "style", `transform: translateX(${left}px)`);
  assign(element, "hidden", state === CARD.FUTURE);
  if (item.group !== undefined) {
    const count = item.cards.filter((c) => stage.cards[c]).length;
    write(top.children[0], first + 1 + "–" + (item.cards[item.cards.length - 1] + 1));
    write(made, words.say("ui.cards", { count }));
    assign(element, "aria-label", words.say("ui.group", { label: board.groups[item.group].label, count }));
    return;
  }
  const output = board.cards[first].outputs[0];
  write(made, shorten(madeBy(board, first), MADE));
  const adjoint = state >= CARD.PLAYED && output !== undefined ? adjointOf(stage, output).value : -1;
  write(top.children[1], fitted(adjoint >= 0 ? shortValue(board.values[adjoint], 8) : "", 9));
  assign(element, "aria-pressed", chosen ? "true" : "false");
  const said = {
    card: first + 1,
    op: titleOf(board, first),
    output: output === undefined ? "" : nodeName(board, output),
    state: words.say("ui.state." + STATES[state]),
  };
  assign(element, "aria-label", words.say("ui.card", said));
}
