// @ts-check
// Whether data are the picture of a training's health. They may come from anywhere: what is not whole is not drawn.

import { HEALTH } from "../schemas.js";
import { isRecord, readerOf } from "../storyboard/schema.js";

/** @import { Cells, Health, Measure } from "health" */

const reader = readerOf(HEALTH.$defs.Health, HEALTH.$defs);
/** @type {Measure[]} */
export const MEASURES = ["adjoint", "value", "update", "dead", "saturated"];
const { format, version } = HEALTH.$defs.Health.properties;

/** @type {(cells: Cells, layers: number, columns: number) => boolean} a row for each layer, a cell for each column */
const areCells = ({ letters, numbers }, layers, columns) =>
  [letters, numbers].every((rows) => rows.length === layers && rows.every((row) => row.length === columns));

/** What no schema says. @type {((health: Health) => boolean)[]} */
const RELATIONS = [
  ({ measures }) => Object.keys(measures).every((name) => MEASURES.some((measure) => measure === name)),
  ({ at, steps }) => at.every((step, k) => step < (at[k + 1] ?? steps)),
  ({ looked, at, steps }) => looked[0] === at[0] && looked.every((step, k) => step < (looked[k + 1] ?? steps)),
  ({ measures, layers, at }) => Object.values(measures).every((cells) => areCells(cells, layers.length, at.length)),
  ({ measures, layers, at }) => Object.keys(measures).length > 0 || !layers.length || !at.length,
  ({ losses: { mean, low, high } }) => low.length === mean.length && high.length === mean.length,
  ({ tapes = [], layers, steps }) => tapes.every(({ step, cards }) => step < steps && cards.length === layers.length),
];

/**
 * The data, or the key of the sentence that says why they cannot be drawn.
 * @param {unknown} given
 * @returns {Health | string}
 */
export function checkedHealth(given) {
  const x = /** @type {any} */ (given);
  if (!isRecord(x) || x.format !== format.const) return "refused";
  if (x.version !== version.const) return "refused.version";
  return reader(x, x) === null && RELATIONS.every((fits) => fits(x)) ? x : "refused";
}
