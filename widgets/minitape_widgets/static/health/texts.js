// @ts-check
// The health view's style sheets and sentences: read from their neighbours here, put in by Python where one text must
// carry everything (module.py).

/** @import { Catalogue } from "player" */

/** @param {string} name */
const read = async (name) => fetch(new URL(name, import.meta.url));

const SHEETS = ["../elements/theme.css", "../elements/elements.css", "health.css", "../elements/media.css"];

export const STYLE = (await Promise.all(SHEETS.map(async (name) => (await read(name)).text()))).join("\n");
/** @type {Record<string, Catalogue>} */
export const CATALOGUES = {
  en: await (await read("words/en.json")).json(),
  fr: await (await read("words/fr.json")).json(),
};
