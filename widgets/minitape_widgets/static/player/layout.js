// @ts-check
// Where the panes stand and how high each one is. A player is as high as its program asks, but no higher than one
// sees at once, and of the same height at every moment: nothing on the page may move while one steps. So every height
// is found from the whole storyboard and the window, once, and never from the moment that is shown; what needs more
// scrolls inside of its pane.

/** @typedef {"beside" | "rows" | "single" | "nothing"} Mode */
/** @typedef {{ width: number, height: number }} Size in pixels */
/** @typedef {{ need: number, least: number }} Wish */

/**
 * What arrange.js measures of one player, in pixels, and what follows from it.
 * @typedef {object} Found
 * @property {Mode} mode
 * @property {number} em
 * @property {number} width
 * @property {boolean} left  whether there is a column for code and inspector
 * @property {number} fixed  the height of all that is not the stage
 * @property {number} caption
 * @property {number} tape
 * @property {number} chapters
 * @property {number} jacobian
 * @property {boolean} crowded  whether there is no room for an inspector beside or under the code
 * @property {number} column  the width of the left column
 * @property {number} code
 * @property {number} graph
 * @property {"" | "folded" | "open"} inspector
 * @property {boolean} asks  whether the storyboard asks questions
 * @property {0 | 1 | 2} tight  how little the panes may have
 */

const FRAME = 128; // what a notebook keeps for itself: its menus, its tabs, its status line
const PAGE = [600, 24]; // in a window so narrow it keeps less
const FRAMED = 640; // in a frame that is as high as its content the window says nothing
const MOST = 860;

// How much of the width, at most, the code beside the graph has.
const SPLIT = 0.42;
const CLOSE = 0.46; // where it is narrow
const WRAPPED = 0.455; // in large type
const LEAST = 0.36; // where its graph wants the rest
const EDGES = 10; // pixels of a pane that its picture leaves free
const ENOUGH = 0.85; // of the size of a graph: for more no line of code is wrapped

const READABLE = 0.78; // of the size of a graph: numbers of small arrays have 11 pixels

// The least heights by tightness, in em. Beside each other, panes come down to less in a low window only.
const LEAST_GRAPH = [13, 10.4, 7.7];
const LEAST_BESIDE = [12, 10.4, 7.7]; // with less, boxes lose their numbers
export const LEAST_CODE = [8.9, 7.4, 5.8];
export const NARROW = 32; // em: in a narrower player what is opened covers the code
const OPENED = 15; // em of it there: fields, a curve, and what a nudge did
const LEAST_CURVE = 15.2; // likewise: 180 pixels, and its axis

/**
 * The height that a player may have, in pixels.
 * @param {number} [most]
 */
export function roomOf(most = MOST) {
  let framed = true;
  try {
    framed = window.top !== window;
  } catch (_) {
    /* a frame of somebody else */
  }
  return Math.min(most, framed ? FRAMED : window.innerHeight - (window.innerWidth < PAGE[0] ? PAGE[1] : FRAME));
}

/**
 * Shares a height among wishes: all they need where there is room, else each gives up its part of the rest.
 * @param {number} rest
 * @param {Wish[]} wishes
 */
export function share(rest, wishes) {
  const need = wishes.reduce((sum, wish) => sum + wish.need, 0);
  const least = wishes.reduce((sum, wish) => sum + wish.least, 0);
  const part = need <= rest ? 1 : need > least ? Math.max(0, (rest - least) / (need - least)) : 0;
  return wishes.map((wish) => Math.floor(wish.least + (wish.need - wish.least) * part));
}

/**
 * How the panes are arranged: "beside" (the code left of the graph, the inspector under the code), "rows" (the code
 * and the inspector above the graph), "single" (only one of both is shown), "nothing". Of the first two, the one that
 * leaves the graph larger; beside it the code keeps more of its lines, and so wins where there is little between
 * them. Large type leaves no height for two rows, so it stands beside wherever it can, and long lines of code are
 * wrapped.
 * @param {{ left: boolean, right: boolean, width: number, rest: number, em: number, code: Size, picture: Size,
 *   large: boolean }} found
 * @returns {Mode}
 */
