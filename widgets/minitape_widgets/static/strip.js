// The tape as a strip of cards: one per recorded operation. The record head moves right while the program runs, the play head
// moves left while the tape is played back, and the cards of a tape that may be played only once are let go afterwards. Under
// it is the margin: what was seen but not recorded. Only the cards in view are in the page, so 10,000 cost as little as ten.

import { assign, draw, icon, make, prose, shorten } from "./dom.js";
import { CARD, adjointOf, indexOf } from "./state.js";
import { groupName, nodeName } from "./messages.js";
import { shortValue } from "./heat.js";

const PITCH = 132, LARGE = 176, SEVERAL = 3, SLOTS = 2;
const STATES = ["future", "recorded", "played", "released"];

/** What the strip shows of one tape: cards, and closed groups as one card each. */
function itemsOf(board, cards, open) {
  const items = [], placed = new Map();
  const closed = (group) => {                                  // the outermost closed group around a card
    let found = null;
    for (let g = group; g !== null && g !== undefined; g = board.groups[g].parent) if (!open.has(g)) found = g;
    return found;
  };
  for (const c of cards) {
    const group = closed(board.cards[c].group);
    const last = items[items.length - 1];
    if (group !== null && last && last.group === group) last.cards.push(c);
    else items.push(group === null ? { card: c, cards: [c] } : { group, cards: [c] });
    placed.set(c, items.length - 1);
  }
  return { items, placed };
}

