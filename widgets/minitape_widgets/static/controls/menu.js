// @ts-check
// Which panes are shown, and how: the teacher's menu. The link in it says all of it in one short text.

import { assign, make } from "../elements/dom.js";
import { icon } from "../elements/icons.js";
import { introduceInspector, knows } from "../storyboard/words.js";

/** @import { Options, ViewChange } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */

const PANES = ["code", "tape", "graph", "inspector"];
const PACES = ["ui.pace.slow", "ui.pace.usual", "ui.pace.quick"];

/** @type {(options: Options, pane: string) => boolean} */
export const isShown = (options, pane) =>
  !options.hide.includes(pane) && (pane !== "inspector" || knows(options, pane));

/**
 * Writes what the menu says into the options.
 * @param {Options} options
 * @param {ViewChange} change
 */
export function setView(options, { pane, on, large }) {
  if (pane === "inspector") introduceInspector(options);
  if (pane) options.hide = on ? options.hide.filter((name) => name !== pane) : [...options.hide, pane];
  if (large !== undefined) options.large = large;
}

/** @type {(label: string, act: (on: boolean) => void) => { input: HTMLInputElement, root: HTMLElement }} */
function checkBox(label, act) {
  const input = make("input", { type: "checkbox", on: { change: () => act(input.checked) } });
  return { input, root: make("label", {}, input, make("span", { text: label })) };
}

/**
 * @param {Words} words
 * @param {Options} options
 * @param {(what: ViewChange) => void} change
 */
export function viewMenu(words, options, change) {
  const boxes = PANES.map((pane) => checkBox(words.say("ui.pane." + pane), (on) => change({ pane, on })));
  const large = checkBox(words.say("ui.large"), (on) => change({ large: on }));
  const ways = PACES.map((key, i) => make("option", { value: i, selected: i === 1, text: words.say(key) }));
  const onPace = { change: () => change({ pace: Number(speeds.value) }) };
  const speeds = make("select", { "aria-label": words.say("ui.pace"), on: onPace }, ways);
  const about = { type: "text", readonly: true, class: "link-text", "aria-label": words.say("ui.link") };
  const link = make("input", { ...about, on: { focus: () => link.select() } });
  const name = words.say("ui.view");
  const menu = make(
    "div",
    { class: "menu", hidden: true, role: "group", "aria-label": name },
    make(
      "div",
      { class: "menu-group" },
      [...boxes, large].map(({ root }) => root),
    ),
    make("label", { class: "menu-group" }, make("span", { text: words.say("ui.pace") }), speeds),
    make("label", { class: "menu-group wide" }, make("span", { text: words.say("ui.link") }), link),
    make("p", { class: "fine", text: words.say("ui.keys") }),
  );
  function click() {
    menu.hidden = !menu.hidden;
    assign(button, "aria-expanded", menu.hidden ? "false" : "true");
  }
  const closed = { title: name, "aria-label": name, "aria-expanded": "false", on: { click } };
  const button = make("button", { type: "button", class: "icon-button", ...closed }, icon("view"));

  /** @param {string} text */
  const setLink = (text) => {
    link.value = text;
    boxes.forEach(({ input }, i) => (input.checked = isShown(options, PANES[i])));
    large.input.checked = options.large;
  };

  return { button, menu, setLink };
}
