// @ts-check
// What every way to a page needs there: data that travelled packed, an element with a style of its own, which keeps the
// notebook's shortcuts away, the sentences in a language that somebody understands, and a line of words where nothing
// can be shown. Used by players, by cards of the gallery and by the view of a training's health.

import { isForeign, make } from "./dom.js";

/** @import { Catalogue } from "player" */
/** @typedef {{ deflate: string }} Packed base64 of zlib: how what is large travels */

/** @type {(given: any) => given is Packed} */
export const isPacked = (given) => typeof given?.deflate === "string";

/**
 * @param {Packed} packed
 * @param {number} [largest]  bytes
 * @returns {Promise<unknown>}
 */
export async function unpacked({ deflate }, largest = 1 << 27) {
  const letters = atob(deflate);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i); // `from` calls a function for each
  const source = /** @type {ReadableStream} */ (new Response(bytes).body); // a Blob would go through another process
  const reader = source.pipeThrough(new DecompressionStream("deflate")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    text += decoder.decode(value, { stream: true });
    size += value.length;
    if (size > largest) throw new RangeError("data of more than " + largest + " bytes");
  }
}

/**
 * An element with an open shadow, so that the style of the page and the style in it leave each other alone; what is
 * shown stands in its `place`.
 * @param {string} style
 */
export function hostWith(style) {
  const host = make("div", { class: "minitape" });
  host.style.display = "block";
  const place = make("div", { class: "host" });
  host.attachShadow({ mode: "open" }).append(make("style", { text: style }), place);
  return { host, place };
}

/**
 * Keeps the notebook's one-letter shortcuts away while the host has the focus: `x` must not delete the cell.
 * Notebook 7 looks at keys before any element does, so stopping them inside comes too late; it passes over elements
 * that carry this attribute. With Ctrl, Alt or Meta a key is the notebook's again. Returns the function that ends it.
 * @param {Element} host
 */
export function guardKeys(host) {
  /** @param {KeyboardEvent} event */
  const guard = (event) => host.toggleAttribute("data-lm-suppress-shortcuts", !isForeign(event));
  const enter = () => window.addEventListener("keydown", guard, true);
  const leave = () => window.removeEventListener("keydown", guard, true);
  host.addEventListener("focusin", enter);
  host.addEventListener("focusout", leave);
  return leave;
}

/**
 * The sentences in the first language there are some in: one of those that are asked for, or that of the page.
 * @type {(catalogues: Record<string, Catalogue>, asked: any[]) => Catalogue}
 */
export const catalogueIn = (catalogues, asked) =>
  catalogues[
    [...asked, document.documentElement.lang, "en"].find(
      (language) => typeof language === "string" && Object.hasOwn(catalogues, language),
    )
  ];

/** Takes the static picture away, where what it shows has come. @param {Element} element */
export const takeStill = (element) => element.querySelector(":scope > .minitape-still")?.remove();

/**
 * Says in a line why nothing is shown; returns the function that takes it away.
 * @param {Element} element
 * @param {string} text
 */
export function refuse(element, text) {
  const line = make("p", { class: "minitape-refused", text });
  line.style.cssText = "font-family: system-ui, sans-serif; font-size: 0.9rem";
  element.append(line);
  return () => line.remove();
}

/**
 * The places of an exported page that were not filled yet, each with its data, which stand in it as JSON in a script;
 * null where they cannot be read.
 * @param {Document} root
 * @param {string} name  their class
 */
export function placesIn(root, name) {
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("." + name))];
  return all.flatMap((place) => {
    const data = place.querySelector('script[type="application/json"]');
    if (!data || place.dataset.shown) return [];
    place.dataset.shown = "yes";
    return [{ place, given: readJson(data.textContent || "") }];
  });
}

/** @param {string} text */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch (_) {
    return null; // refused in a line of words
  }
}
