// Side by side: two players that step together, the broken program and the mended one. They record together and are played
// together: the one whose recording is shorter waits until the other is there.

import { make } from "./dom.js";
import { checked, mountPlayer } from "./player.js";
import { indexOf } from "./state.js";
import { settled, startOf } from "./link.js";

/** The moments of two storyboards in step: [k of the first, k of the second], recording against recording, play against play. */
export function inStep(a, b) {
  const [fa, fb] = [indexOf(a).recording, indexOf(b).recording];
  const moments = [];
  for (let k = 0; k <= Math.max(fa, fb); k++) moments.push([Math.min(k, fa), Math.min(k, fb)]);
  const acts = Math.max(a.frames.length - fa, b.frames.length - fb);
  const at = (board, first, k) => (k === acts ? board.frames.length : Math.max(first, Math.min(first + k, board.frames.length - 1)));
  for (let k = 1; k <= acts; k++) moments.push([at(a, fa, k), at(b, fb, k)]);
  return moments;
}

export function mountPair(host, boards, catalogue, settings = {}) {
  const [a, b] = boards.map(checked);
  if (!a || !b) return mountPlayer(host, null, catalogue, settings);
  const options = settled(settings), moments = inStep(a, b), names = Array.isArray(settings.names) ? settings.names : [];
  const sides = [a, b].map((board, i) => {
    const place = make("div", { class: "pair-side" }, names[i] ? make("div", { class: "pair-name " + (i ? "fixed" : "broken"), text: names[i] }) : null);
    return { place, board };
  });
  const pair = make("div", { class: "pair" }, sides.map((side) => side.place));
  host.append(pair);
  const players = sides.map(({ place, board }) => mountPlayer(place, board, catalogue, { ...options, start: 0, link: "", unread: place === sides[0].place ? options.unread : [] }));
  let busy = false, position = 0;
  const show = (next) => {
    position = Math.max(0, Math.min(moments.length - 1, next));
    busy = true;
    players.forEach((player, i) => player.go(moments[position][i], true));
    busy = false;
  };
  players.forEach((player, i) => {
    player.onChange((k) => {
      if (busy) return;
      const from = moments[position][i], found = moments.findIndex((moment) => moment[i] === k);
      if (Math.abs(k - from) === 1) show(position + k - from);   // one step is one for both, also where this side has to wait
      else show(k === boards[i].frames.length ? moments.length - 1 : found < 0 ? position : found);
    });
  });
  show(startOf(options.start, Math.max(indexOf(a).recording, indexOf(b).recording), moments.length - 1));
  return { go: show, step: (by) => show(position + by), players, moments, get k() { return position; }, total: moments.length - 1, root: pair, destroy: () => players.forEach((player) => player.destroy()) };
}
