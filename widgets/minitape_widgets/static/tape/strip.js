// @ts-check
// One tape as a strip of cards: one per recorded operation. Its one head moves right while the program runs, turns, and
// moves left while the tape is played back; the cards of a tape that may be played only once are let go afterwards.
// Only the cards in view are in the page, so 10,000 cost as little as ten.

import { assign, isForeign, make } from "../elements/dom.js";
import { indexOf } from "../storyboard/lookup.js";
import { cardOf, dressCard } from "./cards.js";
import { itemsOf } from "./items.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Choose, Options, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Item } from "./items.js" */
/** @typedef {ReturnType<typeof oneStrip>} Strip */

const PITCH = 132; // pixels from card to card
const LARGE = 176; // the same in large type
const PAIRED = 106; // the same in one of two plays side by side
const HEAD = 260; // milliseconds that the head takes from card to card (tape.css)
const MANY = 200; // with more cards than this the groups begin closed

/**
 * The elements of a strip: its label with a count, and the track with the head.
 * @param {Storyboard} board
 * @param {Index} tape
 * @param {Words} words
 * @param {() => void} foldAll
 */
function layOut(board, tape, words, foldAll) {
  const { name, persistent } = board.tapes[tape];
  const head = make("div", { class: "head", hidden: true }, make("span"));
  const track = make("div", { class: "track" }, head);
  const said = words.say("ui.strip.of", { tape: name });
  const about = { class: "strip-scroll", tabindex: "0", role: "group", "aria-label": said };
  const scroller = make("div", about, track);
  const count = make("span", { class: "fine" });
  const hidden = !board.groups.length;
  const fold = make("button", { type: "button", class: "text-button", hidden, on: { click: foldAll } });
  const title = make("strong", { text: board.tapes.length === 1 ? words.say("ui.strip") : name });
  const tag = persistent ? make("span", { class: "tag", text: words.say("ui.strip.persistent") }) : null;
  const root = make(
    "div",
    { class: "strip" },
    make("div", { class: "strip-label" }, title, tag, count, fold),
    scroller,
  );
  return { root, scroller, track, head, count, fold };
}

/**
 * @param {Storyboard} board
 * @param {Index} tape
 * @param {Words} words
 * @param {Choose} choose
 * @param {Options} options
 * @param {() => void} foldAll
 */
