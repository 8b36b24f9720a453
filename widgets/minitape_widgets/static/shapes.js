// The shapes of the graph. What a node is can be told without colour: a variable has cut corners, a constant a dashed sharp
// frame, a watched tensor cut corners and a thin frame, a result round corners, and a target a second frame around it.

import { draw, make, shorten } from "./dom.js";
import { nodeName } from "./messages.js";
import { isWritten, shapeText, shortValue, tileGroup } from "./heat.js";

const GAP = 0.75;                                              // how much of a gap between columns is left out

/** The outline of a box around (0, 0). */
export function outline(role, w, h, grow = 0) {
  const x = w / 2 + grow, y = h / 2 + grow;
  if (role === "variable" || role === "watched") {
    const c = Math.min(9, h / 4);
    return `M${-x + c} ${-y}H${x - c}L${x} ${-y + c}V${y - c}L${x - c} ${y}H${-x + c}L${-x} ${y - c}V${-y + c}Z`;
  }
  const r = role === "intermediate" ? Math.min(12, h / 3) + grow : 2;
  return `M${-x + r} ${-y}H${x - r}A${r} ${r} 0 0 1 ${x} ${-y + r}V${y - r}A${r} ${r} 0 0 1 ${x - r} ${y}H${-x + r}A${r} ${r} 0 0 1 ${-x} ${y - r}V${-y + r}A${r} ${r} 0 0 1 ${-x + r} ${-y}Z`;
}

/** The path of an edge from 1 + 3k control points. */
export function curve(points) {
  let path = "M" + points[0].join(" ");
  for (let i = 1; i + 2 < points.length; i += 3) path += "C" + points.slice(i, i + 3).map((p) => p.join(" ")).join(" ");
  return path;
}

/** The same drawing with its columns closer together: boxes keep their size, what is empty between them becomes narrower. */
export function closer(drawing) {
  const spans = drawing.nodes.map((box) => [box.x - box.w / 2 - 14, box.x + box.w / 2 + 14]).sort((a, b) => a[0] - b[0]), gaps = [];
  let end = spans.length ? spans[0][1] : 0;
  for (const [from, to] of spans) { if (from > end) gaps.push([end, from]); end = Math.max(end, to); }
  const moved = (x) => gaps.reduce((sum, [from, to]) => sum - GAP * Math.max(0, Math.min(x, to) - from), x);
  return { ...drawing, width: moved(drawing.width), nodes: drawing.nodes.map((box) => ({ ...box, x: moved(box.x) })),
    edges: drawing.edges.map((drawn) => ({ ...drawn, points: drawn.points.map(([x, y]) => [moved(x), y]) })) };
}

/** The point in the middle of an edge, and its direction. */
export function middle(points) {
  const pieces = Math.max(1, Math.floor((points.length - 1) / 3)), k = Math.floor(pieces / 2), even = pieces % 2 === 0;
  const [a, b, c, d] = points.slice(3 * (even ? k - 1 : k), 3 * (even ? k - 1 : k) + 4);
  if (!d) return { x: points[0][0], y: points[0][1], dx: 1, dy: 0 };
  const t = even ? 1 : 0.5, s = 1 - t;
  const at = (i) => s * s * s * a[i] + 3 * s * s * t * b[i] + 3 * s * t * t * c[i] + t * t * t * d[i];
  const slope = (i) => 3 * s * s * (b[i] - a[i]) + 6 * s * t * (c[i] - b[i]) + 3 * t * t * (d[i] - c[i]);
  const length = Math.hypot(slope(0), slope(1)) || 1;
  return { x: at(0), y: at(1), dx: slope(0) / length, dy: slope(1) / length };
}

/** Text that fits a width, at about `size` pixels a character. */
const fit = (text, width, size) => shorten(text, Math.max(2, Math.floor(width / size)));

/** The style of letters of this size that are drawn up to `grow` times as large, as far as the text fits the room. */
export const sizedFor = (size, text, room, grow) => (grow > 1 ? "font-size:" + (size * Math.max(1, Math.min(size === 12.5 ? grow : Math.min(grow, 1.3), room / (Array.from(text).length * 0.61 * size)))).toFixed(1) + "px" : null);

