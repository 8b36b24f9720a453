// @ts-check
// The style sheets and the sentences. Where the files of this folder are served side by side they are read from their
// neighbours; where one text must carry everything (a widget, an exported page), Python puts the two constants in the
// place of this file (module.py). Which style sheets there are, and in which order, style.css says.

/** @import { Catalogue } from "player" */

/** @param {string} name */
async function read(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(name + ": " + answer.status);
  return answer;
}

/**
 * All sentences of a language: those about tapes, and those of the player.
 * @param {string} language
 * @returns {Promise<Catalogue>}
 */
async function catalogue(language) {
  const [about, own] = await Promise.all([read(`messages/${language}.json`), read(`words/${language}.json`)]);
  return { ...(await about.json()), ...(await own.json()) };
}

async function style() {
  const contents = await (await read("style.css")).text();
  const sheets = [...contents.matchAll(/^@import "(.+)";$/gm)].map(([, name]) => read(name));
  return (await Promise.all((await Promise.all(sheets)).map((sheet) => sheet.text()))).join("\n");
}

export const STYLE = await style();
/** @type {Record<string, Catalogue>} */
export const CATALOGUES = { en: await catalogue("en"), fr: await catalogue("fr"), es: await catalogue("es") };
