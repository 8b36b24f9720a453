// Where the panes stand and how high each one is. A player is as high as its program asks, but no higher than one sees at once,
// and of the same height at every moment: nothing on the page may move while one steps. So every height is found from the
// whole storyboard and the window, once, and never from the moment that is shown; what needs more scrolls inside of its pane.

const FRAME = 128;                                             // what a notebook keeps for itself: its menus, its tabs, its status line
const FRAMED = 640, MOST = 860;                                // in a frame that is as high as its content the window says nothing
const SPLIT = 0.42, CLOSE = 0.46, WRAPPED = 0.455;           // of the width, at most, for the code beside the graph; where it is narrow; in large type

/** The height that a player may have, in pixels. */
export function roomOf() {
  let framed = true;
  try { framed = window.top !== window; } catch (_) { /* a frame of somebody else */ }
  return framed ? FRAMED : Math.min(MOST, window.innerHeight - FRAME);
}

/** Shares a height among wishes {need, least}: all they need where there is room, else each gives up its part of the rest. */
export function share(rest, wishes) {
  const need = wishes.reduce((sum, wish) => sum + wish.need, 0), least = wishes.reduce((sum, wish) => sum + wish.least, 0);
  const part = need <= rest ? 1 : need > least ? Math.max(0, (rest - least) / (need - least)) : 0;
  return wishes.map((wish) => Math.floor(wish.least + (wish.need - wish.least) * part));
}

/**
 * How the panes are arranged: "beside" (the code left of the graph, the inspector under the code), "rows" (the code and the
 * inspector above the graph), "single" (only one of both is shown), "nothing". Of the first two, the one that leaves the graph
 * larger; beside it the code keeps more of its lines, and so wins where there is little between them. Large type leaves no height
 * for two rows, so it stands beside wherever it can, and long lines of code are wrapped.
 */
export function arrangement({ left, right, width, rest, em, code, picture, large }) {
  if (!left || !right) return left || right ? "single" : "nothing";
  const column = columnOf("beside", width, em, code.width, large), tall = Math.max(1, picture.height), wide = Math.max(1, picture.width);
  if (large) return width < 40 * em ? "rows" : "beside";
  if (width < 40 * em || (width < 54 * em && code.width > column)) return "rows";
  const beside = Math.min(1, (width - column) / wide, rest / tall), rows = Math.min(1, width / wide, (rest - Math.min(code.height, 8.5 * em)) / tall);
  return beside >= 0.85 * rows ? "beside" : "rows";
}

/** The width of the code's column. */
export function columnOf(mode, width, em, code, large) {
  if (mode === "beside" && large) return Math.max(15 * em, Math.min(code, WRAPPED * width));
  return mode === "beside" ? Math.max(17 * em, Math.min(code, (width >= 54 * em ? SPLIT : CLOSE) * width)) : Math.max(SPLIT * width, Math.min(code, width - 22 * em));
}

/** The heights of the panes from what was measured, in the room there is: {stage, top, graph} in pixels. */
export function heights(found, room) {
  const { mode, em, code, graph, inspector, asks, jacobian } = found;
  const rest = room - found.fixed, more = Math.max(inspector === "open" ? 11 * em : 0, asks ? 13 * em : 0) || (inspector ? 2.4 * em : 0);
  const leastGraph = Math.min(graph, [13, 10.4, 8][found.tight] * em), least = [8.9, 7.4, 5.8][found.tight] * em, leastCode = Math.min(code, least);
  if (mode === "rows") {
    const held = Math.max(inspector ? least : 0, asks ? 10.5 * em : 0);      // the inspector opens in this row, and nothing moves
    const first = Math.max(leastCode, held), [below] = share(rest - jacobian - first, [{ need: graph, least: leastGraph }]);      // the graph first: it is what moves
    const [top] = share(rest - jacobian - below, [{ need: Math.max(code, held), least: first }]);
    return { stage: top + below + jacobian, top, graph: below };
  }
  const left = { need: code + more, least: leastCode + more }, right = { need: graph + jacobian, least: leastGraph + jacobian };
  const wishes = mode === "beside" ? { need: Math.max(left.need, right.need), least: Math.max(left.least, right.least) } : found.left ? left : { need: right.need + (asks ? 10 * em : 0), least: right.least };
  return { stage: share(rest, [wishes])[0], top: 0, graph: 0 };
}

/** The largest of each thing that two players side by side have measured, so that their panes stand at the same heights. */
export function jointly(a, b) {
  const joint = { ...a };
  for (const name of ["code", "graph", "jacobian", "fixed", "caption", "tape", "chapters"]) joint[name] = Math.max(a[name], b[name]);
  joint.asks = a.asks || b.asks;
  if (a.mode !== b.mode) joint.mode = a.mode === "beside" || b.mode === "beside" ? "rows" : a.mode;
  joint.fixed = joint.caption + joint.tape + joint.chapters + Math.max(a.fixed - a.caption - a.tape - a.chapters, b.fixed - b.caption - b.tape - b.chapters);
  return joint;
}
