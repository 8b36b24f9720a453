// @ts-check
// What a page of the course does: players come when one scrolls to them, each from the data beside the page; drafts of
// exercises stay in this browser; on paper all that is folded is open. Where no script runs, pictures and texts stand.

/** @typedef {{ showAll: (root: Element) => void }} FrontEnd */

const PLAYERS = new URL("pages.js", import.meta.url).href; // made of many files (whole.py)
const NEAR = "900px"; // a screen before it is seen

/** @param {string} address */
async function read(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address + ": " + answer.status);
  return answer.text();
}

/** @param {HTMLElement} place */
async function fill(place) {
  /** @type {[FrontEnd, string]} */
  const [frontEnd, text] = await Promise.all([import(PLAYERS), read(place.dataset.from ?? "")]);
  const data = document.createElement("script");
  data.type = "application/json";
  data.textContent = text;
  place.append(data);
  frontEnd.showAll(/** @type {Element} */ (place.parentElement));
}

function showPlayers() {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        fill(/** @type {HTMLElement} */ (target)).catch((error) => console.warn("minitape:", error.message));
      }
    },
    { rootMargin: NEAR },
  );
  for (const place of document.querySelectorAll("[data-from]")) near.observe(place);
}

/** @param {HTMLTextAreaElement} field */
function keepDraft(field) {
  const key = "minitape:draft:" + field.dataset.exercise;
  const row = field.nextElementSibling;
  const reset = /** @type {HTMLButtonElement} */ (row?.querySelector(".reset"));
  const status = /** @type {HTMLElement} */ (row?.querySelector("[data-kept]"));
  const starter = field.defaultValue;
  const fit = () => (field.rows = field.value.split("\n").length + 1);

  /** @param {string} text */
  function keep(text) {
    reset.hidden = text === starter;
    try {
      if (text === starter) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
      status.textContent = text === starter ? "" : (status.dataset.kept ?? "");
    } catch (_) {
      status.textContent = ""; // a browser that keeps nothing
    }
    fit();
  }

  try {
    field.value = localStorage.getItem(key) ?? starter;
  } catch (_) {
    field.value = starter;
  }
  keep(field.value);
  field.addEventListener("input", () => keep(field.value));
  reset.addEventListener("click", () => {
    field.value = starter;
    keep(starter);
    field.focus();
  });
}

function openOnPaper() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details")].filter((one) => !one.open);
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
}

/** Beside the text there is room for all of it (frame.css). */
function openContents() {
  const contents = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".contents details"));
  if (contents && matchMedia("(min-width: 75rem)").matches) contents.open = true;
}

openContents();
showPlayers();
for (const field of document.querySelectorAll("textarea.draft")) keepDraft(/** @type {HTMLTextAreaElement} */ (field));
openOnPaper();
