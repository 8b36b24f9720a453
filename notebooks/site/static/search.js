// @ts-check
// The search: all words that were typed must stand under one heading. What has them in its title comes first, then in
// its heading, then in its text. The index is one file of this language, some hundred headings: looking through it
// takes a few milliseconds, so it needs no library.

/** @typedef {[anchor: string, heading: string, text: string]} Part */
/** @typedef {{ address: string, title: string, text: string, score: number }} Hit */

const AROUND = 70; // letters of text before what was found
const LENGTH = 180; // and in all
const MOST = 60;

const place = /** @type {HTMLElement} */ (document.getElementById("found"));
const list = /** @type {HTMLElement} */ (place.querySelector("ol"));
const said = /** @type {HTMLElement} */ (place.querySelector("[role=status]"));
const field = /** @type {HTMLInputElement} */ (document.querySelector("input[type=search]"));
const { index = "", root = "", one = "", many = "", none = "" } = place.dataset;
const how = said.textContent;

/** Small letters without accents, as many as before, and one kind of apostrophe. @param {string} text */
const plain = (text) =>
  Array.from(text, (letter) => letter.normalize("NFD")[0])
    .join("")
    .toLowerCase()
    .replaceAll("\u2019", "'");

/** @type {Promise<[path: string, title: string, parts: Part[]][]>} */
const pages = fetch(index).then((answer) => answer.json());

/**
 * @param {string[]} words
 * @returns {Promise<Hit[]>}
 */
async function matching(words) {
  /** @type {Hit[]} */
  const hits = [];
  for (const [path, title, parts] of await pages) {
    for (const part of parts) {
      const [anchor, heading, text] = part;
      const fields = [plain(title), plain(heading), plain(text)];
      const places = words.map((word) => fields.findIndex((field) => field.includes(word)));
      if (places.includes(-1) || (part !== parts[0] && places.every((at) => at === 0))) continue;
      const score = places.reduce((sum, at) => sum + [9, 5, 1][at], 0);
      const address = `${root}/${path}${anchor ? "#" + encodeURIComponent(anchor) : ""}`;
      hits.push({ address, title: part === parts[0] ? title : `${title} › ${heading}`, text, score });
    }
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, MOST);
}

/**
 * The text around the first word that it has.
 * @param {string} text
 * @param {string[]} words
 */
function extract(text, words) {
  const result = plain(text);
  const places = words.map((word) => result.indexOf(word)).filter((at) => at >= 0);
  const from = places.length ? Math.max(0, Math.min(...places) - AROUND) : 0;
  const cut = text.slice(from, from + LENGTH);
  const line = document.createElement("p");
  line.append((from ? "… " : "") + cut + (from + cut.length < text.length ? " …" : ""));
  return line;
}

async function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  const hits = words.length ? await matching(words) : [];
  said.textContent = !words.length
    ? how
    : hits.length
      ? hits.length === 1
        ? one
        : many.replace("2", String(hits.length))
      : none;
  list.replaceChildren(
    ...hits.map(({ address, title, text }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = address;
      link.textContent = title;
      item.append(link, extract(text, words));
      return item;
    }),
  );
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", search);
search();
