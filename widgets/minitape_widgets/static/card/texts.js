// @ts-check
// The gallery's own style sheet and sentences: read from their neighbours here, put in by Python where one text must
// carry everything (module.py). What a card says of its programs travels with it.

/** @import { Catalogue } from "player" */

/** @param {string} name */
const read = async (name) => fetch(new URL(name, import.meta.url));

export const STYLE = await (await read("card.css")).text();
/** @type {Record<string, Catalogue>} */
export const CATALOGUES = {
  en: await (await read("words/en.json")).json(),
  fr: await (await read("words/fr.json")).json(),
  es: await (await read("words/es.json")).json(),
};
