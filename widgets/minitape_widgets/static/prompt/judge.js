// @ts-check
// Judging an answer. A wrong one is told the idea behind it, since the storyboard knows what each misconception would
// have answered.

/** @import { Params, Prompt } from "storyboard" */
/** @typedef {string | number | null} Answer */
/** @typedef {{ right: boolean, idea?: string | null, say?: string | null, params?: Params }} Verdict */

const MOST = 0.05; // of the right answer: what is near to 0.001 is not 0

/**
 * Whether an answer is near enough: the tolerance is relative, absolute below 1.
 * @type {(given: Answer, right: Answer, tolerance: number) => boolean}
 */
function isClose(given, right, tolerance) {
  if (String(given).trim() === "") return false; // nothing is not zero
  const a = Number(given);
  const b = Number(right);
  if (Number.isNaN(a) || Number.isNaN(b))
    return String(given).trim().toLowerCase() === String(right).trim().toLowerCase();
  const off = Math.abs(a - b);
  return a === b || (off <= (tolerance || 0) * Math.max(1, Math.abs(b)) && (!b || off <= MOST * Math.abs(b)));
}

/** @type {(prompt: Prompt, answer: Answer) => boolean} */
function isNearerToAMistake({ choices, answer: right }, answer) {
  /** @param {Answer} other */
  const off = (other) => Math.abs(Number(answer) - Number(other));
  return (choices || []).some(({ idea, say, text }) => (idea || say) && off(text) < off(right));
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
    : isClose(answer, prompt.answer, prompt.tolerance) && !isNearerToAMistake(prompt, answer);
  if (right) return { right: true, idea: prompt.right || null, say: prompt.say };
  const known = (prompt.choices || []).find((choice) => {
    if (!choice.idea && !choice.say) return false;
    if (prompt.kind === "card") return choice.card === Number(answer);
    return sign ? choice.sign === Number(answer) : isClose(answer, choice.text, prompt.tolerance || 1e-6);
  });
  return { right: false, idea: known ? known.idea : null, say: known ? known.say : null, params: known?.params };
}

/**
 * A decimal as a learner may write it: a comma, a proper minus sign and spaces between thousands are understood.
 * @param {string} text
 */
export const readNumber = (text) =>
  text
    .trim()
    .replace(/\u2212/g, "-")
    .replace(/^-?\d{1,3}(\s\d{3})+(?=$|[.,]\d*$)/, (thousands) => thousands.replace(/\s/g, ""))
    .replace(/^(-?\d*),(\d+)$/, "$1.$2");

/**
 * The number that was written to a prompt. A comma may stand before decimals or between thousands: it is taken for the
 * second where only this is an answer that is known.
 * @type {(prompt: Prompt, text: string) => string}
 */
export function readAnswer(prompt, text) {
  const [decimal, thousands] = [text, text.replace(/,(?=\d{3}(?!\d))/g, "")].map(readNumber);
  const [first, second] = [decimal, thousands].map((answer) => judge(prompt, answer));
  const isKnown = first.right || first.idea || first.say;
  return !isKnown && (second.right || second.idea || second.say) ? thousands : decimal;
}