function oneStrip(board, tape, words, choose, options, foldAll) {
  const cards = indexOf(board).cardsOfTape[tape];
  const open = new Set(cards.length > 200 ? [] : board.groups.map((_, g) => g));
  const pitch = () => (options.large ? LARGE : PITCH);
  let { items, placed } = itemsOf(board, cards, open);
  let stage = null, selected = -1, shown = new Map();

  const recordHead = make("div", { class: "head record-head", hidden: true }, make("span", { text: words.say("ui.strip.record") }));
  const playHead = make("div", { class: "head play-head", hidden: true }, make("span", { text: words.say("ui.strip.play") }));
  const track = make("div", { class: "track" }, recordHead, playHead);
  const scroller = make("div", { class: "strip-scroll", tabindex: "0", role: "group", "aria-label": words.say("ui.strip.of", { tape: board.tapes[tape].name }) }, track);
  const count = make("span", { class: "fine" });
  const alone = board.tapes.length === 1;
  const fold = make("button", { type: "button", class: "text-button", hidden: !board.groups.length, on: { click: foldAll } });
  const root = make("div", { class: "strip" }, make("div", { class: "strip-label" }, make("strong", { text: alone ? words.say("ui.strip") : board.tapes[tape].name }),
    board.tapes[tape].persistent ? make("span", { class: "tag", text: words.say("ui.strip.persistent") }) : null, count, fold), scroller);
  scroller.addEventListener("scroll", () => stage && fill());

  const recordedIn = (item) => item.cards.filter((c) => stage.cards[c]).length;

  function cardNode(item) {
    if (item.group !== undefined) {
      const group = board.groups[item.group];
      return make("button", { type: "button", class: "card group", title: group.label, tabindex: "-1", "aria-expanded": "false", on: { click: () => { open.add(item.group); rebuild(); } } },
        make("span", { class: "card-top" }, make("span", { class: "card-number" }), icon("open")),
        make("span", { class: "card-op", text: shorten(groupName(board, item.group, 14), 18) }), make("span", { class: "card-value" }));
    }
    const card = board.cards[item.card];
    const output = card.outputs[0], node = board.nodes[output];
    const label = node && node.label ? node.label + " = " : "";    // an array that would be cut off is named by its shape
    const result = node ? label + (node.value === null || node.value === undefined ? "" : shortValue(board.values[node.value], Math.max(5, 15 - label.length))) : "";
    return make("button", { type: "button", class: "card", tabindex: "-1", on: { click: () => choose({ card: item.card }) } },
      make("span", { class: "card-top" }, make("span", { class: "card-number", text: item.card + 1 }), make("span", { class: "card-adjoint" })),
      make("span", { class: "card-op", text: shorten(card.op || "", 14) }), make("span", { class: "card-value", text: shorten(result, 15) }));
  }

  function dress(node, item, position) {
    const first = item.cards[0], step = pitch();
    const state = item.group === undefined ? stage.cards[first] : Math.max(...item.cards.map((c) => stage.cards[c]));
    node.className = "card" + (item.group === undefined ? "" : " group") + " " + STATES[state] +
      (item.cards.includes(stage.current.card) ? stage.pass >= 0 ? " playing" : " recording" : "") + (item.card !== undefined && item.card === selected ? " chosen" : "");
    node.style.transform = "translateX(" + position * step + "px)";
    assign(node, "hidden", state === CARD.FUTURE);
    if (item.group !== undefined) {
      const done = recordedIn(item);
      node.querySelector(".card-number").textContent = (first + 1) + "–" + (item.cards[item.cards.length - 1] + 1);
      node.querySelector(".card-value").textContent = words.say("ui.cards", { count: done });
      assign(node, "aria-label", words.say("ui.group", { label: board.groups[item.group].label, count: done }));
      return;
    }
    const card = board.cards[first], output = card.outputs[0];
    const adjoint = state >= CARD.PLAYED && output !== undefined ? adjointOf(stage, output) : null;
    const text = adjoint && adjoint.value >= 0 ? shortValue(board.values[adjoint.value], 8) : "";
    node.querySelector(".card-adjoint").textContent = shorten(text, 9);
    assign(node, "aria-pressed", item.card === selected ? "true" : "false");
    assign(node, "aria-label", words.say("ui.card", { card: first + 1, op: card.op, output: output === undefined ? "" : nodeName(board, output), state: words.say("ui.state." + STATES[state]) }));
  }

  /** Puts the cards in view into the page, and takes the others out. */
  function fill() {
    const step = pitch(), width = scroller.clientWidth || 900;
    const from = Math.max(0, Math.floor(scroller.scrollLeft / step) - 2), to = Math.min(items.length, Math.ceil((scroller.scrollLeft + width) / step) + 2);
    for (const [position, node] of shown) if (position < from || position >= to) { node.remove(); shown.delete(position); }
    for (let position = from; position < to; position++) {
      const item = items[position];
      let node = shown.get(position);
      if (!node) {
        if (!recordedIn(item)) continue;
        node = cardNode(item);
        node.addEventListener("keydown", (event) => walk(event, position));
        shown.set(position, node);
        track.append(node);
      }
      dress(node, item, position);
    }
    const reachable = [...shown.values()].filter((node) => !node.hidden);
    const entry = reachable.find((node) => node.classList.contains("chosen")) || reachable.find((node) => /playing|recording/.test(node.className)) || reachable[0];
    for (const node of shown.values()) assign(node, "tabindex", node === entry ? "0" : "-1");
    scroller.tabIndex = entry ? -1 : 0;                        // one stop for the Tab key: the card in view, else the strip itself
  }

  /** Up and down walk along the cards; left and right belong to the player everywhere. */
  function walk(event, position) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = position + move;
    if (!items[next] || !recordedIn(items[next])) return;
    reveal(next);
    fill();
    const node = shown.get(next);
    if (!node) return;
    if (items[next].card !== undefined) choose({ card: items[next].card }, true);
    node.focus({ preventScroll: true });
  }

  function reveal(position) {
    const step = pitch(), left = position * step, width = scroller.clientWidth;
    if (!width) return;
    if (left < scroller.scrollLeft + 8) scroller.scrollLeft = Math.max(0, left - 24);
    else if (left + step + 16 > scroller.scrollLeft + width) scroller.scrollLeft = left + step - width + 24;
  }

  function rebuild() {
    ({ items, placed } = itemsOf(board, cards, open));
    for (const node of shown.values()) node.remove();
    shown = new Map();
    if (stage) update(stage, selected);
  }

  function update(next, card) {
    stage = next;
    selected = card;
    const step = pitch();
    track.style.width = items.length * step + 40 + "px";
    const recorded = cards.filter((c) => stage.cards[c]).length;
    count.textContent = words.say(stage.released.has(tape) ? "ui.strip.released" : "ui.cards", { count: recorded });
    fold.textContent = words.say(items.some((item) => item.group !== undefined) ? "ui.unfold" : "ui.fold");
    const head = stage.recordHead.get(tape);
    assign(recordHead, "hidden", head === undefined || stage.phase === "done");
    recordHead.classList.toggle("idle", stage.pass >= 0 && !(stage.frame && stage.frame.act === "record"));
    if (head !== undefined) recordHead.style.transform = "translateX(" + ((placed.get(head) + 1) * step - 4) + "px)";
    const played = stage.playHead >= 0 && placed.has(stage.playHead) && !stage.released.has(tape);
    assign(playHead, "hidden", !played);
    if (played) playHead.style.transform = "translateX(" + (placed.get(stage.playHead) * step + step / 2 - 8) + "px)";
    assign(root, "data-released", stage.released.has(tape));
    const current = placed.has(stage.current.card) ? placed.get(stage.current.card) : head !== undefined && stage.pass < 0 ? placed.get(head) : undefined;
    if (current !== undefined) reveal(current);
    fill();
  }
  return { root, update, fold: () => { open.clear(); rebuild(); }, unfold: () => { board.groups.forEach((_, g) => open.add(g)); rebuild(); },
    get folded() { return items.some((item) => item.group !== undefined); } };
}

