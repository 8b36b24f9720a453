// @ts-check
// The graph: values as boxes, operations as the edges that lead to them. The places of all nodes come with the
// storyboard and never move. While the program runs the nodes appear; while the tape is played back, numbers stand on
// the edge where they act, parts stack under the node that they reach and collapse into their sum, and where no
// gradient passes the edge is cut. A group of many operations is one box, which opens into a drawing of its own.

import { assign, isForeign, make } from "../elements/dom.js";
import { noticeLine } from "../held/notice.js";
import { given } from "../storyboard/lookup.js";
import { drawBadges, drawChanges } from "./badges.js";
import { dressBox } from "./boxes.js";
import { drawingsOf } from "./drawings.js";
import { dressEdge } from "./edges.js";
import { minimap } from "./minimap.js";
import { move } from "./moves.js";
import { drawNow } from "./now.js";
import { drawPicture, entryOf, isUnder, viewBoxOf } from "./picture.js";
import { detailAt, heightIn, lettersAt, natural } from "./scale.js";
import { bring, follow } from "./scroll.js";
import { selector } from "./selector.js";
import { corners, graphView } from "./view.js";

/** @import { GroupBox, Index, NodeBox, Storyboard } from "storyboard" */
/** @import { Choose, Options, Selection, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Hands } from "./boxes.js" */
/** @import { Picture } from "./picture.js" */

/** @type {(list: number[]) => number} */
const most = (list) => Math.max(0, ...list);

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 * @param {Options} options
 * @param {Held | null} held
 */
