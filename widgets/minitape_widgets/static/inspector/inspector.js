// @ts-check
// The inspector: everything that is known about one card or one node. It follows the current act until the learner
// chooses something; then it stays there until they let go.

import { assign, make, renew } from "../elements/dom.js";
import { glanceIn, numbersIn } from "../elements/glance.js";
import { foldButton, icon } from "../elements/icons.js";
import { valueInline } from "../elements/tiles.js";
import { fieldsPane } from "../held/fields.js";
import { nudgePane } from "../held/nudge.js";
import { given } from "../storyboard/lookup.js";
import { answerName, nodeNames } from "../storyboard/sentences.js";
import { adjointOf } from "../storyboard/state.js";
import { cardFacts, nodeFacts } from "./facts.js";
import { known, row, table } from "./rows.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Choose, Selection, Stage } from "player" */
/** @import { Held } from "../held/held.js" */
/** @import { Words } from "../storyboard/sentences.js" */

const ANSWERS = 12; // shown at once
const ROWS = "tr, .inspector-title, .held label, .equation, summary";

/**
 * The multiplication of this moment, spelled out: part = adjoint × local derivative.
 * @type {(board: Storyboard, words: Words, stage: Stage) => HTMLElement | string}
 */
function equation(board, words, stage) {
  const frame = stage.frame;
  if (!frame || frame.act !== "part") return "";
  const { outputs, formula } = board.cards[frame.card];
  const above = adjointOf(stage, outputs[0]).value;
  const summed = frame.key === "part.stretched" ? "Σ " : "";
  const rule = frame.key !== "part.plain" && (formula || [])[frame.input];
  if (!known(frame.local) && !rule) return ""; // nobody knows how it was made
  const product =
    known(frame.local) && above >= 0
      ? [
          summed,
          valueInline(board.values[above], "is-adjoint"),
          " × ",
          valueInline(board.values[frame.local], "is-local"),
        ]
      : make("code", { class: "formula", text: rule || "" });
  /** @type {(kind: string, name: string) => HTMLElement} */
  const word = (kind, name) => make("span", { class: "is-" + kind, text: words.say("ui." + name) });
  const part = valueInline(board.values[frame.value], "is-adjoint");
  const numbers = make(
    "div",
    { class: "equation-numbers" },
    make("span", { class: "is-result" }, part),
    " = ",
    product,
  );
  const said = [word("adjoint", "part"), " = ", word("adjoint", "adjoint"), " × ", word("local", "local")];
  return make("div", { class: "equation" }, said, numbers);
}

/**
 * With nothing at hand: the answers so far, else what to do.
 * @type {(board: Storyboard, words: Words, stage: Stage) => HTMLElement}
 */
function answers(board, words, stage) {
  if (!stage.results.length) return make("p", { class: "fine", text: words.say("ui.inspector.empty") });
  const latest = stage.results.slice(-ANSWERS).sort((a, b) => b.pass - a.pass); // the last play first
  const rows = latest.map(({ pass, node, value }) => {
    const { targets, frames } = board.passes[pass];
    const chapter = board.chapters.length > 1 && board.chapters.findLast((begun) => begun.frame <= frames[0]);
    const of = chapter ? chapter.title + ": " : "";
    const label = of + nodeNames(board, targets) + " → " + answerName(board, node);
    const none = make("strong", { class: "is-cut", text: "None" });
    return row(label, known(value) ? valueInline(board.values[value], "is-adjoint") : none);
  });
  const title = make("div", { class: "inspector-title", text: words.say("ui.answers") });
  return make("div", { class: "answers" }, title, table(rows));
}

/**
 * What the inspector is about: what the learner chose, else what the current act stands on.
 * @type {(stage: Stage, chosen: Selection) => Selection}
 */
function subjectOf({ current }, chosen) {
  if (isThing(chosen)) return chosen;
  if (current.card >= 0) return { card: current.card };
  return current.node >= 0 ? { node: current.node } : null;
}

/** @type {(chosen: Selection) => boolean} a card or a node; a note is no thing */
const isThing = (chosen) => chosen !== null && (chosen.card !== undefined || chosen.node !== undefined);

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 * @param {() => void} toggle  called when the learner folds the pane away or opens it again
 * @param {Held | null} held
 */
