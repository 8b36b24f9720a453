// Python beside the page. It is made of a blob, so the page's own policy holds here: no other host can be asked.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const say = self.postMessage.bind(self);
// What a program finds no more: it may be anybody's, and this site keeps the learner's notebooks, and the lab itself, in
// the browser. A worker of its own would have all of it again.
const KEPT_AWAY = /^(post|import)|indexedDB|caches|navigator|cookie|storage|locks|FileSystem|BroadcastChannel|Worker$/i;

function keepAway() {
  for (let place = self; place && place !== Object.prototype; place = Object.getPrototypeOf(place))
    for (const name of Object.getOwnPropertyNames(place)) if (KEPT_AWAY.test(name)) delete place[name];
}

let python;

async function ready() {
  const here = new URL("../pyodide/", import.meta.url).href;
  const loaded = await loadPyodide({ indexURL: here, packages: ["numpy", "minitape"] });
  const source = await (await fetch(new URL("answer.py", import.meta.url))).text();
  loaded.FS.writeFile("answer.py", source);
  const answer = loaded.pyimport("answer");
  keepAway();
  return answer;
}

self.onmessage = async ({ data }) => {
  let state = "failed";
  try {
    python ??= await ready();
    say({ is: "ready" });
    state = "broken";
    say({ is: "answer", ...JSON.parse(python.as_json(data.program, data.language)) });
  } catch (error) {
    say({ is: state, why: String(error.message ?? error).slice(-20_000) });
  }
};
