// @ts-check
// A Jacobian: a matrix that fills row by row while the seed walks over the target.

import { make } from "../elements/dom.js";
import { nodeNames } from "../storyboard/sentences.js";

/** @import { Numeric, Pass, Storyboard, Summary } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */

const COMING = "·"; // stands before a row that has not come yet
const ROWS = 64; // kept free before they are filled

/** @type {(summary: Summary) => (Numeric | null | undefined)[]} */
const cellsOf = (summary) => (summary.cells ? summary.cells.flat() : [summary.number]);

/** @type {(x: Numeric | null | undefined) => string} */
const written = (x) => (typeof x === "number" && String(x).length > 7 ? x.toPrecision(3) : String(x));

/**
 * One cell of the matrix: its colour says the sign, its strength the size beside the largest.
 * @type {(x: Numeric | null | undefined, largest: number) => HTMLElement}
 */
function cellOf(x, largest) {
  if (x === undefined) return make("td", { class: "empty" }, make("span", { text: "" }));
  const size = Number(x);
  const text = make("span", { text: written(x) });
  const cell = make("td", { class: size < 0 ? "below" : size > 0 ? "above" : "zero" }, text);
  if (typeof x === "number" && largest)
    cell.style.setProperty("--strength", ((0.5 * Math.abs(x)) / largest).toFixed(3));
  return cell;
}

/**
 * The matrix of a Jacobian; null where no pass is one.
 * @param {Storyboard} board
 * @param {Words} words
 */
export function jacobianPane(board, words) {
  const planned = board.passes.find((pass) => pass.kind === "jacobian");
  if (!planned) return null;
  const name = make("span");
  const body = make("div", { class: "jacobian-body" });
  const root = make("div", { class: "pane jacobian" }, make("div", { class: "pane-name" }, name), body);

  /** @type {(pass: Pass) => { high: number, wide: number }} how large the matrix will be */
  function sizeOf(pass) {
    const coming = board.frames.filter((frame) => frame.act === "row" && board.passes[frame.pass] === pass);
    const first = coming[0]?.value ?? -1;
    const wide = first >= 0 ? cellsOf(board.values[first]).length : 1;
    return { high: Math.min(ROWS, coming.length), wide };
  }

  /** @param {Stage} stage */
  function update(stage) {
    const now = board.passes[stage.pass];
    const pass = now && now.kind === "jacobian" ? now : /** @type {Pass} */ (planned); // before it begins: empty
    const targets = nodeNames(board, pass.targets);
    name.textContent = words.say("ui.jacobian", { targets, sources: nodeNames(board, pass.sources) });
    const rows = stage.rows.filter((row) => board.passes[row.pass] === pass);
    const cells = rows.map((row) => cellsOf(board.values[row.value]));
    const numbers = cells.flat().filter((x) => typeof x === "number");
    const largest = Math.max(0, ...numbers.map(Math.abs));
    const { high, wide } = sizeOf(pass);
    const lines = Array.from({ length: Math.max(high, rows.length) }, (_, i) => {
      const here = i === rows.length - 1 && stage.frame?.act === "row";
      const label = make("th", { scope: "row", text: rows[i] ? "[" + rows[i].row.join(", ") + "]" : COMING });
      const drawn = Array.from({ length: wide }, (_, j) => cellOf(cells[i]?.[j], largest));
      return make("tr", { class: here ? "here" : "" }, label, drawn);
    });
    body.replaceChildren(make("table", { class: "matrix" }, make("tbody", {}, lines)));
    follow();
  }

  /** Keeps the row that was filled last in view. */
  function follow() {
    const here = /** @type {HTMLElement | null} */ (body.querySelector("tr.here"));
    if (!here) return;
    const { offsetTop, offsetHeight } = here;
    const hidden = offsetTop < body.scrollTop || offsetTop + offsetHeight > body.scrollTop + body.clientHeight;
    if (hidden) body.scrollTop = offsetTop - body.clientHeight / 2;
  }

  return { root, update };
}
