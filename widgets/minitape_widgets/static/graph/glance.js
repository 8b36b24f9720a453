// @ts-check
// What an array holds, where one points at its box and has its shape and tiles there: its numbers, or of a larger one
// the heat with its scale and the corner of its numbers.

import { assign, make } from "../elements/dom.js";
import { gridInline } from "../elements/grid.js";
import { heatMap } from "../elements/tiles.js";
import { cornerOf, gridOf } from "../storyboard/grid.js";
import { adjointOf } from "../storyboard/state.js";
import { isArray } from "../storyboard/values.js";

/** @import { DrawnBox } from "./boxes.js" */
/** @import { View } from "./view.js" */

const AWAY = 16; // pixels from the box: its adjoint hangs there
const EDGE = 4;

/** @param {View} view */
export function glanceOf(view) {
  const { board, words } = view;
  const root = make("div", { class: "glance", hidden: true, "aria-hidden": "true" });

  /** @type {(v: number, kind: "value" | "adjoint") => HTMLElement | null} */
  function part(v, kind) {
    const summary = board.values[v];
    if (!isArray(summary)) return null;
    const all = gridOf(summary);
    const corner = all ?? cornerOf(summary);
    return make(
      "div",
      { class: "is-" + kind },
      make("span", { text: words.say("ui." + kind) }),
      all ? null : heatMap(summary, kind, words, false),
      corner && gridInline(corner),
    );
  }

  /** @param {DrawnBox} drawn */
  function show(drawn) {
    hide();
    if (!view.stage || drawn.node === undefined || drawn.numbers || !drawn.shown) return;
    const parts = [
      part(board.nodes[drawn.node].value ?? -1, "value"),
      part(adjointOf(view.stage, drawn.node).value, "adjoint"),
    ];
    if (!parts.some(Boolean)) return;
    root.replaceChildren(...parts.filter((one) => one !== null));
    root.hidden = false;
    const [box, pane] = [drawn.element, view.root].map((one) => one.getBoundingClientRect());
    const { offsetWidth: w, offsetHeight: h } = root;
    /** @type {(at: number, most: number) => number} */
    const inside = (at, most) => Math.max(EDGE, Math.min(most - EDGE, at));
    const [left, right] = [box.left - pane.left, box.right - pane.left];
    const tops = [box.bottom - pane.top + AWAY, box.top - pane.top - h - EDGE];
    const free = tops.find((top) => top >= EDGE && top + h + EDGE <= pane.height);
    const beside = pane.width - right > left ? right + EDGE : left - w - EDGE; // where neither below nor above is room
    root.style.left = inside(free === undefined ? beside : (left + right - w) / 2, pane.width - w) + "px";
    root.style.top = (free ?? inside((tops[0] + tops[1]) / 2, pane.height - h)) + "px";
  }

  const hide = () => assign(root, "hidden", true);

  return { root, show, hide };
}
