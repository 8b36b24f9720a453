// The style sheet and the sentences. Where the files of this folder are served side by side they are read from their neighbours;
// where one text must carry everything (a widget, an exported page), Python puts the two constants in the place of this file.

const read = (name) => fetch(new URL(name, import.meta.url)).then((answer) => answer.ok ? answer : Promise.reject(new Error(name + ": " + answer.status)));

/** All sentences of a language: those about tapes, and those of the player. */
const catalogue = async (language) => ({
  ...await (await read("messages/" + language + ".json")).json(), ...await (await read("words/" + language + ".json")).json(),
});

export const STYLE = await (await read("player.css")).text();
export const CATALOGUES = { en: await catalogue("en"), fr: await catalogue("fr") };
