// @ts-check
// One tape as a strip of cards: one per recorded operation. Its one head moves right while the program runs, turns, and
// moves left while the tape is played back; the cards of a tape that may be played only once are let go afterwards.

import { assign, isForeign, make } from "../elements/dom.js";
import { indexOf } from "../storyboard/lookup.js";
import { knows } from "../storyboard/words.js";
import { isRecorded, itemsOf } from "./items.js";
import { cardsInView } from "./view.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Choose, Options, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Item } from "./items.js" */
/** @import { Shown } from "./view.js" */
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
  const head = headOf(tape, words);
  const track = make("div", { class: "track" }, head.root);
  const said = words.say(name ? "ui.strip.of" : "ui.strip.unnamed", { tape: name });
  const about = { class: "strip-scroll", tabindex: "0", role: "group", "aria-label": said };
  const scroller = make("div", about, track);
  const count = make("span", { class: "fine" });
  const hidden = !board.groups.length;
  const fold = make("button", { type: "button", class: "text-button", hidden, on: { click: foldAll } });
  const title = make("strong", {
    text: board.tapes.length === 1 ? words.say("ui.strip") : name || words.say("ui.strip"),
  });
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
 * The head of a tape.
 * @param {Index} tape
 * @param {Words} words
 */
function headOf(tape, words) {
  const name = make("span");
  const root = make("div", { class: "head", hidden: true }, name);

  /**
   * Moves it; returns the position of the current card, if it is on this tape.
   * @type {(now: Stage, placed: Map<Index, number>, step: number) => number | undefined}
   */
  function move(now, placed, step) {
    const { card = -1, doing = "record" } = now.heads.get(tape) || {};
    const at = placed.get(card);
    assign(root, "hidden", at === undefined || now.released.has(tape));
    const idle = doing === "record" && now.pass >= 0 && now.frame?.act !== "record";
    root.className = "head " + doing + (idle ? " idle" : "");
    name.textContent = words.say("ui.strip." + (doing === "record" ? doing : "play"));
    const left = ((at ?? 0) + (doing === "play" ? 0.5 : 1)) * step - (doing === "play" ? 8 : 4);
    root.style.transform = "translateX(" + left + "px)";
    return placed.get(now.current.card) ?? (now.pass < 0 ? at : undefined);
  }

  return { root, move };
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
  const parts = layOut(board, tape, words, foldAll);
  const { root, track, head, count, fold } = parts;
  const pitch = () => (options.large ? LARGE : options.bare ? PAIRED : PITCH);
  /** @type {Shown} */
  const strip = { ...itemsOf(board, cards, open), stage: null, selected: -1 };
  const told = () => knows(options, "release");
  const view = cardsInView(board, words, strip, parts, pitch, { click, walk, told });

  /** @param {Item} item */
  function click(item) {
    if (item.group === undefined) return choose({ card: item.card });
    open.add(item.group);
    rebuild();
  }

  /**
   * Up and down walk along the cards; left and right belong to the player everywhere.
   * @param {KeyboardEvent} event
   * @param {number} position
   */
  function walk(event, position) {
    const { items, stage } = strip;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!move || isForeign(event) || !stage) return;
    event.preventDefault();
    event.stopPropagation();
    const next = position + move;
    if (!isRecorded(items[next], stage)) return;
    view.reveal(next);
    view.fill();
    const element = view.shown.get(next);
    if (!element) return;
    if (items[next].card !== undefined) choose({ card: items[next].card }, true);
    element.focus({ preventScroll: true });
  }

  function rebuild() {
    Object.assign(strip, itemsOf(board, cards, open));
    view.empty();
    if (strip.stage) update(strip.stage, strip.selected);
  }

  /**
   * @param {Stage} stage
   * @param {Index} selected
   */
  function update(stage, selected) {
    Object.assign(strip, { stage, selected });
    track.style.width = strip.items.length * pitch() + 40 + "px";
    const released = stage.released.has(tape) && told();
    const recorded = cards.filter((c) => stage.cards[c]).length;
    count.textContent = words.say(released ? "ui.strip.released" : "ui.cards", { count: recorded });
    fold.textContent = words.say(isFolded() ? "ui.unfold" : "ui.fold");
    const current = head.move(stage, strip.placed, pitch());
    if (current !== undefined) view.reveal(current);
    view.fill();
    const { motion } = options;
    const visit = stage.frame?.act === "visit" && motion?.wanted(); // the adjoint is on its card once the head is there
    if (visit) motion?.appear(track.querySelector(".playing .card-adjoint"), HEAD);
  }

  /** Only what stands on the cards. @type {(stage: Stage, selected: Index) => void} */
  function dress(stage, selected) {
    strip.selected = selected;
    view.dress(stage);
  }

  const isFolded = () => strip.items.some((item) => item.group !== undefined);

  /** @param {boolean} folded */
  function setFolded(folded) {
    open.clear();
    if (!folded) for (const g of board.groups.keys()) open.add(g);
    rebuild();
  }

  return { root, update, dress, setFolded, isFolded };
}
