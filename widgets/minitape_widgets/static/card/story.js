// @ts-check
// What an answer uncovers: why, what to write instead, and both plays at the cut.

import { show as showTrace } from "../deliveries.js";
import { make, prose } from "../elements/dom.js";
import { roomOf } from "../player/layout.js";

/** @import { Own } from "./card.js" */

const LEAST = 258; // pixels for the two plays

/** @param {Own} own */
export function drawStory(own) {
  const { card, play, parts } = own;
  const { root, story, stage } = parts;
  own.leave();
  own.leave = () => {};
  stage.replaceChildren();
  story.replaceChildren();
  if (!own.solved) return;
  story.append(...columnsOf(card));
  const room = Math.max(LEAST, roomOf() - root.offsetHeight); // what is left of one screen
  if (play) own.leave = showTrace(stage, { ...play, options: { ...play.options, room } }, () => false);
}

/** What is told, side by side; whoever wants more of it opens the last. @param {any} card */
function columnsOf({ words, told, rule, symptom, bites }) {
  /** @type {(name: string, ...text: any[]) => HTMLElement} */
  const line = (name, ...text) => make("p", {}, make("strong", { text: words[name] }), " ", ...text);
  const place = told?.place ? make("span", { class: "fine", text: ` (${told.place})` }) : "";
  const more = make("details", {}, make("summary", { text: words["more-about"] }));
  const why = told ? [line("why", prose(told.why), place)] : [];
  const instead = told?.fix ? [line("instead", prose(told.fix))] : [];
  const texts = [why, instead, [line("rule", prose(rule))]].filter((lines) => lines.length);
  texts[texts.length - 1].push(more);
  const columns = texts.map((lines) => make("div", {}, lines));
  // More text is wider: all are equally high.
  for (const one of columns) one.style.flexGrow = String(one.textContent?.length);
  more.append(line("symptom", prose(symptom)), line("bites", prose(bites)));
  return columns;
}
