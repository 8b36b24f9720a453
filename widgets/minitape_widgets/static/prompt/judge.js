// @ts-check
// Judging an answer. A wrong one is told the idea behind it, since the storyboard knows what each misconception would
// have answered.

/** @import { Params, Prompt } from "storyboard" */
/** @typedef {string | number | null} Answer */
/** @typedef {{ right: boolean, idea?: string | null, say?: string | null, params?: Params }} Verdict */

/** @type {(given: Answer, right: Answer, tolerance: number) => boolean} */
function isClose(given, right, tolerance) {
  if (String(given).trim() === "") return false; // nothing is not zero
  const a = Number(given);
  const b = Number(right);
  if (Number.isNaN(a) || Number.isNaN(b))
    return String(given).trim().toLowerCase() === String(right).trim().toLowerCase();
  return a === b || Math.abs(a - b) <= (tolerance || 0) * Math.max(1, Math.abs(b));
}

/**
 * Judges an answer; idea is a key of the catalogue (say: the sentence itself), null where the mistake is not a known
 * one.
 * @param {Prompt} prompt
 * @param {Answer} answer
 * @returns {Verdict}
 */
export function judge(prompt, answer) {
  const sign = prompt.kind === "sign";
  const right = sign
    ? Number(answer) === Math.sign(Number(prompt.answer))
    : isClose(answer, prompt.answer, prompt.tolerance);
  if (right) return { right: true, idea: prompt.right || null, say: prompt.say };
  const known = (prompt.choices || []).find((choice) => {
    if (!choice.idea && !choice.say) return false;
    if (prompt.kind === "card") return choice.card === Number(answer);
    return sign ? choice.sign === Number(answer) : isClose(answer, choice.text, prompt.tolerance || 1e-6);
  });
  return { right: false, idea: known ? known.idea : null, say: known ? known.say : null, params: known?.params };
}

/**
 * A decimal as a learner may write it: a comma and a proper minus sign are understood.
 * @param {string} text
 */
export const readNumber = (text) =>
  text
    .trim()
    .replace(/\u2212/g, "-")
    .replace(/^(-?\d*),(\d+)$/, "$1.$2");
