// @ts-check
// After a learner has run a cell its player comes into view, once: the notebook scrolls to the next cell as soon as the
// first one starts, and the player appears below the edge of the window. It is the notebook that is scrolled, by as
// little as it takes, so that as much of the cell as possible stays in view.

const EDGE = 6; // pixels between the player and the edge of the window
const LATE = 4000; // ms: a player that is seen for the first time after that was not waited for

/**
 * Whether the cell of an element was running when this was asked: then the learner has started it just now. (JupyterLab
 * and Notebook 7 say so in its prompt; where a notebook is merely opened, a number stands there.) Asked before the
 * element has its place, answered when it has one: by then a quick cell is done.
 * @returns {(host: Element) => boolean}
 */
export function whoseCellRuns() {
  const prompts = [...document.querySelectorAll(".jp-Cell .jp-InputPrompt")];
  const cells = prompts.filter((prompt) => prompt.textContent === "[*]:").map((prompt) => prompt.closest(".jp-Cell"));
  return (host) => cells.includes(host.closest(".jp-Cell"));
}

/**
 * Whether it is this cell that the learner is at: it, or the one after it, as after Shift+Enter, is the active one.
 * When all cells run, no other one pulls the page to itself.
 * @param {Element} element
 */
function isAtHand(element) {
  const cell = element.closest(".jp-Cell");
  const active = "jp-mod-active";
  return Boolean(cell && (cell.classList.contains(active) || cell.nextElementSibling?.classList.contains(active)));
}

/**
 * The part of the page that scrolls and holds an element, if there is one.
 * @param {Element} element
 */
function scrollerOf(element) {
  for (let node = element.parentElement; node; node = node.parentElement)
    if (/auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight) return node;
  return null;
}

/**
 * How far to scroll so that a box is seen whole, or, where it is too high, from its beginning.
 * @param {{ top: number, bottom: number }} box
 * @param {{ top: number, bottom: number }} view
 */
export function shiftInto(box, view) {
  const high = box.bottom - box.top + 2 * EDGE > view.bottom - view.top;
  if (high || box.top < view.top) return box.top - EDGE - view.top;
  return Math.max(0, box.bottom + EDGE - view.bottom);
}

/**
 * Brings a player into view as soon as it has its place on the page, if it is fresh; returns the function that gives
 * this up.
 * @param {Element} host
 * @param {(host: Element) => boolean} isFresh
 */
export function arrive(host, isFresh) {
  const begun = performance.now();
  let frame = 0;
  const seen = new ResizeObserver(() => {
    if (!host.clientHeight) return;
    seen.disconnect();
    if (isFresh(host)) frame = requestAnimationFrame(() => (frame = requestAnimationFrame(bring)));
  });
  function bring() {
    const scroller = scrollerOf(host);
    if (!scroller || !isAtHand(host) || performance.now() - begun > LATE) return;
    scroller.scrollTop += shiftInto(host.getBoundingClientRect(), scroller.getBoundingClientRect());
  }
  seen.observe(host);
  return () => {
    seen.disconnect();
    cancelAnimationFrame(frame);
  };
}
