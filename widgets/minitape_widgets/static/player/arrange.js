// @ts-check
// Measuring a player and giving its panes their heights. What is decided from the measures is in layout.js.

import { assign, fontSize } from "../elements/dom.js";
import { isShown } from "../controls/menu.js";
import { WORDS, knows } from "../storyboard/words.js";
import { LEAST_CODE, NARROW, arrangement, columnOf, heights, roomOf, wanted } from "./layout.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Options, Stage } from "player" */
/** @import { Found } from "./layout.js" */
/** @import { Parts } from "./parts.js" */
/** @typedef {ReturnType<typeof layoutOf>} Layout */

const DENSE = 5.7; // em: four lines of caption, in a pair
const MOST_CODE = 24; // em
const MOST_GRAPH = 42; // em
const LITTLE = 20; // em beside the code: less is no room for an inspector
const LOW = 11; // em under the code: likewise
const CURVE = 28; // em: where numbers can be held, the code's place is as wide as a curve wants
const BROAD = 54; // em: in a row so wide it has room beside the fields of an array
const SHORT = 46; // em of a player: its tape stands more densely
const FOLDED = 2.4; // em: an inspector that is folded away

/**
 * How a player is measured. In a pair the tape may be tucked away, and the panes stand densely.
 * @typedef {object} Manner
 * @property {boolean} second  one of two, which step together
 * @property {boolean | null} folded  whether the learner folded the inspector
 * @property {Stage | null} stage  the moment that is shown
 * @property {boolean} [tucked]
 * @property {boolean} [dense]
 */

/**
 * Whether the inspector is folded away: until it is asked for where there is no room for it beside a code that is seen
 * whole; what the learner does stays as they did it.
 * @type {(folded: boolean | null, options: Options, second: boolean, crowded: boolean) => boolean}
 */
const isFolded = (folded, options, second, crowded) => folded ?? (options.large || second || crowded);

/** @type {(element: HTMLElement | null | undefined) => number} */
const tall = (element) => (element ? element.offsetHeight : 0);

/**
 * Shows what is asked for; returns which of both columns there are.
 * @type {(parts: Parts, options: Options, shows: (name: string) => boolean) => { left: boolean, right: boolean }}
 */
function showPanes(parts, options, shows) {
  const { root, panes, prompts, caption, jacobian } = parts;
  panes.tape.root.style.minHeight = "";
  for (const [name, pane] of Object.entries(panes)) assign(pane.root, "hidden", !shows(name));
  if (prompts.open) panes.inspector.root.hidden = true; // a question takes its place, so that nothing else moves
  root.classList.toggle("large", options.large);
  for (const word of WORDS) root.classList.toggle("no-" + word, !knows(options, word));
  const left = shows("code") || shows("inspector");
  if (left !== parts.left.contains(prompts.root)) {
    if (left) parts.left.append(prompts.root);
    else caption.root.after(prompts.root);
  }
  parts.left.hidden = !left;
  parts.right.hidden = !shows("graph") && !jacobian;
  return { left, right: !parts.right.hidden };
}

/**
 * Shows what is asked for and measures what it would take; all of it is the same at every moment (null while out of
 * sight).
 * @param {Parts} parts
 * @param {Storyboard} board
 * @param {Options} options
 * @param {number} room
 * @param {Manner} manner
 * @returns {Found | null}
 */
