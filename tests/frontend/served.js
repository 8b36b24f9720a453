// Loaded before each test: the schemas, which the modules fetch from the folder that JupyterLab serves, are read from
// where they stand in a checkout.

import { readFile } from "node:fs/promises";

const served = new URL("../../widgets/minitape_widgets/static/forms/", import.meta.url).href;
const stored = new URL("../../minitape/schemas/", import.meta.url);

globalThis.fetch = async (url) => new Response(await readFile(new URL(url.href.replace(served, ""), stored)));
