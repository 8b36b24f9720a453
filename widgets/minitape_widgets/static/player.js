// The player put together: panes, keyboard, theme. `mountPlayer` draws one storyboard into one element and returns a small
// handle (go, step, k, destroy). Nothing here asks a kernel: all acts came with the storyboard, so stepping works while a
// cell is running, and in a page that has no kernel at all.

import { assign, make, prose, shorten } from "./dom.js";
import { stateAt } from "./state.js";
import { speaker } from "./messages.js";
import { codePane } from "./code.js";
import { stripPane } from "./strip.js";
import { graphPane } from "./graph.js";
import { inspectorPane } from "./inspector.js";
import { promptPanel } from "./prompts.js";
import { controlBar, setView, takeKeys, viewMenu } from "./controls.js";
import { chapterPane, jacobianPane } from "./chapters.js";
import { arrangement, columnOf, heights, roomOf } from "./layout.js";
import { settled, startOf, writeLink } from "./link.js";
import { watchTheme } from "./theme.js";

const VERSION = 1;
const PIECES = { value: "value", loss: "value", local: "is-local", adjoint: "is-adjoint", formula: "formula", node: "is-name", op: "is-name", output: "is-name", target: "is-name", card: "is-name" };

/** Fills what a storyboard may leave out, and refuses what this player cannot read. */
export function checked(board) {
  if (!board || typeof board !== "object" || board.version !== VERSION) return null;
  const lists = {};
  for (const name of ["sources", "tapes", "values", "nodes", "edges", "cards", "notes", "groups", "passes", "chapters", "prompts", "frames", "drawings"]) lists[name] = board[name] || [];
  return { title: "", language: "en", ...board, ...lists };
}

/**
 * Draws the player into `host` (an element inside a shadow root) and returns its handle. With a `lead` it is one of two that step
 * together: the controls, the keys and the arrangement of the panes are the lead's.
 */
