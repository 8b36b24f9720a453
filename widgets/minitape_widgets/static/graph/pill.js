// @ts-check
// One adjoint or part under a node: a pill with a triangle that points back, or a plus for a part.

import { draw } from "../elements/dom.js";
import { tileGroup } from "../elements/tiles.js";
import { isArray, isWritten, shorten } from "../storyboard/values.js";

/** @import { MaybeSummary } from "../storyboard/values.js" */

/**
 * @param {MaybeSummary} summary
 * @param {"adjoint" | "part" | "none"} kind
 * @param {number} y
 * @param {string} [text]  instead of the value's own
 */
export function pill(summary, kind, y, text, grow = 1) {
  const long = summary && (Array.from(summary.text).length > 9 || !isWritten(summary));
  const tiles = isArray(summary) && long ? tileGroup(summary, 0, 0, 40, 12) : null;
  const label = text ?? (tiles ? "" : shorten(summary ? summary.text : "None", 11));
  const width = 22 + label.length * 7.2 + (tiles ? tiles.width : 0);
  const left = -width / 2;
  const sign = kind === "part" ? `M${left + 7} 0h7m-3.5 -3.5v7` : `M${left + 13} -4v8l-7 -4z`;
  const place = `translate(0 ${y})` + (grow > 1 ? ` scale(${grow})` : "");
  if (tiles) tiles.group.setAttribute("transform", `translate(${left + 17} ${-tiles.height / 2})`);
  return draw(
    "g",
    { class: "pill pill-" + kind, transform: place },
    draw("rect", { x: left, y: -9, width, height: 18, rx: 9 }),
    draw("path", { class: "pill-sign", d: sign }),
    tiles && tiles.group,
    label ? draw("text", { x: left + 17, y: 4.2, text: label }) : null,
  );
}
