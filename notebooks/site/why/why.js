// @ts-check
// "My gradient is None": the program of the text area is run in Python beside the page, when somebody asks for it. All
// that it says is shown as text.

import { linkOf, MOST, programOf } from "./link.js";
import { show } from "./player.js";

const PATIENCE = 30; // seconds that a program may run

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const program = /** @type {HTMLTextAreaElement} */ (at("program"));
const [run, stop] = ["run", "stop"].map((id) => /** @type {HTMLButtonElement} */ (at(id)));
/** @type {Record<string, string>} */
const words = JSON.parse(at("words").textContent ?? "{}");
const language = document.documentElement.lang;

/** @type {Worker | null} */
let python = null;
/** @type {number | undefined} */
let clock;
/** @type {(() => void) | null} */
let takeAway = null;

/** @param {string} key  @param {string} [name] */
const say = (key, name = "") => (at("state").textContent = words[key].replace("{name}", name));

/** @param {boolean} busy */
function work(busy) {
  clearTimeout(clock);
  run.disabled = busy;
  stop.hidden = !busy;
}

/** @param {string} key */
function end(key) {
  python?.terminate();
  python = null;
  work(false);
  say(key);
}

function started() {
  const address = JSON.stringify(new URL("worker.js", import.meta.url).href);
  const worker = new Worker(URL.createObjectURL(new Blob([`import ${address};`], { type: "text/javascript" })), {
    type: "module",
  });
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = () => end("failed");
  return worker;
}

/** @param {{ is: string, said: string, trace: unknown, missing: string, raised: string, why: string }} data */
function heard(data) {
  if (data.is === "ready") {
    say("running");
    clock = setTimeout(() => end("endless"), PATIENCE * 1000);
    return;
  }
  work(false);
  if (data.is === "failed" || data.is === "broken") {
    end(data.is);
    at("said").textContent = data.why;
    return;
  }
  say(data.missing ? "missing" : data.raised ? "raised" : "done", data.missing);
  at("said").textContent = [data.said, data.raised].filter(Boolean).join("\n\n");
  if (data.trace) takeAway = show(at("picture"), data.trace);
}

run.addEventListener("click", () => {
  if (program.value.length > MOST) return void say("long");
  work(true);
  takeAway?.();
  takeAway = null;
  at("said").textContent = "";
  say(python ? "running" : "loading");
  python ??= started();
  python.postMessage({ program: program.value, language });
});
stop.addEventListener("click", () => end("stopped"));
at("link").addEventListener("click", async () => {
  const link = await linkOf(program.value);
  if (link) history.replaceState(null, "", link);
  say(link ? "linked" : "long");
});

async function arrive() {
  const given = await programOf(location.hash);
  if (!given) return;
  program.value = given;
  say("given");
}

addEventListener("hashchange", arrive);
await arrive();
