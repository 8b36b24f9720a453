// @ts-check
// The ways a training's health reaches a page: live from a kernel (widget.js calls show with the model), from a saved
// notebook (remoteEntry.js), and in an exported page (showAll). A module of its own, which players do without.

import { isForeign, make } from "../elements/dom.js";
import { checkedHealth } from "./check.js";
import { CATALOGUES, STYLE } from "./texts.js";
import { mountHealth } from "./view.js";

/** @import { Players } from "./opened.js" */
/**
 * @typedef {{
 *   get: (name: string) => any,
 *   on: (event: string, heard: (message: any) => void) => void,
 *   off: (event: string, heard: (message: any) => void) => void,
 * }} Kernel
 */

const LARGEST = 1 << 24; // bytes of data that were packed

/**
 * @param {any} given
 * @returns {Promise<unknown>}
 */
async function plain(given) {
  if (typeof given?.deflate !== "string") return given;
  const bytes = Uint8Array.from(atob(given.deflate), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Response(new Blob(parts)).json();
    parts.push(value);
    size += value.length;
    if (size > LARGEST) throw new RangeError("data of more than " + LARGEST + " bytes");
  }
}

/**
 * Shows data in an element, in the place of the static picture where there is one; returns the function that takes the
 * view away again. Where a kernel stands behind it, what it sends later is shown in the same view.
 * @param {Element} element
 * @param {unknown} packed
 * @param {unknown} [_]         whether the cell was run just now: this view scrolls nobody to it
 * @param {Kernel | null} [kernel]
 * @param {Players | (() => Promise<Players>) | null} [players]  the front end that shows a tape; without it none opens
 */
export function show(element, packed, _, kernel = null, players = null) {
  /** @type {ReturnType<typeof showNow> | null} */
  let shown = null;
  let gone = false;
  let latest = 0;
  /** @param {unknown} given */
  const put = async (given) => {
    const turn = ++latest;
    const data = checkedHealth(await plain(given).catch(() => null));
    if (gone || turn !== latest) return; // a newer one has come, and was unpacked sooner
    if (shown && typeof data !== "string") return shown.update(data);
    if (shown) shown.close();
    shown = typeof data === "string" ? refuse(element, data, given) : showNow(element, data, players);
  };
  const change = () => put(kernel?.get("payload"));
  kernel?.on("change:payload", change);
  put(packed);
  return () => {
    gone = true;
    kernel?.off("change:payload", change);
    shown?.close();
  };
}

/**
 * @param {Element} element
 * @param {import("./check.js").Health} data
 * @param {Players | (() => Promise<Players>) | null} players
 */
function showNow(element, data, players) {
  const host = make("div", { class: "minitape" });
  host.style.display = "block";
  const shadow = host.attachShadow({ mode: "open" });
  const place = make("div", { class: "host" });
  shadow.append(make("style", { text: STYLE }), place);
  element.append(host);
  const view = mountHealth(place, data, CATALOGUES, players && { host, players, unpack: plain });
  element.querySelector(":scope > .minitape-still")?.remove();
  /** @type {any} */ (host).player = view;
  /** @param {KeyboardEvent} event */
  const guard = (event) => host.toggleAttribute("data-lm-suppress-shortcuts", !isForeign(event));
  const enter = () => window.addEventListener("keydown", guard, true);
  const leave = () => window.removeEventListener("keydown", guard, true);
  host.addEventListener("focusin", enter);
  host.addEventListener("focusout", leave);
  const close = () => {
    leave();
    view.destroy();
    host.remove();
  };
  return { update: view.update, close };
}

/**
 * Says in a line why there is no picture.
 * @param {Element} element
 * @param {string} key
 * @param {any} given
 */
function refuse(element, key, given) {
  const asked = [given?.language, document.documentElement.lang, "en"];
  const language = asked.find((one) => typeof one === "string" && Object.hasOwn(CATALOGUES, one));
  const line = make("p", { class: "minitape-refused", text: CATALOGUES[language][key] });
  line.style.cssText = "font-family: system-ui, sans-serif; font-size: 0.9rem";
  element.append(line);
  return { update: () => {}, close: () => line.remove() };
}

/**
 * An exported page: every element with class "minitape-health" holds its data as JSON in a script, and a picture.
 * @param {Document} [root]
 * @param {Players | null} [players]
 */
export function showAll(root = document, players = null) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".minitape-health"))) {
    const data = place.querySelector('script[type="application/json"]');
    if (!data || place.dataset.shown) continue;
    place.dataset.shown = "yes";
    let given = null;
    try {
      given = JSON.parse(data.textContent || "");
    } catch (_) {
      /* refused in a line of words */
    }
    show(place, given, undefined, null, players);
  }
}

// For tests.
export { checkedHealth };
