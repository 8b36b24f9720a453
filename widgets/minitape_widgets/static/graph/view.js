// @ts-check
// The elements of the graph pane, and what its parts know of each other: which drawing is on the page, and how large.

import { draw, make } from "../elements/dom.js";
import { iconButton } from "../elements/icons.js";
import { legend } from "./legend.js";
import { ROOM, scaleOf } from "./scale.js";
import { pan } from "./scroll.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Options, Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Box } from "./geometry.js" */
/** @import { Picture } from "./picture.js" */
/** @import { Stand } from "./callout.js" */
/** @typedef {ReturnType<typeof graphView>} View */

const AROUND = 120; // pixels around a box in which its parts may stand

/**
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Options} options
 * @param {(scale: number | null) => void} setZoom
 * @param {() => void} follows  goes to where the act is
 */
export function graphView(board, words, options, setZoom, follows) {
  const name = words.say("ui.graph");
  const svg = draw("svg", { class: "graph-svg", role: "group", "aria-label": name });
  const scroller = make("div", { class: "graph-scroll", tabindex: "0", role: "group", "aria-label": name }, svg);
  const heading = make("span", { text: name });
  const trail = make("div", { class: "trail" });
  const camera = iconButton("camera", words.say("ui.camera"), () => setCamera(!view.camera), {
    "aria-pressed": "true",
  });
  const tools = make(
    "div",
    { class: "graph-tools" },
    camera,
    iconButton("minus", words.say("ui.zoom.out"), () => setZoom(view.scale() / 1.25)),
    iconButton("fit", words.say("ui.zoom.fit"), () => setZoom(null)),
    iconButton("plus", words.say("ui.zoom.in"), () => setZoom(view.scale() * 1.25)),
  );
  const key = options.bare ? make("div") : legend([board], words);
  const top = make("div", { class: "pane-name" }, heading, trail, tools);
  const root = make("div", { class: "pane graph", "data-pane": "graph" }, top, scroller, key);
  pan(scroller);
  /** Whether the pane follows the acts, is the learner's to say. @param {boolean} on */
  function setCamera(on) {
    view.camera = on;
    camera.setAttribute("aria-pressed", String(on));
    if (on) follows();
  }

  const view = {
    board,
    words,
    options,
    root,
    svg,
    scroller,
    heading,
    trail,
    tools,
    key,
    /** @type {Picture | null} the drawing that is on the page */
    picture: null,
    /** @type {import("./scale.js").Size | null} its size, known before it is drawn */
    size: null,
    /** @type {number | null} the scale that the learner chose */
    zoom: null,
    /** @type {Element} the minimap, once there is one */
    map: trail,
    camera: true, // whether the pane follows the acts
    grow: 1, // how much larger letters are drawn in the same boxes
    open: 0, // the number of that drawing
    way: 0, // and for which room it was made
    last: -1, // the moment that was drawn last
    seen: -1, // the same, whichever drawing it was in
    /** @type {Stage | null} */
    stage: null,
    /** The scale at which all of the picture is seen. @returns {number} */
    fit() {
      const { width, height } = view.room();
      return view.size ? scaleOf(view.size, { width: width || 640, height: height || 1e4 }, options) : 1;
    },
    still: false, // while a number is drawn along nothing moves, and nothing is measured again
    steady: false, // nor while what happens now is drawn
    turned: false, // whether the program would have gone another way with the numbers that are held
    /** @type {{ width: number, height: number, left: number, top: number } | null} */
    measured: null,
    /** @type {Box[] | null} */
    covered: null,
    /** @type {Map<string, Stand | null>} where a callout of a length stood */
    stands: new Map(),
    /** The size of the pane, and how far it is scrolled. */
    room() {
      if ((view.still || view.steady) && view.measured) return view.measured;
      const { clientWidth: width, clientHeight: height, scrollLeft: left, scrollTop: top } = scroller;
      return (view.measured = { width, height, left, top });
    },
    /** @returns {number} */
    scale: () => view.zoom || view.fit(),
    /** Whether numbers beside boxes can be read: not measured again at every act. */
    readable: () => svg.dataset.detail === "all",
    /** What is written in their pills: their numbers (undefined), nothing (""), or not even tiles (null). */
    written: () => (view.readable() ? undefined : svg.dataset.detail === "names" ? "" : null),
  };
  return view;
}

/** Whether the picture is larger than the pane. @param {View} view */
export function isCut({ room, scale, size }) {
  const { width, height } = room();
  return size !== null && (size.width * scale() > width + 8 || size.height * scale() > height + 8);
}

/**
 * Whether something of a box is seen in the pane, or of what hangs on it.
 * @type {(view: View, box: Box) => boolean}
 */
export function isInPane({ room, scale }, { x, y, w, h }) {
  const { width, height, left, top } = room();
  const s = scale();
  /** @type {(middle: number, length: number, from: number, size: number) => boolean} */
  const meets = (middle, length, from, size) =>
    Math.abs(middle * s - from - size / 2) < (length / 2 + AROUND) * s + size / 2;
  return meets(x + ROOM.side, w, left, width) && meets(y + ROOM.top, h, top, height);
}

/**
 * What lies above the picture, the pane's name, its buttons and the minimap, in the coordinates of its frame.
 * @type {(view: View) => Box[]}
 */
export function corners(view) {
  const { heading, trail, tools, map } = view;
  if (!(view.still || view.steady) || !view.covered) view.covered = inPicture(view, [heading, trail, tools, map]);
  return view.covered;
}

/** Where parts of the pane lie, in those coordinates. @type {(view: View, parts: Element[]) => Box[]} */
export function inPicture({ svg, scale }, parts) {
  const own = svg.getBoundingClientRect();
  const s = scale();
  return parts
    .map((part) => part.getBoundingClientRect())
    .filter((box) => box.width && own.width)
    .map((box) => ({
      x: (box.left + box.width / 2 - own.left) / s,
      y: (box.top + box.height / 2 - own.top) / s,
      w: box.width / s,
      h: box.height / s,
    }));
}
