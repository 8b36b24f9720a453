// @ts-check
// The view of a training's health: the loss, the cells below it on the same axis, what the cell under the cursor says,
// and what stands out. Whatever changes (another measure, a cell, more steps) is drawn anew by one function.

import { isForeign, make, prose } from "../elements/dom.js";
import { watchTheme } from "../elements/theme.js";
import { columnOf } from "./cells.js";
import { MEASURES } from "./check.js";
import { mountOpened } from "./opened.js";
import { mountPicture } from "./picture.js";
import { nearest } from "./tapes.js";
import { speaker } from "./words.js";

/** @import { Catalogue } from "player" */
/** @import { Finding, Health, Place, Tape } from "./check.js" */
/** @import { Words } from "./words.js" */

/** @import { Players, Unpack } from "./opened.js" */
/** @typedef {{ host: Element, players: Players | (() => Promise<Players>), unpack: Unpack }} Opens */

/**
 * @param {Element} host
 * @param {Health} first
 * @param {Record<string, Catalogue>} catalogues
 * @param {Opens | null} [opens]  how tapes are shown, where they can be
 * @param {string} [asked]  the measure that was asked for in the view before
 * @param {(name: string) => void} [remember]  hears which one is asked for in this
 */
export function mountHealth(host, first, catalogues, opens = null, asked = "", remember = () => {}) {
  let data = first;
  /** @type {Words} */
  let words = speaker(catalogues[data.language], data.language);
  let chosen = asked; // the measure that the learner asked for
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
  const picture = mountPicture({ move, point, open });
  const cell = make("p", { class: "health-cell", role: "status" });
  const line = make("p", { class: "health-line" });
  const note = make("p", { class: "health-note" });
  const opened = opens && mountOpened(opens.host, opens.players, opens.unpack, () => picture.focus());
  const heading = make("p", { class: "health-heading" });
  const list = make("ol", { class: "health-findings" });
  const body = make("div", {}, measures, picture.root, cell, line, note);
  const root = make(
    "div",
    { class: "player health", role: "region" },
    make("div", { class: "health-top" }, title, bad),
    body,
    opened ? opened.root : [],
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
    remember(name);
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

  /** Those that can be opened. */
  function tapes() {
    return (opens && data.tapes) || [];
  }

  /** The tape of the cell under the cursor: of its step, or of the nearest one that was kept. */
  function open() {
    if (!cursor) return;
    const column = columnOf(data.at, cursor.step);
    const [from, to] = [data.at[column], (data.at[column + 1] ?? data.steps) - 1];
    const tape = nearest(tapes(), from, to);
    if (tape) show(tape, tape.cards[cursor.layer], measure(), cursor.layer, from, to);
  }

  /**
   * @param {Tape} tape
   * @param {number | null} card
   * @param {string} name          the measure
   * @param {number | null} layer
   * @param {number} from          the steps that were asked for
   * @param {number} to
   */
  function show(tape, card, name, layer, from, to) {
    const title = layer === null ? "tape.title" : "tape.at";
    const away = tape.step < from || tape.step > to;
    const asked = { from: words.whole(from), to: words.whole(to), step: words.whole(tape.step) };
    const where = layer === null ? "" : data.layers[layer].name;
    const notes = [
      away ? words.say(from === to ? "tape.other.one" : "tape.other.many", asked) : "",
      layer !== null && card === null ? words.say("tape.without", { layer: where }) : "",
    ];
    const said = { title: words.say(title, { step: asked.step, layer: where }), note: notes.filter(Boolean).join(" ") };
    opened?.open({ tape, card, measure: name, ...said }, words);
  }

  /** To the operation, the line, the cell and the tape of the first number that is not finite. */
  function jump() {
    const found = data.bad;
    if (!found) return;
    lit = data.findings.find((one) => one.step === found.step && one.layer === found.layer) || null;
    chosen = lit?.measure || chosen;
    cursor = { layer: found.layer ?? 0, step: found.step };
    redraw();
    showLine(found.place, words.say("bad", { op: found.op, step: words.whole(found.step) }));
    picture.focus();
    const tape = tapes().find(({ step }) => step === found.step);
    if (tape) show(tape, tape.bad, found.back ? "adjoint" : "value", null, found.step, found.step);
    else open();
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
    note.textContent = (opens && data.note) || "";
    note.hidden = !note.textContent;
    body.hidden = !data.at.length || !data.layers.length;
    heading.hidden = list.hidden = !data.steps;
    findings();
    if (!body.hidden) {
      picture.draw(
        data,
        name,
        words,
        tapes().map(({ step }) => step),
      );
      picture.light(lit);
      picture.mark(cursor ? cursor.layer : -1, cursor ? columnOf(data.at, cursor.step) : 0);
    }
    tell();
  }

  /** @param {Health} next  the same training, some steps later */
  function update(next) {
    data = next;
    opened?.shut();
    words = speaker(catalogues[data.language], data.language);
    redraw();
  }

  function destroy() {
    opened?.shut();
    unwatch();
    observer.disconnect();
    root.remove();
  }

  return { root, update, destroy, redraw, ask };
}
