// @ts-check
// Which cards of a strip are in the page: those in view, so that 10,000 cost as little as ten.

import { assign } from "../elements/dom.js";
import { cardOf, dressCard } from "./cards.js";
import { isRecorded } from "./items.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Item } from "./items.js" */

/**
 * What a strip shows.
 * @typedef {object} Shown
 * @property {Item[]} items
 * @property {Map<Index, number>} placed  where each card went
 * @property {Stage | null} stage
 * @property {Index} selected
 */

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Shown} strip
 * @param {{ scroller: HTMLElement, track: HTMLElement }} parts
 * @param {() => number} pitch  pixels from card to card
 * @param {object} hands
 * @param {(item: Item) => void} hands.click
 * @param {(event: KeyboardEvent, position: number) => void} hands.walk
 * @param {() => boolean} hands.told  whether the lesson speaks of cards that are let go
 */
export function cardsInView(board, words, strip, { scroller, track }, pitch, { click, walk, told }) {
  /** @type {Map<number, HTMLElement>} position -> the card that stands there in the page */
  const shown = new Map();
  scroller.addEventListener("scroll", fill);

  /** Puts the cards in view into the page, and takes the others out. */
  function fill() {
    const { items, stage } = strip;
    if (!stage) return;
    const step = pitch();
    const { scrollLeft, clientWidth } = scroller;
    const from = Math.max(0, Math.floor(scrollLeft / step) - 2);
    const to = Math.min(items.length, Math.ceil((scrollLeft + (clientWidth || 900)) / step) + 2);
    for (const [position, element] of shown) {
      if (position >= from && position < to) continue;
      element.remove();
      shown.delete(position);
    }
    for (let position = from; position < to; position++)
      if (!shown.has(position) && isRecorded(items[position], stage)) add(position);
    dress(stage);
  }

  /**
   * The cards in view as they are now, where they are; nothing is measured.
   * @param {Stage} stage
   */
  function dress(stage) {
    const { items, selected } = strip;
    const step = pitch();
    for (const [position, element] of shown)
      dressCard(element, items[position], position * step, { board, words, stage, selected, told: told() });
    offerOneStop();
  }

  /** @param {number} position */
  function add(position) {
    const item = strip.items[position];
    const element = cardOf(board, item, () => click(item));
    element.addEventListener("keydown", (event) => walk(event, position));
    shown.set(position, element);
    track.append(element);
  }

  /** One stop for the Tab key: the card in view, else the strip itself. */
  function offerOneStop() {
    const reachable = [...shown.values()].filter((element) => !element.hidden);
    const chosen = reachable.find((element) => element.classList.contains("chosen"));
    const entry = chosen || reachable.find((element) => /playing|recording/.test(element.className)) || reachable[0];
    for (const element of shown.values()) assign(element, "tabindex", element === entry ? "0" : "-1");
    assign(scroller, "tabindex", entry ? "-1" : "0");
  }

  /** Scrolls to a card. @param {number} position */
  function reveal(position) {
    const step = pitch();
    const left = position * step;
    const { scrollLeft, clientWidth } = scroller;
    if (!clientWidth) return;
    if (left < scrollLeft + 8) scroller.scrollLeft = Math.max(0, left - 24);
    else if (left + step + 16 > scrollLeft + clientWidth) scroller.scrollLeft = left + step - clientWidth + 24;
  }

  function empty() {
    for (const element of shown.values()) element.remove();
    shown.clear();
  }

  return { shown, fill, dress, reveal, empty };
}
