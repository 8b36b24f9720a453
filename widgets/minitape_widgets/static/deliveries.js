// The ways a player reaches a page: as a widget (render, called by anywidget), as a rendered output of a notebook (show), and
// in a page that was exported (showAll finds the places that hold a trace). All of them use an open shadow root, so that the
// style of the page and the style of the player leave each other alone.

import { make } from "./dom.js";
import { CATALOGUES, STYLE } from "./texts.js";
import { mountPlayer } from "./player.js";
import { inStep, mountPair } from "./compare.js";
import { stateAt } from "./state.js";
import { speaker } from "./messages.js";
import { judge, mountQuestion } from "./prompts.js";
import { readLink, writeLink } from "./link.js";

/** Large traces travel packed: {deflate: base64 of zlib}. */
async function unpacked(trace) {
  const bytes = Uint8Array.from(atob(trace.deflate), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

/** Shows a trace {storyboard | pair, options} in an element; returns the function that takes it away again. */
export function show(element, trace) {
  if (!trace.deflate) return showNow(element, trace);
  let close = null, gone = false;
  unpacked(trace).then((plain) => { if (!gone) close = showNow(element, plain); },
    (error) => { if (!gone) element.append(make("pre", { text: "minitape: " + error.message })); });
  return () => { gone = true; if (close) close(); };
}

function showNow(element, trace) {
  const host = make("div", { class: "minitape" });
  host.style.display = "block";
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(make("style", { text: STYLE }));
  element.append(host);
  const board = trace.storyboard || (trace.pair || [])[0] || {};
  const catalogue = CATALOGUES[(trace.options && trace.options.language) || board.language] || CATALOGUES.en;
  const place = make("div", { class: "host" });
  shadow.append(place);
  const player = trace.question ? mountQuestion(place, trace.question, catalogue) : trace.pair ? mountPair(place, trace.pair, catalogue, trace.options) : mountPlayer(place, trace.storyboard, catalogue, trace.options);
  host.player = player;
  const unguard = guardKeys(host);
  return () => { unguard(); player.destroy(); host.player = null; host.remove(); };
}

/**
 * Keeps the notebook's one-letter shortcuts away while the player has the focus: `x` must not delete the cell. Notebook 7 looks
 * at keys before any element does, so stopping them inside comes too late; it passes over elements that carry this attribute.
 * With Ctrl, Alt or Meta a key is the notebook's again.
 */
function guardKeys(host) {
  const guard = (event) => host.toggleAttribute("data-lm-suppress-shortcuts", !(event.ctrlKey || event.metaKey || event.altKey));
  const enter = () => window.addEventListener("keydown", guard, true), leave = () => window.removeEventListener("keydown", guard, true);
  host.addEventListener("focusin", enter);
  host.addEventListener("focusout", leave);
  return leave;
}

/**
 * anywidget, when a model arrives: where the extension for JupyterLab shows the trace itself, a player that stands alone in its
 * output needs no widget, and the kernel may forget it at once.
 */
function initialize({ model }) {
  if (model.get("alone") && window._JUPYTERLAB && window._JUPYTERLAB.minitape && window._JUPYTERLAB.minitape.ready) model.send({ gone: true });
}

/** anywidget: the model holds the trace; when its last view has gone the kernel may forget it. */
const views = new WeakMap();

function render({ model, el }) {
  views.set(model, (views.get(model) || 0) + 1);
  const close = show(el, model.get("payload"));
  return () => {
    close();
    views.set(model, views.get(model) - 1);
    setTimeout(() => { if (!views.get(model)) try { model.send({ gone: true }); } catch (_) { /* the kernel went first */ } }, 3000);
  };
}

/** An exported page: every element with class "minitape-trace" holds its trace as JSON in a script, and a static picture. */
export function showAll(root = document) {
  for (const place of root.querySelectorAll(".minitape-trace")) {
    const data = place.querySelector('script[type="application/json"]');
    if (!data || place.dataset.shown) continue;
    place.dataset.shown = "yes";
    const trace = JSON.parse(data.textContent);
    const wanted = new URLSearchParams(location.hash.slice(1)).get(place.id) || (/^#k\d/.test(location.hash) ? location.hash.slice(1) : "");
    if (wanted) trace.options = { ...trace.options, link: wanted };
    const still = place.querySelector(".minitape-still");
    try {
      show(place, trace);
      if (still) still.remove();
    } catch (error) {
      console.error("minitape: the player could not start; the static picture stays", error);
    }
  }
}

export { inStep, judge, readLink, speaker, stateAt, writeLink };          // for tests, and for whoever wants to draw another picture
export default { initialize, render };
