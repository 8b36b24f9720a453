// @ts-check
// The view of a training's health: the loss, the cells below it on the same axis, what the cell under the cursor says,
// and what stands out. Here it is put together; what the learner does with it stands in choice.js, and whatever changes
// (another measure, a cell, more steps) is drawn anew by one function, redraw() of shown.js.

import { isForeign, make } from "../elements/dom.js";
import { catalogueIn } from "../elements/host.js";
import { watchTheme } from "../elements/theme.js";
import { MEASURES } from "./check.js";
import { askFor, jump, light, moveCursor, openTape, pointAt } from "./choice.js";
import { mountFindings } from "./findings.js";
import { mountOpened } from "./opened.js";
import { mountPicture } from "./picture.js";
import { redraw } from "./shown.js";
import { speaker } from "./words.js";

/** @import { Catalogue } from "player" */
/** @import { Health } from "health" */
/** @import { Players, Unpack } from "./opened.js" */
/** @import { Own } from "./shown.js" */
/** @typedef {{ host: Element, players: Players | (() => Promise<Players>), unpack: Unpack }} Opens */
/** @typedef {ReturnType<typeof partsOf>} Parts */

/** Keys that mean something here are not heard by the notebook. @param {KeyboardEvent} event */
function keep(event) {
  if (!isForeign(event) && event.key !== "Tab") event.stopPropagation();
}

/**
 * The parts of a view, and how they stand in each other.
 * @param {Own} own
 * @param {Opens | null} opens
 */
function partsOf(own, opens) {
  const title = make("p", { class: "health-title" });
  const bad = make("button", { type: "button", class: "health-bad", on: { click: () => jump(own) } });
  const buttons = MEASURES.map((name) =>
    make("button", { type: "button", class: "chip", on: { click: () => askFor(own, name) } }),
  );
  const measures = make("div", { class: "health-measures", role: "group" }, buttons);
  const picture = mountPicture({
    move: (down, right) => moveCursor(own, down, right),
    point: (layer, column) => pointAt(own, layer, column),
    open: () => openTape(own),
  });
  const cell = make("p", { class: "health-cell", role: "status" });
  const line = make("p", { class: "health-line" });
  const note = make("p", { class: "health-note" });
  const body = make("div", {}, measures, picture.root, cell, line, note);
  const opened = opens && mountOpened(opens.host, opens.players, opens.unpack, picture.focus);
  const findings = mountFindings((finding) => light(own, finding));
  const root = make(
    "div",
    { class: "player health", role: "group", on: { keydown: keep } },
    make("div", { class: "health-top" }, title, bad),
    body,
    opened?.root,
    findings.heading,
    findings.list,
  );
  return { root, title, bad, measures, buttons, body, picture, cell, line, note, opened, findings };
}

const PRINTS = ["beforeprint", "afterprint"];
const PAPER = "42rem"; // what A4 and Letter have between their margins

/**
 * @param {Element} host
 * @param {Health} first
 * @param {Record<string, Catalogue>} catalogues
 * @param {Opens | null} [opens]  how tapes are shown, where they can be
 * @param {string} [asked]  the measure that was asked for in the view before
 * @param {(name: string) => void} [remember]  hears which one is asked for in this
 */
export function mountHealth(host, first, catalogues, opens = null, asked = "", remember = () => {}) {
  const own = /** @type {Own} */ ({ asked, remember, cursor: null, lit: null, cut: false });
  const { root, opened } = (own.parts = partsOf(own, opens));
  host.append(root);
  const unwatch = watchTheme(host, root);
  const observer = new ResizeObserver(() => redraw(own));
  observer.observe(root);
  for (const moment of PRINTS) addEventListener(moment, print);
  update(first);

  /** Nobody resizes paper: what is printed is drawn for it before. @param {Event} event */
  function print({ type }) {
    root.style.maxWidth = type === PRINTS[0] ? PAPER : "";
    redraw(own);
  }

  /**
   * @param {Health} data  of the same training, some steps later
   * @param {boolean} [cut]  whether nothing more will come
   */
  function update(data, cut = false) {
    own.data = data;
    own.cut = cut && !data.ended;
    own.words = speaker(catalogueIn(catalogues, [data.language]), data.language, data.recording);
    opened?.shut();
    redraw(own);
  }

  function destroy() {
    opened?.shut();
    unwatch();
    observer.disconnect();
    for (const moment of PRINTS) removeEventListener(moment, print);
    root.remove();
  }

  /** @param {string} name */
  const ask = (name) => askFor(own, name);
  return { root, update, destroy, redraw: () => redraw(own), ask };
}
