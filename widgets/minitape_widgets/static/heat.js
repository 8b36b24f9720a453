// Numbers as small tiles: violet below zero, green above, and nothing at zero. A NaN is a cross, infinities are triangles that
// point up or down, so that they are seen without colour. At most 16 x 16 cells travel in a storyboard.

import { draw, make } from "./dom.js";

const isArray = (summary) => Boolean(summary && summary.shape && summary.shape.length && summary.cells && summary.cells.length);

/** "[3×2]" for a matrix, "[4]" for a vector (brackets, so that it never looks like a value), "" for a scalar. */
export function shapeText(summary) {
  return summary && summary.shape && summary.shape.length ? "[" + summary.shape.join("×") + "]" : "";
}

/** Whether an array is short enough to be written out, as "[1. 2.]": of a larger one the text says shape and range. */
export const isWritten = (summary) => !summary.text.startsWith(shapeText(summary));

/** The short text of a value: the number, or a short array, or its shape. */
export function shortValue(summary, length = 9) {
  if (!summary) return "None";
  if (!summary.shape || !summary.shape.length) return summary.text;
  const text = summary.text.replace(/\s+/g, " ");
  return text.length <= length && isWritten(summary) ? text : shapeText(summary);
}

/** The same where there is room: an array of up to four numbers is written out, a larger one stays its shape. */
export function roomyValue(summary, length = 9) {
  const few = summary && summary.shape && summary.shape.length && summary.shape.reduce((a, b) => a * b, 1) <= 4;
  return shortValue(summary, few ? 48 : length);
}

/** Whether a value is only named by its shape where numbers should stand: then its tiles are drawn beside it. */
export function needsTiles(summary, text) {
  return isArray(summary) && text === shapeText(summary);
}

/** A value in a line of text: its number, up to four numbers, or small tiles and the shape. */
export function valueInline(summary, kind, length = 14) {
  const text = roomyValue(summary, length), span = make("span", { class: kind, text });
  if (!needsTiles(summary, text)) return span;
  const { group, width, height } = tileGroup(summary, 0, 0, 54, 18);
  return make("span", { class: "value-inline" }, draw("svg", { class: "heat-inline", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, group), span);
}

function cellOf(cell, x, y, w, h, largest) {
  if (typeof cell === "number" && Number.isFinite(cell)) {
    const strength = largest > 0 ? Math.min(1, Math.abs(cell) / largest) : 0;
    return [draw("rect", { x, y, width: w, height: h, class: cell < 0 ? "cell below" : cell > 0 ? "cell above" : "cell zero",
      "fill-opacity": cell === 0 ? 1 : (0.18 + 0.82 * strength).toFixed(3) })];
  }
  const cx = x + w / 2, cy = y + h / 2, r = Math.min(w, h) * 0.3;
  const shape = cell === "inf" ? "M" + (cx - r) + " " + (cy + r) + "h" + 2 * r + "l" + -r + " " + -2 * r + "z"
    : cell === "-inf" ? "M" + (cx - r) + " " + (cy - r) + "h" + 2 * r + "l" + -r + " " + 2 * r + "z"
      : "M" + (cx - r) + " " + (cy - r) + "l" + 2 * r + " " + 2 * r + "m0 " + -2 * r + "l" + -2 * r + " " + 2 * r;
  return [draw("rect", { x, y, width: w, height: h, class: "cell odd" }), draw("path", { d: shape, class: cell === "nan" ? "glyph cross" : "glyph" })];
}

/** The tiles of an array as an SVG group inside the box (x, y, width, height). */
export function tileGroup(summary, x, y, width, height) {
  const rows = summary.cells.map((row) => (Array.isArray(row) ? row : [row]));
  const columns = Math.max(...rows.map((row) => row.length));
  const side = Math.min(width / columns, height / rows.length, 14);
  const w = Math.min(width / columns, Math.max(side * 2, 5)), h = side;      // rows of a pixel are still seen where cells are wide
  const finite = rows.flat().filter((cell) => typeof cell === "number" && Number.isFinite(cell));
  const largest = Math.max(0, ...finite.map(Math.abs));
  const gap = side > 5 ? 1 : 0;
  const group = draw("g", { class: side < 4 ? "tiles bare" : "tiles" });
  rows.forEach((row, r) => row.forEach((cell, c) => group.append(...cellOf(cell, x + c * w, y + r * h, w - gap, h - gap, largest))));
  return { group, width: columns * w, height: rows.length * h };
}

/** The large tiles of the inspector, with numbers in them where there is room. */
export function heatMap(summary, kind, words) {
  if (!isArray(summary)) return null;
  const rows = summary.cells.map((row) => (Array.isArray(row) ? row : [row]));
  const columns = Math.max(...rows.map((row) => row.length));
  const roomy = columns <= 4 && rows.length <= 8;
  const w = roomy ? 62 : Math.max(12, Math.min(26, 260 / columns)), h = roomy ? 22 : Math.min(w, 16);
  const finite = rows.flat().filter((cell) => typeof cell === "number" && Number.isFinite(cell));
  const largest = Math.max(0, ...finite.map(Math.abs));
  const svg = draw("svg", { class: "heat heat-" + kind, viewBox: "0 0 " + columns * w + " " + rows.length * h, width: columns * w, height: rows.length * h, role: "img",
    "aria-label": words.say("ui.heat", { shape: shapeText(summary), min: summary.min, max: summary.max, nan: summary.nan || 0, inf: summary.inf || 0 }) });
  rows.forEach((row, r) => row.forEach((cell, c) => {
    const odd = typeof cell !== "number";
    const strong = !odd && largest > 0 && Math.abs(cell) / largest > 0.6;
    svg.append(...cellOf(cell, c * w, r * h, w - 1.5, h - 1.5, largest));
    if (roomy && !odd) svg.append(draw("text", { x: c * w + w / 2 - 0.75, y: r * h + h / 2 + 3.6, "text-anchor": "middle", class: strong ? "cell-number strong" : "cell-number", text: short(cell) }));
  }));
  return make("div", { class: "heat-box" }, svg, summary.strided ? make("div", { class: "fine", text: words.say("ui.heat.strided") }) : null);
}

/** A number in at most seven characters. */
function short(number) {
  const text = String(number);
  return text.length <= 7 ? text : Math.abs(number) >= 1e5 || Math.abs(number) < 1e-3 ? number.toExponential(1) : number.toPrecision(4);
}
