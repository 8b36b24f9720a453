// @ts-check
// The player put together: which moment is shown, what is chosen, and what every part is told when either changes.
// `mountPlayer` draws one storyboard into one element and returns a small handle (go, step, k, destroy). Nothing here
// asks a kernel: all acts came with the storyboard, so stepping works while a cell is running, and in a page without
// a kernel.

import { takeKeys } from "../controls/keys.js";
import { setView } from "../controls/menu.js";
import { stayOf } from "../controls/rhythm.js";
import { heldNumbers, holdable } from "../held/held.js";
import { motionOf } from "../elements/motion.js";
import { watchTheme } from "../elements/theme.js";
import { given } from "../storyboard/lookup.js";
import { nextStop, sizesOf, stopsOf } from "../storyboard/stops.js";
import { speaker } from "../storyboard/sentences.js";
import { stateAt } from "../storyboard/state.js";
import { layoutOf, watchSize } from "./arrange.js";
import { settled, startOf, writeLink } from "./link.js";
import { partsOf } from "./parts.js";

/** @import { Index, Span, Storyboard } from "storyboard" */
/** @import { Catalogue, Selection, Settings, Stage, ViewChange } from "player" */
/** @import { Size } from "../storyboard/stops.js" */
/** @import { Lead } from "./parts.js" */
/** @typedef {ReturnType<typeof mountPlayer>} Player */

const RESULTS = ".is-result, .card.recording"; // what an act makes, in all parts but the graph