export function graphPane(board, words, choose, options, held) {
  const drawings = drawingsOf(board, options);
  const { sizes } = drawings;
  const view = graphView(board, words, options, setZoom, () => stage && update(stage, selection));
  const map = minimap(view);
  view.map = map.root;
  const { root, svg, scroller, trail, key } = view;
  view.root.insertBefore(map.root, key);
  const notice = held && noticeLine(words, held);
  if (notice) view.root.append(notice.root);
  let open = 0; // the drawing that is on the page
  let byHand = false; // whether the learner has opened one: from then on none opens by itself
  let seen = -1; // the moment that was shown last, whichever drawing it was in
  let tops = ""; // the rounds that lie on top in it
  /** @type {Stage | null} */
  let stage = null;
  /** @type {Selection} */
  let selection = null;

  /** The middle of what is seen stays where it is. @param {number | null} value */
  function setZoom(value) {
    const before = view.scale();
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    const fit = view.fit();
    view.zoom = value && value > fit * 1.02 ? Math.min(4, Math.max(fit, value)) : null;
    resize();
    const by = view.scale() / before;
    scroller.scrollLeft = (scrollLeft + clientWidth / 2) * by - clientWidth / 2;
    scroller.scrollTop = (scrollTop + clientHeight / 2) * by - clientHeight / 2;
    if (stage && view.picture && view.camera) follow(view, stage, view.picture);
    map.update();
  }

  /** What was measured no longer holds. */
  function forget() {
    view.still = false;
    view.measured = view.covered = null;
    view.stands.clear();
  }
  scroller.addEventListener("scroll", forget, { passive: true });

  /** Fits the picture into the pane, after either has changed. */
  function resize() {
    forget();
    const picture = view.picture;
    if (!picture) return;
    assign(map.root, "hidden", true);
    root.classList.remove("tall"); // the pane's name lies above the picture where it covers nothing of it
    key.hidden = false;
    const high = most(sizes().map((size) => heightIn(size, scroller.clientWidth, options)));
    key.hidden = options.large && high > scroller.clientHeight;
    setSize(picture, view.scale());
    const tall = picture.height * view.scale() > scroller.clientHeight + 2;
    root.classList.toggle("tall", scroller.clientHeight > 0 && (tall || isUnder(corners(view), picture)));
    const scale = view.scale();
    const letters = lettersAt(scale, options);
    if (Math.abs(letters - view.grow) > 0.03) {
      view.grow = letters;
      build();
      if (stage) update(stage, selection);
      return;
    }
    const before = svg.dataset.detail;
    svg.dataset.detail = detailAt(scale, options);
    if (stage && before !== svg.dataset.detail) drawBadges(view, stage, picture);
    setSize(picture, scale);
    if (stage && view.camera) follow(view, stage, picture);
    map.update();
  }

  /** @type {(picture: Picture, scale: number) => void} */
  function setSize(picture, scale) {
    svg.setAttribute("width", String(Math.round(picture.width * scale)));
    svg.setAttribute("height", String(Math.round(picture.height * scale)));
  }

  /** Draws the boxes and edges of one drawing; what changes from step to step is dressed in update(). */
  function build() {
    const { drawing, rounds } = drawings.at(open, stage);
    const picture = drawPicture(board, drawing, view.grow, drawings.opens, handsOf, held);
    tops = rounds.join();
    const { frames, edges, boxes, badges, changes, now, moving } = picture.layers;
    view.picture = picture;
    svg.setAttribute("viewBox", viewBoxOf(picture));
    svg.replaceChildren(frames, edges, boxes, badges, changes, now, moving);
    showTrail();
    resize();
  }

  /** @type {(box: NodeBox | GroupBox) => Hands} */
  const handsOf = (box) => ({ click: () => take(box), keydown: (event) => walk(event, box) });

  /** @param {NodeBox | GroupBox} box */
  function take(box) {
    if (box.node !== undefined) choose({ node: box.node });
    else if (drawings.opens(box.group)) enter(box.group);
  }

  /** @param {Index | null} group */
  function enter(group) {
    unfold(group);
    const entry = svg.querySelector('[tabindex="0"]') || trail.querySelector("button");
    if (entry) /** @type {HTMLElement | SVGElement} */ (entry).focus({ preventScroll: true });
  }

  /** Opens the smallest box around a card that opens. @param {Index} card */
  function show(card) {
    let group = board.cards[card].group;
    while (given(group) && !drawings.opens(group)) group = board.groups[group].parent;
    if (given(group)) unfold(group);
  }

  /** @param {Index | null} group */
  function unfold(group) {
    byHand = true;
    open = drawings.numberOf(group, stage) ?? 0;
    view.zoom = null;
    view.last = -1;
    build();
    scroller.scrollTo(0, 0); // an opened group is read from its beginning, unless it is being played
    if (stage) update(stage, selection);
  }

  /** The way back out of an opened group; where it is one of a stack, the others. */
  function showTrail() {
    const inner = board.drawings[open].group;
    /** @type {Index[]} */
    const path = [];
    for (let g = inner; given(g); g = board.groups[g].parent) if (board.groups[g].kind !== "loop") path.unshift(g);
    /** @type {(g: Index | null, text: string) => HTMLElement} */
    const way = (g, text) => {
      const on = { click: () => enter(g) };
      return make("button", { type: "button", class: "text-button", disabled: g === inner, on }, text);
    };
    const steps = path.map((g) => {
      const stack = drawings.stack(g);
      return stack.length > 1 ? selector(board, words, stack, g, enter) : way(g, board.groups[g].label);
    });
    trail.replaceChildren(...(path.length ? [way(null, words.say("ui.graph.whole")), ...steps] : []));
  }

  /**
   * Up and down walk through the nodes in the order of their drawing; Enter chooses.
   * @param {KeyboardEvent} event
   * @param {NodeBox | GroupBox} box
   */
  function walk(event, box) {
    if (isForeign(event) || event.altKey || !view.picture) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const takes = event.key === "Enter" || event.key === " ";
    if (!move && !takes) return;
    if (takes) take(box);
    event.preventDefault();
    event.stopPropagation();
    if (!move) return;
    const shown = [...view.picture.frames, ...view.picture.boxes].filter((drawn) => drawn.shown);
    const next = shown[shown.findIndex((drawn) => drawn.element === event.currentTarget) + move];
    if (!next) return;
    for (const drawn of shown) assign(drawn.element, "tabindex", drawn === next ? "0" : "-1");
    next.element.focus({ preventScroll: true });
    bring(view, next);
  }

  /**
   * Which drawing a moment asks for: in a training loop each step opens by itself, until the learner chooses; what was
   * opened is left when the play leaves it.
   * @param {Stage} next
   */
  function drawingAt(next) {
    const first = board.frames[0]?.act === "chapter" ? 0 : -1; // at the start one sees where the first step will stand
    const chapter = board.chapters[next.k ? next.chapter : first];
    if (!view.camera) return open;
    if (!byHand) return (chapter && drawings.numberOf(chapter.group, next)) ?? 0;
    return next.current.card >= 0 && next.k !== seen ? drawings.near(open, next.current.card) : open;
  }

  /**
   * Shows a moment; returns after how many milliseconds its result is there.
   * @param {Stage} next
   * @param {Selection} chosen
   */
  function update(next, chosen) {
    stage = next;
    selection = chosen;
    view.still = Boolean(held?.busy);
    root.classList.toggle("awaited", next.k === 0);
    const wanted = drawingAt(next);
    if (!view.picture || wanted !== open) {
      open = wanted;
      view.last = -1;
      build();
    } else if (drawings.at(open, next).rounds.join() !== tops) build();
    const picture = view.picture;
    if (!picture) return 0;
    for (const drawn of picture.edges) dressEdge(drawn, board, next);
    const all = [...picture.frames, ...picture.boxes];
    for (const drawn of all) dressBox(drawn, board, words, next, chosen);
    const entry = entryOf(picture, next.current.node);
    for (const drawn of all) assign(drawn.element, "tabindex", drawn === entry ? "0" : "-1");
    drawBadges(view, next, picture);
    if (held) drawChanges(view, picture, held.changes());
    drawNow(view, next, picture);
    notice?.update();
    if (view.still) return 0;
    const { scrollLeft, scrollTop } = scroller;
    if (view.camera) follow(view, next, picture);
    const moved = scroller.scrollLeft !== scrollLeft || scroller.scrollTop !== scrollTop;
    map.update();
    if (moved) drawNow(view, next, picture); // what lies above the picture has moved
    const arrives = move(view, next, picture);
    view.last = seen = next.k;
    return arrives;
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

  return { root, update, show, resize, box, wish };
}
