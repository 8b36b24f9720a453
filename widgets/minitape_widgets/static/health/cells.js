// @ts-check
// Where the cells lie, and the cells as a few outlines, without a page: neighbours that look alike are one rectangle,
// all of one look one path.
// The still picture draws them in the same way (training/still.py, where the letters are explained: training/grid.py).

/** @import { Health, Losses } from "health" */
/** @typedef {ReturnType<typeof scaleOf>} Scale */

const ROW = { least: 5, most: 22, all: 210 }; // pixels
export const SHARES = ["dead", "saturated"];
const HIGHEST = 8;
const FLAT = 1e-5; // a loss that changes by less, beside its size, is a straight line
const LOOKS = ["lowest", "lowest", "low", "same", "same", "same", "high", "highest", "highest"];
/** @type {Record<string, string>} */
export const SIGNS = { z: "zero", x: "bad", ".": "none" };

/**
 * How a letter is drawn.
 * @param {string} letter
 * @param {boolean} share
 */
export function lookOf(letter, share) {
  if (letter in SIGNS) return SIGNS[letter];
  return share ? (letter === "8" ? "all" : "some") : LOOKS[Number(letter)];
}

/**
 * Neighbours with the same letter as one: [letter, first column, the one after the last].
 * @param {string} letters
 */
export function runs(letters) {
  /** @type {[string, number, number][]} */
  const result = [];
  for (let k = 0; k < letters.length; k++) {
    const last = result[result.length - 1];
    if (last && last[0] === letters[k]) last[2] = k + 1;
    else result.push([letters[k], k, k + 1]);
  }
  return result;
}

/**
 * Where columns and rows lie in so many pixels: a column is as wide as it has steps, a row as high as there is room.
 * @param {Health} data
 * @param {number} wide
 */
export function scaleOf({ at, steps, layers }, wide) {
  const row = Math.max(ROW.least, Math.min(ROW.most, ROW.all / layers.length));
  const edges = [...at, steps].map((step) => (step / steps) * wide);
  return { at, edges, row, rows: layers.length, wide, high: row * layers.length };
}

/**
 * The outlines of all cells, by their look.
 * @param {string[]} letters  a text for each layer
 * @param {number[]} edges    where columns begin, and where the last one ends
 * @param {number} row        the height of a layer
 * @param {boolean} share
 */
export function paths(letters, edges, row, share) {
  /** @type {Record<string, string>} */
  const result = {};
  const short = (/** @type {number} */ n) => n.toFixed(2);
  /** @type {(look: string, x: number, y: number, wide: number, high: number) => void} */
  const add = (look, x, y, wide, high) => {
    const outline = `M${short(x)} ${short(y)}h${short(wide)}v${short(high)}h${short(-wide)}z`;
    result[look] = (result[look] || "") + outline;
  };
  letters.forEach((line, r) => {
    for (const [letter, first, last] of runs(line)) {
      let high = row - 1;
      if (!(letter in SIGNS)) high *= share ? Number(letter) / HIGHEST : (Number(letter) + 1) / (HIGHEST + 1);
      if (high <= 0) continue;
      const [x, y, wide] = [edges[first], (r + 1) * row - high, edges[last] - edges[first]];
      const look = lookOf(letter, share);
      if (look === "lowest") add("faint", x, r * row + 1, wide, row - 1);
      add(look, x, y, wide, high);
    }
  });
  return result;
}

/**
 * The column in which a step lies.
 * @param {number[]} at
 * @param {number} step
 */
export function columnOf(at, step) {
  let result = 0;
  while (result + 1 < at.length && at[result + 1] <= step) result += 1;
  return result;
}

/**
 * The first and the last step of a column.
 * @param {{ at: number[], steps: number }} data
 * @param {number} column
 */
export const stepsOf = ({ at, steps }, column) => [at[column], (at[column + 1] ?? steps) - 1];

/**
 * The steps of a column that were looked at; none where nobody looked.
 * @param {Health} data
 * @param {number} column
 */
export function looksOf(data, column) {
  const [from, to] = stepsOf(data, column);
  return data.looked.filter((step) => step >= from && step <= to);
}

/**
 * The index nearest to this one, of so many.
 * @param {number} index
 * @param {number} many
 */
export const within = (index, many) => Math.max(0, Math.min(many - 1, index));

/**
 * The curve of the loss in a box, the band between its lowest and its highest, the places where it is no number, and
 * the ends of its axis (null where no loss is known).
 * @param {Losses} losses
 * @param {number} steps
 * @param {{ left: number, right: number, high: number }} box
 */
export function curve({ each, mean, low, high }, steps, box) {
  const known = [...low, ...high].filter((n) => n !== null);
  const [least, most] = known.length ? [Math.min(...known), Math.max(...known)] : [null, null];
  const log = Number(least) > 0 && Number(most) > 50 * Number(least);
  const even = log ? Math.log10 : (/** @type {number} */ n) => n;
  const room = even(Number(most)) - even(Number(least));
  const flat = room <= (log ? 0 : FLAT * Math.abs(Number(most)));
  const x = (/** @type {number} */ k) =>
    box.left + (Math.min(steps, k * each) / Math.max(1, steps)) * (box.right - box.left);
  const y = (/** @type {number} */ n) => 2 + (flat ? 0.5 : 1 - (even(n) - even(Number(least))) / room) * (box.high - 4);
  let [line, band, bad, pen] = ["", "", "", "M"];
  mean.forEach((n, k) => {
    const place = x(k + 0.5).toFixed(1);
    if (n !== null) line += `${pen}${place} ${y(n).toFixed(1)}`;
    else bad += `M${x(k).toFixed(1)} ${(box.high - 9).toFixed(1)}H${x(k + 1).toFixed(1)}v9H${x(k).toFixed(1)}z`;
    pen = n === null ? "M" : "L";
    if (low[k] !== null && high[k] !== null)
      band += `M${place} ${y(low[k]).toFixed(1)}V${(y(high[k]) - 0.01).toFixed(1)}`;
  });
  return { line, band, bad, ends: flat ? [least] : [most, least] };
}