export function mountPlayer(host, given, catalogue, settings = {}, lead = null) {
  const board = checked(given), options = settled(settings);
  if (!board) {
    host.append(make("p", { class: "player-error", text: catalogue["ui.version"] || "" }));
    return { destroy() {}, go() {}, step() {}, k: 0, total: 0, root: host };
  }
  const words = speaker(board, catalogue);
  const calm = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };
  options.still = () => calm.matches || jumped;
  const total = board.frames.length;
  let k = -1, stage = null, selection = null, jumped = true, folded = options.folded, found = null;
  const listeners = new Set();

  const choose = (what, silent) => {
    if (what && what.card !== undefined && prompts.takeCard(what.card)) return;
    selection = what;
    if (what && what.note === undefined && isFolded()) fold(false);
    redraw();
    if (what && !silent && panes.inspector && !options.hide.includes("inspector")) announce("");
  };
  const announce = (text) => { if (text) live.textContent = text; };
  /** Folded away until it is asked for where there is little room; what the learner does stays as they did it. */
  const isFolded = () => folded ?? Boolean(options.large || lead || (found && found.spare < 20 * found.em));
  function fold(on) { if (lead) return lead.fold(on); setFold(on); arrange(); redraw(); }
  function setFold(on) { folded = on; }

  const panes = { code: codePane(board, words, choose), inspector: inspectorPane(board, words, choose, () => fold(!isFolded())), graph: graphPane(board, words, choose, options), tape: stripPane(board, words, choose, options) };
  const handle = {
    go, step, ask, get k() { return k; }, total, board, words, change, measure, settle, setFold,
    onChange(listener) { listeners.add(listener); return () => listeners.delete(listener); },
    destroy, dismissPrompt: () => prompts.dismiss(),
  };
  const acts = { total, recording: words.index.recording, prompts: board.prompts.map((prompt) => prompt.frame), chapters: board.chapters.map((chapter) => chapter.frame) };
  const controls = lead ? lead.controls : controlBar(acts, words, handle);
  const prompts = promptPanel(board, words, (frame) => { go(frame); controls.step.focus({ preventScroll: true }); }, () => { arrange(); if (stage) panes.code.follow(); });
  const menu = lead ? null : viewMenu(words, options, change);
  const chapters = chapterPane(board, words, go), jacobian = jacobianPane(board, words);
  const phase = make("span", { class: "phase" });
  const caption = make("p", { class: "caption" });
  const live = make("div", { class: "hidden-text", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const captionRow = make("div", { class: "caption-row" }, phase, caption);
  const title = board.title && !lead ? make("div", { class: "title", text: board.title, title: board.title }) : null;
  const unread = options.unread.length && !lead ? unreadLine(options, words) : null;
  const topBar = lead ? null : make("div", { class: "top-bar" }, title, controls.root, menu.button);
  const leftColumn = make("div", { class: "column" }, panes.code.root, panes.inspector.root, prompts.root);
  const stageRow = make("div", { class: "stage" }, leftColumn, make("div", { class: "column wide" }, panes.graph.root, jacobian && jacobian.root));
  const root = make("div", { class: "player", tabindex: "-1", role: "group", "aria-label": words.say("ui.player", { title: settings.name || board.title || board.tapes.map((t) => t.name).join(", ") }) },
    topBar, menu && menu.menu, unread, captionRow, chapters && chapters.root, stageRow, panes.tape.root, live);

  /**
   * Shows what is asked for and measures what it would take; all of it is the same at every moment (null while out of sight).
   * In a pair the tape may be tucked away, and the panes stand densely.
   */
  function measure(room, { tucked = false, dense = false } = {}) {
    panes.tape.root.style.minHeight = "";
    const shows = (name) => !options.hide.includes(name) && !(tucked && name === "tape"), asking = Boolean(prompts.open);
    for (const [name, pane] of Object.entries(panes)) assign(pane.root, "hidden", !shows(name));
    if (asking) panes.inspector.root.hidden = true;            // a question takes the inspector's place, so that nothing else moves
    root.classList.toggle("large", Boolean(options.large));
    const width = root.clientWidth, em = parseFloat(getComputedStyle(root).fontSize), left = shows("code") || shows("inspector"), right = shows("graph");
    if (left !== leftColumn.contains(prompts.root)) left ? leftColumn.append(prompts.root) : captionRow.after(prompts.root);
    stageRow.children[0].hidden = !left;
    stageRow.children[1].hidden = !right && !jacobian;
    if (!width || !em) return null;
    panes.tape.reserve(em, lead || options.large ? 2 : undefined);
    captionRow.style.height = "";
    const parts = { caption: dense ? Math.min(wordy(em), Math.floor(DENSE * em)) : wordy(em), tape: shows("tape") ? panes.tape.root.offsetHeight : 0, chapters: chapters ? chapters.root.offsetHeight : 0 };
    const fixed = (topBar ? topBar.offsetHeight : 0) + (unread ? unread.offsetHeight : 0) + parts.caption + parts.chapters + parts.tape + 3, high = jacobian ? jacobian.root.offsetHeight : 0;
    const code = shows("code") ? panes.code.wish(em) : { width: 0, height: 0 }, picture = right ? panes.graph.box() : { width: 0, height: 0 };
    const mode = arrangement({ left, right: right || Boolean(jacobian), width, rest: room - fixed - high - 2 * em, em, code, picture, large: options.large });
    found = { ...parts, mode, em, width, left, fixed, jacobian: high, spare: mode === "rows" ? width - code.width : Infinity, column: columnOf(mode, width, em, code.width, options.large),
      code: 0, asks: board.prompts.length > 0, tight: dense || (options.large && mode === "rows") ? 2 : lead || options.large ? 1 : 0 };
    found.code = Math.min(19 * em, shows("code") && options.large && mode === "beside" ? panes.code.wish(em, found.column).height : code.height);
    found.graph = right ? Math.min(33 * em, panes.graph.wish(mode === "beside" ? width - found.column : width)) : 0;
    found.inspector = !shows("inspector") ? "" : isFolded() ? "folded" : "open";
    panes.inspector.setFolded(isFolded());
    if (dense) assign(captionRow, "tabindex", "0");
    return found;
  }

  /** Gives every pane its height: what measure() found, or what two players side by side have found together. */
  function settle(found, room) {
    const { stage: whole, top, graph } = heights(found, room), rows = found.mode === "rows";
    const asking = Boolean(prompts.open), more = asking || found.inspector === "open", covered = rows && more && found.width < 32 * found.em;
    stageRow.className = "stage " + found.mode + (found.inspector === "folded" && !asking ? " tucked" : "") + (covered ? " covered" : "") +
      (rows && (covered || !more || options.hide.includes("code")) ? " one-above" : "");
    for (const [name, value] of Object.entries({ column: found.column, stage: whole, top, graph })) stageRow.style.setProperty("--" + name, value + "px");
    captionRow.style.height = found.caption + "px";
    panes.tape.root.style.minHeight = found.tape + "px";
    panes.graph.resize();
    panes.code.fit();
    panes.code.follow();
  }

  function arrange() {
    if (lead) return lead.arrange();
    const room = roomOf(), found = measure(room);
    if (found) settle(found, room);
    if (menu) menu.setLink(writeLink({ start: Math.max(0, k), hide: options.hide, large: options.large, folded }));
  }

  const LINES = 6.5, DENSE = 5.7;                             // em; the second is four lines in a pair
  let longest = null, measured = {};
  /** The height of the caption at this width: that of the longest sentences of the whole play. */
  function wordy(em) {
    if (!longest) {
      const every = Math.max(1, Math.ceil(total / 3000)), lengths = [];
      for (let i = 0; i <= total; i += every) lengths.push([words.captionText(i).length, i]);
      longest = lengths.sort((a, b) => b[0] - a[0]).slice(0, 6).map(([, i]) => i);
    }
    const width = root.clientWidth + "|" + em;                 // the same width asks for the same height
    if (measured.width === width) return measured.height;
    let most = 0;
    for (const i of longest) { say(i, stateAt(board, i)); most = Math.max(most, captionRow.offsetHeight); }
    if (stage) say(k, stage);
    const height = Math.min(most, Math.ceil(LINES * 1.64 * em));
    assign(captionRow, "tabindex", height < most ? "0" : null);
    measured = { width, height };
    return height;
  }

  function change(what) {
    setView(options, what);
    if (what.pace !== undefined) controls.setPace(what.pace);
    if (!lead) { arrange(); redraw(); }
  }

  function go(target, keepPlaying) {
    const next = Math.max(0, Math.min(total, Math.round(target) || 0));
    if (!keepPlaying) controls.stop();
    if (prompts.open) prompts.dismiss();
    if (next === k) return redraw();
    jumped = next !== k + 1;
    root.classList.toggle("jump", jumped);                     // a jump is never animated: over a thousand nodes that would take seconds
    k = next;
    selection = null;
    stage = stateAt(board, k);
    redraw();
    for (const listener of listeners) listener(k);
  }

  /** Asks the question that stands before the next act; false where there is none. */
  function ask() {
    const waiting = prompts.waiting(k);
    if (!waiting) return false;
    controls.stop();
    const first = prompts.ask(waiting);
    announce(words.say(waiting.key, waiting.params || {}));
    if (first) first.focus({ preventScroll: true });
    return true;
  }

  /** One act on or back; false where it stops: at the end, or at a question. */
  function step(by, keepPlaying) {
    if ((by > 0 && ask()) || k + by < 0 || k + by > total) return false;
    go(k + by, keepPlaying);
    return k < total;
  }

  /** The sentence of a moment, and in which phase of the play it stands. */
  function say(moment, { frame, phase: now }) {
    captionRow.scrollTop = 0;
    const kind = frame && ["record", "chapter"].includes(frame.act) ? "value" : "adjoint";
    caption.replaceChildren(...words.caption(moment).flatMap((piece) => (typeof piece === "string" ? prose(piece) : !PIECES[piece.name] ? prose(piece.text)
      : make("span", { class: PIECES[piece.name] === "value" ? "is-" + kind : PIECES[piece.name], text: piece.text }))));
    phase.textContent = words.say("ui.phase." + now);
    phase.className = "phase " + now;
  }

  function redraw() {
    if (!stage) return;
    const text = words.captionText(k);
    say(k, stage);
    if (live.textContent !== text) live.textContent = text;
    const chosenSpan = selection && (selection.card !== undefined ? board.cards[selection.card].where : selection.node !== undefined ? board.nodes[selection.node].where : board.notes[selection.note].where);
    if (!options.hide.includes("code")) panes.code.update(stage, chosenSpan);
    if (!options.hide.includes("graph")) panes.graph.update(stage, selection);
    if (!options.hide.includes("inspector")) panes.inspector.update(stage, selection);
    if (!options.hide.includes("tape")) panes.tape.update(stage, selection);
    if (chapters) chapters.update(stage);
    if (jacobian) jacobian.update(stage);
    if (lead) return;
    controls.update(k, text);
    menu.setLink(writeLink({ start: k, hide: options.hide, large: options.large, folded }));
  }

  const letGo = () => { if (!selection) return false; choose(null); return true; };
  if (lead) root.addEventListener("keydown", (event) => { if (event.key === "Escape" && letGo()) event.preventDefault(); });
  else takeKeys(root, { go, step, toggle: controls.toggle, letGo, total });

  host.append(root);
  const unwatch = watchTheme(host, root), unwatchSize = lead ? () => {} : watchSize(root, arrange);
  if (!lead) arrange();
  go(lead ? 0 : startOf(options.start, words.index.recording, total));
  if (!lead) arrange();
  if (k === 0) panes.code.showFirst();

  function destroy() {
    controls.stop();
    unwatchSize();
    unwatch();
    listeners.clear();
    root.remove();
  }
  handle.root = root;
  return handle;
}

/** Says which pieces of a link mean nothing. */
export const unreadLine = (options, words) => make("p", { class: "unread", role: "note",
  text: words.say("ui.link.unread", { pieces: options.unread.map((piece) => "\u201c" + shorten(piece, 40) + "\u201d").slice(0, 5).join(", ") }) });

/** Calls `arrange` when the player is given another width, or the window another height; returns the function that stops it. */
export function watchSize(root, arrange) {
  let width = root.clientWidth, height = window.innerHeight;
  const observer = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) < 2) return;
    width = root.clientWidth;
    arrange();
  });
  const onWindow = () => { if (window.innerHeight !== height) { height = window.innerHeight; arrange(); } };
  observer.observe(root);
  window.addEventListener("resize", onWindow);
  return () => { observer.disconnect(); window.removeEventListener("resize", onWindow); };
}
