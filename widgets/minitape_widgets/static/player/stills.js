// @ts-check
// On paper nothing moves. What becomes of a small array's numbers, stretched, copied, folded into one or met by a row,
// stands below a player that is printed, each act in a row of stills.

import { make } from "../elements/dom.js";
import { frozenAt } from "../elements/motion.js";
import { graphPane } from "../graph/graph.js";
import { taughtBy } from "../replay/origins.js";
import { stateAt } from "../storyboard/state.js";

/** @import { Index } from "storyboard" */
/** @import { Own } from "./shown.js" */
/** @typedef {{ k: number, nodes: Index[] }} Shown an act, and the boxes that it is about */

const TIMES = [100, 300, 500]; // of an act's 600 milliseconds
const LONG = 400; // acts: a longer play is no handout

/**
 * The first act of each kind that moves an array's numbers, of those that were seen: the others are yet to be asked.
 * @param {Own} own
 */
function actsOf({ board, k, options }) {
  /** @type {Map<string, Shown>} */
  const result = new Map();
  if (k > LONG || options.hide.includes("graph")) return [];
  board.frames.slice(0, k).forEach((frame, i) => {
    if (frame.act !== "record" && frame.act !== "part") return;
    const { inputs, outputs, op } = board.cards[frame.card];
    const key = frame.act + op + (frame.act === "part" && frame.input);
    if (!result.has(key) && taughtBy(board, i + 1))
      result.set(key, { k: i + 1, nodes: [...new Set([...inputs, outputs[0]])] });
  });
  return [...result.values()];
}

/** @type {(own: Own, place: HTMLElement, shown: Shown, time: number) => SVGSVGElement} */
function stillOf({ board, words, options }, place, { k, nodes }, time) {
  const still = { ...options, bare: true, motion: frozenAt(time) };
  const pane = graphPane(board, words, () => {}, still, null);
  place.append(pane.root); // lengths are measured on the page
  for (const at of [k - 1, k]) pane.update(stateAt(board, at), null);
  pane.root.remove();
  return pane.crop(nodes);
}

/**
 * Draws the stills before the page is printed, and takes them away afterwards; returns the function that ends it.
 * @param {Own} own
 */
export function watchPrint(own) {
  const place = make("div", { class: "stills" });
  function show() {
    own.parts.root.append(place);
    const figures = actsOf(own).flatMap((shown) => {
      const text = own.words.actText(own.board.frames[shown.k - 1]);
      const stills = TIMES.map((time) => stillOf(own, place, shown, time));
      const seen = stills.some((still) => still.querySelector(".flying, .lit")); // boxes may have no room for numbers
      return seen ? [make("figure", {}, make("figcaption", { text }), stills)] : [];
    });
    place.append(...figures);
  }
  function hide() {
    place.replaceChildren();
    place.remove();
  }
  window.addEventListener("beforeprint", show);
  window.addEventListener("afterprint", hide);
  return () => {
    window.removeEventListener("beforeprint", show);
    window.removeEventListener("afterprint", hide);
  };
}
