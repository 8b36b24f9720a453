// @ts-check
// The legend under the graph: the colours of the three numbers, and the shapes that occur in it.

import { draw, make } from "../elements/dom.js";
import { bracket } from "../elements/grid.js";
import { batchOf } from "../replay/batch.js";
import { outline } from "./geometry.js";

/** @import { Role, Storyboard } from "storyboard" */
/** @import { Words } from "../storyboard/sentences.js" */

/** @type {Role[]} */
const ROLES = ["variable", "watched", "constant", "input", "intermediate"];

/**
 * A small box of a role.
 * @param {Role} role
 * @param {boolean} [target]
 */
function shapeOf(role, target) {
  const box = draw("path", { class: "node-box role-" + role, d: outline(role, 22, 14) });
  const around = target ? draw("path", { class: "node-target", d: outline(role, 22, 14, 3) }) : null;
  return draw("svg", { viewBox: "-15 -11 30 22", class: "legend-shape", "aria-hidden": "true" }, box, around);
}

/** Three rows with the bracket around them. */
const examples = () =>
  draw(
    "svg",
    { viewBox: "-15 -11 30 22", class: "legend-shape", "aria-hidden": "true" },
    [-7, -2, 3].map((y) => draw("rect", { class: "grid-cell", x: -8, y, width: 18, height: 4 })),
    bracket({ rows: [], w: 0, width: 18, height: 14 }, false),
  );

/**
 * @param {Storyboard[]} boards
 * @param {Words} words
 */
export function legend(boards, words) {
  const nodes = boards.flatMap((board) => board.nodes);
  const roles = ROLES.filter((role) => nodes.some((node) => node.role === role));
  /** @type {(picture: Element, text: string, kind?: string) => HTMLElement} */
  const entry = (picture, text, kind) =>
    make("span", { class: "legend-entry" + (kind ? " is-" + kind : "") }, picture, text);
  const target = nodes.some((node) => node.target);
  return make(
    "div",
    { class: "legend", "aria-hidden": "true" },
    ["value", "adjoint", "local"].map((kind) =>
      entry(make("span", { class: "swatch " + kind }), words.say("ui." + kind), kind),
    ),
    roles.map((role) => entry(shapeOf(role), words.say("ui.role." + role), "shapes")),
    target ? entry(shapeOf("intermediate", true), words.say("ui.target"), "shapes") : null,
    boards.some((board) => batchOf(board).size) ? entry(examples(), words.say("ui.batch"), "batch") : null,
  );
}
