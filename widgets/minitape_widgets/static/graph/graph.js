// @ts-check
// The graph: values as boxes, operations as the edges that lead to them. The places of all nodes come with the
// storyboard and never move. While the program runs the nodes appear; while the tape is played back, numbers stand on
// the edge where they act, parts stack under the node that they reach and collapse into their sum, and where no
// gradient passes the edge is cut. A group of many operations is one box, which opens into a drawing of its own.

import { assign, draw, renew } from "../elements/dom.js";
import { noticeLine } from "../held/notice.js";
import { drawBadges, drawChanges } from "./badges.js";
import { dressBox } from "./boxes.js";
import { drawingsOf } from "./drawings.js";
import { dressEdge } from "./edges.js";
import { glanceOf } from "./glance.js";
import { fitOf } from "./fit.js";
import { minimap } from "./minimap.js";
import { move } from "./moves.js";
import { drawNow } from "./now.js";
import { openedOf } from "./opened.js";
import { drawPicture, entryOf, viewBoxOf } from "./picture.js";
import { ROOM, framed } from "./scale.js";
import { follow } from "./scroll.js";
import { corners, graphView, isCut, isInPane } from "./view.js";
import { walk } from "./walk.js";

/** @import { GroupBox, Index, NodeBox, Storyboard } from "storyboard" */
/** @import { Choose, Options, Selection, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Held } from "../held/held.js" */
/** @import { Hands } from "./boxes.js" */
/** @import { Picture } from "./picture.js" */

const AROUND = 36; // what stays around boxes that are seen alone: room for the numbers below them

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Choose} choose
 * @param {Options} options
 * @param {Held | null} held
 */
