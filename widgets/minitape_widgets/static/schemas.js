// @ts-check
// The forms of what can be shown, as JSON Schemas (minitape/schemas): read from the neighbours where the files of this
// folder are served side by side; where one text must carry everything, Python puts the constants in their place
// (module.py). In the extension their folder has another name: JupyterLab takes any "schemas" for settings of its own.

/** @type {(name: string) => Promise<any>} */
const read = async (name) => (await fetch(new URL(`forms/${name}.json`, import.meta.url))).json();

export const TRACE = await read("trace");
export const CARD = await read("card");
export const HEALTH = await read("health");
