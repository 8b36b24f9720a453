// @ts-check
// The geometry of the graph: numbers in, numbers or path texts out. Nothing here touches the page.

import { LARGEST, ROOM, STACKED } from "./scale.js";

/** @import { Drawing, Index, Point, Role } from "storyboard" */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box centre and size */
/** @typedef {{ x: number, y: number, dx: number, dy: number }} Middle a point of an edge, and its direction */

const GAP = 0.75; // how much of a gap between columns is left out

/**
 * The outline of a box around (0, 0). What a node is can be told without colour: a variable and a watched tensor have
 * cut corners, a result round ones, a constant sharp ones.
 * @param {Role} role
 * @param {number} w
 * @param {number} h
 */
export function outline(role, w, h, grow = 0) {
  const x = w / 2 + grow;
  const y = h / 2 + grow;
  if (role === "variable" || role === "watched") {
    const c = Math.min(9, h / 4);
    const right = `M${-x + c} ${-y}H${x - c}L${x} ${-y + c}V${y - c}`;
    return right + `L${x - c} ${y}H${-x + c}L${-x} ${y - c}V${-y + c}Z`;
  }
  const r = role === "intermediate" ? Math.min(12, h / 3) + grow : 2;
  /** @type {(x: number, y: number) => string} */
  const corner = (x, y) => `A${r} ${r} 0 0 1 ${x} ${y}`;
  const right = `M${-x + r} ${-y}H${x - r}${corner(x, -y + r)}V${y - r}${corner(x - r, y)}`;
  return right + `H${-x + r}${corner(-x, y - r)}V${-y + r}${corner(-x + r, -y)}Z`;
}

/**
 * The path of an edge from 1 + 3k control points.
 * @param {Point[]} points
 */
export function curve(points) {
  let path = "M" + points[0].join(" ");
  for (let i = 1; i + 2 < points.length; i += 3) {
    const controls = points.slice(i, i + 3).map((point) => point.join(" "));
    path += "C" + controls.join(" ");
  }
  return path;
}

/**
 * Where an edge ends, and at which angle (in degrees) it arrives.
 * @param {Point[]} points
 */
export function tip(points) {
  const [x, y] = points[points.length - 1];
  const [fromX, fromY] = points[points.length - 2] || points[0];
  return { x, y, angle: degrees(x - fromX, y - fromY) };
}

/** @type {(dx: number, dy: number) => number} */
export const degrees = (dx, dy) => (Math.atan2(dy, dx) * 180) / Math.PI;

/**
 * The point in the middle of an edge, and its direction.
 * @param {Point[]} points
 * @returns {Middle}
 */
export function middle(points) {
  const pieces = Math.max(1, Math.floor((points.length - 1) / 3));
  const k = Math.floor(pieces / 2);
  const even = pieces % 2 === 0;
  const first = 3 * (even ? k - 1 : k);
  const [a, b, c, d] = points.slice(first, first + 4);
  if (!d) return { x: points[0][0], y: points[0][1], dx: 1, dy: 0 };
  const t = even ? 1 : 0.5;
  const s = 1 - t;
  /** @type {(i: 0 | 1) => number} */
  const at = (i) => s * s * s * a[i] + 3 * s * s * t * b[i] + 3 * s * t * t * c[i] + t * t * t * d[i];
  /** @type {(i: 0 | 1) => number} */
  const slope = (i) => 3 * s * s * (b[i] - a[i]) + 6 * s * t * (c[i] - b[i]) + 3 * t * t * (d[i] - c[i]);
  const length = Math.hypot(slope(0), slope(1)) || 1;
  return { x: at(0), y: at(1), dx: slope(0) / length, dy: slope(1) / length };
}

/**
 * The same drawing with its columns closer together: boxes keep their size, what is empty between them becomes
 * narrower.
 * @param {Drawing} drawing
 * @returns {Drawing}
 */
export function closer(drawing) {
  const spans = drawing.nodes
    .map((box) => [box.x - box.w / 2 - 14, box.x + box.w / 2 + 14])
    .sort((a, b) => a[0] - b[0]);
  /** @type {Point[]} */
  const gaps = [];
  let end = spans.length ? spans[0][1] : 0;
  for (const [from, to] of spans) {
    if (from > end) gaps.push([end, from]);
    end = Math.max(end, to);
  }
  /** @type {(x: number) => number} */
  const moved = (x) => gaps.reduce((sum, [from, to]) => sum - GAP * Math.max(0, Math.min(x, to) - from), x);
  return {
    ...drawing,
    width: moved(drawing.width),
    nodes: drawing.nodes.map((box) => ({ ...box, x: moved(box.x) })),
    edges: drawing.edges.map((line) => ({ ...line, points: line.points.map(([x, y]) => [moved(x), y]) })),
  };
}

/**
 * The same drawing with room for the parts that stack above or below its boxes, however large they are drawn.
 * @param {Drawing} drawing
 * @param {Map<Index | undefined, number>} fans  how many parts a node gets
 * @param {(box: Drawing["nodes"][number]) => number} high  of one of them
 * @returns {Drawing}
 */
export function roomy(drawing, fans, high) {
  let above = 0;
  let below = 0;
  for (const box of drawing.nodes) {
    const parts = Math.min(fans.get(box.node) ?? 0, STACKED + 1);
    // `stackOf` looks at all others
    if (!parts) continue;
    const reach = box.h / 2 + (parts * (high(box) - 2) + 4) * LARGEST;
    if (stackOf(box, drawing.nodes) < 0) above = Math.max(above, reach - box.y - ROOM.top);
    else below = Math.max(below, reach + box.y - drawing.height - ROOM.bottom);
  }
  return {
    ...drawing,
    height: drawing.height + above + below,
    nodes: drawing.nodes.map((box) => ({ ...box, y: box.y + above })),
    edges: drawing.edges.map((line) => ({ ...line, points: line.points.map(([x, y]) => [x, y + above]) })),
  };
}

/**
 * How far a point is from a box; 0 inside of it.
 * @type {(box: Box, point: Point) => number}
 */
export const distance = (box, [x, y]) =>
  Math.hypot(Math.max(0, Math.abs(box.x - x) - box.w / 2), Math.max(0, Math.abs(box.y - y) - box.h / 2));

/** @type {(a: Box, b: Box) => boolean} */
export const overlaps = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;

/**
 * Which way the parts of a node stack: 1 below it, -1 above it, wherever the next box is farther away.
 * @param {Box} box
 * @param {Box[]} others
 */
export function stackOf(box, others) {
  let below = Infinity;
  let above = Infinity;
  for (const other of others) {
    if (other === box || Math.abs(other.x - box.x) > (other.w + box.w) / 2) continue;
    if (other.y > box.y) below = Math.min(below, other.y - other.h / 2 - box.y - box.h / 2);
    else above = Math.min(above, box.y - box.h / 2 - other.y - other.h / 2);
  }
  return below >= 60 || below >= above ? 1 : -1;
}
