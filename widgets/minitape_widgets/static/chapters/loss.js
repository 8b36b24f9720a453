// @ts-check
// A training loop: the loss of every round as a curve above the stage. A click goes to that round.

import { assign, draw, make } from "../elements/dom.js";
import { given } from "../storyboard/lookup.js";
import { shortValue } from "../storyboard/values.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Stage } from "player" */
/** @import { Words } from "../storyboard/sentences.js" */

const WIDTH = 640;
const HEIGHT = 50;
const PAD = 8;
const DOTS = 80; // with more rounds than this only the line is drawn

/** @param {Storyboard} board */
function lossesOf(board) {
  return board.chapters.map(({ loss }) => {
    const number = given(loss) ? board.values[loss].number : null;
    return typeof number === "number" ? number : null;
  });
}

/**
 * Where each loss stands in the curve; null where it is unknown.
 * @param {(number | null)[]} losses
 */
function pointsOf(losses) {
  const known = losses.filter(given);
  const top = Math.max(...known, 0);
  const bottom = Math.min(...known, top);
  const span = top - bottom || 1;
  return losses.map((loss, i) => {
    if (loss === null) return null;
    const x = PAD + (losses.length < 2 ? 0.5 : i / (losses.length - 1)) * (WIDTH - 2 * PAD);
    return [x, PAD + (1 - (loss - bottom) / span) * (HEIGHT - 2 * PAD - 6)];
  });
}

/**
 * The loss curve over the chapters; null where the storyboard has none.
 * @param {Storyboard} board
 * @param {Words} words
 * @param {(k: number) => void} go
 */
export function lossPane(board, words, go) {
  if (!board.chapters.length) return null;
  const count = board.chapters.length;
  /** @type {ReturnType<typeof pointsOf>} */
  let places = [];
  let drawn = "";
  const line = draw("polyline", { class: "loss-line" });
  const dots = draw("path", { class: "loss-dots" });
  const mark = draw("path", { class: "loss-mark", hidden: true });
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const svg = draw(
    "svg",
    { class: "loss", viewBox, "aria-hidden": "true", preserveAspectRatio: "none" },
    line,
    count <= DOTS ? dots : null,
    mark,
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const i = Math.round(((x - PAD) / (WIDTH - 2 * PAD)) * (count - 1));
    go(board.chapters[Math.max(0, Math.min(count - 1, i))].frame + 1);
  });

  const options = board.chapters.map((_, i) => make("option", { value: i }));
  const change = () => go(board.chapters[Number(choice.value)].frame + 1);
  const choice = make("select", { "aria-label": words.say("ui.chapter"), on: { change } }, options);
  const title = make("span", { class: "fine" });
  const heading = make("div", {}, make("span", { text: words.say("ui.chapters") }), title);
  const name = make("div", { class: "chapters-name" }, heading, choice);
  const root = make("div", { class: "pane chapters" }, name, svg);

  /** Where numbers are held, the losses change. */
  function fill() {
    const losses = lossesOf(board);
    if (losses.join() === drawn) return;
    drawn = losses.join();
    places = pointsOf(losses);
    const points = places.filter(given);
    assign(line, "points", points.map((point) => point.join(",")).join(" "));
    assign(dots, "d", points.map(([x, y]) => `M${x} ${y}h0.01`).join(""));
    board.chapters.forEach(({ title, loss }, i) => {
      const value = given(loss) ? shortValue(board.values[loss]) : "";
      options[i].textContent = title + (losses[i] === null ? "" : " · " + words.say("ui.loss") + " " + value);
    });
  }

  /** @param {Stage} stage */
  function update(stage) {
    fill();
    const now = board.chapters.findLastIndex((chapter) => chapter.frame < stage.k);
    const place = places[now];
    assign(mark, "hidden", !place);
    if (place) mark.setAttribute("d", `M${place[0]} ${place[1]}h0.01`); // a dot that stretching cannot squash
    choice.value = String(Math.max(0, now));
    title.textContent = words.say("ui.chapter.of", { chapter: now + 1, count });
  }

  return { root, update };
}
