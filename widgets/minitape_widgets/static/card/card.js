// @ts-check
// One card of the gallery: two programs with what differs marked in both, a question, and, once it is answered, what
// happened: why, what to write instead, and both plays at the cut. Whoever answers wrongly is told the idea behind it
// and may try once more before anything is uncovered. With a kernel the programs can be changed and run again.

import { isIdle } from "../code/line.js";
import { show as showTrace } from "../deliveries.js";
import { isForeign, make, prose } from "../elements/dom.js";
import { icon } from "../elements/icons.js";
import { watchTheme } from "../elements/theme.js";
import { roomOf } from "../player/layout.js";
import { programOf } from "./program.js";

/**
 * What a card asks of anywidget's model.
 * @typedef {{ get: (name: string) => any, send: (message: unknown) => void, on: Function, off: Function }} Kernel
 */

const TRIES = 2;
const LEAST = 258; // pixels for the two plays
const SIDES = ["broken", "fixed"];

/**
 * @param {Element} host
 * @param {any} given  {card, play}, as pitfalls/gallery.py makes it
 * @param {Kernel | null} kernel
 */
export function mountCard(host, given, kernel) {
  let { card, play } = given;
  let words = card.words;
  let editing = false;
  let solved = false;
  /** @type {number[]} the wrong choices so far */
  let tried = [];
  let last = -1; // what was chosen last
  let leave = () => {};

  const root = make("div", { class: "player pitfall", role: "group", "aria-label": words.card });
  const head = make("div", { class: "card-head" });
  const programs = make("div", { class: "programs", role: "group", "aria-label": words.programs });
  const asked = make("div", { class: "asked" });
  const feedback = make("div", { class: "feedback", role: "status", "aria-live": "polite" });
  const notes = make("div", { class: "card-notes", role: "status" });
  const story = make("div", { class: "story" });
  const stage = make("div", { class: "card-stage" });
  root.append(head, programs, notes, asked, feedback, story, stage);
  root.addEventListener("keydown", (event) => {
    if (!isForeign(event) && event.key !== "Tab") event.stopPropagation();
    if (event.key === "Enter" && event.ctrlKey && editing) runBoth();
  });
  host.append(root);
  const unwatch = watchTheme(host, root);
  drawAll();

  function drawAll() {
    drawHead();
    drawPrograms();
    drawQuestion();
    drawAnswer();
  }

  function drawHead() {
    const tools = editing
      ? [button("again", "primary", runBoth), button("reset", "text-button", reset)]
      : [button("edit", "text-button", edit)];
    head.replaceChildren(
      make("div", { class: "card-title" }, prose(card.title)),
      ...(kernel ? [make("span", { class: "card-tools" }, tools)] : []),
    );
  }

  function drawPrograms() {
    const names = [words.broken, words.mended];
    programs.replaceChildren(
      ...[0, 1].map((i) => {
        const name = make("div", { class: "pair-name " + SIDES[i] }, names[i], answerOf(i));
        const rows = Math.max(...card.codes.map((/** @type {string} */ code) => code.split("\n").length));
        const about = { class: "editor", spellcheck: "false", rows: rows + 1, wrap: "off", "aria-label": names[i] };
        const field = () => Object.assign(make("textarea", about), { value: card.codes[i] });
        const program = () => programOf(card.codes[i], card.marks[i], SIDES[i], names[i]);
        return make("div", { class: "program" }, name, editing ? field() : program());
      }),
    );
    notes.replaceChildren(
      ...card.notes.flatMap((/** @type {[string, string]} */ [text, printed]) => [
        make("p", {}, prose(text)),
        ...(printed ? [make("pre", { class: "printed", tabindex: "0", text: printed })] : []),
      ]),
    );
  }

  /** @param {number} i */
  function answerOf(i) {
    if (!solved) return null;
    const [verb, value] = card.answers[i];
    return make("span", { class: "card-answer" }, prose(verb), " ", make("strong", { text: value }));
  }

  function drawQuestion() {
    const choices = card.choices.map((/** @type {{ text: string }} */ { text }, /** @type {number} */ k) => {
      const right = solved && k === card.right;
      const shown = right ? "option right" : tried.includes(k) ? "option gone" : "option";
      const about = {
        type: "button",
        class: shown,
        disabled: solved || tried.includes(k),
        on: { click: () => choose(k) },
      };
      return make("button", about, text, right ? icon("check") : tried.includes(k) ? icon("close") : null);
    });
    asked.replaceChildren(
      make("span", { class: "question" }, prose(card.question)),
      ...choices,
      ...(solved ? [] : [button("show", "text-button", () => reveal())]),
    );
  }

  /** @param {number} k */
  function choose(k) {
    last = k;
    const right = k === card.right;
    if (!right) tried.push(k);
    if (right || tried.length >= TRIES) return reveal();
    drawQuestion();
    say();
    /** @type {HTMLElement} */ (asked.querySelector("button:not(:disabled)")).focus();
  }

  /** Says what the chosen answer means. */
  function say() {
    if (last < 0) return feedback.replaceChildren();
    const right = last === card.right;
    feedback.className = "feedback " + (right ? "right" : "wrong");
    feedback.replaceChildren(
      icon(right ? "check" : "close"),
      make("strong", { text: words[right ? "right" : "wrong"] + " " }),
      make("span", {}, prose(card.choices[last].says), card.first ? [" ", words.changed] : ""),
      ...(right || solved ? [] : [" ", make("span", { class: "fine", text: words.try })]),
    );
  }

  function reveal() {
    solved = true;
    drawPrograms();
    drawQuestion();
    say();
    drawAnswer();
    root.tabIndex = -1;
    root.focus({ preventScroll: true });
    root.scrollIntoView({ block: "nearest" });
  }

  /** What an answer uncovers: why, what to write instead, and both plays at the cut. */
  function drawAnswer() {
    leave();
    leave = () => {};
    stage.replaceChildren();
    story.replaceChildren();
    if (!solved) return;
    const { told } = card;
    /** @type {(name: string, ...text: any[]) => HTMLElement} */
    const line = (name, ...text) => make("p", {}, make("strong", { text: words[name] }), " ", ...text);
    const place = told?.place ? make("span", { class: "fine", text: ` (${told.place})` }) : "";
    const more = make("details", {}, make("summary", { text: words["more-about"] }));
    const why = told ? [line("why", prose(told.why), place)] : [];
    const instead = told?.fix ? [line("instead", prose(told.fix))] : [];
    const texts = [why, instead, [line("rule", prose(card.rule))]].filter((lines) => lines.length);
    texts[texts.length - 1].push(more);
    const columns = texts.map((lines) => make("div", {}, lines));
    // More text is wider: all are equally high.
    for (const one of columns) one.style.flexGrow = String(one.textContent?.length);
    more.append(line("symptom", prose(card.symptom)), line("bites", prose(card.bites)));
    story.append(...columns);
    const room = Math.max(LEAST, roomOf() - root.offsetHeight); // what is left of one screen
    if (play) leave = showTrace(stage, { ...play, options: { ...play.options, room } }, () => false);
  }

  // ---- changing the programs

  const fields = () => [...programs.querySelectorAll("textarea")].map((field) => field.value);

  function edit() {
    editing = true;
    drawHead();
    drawPrograms();
    programs.querySelector("textarea")?.focus();
  }

  function runBoth() {
    root.classList.add("running");
    kernel?.send({ run: fields() });
  }

  function reset() {
    editing = false;
    kernel?.send({ run: card.first || card.codes });
  }

  /**
   * @param {string} name
   * @param {string} look
   * @param {() => void} click
   */
  function button(name, look, click) {
    return make("button", { type: "button", class: look, title: words[name + "-tip"], on: { click } }, words[name]);
  }

  /**
   * Takes what came of other programs, or another card.
   * @param {any} next
   */
  function update(next) {
    const other = next.card.key !== card.key;
    ({ card, play } = next);
    words = card.words;
    root.classList.remove("running");
    if (other) [editing, solved, tried, last] = [false, false, [], -1];
    const isEmpty = card.codes.every((/** @type {string} */ code) => code.split("\n").every(isIdle));
    editing = editing && (isEmpty || Boolean(card.first) || card.notes.length > 0);
    drawAll();
    say();
  }

  function destroy() {
    leave();
    unwatch();
    root.remove();
  }

  return { root, update, destroy };
}
