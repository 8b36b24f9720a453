// @ts-check
// The player beneath a valley, where the learner asks for it: it shows the tape of the step that is taken from where
// one stands, with the numbers of the rate.

import { make } from "../elements/dom.js";
import { foldButton } from "../elements/icons.js";
import { roomOf } from "../player/layout.js";
import { mountPlayer } from "../player/player.js";
import { playedAt } from "./walks.js";

/** @import { Storyboard, Valley } from "storyboard" */
/** @import { Catalogue, Settings } from "player" */
/** @import { Player } from "../player/player.js" */
/** @import { Say } from "./description.js" */

const LEAST = 464; // pixels that it has, also where the window is low

/**
 * What a player knows of the valley that it stands beneath.
 * @typedef {object} Lead
 * @property {HTMLElement} above
 * @property {{ rate: number, k: number }} at  on which step of the walk at which rate one stands
 * @property {(k: number) => void} goOn  the player went on by itself, perhaps into the next step
 */

/**
 * @param {Valley} valley
 * @param {Storyboard} board
 * @param {Catalogue} catalogue
 * @param {Settings} settings
 * @param {Say} say
 * @param {Lead} lead
 */
export function playerBeneath(valley, board, catalogue, settings, say, { above, at, goOn }) {
  /** @type {Player | null} */
  let player = null;
  let shown = -1; // that whose numbers the player has
  let busy = false; // while the player is told where to go, what it reports is no news
  const root = make("div", { class: "valley-player", hidden: true });
  const unable = make("p", { class: "valley-unable", role: "status", hidden: true });
  const fold = foldButton("text-button", say("play"), toggle);
  fold.show(false);

  function toggle() {
    const open = Boolean(root.hidden);
    root.hidden = !open;
    above.classList.toggle("open", open);
    fold.show(open);
    if (!open) return close();
    follow();
    root.scrollIntoView({ block: "nearest" });
  }

  function close() {
    player?.destroy();
    player = null;
    shown = -1;
    unable.hidden = true;
  }

  function follow() {
    if (root.hidden) return;
    if (shown !== at.rate) open();
    const { k } = at;
    const chapter = board.chapters[Math.min(k, board.chapters.length - 1)];
    busy = true;
    player?.go(k >= valley.steps ? board.frames.length : chapter ? chapter.frame + 1 : 0);
    busy = false;
  }

  function open() {
    close();
    const played = at.rate === valley.rate ? board : playedAt(board, valley, at.rate);
    unable.hidden = played !== null;
    const [rate, first] = [at.rate, valley.rate].map((one) => valley.rates[one]);
    unable.textContent = say("other", { rate: first });
    const title = played && rate !== first ? say("instead", { rate, first }) : ""; // the program says the first
    player = mountPlayer(root, { ...(played ?? board), title }, catalogue, {
      ...settings,
      start: 0,
      above: Math.min(above.offsetHeight, Math.max(0, roomOf() - LEAST)),
    });
    player.onChange(heard);
    shown = at.rate;
  }

  /** @param {number} act */
  function heard(act) {
    if (busy || !unable.hidden) return;
    const { frames, chapters } = board;
    goOn(act >= frames.length ? valley.steps : chapters.findLastIndex(({ frame }) => frame < act));
  }

  return {
    root,
    opener: [fold.button, unable],
    follow,
    close,
    get player() {
      return player;
    },
  };
}
