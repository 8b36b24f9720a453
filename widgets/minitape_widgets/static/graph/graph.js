// @ts-check
// The graph: values as boxes, operations as the edges that lead to them. The places of all nodes come with the
// storyboard and never move. While the program runs the nodes appear; while the tape is played back, numbers stand on
// the edge where they act, parts stack under the node that they reach and collapse into their sum, and where no
// gradient passes the edge is cut. A group of many operations is one box, which opens into a drawing of its own.

import { assign, isForeign, make } from "../elements/dom.js";
import { given } from "../storyboard/lookup.js";
import { drawBadges } from "./badges.js";
import { dressBox } from "./boxes.js";
import { dressEdge } from "./edges.js";
import { closer } from "./geometry.js";
import { drawNow } from "./now.js";
import { drawPicture, entryOf, viewBoxOf } from "./picture.js";
import { framed, heightIn, lettersAt, lowest, natural } from "./scale.js";
import { bring, follow } from "./scroll.js";
import { graphView } from "./view.js";

/** @import { Drawing, GroupBox, Index, NodeBox, Storyboard } from "storyboard" */
/** @import { Choose, Options, Selection, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Hands } from "./boxes.js" */

/** @type {(list: number[]) => number} */
const most = (list) => Math.max(0, ...list);

/**
 * The drawings of a storyboard by their number: in large type, and in a pair, with their columns closer together.
 * @param {Storyboard} board
 * @param {Options} options
 */
function drawingsOf(board, options) {
  /** @type {Map<number, Drawing>} */
  const closed = new Map();
  /** @type {(d: number) => Drawing} */
  function drawing(d) {
    if (!options.large && !options.bare) return board.drawings[d];
    const found = closed.get(d) || closer(board.drawings[d]);
    closed.set(d, found);
    return found;
  }
  const chapters = new Set(board.chapters.map((chapter) => chapter.group));
  const seen = [...board.drawings.keys()].filter((d) => d === 0 || chapters.has(board.drawings[d].group));
  /** How large the pictures are that will be looked at: this decides, once, how the panes are arranged. */
  const sizes = () => seen.map((d) => framed(drawing(d)));
  return { drawing, sizes };
}

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 * @param {Options} options
 */