/** @type {(board: Storyboard, selection: Selection) => Span[]} where what is chosen stands in the text */
function placesOf(board, selection) {
  const { card, node, note } = selection ?? {};
  const { where, back } = /** @type {{ where?: Span | null, back?: Span | null }} */ (
    board.cards[card ?? -1] ?? board.nodes[node ?? -1] ?? board.notes[note ?? -1] ?? {}
  );
  return [where, back].filter((span) => !!span);
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
  const options = settled(settings);
  const words = speaker(board, catalogue);
  const sizes = sizesOf(board);
  const total = board.frames.length;
  const calm = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };
  const motion = motionOf(() => !calm.matches && !jumped);
  options.motion = motion;
  let k = -1;
  let jumped = true; // a jump is never animated: over a thousand nodes that would take seconds
  /** @type {Stage | null} */
  let stage = null;
  /** @type {Selection} */
  let selection = null;
  /** @type {Set<(k: number) => void>} */
  const listeners = new Set();

  const handle = {
    board,
    words,
    total,
    get root() {
      return parts.root;
    },
    get k() {
      return k;
    },
    get layout() {
      return layout;
    },
    go,
    look,
    step,
    resize,
    stay: () => (options.size === "act" ? stayOf(board, k) : 1),
    ask,
    change,
    entry: () => entry(),
    /** @param {(k: number) => void} listener */
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dismissPrompt: () => prompts.dismiss(),
    destroy,
  };
  const held = hand && heldNumbers(board, hand, words, redrawHeld, (text) => (live.textContent = text));
  const parts = partsOf(board, words, options, lead, handle, {
    choose,
    held,
    toggleFold: () => fold(!layout.isAway()),
    change,
    promptChanged() {
      if (held) held.waits = Boolean(prompts.open);
      arrange();
      if (stage) panes.code.follow();
    },
  });
  const { root, live, caption, panes, controls, prompts, menu } = parts;
  const layout = layoutOf(parts, board, options, lead !== null, () => stage);

  /** @param {Selection} what */
  function choose(what) {
    if (what && what.card !== undefined && prompts.takeCard(what.card)) return;
    select(what);
    if (what && what.note === undefined && layout.isAway()) fold(false);
    redraw();
  }

  /** @param {Selection} what */
  function select(what) {
    selection = what;
    if (held?.nudged && held.nudged.node !== what?.node) held.nudged = null;
  }

  /** What is taken hold of is what one looks at. @param {Index} [node] */
  function redrawHeld(node) {
    const other = given(node) && selection?.node !== node;
    if (other) select({ node });
    redraw(!other);
  }

  /** What Escape does: the recorded numbers come back; else what is chosen is let go. */
  function letGo() {
    if (held?.reset()) return true;
    if (!selection) return false;
    choose(null);
    return true;
  }

  /** @param {boolean} on */
  function fold(on) {
    if (lead) return lead.fold(on);
    layout.setFold(on);
    arrange();
    redraw();
  }

  function arrange() {
    if (lead) return lead.arrange();
    layout.fit(settings.above ?? 0);
    showLink();
  }

  function showLink() {
    if (menu) menu.setLink(writeLink({ ...options, start: Math.max(0, k), folded: layout.folded }));
  }

  /** @param {ViewChange} what */
  function change(what) {
    setView(options, what);
    if (what.pace !== undefined) controls.setPace(what.pace);
    if (lead) return;
    arrange();
    redraw();
  }

  /**
   * @param {number} target
   * @param {boolean} [keepPlaying]
   */
  function go(target, keepPlaying) {
    const next = Math.max(0, Math.min(total, Math.round(target) || 0));
    if (!keepPlaying) controls.stop();
    if (prompts.open) prompts.dismiss();
    if (next === k) return redraw();
    jumped = next !== k + 1;
    root.classList.toggle("jump", jumped);
    k = next;
    select(null);
    stage = stateAt(board, k);
    redraw();
    for (const listener of listeners) listener(k);
  }

  /**
   * Goes to a moment of a card, and opens the box that it lies in.
   * @param {number} target
   * @param {Index} card
   */
  function look(target, card) {
    go(target);
    if (!options.hide.includes("graph")) panes.graph.show(card);
  }

  /** Asks the question that stands before the next act; false where there is none. */
  function ask() {
    const waiting = prompts.waiting(k);
    if (!waiting) return false;
    controls.stop();
    held?.reset();
    const first = prompts.ask(waiting);
    live.textContent = words.say(waiting.key, waiting.params || {}) || live.textContent;
    if (first) first.focus({ preventScroll: true });
    return true;
  }

  /**
   * One step on or back; false where it stops: at the end, or at a question.
   * @param {number} by
   * @param {boolean} [keepPlaying]
   * @param {Size} [size]
   */
  function step(by, keepPlaying, size = options.size) {
    const next = nextStop(board, size, k, by);
    if ((by > 0 && ask()) || next === k) return false;
    go(next, keepPlaying);
    return k < total;
  }

  /** @param {Size} size */
  function resize(size) {
    if (!sizes.includes(size)) return;
    options.size = words.size.now = size;
    controls.setSize(size);
    if (lead) return;
    arrange();
    redraw();
  }

  /**
   * Tells every part that is shown which moment it is, and what is chosen.
   * @param {boolean} [still]  whether neither has changed, but only numbers
   */
  function redraw(still = false) {
    if (!stage) return;
    if (held) held.stage = stage;
    motion.stop();
    const text = caption.textAt(stage);
    caption.say(stage);
    if (!held?.busy && live.textContent !== text) live.textContent = text;
    const shows = /** @param {string} name */ (name) => !options.hide.includes(name);
    if (shows("code") && !still) panes.code.update(stage, placesOf(board, selection));
    const arrives = shows("graph") ? panes.graph.update(stage, selection) : 0;
    if (shows("inspector")) panes.inspector.update(stage, selection);
    if (shows("tape")) panes.tape.update(stage, selection);
    if (parts.loss) parts.loss.update(stage);
    if (parts.jacobian) parts.jacobian.update(stage);
    if (arrives) for (const late of root.querySelectorAll(RESULTS)) motion.appear(late, arrives);
    if (lead) return;
    controls.update(k, text, stopsOf(board, options.size).ends);
    if (!still) showLink();
  }

  /** @type {() => HTMLElement | null} the card or node from which one walks on with the arrows up and down */
  const entry = () =>
    [panes.tape.root, panes.graph.root]
      .flatMap((pane) => [.../** @type {NodeListOf<HTMLElement>} */ (pane.querySelectorAll("[tabindex='0']"))])
      .find((element) => element.matches(".card, .node") && element.getClientRects().length) || null;

  function destroy() {
    controls.stop();
    held?.destroy();
    unwatchSize();
    unwatchTheme();
    listeners.clear();
    root.remove();
  }

  if (!lead) takeKeys(root, { go, step, toggle: controls.toggle, resize, letGo, entry, total });
  else
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && letGo()) event.preventDefault();
    });
  host.append(root);
  const unwatchTheme = watchTheme(host, root);
  const unwatchSize = lead ? () => {} : watchSize(root, arrange);
  words.size.now = options.size;
  if (!lead) arrange();
  go(lead ? 0 : startOf(options.start, words.index.recording, total));
  if (!lead) arrange();
  if (k === 0) panes.code.showFirst();
  return handle;
}
