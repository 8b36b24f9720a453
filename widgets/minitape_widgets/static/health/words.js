// @ts-check
// What the view says: its sentences, and numbers in few letters.

import { SHARES, SIGNS, stepsOf } from "./cells.js";

/** @import { Catalogue } from "player" */
/** @import { Health } from "health" */
/** @typedef {ReturnType<typeof speaker>} Words */

/**
 * @param {Catalogue} catalogue
 * @param {string} language
 */
export function speaker(catalogue, language) {
  /**
   * @param {string} key
   * @param {Record<string, string | number>} [blanks]
   */
  const say = (key, blanks = {}) =>
    catalogue[key].replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => String(blanks[name]));

  /** @param {number} n */
  function short(n, digits = 3) {
    const size = Math.abs(n);
    const text =
      size && (size < 1e-3 || size >= 1e5) ? n.toExponential(digits - 2) : String(Number(n.toPrecision(digits)));
    const plain = text.replace("e+", "e").replace("-", "−");
    return language === "fr" ? plain.replace(".", ",") : plain;
  }

  /**
   * Numbers in as few letters as tell them apart: a loss that falls a little does not go from 0.689 to 0.689.
   * @param {(number | null)[]} numbers
   */
  function apart(numbers) {
    const told = (/** @type {number} */ digits) => numbers.map((n) => (n === null ? "" : short(n, digits)));
    const differ = new Set(numbers).size;
    return told([3, 4, 5, 6].find((digits) => new Set(told(digits)).size === differ) ?? 7);
  }

  /** @param {number} n */
  const whole = (n) => n.toLocaleString(language);

  /** @param {{ op: string, step: number }} found  the first number that is not finite */
  const bad = ({ op, step }) => say("bad", { op, step: whole(step) });

  /**
   * What a cell says.
   * @param {Health} data
   * @param {string} measure
   * @param {number} layer
   * @param {number} column
   */
  function cell(data, measure, layer, column) {
    const { letters, numbers } = data.measures[measure];
    const [letter, number] = [letters[layer][column], numbers[layer][column]];
    const [from, to] = stepsOf(data, column);
    const steps = say(from === to ? "at.one" : "at.many", { from: whole(from), to: whole(to) });
    const given = number === null ? say("nothing") : `${say(measure)} ${short(number)}`;
    return say("cell", { layer: data.layers[layer].name, steps, number: given, says: says(measure, letter, number) });
  }

  /**
   * @param {string} measure
   * @param {string} letter
   * @param {number | null} number
   */
  function says(measure, letter, number) {
    if (letter in SIGNS) return say(`says.${SIGNS[letter]}`);
    if (SHARES.includes(measure)) return say("says.share", { percent: Math.round(100 * (number ?? 0)) });
    const far = Number(letter) - 4;
    if (!far) return say("says.same");
    const key = far < 0 ? "says.low" : "says.high";
    return Math.abs(far) === 4 ? say(key + ".most") : say(key, { times: whole(10 ** Math.abs(far)) });
  }

  return { say, short, apart, whole, bad, cell };
}
