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
import { controlBar, viewMenu } from "./controls.js";
import { chapterPane, jacobianPane } from "./chapters.js";
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

/** Draws the player into `host` (an element inside a shadow root) and returns its handle. */
export function mountPlayer(host, given, catalogue, settings = {}) {
  const board = checked(given), options = settled(settings);
  if (!board) {
    host.append(make("p", { class: "player-error", text: catalogue["ui.version"] || "" }));
    return { destroy() {}, go() {}, step() {}, k: 0, total: 0, root: host };
  }
  const words = speaker(board, catalogue);
  const calm = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };
  options.still = () => calm.matches || jumped;
  const total = board.frames.length;
  let k = -1, stage = null, selection = null, jumped = true;
  const listeners = new Set();

  const choose = (what, silent) => {
    if (what && what.card !== undefined && prompts.takeCard(what.card)) return;
    selection = what;
    redraw();
    if (what && !silent && panes.inspector && !options.hide.includes("inspector")) announce("");
  };
  const announce = (text) => { if (text) live.textContent = text; };

  const panes = { code: codePane(board, words, choose), inspector: inspectorPane(board, words, choose), graph: graphPane(board, words, choose, options), tape: stripPane(board, words, choose, options) };
  const handle = {
    go, step, get k() { return k; }, total, board, words,
    onChange(listener) { listeners.add(listener); return () => listeners.delete(listener); },
    destroy, dismissPrompt: () => prompts.dismiss(),
  };
  const controls = controlBar(board, words, handle);
  const prompts = promptPanel(board, words, (frame) => { go(frame); stepButton().focus({ preventScroll: true }); }, () => showPanes());
  const menu = viewMenu(words, options, change);
  const chapters = chapterPane(board, words, go), jacobian = jacobianPane(board, words);
  const phase = make("span", { class: "phase" });
  const caption = make("p", { class: "caption" });
  const live = make("div", { class: "hidden-text", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const captionRow = make("div", { class: "caption-row" }, phase, caption);
  const title = board.title ? make("div", { class: "title", text: board.title, title: board.title }) : null;
  const unread = options.unread.length ? make("p", { class: "unread", role: "note", text: words.say("ui.link.unread", { pieces: options.unread.map((piece) => "\u201c" + shorten(piece, 40) + "\u201d").slice(0, 5).join(", ") }) }) : null;
  const leftColumn = make("div", { class: "column" }, panes.code.root, panes.inspector.root, prompts.root);
  const stageRow = make("div", { class: "stage" }, leftColumn, make("div", { class: "column wide" }, panes.graph.root, jacobian && jacobian.root));
  const root = make("div", { class: "player", tabindex: "-1", role: "group", "aria-label": words.say("ui.player", { title: board.title || board.tapes.map((t) => t.name).join(", ") }) },
    make("div", { class: "top-bar" }, title, controls.root, menu.button), menu.menu, unread, captionRow, chapters && chapters.root, stageRow, panes.tape.root, live);
  const stepButton = () => root.querySelector("button.step");

  function showPanes() {
    for (const [name, pane] of Object.entries(panes)) assign(pane.root, "hidden", options.hide.includes(name));
    root.classList.toggle("large", Boolean(options.large));
    const left = !options.hide.includes("code") || !options.hide.includes("inspector"), right = !options.hide.includes("graph");
    const asking = Boolean(prompts.open), beside = asking || !options.hide.includes("inspector");
    if (asking) panes.inspector.root.hidden = true;            // a question takes the inspector's place, so that nothing else moves
    if (left !== leftColumn.contains(prompts.root)) left ? leftColumn.append(prompts.root) : captionRow.after(prompts.root);
    const broad = left && right && root.clientWidth > 760 && panes.graph.width > root.clientWidth * 0.62;
    stageRow.className = "stage" + (left && right ? "" : " single") + (left || right ? "" : " nothing") + (broad ? " broad" : "") + (broad && (options.hide.includes("code") || !beside) ? " one-above" : "");
    stageRow.children[0].hidden = !left;
    stageRow.children[1].hidden = !right && !jacobian;
    menu.setLink(writeLink({ start: Math.max(0, k), hide: options.hide, large: options.large }));
  }

  function change({ pane, on, large, pace }) {
    if (pane) options.hide = on ? options.hide.filter((name) => name !== pane) : [...options.hide, pane];
    if (large !== undefined) options.large = large;
    if (pace !== undefined) controls.setPace(pace);
    showPanes();
    panes.graph.resize();
    redraw();
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

  /** One act on or back; false where it stops: at the end, or at a question. */
  function step(by, keepPlaying) {
    const waiting = by > 0 ? prompts.waiting(k) : null;
    if (waiting) {
      controls.stop();
      const first = prompts.ask(waiting);
      announce(words.say(waiting.key, waiting.params || {}));
      if (first) first.focus({ preventScroll: true });
      prompts.root.scrollIntoView({ block: "nearest" });       // in a narrow page it may lie below the graph
      return false;
    }
    if (k + by < 0 || k + by > total) return false;
    go(k + by, keepPlaying);
    return k < total;
  }

  function redraw() {
    if (!stage) return;
    const text = words.captionText(k);
    const kind = stage.frame && ["record", "chapter"].includes(stage.frame.act) ? "value" : "adjoint";
    caption.replaceChildren(...words.caption(k).flatMap((piece) => (typeof piece === "string" ? prose(piece) : !PIECES[piece.name] ? prose(piece.text)
      : make("span", { class: PIECES[piece.name] === "value" ? "is-" + kind : PIECES[piece.name], text: piece.text }))));
    phase.textContent = words.say("ui.phase." + stage.phase);
    phase.className = "phase " + stage.phase;
    if (live.textContent !== text) live.textContent = text;
    controls.update(k, text);
    const chosenSpan = selection && (selection.card !== undefined ? board.cards[selection.card].where : selection.node !== undefined ? board.nodes[selection.node].where : board.notes[selection.note].where);
    if (!options.hide.includes("code")) panes.code.update(stage, chosenSpan);
    if (!options.hide.includes("graph")) panes.graph.update(stage, selection);
    if (!options.hide.includes("inspector")) panes.inspector.update(stage, selection);
    if (!options.hide.includes("tape")) panes.tape.update(stage, selection);
    if (chapters) chapters.update(stage);
    if (jacobian) jacobian.update(stage);
    menu.setLink(writeLink({ start: k, hide: options.hide, large: options.large }));
  }

  /** Keys belong to the player while it has the focus; with Ctrl, Alt or Meta they belong to the notebook (Ctrl+S saves). */
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab") return;
    event.stopPropagation();
    if (event.defaultPrevented) return;
    const target = event.composedPath()[0], tag = target.tagName;
    const typing = tag === "INPUT" && target.type !== "range" && target.type !== "checkbox" || tag === "SELECT" || tag === "TEXTAREA";
    if (event.key === "Escape") { if (selection) { choose(null); event.preventDefault(); } return; }
    if (typing) return;
    const pressed = tag === "BUTTON" || tag === "SUMMARY" || target.type === "checkbox" || target.getAttribute("role") === "button";
    const act = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => go(0), End: () => go(total), " ": pressed ? null : () => controls.toggle() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  root.addEventListener("keydown", onKey);
  for (const kind of ["keyup", "keypress"]) root.addEventListener(kind, (event) => { if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation(); });

  host.append(root);
  const unwatch = watchTheme(host, root);
  let width = 0;
  const observer = typeof ResizeObserver === "function" ? new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) < 2) return;
    width = root.clientWidth;
    showPanes();
    panes.graph.resize();
    if (stage) redraw();
  }) : null;
  if (observer) observer.observe(root);
  showPanes();
  go(startOf(options.start, words.index.recording, total));
  if (k === 0) panes.code.showFirst();

  function destroy() {
    controls.stop();
    if (observer) observer.disconnect();
    unwatch();
    listeners.clear();
    root.remove();
  }
  handle.root = root;
  return handle;
}
