// @ts-check
// All cards: a field to search in, the situations in which one comes here, what was found, and the card itself.

import { isForeign, make } from "../elements/dom.js";
import { iconButton } from "../elements/icons.js";
import { watchTheme } from "../elements/theme.js";
import { mountCard } from "./card.js";

/** @import { Kernel } from "./card.js" */
/** @typedef {{ key: string, title: string, text: string, situations: string[] }} Entry */

/** Small letters without accents, and one kind of apostrophe: what is searched, and what for. @param {string} text */
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("\u2019", "'");

/**
 * @param {Element} host
 * @param {any} given
 * @param {Kernel | null} kernel
 */
export function mountGallery(host, given, kernel) {
  const { words, situations } = given.card;
  /** @type {Entry[]} */
  const entries = given.card.gallery.map((/** @type {Entry} */ entry) => ({ ...entry, text: plain(entry.text) }));
  let open = given.card.key;
  let situation = "";

  const search = make("input", {
    type: "text",
    class: "answer search",
    placeholder: words.search,
    "aria-label": words.search,
    on: { input: find },
  });
  const chips = ["", ...situations].map((name) =>
    make("button", { type: "button", class: "chip", on: { click: () => narrow(name) } }, words[name || "all"]),
  );
  const count = make("span", { class: "fine", role: "status" });
  const list = make("select", {
    class: "answer found",
    "aria-label": words.pitfall,
    on: { change: () => turn(list.value) },
  });
  const before = iconButton("back", words.before, () => step(-1));
  const after = iconButton("next", words.next, () => step(1));
  const bar = make(
    "div",
    { class: "player finder" },
    make("div", { class: "finder-row" }, search, list, before, after, count),
    make("div", { class: "finder-row", role: "group", "aria-label": words.pitfall }, chips),
  );
  bar.addEventListener("keydown", (event) => {
    if (!isForeign(event) && event.key !== "Tab") event.stopPropagation();
  });
  host.append(bar);
  const unwatch = watchTheme(host, bar);
  const card = mountCard(host, given, kernel);
  find();

  /** The cards that a search and a situation leave. */
  function matching() {
    const asked = plain(search.value).split(/\s+/).filter(Boolean);
    return entries.filter(
      (entry) =>
        asked.every((word) => entry.text.includes(word)) && (!situation || entry.situations.includes(situation)),
    );
  }

  function find() {
    const result = matching();
    list.replaceChildren(...result.map(({ key, title }) => make("option", { value: key, text: title })));
    chips.forEach((chip, i) => chip.setAttribute("aria-pressed", String(["", ...situations][i] === situation)));
    count.textContent = result.length ? words.found.replace("{count}", String(result.length)) : words.nothing;
    for (const one of [list, before, after]) one.toggleAttribute("disabled", !result.length);
    if (result.length && !result.some(({ key }) => key === open)) turn(result[0].key);
    list.value = open;
  }

  /** @param {string} name */
  function narrow(name) {
    situation = name;
    find();
  }

  /** @param {number} by */
  function step(by) {
    const keys = matching().map(({ key }) => key);
    turn(keys[(keys.indexOf(open) + by + keys.length) % keys.length]);
  }

  /** @param {string} key */
  function turn(key) {
    open = key;
    list.value = key;
    card.ask({ open: key });
  }

  function destroy() {
    unwatch();
    bar.remove();
    card.destroy();
  }

  return { update: card.update, destroy };
}
