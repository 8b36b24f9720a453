// @ts-check
// The controls: first, back, step and how large a step is, play, last, and a slider over all acts. Nothing moves by
// itself until the learner asks; "play" is nothing but slow stepping in a rhythm (rhythm.js), which stops at every
// question.

import { assign, make, write } from "../elements/dom.js";
import { icon, iconButton } from "../elements/icons.js";
import { transport } from "./transport.js";

/** @import { Words } from "../storyboard/sentences.js" */
/** @import { Size } from "../storyboard/stops.js" */
/** @typedef {{ total: number, recording: number, prompts: number[], chapters: number[] }} Acts places on the slider */
/** @typedef {{ sizes: Size[], size: Size, layers: boolean }} Steps the sizes there are, and whether lines are layers */
/** @typedef {ReturnType<typeof controlBar>} Controls */
/**
 * What the controls drive: a player, or two that step together. A step is false where it stops: at the end, or at a
 * question.
 * @typedef {object} Driven
 * @property {number} k
 * @property {(k: number, keepPlaying?: boolean) => void} go
 * @property {(by: number, keepPlaying?: boolean) => boolean} step
 * @property {(size: Size) => void} resize  makes steps larger or smaller
 * @property {() => number} stay  how long this moment stays, compared with the usual
 */

const PACES = [3200, 1800, 900]; // milliseconds an act stays: slow, usual, quick
const TICKS = 200; // shown at most of each kind

/** @type {(frame: number, total: number) => string} */
const placeOf = (frame, total) => (total ? (100 * frame) / total : 0) + "%";

/**
 * The slider over all acts, with ticks where questions and chapters stand.
 * @param {Acts} acts
 * @param {Words} words
 * @param {(k: number) => void} go
 */
function scrubber(acts, words, go) {
  const about = { type: "range", class: "scrubber", min: 0, max: acts.total, value: 0, step: 1 };
  const on = { input: () => go(Number(slider.value)) };
  const slider = make("input", { ...about, "aria-label": words.say("ui.scrub"), on });
  slider.style.setProperty("--recording", placeOf(acts.recording, acts.total));
  /** @type {(kind: string, frames: number[]) => HTMLElement[]} */
  const ticks = (kind, frames) =>
    frames.slice(0, TICKS).map((frame) => {
      const tick = make("span", { class: "tick " + kind });
      tick.style.left = placeOf(frame, acts.total);
      return tick;
    });
  const marks = [ticks("ask", acts.prompts), ticks("chapter", acts.chapters)];
  const root = make("div", { class: "scrub" }, slider, make("div", { class: "ticks", "aria-hidden": "true" }, marks));
  return { root, slider };
}

/**
 * How large a step is.
 * @param {Steps} steps
 * @param {Words} words
 * @param {(size: Size) => void} resize
 */
function sizeChoice({ sizes, size, layers }, words, resize) {
  const named = sizes.map((each) => {
    const key = each === "line" && layers ? "layer" : each;
    return make("option", { value: each, selected: each === size, text: words.say("ui.size." + key) });
  });
  const name = words.say("ui.size");
  const change = () => resize(/** @type {Size} */ (choice.value));
  const choice = make("select", { class: "size", title: name, "aria-label": name, on: { change } }, named);
  return choice;
}

/**
 * The controls of a player, or of two that step together.
 * @param {Acts} acts
 * @param {Steps} steps
 * @param {Words} words
 * @param {Driven} player
 */
export function controlBar(acts, steps, words, player) {
  const { total } = acts;
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null;
  let pace = 1;
  const play = iconButton("play", words.say("ui.play"), () => toggle(), { "aria-pressed": "false" });
  const size = sizeChoice(steps, words, (chosen) => player.resize(chosen));
  const tip = { title: words.say("ui.step.key") };
  const { root: buttons, step, show } = transport(words, total, player, tip, [size, play]);
  const { root: scrub, slider } = scrubber(acts, words, (k) => player.go(k));
  const count = make("span", { class: "count" });
  count.style.minWidth = 2 * String(total).length + 3 + "ch"; // the slider keeps its length while the numbers grow
  const root = make("div", { class: "controls-bar" }, buttons, scrub, count);

  /** @param {boolean} playing */
  function showPlaying(playing) {
    const name = words.say(playing ? "ui.pause" : "ui.play");
    play.replaceChildren(icon(playing ? "pause" : "play"));
    assign(play, "aria-pressed", playing ? "true" : "false");
    assign(play, "aria-label", name);
    assign(play, "title", name);
  }

  function stop() {
    if (timer) clearTimeout(timer);
    timer = null;
    showPlaying(false);
  }

  function stepOn() {
    timer = setTimeout(() => {
      if (root.isConnected && player.step(1, true)) stepOn();
      else stop();
    }, PACES[pace] * player.stay());
  }

  function toggle() {
    if (timer) return stop();
    if (player.k >= total) player.go(0, true);
    showPlaying(true);
    if (player.step(1, true)) stepOn();
    else stop();
  }

  let shown = -1;

  /**
   * @param {number} k
   * @param {string} text
   * @param {number} done  steps of the chosen size
   * @param {number} all  of so many
   */
  function update(k, text, done, all) {
    assign(slider, "aria-valuetext", text);
    write(count, done + " / " + all);
    if (k === shown) return; // only numbers have changed
    shown = k;
    slider.value = String(k);
    slider.style.setProperty("--at", placeOf(k, total));
    show(k);
  }

  /** @param {number} p */
  const setPace = (p) => {
    pace = p;
  };

  /** @param {Size} chosen */
  const setSize = (chosen) => {
    size.value = chosen;
  };

  return { root, step, update, toggle, stop, setPace, setSize };
}