export function graphPane(board, words, choose, options, held) {
  const drawings = drawingsOf(board, options);
  const view = graphView(board, words, options, (value) => fit.setZoom(value), redraw);
  const map = minimap(view);
  const fit = fitOf(view, drawings, map, rebuild);
  const opened = openedOf(view, drawings, build, redraw);
  const { root, svg, scroller, key } = view;
  view.map = map.root;
  root.insertBefore(map.root, key);
  const notice = held && noticeLine(words, held);
  if (notice) root.append(notice.root);
  const endGlance = glanceOf(view);
  let tops = ""; // the rounds that lie on top in the drawing that is on the page
  /** @type {Selection} */
  let selection = null;

  function redraw() {
    if (view.stage) update(view.stage, selection);
  }

  function rebuild() {
    build();
    redraw();
  }

  /** Draws the boxes and edges of one drawing; what changes from step to step is dressed in update(). */
  function build() {
    const { drawing, rounds, way } = drawings.at(view.open, view.stage);
    view.way = way;
    view.size = framed(drawing);
    // in letters of another size it would be drawn again
    if (!view.picture) fit.makeRoom(drawing.nodes);
    const picture = drawPicture(view, drawing, drawings.opens, handsOf, held);
    tops = rounds.join();
    const { frames, edges, boxes, badges, changes, now, moving } = picture.layers;
    view.picture = picture;
    svg.setAttribute("viewBox", viewBoxOf(picture));
    svg.replaceChildren(frames, edges, boxes, badges, changes, now, moving);
    opened.showTrail();
    fit.resize();
  }

  /** @type {(box: NodeBox | GroupBox) => Hands} */
  function handsOf(box) {
    const take = () => {
      if (box.node !== undefined) choose({ node: box.node });
      else if (drawings.opens(box.group)) opened.enter(box.group);
    };
    return { click: take, keydown: (event) => walk(view, event, take) };
  }

  /**
   * Shows a moment; returns after how many milliseconds its result is there.
   * @param {Stage} next
   * @param {Selection} chosen
   */
  function update(next, chosen) {
    view.stage = next;
    selection = chosen;
    endGlance();
    view.still = Boolean(held?.busy);
    view.turned = Boolean(held?.turned);
    root.classList.toggle("awaited", next.k === 0);
    root.classList.toggle("has-adjoints", next.pass >= 0);
    root.classList.toggle("has-locals", next.pass > 0 || next.visited > 0);
    const wanted = opened.drawingAt(next);
    if (!view.picture || wanted !== view.open) {
      view.open = wanted;
      view.last = -1;
      build();
    } else if (drawings.at(wanted, next).rounds.join() !== tops) build();
    const picture = view.picture;
    if (!picture) return 0;
    dress(next, picture, view.still && Boolean(held?.hurries));
    if (held) drawChanges(view, picture, held.changes());
    notice?.update();
    if (view.still) return renewNow(next, picture);
    view.measured = view.covered = null;
    view.steady = true;
    const { left, top } = view.room(); // before anything is written: the page is laid out once
    corners(view);
    drawNow(view, next, picture);
    const batch = key.querySelector(".is-batch");
    if (batch) assign(batch, "hidden", !svg.querySelector(".batch")); // where numbers find no room there is no bracket
    const cut = isCut(view);
    view.steady = false;
    if (cut) {
      if (view.camera) follow(view, next, picture);
      const stood = map.root.getAttribute("class");
      map.update();
      const moved = scroller.scrollLeft !== left || scroller.scrollTop !== top;
      const away = map.root.getAttribute("class") !== stood;
      if (moved || away) drawNow(view, next, picture); // what lies above the picture has moved
    }
    const arrives = move(view, next, picture);
    view.last = view.seen = next.k;
    return arrives;
  }

  /**
   * What happens now, with other numbers: what is drawn beside the page is written into what stands there.
   * @type {(next: Stage, picture: Picture) => number}
   */
  function renewNow(next, { layers, ...others }) {
    const now = draw("g");
    drawNow(view, next, { ...others, layers: { ...layers, now } });
    renew(layers.now, ...now.childNodes);
    return 0;
  }

  /**
   * Dresses boxes and edges, with what stands at them; `hurries`: only the numbers, and of these only what is seen.
   * @type {(next: Stage, picture: Picture, hurries: boolean) => void}
   */
  function dress(next, picture, hurries) {
    const all = [...picture.frames, ...picture.boxes].filter((drawn) => !hurries || isInPane(view, drawn));
    for (const drawn of all) dressBox(drawn, board, words, next, selection, hurries);
    const seen = new Set(all.map(({ node }) => node));
    // where no tiles are drawn, a badge is a mark and shows no number
    if (!hurries || view.written() !== null) drawBadges(view, next, picture, (node) => hurries && !seen.has(node));
    if (hurries) return;
    for (const drawn of picture.edges) dressEdge(drawn, board, next);
    const entry = entryOf(picture, next.current.node);
    for (const drawn of all) assign(drawn.element, "tabindex", drawn === entry ? "0" : "-1");
  }

  /** What was not seen while a number is drawn along comes into view. */
  function scrolled() {
    if (held?.hurries && view.stage && view.picture) dress(view.stage, view.picture, true);
  }
  scroller.addEventListener("scroll", scrolled, { passive: true });

  /** Shows nothing but some boxes, and what lies around them; or the callout. @param {Index[]} nodes */
  function crop(nodes) {
    const { bubble, boxes = [] } = view.picture ?? {};
    const result =
      bubble && !bubble.group.hasAttribute("opacity") // what has no room in boxes moves there
        ? [{ ...bubble, x: bubble.x - ROOM.side, y: bubble.y - ROOM.top }]
        : boxes.filter(({ node = -1 }) => nodes.includes(node));
    /** @type {(side: "x" | "y", length: "w" | "h") => [number, number]} */
    const span = (side, length) => {
      const ends = result.flatMap((box) => [box[side] - box[length] / 2, box[side] + box[length] / 2]);
      return [Math.min(...ends) - AROUND, Math.max(...ends) + AROUND];
    };
    const [[left, right], [top, bottom]] = [span("x", "w"), span("y", "h")];
    const [width, height] = [right - left, bottom - top];
    for (const [side, length] of Object.entries({ width, height })) svg.setAttribute(side, String(length));
    svg.setAttribute("viewBox", [left, top, width, height].join(" "));
    return svg;
  }

  /** The pane has another size: what is said finds its place anew. */
  function resize() {
    fit.resize();
    if (view.stage && view.picture) drawNow(view, view.stage, view.picture);
  }

  const { boxes, wish } = fit;
  return { root, update, crop, show: opened.show, resize, take: drawings.take, boxes, wish };
}
