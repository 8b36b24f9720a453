// @ts-check
// The ways a player reaches a page: in a notebook (show, called by widget.js or by remoteEntry.js), and in a page that
// was exported (showAll finds the places that hold a trace). All of them look at the trace first (storyboard/check.js),
// and use an open shadow root, so that the style of the page and the style of the player leave each other alone.

import { make } from "./elements/dom.js";
import { catalogueIn, guardKeys, hostWith, isPacked, placesIn, refuse, takeStill, unpacked } from "./elements/host.js";
import { watchTheme } from "./elements/theme.js";
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
/** @typedef {Element & { player?: unknown }} Host */

/**
 * Shows a trace in an element, in the place of its static picture where there is one (.minitape-still); returns the
 * function that takes it away again. A trace may come from anywhere: what cannot be shown leaves the picture where it
 * is, with a line of words.
 * @param {Element} element
 * @param {unknown} trace
 * @param {(host: Element) => boolean} [isFresh]  whether the learner has run its cell just now
 */
export function show(element, trace, isFresh = whoseCellRuns()) {
  if (!isPacked(trace)) return showNow(element, trace, isFresh);
  /** @type {(() => void) | null} */
  let close = null;
  let gone = false;
  /** @param {unknown} plain */
  const put = (plain) => {
    if (!gone) close = showNow(element, plain, isFresh);
  };
  unpacked(trace).then(put, () => put(null));
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
  if (typeof trace === "string") return refuse(element, catalogueOf(given)[trace]);
  const { host, place } = hostWith(STYLE);
  element.append(host);
  let player;
  try {
    player = mount(place, trace);
  } catch (error) {
    host.remove();
    console.error("minitape: the player could not start", error);
    return refuse(element, catalogueOf(given)["ui.damaged"]);
  }
  takeStill(element);
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
 * The sentences in the language of a trace, or of the page.
 * @param {any} trace
 */
function catalogueOf(trace) {
  const board = trace?.storyboard || trace?.pair?.[0];
  return catalogueIn(CATALOGUES, [trace?.options?.language, board?.language]);
}

/**
 * @param {Element} place
 * @param {Trace} trace
 * @param {boolean} [now]  open what waits behind a button
 */
function mount(place, trace, now) {
  const { storyboard, pair, question, valley, options } = trace;
  const catalogue = catalogueOf(trace);
  if (options?.closed && !now) return mountClosed(place, trace, catalogue["ui.watch"]);
  if (question) return mountQuestion(place, question, catalogue);
  if (pair) return mountPair(place, pair, catalogue, options);
  const board = /** @type {Storyboard} */ (storyboard);
  if (valley) return mountValley(place, valley, board, catalogue, options ?? {});
  return mountPlayer(place, board, catalogue, options);
}

/**
 * A button, and the player in its place once it was pressed.
 * @param {Element} place
 * @param {Trace} trace
 * @param {string} text
 */
function mountClosed(place, trace, text) {
  const host = /** @type {Host} */ (/** @type {ShadowRoot} */ (place.getRootNode()).host);
  /** @type {{ destroy: () => void } | null} */
  let shown = null;
  const box = make("div", { class: "player asking", style: "border:0" });
  box.append(make("button", { class: "primary", on: { click: open } }, text));
  const end = watchTheme(place, box);
  place.append(box);
  function destroy() {
    end();
    box.remove();
    shown?.destroy();
  }
  function open() {
    destroy();
    host.player = shown = mount(place, trace, true);
    arrive(host, () => true);
    /** @type {HTMLElement | null} */ (place.querySelector("button.step"))?.focus();
  }
  return { destroy };
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
  for (const { place, given } of placesIn(root, "minitape-trace")) {
    const link = linkFor(place);
    put(place, link && given ? { ...given, options: { ...given.options, link } } : given);
  }
}

// For tests, and for whoever wants to draw another picture.
export { checked, inStep, judge, readLink, speaker, stateAt, writeLink };