function measure(parts, board, options, room, { second, folded, stage, tucked = false, dense = false }) {
  const { root, panes, caption } = parts;
  const { large } = options;
  /** @param {string} name */
  const shows = (name) => isShown(options, name) && !(tucked && name === "tape");
  const { left, right } = showPanes(parts, options, shows);
  const width = root.clientWidth;
  const em = fontSize(root);
  if (!width || !em) return null;
  options.type = em / (large ? 19 : 14);
  const small = width < NARROW * em;
  root.classList.toggle("low", small || room < SHORT * em);
  panes.tape.reserve(em, second || large ? 2 : undefined);
  const said = caption.heightAt(width, em, stage);
  const fixed = {
    caption: dense ? Math.min(said, Math.floor(DENSE * em)) : said,
    tape: shows("tape") ? panes.tape.root.offsetHeight : 0,
    chapters: tall(parts.loss?.root),
  };
  const whole = tall(parts.topBar) + tall(parts.unread) + fixed.caption + fixed.chapters + fixed.tape + 3;
  const jacobian = tall(parts.jacobian?.root);
  const wide = shows("code") ? panes.code.width(em) : 0;
  /** @type {(column: number, brief: boolean) => number} */
  const high = (column, brief) => (shows("code") ? panes.code.height(em, column, { large, brief }) : 0);
  const rest = room - whole - jacobian;
  const code = { width: Math.max(wide, board.replay ? CURVE * em : 0), height: high(wide, false) };
  const ways = panes.graph.boxes().map((box) => {
    const picture = shows("graph") ? box : { width: 0, height: 0 };
    const mode = arrangement({ left, right, width, rest: rest - 2 * em, em, code, picture, large });
    const column = columnOf(mode, width, em, code.width, large, wanted(picture, rest));
    const least = mode === "rows" ? LEAST_CODE[small ? 2 : 0] * em : 0;
    const height = Math.min(MOST_GRAPH * em, rest - least);
    return { mode, column, width: mode === "beside" ? width - column : width, height };
  });
  const { mode, column, width: beside } = ways[panes.graph.take(ways)];
  const graph = shows("graph") ? Math.min(MOST_GRAPH * em, panes.graph.wish(beside)) : 0;
  const over = mode === "rows" ? rest - graph : rest; // what code and inspector have
  const held = mode === "single" ? width : column;
  const crowded = mode === "rows" ? width - wide < LITTLE * em : high(held, true) + LOW * em > over;
  const away = isFolded(folded, options, second, crowded);
  const under = mode === "rows" || !shows("inspector") ? 0 : away ? FOLDED : LOW;
  const opened = shows("inspector") && !away;
  const brief = high(held, false) + under * em > over;
  panes.code.setBrief(brief);
  /** @type {Found} */
  const result = {
    ...fixed,
    mode,
    em,
    width,
    left,
    fixed: whole,
    jacobian,
    crowded,
    column,
    code: Math.min(MOST_CODE * em, high(held, brief)),
    graph,
    inspector: "",
    asks: board.prompts.length > 0,
    tight: dense || small || (large && mode === "rows") ? 2 : second || large ? 1 : 0,
  };
  if (shows("inspector")) result.inspector = opened ? "open" : "folded";
  panes.inspector.setFolded(away);
  if (dense) assign(caption.root, "tabindex", "0");
  return result;
}

/**
 * Gives every pane its height: what measure() found, or what two players side by side have found together.
 * @param {Parts} parts
 * @param {Options} options
 * @param {Found} result
 * @param {number} room
 */
function settle({ panes, prompts, caption, stage }, options, result, room) {
  const { mode, em, inspector } = result;
  const asking = Boolean(prompts.open);
  const rows = mode === "rows";
  const more = asking || inspector === "open"; // something stands beside the code
  const wide = result.width / em;
  const fits = rows ? !options.bare && wide >= BROAD : mode === "beside";
  const curve = fits && more && !asking && panes.inspector.isLarge();
  const covered = curve || (rows && more && wide < NARROW);
  const classes = [
    "stage",
    mode,
    inspector === "folded" && !asking && "tucked",
    covered && "covered",
    rows && (covered || !more || options.hide.includes("code")) && "one-above",
  ];
  stage.className = classes.filter(Boolean).join(" ");
  const column = curve ? Math.max(result.column, CURVE * em) : result.column;
  for (const [name, value] of Object.entries({ column, ...heights(result, room, curve) }))
    stage.style.setProperty("--" + name, value + "px");
  caption.root.style.height = result.caption + "px";
  panes.tape.root.style.minHeight = result.tape + "px";
  panes.graph.resize();
  panes.code.fit();
  panes.code.follow();
}

/**
 * How a player is arranged: what was measured last, and whether the learner has folded the inspector.
 * @param {Parts} parts
 * @param {Storyboard} board
 * @param {Options} options
 * @param {boolean} second  one of two, which step together
 * @param {() => Stage | null} now  the moment that is shown
 */
export function layoutOf(parts, board, options, second, now) {
  let folded = options.folded;
  /** @type {Found | null} */
  let result = null;
  return {
    get folded() {
      return folded;
    },
    isAway: () => isFolded(folded, options, second, result !== null && result.crowded),
    /** @param {boolean} on */
    setFold(on) {
      folded = on;
    },
    /**
     * @param {number} room
     * @param {{ tucked?: boolean, dense?: boolean }} [manner]
     */
    measure(room, manner = {}) {
      const measured = measure(parts, board, options, room, { second, folded, stage: now(), ...manner });
      result = measured || result;
      return measured;
    },
    /** @type {(how: Found, room: number) => void} */
    settle: (how, room) => settle(parts, options, how, room),
    /** Arranges it under `above` pixels that belong to others. @param {number} above */
    fit(above) {
      const room = roomOf() - above;
      const measured = this.measure(room);
      if (measured) this.settle(measured, room);
    },
  };
}

/**
 * Calls `arrange` when the player is given another width, or the window another height; returns the function that
 * stops it.
 * @param {HTMLElement} root
 * @param {() => void} arrange
 */
export function watchSize(root, arrange) {
  let width = root.clientWidth;
  let height = window.innerHeight;
  const observer = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) < 2) return;
    width = root.clientWidth;
    arrange();
  });
  const onWindow = () => {
    if (window.innerHeight === height) return;
    height = window.innerHeight;
    arrange();
  };
  observer.observe(root);
  window.addEventListener("resize", onWindow);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", onWindow);
  };
}
