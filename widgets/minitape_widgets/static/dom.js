// Making elements. Every name, number and line of code that a learner wrote passes through here, and only as text or as an
// attribute value: nothing in the player ever parses data as markup, so a variable called "<script>" stays eight characters.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** An HTML element: make("button", {class: "x", on: {click: f}}, "text", otherNode). */
export function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function draw(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Sets an attribute only where it changes: a step over a thousand nodes touches the few that differ. */
export function assign(node, name, value) {
  const text = value === null || value === false || value === undefined ? null : value === true ? "" : String(value);
  if (text === null) { if (node.hasAttribute(name)) node.removeAttribute(name); }
  else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

// Icons are drawn, never characters: many machines show an empty box for a "media" character.
const SHAPES = {
  first: "M5 4v12M16 4.5v11L8 10z", last: "M15 4v12M4 4.5v11l8-5.5z", back: "M13 4.5v11L5.5 10z", step: "M7 4.5v11l7.5-5.5z",
  play: "M4 4.5v11L10.5 10zM11 4.5v11l6.5-5.5z", pause: "M6 4.5h3v11H6zM11.5 4.5h3v11h-3z", close: "M5 5l10 10M15 5L5 15", up: "M10 16V4M5 9l5-5 5 5",
  plus: "M10 4v12M4 10h12", minus: "M4 10h12", fit: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  view: "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4", check: "M4 10.5l4 4 8-9", open: "M8 5l5 5-5 5", shut: "M5 8l5 5 5-5", keys: "M3 5h14v10H3zM6 12h8M6 8h1M9.5 8h1M13 8h1",
};

/** An icon by name; hidden from screen readers, whose text is on the button. */
export function icon(name) {
  const filled = ["first", "last", "back", "step", "play", "pause"].includes(name);
  return draw("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    draw("path", { d: SHAPES[name], fill: filled ? "currentColor" : "none", stroke: "currentColor", "stroke-width": filled ? 1.4 : 1.7,
      "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

/** A button with an icon and a name that screen readers and tooltips say. */
export function iconButton(name, label, click, more = {}) {
  return make("button", { type: "button", class: "icon-button", title: label, "aria-label": label, on: { click }, ...more }, icon(name));
}

/** A sentence with `code` in it: the pieces between backticks become code elements. */
export function prose(text) {
  return String(text).split(/(`[^`]+`)/).filter(Boolean).map((piece) => (/^`.+`$/.test(piece) ? make("code", { text: piece.slice(1, -1) }) : piece));
}

/** Text cut to at most `length` characters, with an ellipsis. */
export function shorten(text, length) {
  const letters = Array.from(text);
  return letters.length <= length ? text : letters.slice(0, Math.max(1, length - 1)).join("") + "…";
}