export function inspectorPane(board, words, choose, toggle, held) {
  const name = words.say("ui.inspector");
  const body = make("div", { class: "inspector-body", tabindex: "0", role: "group", "aria-label": name });
  const letGo = { type: "button", class: "text-button", hidden: true, on: { click: () => choose(null) } };
  const follow = words.say("ui.inspector.follow");
  const release = make("button", { ...letGo, title: follow }, icon("close"), make("span", { text: follow }));
  const fold = foldButton("fold-button", name, () => toggle());
  const top = make("div", { class: "pane-name" }, fold.button, release);
  const nudge = held && nudgePane(board, words, held);
  const box = make("div", { class: "inspector-box" }, top, body, nudge?.root);
  const root = make("div", { class: "pane inspector", "data-pane": "inspector" }, box);
  glanceIn(root, "[data-numbers]", numbersIn);
  const head = make("div");
  const rest = make("div", { class: "inspector-rest" });
  const fields = held && fieldsPane(board, words, held);
  body.append(...[head, fields?.root, rest].filter(given));
  const sizes = new ResizeObserver(endWhole);
  for (const part of [body, head, rest]) sizes.observe(part);
  for (const part of [box, body]) part.addEventListener("scroll", endWhole, { passive: true });
  let drawn = "";
  let about = "";
  let keptOpen = false;
  let below = false; // whether the facts lie under what is seen
  /** @type {[Stage, Selection] | null} */
  let last = null;

  /**
   * @param {Stage} stage
   * @param {Selection} chosen
   */
  function update(stage, chosen) {
    last = [stage, chosen];
    if (body.hidden && !held?.nudged) return; // folded away it is drawn when it is opened
    const subject = subjectOf(stage, chosen);
    assign(release, "hidden", !isThing(chosen));
    const now = JSON.stringify([subject, chosen]) + stage.k; // the play may stand where one has chosen
    const key = now + "|" + held?.revision;
    if (key === drawn) return;
    const again = now === about;
    const waits = again && below && held?.hurries;
    about = now;
    drawn = waits ? "" : key;
    fields?.update(subject?.node ?? null);
    nudge?.update(chosen?.node ?? null); // what one only passes by has no say in how the pane is divided
    if (waits) return;
    const before = /** @type {HTMLDetailsElement | null} */ (body.querySelector(".kept"));
    if (before) keptOpen = before.open; // opened once, it stays open from act to act
    if (!subject) {
      head.replaceChildren(answers(board, words, stage));
      rest.replaceChildren();
      return begin();
    }
    const told = { board, words, choose };
    const { heading, rows, kept } =
      subject.card !== undefined ? cardFacts(told, subject.card, stage) : nodeFacts(told, subject.node ?? 0, stage);
    const summary = make("summary", { text: words.say("ui.kept") });
    /** @type {(part: Element, ...children: (Node | string)[]) => void} */
    const put = again ? renew : (part, ...children) => part.replaceChildren(...children);
    put(head, make("div", { class: "inspector-title", text: heading }), chosen ? "" : equation(board, words, stage));
    put(rest, table(rows), kept ? make("details", { class: "kept", open: keptOpen }, summary, kept) : "");
    if (!again) begin(); // other rows may be as high as those before
  }

  function begin() {
    box.scrollTop = body.scrollTop = 0; // in a narrow pane all of it scrolls
    endWhole();
  }

  /** What would be cut at the lower end is not begun there, until one scrolls; and no heading stands alone. */
  function endWhole() {
    const end = box.getBoundingClientRect().bottom;
    const rows = [...body.querySelectorAll(ROWS)];
    /** @type {(row: Element | undefined) => boolean} */
    const isCut = (row) => row !== undefined && row.getBoundingClientRect().bottom > end + 1;
    const scrolled = box.scrollTop > 0 || body.scrollTop > 0;
    if (!scrolled) {
      body.classList.remove("headless");
      body.classList.toggle("headless", isCut(rows[1]));
    }
    const cut = scrolled ? null : rows.slice(2).find(isCut); // the first row is begun in any case
    const less = cut && body.getBoundingClientRect().bottom - cut.getBoundingClientRect().top;
    below = rest.getBoundingClientRect().top >= (cut ? cut.getBoundingClientRect().top : end);
    body.style.clipPath = less ? `inset(0 0 ${Math.ceil(less)}px)` : ""; // no line of a border is left
  }

  /** @param {boolean} folded */
  function setFolded(folded) {
    root.classList.toggle("folded", folded);
    body.hidden = folded;
    fold.show(!folded);
    if (!folded && last) update(...last);
  }

  /** Whether it shows the curve of a number in the learner's hands. */
  const isLarge = () => nudge?.root.matches("[data-large]:not([hidden])") ?? false;

  return { root, update, setFolded, isLarge };
}