/** How many strips are shown at once: all of a few tapes; of many, and in a training loop, which makes one per step, as many as live together. */
function slotsOf(board) {
  if (board.tapes.length <= SEVERAL && !board.chapters.length) return board.tapes.length;
  const living = new Set();
  let most = 1;
  for (const frame of board.frames) {
    if (frame.act === "record") living.add(board.cards[frame.card].tape);
    if (frame.act === "release") living.delete(frame.tape);
    most = Math.max(most, living.size);
  }
  return Math.min(SLOTS, most);
}

/** Which of many tapes are shown: the one in use, and the newest of those that live. */
function chosenTapes(board, stage, slots) {
  const frame = stage.frame || {}, used = stage.current.card >= 0 ? board.cards[stage.current.card].tape : frame.tape ?? (board.passes[frame.pass] || {}).tape;
  const begun = [...stage.recordHead.keys()].sort((a, b) => b - a), living = begun.filter((tape) => !stage.released.has(tape));
  return new Set([used, ...living, ...begun, ...board.tapes.keys()].filter((tape) => tape !== undefined && tape !== null).filter((tape, i, all) => all.indexOf(tape) === i).slice(0, slots));
}

const KEPT = 60, LINES = 5;                                  // notes kept at once (a loop may write thousands of them); lines seen at once

function marginPane(board, words, choose) {
  const list = make("ul", { class: "notes" }), none = make("p", { class: "fine", text: words.say("ui.margin.none") });
  const root = make("div", { class: "margin", hidden: !board.notes.length }, make("div", { class: "strip-label" }, words.say("ui.margin")), list);
  let drawn = "";
  function fill(seen, current, chosen) {
    const lines = [];
    for (const m of seen) {                                    // the same note again and again is one line with a count
      const text = words.note(m), where = board.notes[m].where, last = lines.find((line) => line.text === text && line.where === String(where));
      if (last) { last.times += 1; last.current = last.current || m === current; }
      else lines.push({ m, text, where: String(where), times: 1, current: m === current });
      if (lines.length > KEPT) lines.shift();
    }
    list.replaceChildren(...lines.map(({ m, text, times, current }) => make("li", {}, make("button", { type: "button",
      class: "note" + (current ? " here" : "") + (m === chosen ? " chosen" : ""), "data-kind": board.notes[m].kind, on: { click: () => choose({ note: m }) } },
      draw("svg", { viewBox: "0 0 8 8", "aria-hidden": "true", class: "note-sign" }, draw("path", { d: "M4 .5 7.5 4 4 7.5 .5 4z", fill: "currentColor" })),
      make("span", {}, prose(text + (times > 1 ? " (×" + times + ")" : ""))),
      board.notes[m].where ? make("span", { class: "fine", text: words.say("ui.line", { line: board.notes[m].where[1] }) }) : null))));
  }
  function update(stage, chosen) {
    const key = stage.notes.length + "|" + stage.current.note + "|" + chosen;
    if (key === drawn) return;
    drawn = key;
    fill(stage.notes, stage.current.note, chosen);
    if (!stage.notes.length) list.append(make("li", {}, none));
    const here = list.querySelector(".here");
    if (here) list.scrollTop = here.offsetTop - list.offsetTop;
  }
  /** Keeps room for all notes that will come, or for a few lines of them: nothing moves when one appears. */
  function reserve(em, lines = LINES) {
    if (!board.notes.length) return;
    list.style.height = "auto";
    fill(board.notes.keys(), -1, -1);
    list.style.height = Math.ceil(Math.min(list.scrollHeight, (0.3 + 1.45 * lines) * 0.92 * em)) + "px";
    drawn = "";
  }
  return { root, update, reserve };
}

/** All strips of a storyboard (nested tapes have one each) with the margin under them. */
export function stripPane(board, words, choose, options) {
  const foldAll = () => { const folded = strips.some((strip) => strip.folded); for (const strip of strips) folded ? strip.unfold() : strip.fold(); };
  const strips = board.tapes.map((_, tape) => oneStrip(board, tape, words, choose, options, foldAll));
  const margin = marginPane(board, words, choose), slots = slotsOf(board);
  const root = make("div", { class: "pane tape", "data-pane": "tape" }, strips.map((strip) => strip.root), margin.root);
  return {
    root,
    reserve: margin.reserve,
    update(stage, selection) {
      const shown = slots < strips.length ? chosenTapes(board, stage, slots) : null;
      strips.forEach((strip, tape) => {
        assign(strip.root, "hidden", Boolean(shown) && !shown.has(tape));
        if (!shown || shown.has(tape)) strip.update(stage, selection && selection.card !== undefined ? selection.card : -1);
      });
      margin.update(stage, selection && selection.note !== undefined ? selection.note : -1);
    },
  };
}
