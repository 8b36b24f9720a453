// @ts-check
// The ways a player reaches a page: as a widget (render, called by anywidget), as a rendered output of a notebook
// (show), and in a page that was exported (showAll finds the places that hold a trace). All of them use an open
// shadow root, so that the style of the page and the style of the player leave each other alone.

import { isForeign, make } from "./elements/dom.js";
import { mountPair } from "./pair/pair.js";
import { inStep } from "./pair/steps.js";
import { arrive, whoseCellRuns } from "./player/arrival.js";
import { readLink, writeLink } from "./player/link.js";
import { mountPlayer } from "./player/player.js";
import { judge } from "./prompt/judge.js";
import { mountQuestion } from "./prompt/question.js";
import { speaker } from "./storyboard/sentences.js";
import { stateAt } from "./storyboard/state.js";
import { CATALOGUES, STYLE } from "./texts.js";

/** @import { Trace } from "player" */
/** @typedef {{ deflate: string }} Packed base64 of zlib: how large traces travel */
/** @typedef {Element & { player?: unknown }} Host */
/** @typedef {{ get: (name: string) => any, set: (name: string, value: unknown) => void,
 *   save_changes: () => void, send: (message: unknown) => void }} Model what anywidget gives */

/**
 * @param {Packed} trace
 * @returns {Promise<Trace>}
 */
async function unpacked(trace) {
  const bytes = Uint8Array.from(atob(trace.deflate), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

/**
 * Shows a trace in an element; returns the function that takes it away again.
 * @param {Element} element
 * @param {Trace | Packed} trace
 * @param {(host: Element) => boolean} [isFresh]  whether the learner has run its cell just now
 */
export function show(element, trace, isFresh = whoseCellRuns()) {
  if (!("deflate" in trace) || !trace.deflate) return showNow(element, /** @type {Trace} */ (trace), isFresh);
  /** @type {(() => void) | null} */
  let close = null;
  let gone = false;
  unpacked(trace).then(
    (plain) => {
      if (!gone) close = showNow(element, plain, isFresh);
    },
    (error) => {
      if (!gone) element.append(make("pre", { text: "minitape: " + error.message }));
    },
  );
  return () => {
    gone = true;
    if (close) close();
  };
}

/**
 * @param {Element} element
 * @param {Trace} trace
 * @param {(host: Element) => boolean} isFresh
 */
function showNow(element, trace, isFresh) {
  const host = make("div", { class: "minitape" });
  host.style.display = "block";
  const shadow = host.attachShadow({ mode: "open" });
  const place = make("div", { class: "host" });
  shadow.append(make("style", { text: STYLE }));
  element.append(host);
  shadow.append(place);
  const player = mount(place, trace);
  /** @type {Host} */ (host).player = player;
  const unguard = guardKeys(host);
  const stay = arrive(host, isFresh);
  return () => {
    stay();
    unguard();
    player.destroy();
    /** @type {Host} */ (host).player = null;
    host.remove();
  };
}

/**
 * @param {Element} place
 * @param {Trace} trace
 */
function mount(place, { storyboard, pair, question, options }) {
  const board = storyboard || (pair || [])[0];
  const catalogue = CATALOGUES[options?.language || board?.language] || CATALOGUES.en;
  if (question) return mountQuestion(place, question, catalogue);
  return pair ? mountPair(place, pair, catalogue, options) : mountPlayer(place, storyboard, catalogue, options);
}

/**
 * Keeps the notebook's one-letter shortcuts away while the player has the focus: `x` must not delete the cell.
 * Notebook 7 looks at keys before any element does, so stopping them inside comes too late; it passes over elements
 * that carry this attribute. With Ctrl, Alt or Meta a key is the notebook's again.
 * @param {Element} host
 */
function guardKeys(host) {
  /** @param {KeyboardEvent} event */
  const guard = (event) => host.toggleAttribute("data-lm-suppress-shortcuts", !isForeign(event));
  const enter = () => window.addEventListener("keydown", guard, true);
  const leave = () => window.removeEventListener("keydown", guard, true);
  host.addEventListener("focusin", enter);
  host.addEventListener("focusout", leave);
  return leave;
}

/**
 * anywidget, when a model arrives: where the extension for JupyterLab shows the trace itself, a player that stands
 * alone in its output needs no widget, and the kernel may forget it at once.
 * @param {{ model: Model }} given
 */
function initialize({ model }) {
  const lab = /** @type {any} */ (window)._JUPYTERLAB;
  if (model.get("alone") && lab && lab.minitape && lab.minitape.ready) model.send({ gone: true });
}

/** @type {WeakMap<Model, number>} how many views a model has */
const views = new WeakMap();

/**
 * anywidget: the model holds the trace; when its last view has gone the kernel may forget it.
 * @param {{ model: Model, el: Element }} given
 */
function render({ model, el }) {
  views.set(model, (views.get(model) || 0) + 1);
  const fresh = model.get("fresh") === true;
  if (fresh) {
    model.set("fresh", false); // a page that is loaded again finds it where it was
    model.save_changes();
  }
  const close = show(el, model.get("payload"), () => fresh);
  const forget = () => {
    if (views.get(model)) return;
    try {
      model.send({ gone: true });
    } catch (_) {
      /* the kernel went first */
    }
  };
  return () => {
    close();
    views.set(model, (views.get(model) || 0) - 1);
    setTimeout(forget, 3000);
  };
}

/**
 * The link in the page's address that is meant for a place: "#tape=k3", or, for all of them, "#k3".
 * @param {Element} place
 */
function linkFor(place) {
  const hash = location.hash.slice(1);
  return new URLSearchParams(hash).get(place.id) || (/^k\d/.test(hash) ? hash : "");
}

/** An exported page: every element with class "minitape-trace" holds its trace as JSON in a script, and a picture. */
export function showAll(root = document) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".minitape-trace"))) {
    const data = place.querySelector('script[type="application/json"]');
    if (!data || place.dataset.shown) continue;
    place.dataset.shown = "yes";
    const trace = JSON.parse(data.textContent || "");
    const link = linkFor(place);
    if (link) trace.options = { ...trace.options, link };
    const still = place.querySelector(".minitape-still");
    try {
      show(place, trace);
      if (still) still.remove();
    } catch (error) {
      console.error("minitape: the player could not start; the static picture stays", error);
    }
  }
}

// For tests, and for whoever wants to draw another picture.
export { inStep, judge, readLink, speaker, stateAt, writeLink };
export default { initialize, render };
