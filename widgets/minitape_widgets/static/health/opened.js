// @ts-check
// The tape that a click has opened, in the player: one at a time, with a heading that says which step it is, and a
// button that takes it away. The player has a shadow of its own, so it is a neighbour of the view's, shown in its slot.

import { isForeign, make } from "../elements/dom.js";
import { momentOf } from "./tapes.js";

/** @import { Words } from "./words.js" */
/** @import { Tape } from "health" */
/** @typedef {{ show: (element: Element, trace: unknown, isFresh: () => boolean) => () => void }} Players */
/** @typedef {(given: any) => Promise<any>} Unpack */
/** @typedef {Element & { player?: import("../player/player.js").Player }} Host */
/**
 * What is asked for: a tape, a card of it, the measure that was looked at, the layer by its name, and the first and the
 * last step.
 * @typedef {{
 *   tape: Tape, card: number | null, measure: string, layer: string | null, from: number, to: number,
 * }} Asked
 */

const SLOT = "tape";
const GAP = 20; // pixels around the heading, which is seen above the player

/**
 * What the heading says: which step and which layer it is, and where that is not what was asked for.
 * @param {Asked} asked
 * @param {Words} words
 */
function headingOf({ tape, card, layer, from, to }, words) {
  const step = words.whole(tape.step);
  const away = tape.step < from || tape.step > to;
  const asked = { from: words.whole(from), to: words.whole(to), step };
  const notes = [
    away ? words.say(from === to ? "tape.other.one" : "tape.other.many", asked) : "",
    layer !== null && card === null ? words.say("tape.without", { layer }) : "",
  ];
  const title = layer === null ? words.say("tape.title", { step }) : words.say("tape.at", { step, layer });
  return { title, said: notes.filter(Boolean).join(" ") };
}

/**
 * @param {Element} host      the element with the view's shadow
 * @param {Players | (() => Promise<Players>)} players  the front end of players, or what brings it
 * @param {Unpack} unpack
 * @param {() => void} left   called when the learner has closed the tape
 */
export function mountOpened(host, players, unpack, left) {
  const heading = make("p", { class: "health-tape-name", tabindex: -1 });
  const note = make("p", { class: "health-tape-note" });
  const close = make("button", { type: "button", class: "chip", on: { click: leave } });
  const top = make("div", { class: "health-tape-top" }, make("div", {}, heading, note), close);
  const root = make("section", { class: "health-tape", hidden: true }, top, make("slot", { name: SLOT }));
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || isForeign(event)) return;
    event.preventDefault();
    leave();
  });
  let turn = 0;
  /** @type {() => void} */
  let away = () => {};

  /** @param {string} said */
  function tell(said) {
    note.textContent = said;
    note.hidden = !said;
  }

  function shut() {
    turn += 1;
    away();
    away = () => {};
    root.hidden = true;
  }

  function leave() {
    shut();
    left();
  }

  /**
   * Opens a tape in the place of the one before; it comes into view, and the focus goes to its heading.
   * @param {Asked} asked
   * @param {Words} words
   */
  async function open(asked, words) {
    const { tape, card, measure } = asked;
    const { title, said } = headingOf(asked, words);
    shut();
    const mine = turn;
    close.textContent = words.say("tape.close");
    root.setAttribute("aria-label", words.say("tape.name"));
    heading.textContent = title;
    tell(said);
    root.hidden = false;
    const place = make("div", { slot: SLOT });
    away = () => place.remove();
    host.append(place);
    /** @type {[Players | null, any]} */
    const [front, trace] = await Promise.all([
      typeof players === "function" ? players().catch(() => null) : players,
      unpack(tape.trace).catch(() => null),
    ]);
    if (mine !== turn) return;
    if (!front) {
      tell(words.say("tape.nowhere"));
    } else {
      const options = { above: top.offsetHeight + GAP };
      const take = front.show(place, { storyboard: trace?.storyboard, options }, () => false);
      away = () => {
        take();
        place.remove();
      };
      const player = /** @type {Host | null} */ (place.querySelector(".minitape"))?.player;
      const moment = player ? momentOf(player.board, card, measure) : null;
      if (player && card !== null && moment !== null) player.look(moment, card);
    }
    heading.focus({ preventScroll: true });
    root.scrollIntoView({ block: "nearest" });
  }

  return { root, open, shut };
}
