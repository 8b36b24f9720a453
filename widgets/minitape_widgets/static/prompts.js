// Predict before reveal. The player stops before a chosen act and asks for one number, one sign, one card or one choice. A
// wrong answer is told the idea behind it, since the storyboard knows what each misconception would have answered.

import { icon, make, prose } from "./dom.js";
import { speaker } from "./messages.js";
import { watchTheme } from "./theme.js";

const close = (given, right, tolerance) => {
  const a = Number(given), b = Number(right);
  if (Number.isNaN(a) || Number.isNaN(b)) return String(given).trim().toLowerCase() === String(right).trim().toLowerCase();
  return a === b || Math.abs(a - b) <= (tolerance || 0) * Math.max(1, Math.abs(b));
};

/** Judges an answer: {right, idea, say}; idea is a key of the catalogue (say: the sentence itself), null where the mistake is not a known one. */
export function judge(prompt, given) {
  if (prompt.kind === "sign" ? Number(given) === Math.sign(Number(prompt.answer)) : close(given, prompt.answer, prompt.tolerance)) return { right: true, idea: prompt.right || null, say: prompt.say };
  const known = (prompt.choices || []).find((choice) => (choice.idea || choice.say) &&
    (prompt.kind === "card" ? choice.card === Number(given) : prompt.kind === "sign" ? choice.sign === Number(given) : close(given, choice.text, prompt.tolerance || 1e-6)));
  return { right: false, idea: known ? known.idea : null, say: known ? known.say : null };
}

/** A decimal as a learner may write it: a comma and a proper minus sign are understood. */
const readNumber = (text) => text.trim().replace(/\u2212/g, "-").replace(/^(-?\d*),(\d+)$/, "$1.$2");

