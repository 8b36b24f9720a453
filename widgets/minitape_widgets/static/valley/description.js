// @ts-check
// What is said of a point on its way down, without a page: its numbers, the step that led to it, and where the walk
// left the picture.

import { briefText } from "../held/steps.js";
import { leaves } from "./walks.js";

/** @import { Valley } from "storyboard" */
/** @typedef {(key: string, parameters?: Record<string, unknown>) => string} Say */

/**
 * Describes the walk at a rate, k steps on.
 * @param {Valley} valley
 * @param {Say} say
 */
export function describerOf(valley, say) {
  const { names, steps, rates, walks } = valley;
  const loss = say("loss");
  const count = names.length;
  const named = [...names, loss, ...names.map((one) => `d${loss}/d${one}`)];
  /** @type {(point: number[], from?: number, to?: number) => string} */
  const numbers = (point, from = 0, to = count + 1) =>
    named
      .map((one, i) => one + " = " + briefText(point[i]))
      .slice(from, to)
      .join(", ");

  /** @type {(rate: number, k: number) => { lines: string[], steps: string, away: string, picture: string }} */
  return (rate, k) => {
    const { points, end } = walks[rate];
    const now = points[k];
    const parameters = { rate: String(rates[rate]), count: steps, step: k };
    const lines = [numbers(now), numbers(now, count + 1, 2 * count + 1)];
    if (k)
      names.forEach((one, i) => {
        const [was, slope] = [points[k - 1][i], points[k - 1][count + 1 + i]].map(briefText);
        const put = slope.startsWith("\u2212") ? `(${slope})` : slope;
        lines.push(say("went", { ...parameters, name: one, was, slope: put, now: briefText(now[i]) }));
      });
    const out = leaves(valley, rate);
    const over = k === points.length - 1 && end ? " " + say("end", { end }) : "";
    const gone = out >= 0 && k >= out ? say("left", { ...parameters, step: out, at: numbers(points[out]) }) : "";
    const picture = say("picture", { ...parameters, count: k, at: lines.slice(0, 2).join(", ") });
    return { lines, steps: say("steps", parameters), away: gone + over, picture };
  };
}
