// The controls: first, back, play, step, last, and a slider over all acts. Nothing moves by itself until the learner asks;
// "play" is nothing but slow stepping, which stops at every question.

import { assign, icon, iconButton, make } from "./dom.js";

const PACES = [3200, 1800, 900];                               // milliseconds an act stays: slow, usual, quick

/** The controls of a player, or of two that step together; `acts` says how many there are: {total, recording, prompts, chapters} (places on the slider). */
export function controlBar(acts, words, player) {
  const { total, recording } = acts;
  let timer = null, pace = 1;
  const first = iconButton("first", words.say("ui.first"), () => player.go(0));
  const back = iconButton("back", words.say("ui.back"), () => player.step(-1));
  const play = iconButton("play", words.say("ui.play"), () => toggle(), { "aria-pressed": "false" });
  const step = make("button", { type: "button", class: "primary step", title: words.say("ui.step.key"), on: { click: () => player.step(1) } }, make("span", { text: words.say("ui.step") }), icon("step"));
  const last = iconButton("last", words.say("ui.last"), () => player.go(total));
  const slider = make("input", { type: "range", class: "scrubber", min: 0, max: total, value: 0, step: 1, "aria-label": words.say("ui.scrub"), on: { input: () => player.go(Number(slider.value)) } });
  const ticks = make("div", { class: "ticks", "aria-hidden": "true" });
  const place = (frame) => (total ? (100 * frame) / total : 0) + "%";
  slider.style.setProperty("--recording", place(recording));
  for (const frame of acts.prompts.slice(0, 200)) ticks.append(tick("ask", frame));
  for (const frame of acts.chapters.slice(0, 200)) ticks.append(tick("chapter", frame));
  function tick(kind, frame) { const mark = make("span", { class: "tick " + kind }); mark.style.left = place(frame); return mark; }
  const count = make("span", { class: "count" });
  count.style.minWidth = 2 * String(total).length + 3 + "ch";  // the slider keeps its length while the numbers grow
  const root = make("div", { class: "controls-bar" },
    make("div", { class: "transport", role: "group", "aria-label": words.say("ui.controls") }, first, back, step, play, last),
    make("div", { class: "scrub" }, slider, ticks), count);

  function stop() {
    if (timer) clearTimeout(timer);
    timer = null;
    play.replaceChildren(icon("play"));
    assign(play, "aria-pressed", "false");
    assign(play, "aria-label", words.say("ui.play"));
    assign(play, "title", words.say("ui.play"));
  }
  function tickOn() {
    timer = setTimeout(() => {
      if (!root.isConnected || !player.step(1, true)) return stop();
      tickOn();
    }, PACES[pace]);
  }
  function toggle() {
    if (timer) return stop();
    if (player.k >= total) player.go(0, true);
    play.replaceChildren(icon("pause"));
    assign(play, "aria-pressed", "true");
    assign(play, "aria-label", words.say("ui.pause"));
    assign(play, "title", words.say("ui.pause"));
    if (player.step(1, true)) tickOn(); else stop();
  }
  function update(k, text) {
    slider.value = k;
    assign(slider, "aria-valuetext", text);
    slider.style.setProperty("--at", place(k));
    count.textContent = k + " / " + total;
    for (const button of [first, back]) assign(button, "aria-disabled", k === 0 ? "true" : null);       // not "disabled": that would throw the focus away
    for (const button of [step, last]) assign(button, "aria-disabled", k === total ? "true" : null);
  }
  return { root, step, update, toggle, stop, setPace: (p) => { pace = p; }, get pace() { return pace; } };
}

/** Keys belong to the player while it has the focus; with Ctrl, Alt or Meta they belong to the notebook (Ctrl+S saves). */
export function takeKeys(root, { go, step, toggle, letGo, total }) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    event.stopPropagation();
    if (event.defaultPrevented) return;
    const target = event.composedPath()[0], tag = target.tagName;
    const typing = tag === "INPUT" && target.type !== "range" && target.type !== "checkbox" || tag === "SELECT" || tag === "TEXTAREA";
    if (event.key === "Escape") { if (letGo()) event.preventDefault(); return; }
    if (typing) return;
    const pressed = tag === "BUTTON" || tag === "SUMMARY" || target.type === "checkbox" || target.getAttribute("role") === "button";
    const act = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => go(0), End: () => go(total), " ": pressed ? null : toggle }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  for (const kind of ["keyup", "keypress"]) root.addEventListener(kind, (event) => { if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation(); });
}

/** Writes what the menu says into the options. */
export function setView(options, { pane, on, large }) {
  if (pane) options.hide = on ? options.hide.filter((name) => name !== pane) : [...options.hide, pane];
  if (large !== undefined) options.large = large;
}

/** Which panes are shown, and how: the teacher's menu. */
export function viewMenu(words, options, change) {
  const panes = ["code", "tape", "graph", "inspector"];
  const box = (checked, label, act) => {
    const input = make("input", { type: "checkbox", on: { change: () => act(input.checked) } });
    input.checked = checked;
    return make("label", {}, input, make("span", { text: label }));
  };
  const link = make("input", { type: "text", readonly: true, class: "link-text", "aria-label": words.say("ui.link"), on: { focus: () => link.select() } });
  const speeds = make("select", { "aria-label": words.say("ui.pace"), on: { change: () => change({ pace: Number(speeds.value) }) } },
    ["ui.pace.slow", "ui.pace.usual", "ui.pace.quick"].map((key, i) => make("option", { value: i, selected: i === 1, text: words.say(key) })));
  const menu = make("div", { class: "menu", hidden: true, role: "group", "aria-label": words.say("ui.view") },
    make("div", { class: "menu-group" }, panes.map((pane) => box(!options.hide.includes(pane), words.say("ui.pane." + pane), (on) => change({ pane, on }))),
      box(options.large, words.say("ui.large"), (on) => change({ large: on }))),
    make("label", { class: "menu-group" }, make("span", { text: words.say("ui.pace") }), speeds),
    make("label", { class: "menu-group wide" }, make("span", { text: words.say("ui.link") }), link),
    make("p", { class: "fine", text: words.say("ui.keys") }));
  const button = make("button", { type: "button", class: "icon-button", title: words.say("ui.view"), "aria-label": words.say("ui.view"), "aria-expanded": "false",
    on: { click: () => { menu.hidden = !menu.hidden; assign(button, "aria-expanded", menu.hidden ? "false" : "true"); } } }, icon("view"));
  return { button, menu, setLink: (text) => { link.value = text; } };
}
