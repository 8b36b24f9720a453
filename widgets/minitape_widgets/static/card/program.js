// @ts-check
// The programs of a card, drawn as the player draws code, with the stretches marked that the other one has not, or as
// fields in which they are changed; each with its answer, once that is known, and under both what they printed.

import { fillLine, hangOf, tokensOf } from "../code/line.js";
import { make, prose } from "../elements/dom.js";
import { CARD } from "../schemas.js";

/** @import { Own } from "./card.js" */
/** @typedef {[line: number, start: number, end: number]} Mark */

const SIDES = ["broken", "fixed"];

/**
 * @param {string} code
 * @param {Mark[]} marks
 * @param {string} side  "broken" or "fixed"
 * @param {string} name
 */
function programOf(code, marks, side, name) {
  const lines = code.split("\n").map((line, i) => {
    const text = make("span", { class: "text", style: `--hang: ${hangOf(line)}ch` });
    const here = marks.filter(([number]) => number === i + 1);
    fillLine(
      text,
      line,
      tokensOf(line),
      here.map(([, start, end]) => [start, end, side]),
    );
    const gutter = make(
      "span",
      { class: "gutter", "aria-hidden": "true" },
      make("span", { class: "number", text: String(i + 1) }),
    );
    return make("div", { class: here.length ? "line here" : "line" }, gutter, text);
  });
  return make("div", { class: "listing", role: "group", "aria-label": name }, lines);
}

/** @type {(own: Own, i: number) => HTMLElement | null} */
function answerOf({ card, solved }, i) {
  if (!solved) return null;
  const [verb, value] = card.answers[i];
  return make("span", { class: "card-answer" }, prose(verb), " ", make("strong", { text: value }));
}

/** @param {Own} own */
export function drawPrograms(own) {
  const { card, editing, parts } = own;
  const names = [card.words.broken, card.words.mended];
  parts.programs.replaceChildren(
    ...[0, 1].map((i) => {
      const name = make("div", { class: "pair-name " + SIDES[i] }, names[i], answerOf(own, i));
      const rows = Math.max(...card.codes.map((/** @type {string} */ code) => code.split("\n").length));
      const how = { class: "editor", spellcheck: "false", wrap: "off", maxlength: CARD.$defs.code.maxLength };
      const about = { ...how, rows: rows + 1, "aria-label": names[i] };
      const field = () => Object.assign(make("textarea", about), { value: card.codes[i] });
      const program = () => programOf(card.codes[i], card.marks[i], SIDES[i], names[i]);
      return make("div", { class: "program" }, name, editing ? field() : program());
    }),
  );
  parts.notes.replaceChildren(
    ...card.notes.flatMap((/** @type {[string, string]} */ [text, printed]) => [
      make("p", {}, prose(text)),
      ...(printed ? [make("pre", { class: "printed", tabindex: "0", text: printed })] : []),
    ]),
  );
}
