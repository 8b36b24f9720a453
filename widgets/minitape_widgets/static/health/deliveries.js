// @ts-check
// The ways a training's health reaches a page: live from a kernel (widget.js calls show with the model), from a saved
// notebook (remoteEntry.js), and in an exported page (showAll). A module of its own, which players do without.

import { catalogueIn, guardKeys, hostWith, isPacked, placesIn, refuse, takeStill, unpacked } from "../elements/host.js";
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
const SOON = 1500; // ms in which a kernel that lives has come

const page = /** @type {any} */ (globalThis);

/**
 * The measure that was asked for while a training ran, by its output area: when it ends, another view takes the place
 * of the live one there, from another copy of this module (remoteEntry.js has its own), and goes on with that measure.
 * @type {WeakMap<Element, string>}
 */
const asked = (page[Symbol.for("minitape.health")] ??= new WeakMap());

/** @type {(given: any) => Promise<unknown>} */
const plain = async (given) => (isPacked(given) ? unpacked(given, LARGEST) : given);

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
  let cut = false;
  let ended = false;
  /** @param {unknown} given */
  const put = async (given) => {
    const turn = ++latest;
    const data = checkedHealth(await plain(given).catch(() => null));
    if (gone || turn !== latest) return; // a newer one has come, and was unpacked sooner
    ended = typeof data !== "string" && data.ended;
    if (shown && typeof data !== "string") return shown.update(data, cut);
    shown?.close();
    shown = typeof data === "string" ? refused(element, data, given) : showNow(element, data, players);
    if (cut && typeof data !== "string") shown.update(data, cut);
  };
  const change = () => {
    cut = false;
    put(kernel?.get("payload"));
  };
  const lose = () => {
    if (ended) return;
    cut = true; // a kernel that was restarted knows nothing of it
    put(kernel ? kernel.get("payload") : packed);
  };
  const timer = kernel ? 0 : setTimeout(lose, SOON);
  kernel?.on("change:payload", change);
  kernel?.on("comm_live_update", lose);
  put(packed);
  return () => {
    gone = true;
    clearTimeout(timer);
    kernel?.off("change:payload", change);
    kernel?.off("comm_live_update", lose);
    shown?.close();
  };
}

/**
 * @param {Element} element
 * @param {import("health").Health} data
 * @param {Players | (() => Promise<Players>) | null} players
 */
function showNow(element, data, players) {
  const { host, place } = hostWith(STYLE);
  element.append(host);
  const area = element.closest(".jp-OutputArea");
  const first = (area && data.ended && asked.get(area)) || "";
  if (area) asked.delete(area);
  const remember = (/** @type {string} */ name) => void (area && asked.set(area, name));
  const view = mountHealth(place, data, CATALOGUES, players && { host, players, unpack: plain }, first, remember);
  takeStill(element);
  /** @type {any} */ (host).player = view;
  const unguard = guardKeys(host);
  const close = () => {
    unguard();
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
const refused = (element, key, given) => ({
  update: () => {},
  close: refuse(element, catalogueIn(CATALOGUES, [given?.language])[key]),
});

/**
 * An exported page: every element with class "minitape-health" holds its data as JSON in a script, and a picture.
 * @param {Document} [root]
 * @param {Players | null} [players]
 */
export function showAll(root = document, players = null) {
  for (const { place, given } of placesIn(root, "minitape-health")) show(place, given, undefined, null, players);
}

// For tests.
export { checkedHealth };
