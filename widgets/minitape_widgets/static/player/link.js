// @ts-check
// The teacher's settings as a short string that is safe in a link without any escaping:
// "k12.by-line.hide-code-graph.large.folded.knows-value-adjoint". A worksheet can thus say exactly which moment a class
// looks at, and what it does not see yet.

import { SIZES } from "../storyboard/stops.js";
import { WORDS } from "../storyboard/words.js";

/** @import { Options, Settings } from "player" */
/** @import { Size } from "../storyboard/stops.js" */

const PANES = ["code", "tape", "graph", "inspector"];
const LISTS = new Map(Object.entries({ hide: PANES, knows: WORDS }));

/** @type {(text: unknown) => text is Size} */
const isSize = (text) => SIZES.some((size) => size === text);

/**
 * What a link text sets; what means nothing is passed over, and named in `unread`.
 * @param {unknown} text
 */
export function readLink(text) {
  /** @type {Partial<Options>} */
  const options = {};
  /** @type {string[]} */
  const unread = [];
  for (const piece of String(text).split(".").filter(Boolean)) {
    const [kind, ...names] = piece.split("-");
    const all = piece.length > kind.length + 1 ? LISTS.get(kind) : undefined;
    if (/^k\d{1,9}$/.test(piece)) options.start = Number(piece.slice(1));
    else if (piece === "play" || piece === "end") options.start = piece;
    else if (all) {
      const listed = all.filter((name) => names.includes(name));
      if (listed.length) Object.assign(options, { [kind]: listed });
      unread.push(...names.filter((name) => !all.includes(name)));
    } else if (piece.startsWith("by-") && isSize(piece.slice(3))) options.size = /** @type {Size} */ (piece.slice(3));
    else if (piece === "large") options.large = true;
    else if (piece === "folded" || piece === "unfolded") options.folded = piece === "folded";
    else unread.push(piece);
  }
  return unread.length ? { ...options, unread } : options;
}

/**
 * `folded` says whether the inspector was folded away or opened by hand; without it the player decides by the room
 * there is. `knows` are the words that the lesson has introduced: legend, shapes and inspector are those of no other;
 * null: all are known.
 * @param {Partial<Options>} options
 */
export function writeLink({
  start = 0,
  size = "act",
  usual = "act",
  hide = [],
  large = false,
  folded = null,
  knows = null,
}) {
  const hidden = PANES.filter((pane) => hide.includes(pane));
  const pieces = ["k" + start];
  if (size !== usual) pieces.push("by-" + size);
  if (hidden.length) pieces.push("hide-" + hidden.join("-"));
  if (large) pieces.push("large");
  if (folded !== null) pieces.push(folded ? "folded" : "unfolded");
  if (knows) pieces.push(["knows", ...knows].join("-"));
  return pieces.join(".");
}

/**
 * The settings of a player, whoever wrote them: what is no setting is left out, and the link goes before the others.
 * @param {Settings} [given]
 * @param {Size} [usual]  how large a step is where no setting says it
 * @returns {Options}
 */
export function settled(given = {}, usual = "act") {
  const { start = 0, size = usual, hide = [], large = false, folded = null, knows = null, unread = [] } = given;
  return {
    ...given,
    start: Number.isInteger(start) || start === "play" || start === "end" ? start : 0,
    size: isSize(size) ? size : usual,
    usual,
    hide: PANES.filter((pane) => Array.isArray(hide) && hide.includes(pane)),
    large: large === true,
    folded: typeof folded === "boolean" ? folded : null,
    knows: Array.isArray(knows) ? WORDS.filter((word) => knows.includes(word)) : null,
    unread: Array.isArray(unread) ? unread.map(String) : [],
    ...readLink(given.link || ""),
  };
}

/**
 * The moment that `start` means in a play of `total` acts whose recording takes `recording`.
 * @param {Options["start"]} start
 * @param {number} recording
 * @param {number} total
 */
export function startOf(start, recording, total) {
  const k = start === "play" ? recording : start === "end" ? total : start < 0 ? total + 1 + start : start;
  return Math.max(0, Math.min(total, k));
}
