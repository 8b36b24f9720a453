// @ts-check
// The edges: drawn once for a drawing, dressed anew where a step changes them, and cut where no gradient passes. An
// edge points the way in which a number went along it last: forwards while values are recorded, back once a part has
// passed.

import { assign, draw } from "../elements/dom.js";
import { indexOf } from "../storyboard/lookup.js";
import { EDGE } from "../storyboard/state.js";
import { curve, degrees, middle, tip } from "./geometry.js";

/** @import { CutFrame, Index, Line, PartFrame, Point, Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Middle } from "./geometry.js" */
/** @typedef {ReturnType<typeof drawEdge>} DrawnEdge */

/**
 * @param {Storyboard} board
 * @param {Line} line
 */
export function drawEdge(board, { edge, also, points }) {
  const element = draw(
    "g",
    { class: "edge flow-" + board.edges[edge].flow, hidden: true },
    draw("path", { class: "edge-line", d: curve(points) }),
    tipAt(points, "edge-tip"),
    tipAt(points.toReversed(), "edge-tip back"),
  );
  return { edge, edges: [edge, ...(also ?? [])], points, element, state: "", middle: middle(points) };
}

/** @type {(points: Point[], name: string) => SVGPathElement} */
function tipAt(points, name) {
  const { x, y, angle } = tip(points);
  return draw("path", { class: name, d: "M0 0L-7 -3.6V3.6Z", transform: `translate(${x} ${y}) rotate(${angle})` });
}

/**
 * In a folded drawing an edge stands for a card inside of a group: it shows once both its ends do.
 * @param {Storyboard} board
 * @param {Stage} stage
 * @param {Index} e
 */
export function endsShown(board, stage, e) {
  const { from, to, card } = board.edges[e];
  return Boolean(stage.nodes[to] && stage.nodes[from] && card === null);
}

/**
 * @param {DrawnEdge} drawn
 * @param {Storyboard} board
 * @param {Stage} stage
 */
export function dressEdge(drawn, board, stage) {
  const known = Math.max(...drawn.edges.map((e) => stage.edges[e]));
  const state = known === EDGE.HIDDEN && endsShown(board, stage, drawn.edge) ? EDGE.SHOWN : known;
  const act = stage.frame ? stage.frame.act : "";
  const here = drawn.edges.includes(stage.current.edge) && (act === "part" || act === "cut");
  const classes =
    "edge flow-" + board.edges[drawn.edge].flow + ["", "", " carried", " cut"][state] + (here ? " here" : "");
  const key = state + classes;
  if (drawn.state === key) return; // of a thousand edges, a step changes a few
  drawn.state = key;
  assign(drawn.element, "hidden", state === EDGE.HIDDEN);
  drawn.element.setAttribute("class", classes);
}

/**
 * A constant was never meant to have a gradient: its cut is drawn quietly, unless the gradient was asked for.
 * @param {CutFrame | PartFrame} frame
 * @param {Storyboard} board
 */
export const isQuiet = (frame, board) =>
  frame.act === "cut"
  && ["unwatched", "constant"].includes(frame.why)
  && frame.node !== null
  && !indexOf(board).nones.has(frame.node)
  && ["constant", "input"].includes(board.nodes[frame.node].role)
  && frame.card !== null;

/**
 * Two bars across an edge, with a gap between them.
 * @param {Middle} middle
 * @param {boolean} quiet
 */
export function cutMark({ x, y, dx, dy }, quiet) {
  const bars = quiet ? "M-5 5L-1 -5M1 5L5 -5" : "M-8 9L-2 -9M2 9L8 -9";
  return draw(
    "g",
    { class: "cut-mark" + (quiet ? " calm" : ""), transform: `translate(${x} ${y}) rotate(${degrees(dx, dy)})` },
    draw("rect", { class: "cut-gap", x: -5, y: -6, width: 10, height: 12 }),
    draw("path", { class: "cut-bars", d: bars }),
  );
}