export function arrangement({ left, right, width, rest, em, code, picture, large }) {
  if (!left || !right) return left || right ? "single" : "nothing";
  const tall = Math.max(1, picture.height);
  const column = columnOf("beside", width, em, code.width, large, wanted(picture, rest));
  const wide = Math.max(1, picture.width);
  if (large) return width < 40 * em ? "rows" : "beside";
  if (width < 40 * em || (width < 54 * em && code.width > column)) return "rows";
  const beside = Math.min(1, (width - column) / wide, rest / tall);
  const rows = Math.min(1, width / wide, (rest - Math.min(code.height, 8.5 * em)) / tall);
  if (beside < READABLE && rows >= READABLE) return "rows"; // the numbers of small arrays are seen
  return beside >= 0.85 * rows ? "beside" : "rows";
}

/** @type {(picture: Size, rest: number) => number} the width of a pane in which a picture is large enough */
export const wanted = ({ width, height }, rest) => width * Math.min(ENOUGH, rest / Math.max(1, height)) + EDGES;

/**
 * The width of the code's column.
 * @param {Mode} mode
 * @param {number} width
 * @param {number} em
 * @param {number} code
 * @param {boolean} large
 * @param {number} [picture]  the width that the graph wants
 */
export function columnOf(mode, width, em, code, large, picture = 0) {
  if (mode !== "beside") return Math.max(SPLIT * width, Math.min(code, width - 22 * em));
  if (large) return Math.max(15 * em, Math.min(code, WRAPPED * width));
  const most = (width >= 54 * em ? SPLIT : CLOSE) * width;
  return Math.max(17 * em, Math.min(code, most, Math.max(LEAST * width, width - picture)));
}

/**
 * The heights of the panes from what was measured, in the room there is.
 * @param {Found} result
 * @param {number} room
 * @param {boolean} [curve]  whether one has the row of the code
 */
export function heights(result, room, curve = false) {
  const { mode, em, code, graph, inspector, asks, jacobian } = result;
  const rest = room - result.fixed;
  /** Under the code, where a question has so many em. @param {number} question */
  const under = (question) =>
    em * (Math.max(inspector === "open" ? 11 : 0, asks ? question : 0) || (inspector ? 2.4 : 0));
  const tight = mode === "rows" ? result.tight : Math.max(1, result.tight);
  const leastGraph = Math.min(graph, (mode === "rows" ? LEAST_GRAPH : LEAST_BESIDE)[result.tight] * em);
  const least = LEAST_CODE[tight] * em;
  const leastCode = Math.min(code, least);
  if (mode === "rows") {
    // The inspector opens in the row of the code, and nothing moves; the graph comes first, since it is what moves.
    const opened = inspector === "open" && result.width < NARROW * em ? OPENED * em : inspector ? least : 0;
    const held = Math.max(opened, asks ? 10.5 * em : 0);
    const first = Math.max(leastCode, held);
    const [below] = share(rest - jacobian - first, [{ need: graph, least: leastGraph }]);
    const [top] = share(rest - jacobian - below, [{ need: Math.max(code, held), least: first }]);
    const more = curve ? Math.max(0, Math.min(LEAST_CURVE * em - top, below - LEAST_BESIDE[2] * em)) : 0;
    return { stage: top + below + jacobian, top: top + more, graph: below - more };
  }
  const left = { need: code + under(13), least: leastCode + under(12) };
  const right = { need: graph + jacobian, least: leastGraph + jacobian };
  const both = { need: Math.max(left.need, right.need), least: Math.max(left.least, right.least) };
  const alone = result.left ? left : { need: right.need + (asks ? 10 * em : 0), least: right.least };
  return { stage: share(rest, [mode === "beside" ? both : alone])[0], top: 0, graph: 0 };
}

/**
 * The largest of each thing that two players side by side have measured, so that their panes stand at the same heights.
 * @param {Found} a
 * @param {Found} b
 * @returns {Found}
 */
export function jointly(a, b) {
  const joint = { ...a, asks: a.asks || b.asks };
  for (const name of /** @type {const} */ (["code", "graph", "jacobian", "caption", "tape", "chapters"]))
    joint[name] = Math.max(a[name], b[name]);
  if (a.mode !== b.mode) joint.mode = a.mode === "beside" || b.mode === "beside" ? "rows" : a.mode;
  const others = [a, b].map((one) => one.fixed - one.caption - one.tape - one.chapters);
  joint.fixed = joint.caption + joint.tape + joint.chapters + Math.max(...others);
  return joint;
}
