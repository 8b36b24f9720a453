// @ts-check
// The parts of a player and how they stand in each other; what they do with each other is in player.js.

import { codePane } from "../code/code.js";
import { jacobianPane } from "../chapters/jacobian.js";
import { lossPane } from "../chapters/loss.js";
import { controlBar } from "../controls/controls.js";
import { viewMenu } from "../controls/menu.js";
import { make } from "../elements/dom.js";
import { graphPane } from "../graph/graph.js";
import { inspectorPane } from "../inspector/inspector.js";
import { promptPanel } from "../prompt/prompt.js";
import { sizesOf } from "../storyboard/stops.js";
import { shorten } from "../storyboard/values.js";
import { tapePane } from "../tape/tape.js";
import { captionRow } from "./caption.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Choose, Options, ViewChange } from "player" */
/** @import { Controls, Driven } from "../controls/controls.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @typedef {ReturnType<typeof partsOf>} Parts */

/** @typedef {{ controls: Controls, arrange: () => void, fold: (on: boolean) => void }} Lead a pair's, for both */

/**
 * What the parts ask of their player.
 * @typedef {object} Hands
 * @property {Choose} choose
 * @property {Held | null} held  the numbers that can be changed
 * @property {() => void} toggleFold  folds the inspector away, or opens it
 * @property {(what: ViewChange) => void} change
 * @property {() => void} promptChanged  a question was opened or closed
 */

/**
 * Says which pieces of a link mean nothing.
 * @param {Options} options
 * @param {Words} words
 */
export function unreadLine({ unread }, words) {
  if (!unread.length) return null;
  const named = unread.map((piece) => "\u201c" + shorten(piece, 40) + "\u201d").slice(0, 5);
  const text = words.say("ui.link.unread", { pieces: named.join(", ") });
  return make("p", { class: "unread", role: "note", text });
}

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Options} options
 * @param {Lead | null} lead
 * @param {Driven} player
 * @param {Hands} hands
 */
export function partsOf(board, words, options, lead, player, hands) {
  const { choose, held } = hands;
  /** @param {number} k */
  const go = (k) => player.go(k);
  const panes = {
    code: codePane(board, words, choose),
    inspector: inspectorPane(board, words, choose, hands.toggleFold, held),
    graph: graphPane(board, words, choose, options, held),
    tape: tapePane(board, words, choose, options, held),
  };
  const acts = {
    total: board.frames.length,
    recording: words.index.recording,
    prompts: board.prompts.map((prompt) => prompt.frame),
    chapters: board.chapters.map((chapter) => chapter.frame),
  };
  const steps = { sizes: sizesOf(board), size: options.size, layers: board.cards.some(({ layer }) => layer) };
  const controls = lead ? lead.controls : controlBar(acts, steps, words, player);
  /** @param {number} k */
  const goOn = (k) => {
    go(k);
    controls.step.focus({ preventScroll: true });
  };
  const prompts = promptPanel(board, words, goOn, hands.promptChanged);
  const menu = lead ? null : viewMenu(words, options, hands.change);
  const loss = lossPane(board, words, go);
  const jacobian = jacobianPane(board, words);
  const caption = captionRow(board, words, held);
  const said = { role: "status", "aria-live": "polite", "aria-atomic": "true" };
  const live = make("div", { class: "hidden-text", ...said });

  const text = board.title;
  const title = text && !lead ? make("div", { class: "title", text, title: text }) : null;
  const topBar = menu ? make("div", { class: "top-bar" }, title, controls.root, menu.button) : null;
  const unread = lead ? null : unreadLine(options, words);
  const left = make("div", { class: "column" }, panes.code.root, panes.inspector.root, prompts.root);
  const right = make("div", { class: "column wide" }, panes.graph.root, jacobian && jacobian.root);
  const stage = make("div", { class: "stage" }, left, right);
  const named = board.tapes.map((tape) => tape.name).filter(Boolean);
  const name = options.name || text || named.join(", ") || board.sources[0]?.name;
  const about = { role: "group", "aria-label": words.say("ui.player", { title: name }) };
  const root = make(
    "div",
    { class: "player", tabindex: "-1", ...about },
    [topBar, menu && menu.menu, unread],
    [caption.root, loss && loss.root, stage, panes.tape.root, live],
  );
  return { root, topBar, unread, caption, stage, left, right, live, panes, controls, prompts, menu, loss, jacobian };
}
