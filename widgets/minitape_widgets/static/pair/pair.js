// @ts-check
// Side by side: two players that step together under one bar of controls. Nothing is marked as broken or mended unless
// the teacher says which is which.

import { controlBar } from "../controls/controls.js";
import { takeKeys } from "../controls/keys.js";
import { setView, viewMenu } from "../controls/menu.js";
import { assign, fontSize, make } from "../elements/dom.js";
import { icon } from "../elements/icons.js";
import { watchTheme } from "../elements/theme.js";
import { legend } from "../graph/legend.js";
import { watchSize } from "../player/arrange.js";
import { jointly, roomOf } from "../player/layout.js";
import { settled, startOf, writeLink } from "../player/link.js";
import { unreadLine } from "../player/parts.js";
import { mountPlayer } from "../player/player.js";
import { indexOf } from "../storyboard/lookup.js";
import { speaker } from "../storyboard/sentences.js";
import { SIZES, sizeIn, sizesOf } from "../storyboard/stops.js";
import { inStep, isReached, nextMoment, placesIn } from "./steps.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Catalogue, Settings, ViewChange } from "player" */
/** @import { Size } from "../storyboard/stops.js" */

const BOTH = 44; // em: from this width on they stand side by side, below it one above the other

/**
 * Where in the joint moments the questions of both stand.
 * @type {(boards: Storyboard[], moments: number[][]) => number[]}
 */
const promptsOf = (boards, moments) =>
  boards
    .flatMap(({ prompts }, i) => prompts.map(({ frame }) => moments.findIndex((moment) => moment[i] >= frame)))
    .filter((k) => k >= 0);

/**
 * @param {Element} host
 * @param {[Storyboard, Storyboard]} boards  that were checked
 * @param {Catalogue} catalogue
 * @param {Settings} [settings]
 */