/** The inside of a node's box: its name or operation, and its value or shape with tiles; the letters `grow` times as large where they fit. */
export function nodeInside(board, n, w, h, grow = 1) {
  const node = board.nodes[n], value = node.value === null || node.value === undefined ? null : board.values[node.value];
  const parts = [], up = h > 50 ? -4 : 0;                       // room for the adjoint, which sits on the lower border
  const name = up - 5 - 3 * (grow - 1), low = up + 13.5 + 6 * (grow - 1);
  const sized = (size, text, room) => sizedFor(size, text, room, grow);
  const op = node.op && node.op !== "ReadVariableOp" ? node.op : "";
  if (node.label && op) {
    const room = w - 12, label = fit(node.label, room, 7.6);
    const both = Array.from(label).length * 7.6 + 6 + op.length * 6.4 <= room;
    parts.push(draw("text", { class: "node-name", x: 0, y: name, "text-anchor": "middle" }, draw("tspan", { text: label, style: both ? null : sized(13, label, room) }),
      both ? draw("tspan", { class: "node-op", dx: 6, text: op }) : null));
  } else {
    const said = node.text && node.text !== op && Array.from(node.text).length * 7.4 < w - 12 && node.role === "intermediate" ? node.text : "";
    const alone = node.label || said || op;
    if (alone) parts.push(draw("text", { class: node.label ? "node-name" : "node-name unnamed", x: 0, y: name, "text-anchor": "middle", text: fit(alone, w - 12, 7.4), style: sized(13, fit(alone, w - 12, 7.4), w - 12) }));
    else if (value) {
      const text = fit(shortValue(value, Math.floor((w - 10) / 7.4)), w - 10, 7.4);
      return [draw("text", { class: "node-value", x: 0, y: 1 + 3.5 * grow, "text-anchor": "middle", text, style: sized(12.5, text, w - 10) })];
    }
  }
  if (!value) return parts;
  if (value.shape.length && value.cells && value.cells.length) {
    const shape = shapeText(value), room = Math.min(38, w - 20 - shape.length * 7.3);
    const tiles = room > 8 ? tileGroup(value, 0, 0, room, 15) : { group: null, width: 0, height: 0 };
    const width = shape.length * 7.3 + (tiles.width ? tiles.width + 6 : 0), left = -width / 2, size = Math.max(1, Math.min(grow, 1.4, (w - 10) / width));
    const inner = draw("g", { transform: `translate(0 ${up + 9.5 + 3 * (size - 1)})` + (size > 1 ? ` scale(${size.toFixed(2)})` : "") }, draw("text", { class: "node-value", x: left, y: 4, text: shape }));
    if (tiles.group) { tiles.group.setAttribute("transform", `translate(${left + shape.length * 7.3 + 6} ${-tiles.height / 2})`); inner.append(tiles.group); }
    parts.push(inner);
  } else parts.push(draw("text", { class: "node-value", x: 0, y: low, "text-anchor": "middle", text: fit(value.text, w - 10, 7.3), style: sized(12.5, fit(value.text, w - 10, 7.3), w - 10) }));
  return parts;
}

/** One adjoint or part under a node: a pill with a triangle that points back. */
export function pill(summary, kind, y, text, grow = 1) {
  const array = summary && summary.shape.length && summary.cells && summary.cells.length && (Array.from(summary.text).length > 9 || !isWritten(summary));
  const tiles = array ? tileGroup(summary, 0, 0, 40, 12) : null;
  const label = text !== undefined ? text : array ? "" : shorten(summary ? summary.text : "None", 11);
  const width = 22 + label.length * 7.2 + (tiles ? tiles.width : 0), left = -width / 2;
  const group = draw("g", { class: "pill pill-" + kind, transform: `translate(0 ${y})` + (grow > 1 ? ` scale(${grow})` : "") },
    draw("rect", { x: left, y: -9, width, height: 18, rx: 9 }),
    draw("path", { class: "pill-sign", d: kind === "part" ? `M${left + 7} 0h7m-3.5 -3.5v7` : `M${left + 13} -4v8l-7 -4z` }));
  if (tiles) { tiles.group.setAttribute("transform", `translate(${left + 17} ${-tiles.height / 2})`); group.append(tiles.group); }
  if (label) group.append(draw("text", { x: left + 17, y: 4.2, text: label }));
  return group;
}

const LETTER = 7.6, PADDING = 10, TILES = { width: 46, height: 16 };

/** The width of one word of a callout: its letters, and the tiles before them where numbers find no room. */
const wordWidth = (word) => Array.from(word.text).length * LETTER + (word.tiles ? tileGroup(word.tiles, 0, 0, TILES.width, TILES.height).width + 4 : 0);
export const calloutWidth = (words) => words.reduce((sum, word) => sum + wordWidth(word), 0) + 2 * PADDING;