export function graphPane(board, words, choose, options) {
  /** @type {Map<Index | null, number>} group -> its drawing; null: the whole */
  const byGroup = new Map(board.drawings.map((drawing, d) => [drawing.group, d]));
  const { drawing, sizes } = drawingsOf(board, options);
  const view = graphView(board, words, options, setZoom);
  const { root, svg, scroller, trail, key } = view;
  let open = 0; // the drawing that is on the page
  let byHand = false; // whether the learner has opened one: from then on none opens by itself
  /** @type {Stage | null} */
  let stage = null;
  /** @type {Selection} */
  let selection = null;

  /** @param {number | null} value */
  function setZoom(value) {
    view.zoom = value && Math.max(0.3, Math.min(4, value));
    resize();
  }

  /** Fits the picture into the pane, after either has changed. */
  function resize() {
    const picture = view.picture;
    if (!picture) return;
    root.classList.remove("tall"); // what has to be scrolled would pass under the pane's name
    key.hidden = false;
    const high = most(sizes().map((size) => lowest(size, scroller.clientWidth, options)));
    key.hidden = options.large && high > scroller.clientHeight;
    const tall = scroller.clientHeight > 0 && picture.height * view.scale() > scroller.clientHeight + 2;
    root.classList.toggle("tall", tall);
    const scale = view.scale();
    const letters = lettersAt(scale, options);
    if (Math.abs(letters - view.grow) > 0.03) {
      view.grow = letters;
      build();
      if (stage) update(stage, selection);
      return;
    }
    svg.setAttribute("width", String(Math.round(picture.width * scale)));
    svg.setAttribute("height", String(Math.round(picture.height * scale)));
    if (stage) follow(view, stage, picture);
  }

  /** Draws the boxes and edges of one drawing; what changes from step to step is dressed in update(). */
  function build() {
    const shown = board.drawings[open] ? drawing(open) : { width: 10, height: 10, nodes: [], edges: [] };
    const picture = drawPicture(board, /** @type {Drawing} */ (shown), view.grow, (g) => byGroup.has(g), handsOf);
    const { edges, boxes, badges, now } = picture.layers;
    view.picture = picture;
    view.last = -1;
    svg.setAttribute("viewBox", viewBoxOf(picture));
    svg.replaceChildren(edges, boxes, badges, now);
    showTrail();
    resize();
  }

  /** @type {(box: NodeBox | GroupBox) => Hands} */
  const handsOf = (box) => ({ click: () => take(box), keydown: (event) => walk(event, box) });

  /** @param {NodeBox | GroupBox} box */
  function take(box) {
    if (box.node !== undefined) choose({ node: box.node });
    else if (byGroup.has(box.group)) enter(box.group);
  }

  /** @param {Index | null} group */
  function enter(group) {
    byHand = true;
    open = byGroup.get(group) ?? 0;
    view.zoom = null;
    build();
    scroller.scrollTo(0, 0); // an opened group is read from its beginning, unless it is being played
    if (stage) update(stage, selection);
    const entry = svg.querySelector('[tabindex="0"]') || trail.querySelector("button");
    if (entry) /** @type {HTMLElement | SVGElement} */ (entry).focus({ preventScroll: true });
  }

  /** The way back out of an opened group. */
  function showTrail() {
    /** @type {(Index | null)[]} */
    const path = [];
    for (let g = board.drawings[open]?.group; given(g); g = board.groups[g].parent) if (byGroup.has(g)) path.unshift(g);
    if (path.length) path.unshift(null);
    const buttons = path.map((g, i) => {
      const text = g === null ? words.say("ui.graph.whole") : board.groups[g].label;
      const disabled = i === path.length - 1;
      return make("button", { type: "button", class: "text-button", disabled, on: { click: () => enter(g) } }, text);
    });
    trail.replaceChildren(...buttons);
  }

  /**
   * Up and down walk through the nodes in the order of their drawing; Enter chooses.
   * @param {KeyboardEvent} event
   * @param {NodeBox | GroupBox} box
   */
  function walk(event, box) {
    if (isForeign(event) || !view.picture) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const takes = event.key === "Enter" || event.key === " ";
    if (!move && !takes) return;
    if (takes) take(box);
    event.preventDefault();
    event.stopPropagation();
    if (!move) return;
    const shown = view.picture.boxes.filter((drawn) => drawn.shown);
    const next = shown[shown.findIndex((drawn) => drawn.element === event.currentTarget) + move];
    if (!next) return;
    for (const drawn of shown) assign(drawn.element, "tabindex", drawn === next ? "0" : "-1");
    next.element.focus({ preventScroll: true });
    bring(view, next);
  }

  /**
   * Which drawing a moment asks for: in a training loop each step opens by itself, until the learner chooses.
   * @param {Stage} next
   */
  function drawingAt(next) {
    const chapter = board.chapters[next.chapter];
    return (!byHand && chapter ? byGroup.get(chapter.group) : undefined) ?? open;
  }

  /**
   * Shows a moment.
   * @param {Stage} next
   * @param {Selection} chosen
   */
  function update(next, chosen) {
    stage = next;
    selection = chosen;
    root.classList.toggle("awaited", next.k === 0);
    const wanted = drawingAt(next);
    if (!view.picture || wanted !== open) {
      open = wanted;
      build();
    }
    const picture = view.picture;
    if (!picture) return;
    for (const drawn of picture.edges) dressEdge(drawn, board, next);
    for (const drawn of picture.boxes) dressBox(drawn, board, words, next, chosen);
    const entry = entryOf(picture, next.current.node);
    for (const drawn of picture.boxes) assign(drawn.element, "tabindex", drawn === entry ? "0" : "-1");
    drawBadges(board, next, picture, view.grow);
    drawNow(view, next, picture);
    const { scrollLeft, scrollTop } = scroller;
    follow(view, next, picture);
    const moved = scroller.scrollLeft !== scrollLeft || scroller.scrollTop !== scrollTop;
    if (moved) drawNow(view, next, picture); // what lies above the picture has moved
    view.last = next.k;
  }

  /** The box of the pictures that will be looked at, in their natural size. */
  const box = () => ({
    width: most(sizes().map((size) => size.width)) * natural(options),
    height: most(sizes().map((size) => size.height)) * natural(options),
  });

  /**
   * The height that all of it would take in a pane of this width: the highest of those pictures, and the legend.
   * @param {number} room
   */
  function wish(room) {
    key.hidden = false;
    return key.offsetHeight + 8 + most(sizes().map((size) => heightIn(size, room, options)));
  }

  return { root, update, resize, box, wish };
}
