// @ts-check
// What the learner chooses in a view: a measure, a cell, a finding, the first bad number; and the tape that it opens.

import { columnOf, stepsOf, within } from "./cells.js";
import { measureOf, redraw, showLine, tapesOf, tellCell } from "./shown.js";
import { nearest } from "./tapes.js";

/** @import { Finding } from "health" */
/** @import { Own } from "./shown.js" */

/** @type {(own: Own, name: string) => void} */
export function askFor(own, name) {
  own.asked = name;
  own.remember(name);
  redraw(own);
}

/** By keys: so many layers down and columns to the right. @type {(own: Own, down: number, right: number) => void} */
export function moveCursor(own, down, right) {
  const { at, layers } = own.data;
  if (!at.length) return;
  const { cursor } = own;
  const [layer, column] = cursor ? [cursor.layer + down, columnOf(at, cursor.step) + right] : [0, 0];
  own.cursor = { layer: within(layer, layers.length), step: at[within(column, at.length)] };
  redraw(own);
}

/** By the pointer: to this cell. @type {(own: Own, layer: number, column: number) => void} */
export function pointAt(own, layer, column) {
  const { cursor } = own;
  const step = own.data.at[column];
  if (cursor?.layer === layer && cursor.step === step) return;
  own.cursor = { layer, step };
  tellCell(own);
  own.parts.picture.mark(own.cursor);
}

/** Lights the cells of a finding, or no longer. @type {(own: Own, found: Finding) => void} */
export function light(own, result) {
  own.lit = own.lit === result ? null : result;
  if (own.lit) {
    own.asked = result.measure;
    own.cursor = { layer: result.layer ?? 0, step: result.step ?? 0 };
  }
  redraw(own);
}

/** The tape of the cell under the cursor: of its step, or of the nearest one that was kept. @param {Own} own */
export function openTape(own) {
  const { data, cursor, words, parts } = own;
  if (!cursor) return;
  const [from, to] = stepsOf(data, columnOf(data.at, cursor.step));
  const tape = nearest(tapesOf(own), from, to);
  if (!tape) return;
  const [card, layer] = [tape.cards[cursor.layer], data.layers[cursor.layer].name];
  parts.opened?.open({ tape, card, measure: measureOf(own), layer, from, to }, words);
}

/** To the operation, the line, the cell and the tape of the first number that is not finite. @param {Own} own */
export function jump(own) {
  const { data, words, parts } = own;
  const result = data.bad;
  if (!result) return;
  const { step } = result;
  own.lit = data.findings.find((one) => one.step === step && one.layer === result.layer) || null;
  own.asked = own.lit?.measure || own.asked;
  own.cursor = { layer: result.layer ?? 0, step };
  redraw(own);
  showLine(own, result.place, words.bad(result));
  parts.picture.focus();
  const tape = tapesOf(own).find((one) => one.step === step);
  if (!tape) return openTape(own);
  const measure = result.back ? "adjoint" : "value";
  parts.opened?.open({ tape, card: tape.bad, measure, layer: null, from: step, to: step }, words);
}