export function mountPair(host, boards, catalogue, settings = {}) {
  const words = speaker(boards[0], catalogue);
  const options = settled({ hide: ["inspector"], ...settings });
  const moments = inStep(...boards);
  const total = moments.length - 1;
  const sizes = SIZES.filter((size) => boards.some((board) => sizesOf(board).includes(size)));
  const layers = boards.some((board) => board.cards.some(({ layer }) => layer));
  let stops = moments; // those of the chosen size of steps
  let at = moments[0];
  const recording = Math.max(...boards.map((board) => indexOf(board).recording));
  let position = 0;
  let busy = false; // while both are told where to go, what they report is no news
  /** @type {boolean | null} whether the tapes were opened by hand where there is little room */
  let unfolded = null;

  const driven = {
    get k() {
      return position;
    },
    go: show,
    step,
    resize,
    stay: () => Math.max(...players.map((player) => player.stay())),
  };
  const acts = { total, recording, prompts: promptsOf(boards, moments), chapters: [] };
  const controls = controlBar(acts, { sizes, size: options.size, layers }, words, driven);
  const menu = viewMenu(words, options, change);
  const names = Array.isArray(settings.names) ? settings.names : [];
  const judged = settings.judged === true; // whether the first is known to be broken, and the second to be mended
  const unread = unreadLine(options, words);
  /** @type {(i: number) => HTMLElement | null} */
  const nameOf = (i) =>
    names[i] ? make("div", { class: "pair-name" + (judged ? [" broken", " fixed"][i] : ""), text: names[i] }) : null;
  const places = boards.map((_, i) => make("div", { class: "pair-side" }, nameOf(i)));
  const sides = make("div", { class: "pair-sides" }, places);
  const key = legend(
    boards.flatMap((board) => board.nodes),
    words,
  );
  const sign = make("span", { class: "fold-sign" });
  const onFold = { type: "button", class: "fold-button", hidden: true, on: { click: toggleTapes } };
  const foldTapes = make("button", onFold, sign, words.say("ui.strip"));
  const topBar = make("div", { class: "top-bar" }, controls.root, foldTapes, menu.button);
  const label = words.say("ui.player", { title: names.filter(Boolean).join(", ") });
  const about = { class: "pair", tabindex: "-1", role: "group", "aria-label": label };
  const root = make("div", about, topBar, menu.menu, unread, sides, key);
  host.append(root);
  /** @type {ReturnType<typeof mountPlayer>[]} */
  const players = [];
  boards.forEach((board, i) => {
    const own = { ...options, start: 0, link: "", name: names[i], bare: true };
    players.push(mountPlayer(places[i], board, catalogue, own, { controls, arrange, fold }));
  });

  /**
   * Goes to a moment of both.
   * @param {number} next
   */
  function show(next) {
    position = Math.max(0, Math.min(total, Math.round(next) || 0));
    showBoth(moments[position]);
  }

  /** @param {number[]} moment */
  function showBoth(moment) {
    at = moment;
    busy = true;
    players.forEach((player, i) => player.go(moment[i], true));
    busy = false;
    const text = players.map((player) => player.words.captionText(player.k)).join(" ");
    controls.update(position, text, stops.filter((stop) => isReached(stop, at)).length - 1, stops.length - 1);
    menu.setLink(writeLink({ ...options, start: position }));
  }

  /** @param {Size} size */
  function resize(size) {
    if (!sizes.includes(size)) return;
    options.size = size;
    stops = inStep(...boards, size);
    for (const player of players) player.resize(sizeIn(player.board, size));
    controls.setSize(size);
    arrange();
    showBoth(at);
  }

  /** @param {ViewChange} what */
  function change(what) {
    setView(options, what);
    for (const player of players) player.change(what);
    arrange();
    showBoth(at);
  }

  /**
   * Folds both inspectors away, or opens both.
   * @param {boolean} on
   */
  function fold(on) {
    options.folded = on;
    for (const player of players) player.layout.setFold(on);
    arrange();
    showBoth(at);
  }

  function toggleTapes() {
    unfolded = foldTapes.getAttribute("aria-expanded") === "false";
    arrange();
    showBoth(at);
  }

  /**
   * One step on or back; false where it stops: at the end, or at a question of one of them.
   * @param {number} by
   * @param {boolean} [keepPlaying]
   * @param {Size} [size]
   */
  function step(by, keepPlaying, size = options.size) {
    const next = nextMoment(size === "act" ? moments : stops, at, by);
    if (!keepPlaying) controls.stop();
    if (!next) return false;
    return goOn(next) && position < total;
  }

  /** Goes to a moment, unless one of them is to be asked before. @param {number[]} next */
  function goOn(next) {
    if (players.some((player, i) => player.k < next[i] && player.ask())) return false;
    [position] = placesIn(moments, [next]);
    showBoth(next);
    return true;
  }

  /**
   * One went somewhere by itself: to a round of a loop, or on after a question; then the other may be asked, too.
   * @type {(i: number, k: number) => void}
   */
  function followOne(i, k) {
    if (busy) return;
    const next = k === at[i] + 1 && nextMoment(moments, at, 1);
    const found = moments.findIndex((moment) => moment[i] === k);
    if (next) goOn(next);
    else show(found < 0 ? position : found);
  }

  /**
   * Both get the same heights, so that code stands beside code and tape beside tape; one above the other, each gets
   * half of the room. Where all of it is not to be seen at once, the tapes are folded away, until they are asked for,
   * and the legend is left out.
   */
  function arrange() {
    if (players.length < 2) return;
    root.classList.toggle("large", options.large);
    const across = root.clientWidth >= BOTH * fontSize(root);
    sides.classList.toggle("stacked", !across);
    const whole = place(across, false, false);
    if (!whole) return;
    const tight = whole > roomOf(options.room) + 1;
    const tape = !options.hide.includes("tape");
    foldTapes.hidden = !tight || !tape;
    assign(foldTapes, "aria-expanded", unfolded ? "true" : "false");
    sign.replaceChildren(icon(unfolded ? "shut" : "open"));
    if (tight) place(across, true, tape && !unfolded);
  }

  /**
   * Puts all in its place, closely or not, with or without the tapes; returns the height that this takes (0 while out
   * of sight).
   * @type {(across: boolean, close: boolean, tucked: boolean) => number}
   */
  function place(across, close, tucked) {
    const dense = close && (!across || Boolean(options.room));
    key.hidden = options.hide.includes("graph") || dense;
    root.classList.toggle("dense", dense);
    const used = topBar.offsetHeight + key.offsetHeight + (unread ? unread.offsetHeight : 0) + 2;
    const heading = names[0] ? /** @type {HTMLElement} */ (places[0].firstChild).offsetHeight : 0;
    const room = (roomOf(options.room) - used) / (across ? 1 : 2) - heading - (across ? 0 : 2);
    const [a, b] = players.map((player) => player.layout.measure(room, { tucked, dense }));
    if (!a || !b) return 0;
    const both = across ? jointly(a, b) : null;
    players.forEach((player, i) => player.layout.settle(both || [a, b][i], room));
    return root.offsetHeight;
  }

  function destroy() {
    controls.stop();
    unwatchSize();
    unwatchTheme();
    for (const player of players) player.destroy();
    root.remove();
  }

  players.forEach((player, i) => player.onChange((k) => followOne(i, k)));
  const entry = () => players[0].entry();
  takeKeys(root, { go: show, step, toggle: controls.toggle, resize, letGo: () => false, entry, total });
  const unwatchTheme = watchTheme(host, root);
  const unwatchSize = watchSize(root, arrange);
  if (options.size !== "act") resize(options.size);
  arrange();
  show(startOf(options.start, recording, total));
  arrange();
  return {
    go: show,
    step,
    players,
    moments,
    get k() {
      return position;
    },
    total,
    root,
    destroy,
  };
}
