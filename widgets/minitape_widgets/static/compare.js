// Side by side: two players that step together, the broken program and the mended one, under one bar of controls. They record
// together and are played together: the one whose recording is shorter waits until the other is there.

import { assign, icon, make } from "./dom.js";
import { checked, mountPlayer, unreadLine, watchSize } from "./player.js";
import { controlBar, setView, takeKeys, viewMenu } from "./controls.js";
import { legend } from "./shapes.js";
import { jointly, roomOf } from "./layout.js";
import { settled, startOf, writeLink } from "./link.js";
import { speaker } from "./messages.js";
import { indexOf } from "./state.js";
import { watchTheme } from "./theme.js";

const BOTH = 44;                                               // em: from this width on they stand side by side, below it one above the other

/** The moments of two storyboards in step: [k of the first, k of the second], recording against recording, play against play. */
export function inStep(a, b) {
  const [fa, fb] = [indexOf(a).recording, indexOf(b).recording];
  const moments = [];
  for (let k = 0; k <= Math.max(fa, fb); k++) moments.push([Math.min(k, fa), Math.min(k, fb)]);
  const acts = Math.max(a.frames.length - fa, b.frames.length - fb);
  const at = (board, first, k) => (k === acts ? board.frames.length : Math.max(first, Math.min(first + k, board.frames.length - 1)));
  for (let k = 1; k <= acts; k++) moments.push([at(a, fa, k), at(b, fb, k)]);
  return moments;
}

export function mountPair(host, given, catalogue, settings = {}) {
  const boards = given.map(checked);
  if (!boards[0] || !boards[1]) return mountPlayer(host, null, catalogue, settings);
  const words = speaker(boards[0], catalogue), options = settled({ hide: ["inspector"], ...settings });
  const moments = inStep(...boards), total = moments.length - 1, recording = Math.max(...boards.map((board) => indexOf(board).recording));
  const marks = (list) => boards.flatMap((board, i) => board[list].map((mark) => moments.findIndex((moment) => moment[i] >= mark.frame))).filter((k) => k >= 0);
  let busy = false, position = 0, players = [], unfolded = null;

  const controls = controlBar({ total, recording, prompts: marks("prompts"), chapters: [] }, words, { go: (k) => show(k), step, get k() { return position; } });
  const menu = viewMenu(words, options, (what) => {
    setView(options, what);
    for (const player of players) player.change(what);
    arrange();
    show(position);
  });
  const names = Array.isArray(settings.names) ? settings.names : [];
  const unread = options.unread.length ? unreadLine(options, words) : null;
  const places = boards.map((_, i) => make("div", { class: "pair-side" }, names[i] ? make("div", { class: "pair-name " + (i ? "fixed" : "broken"), text: names[i] }) : null));
  const sides = make("div", { class: "pair-sides" }, places);
  const key = legend({ nodes: boards.flatMap((board) => board.nodes) }, words);
  const sign = make("span", { class: "fold-sign" }), foldTapes = make("button", { type: "button", class: "fold-button", hidden: true, on: { click: () => { unfolded = foldTapes.getAttribute("aria-expanded") === "false"; arrange(); show(position); } } }, sign, words.say("ui.strip"));
  const root = make("div", { class: "pair", tabindex: "-1", role: "group", "aria-label": words.say("ui.player", { title: names.filter(Boolean).join(", ") }) },
    make("div", { class: "top-bar" }, controls.root, foldTapes, menu.button), menu.menu, unread, sides, key);
  host.append(root);
  players = boards.map((board, i) => mountPlayer(places[i], board, catalogue, { ...options, start: 0, link: "", name: names[i], bare: true }, { controls, arrange, fold }));

  /** Goes to a moment of both. */
  function show(next) {
    position = Math.max(0, Math.min(total, Math.round(next) || 0));
    busy = true;
    players.forEach((player, i) => player.go(moments[position][i], true));
    busy = false;
    controls.update(position, players.map((player) => player.words.captionText(player.k)).join(" "));
    menu.setLink(writeLink({ start: position, hide: options.hide, large: options.large, folded: options.folded }));
  }
  /** Folds both inspectors away, or opens both. */
  function fold(on) {
    options.folded = on;
    for (const player of players) player.setFold(on);
    arrange();
    show(position);
  }
  /** One moment on or back; false where it stops: at the end, or at a question of one of them. */
  function step(by, keepPlaying) {
    const next = position + by;
    if (!keepPlaying) controls.stop();
    if (next < 0 || next > total) return false;
    if (by > 0 && players.some((player, i) => moments[next][i] > moments[position][i] && player.ask())) return false;
    show(next);
    return position < total;
  }
  players.forEach((player, i) => player.onChange((k) => {      // one of them went somewhere by itself: a step of a loop, or after a question
    if (busy) return;
    const found = moments.findIndex((moment) => moment[i] === k);
    show(k === moments[position][i] + 1 ? position + 1 : found < 0 ? position : found);
  }));

  /**
   * Both get the same heights, so that code stands beside code and tape beside tape; one above the other, each gets half of the room.
   * Where all of it is not to be seen at once, the tapes are folded away, until they are asked for, and the legend is left out.
   */
  function arrange() {
    if (players.length < 2) return;
    root.classList.toggle("large", Boolean(options.large));
    const em = parseFloat(getComputedStyle(root).fontSize), across = root.clientWidth >= BOTH * em;
    sides.classList.toggle("stacked", !across);
    const whole = place(em, across, false, false);
    if (!whole) return;
    const tight = whole > roomOf() + 1, tape = !options.hide.includes("tape");
    foldTapes.hidden = !tight || !tape;
    assign(foldTapes, "aria-expanded", unfolded ? "true" : "false");
    sign.replaceChildren(icon(unfolded ? "shut" : "open"));
    if (tight) place(em, across, true, tape && !unfolded);
  }

  /** Puts all in its place, closely or not, with or without the tapes; returns the height that this takes (0 while out of sight). */
  function place(em, across, close, tucked) {
    const tall = (part) => (part ? part.offsetHeight : 0);
    key.hidden = options.hide.includes("graph") || (close && !across);
    const headings = names[0] ? tall(places[0].firstChild) : 0, used = tall(root.querySelector(".top-bar")) + tall(key) + tall(unread) + 2;
    const room = (roomOf() - used) / (across ? 1 : 2) - headings - (across ? 0 : 2), found = players.map((player) => player.measure(room, { tucked, dense: close && !across }));
    if (!found[0] || !found[1]) return 0;
    const both = jointly(...found);
    players.forEach((player, i) => player.settle(across ? both : found[i], room));
    return root.offsetHeight;
  }
  takeKeys(root, { go: show, step, toggle: controls.toggle, letGo: () => false, total });
  const unwatch = watchTheme(host, root), unwatchSize = watchSize(root, arrange);
  arrange();
  show(startOf(options.start, recording, total));
  arrange();

  return { go: show, step, players, moments, get k() { return position; }, total, root,
    destroy() { controls.stop(); unwatchSize(); unwatch(); for (const player of players) player.destroy(); root.remove(); } };
}
