// Python beside the page. It is made of a blob, so the page's own policy holds here: no other host can be asked.

import { loadPyodide } from "../pyodide/pyodide.mjs";

let python;

async function ready() {
  const here = new URL("../pyodide/", import.meta.url).href;
  const loaded = await loadPyodide({ indexURL: here, packages: ["numpy", "minitape"] });
  const source = await (await fetch(new URL("answer.py", import.meta.url))).text();
  loaded.FS.writeFile("answer.py", source);
  return loaded.pyimport("answer");
}

self.onmessage = async ({ data }) => {
  try {
    python ??= await ready();
    self.postMessage({ is: "ready" });
    self.postMessage({ is: "answer", ...JSON.parse(python.as_json(data.program, data.language)) });
  } catch (error) {
    self.postMessage({ is: "failed", why: String(error.message ?? error) });
  }
};