/** A small box with coloured words in it, put where it covers least: "2.0 = 1.0 × 2.0" beside its edge. */
export function callout(words, at, boxes, bounds, kind, grow = 1) {
  const inner = calloutWidth(words), width = inner * grow, height = 26 * grow;
  const above = bounds.spare || 0, places = [26, 44, 66, 90, 120].map((d) => d + (height - 26) / 2).flatMap((d) => [-1, 1].flatMap((way) => [0, -width / 3, width / 3, -width / 2, width / 2].map((dx) => [dx, way * d])));
  let best = null;
  for (const [dx, dy] of places) {
    const x = Math.max(bounds.from + width / 2 + 2, Math.min(bounds.to - width / 2 - 2, at.x + dx)), y = Math.max(height / 2 + 2 - above, Math.min(bounds.height + above - height / 2 - 2, at.y + dy));
    let cover = Math.hypot(x - at.x, y - at.y) * 4;
    for (const box of boxes) {
      const across = Math.min(x + width / 2, box.x + box.w / 2 + 4) - Math.max(x - width / 2, box.x - box.w / 2 - 4);
      const down = Math.min(y + height / 2, box.y + box.h / 2 + box.below) - Math.max(y - height / 2, box.y - box.h / 2 - box.above);
      if (across > 0 && down > 0) cover += across * down * (box.weight || 1);
    }
    if (!best || cover < best.cover) best = { x, y, cover };
  }
  const group = draw("g", { class: "callout callout-" + kind, transform: `translate(${best.x} ${best.y})` + (grow > 1 ? ` scale(${grow})` : "") },
    draw("line", { class: "callout-line", x1: 0, y1: 0, x2: (at.x - best.x) / grow, y2: (at.y + (at.tall && best.y > at.y + at.tall / 2 ? at.tall : 0) - best.y) / grow }),
    draw("rect", { x: -inner / 2, y: -13, width: inner, height: 26, rx: 6 }));
  if (!words.some((word) => word.tiles)) {
    const text = draw("text", { x: 0, y: 4.6, "text-anchor": "middle", "xml:space": "preserve" });
    for (const word of words) text.append(draw("tspan", { class: word.kind ? "is-" + word.kind : null, text: word.text }));
    group.append(text);
    return { group, ...best, width, height };
  }
  let x = PADDING - inner / 2;                                  // with tiles between them, each word gets a place of its own
  for (const word of words) {
    if (word.tiles) {
      const { group: tiles, width: wide, height: high } = tileGroup(word.tiles, 0, 0, TILES.width, TILES.height);
      tiles.setAttribute("transform", `translate(${x} ${-high / 2})`);
      group.append(tiles);
      x += wide + 4;
    }
    const room = Array.from(word.text).length * LETTER;
    group.append(draw("text", { x: x + room / 2, y: 4.6, "text-anchor": "middle", "xml:space": "preserve", class: word.kind ? "is-" + word.kind : null, text: word.text }));
    x += room;
  }
  return { group, ...best, width, height };
}

/** What the legend shows: a small box of a role. */
function legendShape(role) {
  return draw("svg", { viewBox: "-15 -11 30 22", class: "legend-shape", "aria-hidden": "true" },
    draw("path", { class: "node-box role-" + (role === "target" ? "intermediate" : role), d: outline(role === "target" ? "intermediate" : role, 22, 14) }),
    role === "target" ? draw("path", { class: "node-target", d: outline("intermediate", 22, 14, 3) }) : null);
}

/** The picture can be drawn along with the mouse; a finger scrolls it anyway. */
export function pan(scroller) {
  let from = null;
  scroller.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button || event.target.closest(".node")) return;
    from = { x: event.clientX + scroller.scrollLeft, y: event.clientY + scroller.scrollTop };
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!(event.buttons & 1)) { from = null; return; }
    scroller.scrollLeft = from.x - event.clientX;
    scroller.scrollTop = from.y - event.clientY;
  });
}

export function legend(board, words) {
  const roles = ["variable", "watched", "constant", "input", "intermediate"].filter((role) => board.nodes.some((node) => node.role === role));
  const entry = (picture, text, kind) => make("span", { class: "legend-entry" + (kind ? " is-" + kind : "") }, picture, text);
  return make("div", { class: "legend", "aria-hidden": "true" }, roles.map((role) => entry(legendShape(role), words.say("ui.role." + role))),
    board.nodes.some((node) => node.target) ? entry(legendShape("target"), words.say("ui.target")) : null,
    entry(make("span", { class: "swatch value" }), words.say("ui.value"), "value"), entry(make("span", { class: "swatch adjoint" }), words.say("ui.adjoint"), "adjoint"),
    entry(make("span", { class: "swatch local" }), words.say("ui.local"), "local"));
}

export { nodeName };
