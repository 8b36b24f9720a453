// @ts-check
// One card of the gallery: two programs with what differs marked in both, a question, and, once it is answered, what
// happened: why, what to write instead, and both plays at the cut. Whoever answers wrongly is told the idea behind it
// and tries again; nothing else is uncovered. With a kernel the programs can be changed and run again.

import { isIdle } from "../code/line.js";
import { isForeign, make } from "../elements/dom.js";
import { watchTheme } from "../elements/theme.js";
import { drawHead, runBoth } from "./editing.js";
import { answered, ask, lost } from "./kernel.js";
import { drawPrograms } from "./program.js";
import { drawQuestion, say } from "./question.js";
import { drawStory } from "./story.js";

const SOON = 1500; // ms in which a kernel that lives has come

/**
 * What a card asks of anywidget's model.
 * @typedef {{
 *   get: (name: string) => any, send: (message: unknown, callbacks?: unknown) => void, on: Function, off: Function,
 * }} Kernel
 */
/** @typedef {ReturnType<typeof layOut>} Parts */
/**
 * One card on a page: what came from Python, what stands there, and what the learner has done.
 * @typedef {object} Own
 * @property {any} card  as pitfalls/gallery.py makes it, with its `words`
 * @property {any} play  the trace of both plays, where both programs ran
 * @property {Kernel | null} kernel
 * @property {Parts} parts
 * @property {boolean} editing
 * @property {boolean} solved
 * @property {number[]} tried  the wrong choices so far
 * @property {number} last  what was chosen last; -1 before
 * @property {() => void} leave  takes the plays away
 */

const untouched = () => ({ editing: false, solved: false, tried: [], last: -1 });

/** @param {any} words */
function layOut(words) {
  const head = make("div", { class: "card-head" });
  const programs = make("div", { class: "programs", role: "group", "aria-label": words.programs });
  const asked = make("div", { class: "asked" });
  const feedback = make("div", { class: "feedback", role: "status", "aria-live": "polite" });
  const notes = make("div", { class: "card-notes", role: "status" });
  const gone = make("p", { class: "fine card-gone", role: "status", hidden: true });
  const story = make("div", { class: "story" });
  const stage = make("div", { class: "card-stage" });
  const about = { class: "player pitfall", role: "group", "aria-label": words.card };
  const root = make("div", about, head, gone, programs, notes, asked, feedback, story, stage);
  return { root, head, gone, programs, notes, asked, feedback, story, stage };
}

/** @param {Own} own */
function drawAll(own) {
  drawHead(own);
  drawPrograms(own);
  drawQuestion(own);
  drawStory(own);
}

/**
 * Takes what came of other programs, or another card.
 * @param {Own} own
 * @param {any} next
 */
function update(own, next) {
  const { card, play } = next;
  if (card.key !== own.card.key) Object.assign(own, untouched());
  Object.assign(own, { card, play });
  answered(own);
  const isEmpty = card.codes.every((/** @type {string} */ code) => code.split("\n").every(isIdle));
  own.editing = own.editing && (isEmpty || Boolean(card.first) || card.notes.length > 0);
  drawAll(own);
  say(own);
}

/**
 * @param {Element} host
 * @param {any} given  {card, play}, as pitfalls/gallery.py makes it
 * @param {Kernel | null} kernel
 */
export function mountCard(host, given, kernel) {
  const { card, play } = given;
  const parts = layOut(card.words);
  const { root } = parts;
  /** @type {Own} */
  const own = { card, play, kernel, parts, ...untouched(), leave: () => {} };
  root.addEventListener("keydown", (event) => {
    if (!isForeign(event) && event.key !== "Tab") event.stopPropagation();
    if (event.key === "Enter" && event.ctrlKey && own.editing) runBoth(own);
  });
  host.append(root);
  const unwatch = watchTheme(host, root);
  drawAll(own);
  const hear = (/** @type {any} */ message) => void (message?.done && answered(own));
  const lose = () => lost(own);
  kernel?.on("msg:custom", hear);
  kernel?.on("comm_live_update", lose);
  const timer = card.gallery && !kernel ? setTimeout(lose, SOON) : 0;

  function destroy() {
    clearTimeout(timer);
    kernel?.off("msg:custom", hear);
    kernel?.off("comm_live_update", lose);
    own.leave();
    unwatch();
    root.remove();
  }

  return {
    root,
    update: (/** @type {any} */ next) => update(own, next),
    ask: (/** @type {unknown} */ message) => ask(own, message),
    destroy,
  };
}
