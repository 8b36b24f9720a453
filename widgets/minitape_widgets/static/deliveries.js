// @ts-check
// The ways a player reaches a page: in a notebook (show, called by widget.js or by remoteEntry.js), and in a page that
// was exported (showAll finds the places that hold a trace). All of them look at the trace first (storyboard/check.js),
// and use an open shadow root, so that the style of the page and the style of the player leave each other alone.

import { isForeign, make } from "./elements/dom.js";
import { mountPair } from "./pair/pair.js";
import { inStep } from "./pair/steps.js";
import { arrive, whoseCellRuns } from "./player/arrival.js";
import { readLink, writeLink } from "./player/link.js";
import { mountPlayer } from "./player/player.js";
import { judge } from "./prompt/judge.js";
import { mountQuestion } from "./prompt/question.js";
import { mountValley } from "./valley/valley.js";
import { checked, checkedTrace } from "./storyboard/check.js";
import { speaker } from "./storyboard/sentences.js";
import { stateAt } from "./storyboard/state.js";
import { CATALOGUES, STYLE } from "./texts.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Trace } from "player" */
/** @typedef {{ deflate: string }} Packed base64 of zlib: how large traces travel */
/** @typedef {Element & { player?: unknown }} Host */

const LARGEST = 1 << 28; // bytes of a trace that was packed

/**
 * @param {Packed} trace
 * @returns {Promise<unknown>}
 */
async function unpacked({ deflate }) {
  const bytes = Uint8Array.from(atob(deflate), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Response(new Blob(parts)).json();
    parts.push(value);
    size += value.length;
    if (size > LARGEST) throw new RangeError("a trace of more than " + LARGEST + " bytes");
  }
}

/**
 * Shows a trace in an element, in the place of its static picture where there is one (.minitape-still); returns the
 * function that takes it away again. A trace may come from anywhere: what cannot be shown leaves the picture where it
 * is, with a line of words.
 * @param {Element} element
 * @param {unknown} trace
 * @param {(host: Element) => boolean} [isFresh]  whether the learner has run its cell just now
 */
export function show(element, trace, isFresh = whoseCellRuns()) {
  const packed = /** @type {Packed | null} */ (trace);
  if (!packed || typeof packed.deflate !== "string") return showNow(element, trace, isFresh);
  /** @type {(() => void) | null} */
  let close = null;
  let gone = false;
  /** @param {unknown} plain */
  const put = (plain) => {
    if (!gone) close = showNow(element, plain, isFresh);
  };
  unpacked(packed).then(put, () => put(null));
  return () => {
    gone = true;
    if (close) close();
  };
}

/**
 * @param {Element} element
 * @param {unknown} given
 * @param {(host: Element) => boolean} isFresh
 */
function showNow(element, given, isFresh) {
  const trace = checkedTrace(given);
  if (typeof trace === "string") return refuse(element, trace, given);
  const host = make("div", { class: "minitape" });
  host.style.display = "block";
  const shadow = host.attachShadow({ mode: "open" });
  const place = make("div", { class: "host" });
  shadow.append(make("style", { text: STYLE }), place);
  element.append(host);
  let player;
  try {
    player = mount(place, trace);
  } catch (error) {
    host.remove();
    console.error("minitape: the player could not start", error);
    return refuse(element, "ui.damaged", given);
  }
  element.querySelector(":scope > .minitape-still")?.remove();
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
 * Says in a line why there is no player.
 * @param {Element} element
 * @param {string} key
 * @param {any} trace
 */
function refuse(element, key, trace) {
  const line = make("p", { class: "minitape-refused", text: catalogueOf(trace)[key] });
  line.style.cssText = "font-family: system-ui, sans-serif; font-size: 0.9rem";
  element.append(line);
  return () => line.remove();
}

/**
 * The sentences in the language of a trace, or of the page.
 * @param {any} trace
 */
function catalogueOf(trace) {
  const board = trace?.storyboard || trace?.pair?.[0];
  const asked = [trace?.options?.language, board?.language, document.documentElement.lang, "en"];
  return CATALOGUES[asked.find((language) => typeof language === "string" && Object.hasOwn(CATALOGUES, language))];
}

/**
 * @param {Element} place
 * @param {Trace} trace
 */
function mount(place, trace) {
  const { storyboard, pair, question, valley, options } = trace;
  const catalogue = catalogueOf(trace);
  if (question) return mountQuestion(place, question, catalogue);
  if (pair) return mountPair(place, pair, catalogue, options);
  const board = /** @type {Storyboard} */ (storyboard);
  if (valley) return mountValley(place, valley, board, catalogue, options ?? {});
  return mountPlayer(place, board, catalogue, options);
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
 * The link in the page's address that is meant for a place: "#tape=k3", or, for all of them, "#k3".
 * @param {Element} place
 */
function linkFor(place) {
  const hash = location.hash.slice(1);
  return new URLSearchParams(hash).get(place.id) || (/^k\d/.test(hash) ? hash : "");
}

/** An exported page: every element with class "minitape-trace" holds its trace as JSON in a script, and a picture. */
export function showAll(root = document, put = show) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".minitape-trace"))) {
    const data = place.querySelector('script[type="application/json"]');
    if (!data || place.dataset.shown) continue;
    place.dataset.shown = "yes";
    put(place, withLink(data.textContent || "", linkFor(place)));
  }
}

/**
 * The trace that a text holds, looked at as a link says; null where it holds none.
 * @param {string} text
 * @param {string | null} link
 */
function withLink(text, link) {
  try {
    const trace = JSON.parse(text);
    return link ? { ...trace, options: { ...trace.options, link } } : trace;
  } catch (_) {
    return null;
  }
}

// For tests, and for whoever wants to draw another picture.
export { checked, guardKeys, inStep, judge, readLink, speaker, stateAt, unpacked, writeLink };