export function oneStrip(board, tape, words, choose, options, foldAll) {
  const cards = indexOf(board).cardsOfTape[tape];
  const open = new Set(cards.length > MANY ? [] : board.groups.keys());
  const { root, scroller, track, head, count, fold } = layOut(board, tape, words, foldAll);
  const pitch = () => (options.large ? LARGE : options.bare ? PAIRED : PITCH);
  let { items, placed } = itemsOf(board, cards, open);
  /** @type {Stage | null} */
  let stage = null;
  let selected = -1;
  /** @type {Map<number, HTMLElement>} position -> the card that stands there in the page */
  let shown = new Map();
  scroller.addEventListener("scroll", () => stage && fill(stage));

  /** @type {(item: Item | undefined, now: Stage) => boolean} */
  const isRecorded = (item, now) => Boolean(item && item.cards.some((c) => now.cards[c]));

  /** @param {Item} item */
  function click(item) {
    if (item.group === undefined) return choose({ card: item.card });
    open.add(item.group);
    rebuild();
  }

  /**
   * Puts the cards in view into the page, and takes the others out.
   * @param {Stage} now
   */
  function fill(now) {
    const step = pitch();
    const width = scroller.clientWidth || 900;
    const from = Math.max(0, Math.floor(scroller.scrollLeft / step) - 2);
    const to = Math.min(items.length, Math.ceil((scroller.scrollLeft + width) / step) + 2);
    for (const [position, element] of shown) {
      if (position >= from && position < to) continue;
      element.remove();
      shown.delete(position);
    }
    for (let position = from; position < to; position++) {
      const item = items[position];
      if (!shown.has(position) && !isRecorded(item, now)) continue;
      if (!shown.has(position)) add(item, position);
    }
    dress(now, selected);
  }

  /**
   * The cards in view as they are now, where they are; nothing is measured.
   * @param {Stage} now
   * @param {Index} card
   */
  function dress(now, card) {
    selected = card;
    const step = pitch();
    for (const [position, element] of shown)
      dressCard(element, items[position], position * step, { board, words, stage: now, selected });
    offerOneStop();
  }

  /**
   * @param {Item} item
   * @param {number} position
   */
  function add(item, position) {
    const element = cardOf(board, item, () => click(item));
    element.addEventListener("keydown", (event) => walk(event, position));
    shown.set(position, element);
    track.append(element);
    return element;
  }

  /** One stop for the Tab key: the card in view, else the strip itself. */
  function offerOneStop() {
    const reachable = [...shown.values()].filter((element) => !element.hidden);
    const chosen = reachable.find((element) => element.classList.contains("chosen"));
    const entry = chosen || reachable.find((element) => /playing|recording/.test(element.className)) || reachable[0];
    for (const element of shown.values()) assign(element, "tabindex", element === entry ? "0" : "-1");
    assign(scroller, "tabindex", entry ? "-1" : "0");
  }

  /**
   * Up and down walk along the cards; left and right belong to the player everywhere.
   * @param {KeyboardEvent} event
   * @param {number} position
   */
  function walk(event, position) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!move || isForeign(event) || !stage) return;
    event.preventDefault();
    event.stopPropagation();
    const next = position + move;
    if (!isRecorded(items[next], stage)) return;
    reveal(next);
    fill(stage);
    const element = shown.get(next);
    if (!element) return;
    if (items[next].card !== undefined) choose({ card: items[next].card }, true);
    element.focus({ preventScroll: true });
  }

  /** @param {number} position */
  function reveal(position) {
    const step = pitch();
    const left = position * step;
    const width = scroller.clientWidth;
    if (!width) return;
    if (left < scroller.scrollLeft + 8) scroller.scrollLeft = Math.max(0, left - 24);
    else if (left + step + 16 > scroller.scrollLeft + width) scroller.scrollLeft = left + step - width + 24;
  }

  function rebuild() {
    ({ items, placed } = itemsOf(board, cards, open));
    for (const element of shown.values()) element.remove();
    shown = new Map();
    if (stage) update(stage, selected);
  }

  /**
   * The head; returns the position of the current card, if it is on this tape.
   * @param {Stage} now
   */
  function moveHead(now) {
    const step = pitch();
    const { card = -1, doing = "record" } = now.heads.get(tape) || {};
    const at = placed.get(card);
    assign(head, "hidden", at === undefined || now.released.has(tape));
    const idle = doing === "record" && now.pass >= 0 && now.frame?.act !== "record";
    head.className = "head " + doing + (idle ? " idle" : "");
    /** @type {Element} */ (head.firstChild).textContent = words.say(
      "ui.strip." + (doing === "record" ? doing : "play"),
    );
    const left = ((at ?? 0) + (doing === "play" ? 0.5 : 1)) * step - (doing === "play" ? 8 : 4);
    head.style.transform = "translateX(" + left + "px)";
    return placed.get(now.current.card) ?? (now.pass < 0 ? at : undefined);
  }

  /**
   * @param {Stage} next
   * @param {Index} card
   */
  function update(next, card) {
    stage = next;
    selected = card;
    track.style.width = items.length * pitch() + 40 + "px";
    const released = stage.released.has(tape);
    const recorded = cards.filter((c) => next.cards[c]).length;
    count.textContent = words.say(released ? "ui.strip.released" : "ui.cards", { count: recorded });
    fold.textContent = words.say(isFolded() ? "ui.unfold" : "ui.fold");
    const current = moveHead(stage);
    assign(root, "data-released", released);
    if (current !== undefined) reveal(current);
    fill(stage);
    const { motion } = options;
    const visit = stage.frame?.act === "visit" && motion?.wanted(); // the adjoint is on its card once the head is there
    if (visit) motion?.appear(track.querySelector(".playing .card-adjoint"), HEAD);
  }

  const isFolded = () => items.some((item) => item.group !== undefined);

  /** @param {boolean} folded */
  function setFolded(folded) {
    open.clear();
    if (!folded) for (const g of board.groups.keys()) open.add(g);
    rebuild();
  }

  return { root, update, dress, setFolded, isFolded };
}
