// Compiles, in Pyodide, what a lesson imports before its first picture: node compiled.mjs PYODIDE OUT FIRST
//
// PYODIDE is a folder that `pyodide.py` has made, FIRST a program. Each module of a package that is loaded when FIRST
// has run is written to OUT, compiled, under its name in `site-packages`.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, first] = process.argv.slice(2);
// A kernel that was imported takes over what Python says of an error, so it is asked for its text.
const FIRST = `
from traceback import format_exc
said = ""
try:
    exec(source, {"__name__": "__main__"})
except Exception:
    said = format_exc()
said
`;
const WRITE = `
import sys
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode, compile
from site import getsitepackages

root = Path(getsitepackages()[0])
origins = {Path(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
for origin in sorted(origins):
    if origin.is_relative_to(root) and origin.suffix == ".py":
        to = Path("/out", cache_from_source(origin.relative_to(root)))
        # the wheel is what it is: no file is looked at for a newer one
        compile(origin, to, doraise=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
`;

async function run() {
  const { loadPyodide } = await import(pathToFileURL(join(resolve(folder), "pyodide.mjs")).href);
  const { packages } = JSON.parse(readFileSync(join(folder, "pyodide-lock.json"), "utf8"));
  // where in its line an operation stands nobody asks of a package: a quarter of the bytes
  const python = await loadPyodide({ indexURL: resolve(folder), env: { HOME: "/tmp", PYTHONNODEBUGRANGES: "1" } });
  await python.loadPackage(Object.keys(packages), { messageCallback: () => {} });
  python.FS.mkdir("/out");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: resolve(out) }, "/out");
  python.globals.set("source", readFileSync(first, "utf8"));
  const said = python.runPython(FIRST);
  if (said) throw new Error(said);
  python.runPython(WRITE);
  return 0;
}

// what goes wrong is said without the line of the machine's own code in which it did
process.exitCode = await run().catch((error) => (console.error(error.message), 1));