/** The panel that asks; `go` shows the act that was asked about, `changed` hears that it has opened or closed. */
export function promptPanel(board, words, go, changed = () => {}) {
  const root = make("div", { class: "prompt", hidden: true, role: "group", "aria-label": words.say("ui.prompt") });
  const answered = new Map();                                  // frame -> {right, tries}: of this player, not of the storyboard
  let open = null, answerCard = null;

  function ask(prompt) {
    if (open === prompt) return;
    open = prompt;
    const name = "choice-" + prompt.frame;
    const question = make("div", { class: "question" }, prose(prompt.question || words.say(prompt.key, prompt.params || {})));
    const feedback = make("div", { class: "feedback", role: "status", "aria-live": "polite" });
    const next = make("button", { type: "button", class: "primary", hidden: true, on: { click: finish } }, words.say("ui.prompt.continue"));
    const show = make("button", { type: "button", class: "text-button", on: { click: reveal } }, words.say("ui.prompt.show"));
    let first = null;

    /** What is said to a mistake that no known idea stands behind. */
    function hint(prompt, given) {
      if (prompt.kind !== "card") return words.say(prompt.question ? "ui.prompt.once" : "ui.prompt.again");
      return board.cards[given] ? words.say("ui.prompt.card.order") : words.say("ui.prompt.card.missing", { card: Number.isNaN(given) ? "?" : given + 1, count: board.cards.length });
    }

    function answer(given) {
      if (given === "" || given === null || given === undefined) return;
      const verdict = judge(prompt, given), before = answered.get(prompt.frame) || { tries: 0 };
      answered.set(prompt.frame, { right: verdict.right, tries: before.tries + 1 });
      feedback.className = "feedback " + (verdict.right ? "right" : "wrong");
      const text = verdict.say ? verdict.say : verdict.idea ? words.say(verdict.idea, prompt.params || {}) : "";
      feedback.replaceChildren(icon(verdict.right ? "check" : "close"), make("strong", { text: words.say(verdict.right ? "ui.prompt.right" : "ui.prompt.wrong") + " " }),
        make("span", {}, prose(text || (verdict.right ? "" : hint(prompt, given)))));
      next.hidden = !verdict.right || !go;
      show.hidden = verdict.right;
      if (verdict.right && go) next.focus({ preventScroll: true });
      root.scrollTop = root.scrollHeight;                      // in the inspector's place the panel itself scrolls, never the page
    }

    /** Gives the answer away: the play shows it; a question of its own says it. */
    function reveal() {
      answered.set(prompt.frame, { right: false, shown: true });
      if (go) return finish();
      feedback.className = "feedback";
      feedback.replaceChildren(make("strong", { text: words.say("ui.prompt.answer") + " " }), make("span", {}, prose(prompt.answer + (prompt.say ? ". " + prompt.say : ""))));
    }

    let controls;
    if (prompt.kind === "number") {
      const input = make("input", { type: "text", inputmode: "decimal", class: "answer", "aria-label": words.say("ui.prompt.number"), autocomplete: "off", size: "10",
        on: { keydown: (event) => { if (event.key === "Enter") { event.preventDefault(); answer(readNumber(input.value)); } } } });
      first = input;
      controls = [input, make("button", { type: "button", class: "primary", on: { click: () => answer(readNumber(input.value)) } }, words.say("ui.prompt.check"))];
    } else if (prompt.kind === "sign") {
      const signs = (prompt.choices || []).filter((choice) => choice.sign !== undefined).map((choice) => [choice.sign, choice.text]);
      const ways = signs.length ? signs : [[-1, "ui.sign.minus"], [0, "ui.sign.zero"], [1, "ui.sign.plus"]].map(([sign, key]) => [sign, words.say(key)]);
      controls = ways.map(([sign, text]) => make("button", { type: "button", class: "option", text, on: { click: () => answer(sign) } }));
      first = controls[0];
    } else if (prompt.kind === "card") {
      const input = make("input", { type: "text", inputmode: "numeric", class: "answer", "aria-label": words.say("ui.prompt.card"), size: "4", autocomplete: "off",
        on: { keydown: (event) => { if (event.key === "Enter") { event.preventDefault(); answer(Number(input.value) - 1); } } } });
      first = input;
      answerCard = (card) => { input.value = card + 1; answer(card); };
      controls = [make("span", { class: "fine", text: words.say("ui.prompt.card.hint") }), input,
        make("button", { type: "button", class: "primary", on: { click: () => input.value && answer(Number(input.value) - 1) } }, words.say("ui.prompt.check"))];
    } else {
      controls = (prompt.choices || []).map((choice) => make("button", { type: "button", class: "option", name, text: choice.text, on: { click: () => answer(choice.text) } }));
      first = controls[0];
    }
    root.replaceChildren(make("div", { class: "prompt-sign", text: words.say("ui.prompt") }), question, make("div", { class: "controls" }, controls, next, show), feedback);
    root.hidden = false;
    changed();
    return first;
  }

  function finish() {
    const frame = open.frame;
    dismiss();
    go(frame + 1);
  }
  function dismiss() { open = null; answerCard = null; root.hidden = true; root.replaceChildren(); changed(); }

  return {
    root, ask, dismiss, answered,
    get open() { return open; },
    /** A chosen card is the answer while a card is asked for. */
    takeCard(card) { if (open && answerCard) { answerCard(card); return true; } return false; },
    /** The prompt that stands before the act frames[k], if it was not answered yet. */
    waiting(k) {
      const prompt = words.index.promptAt.get(k);
      const done = prompt && answered.get(prompt.frame);
      return prompt && !(done && (done.right || done.shown)) ? prompt : null;
    },
  };
}

/** A question of its own, between the cells of a lesson: the same panel, without a play behind it. */
export function mountQuestion(host, question, catalogue) {
  const board = { prompts: [], frames: [], edges: [], notes: [], cards: [], tapes: [] };
  const panel = promptPanel(board, speaker(board, catalogue), null);
  const root = make("div", { class: "player asking", role: "group", "aria-label": catalogue["ui.prompt"] }, panel.root);
  root.addEventListener("keydown", (event) => { if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== "Tab") event.stopPropagation(); });
  host.append(root);
  panel.ask({ frame: 0, ...question });
  const unwatch = watchTheme(host, root);
  return { root, panel, k: 0, total: 0, go() {}, step() {}, destroy() { unwatch(); root.remove(); } };
}
