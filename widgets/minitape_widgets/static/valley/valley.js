// @ts-check
// A valley in which a point walks down, step by step; a slider for the learning rate; and the player of the tape of
// each step, where the learner asks for it. All walks came with the trace, so nothing here asks a kernel.

import { takeKeys } from "../controls/keys.js";
import { transport } from "../controls/transport.js";
import { assign, make } from "../elements/dom.js";
import { watchTheme } from "../elements/theme.js";
import { speaker } from "../storyboard/sentences.js";
import { playerBeneath } from "./beneath.js";
import { groundOf } from "./ground.js";
import { describerOf } from "./description.js";

/** @import { Storyboard, Valley } from "storyboard" */
/** @import { Catalogue, Settings } from "player" */
/** @import { Say } from "./description.js" */

const REST = 200; // ms after which the player follows the slider

/** The arrows on the slider are the slider's. @param {KeyboardEvent} event */
function keepKeys(event) {
  if (/^(Arrow|Home|End|Page)/.test(event.key)) event.stopPropagation();
}

/**
 * The slider of the learning rate.
 * @param {string[]} rates
 * @param {string} name
 * @param {(rate: number) => void} choose
 */
function rateSlider(rates, name, choose) {
  const range = { type: "range", class: "valley-rate", min: 0, max: rates.length - 1, step: 1, "aria-label": name };
  const slider = make("input", { ...range, on: { input: () => choose(Number(slider.value)), keydown: keepKeys } });
  const shown = make("output", {});
  const root = make("label", { class: "valley-label" }, make("span", {}, name + " ", shown), slider);

  /** @param {number} rate */
  function show(rate) {
    slider.value = String(rate);
    shown.textContent = rates[rate];
    assign(slider, "aria-valuetext", rates[rate]);
  }

  return { root, show };
}

/**
 * @param {Element} host
 * @param {Valley} valley  that was checked, as its storyboard was
 * @param {Storyboard} board
 * @param {Catalogue} catalogue
 * @param {Settings} settings
 */
export function mountValley(host, valley, board, catalogue, settings) {
  const words = speaker(board, catalogue);
  /** @type {Say} */
  const say = (key, parameters) => words.say("ui.valley." + key, parameters);
  const describe = describerOf(valley, say);
  const at = { rate: valley.rate, k: 0 };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;

  const ground = groundOf(valley, valley.names[1] ?? say("loss"));
  const slider = rateSlider(valley.rates.map(String), say("rate"), choose);
  const acts = { go, step: (/** @type {number} */ by) => go(at.k + by), total: valley.steps };
  const buttons = transport(words, acts.total, acts);
  const counted = make("span", { class: "count" });
  buttons.root.append(counted);
  const told = make("div", { class: "valley-told" });
  const away = make("p", { class: "valley-away", role: "status" });
  const live = make("div", { class: "hidden-text", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const title = board.title ? make("div", { class: "title", text: board.title }) : null;
  const about = { class: "player valley", tabindex: "-1", role: "group", "aria-label": board.title || say("name") };
  const root = make("div", about, title);
  const goOn = (/** @type {number} */ k) => within(k) !== at.k && move(k);
  const beneath = playerBeneath(valley, board, catalogue, settings, say, { above: root, at, goOn });
  const side = make("div", { class: "valley-side" }, slider.root, buttons.root, told, away, beneath.opener);
  root.append(make("div", { class: "valley-body" }, ground.svg, side), live);
  root.classList.toggle("large", settings.large === true);

  const walk = () => valley.walks[at.rate].points;
  /** @param {number} k */
  const within = (k) => Math.max(0, Math.min(walk().length - 1, Math.round(k) || 0));

  /** Another rate: the whole walk is seen at once. @param {number} rate */
  function choose(rate) {
    at.rate = Math.max(0, Math.min(valley.rates.length - 1, rate));
    root.classList.add("jump");
    at.k = walk().length - 1;
    draw();
    clearTimeout(rest);
    rest = setTimeout(beneath.follow, beneath.player ? REST : 0);
  }

  /** @param {number} k */
  function move(k) {
    const to = within(k);
    root.classList.toggle("jump", Math.abs(to - at.k) > 1);
    at.k = to;
    draw();
  }

  /** @param {number} k */
  function go(k) {
    move(k);
    beneath.follow();
  }

  function draw() {
    const { rate, k } = at;
    const points = walk();
    const said = describe(rate, k);
    slider.show(rate);
    buttons.show(k, points.length - 1);
    counted.textContent = said.steps;
    told.replaceChildren(
      ...said.lines.map((text, i) => make("p", { class: ["is-value", "is-adjoint"][i] ?? "fine", text })),
    );
    away.textContent = said.away;
    ground.show(points, k, said.picture);
    live.textContent = said.lines.join(". ");
  }

  function destroy() {
    clearTimeout(rest);
    beneath.close();
    unwatchTheme();
    root.remove();
    beneath.root.remove();
  }

  const nothing = () => {};
  takeKeys(root, { ...acts, toggle: nothing, resize: nothing, letGo: () => false, entry: () => null });
  host.append(root, beneath.root);
  const unwatchTheme = watchTheme(host, root);
  draw();
  return {
    ...acts,
    choose,
    root,
    destroy,
    get k() {
      return at.k;
    },
    get player() {
      return beneath.player;
    },
  };
}
