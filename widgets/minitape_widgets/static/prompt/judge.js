// @ts-check
// Judging an answer. A wrong one is told the idea behind it, since the storyboard knows what each misconception would
// have answered.

/** @import { Params, Prompt } from "storyboard" */
/** @typedef {string | number | null} Answer */
/** @typedef {{ right: boolean, idea?: string | null, say?: string | null, params?: Params }} Verdict */

const MOST = 0.05; // of an answer below 1, where no more is asked for: what is near to 0.001 is not 0

/**
 * How far an answer is from another one; Infinity where it is not near enough to be taken for it. The tolerance is
 * relative, absolute below 1. The exercises judge by the same rule: minitape/exercises/number.py.
 * @type {(given: Answer, other: Answer, tolerance: number) => number}
 */
export function distance(given, other, tolerance) {
  if (String(given).trim() === "") return Infinity; // nothing is not zero
  const a = Number(given);
  const b = Number(other);
  if (Number.isNaN(a) || Number.isNaN(b))
    return String(given).trim().toLowerCase() === String(other).trim().toLowerCase() ? 0 : Infinity;
  const [off, size] = [Math.abs(a - b), Math.abs(b)];
  const near = off <= tolerance * Math.max(1, size) && (!b || off <= Math.max(MOST, tolerance) * size);
  return a === b ? 0 : near ? off : Infinity;
}

/**
 * Judges an answer: of all that it is near to, the nearest counts. idea is a key of the catalogue (say: the sentence
 * itself), null where the mistake is not a known one.
 * @param {Prompt} prompt
 * @param {Answer} answer
 * @returns {Verdict}
 */
export function judge(prompt, answer) {
  const sign = prompt.kind === "sign";
  /** @type {(other: Answer) => number} */
  const off = (other) => {
    if (sign) return Number(answer) === Number(other) ? 0 : Infinity;
    return distance(answer, other, prompt.tolerance || 0);
  };
  const away = (prompt.choices || [])
    .filter((choice) => choice.idea || choice.say)
    .map((choice) => ({
      choice,
      by: off((sign ? choice.sign : prompt.kind === "card" ? choice.card : choice.text) ?? NaN),
    }));
  const nearest = Math.min(Infinity, ...away.map(({ by }) => by));
  const right = off(sign ? Math.sign(Number(prompt.answer)) : prompt.answer);
  if (right < Infinity && right <= nearest) return { right: true, idea: prompt.right || null, say: prompt.say };
  const isFurther = nearest > Math.abs(Number(answer) - Number(prompt.answer)); // than the right one: no known mistake
  const known = away.find(({ by }) => by < Infinity && by === nearest && (sign || !isFurther))?.choice;
  return { right: false, idea: known?.idea ?? null, say: known?.say ?? null, params: known?.params };
}

/** @param {string} text */
const readDecimal = (text) =>
  text
    .trim()
    .replace(/\u2212/g, "-")
    .replace(/^-?\d{1,3}(\s\d{3})+(?=$|[.,]\d*$)/, (all) => all.replace(/\s/g, ""))
    .replace(/^(-?\d*),(\d+)$/, "$1.$2");

/**
 * A number as a learner may write it: a comma, a proper minus sign, spaces between thousands, a fraction are
 * understood.
 * @param {string} text
 */
export function readNumber(text) {
  const parts = text.split("/").map(readDecimal);
  const isFraction = parts.length === 2 && parts.every((part) => part && !Number.isNaN(Number(part)));
  return isFraction ? String(Number(parts[0]) / Number(parts[1])) : readDecimal(text);
}

/**
 * The number that was written to a prompt. A comma may stand before decimals or between thousands: it is taken for the
 * second where this says more, a right answer before a known mistake. "0,125" and "1234,500" have no thousands.
 * @type {(prompt: Prompt, text: string) => string}
 */
export function readAnswer(prompt, text) {
  const between = /^[-\u2212]?[1-9]\d{0,2}(,\d{3})+(?=$|\.)/;
  const both = [text, text.trim().replace(between, (all) => all.replace(/,/g, ""))].map(readNumber);
  const [first, second] = both.map((answer) => {
    const { right, idea, say } = judge(prompt, answer);
    return right ? 2 : idea || say ? 1 : 0;
  });
  return both[Number(second > first)];
}
