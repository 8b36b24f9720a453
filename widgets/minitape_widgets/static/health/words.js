// @ts-check
// What the view says: its sentences, and numbers in few letters.

import { SHARES, SIGNS, looksOf, stepsOf } from "./cells.js";

/** @import { Catalogue } from "player" */
/** @import { Health } from "health" */
/** @typedef {ReturnType<typeof speaker>} Words */

/** What sizes are compared with (training/grid.py); an adjoint with the last one. @type {Record<string, number>} */
const REFERENCES = { value: 1, update: 1e-3 };

/**
 * @param {Catalogue} catalogue
 * @param {string} language
 * @param {string} [recording]  what the library records, see spoken() of storyboard/sentences.js
 */
export function speaker(catalogue, language, recording = "tape") {
  /**
   * @param {string} key
   * @param {Record<string, string | number>} [blanks]
   */
  const say = (key, blanks = {}) =>
    (catalogue[`${key}.${recording}`] ?? catalogue[key]).replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) =>
      String(blanks[name]),
    );

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

  /** @param {number} from @param {number} to */
  const span = (from, to) => say(from === to ? "at.one" : "at.many", { from: whole(from), to: whole(to) });

  /**
   * What a cell says: of which looks it comes, and what it compares.
   * @param {Health} data
   * @param {string} measure
   * @param {number} layer
   * @param {number} column
   */
  function cell(data, measure, layer, column) {
    const looks = looksOf(data, column);
    const [first, last] = [looks[0], looks[looks.length - 1]];
    const { name } = data.layers[layer];
    if (!looks.length) return say("cell.unseen", { layer: name, ...beside(data, column) });
    const many = looks.length > 1 ? `, ${say("looks", { many: looks.length })}` : "";
    return say("cell", { layer: name, steps: span(first, last) + many, says: says(data, measure, layer, column) });
  }

  /**
   * The steps of a column at which nobody looked, and the looks before and after it.
   * @param {Health} data
   * @param {number} column
   */
  function beside(data, column) {
    const [from, to] = stepsOf(data, column);
    const near = [data.looked.findLast((step) => step < from), data.looked.find((step) => step > to)];
    const looks = near.flatMap((step) => (step === undefined ? [] : [span(step, step)]));
    return { steps: span(from, to), looks: looks.join(", ") };
  }

  /**
   * What is compared in a cell: a size with its reference, in numbers; of a share, how much it is.
   * @param {Health} data
   * @param {string} measure
   * @param {number} layer
   * @param {number} column
   */
  function says({ measures, layers }, measure, layer, column) {
    const { letters, numbers } = measures[measure];
    const [letter, number] = [letters[layer][column], numbers[layer][column]];
    const sign = letter in SIGNS ? say(`says.${SIGNS[letter]}`) : "";
    if (number === null) return sign;
    if (SHARES.includes(measure)) return say(`share.${measure}`, { percent: Math.round(100 * number) });
    const given = `${say(measure)} ${short(number)}, `;
    if (sign) return given + sign;
    const last = numbers.findLastIndex((row) => row[column]);
    if (measure === "adjoint" && last === layer) return given + say("says.last");
    const than = say(`than.${measure}`, { layer: layers[last]?.name });
    const ratio = number / (REFERENCES[measure] ?? numbers[last]?.[column]);
    const times = Number(Math.max(ratio, 1 / ratio).toPrecision(2));
    const key = letter === "4" ? "same" : ratio < 1 ? "low" : "high";
    return given + say(`says.${key}`, { times: times < 1e9 ? whole(times) : short(times), than });
  }

  return { say, short, apart, whole, bad, cell };
}
