// @ts-check
// How much room the lines of code take, before they are seen: a width that no line exceeds, the height in a column.

import { isIdle, rowsOf } from "./line.js";

/** @import { Source } from "storyboard" */

const LETTER = 0.57; // em: the width of a letter of code
const GUTTER = 4.4; // em: the line's number, and the space after its last letter
const ENOUGH = 300; // rows: no pane is so high, and what follows is not counted
const LARGE = { letter: 0.558, gutter: 3.2 }; // the same in large type

/**
 * @param {Source[]} sources
 * @param {string[][]} lines  of each
 * @param {() => number} lineHeight
 */
export function roomOf(sources, lines, lineHeight) {
  const longest = Math.max(0, ...lines.flat().map((text) => Array.from(text).length));

  /** @type {Record<string, number>} the rows that were counted: a player is arranged twice before it is seen */
  const counted = {};

  /** @param {number} em */
  const width = (em) => (LETTER * longest + GUTTER + 0.4) * em;

  /**
   * The height that all lines would take in a column of this width; in `brief`, without those where nothing happens.
   * @param {number} em
   * @param {number} column
   * @param {{ large: boolean, brief: boolean }} how
   */
  function height(em, column, { large, brief }) {
    const { letter, gutter } = large ? LARGE : { letter: LETTER, gutter: GUTTER };
    const letters = Math.max(8, Math.floor((column / em - gutter) / letter));
    const key = letters + " " + brief;
    counted[key] ??= rowsIn(letters, brief);
    return counted[key] * lineHeight() + 1.3 * em;
  }

  /** @type {(letters: number, brief: boolean) => number} */
  function rowsIn(letters, brief) {
    const shown = lines.flatMap((list) => {
      const begins = list.findIndex((text) => text.trim());
      return list.slice(Math.max(0, begins)).filter((text) => !brief || !isIdle(text));
    });
    // each has a name, and a gap above but for the first; the name of all there is may be left out
    const headings = sources.length > 1 ? 2 * sources.length - 1 : Number(!brief && sources[0]?.name !== "cell");
    let rows = headings;
    for (const text of shown) if (rows < ENOUGH) rows += rowsOf(text, letters);
    return rows;
  }

  return { width, height };
}
