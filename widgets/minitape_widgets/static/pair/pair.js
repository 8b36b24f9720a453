// @ts-check
// Side by side: two players that step together under one bar of controls. Nothing is marked as broken or mended unless
// the teacher says which is which.

import { controlBar } from "../controls/controls.js";
import { takeKeys } from "../controls/keys.js";
import { setView, viewMenu } from "../controls/menu.js";
import { make } from "../elements/dom.js";
import { watchTheme } from "../elements/theme.js";
import { legend } from "../graph/legend.js";
import { watchSize } from "../player/arrange.js";
import { settled, startOf, writeLink } from "../player/link.js";
import { unreadLine } from "../player/parts.js";
import { mountPlayer } from "../player/player.js";
import { indexOf } from "../storyboard/lookup.js";
import { speaker } from "../storyboard/sentences.js";
import { SIZES, sizeIn, sizesOf } from "../storyboard/stops.js";
import { momentsOf } from "./moments.js";
import { arrangeBoth, tapesFold } from "./room.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Catalogue, Settings, ViewChange } from "player" */
/** @import { Player } from "../player/player.js" */
/** @import { Size } from "../storyboard/stops.js" */
/** @import { Tell } from "./moments.js" */

/**
 * Where in the joint moments the questions of both stand.
 * @type {(boards: Storyboard[], moments: number[][]) => number[]}
 */
const promptsOf = (boards, moments) =>
  boards
    .flatMap(({ prompts }, i) => prompts.map(({ frame }) => moments.findIndex((moment) => moment[i] >= frame)))
    .filter((k) => k >= 0);

/**
 * A place for each, under its name.
 * @param {string[]} names
 * @param {boolean} judged  whether the first is known to be broken, and the second to be mended
 */
function sidesOf(names, judged) {
  const headings = ["broken", "fixed"].map((kind, i) =>
    names[i] ? make("div", { class: "pair-name" + (judged ? " " + kind : ""), text: names[i] }) : null,
  );
  const places = headings.map((heading) => make("div", { class: "pair-side" }, heading));
  return { sides: make("div", { class: "pair-sides" }, places), places, heading: headings[0] };
}

/**
 * @param {Element} host
 * @param {[Storyboard, Storyboard]} boards  that were checked
 * @param {Catalogue} catalogue
 * @param {Settings} [settings]
 */
export function mountPair(host, boards, catalogue, settings = {}) {
  const words = speaker(boards[0], catalogue);
  const options = settled({ hide: ["inspector"], ...settings });
  const sizes = SIZES.filter((size) => boards.some((board) => sizesOf(board).includes(size)));
  const layers = boards.some((board) => board.cards.some(({ layer }) => layer));
  const recording = Math.max(...boards.map((board) => indexOf(board).recording));
  /** @type {Player[]} */
  const players = [];
  const entry = () => players[0].entry();
  const stay = () => Math.max(...players.map((player) => player.stay()));
  const both = Object.assign(
    momentsOf(boards, players, options, tell, () => controls.stop()),
    { resize, stay },
  );
  const { moments, total } = both;
  const acts = { total, recording, prompts: promptsOf(boards, moments), chapters: [] };
  const controls = controlBar(acts, { sizes, size: options.size, layers }, words, both);
  const menu = viewMenu(words, options, change);
  const tapes = tapesFold(words.say("ui.strip"), redraw);
  const names = Array.isArray(settings.names) ? settings.names : [];
  const unread = unreadLine(options, words);
  const { sides, places, heading } = sidesOf(names, settings.judged === true);
  const key = legend(boards, words);
  const topBar = make("div", { class: "top-bar" }, controls.root, tapes.button, menu.button);
  const label = words.say("ui.player", { title: names.filter(Boolean).join(", ") });
  const about = { class: "pair", tabindex: "-1", role: "group", "aria-label": label };
  const root = make("div", about, topBar, menu.menu, unread, sides, key);
  host.append(root);
  boards.forEach((board, i) => {
    const own = { ...options, start: 0, link: "", name: names[i], bare: true };
    players.push(mountPlayer(places[i], board, catalogue, own, { controls, arrange, fold }));
  });

  function arrange() {
    if (players.length > 1) arrangeBoth({ root, topBar, unread, sides, heading, key }, players, options, tapes);
  }

  function redraw() {
    arrange();
    both.show();
  }

  /** Shows on the controls where both are. @type {Tell} */
  function tell(position, passed, steps) {
    const text = players.map((player) => player.words.captionText(player.k)).join(" ");
    controls.update(position, text, passed, steps);
    menu.setLink(writeLink({ ...options, start: position }));
  }

  /** @param {Size} size */
  function resize(size) {
    if (!sizes.includes(size)) return;
    options.size = size;
    both.setSize(size);
    for (const player of players) player.resize(sizeIn(player.board, size));
    controls.setSize(size);
    redraw();
  }

  /** @param {ViewChange} what */
  function change(what) {
    setView(options, what);
    for (const player of players) player.change(what);
    redraw();
  }

  /**
   * Folds both inspectors away, or opens both.
   * @param {boolean} on
   */
  function fold(on) {
    options.folded = on;
    for (const player of players) player.layout.setFold(on);
    redraw();
  }

  function destroy() {
    controls.stop();
    unwatchSize();
    unwatchTheme();
    for (const player of players) player.destroy();
    root.remove();
  }

  players.forEach((player, i) => player.onChange((k) => both.followOne(i, k)));
  takeKeys(root, { ...both, toggle: controls.toggle, letGo: () => false, entry });
  const unwatchTheme = watchTheme(host, root);
  const unwatchSize = watchSize(root, arrange);
  if (options.size !== "act") resize(options.size);
  arrange();
  both.go(startOf(options.start, recording, total));
  arrange();
  return Object.assign(both, { players, root, destroy });
}
