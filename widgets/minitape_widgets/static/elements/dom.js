// @ts-check
// Making elements. Every name, number and line of code that a learner wrote passes through here, and only as text or
// as an attribute value: nothing in the player ever parses data as markup, so a variable called "<script>" stays
// eight characters.

import { given } from "../storyboard/lookup.js";

/** @import { Children } from "player" */
/** @typedef {string | number | boolean | null | undefined} Value */
/** @typedef {{ [event: string]: (event: any) => void }} Handlers */
/** @typedef {{ on?: Handlers } & { [attribute: string]: Value | Handlers }} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Children[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (!given(value) || value === false) continue;
    if (typeof value === "object")
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (name === "text") element.textContent = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of /** @type {unknown[]} */ (children).flat(Infinity))
    if (given(child) && child !== false) element.append(/** @type {Node | string} */ (child));
  return element;
}

/**
 * An HTML element: make("button", {class: "x", on: {click: f}}, "text", otherNode).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Children[]} children
 */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Children[]} children
 */
export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * Sets an attribute only where it changes: a step over a thousand nodes touches the few that differ.
 * @param {Element} element
 * @param {string} name
 * @param {Value} value
 */
export function assign(element, name, value) {
  if (!given(value) || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** The same for its text. */
/** @type {(element: Node | null, text: string | null) => void} */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Gives an element other children, and touches only what differs: between two frames of a drag that is a few texts.
 * What stays keeps its hands, so the new must do what the old did.
 * @type {(parent: Element, ...children: Children[]) => void}
 */
export const renew = (parent, ...children) => alterAll(parent, make("div", {}, children).childNodes);

/** @type {(parent: Element, wanted: NodeListOf<Node>) => void} */
function alterAll(parent, wanted) {
  const there = [...parent.childNodes];
  for (const more of there.slice(wanted.length)) more.remove();
  [...wanted].forEach((node, k) => (there[k] ? alter(there[k], node) : parent.append(node)));
}

/** @type {(old: Node, wanted: Node) => void} */
function alter(old, wanted) {
  if (old.nodeName !== wanted.nodeName) return /** @type {Element} */ (old).replaceWith(wanted);
  if (!(old instanceof Element)) return write(old, wanted.textContent);
  const { attributes } = /** @type {Element} */ (wanted);
  for (const name of old.getAttributeNames()) if (!attributes.getNamedItem(name)) old.removeAttribute(name);
  for (const { name, value } of attributes) assign(old, name, value);
  alterAll(old, wanted.childNodes);
}

/** A text in which no line ends beside an equals sign. @type {(text: string) => string} */
export const unbroken = (text) => text.replaceAll(" = ", "\xa0=\xa0");

/**
 * A sentence with `code` in it: the pieces between backticks become code elements.
 * @param {unknown} text
 */
export const prose = (text) =>
  String(text)
    .split(/(`[^`]+`)/)
    .filter(Boolean)
    .map((piece) => (/^`.+`$/.test(piece) ? make("code", { text: piece.slice(1, -1) }) : unbroken(piece)));

const EDITS = "a c v x y z arrowleft arrowright home end backspace delete enter".split(" ");

/**
 * Whether a key edits the field that it was pressed in: Ctrl+A selects the field's text, not all cells.
 * @param {KeyboardEvent} event
 */
const isEditing = (event) =>
  /** @type {Element} */ (event.composedPath()[0]).matches("input[type=text], textarea")
  && EDITS.includes(event.key.toLowerCase());

/**
 * Whether a key changes the number that has the focus: Alt with the arrows up and down.
 * @param {KeyboardEvent} event
 */
const isHolding = (event) =>
  !event.ctrlKey
  && !event.metaKey
  && ["ArrowUp", "ArrowDown"].includes(event.key)
  && /** @type {Element} */ (event.composedPath()[0]).matches(".holds, .held-field");

/**
 * Whether a key belongs to the notebook or the browser (Ctrl+S saves).
 * @param {KeyboardEvent} event
 */
export const isForeign = (event) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !isEditing(event) && !isHolding(event);

/** @param {Element} element */
export const fontSize = (element) => parseFloat(getComputedStyle(element).fontSize);
