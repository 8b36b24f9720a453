// @ts-check
// The view of a training's health: the loss, the cells below it on the same axis, what the cell under the cursor says,
// and what stands out. Whatever changes (another measure, a cell, more steps) is drawn anew by one function.

import { isForeign, make, prose } from "../elements/dom.js";
import { watchTheme } from "../elements/theme.js";
import { columnOf } from "./cells.js";
import { MEASURES } from "./check.js";
import { mountPicture } from "./picture.js";
import { speaker } from "./words.js";

/** @import { Catalogue } from "player" */
/** @import { Finding, Health, Place } from "./check.js" */
/** @import { Words } from "./words.js" */

/**
 * @param {Element} host
 * @param {Health} first
 * @param {Record<string, Catalogue>} catalogues
 */
export function mountHealth(host, first, catalogues) {
  let data = first;
  /** @type {Words} */
  let words = speaker(catalogues[data.language], data.language);
  let chosen = ""; // the measure that the learner asked for
  /** @type {{ layer: number, step: number } | null} */
  let cursor = null;
  /** @type {Finding | null} */
  let lit = null;
  let told = "";

  const title = make("p", { class: "health-title" });
  const bad = make("button", { type: "button", class: "health-bad", on: { click: jump } });
  const measures = make("div", { class: "health-measures", role: "group" });
  const buttons = MEASURES.map((name) =>
    make("button", { type: "button", class: "chip", on: { click: () => ask(name) } }),
  );
  measures.append(...buttons);
  const picture = mountPicture({ move, point });
  const cell = make("p", { class: "health-cell", role: "status" });
  const line = make("p", { class: "health-line" });
  const heading = make("p", { class: "health-heading" });
  const list = make("ol", { class: "health-findings" });
  const body = make("div", {}, measures, picture.root, cell, line);
  const root = make(
    "div",
    { class: "player health", role: "region" },
    make("div", { class: "health-top" }, title, bad),
    body,
    heading,
    list,
  );
  root.addEventListener("keydown", (event) => {
    if (!isForeign(event) && event.key !== "Tab") event.stopPropagation();
  });
  host.append(root);
  const unwatch = watchTheme(host, root);
  const observer = new ResizeObserver(() => redraw());
  observer.observe(root);
  redraw();

  /** The measure that is shown: the one asked for, else that of the first finding. */
  function measure() {
    const asked = [chosen, data.findings[0]?.measure, ...MEASURES];
    return asked.find((name) => name in data.measures) || MEASURES[0];
  }

  /** @param {string} name */
  function ask(name) {
    chosen = name;
    redraw();
  }

  /**
   * By keys: so many layers down and columns to the right.
   * @param {number} down
   * @param {number} right
   */
  function move(down, right) {
    if (!data.at.length) return;
    const clamp = (/** @type {number} */ n, /** @type {number} */ most) => Math.max(0, Math.min(most, n));
    const column = cursor ? columnOf(data.at, cursor.step) : 0;
    const layer = cursor ? clamp(cursor.layer + down, data.layers.length - 1) : 0;
    cursor = { layer, step: data.at[clamp(cursor ? column + right : 0, data.at.length - 1)] };
    redraw();
  }

  /**
   * By the pointer: to this cell.
   * @param {number} layer
   * @param {number} column
   */
  function point(layer, column) {
    if (cursor?.layer === layer && cursor.step === data.at[column]) return;
    cursor = { layer, step: data.at[column] };
    tell();
    picture.mark(cursor.layer, column);
  }

  /** To the operation, the line and the cell of the first number that is not finite. */
  function jump() {
    const found = data.bad;
    if (!found) return;
    lit = data.findings.find((one) => one.step === found.step && one.layer === found.layer) || null;
    chosen = lit?.measure || chosen;
    cursor = { layer: found.layer ?? 0, step: found.step };
    redraw();
    showLine(found.place, words.say("bad", { op: found.op, step: words.whole(found.step) }));
    picture.focus();
  }

  /** @param {Finding} found */
  function light(found) {
    lit = lit === found ? null : found;
    if (lit) {
      chosen = lit.measure;
      cursor = { layer: lit.layer ?? 0, step: lit.step ?? 0 };
    }
    redraw();
  }

  function tell() {
    if (!cursor || !data.at.length || !(measure() in data.measures)) {
      cell.textContent = words.say(`about.${measure()}`);
      return showLine(null, "");
    }
    cell.textContent = words.cell(data, measure(), cursor.layer, columnOf(data.at, cursor.step));
    showLine(lit ? lit.place : data.layers[cursor.layer].place, "");
  }

  /**
   * @param {Place | null} place
   * @param {string} about
   */
  function showLine(place, about) {
    const where = [about, place?.text].filter(Boolean).join(", ");
    line.replaceChildren(...(place ? [where, " ", make("code", { text: place.code })] : []));
    line.hidden = !place;
  }

  function findings() {
    const now = JSON.stringify([data.findings, data.ended]);
    if (now !== told) {
      told = now;
      lit = data.findings.find((one) => one.text === lit?.text) || null;
      heading.textContent = words.say("findings");
      const items = data.findings.map((found) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", class: "health-finding", on: { click: () => light(found) } },
            make("span", { class: "health-said" }, prose(found.text)),
            " ",
            make("span", { class: "fine", text: `(${found.about})` }),
          ),
          make("p", { class: "health-cure" }, prose(found.cure)),
        ),
      );
      const fine = make("li", { class: "health-fine", text: words.say(data.ended ? "fine" : "so.far") });
      list.replaceChildren(...(items.length ? items : [fine]));
    }
    list.querySelectorAll("button").forEach((button, k) => {
      button.setAttribute("aria-pressed", String(data.findings[k] === lit));
    });
  }

  function redraw() {
    const name = measure();
    if (cursor && cursor.layer >= data.layers.length) cursor = null;
    root.setAttribute("aria-label", words.say("name"));
    title.textContent = data.title;
    measures.setAttribute("aria-label", words.say("measures"));
    buttons.forEach((button, k) => {
      button.textContent = words.say(MEASURES[k]);
      button.hidden = !(MEASURES[k] in data.measures);
      button.setAttribute("aria-pressed", String(MEASURES[k] === name));
    });
    bad.hidden = !data.bad;
    if (data.bad) bad.textContent = words.say("bad", { op: data.bad.op, step: words.whole(data.bad.step) });
    body.hidden = !data.at.length || !data.layers.length;
    heading.hidden = list.hidden = !data.steps;
    findings();
    if (!body.hidden) {
      picture.draw(data, name, words);
      picture.light(lit);
      picture.mark(cursor ? cursor.layer : -1, cursor ? columnOf(data.at, cursor.step) : 0);
    }
    tell();
  }

  /** @param {Health} next  the same training, some steps later */
  function update(next) {
    data = next;
    words = speaker(catalogues[data.language], data.language);
    redraw();
  }

  function destroy() {
    unwatch();
    observer.disconnect();
    root.remove();
  }

  return { root, update, destroy, redraw, ask };
}
