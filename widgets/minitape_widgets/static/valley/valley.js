// @ts-check
// A valley in which a point walks down, step by step; a slider for the learning rate; and the player of the tape of
// each step, where the learner asks for it. All walks came with the trace, so nothing here asks a kernel.

import { takeKeys } from "../controls/keys.js";
import { briefText } from "../held/steps.js";
import { assign, make } from "../elements/dom.js";
import { icon, iconButton } from "../elements/icons.js";
import { watchTheme } from "../elements/theme.js";
import { roomOf } from "../player/layout.js";
import { mountPlayer } from "../player/player.js";
import { speaker } from "../storyboard/sentences.js";
import { groundOf } from "./ground.js";
import { leaves, playedAt } from "./walks.js";

/** @import { Storyboard } from "storyboard" */
/** @import { Catalogue, Settings, Valley } from "player" */

const LEAST = 440; // pixels that the player beneath has, also where the window is low
const REST = 200; // ms after which the player follows the slider

/**
 * @param {Element} host
 * @param {Valley} valley  that was checked, as its storyboard was
 * @param {Storyboard} board
 * @param {Catalogue} catalogue
 * @param {Settings} settings
 */
export function mountValley(host, valley, board, catalogue, settings) {
  const words = speaker(board, catalogue);
  /** @type {(key: string, parameters?: Record<string, unknown>) => string} */
  const say = (key, parameters) => words.say("ui.valley." + key, parameters);
  const loss = words.say("ui.valley.loss");
  const count = valley.names.length;
  let rate = valley.rate;
  let k = 0;
  /** @type {ReturnType<typeof mountPlayer> | null} */
  let player = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  let busy = false; // while the player is told where to go, what it reports is no news

  const walk = () => valley.walks[rate].points;
  const rateText = () => String(valley.rates[rate]);
  const ground = groundOf(valley, valley.names[1] ?? loss);
  const name = words.say("ui.valley.rate");
  const range = {
    type: "range",
    class: "valley-rate",
    min: 0,
    max: valley.rates.length - 1,
    step: 1,
    "aria-label": name,
  };
  const slider = make("input", { ...range, on: { input: () => choose(Number(slider.value)), keydown: keepKeys } });
  const shown = make("output", {});
  const back = iconButton("back", words.say("ui.back"), () => go(k - 1));
  const first = iconButton("first", words.say("ui.first"), () => go(0));
  const last = iconButton("last", words.say("ui.last"), () => go(valley.steps));
  const forward = { type: "button", class: "primary step", on: { click: () => go(k + 1) } };
  const step = make("button", forward, make("span", { text: words.say("ui.step") }), icon("step"));
  const counted = make("span", { class: "count" });
  const told = make("div", { class: "valley-told" });
  const away = make("p", { class: "valley-away", role: "status" });
  const onTape = { type: "button", class: "text-button", "aria-expanded": "false", on: { click: toggle } };
  const sign = make("span", { class: "fold-sign" }, icon("open"));
  const tape = make("button", onTape, sign, say("play"));
  const unable = make("p", { class: "valley-unable", role: "status", hidden: true });
  const live = make("div", { class: "hidden-text", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const buttons = make("div", { class: "transport", role: "group", "aria-label": words.say("ui.controls") });
  buttons.append(first, back, step, last, counted);
  const label = make("label", { class: "valley-label" }, make("span", {}, name + " ", shown), slider);
  const side = make("div", { class: "valley-side" }, label, buttons, told, away, tape, unable);
  const title = board.title ? make("div", { class: "title", text: board.title }) : null;
  const about = { class: "player valley", tabindex: "-1", role: "group", "aria-label": board.title || say("name") };
  const root = make("div", about, title, make("div", { class: "valley-body" }, ground.svg, side), live);
  const beneath = make("div", { class: "valley-player", hidden: true });
  root.classList.toggle("large", settings.large === true);

  /** The arrows on the slider are the slider's. @param {KeyboardEvent} event */
  function keepKeys(event) {
    if (/^(Arrow|Home|End|Page)/.test(event.key)) event.stopPropagation();
  }

  /** Another rate: the whole walk is seen at once. @param {number} other */
  function choose(other) {
    rate = Math.max(0, Math.min(valley.rates.length - 1, other));
    root.classList.add("jump");
    k = walk().length - 1;
    draw();
    clearTimeout(rest);
    rest = setTimeout(follow, player ? REST : 0);
  }

  /** @param {number} next */
  function go(next) {
    const to = Math.max(0, Math.min(walk().length - 1, Math.round(next) || 0));
    root.classList.toggle("jump", Math.abs(to - k) > 1);
    k = to;
    draw();
    follow();
  }

  const named = [...valley.names, loss, ...valley.names.map((one) => `d${loss}/d${one}`)];
  /** @type {(point: number[], from?: number, to?: number) => string} */
  const numbers = (point, from = 0, to = count + 1) =>
    named
      .map((one, i) => one + " = " + briefText(point[i]))
      .slice(from, to)
      .join(", ");

  function draw() {
    const points = walk();
    const now = points[k];
    const parameters = { rate: rateText(), count: valley.steps, step: k };
    slider.value = String(rate);
    shown.textContent = rateText();
    assign(slider, "aria-valuetext", rateText());
    counted.textContent = say("steps", parameters);
    const lines = [numbers(now), numbers(now, count + 1, 2 * count + 1)];
    if (k)
      valley.names.forEach((one, i) => {
        const [was, slope] = [points[k - 1][i], points[k - 1][count + 1 + i]].map(briefText);
        const put = slope.startsWith("\u2212") ? `(${slope})` : slope;
        lines.push(say("went", { ...parameters, name: one, was, slope: put, now: briefText(now[i]) }));
      });
    told.replaceChildren(
      ...lines.map((text, i) => make("p", { class: ["is-value", "is-adjoint"][i] ?? "fine", text })),
    );
    const out = leaves(valley, rate);
    const { end } = valley.walks[rate];
    const over = k === points.length - 1 && end ? " " + say("end", { end }) : "";
    const gone = out >= 0 && k >= out ? say("left", { ...parameters, step: out, at: numbers(points[out]) }) : "";
    away.textContent = gone + over;
    ground.show(points, k, say("picture", { ...parameters, count: k, at: lines.slice(0, 2).join(", ") }));
    for (const button of [first, back]) assign(button, "aria-disabled", k === 0 ? "true" : null);
    for (const button of [step, last]) assign(button, "aria-disabled", k === points.length - 1 ? "true" : null);
    live.textContent = lines.join(". ");
  }

  function toggle() {
    const open = Boolean(beneath.hidden);
    beneath.hidden = !open;
    root.classList.toggle("open", open);
    sign.replaceChildren(icon(open ? "shut" : "open"));
    assign(tape, "aria-expanded", open ? "true" : "false");
    if (!open) return close();
    follow();
    beneath.scrollIntoView({ block: "nearest" });
  }

  function close() {
    player?.destroy();
    player = null;
    rateOfPlayer = -1;
    unable.hidden = true;
  }

  let rateOfPlayer = -1;

  /** The player beneath shows the tape of the step that is taken from here, with the numbers of this rate. */
  function follow() {
    if (beneath.hidden) return;
    if (rateOfPlayer !== rate) {
      close();
      const played = rate === valley.rate ? board : playedAt(board, valley, rate);
      unable.hidden = played !== null;
      unable.textContent = say("other", { rate: valley.rates[valley.rate] });
      player = mountPlayer(beneath, { ...(played ?? board), title: "" }, catalogue, {
        ...settings,
        start: 0,
        above: Math.min(root.offsetHeight, Math.max(0, roomOf() - LEAST)),
      });
      player.onChange(heard);
      rateOfPlayer = rate;
    }
    busy = true;
    const chapter = board.chapters[Math.min(k, board.chapters.length - 1)];
    player?.go(k >= valley.steps ? board.frames.length : chapter ? chapter.frame + 1 : 0);
    busy = false;
  }

  /** The player went on by itself, perhaps into the next step. @param {number} act */
  function heard(act) {
    if (busy || !unable.hidden) return;
    const chapter =
      act >= board.frames.length ? valley.steps : board.chapters.findLastIndex(({ frame }) => frame < act);
    const to = Math.max(0, Math.min(walk().length - 1, chapter));
    if (to === k) return;
    root.classList.toggle("jump", Math.abs(to - k) > 1);
    k = to;
    draw();
  }

  function destroy() {
    clearTimeout(rest);
    close();
    unwatchTheme();
    root.remove();
    beneath.remove();
  }

  const nothing = () => {};
  takeKeys(root, {
    ...{ go, step: (by) => go(k + by), toggle: nothing, resize: nothing, letGo: () => false, entry: () => null },
    total: valley.steps,
  });
  host.append(root, beneath);
  const unwatchTheme = watchTheme(host, root);
  draw();
  return {
    ...{ go, choose, root, destroy, total: valley.steps, step: (/** @type {number} */ by) => go(k + by) },
    get k() {
      return k;
    },
    get player() {
      return player;
    },
  };
}
