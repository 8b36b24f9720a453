// @ts-check
// The whole picture once more, small, in a corner of the pane while only a piece of it is seen: its boxes as spots, the
// piece as a frame. Where one presses or drags, there the pane goes.

import { assign, draw } from "../elements/dom.js";
import { isUnder } from "./picture.js";
import { inPicture, isCut } from "./view.js";

/** @import { View } from "./view.js" */
/** @import { Picture } from "./picture.js" */

const LARGEST = { width: 180, height: 96 };
const PART = 1 / 5; // of the pane, to each side, at most
const CORNERS = ["", "at-left", "at-top", "at-left at-top"];

/** @param {View} view */
export function minimap(view) {
  const { scroller, words } = view;
  const spots = draw("g", {});
  const frame = draw("rect", { class: "minimap-frame" });
  const root = draw("svg", { class: "minimap", hidden: true, "aria-hidden": "true" }, spots, frame);
  root.append(draw("title", { text: words.say("ui.minimap") }));
  /** @type {Picture | null} */
  let drawn = null;
  let pressed = false; // then it stays under the hand

  /** Goes to a corner where no box lies under it; stays where it is as long as that is one, or none is. */
  /** @param {Picture} picture */
  function stand({ boxes }) {
    const before = root.getAttribute("class") || "";
    /** @param {string} place */
    const isFree = (place) => {
      assign(root, "class", place);
      return !isUnder(inPicture(view, [root]), boxes);
    };
    assign(root, "class", [before, ...CORNERS.map((corner) => "minimap " + corner)].find(isFree) ?? before);
  }

  /** Draws the boxes of a picture that is new, and the frame where the pane is. */
  function update() {
    const { picture } = view;
    const cut = isCut(view);
    assign(root, "hidden", !cut || !picture);
    if (!cut || !picture) return;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller;
    const room = {
      width: Math.min(LARGEST.width, clientWidth * PART),
      height: Math.min(LARGEST.height, clientHeight * PART),
    };
    const small = Math.min(room.width / picture.width, room.height / picture.height);
    assign(root, "width", Math.round(picture.width * small));
    assign(root, "height", Math.round(picture.height * small));
    if (drawn !== picture) {
      drawn = picture;
      root.setAttribute("viewBox", view.svg.getAttribute("viewBox") || "");
      spots.replaceChildren(
        ...picture.boxes.map(({ x, y, w, h, node }) => {
          const role = node === undefined ? "group" : view.board.nodes[node].role;
          return draw("rect", { class: "spot role-" + role, x: x - w / 2, y: y - h / 2, width: w, height: h });
        }),
      );
    }
    picture.boxes.forEach((box, i) => {
      const here = box.element.classList.contains("here");
      assign(spots.children[i], "data-here", here);
    });
    const scale = view.scale();
    const [left, top] = (root.getAttribute("viewBox") || "0 0").split(" ").map(Number);
    const place = { x: left + scrollLeft / scale, y: top + scrollTop / scale };
    const size = {
      width: Math.min(clientWidth / scale, picture.width),
      height: Math.min(clientHeight / scale, picture.height),
    };
    if (!pressed) stand(picture);
    for (const [name, value] of Object.entries({ ...place, ...size })) assign(frame, name, Math.round(value));
  }

  /** @param {PointerEvent} event */
  function go(event) {
    const box = root.getBoundingClientRect();
    scroller.scrollLeft = ((event.clientX - box.left) / box.width) * scroller.scrollWidth - scroller.clientWidth / 2;
    scroller.scrollTop = ((event.clientY - box.top) / box.height) * scroller.scrollHeight - scroller.clientHeight / 2;
    event.preventDefault();
  }
  root.addEventListener("pointerdown", (event) => {
    root.setPointerCapture(event.pointerId);
    pressed = true;
    go(event);
  });
  root.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  root.addEventListener("lostpointercapture", () => {
    pressed = false;
    update();
  });
  scroller.addEventListener("scroll", update, { passive: true });
  return { root, update };
}
