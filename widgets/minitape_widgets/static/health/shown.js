// @ts-check
// What a view has, and how all of it is told which cell, measure and finding are chosen.

import { assign, make } from "../elements/dom.js";
import { columnOf } from "./cells.js";
import { MEASURES } from "./check.js";

/** @import { Finding, Health, Place } from "health" */
/** @import { Cursor } from "./grid.js" */
/** @import { Parts } from "./view.js" */
/** @import { Words } from "./words.js" */

/**
 * One view: what it was given, what stands in it, and what is chosen.
 * @typedef {object} Own
 * @property {Health} data
 * @property {Words} words
 * @property {Parts} parts
 * @property {string} asked  the measure that the learner asked for
 * @property {(name: string) => void} remember  hears which one that is
 * @property {Cursor | null} cursor
 * @property {Finding | null} lit
 * @property {boolean} cut  whether the training was not seen to its end, and nothing more will come
 */

/** The measure that is shown: the one asked for, else that of the first finding. @param {Own} own */
export function measureOf({ data, asked }) {
  const names = [asked, data.findings[0]?.measure, ...MEASURES];
  return names.find((name) => name in data.measures) || MEASURES[0];
}

/** The tapes that can be opened. @param {Own} own */
export const tapesOf = ({ data, parts }) => (parts.opened && data.tapes) || [];

/** @param {Own} own */
export function redraw(own) {
  const { data, words, parts } = own;
  const { root, title, bad, measures, buttons, body, picture, note } = parts;
  const measure = measureOf(own);
  if (own.cursor && own.cursor.layer >= data.layers.length) own.cursor = null;
  assign(root, "aria-label", words.say("name"));
  const cut = own.cut ? words.say("cut") : "";
  title.textContent = cut && !data.steps ? cut : data.title;
  assign(measures, "aria-label", words.say("measures"));
  buttons.forEach((button, k) => {
    button.textContent = words.say(MEASURES[k]);
    button.hidden = !(MEASURES[k] in data.measures);
    assign(button, "aria-pressed", String(MEASURES[k] === measure));
  });
  bad.hidden = !data.bad;
  if (data.bad) bad.textContent = words.bad(data.bad);
  note.textContent = [cut, parts.opened && data.note].filter(Boolean).join(" ");
  note.hidden = !note.textContent;
  body.hidden = !data.at.length || !data.layers.length;
  own.lit = parts.findings.update(data, words, own.lit);
  if (!body.hidden) {
    picture.draw(data, measure, words, tapesOf(own));
    picture.light(own.lit);
    picture.mark(own.cursor);
  }
  tellCell(own);
}

/** What the cell under the cursor says, and its line; without one, what the measure is about. @param {Own} own */
export function tellCell(own) {
  const { data, words, parts, cursor, lit } = own;
  const measure = measureOf(own);
  if (!cursor || !data.at.length) {
    parts.cell.textContent = words.say(`about.${measure}`);
    return showLine(own, null);
  }
  parts.cell.textContent = words.cell(data, measure, cursor.layer, columnOf(data.at, cursor.step));
  showLine(own, lit ? lit.place : data.layers[cursor.layer].place);
}

/** @type {(own: Own, place: Place | null, about?: string) => void} */
export function showLine({ parts: { line } }, place, about = "") {
  const where = [about, place?.text].filter(Boolean).join(", ");
  line.replaceChildren(...(place ? [where, " ", make("code", { text: place.code })] : []));
  line.hidden = !place;
}
