// @ts-check
// Which drawing is on the page: the one that the play asks for, until the learner opens another; and the way back out
// of what is opened.

import { make } from "../elements/dom.js";
import { given } from "../storyboard/lookup.js";
import { selector } from "./selector.js";

/** @import { Index } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Drawings } from "./drawings.js" */
/** @import { View } from "./view.js" */

/**
 * @param {View} view
 * @param {Drawings} drawings
 * @param {() => void} build  puts the drawing that is open on the page
 * @param {() => void} redraw  shows the moment in it
 */
export function openedOf(view, drawings, build, redraw) {
  const { board, words, svg, scroller, trail } = view;
  let byHand = false; // whether the learner has opened one: from then on none opens by itself

  /** @param {Index | null} group */
  function enter(group) {
    unfold(group);
    const entry = svg.querySelector('[tabindex="0"]') || trail.querySelector("button");
    if (entry) /** @type {HTMLElement | SVGElement} */ (entry).focus({ preventScroll: true });
  }

  /** Opens the smallest box around a card that opens. @param {Index} card */
  function show(card) {
    let group = board.cards[card].group;
    while (given(group) && !drawings.opens(group)) group = board.groups[group].parent;
    if (given(group)) unfold(group);
  }

  /** @param {Index | null} group */
  function unfold(group) {
    byHand = true;
    view.open = drawings.numberOf(group, view.stage) ?? 0;
    view.zoom = null;
    view.last = -1;
    build();
    scroller.scrollTo(0, 0); // an opened group is read from its beginning, unless it is being played
    redraw();
  }

  /** The way back out of an opened group; where it is one of a stack, the others. */
  function showTrail() {
    const inner = board.drawings[view.open].group;
    /** @type {Index[]} */
    const path = [];
    for (let g = inner; given(g); g = board.groups[g].parent) if (board.groups[g].kind !== "loop") path.unshift(g);
    /** @type {(g: Index | null, text: string) => HTMLElement} */
    const way = (g, text) => {
      const on = { click: () => enter(g) };
      return make("button", { type: "button", class: "text-button", disabled: g === inner, on }, text);
    };
    const steps = path.map((g) => {
      const stack = drawings.stack(g);
      return stack.length > 1 ? selector(board, words, stack, g, enter) : way(g, board.groups[g].label);
    });
    trail.replaceChildren(...(path.length ? [way(null, words.say("ui.graph.whole")), ...steps] : []));
  }

  /**
   * Which drawing a moment asks for: in a training loop each step opens by itself, until the learner chooses; what was
   * opened is left when the play leaves it.
   * @param {Stage} next
   */
  function drawingAt(next) {
    const first = board.frames[0]?.act === "chapter" ? 0 : -1; // at the start one sees where the first step will stand
    const chapter = board.chapters[next.k ? next.chapter : first];
    if (!view.camera) return view.open;
    if (!byHand) return (chapter && drawings.numberOf(chapter.group, next)) ?? 0;
    const moved = next.current.card >= 0 && next.k !== view.seen;
    return moved ? drawings.near(view.open, next.current.card) : view.open;
  }

  return { enter, show, showTrail, drawingAt };
}
