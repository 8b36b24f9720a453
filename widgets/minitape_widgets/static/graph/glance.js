// @ts-check
// What is said of a box or its adjoint where one points at it, and its arrays have no numbers there: these numbers, or
// of a larger array the heat with its scale and the corner of its numbers.

import { make } from "../elements/dom.js";
import { glanceIn, numbersIn } from "../elements/glance.js";
import { gridInline } from "../elements/grid.js";
import { heatMap } from "../elements/tiles.js";
import { cornerOf, gridOf } from "../storyboard/grid.js";
import { given } from "../storyboard/lookup.js";
import { adjointOf } from "../storyboard/state.js";
import { isArray } from "../storyboard/values.js";
import { badgeAt } from "./badges.js";

/** @import { Index } from "storyboard" */
/** @import { View } from "./view.js" */

/** @param {View} view */
export function glanceOf(view) {
  const { board, words } = view;

  /** @type {(v: Index, kind: "value" | "adjoint" | "part") => HTMLElement | null} */
  function part(v, kind) {
    const summary = board.values[v];
    if (!isArray(summary)) return null;
    const all = gridOf(summary);
    const corner = all ?? cornerOf(summary);
    const as = kind === "value" ? kind : "adjoint";
    return make(
      "div",
      { class: "is-" + as },
      make("span", { text: words.say("ui." + kind) }),
      all ? null : heatMap(summary, as, words, false),
      corner && gridInline(corner),
    );
  }

  /** @type {(thing: Element) => Element[]} */
  function told(thing) {
    const { picture, stage } = view;
    const named = thing.getAttribute("data-node");
    const drawn = picture?.boxes.find(({ element, node }) => element === thing || (named && node === Number(named)));
    if (!picture || !stage || drawn?.node === undefined) return numbersIn(thing);
    const { value, parts } = adjointOf(stage, drawn.node);
    const written = badgeAt(picture, drawn.node)?.querySelector(".grid-number");
    const waiting = value < 0 ? parts.map((one) => part(one.value, "part")) : [part(value, "adjoint")];
    const own = drawn.numbers ? null : part(board.nodes[drawn.node].value ?? -1, "value");
    return [own, ...(written ? [] : waiting)].filter(given);
  }

  return glanceIn(view.root, ".node, .badges [data-node], [data-numbers]", told);
}
