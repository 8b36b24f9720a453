// Runs a module of Python in Pyodide: node pyodide.mjs PYODIDE WHEELS CHECKOUT SITE COMPILED MODULE [ARGUMENT ...]
//
// WHEELS is a folder of wheels for WebAssembly. The checkout is /checkout there, and where the module runs; SITE, a
// folder of packages that are Python alone, is /site. What is compiled of both is kept in COMPILED, for the next start.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, wheels, checkout, site, compiled, ...given] = process.argv.slice(2);
const RUN = `
import runpy, sys
sys.path[:0] = ["/checkout", "/checkout/widgets"]
sys.path.append("/site")
sys.dont_write_bytecode, sys.pycache_prefix = False, "/compiled"
sys.argv[:] = given.to_py()
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    code = 0
except SystemExit as error:
    code = error.code if isinstance(error.code, int) else bool(error.code)
sys.stdout.flush()
int(code)
`;

async function run() {
  const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
  const env = { HOME: "/tmp", ...JSON.parse(process.env.INSIDE ?? "{}") };
  const python = await loadPyodide({ indexURL: pyodide, env });
  const extractDir = python.runPython("import site; site.getsitepackages()[0]");
  for (const name of readdirSync(wheels))
    python.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel", { extractDir });
  for (const [place, root] of Object.entries({ "/checkout": checkout, "/site": site, "/compiled": compiled })) {
    python.FS.mkdir(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
  }
  python.FS.chdir("/checkout");
  python.globals.set("given", given);
  return python.runPython(RUN);
}

// what goes wrong is said without the line of the machine's own code in which it did
process.exitCode = await run().catch((error) => (console.error(error.message), 1));
