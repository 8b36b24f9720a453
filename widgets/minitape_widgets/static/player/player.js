// @ts-check
// The player put together. `mountPlayer` draws one storyboard into one element and returns a small handle (go, step, k,
// destroy). Nothing here asks a kernel: all acts came with the storyboard, so stepping works while a cell is running,
// and in a page without a kernel.

import { takeKeys } from "../controls/keys.js";
import { setView } from "../controls/menu.js";
import { stayOf } from "../controls/rhythm.js";
import { heldNumbers, holdable } from "../held/held.js";
import { motionOf } from "../elements/motion.js";
import { watchTheme } from "../elements/theme.js";
import { sizesOf, usualSize } from "../storyboard/stops.js";
import { speaker } from "../storyboard/sentences.js";
import { layoutOf, watchSize } from "./arrange.js";
import { choose, fold, letGo, redrawHeld } from "./choice.js";
import { settled, startOf } from "./link.js";
import { ask, goTo, look, step } from "./moments.js";
import { partsOf } from "./parts.js";
import { arrange, redraw } from "./shown.js";
import { watchPrint } from "./stills.js";

/** @import { Index, Storyboard } from "storyboard" */
/** @import { Catalogue, Settings, ViewChange } from "player" */
/** @import { Size } from "../storyboard/stops.js" */
/** @import { Lead, Parts } from "./parts.js" */
/** @import { Own } from "./shown.js" */
/** @typedef {ReturnType<typeof handleOf>} Handle */
/** @typedef {ReturnType<typeof mountPlayer>} Player */

/** @type {(own: Own, what: ViewChange) => void} */
function change(own, what) {
  setView(own.options, what);
  if (what.pace !== undefined) own.parts.controls.setPace(what.pace);
  if (own.lead) return;
  arrange(own);
  redraw(own);
}

/** Gives steps another size. @type {(own: Own, size: Size) => void} */
function resize(own, size) {
  const { board, options, words, parts, lead } = own;
  if (!sizesOf(board).includes(size)) return;
  options.size = words.size.now = size;
  parts.controls.setSize(size);
  if (lead) return;
  arrange(own);
  redraw(own);
}

/** @type {(parts: Parts) => HTMLElement | null} the card or node from which one walks on with the arrows up and down */
const entryOf = ({ panes }) =>
  [panes.tape.root, panes.graph.root]
    .flatMap((pane) => [.../** @type {NodeListOf<HTMLElement>} */ (pane.querySelectorAll("[tabindex='0']"))])
    .find((element) => element.matches(".card, .node") && element.getClientRects().length) || null;

/**
 * What others can do with a player.
 * @param {Own} own
 */
function handleOf(own) {
  const { board, words, options } = own;
  return {
    board,
    words,
    total: board.frames.length,
    get root() {
      return own.parts.root;
    },
    get k() {
      return own.k;
    },
    get layout() {
      return own.layout;
    },
    /** @type {(k: number, keepPlaying?: boolean) => void} */
    go: (k, keepPlaying) => goTo(own, k, keepPlaying),
    /** @type {(k: number, card: Index) => void} */
    look: (k, card) => look(own, k, card),
    /** @type {(by: number, keepPlaying?: boolean, size?: Size) => boolean} */
    step: (by, keepPlaying, size) => step(own, by, keepPlaying, size),
    /** @param {Size} size */
    resize: (size) => resize(own, size),
    stay: () => (options.size === "act" ? stayOf(board, own.k) : 1),
    ask: () => ask(own),
    /** @param {ViewChange} what */
    change: (what) => change(own, what),
    entry: () => entryOf(own.parts),
    /** @param {(k: number) => void} listener */
    onChange(listener) {
      own.listeners.add(listener);
      return () => own.listeners.delete(listener);
    },
    dismissPrompt: () => own.parts.prompts.dismiss(),
  };
}

/** Makes the parts of a player, and gives them into its hands. @type {(own: Own, handle: Handle) => Parts} */
function furnish(own, handle) {
  const { board, words, options, lead, held } = own;
  own.parts = partsOf(board, words, options, lead, handle, {
    choose: (what) => choose(own, what),
    held,
    toggleFold: () => fold(own, !own.layout.isAway()),
    change: handle.change,
    promptChanged() {
      if (held) held.waits = Boolean(own.parts.prompts.open);
      arrange(own);
      if (own.stage) own.parts.panes.code.follow();
    },
  });
  own.layout = layoutOf(own.parts, board, options, lead !== null, () => own.stage);
  return own.parts;
}

/**
 * Draws the player into `host` (an element inside a shadow root) and returns its handle. The storyboard was checked.
 * With a `lead` it is one of two that step together: the controls, the keys and the arrangement of the panes are the
 * lead's.
 * @param {Element} host
 * @param {Storyboard} recorded
 * @param {Catalogue} catalogue
 * @param {Settings} [settings]
 * @param {Lead | null} [lead]
 */
export function mountPlayer(host, recorded, catalogue, settings = {}, lead = null) {
  const { board, hand } = holdable(recorded);
  const options = settled(settings, lead ? "act" : usualSize(board));
  const words = speaker(board, catalogue);
  const calm = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };
  const motion = (options.motion = motionOf(() => !calm.matches && !own.jumped));
  const start = { k: -1, jumped: true, stage: null, selection: null, large: false, listeners: new Set() };
  const own = /** @type {Own} */ ({ ...start, board, words, options, lead, motion, above: settings.above ?? 0 });
  const tell = /** @param {string} text */ (text) => (own.parts.live.textContent = text);
  own.held = hand && heldNumbers(board, hand, words, (node) => redrawHeld(own, node), tell);
  const handle = handleOf(own);
  const { root, controls } = furnish(own, handle);

  function destroy() {
    controls.stop();
    own.held?.destroy();
    unwatchSize();
    unwatchTheme();
    unwatchPrint();
    own.listeners.clear();
    root.remove();
  }

  const release = () => letGo(own);
  if (!lead) takeKeys(root, { ...handle, toggle: controls.toggle, letGo: release });
  else
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && release()) event.preventDefault();
    });
  for (const event of ["pointerdown", "keydown"])
    root.addEventListener(event, () => motion.waits() && redraw(own), { capture: true });
  const unwatchTheme = watchTheme(host, root); // before anything stands there that would be laid out for it
  host.append(root);
  const rearrange = () => arrange(own);
  const unwatchSize = lead ? () => {} : watchSize(root, rearrange);
  const unwatchPrint = lead ? () => {} : watchPrint(own);
  words.size.now = options.size;
  if (!lead) rearrange();
  goTo(own, lead ? 0 : startOf(options.start, words.index.recording, handle.total));
  if (!lead) rearrange();
  return Object.assign(handle, { destroy });
}
