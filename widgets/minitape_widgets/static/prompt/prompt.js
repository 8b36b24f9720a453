// @ts-check
// Predict before reveal. The player stops before a chosen act and asks for one number, one sign, one card or one
// choice.

import { make, prose } from "../elements/dom.js";
import { icon } from "../elements/icons.js";
import { waysToAnswer } from "./answers.js";
import { hintsTo, reply } from "./hints.js";
import { judge } from "./judge.js";

/** @import { Index, Prompt, Storyboard } from "storyboard" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Answer } from "./judge.js" */
/** @typedef {{ prompt: Prompt, said: Set<string>, feedback: HTMLElement }} Asked a question that is open, what was said
 * to wrong answers, and where it is said */

/**
 * Says whether an answer is right, and the idea behind a wrong one.
 * @type {(board: Storyboard, words: Words, asked: Asked, answer: Answer, written: string) => boolean}
 */
function tellVerdict(board, words, { prompt, said, feedback }, answer, written) {
  const { right, say, idea, params } = judge(prompt, answer);
  const known = say || (idea ? words.say(idea, { ...prompt.params, ...params }) : "");
  const hints = hintsTo(prompt, answer, written, board.cards.length);
  const text = right
    ? known
    : reply(
        known,
        hints.map(({ key, parameters, text }) => text ?? words.say(key, parameters)),
        said,
      );
  const verdict = words.say(right ? "ui.prompt.right" : "ui.prompt.wrong") + " ";
  feedback.className = "feedback " + (right ? "right" : "wrong");
  feedback.replaceChildren(
    icon(right ? "check" : "close"),
    make("strong", { text: verdict }),
    make("span", {}, prose(text)),
  );
  return right;
}

/** @type {(words: Words, asked: Asked) => void} */
function tellAnswer(words, { prompt, feedback }) {
  const text = prompt.answer + (prompt.say ? ". " + prompt.say : "");
  feedback.className = "feedback";
  feedback.replaceChildren(
    make("strong", { text: words.say("ui.prompt.answer") + " " }),
    make("span", {}, prose(text)),
  );
}

/**
 * The panel that asks.
 * @param {Storyboard} board
 * @param {Words} words
 * @param {((k: number) => void) | null} go  shows the act that was asked about
 * @param {() => void} [changed]  hears that the panel has opened or closed
 */
export function promptPanel(board, words, go, changed = () => {}) {
  const root = make("div", { class: "prompt", hidden: true, role: "group", "aria-label": words.say("ui.prompt") });
  /** @type {Map<number, boolean>} frame -> whether the question is done: of this player, not of the storyboard */
  const done = new Map();
  /** @type {Prompt | null} */
  let open = null;
  /** @type {((card: Index) => void) | null} */
  let answerCard = null;

  /** @type {(kind: string, key: string, click: () => void) => HTMLElement} */
  const button = (kind, key, click) => make("button", { type: "button", class: kind, on: { click } }, words.say(key));

  /**
   * Asks, and returns the element that takes the focus.
   * @param {Prompt} prompt
   */
  function ask(prompt) {
    if (open === prompt) return;
    open = prompt;
    const text = prompt.question || words.say(prompt.key, prompt.params || {});
    const feedback = make("div", { class: "feedback", role: "status", "aria-live": "polite" });
    const asked = { prompt, said: new Set(), feedback };
    const next = button("primary", "ui.prompt.continue", finish);
    next.hidden = true;
    const show = button("text-button", "ui.prompt.show", () => reveal(asked));
    const ways = waysToAnswer(prompt, words, (answer, text = String(answer)) => {
      const right = tellVerdict(board, words, asked, answer, text);
      done.set(prompt.frame, right);
      next.hidden = !right || !go;
      show.hidden = right;
      if (right && go) next.focus({ preventScroll: true });
      root.scrollTop = root.scrollHeight; // in the inspector's place the panel itself scrolls, never the page
    });
    answerCard = ways.takeCard || null;
    root.replaceChildren(
      make("div", { class: "prompt-sign", text: words.say("ui.prompt") }),
      make("div", { class: "question" }, prose(text)),
      prompt.code ? make("pre", { class: "asked-code", tabindex: "0", text: prompt.code.trimEnd() }) : "",
      make("div", { class: "controls" }, ways.elements, next, show),
      feedback,
    );
    root.hidden = false;
    changed();
    return ways.first;
  }

  /** Gives the answer away: the play shows it; a question of its own says it. @param {Asked} asked */
  function reveal(asked) {
    done.set(asked.prompt.frame, true);
    if (go) return finish();
    tellAnswer(words, asked);
  }

  function finish() {
    const frame = open ? open.frame : 0;
    dismiss();
    if (go) go(frame + 1);
  }

  function dismiss() {
    open = null;
    answerCard = null;
    root.hidden = true;
    root.replaceChildren();
    changed();
  }

  /**
   * A chosen card is the answer while a card is asked for.
   * @param {Index} card
   */
  function takeCard(card) {
    if (!open || !answerCard) return false;
    answerCard(card);
    return true;
  }

  /**
   * The prompt that stands before the act frames[k], if it was not answered yet.
   * @param {number} k
   */
  function waiting(k) {
    const prompt = words.index.promptAt.get(k);
    return prompt && !done.get(prompt.frame) ? prompt : null;
  }

  return {
    root,
    ask,
    dismiss,
    takeCard,
    waiting,
    get open() {
      return open;
    },
  };
}
