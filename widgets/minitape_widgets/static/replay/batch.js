// @ts-check
// Which arrays have a first axis of examples. Nobody says so in a program, so it is only claimed where all of it is
// recorded: data that no gradient goes to meet a weight from the left in a product of matrices, or one that is
// stretched over their rows, card after card keeps the rows apart, and a loss adds them up.

import { remembered } from "../storyboard/lookup.js";
import { isSame } from "./array.js";
import { isElementwise } from "./table.js";

/** @import { Card, Index, Storyboard } from "storyboard" */

const ROWWISE = ["Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"];
const DATA = ["input", "constant"];

/** The nodes whose rows are examples. @type {(board: Storyboard) => Set<Index>} */
export const batchOf = remembered(find);

/** @type {(board: Storyboard) => Set<Index>} */
function find({ cards, nodes, values }) {
  /** @type {(n: Index) => number[]} */
  const shape = (n) => values[nodes[n].value ?? -1]?.shape ?? [];
  /** @type {(n: Index) => boolean} */
  const isData = (n) => DATA.includes(nodes[n].role) && shape(n).length > 0;
  /** @type {Set<Index>} */
  const result = new Set();

  /** Whether a card keeps the rows of what is known apart: those it needs for that. @param {Card} card */
  function keeps({ op, inputs, outputs }) {
    const [first, second] = inputs;
    const made = shape(outputs[0]);
    const known = inputs.filter((n) => result.has(n));
    const data = inputs.find((n) => isData(n) && shape(n).length === 2);
    const [count, ...rest] = shape(known[0] ?? data ?? first);
    if (made[0] !== count) return false;
    if (op === "MatMul")
      return result.has(first) || (count > 1 && rest.length === 1 && isData(first) && !isData(second));
    const over = data !== undefined && inputs.some((n) => !isData(n) && shape(n).length === 1);
    if (!known.length) return count > 1 && over && isElementwise(op) && isSame(made, shape(data));
    return ROWWISE.includes(op) || (isElementwise(op) && known.every((n) => shape(n).length === made.length));
  }

  let added = false;
  for (const card of cards) {
    const [first] = card.inputs;
    const [made] = card.outputs;
    if (made !== undefined && keeps(card)) {
      const count = shape(made)[0];
      result.add(made);
      const beside = ROWWISE.includes(card.op) ? card.inputs : card.op === "MatMul" ? [first] : [];
      const equal = card.inputs.filter((n) => isElementwise(card.op) && shape(n).length === shape(made).length);
      for (const n of [...beside, ...equal]) if (isData(n) && shape(n)[0] === count) result.add(n);
    }
    added ||= ["Sum", "Mean"].includes(card.op) && result.has(first) && !shape(made).length;
  }
  return added ? result : new Set();
}
