// @ts-check
// Whether data are the picture of a training's health. They may come from anywhere: what is not whole is not drawn.

/** @typedef {{ text: string, code: string }} Place */
/** @typedef {{ letters: string[], numbers: (number | null)[][] }} Cells */
/**
 * @typedef {{
 *   text: string, cure: string, about: string, measure: string, layer: number | null, step: number | null,
 *   place: Place | null,
 * }} Finding
 */
/** @typedef {{ each: number, mean: (number | null)[], low: (number | null)[], high: (number | null)[] }} Losses */
/**
 * A tape that was kept: for each layer the card of its output, the card of the first bad number, and what a player
 * takes, which the player itself looks at.
 * @typedef {{ step: number, cards: (number | null)[], bad: number | null, trace: { deflate: string } }} Tape
 */
/**
 * @typedef {{
 *   language: "en" | "fr", title: string, steps: number, at: number[], ended: boolean, measures: Record<string, Cells>,
 *   layers: { name: string, op: string, frozen: boolean, place: Place | null }[], losses: Losses, findings: Finding[],
 *   bad: { layer: number | null, step: number, op: string, place: Place | null, back?: boolean } | null,
 *   tapes?: Tape[], note?: string,
 * }} Health
 */

export const FORMAT = "minitape.health.view";
export const MEASURES = ["adjoint", "value", "update", "dead", "saturated"];
const VERSION = 1;
const MOST = { layers: 2000, columns: 400, points: 2000, findings: 200, text: 5000, tapes: 50, trace: 4e6, cards: 1e6 };

const isText = (/** @type {unknown} */ x) => typeof x === "string" && x.length <= MOST.text;
const isCount = (/** @type {unknown} */ x) => Number.isSafeInteger(x) && Number(x) >= 0;
const isNumber = (/** @type {unknown} */ x) => typeof x === "number" && Number.isFinite(x);
const isMaybe = (/** @type {unknown} */ x) => x === null || isNumber(x);
const isObject = (/** @type {any} */ x) => typeof x === "object" && x !== null && !Array.isArray(x);

/**
 * @param {unknown} x
 * @param {number} most
 * @param {(item: any) => boolean} fits
 */
const isList = (x, most, fits) => Array.isArray(x) && x.length <= most && x.every(fits);

/** @param {any} x */
const isPlace = (x) => x === null || (isObject(x) && isText(x.text) && isText(x.code));

/**
 * @param {any} cells
 * @param {number} rows
 * @param {number} columns
 */
function areCells(cells, rows, columns) {
  const row = (/** @type {any} */ x) => isList(x, columns, isMaybe) && x.length === columns;
  const line = (/** @type {any} */ x) => typeof x === "string" && x.length === columns && /^[0-8zx.]*$/.test(x);
  return (
    isObject(cells)
    && isList(cells.letters, rows, line)
    && isList(cells.numbers, rows, row)
    && cells.letters.length === rows
    && cells.numbers.length === rows
  );
}

/** @param {any} x */
function areLosses(x) {
  const isLine = (/** @type {any} */ list) => isList(list, MOST.points, isMaybe) && list.length === x.mean.length;
  return isObject(x) && isCount(x.each) && x.each > 0 && Array.isArray(x.mean) && [x.mean, x.low, x.high].every(isLine);
}

/**
 * The data, or the key of the sentence that says why they cannot be drawn.
 * @param {unknown} given
 * @returns {Health | string}
 */
export function checkedHealth(given) {
  const x = /** @type {any} */ (given);
  if (!isObject(x) || x.format !== FORMAT) return "refused";
  if (x.version !== VERSION) return "refused.version";
  const isLayer = (/** @type {any} */ k) => k === null || (isCount(k) && k < x.layers.length);
  /** @param {any} one */
  const isFinding = (one) =>
    isObject(one)
    && [one.text, one.cure, one.about].every(isText)
    && MEASURES.includes(one.measure)
    && isLayer(one.layer)
    && (one.step === null || isCount(one.step))
    && isPlace(one.place);
  const isCard = (/** @type {any} */ k) => k === null || (isCount(k) && k < MOST.cards);
  /** @param {any} one */
  const isTape = (one) =>
    isObject(one)
    && isCount(one.step)
    && one.step < x.steps
    && isList(one.cards, x.layers.length, isCard)
    && one.cards.length === x.layers.length
    && isCard(one.bad)
    && isObject(one.trace)
    && typeof one.trace.deflate === "string"
    && one.trace.deflate.length <= MOST.trace;
  const fits =
    ["en", "fr"].includes(x.language)
    && isText(x.title)
    && isCount(x.steps)
    && typeof x.ended === "boolean"
    && isList(x.layers, MOST.layers, (one) => isObject(one) && isText(one.name) && isText(one.op) && isPlace(one.place))
    && isList(x.at, MOST.columns, isCount)
    && x.at.every((/** @type {number} */ step, /** @type {number} */ k) => (k ? step > x.at[k - 1] : true))
    && (!x.at.length || x.at[x.at.length - 1] < x.steps)
    && isObject(x.measures)
    && Object.keys(x.measures).every((name) => MEASURES.includes(name))
    && Object.values(x.measures).every((cells) => areCells(cells, x.layers.length, x.at.length))
    && (Object.keys(x.measures).length > 0 || !x.layers.length || !x.at.length)
    && areLosses(x.losses)
    && (x.tapes === undefined || isList(x.tapes, MOST.tapes, isTape))
    && (x.note === undefined || isText(x.note))
    && isList(x.findings, MOST.findings, isFinding)
    && (x.bad === null
      || (isObject(x.bad) && isLayer(x.bad.layer) && isCount(x.bad.step) && isText(x.bad.op) && isPlace(x.bad.place)));
  return fits ? /** @type {Health} */ (x) : "refused";
}
