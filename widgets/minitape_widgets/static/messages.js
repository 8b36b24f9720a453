// From an act to a sentence. The catalogue holds one sentence per kind of act, with names in braces; here the names are looked
// up in the storyboard. The same small rules stand in Python (minitape/sentences.py, storyboard/messages.py); a test holds the two equal.

import { indexOf } from "./state.js";

const given = (x) => x !== null && x !== undefined;

/** What a node is called: the learner's name, else its text (its operation, or the constant's value). */
export function nodeName(board, n) {
  const node = board.nodes[n];
  return node.label || node.text || node.op || "?";
}

/** What a folded group is called where there is little room: of "for i in range(9), rounds 1 to 5" the rounds. */
export function groupName(board, group, length) {
  const { label, kind } = board.groups[group];
  if (Array.from(label).length <= length || kind !== "loop" || !label.includes(", ")) return label;
  const rounds = label.slice(label.lastIndexOf(", ") + 2);
  return Array.from(rounds).length > length ? rounds.replace(/(\d+) \S+ (\d+)$/, "$1–$2") : rounds;
}

const valueText = (board, v) => (given(v) ? board.values[v].text : "None");
const names = (board, list) => list.map((n) => nodeName(board, n)).join(", ");

const BLANK = /(\{\w+(?:\|one:[^|{}]*\|other:[^|{}]*)?\})/, PARTS = /^\{(\w+)(?:\|one:([^|]*)\|other:([^|]*))?\}$/;

/** The sentence of a key as a list of plain strings and {name, text}, so that the player can colour a value where it stands.
 *  "{count|one:# card|other:# cards}" is one of two forms; the catalogue says which numbers are "one". */
export function pieces(catalogue, key, parameters = {}) {
  while (!(key in catalogue) && key.includes(".")) key = key.slice(0, key.lastIndexOf("."));
  return (catalogue[key] || "").split(BLANK).filter(Boolean).map((piece) => {
    const found = PARTS.exec(piece);
    if (!found) return piece;
    const [, name, one, other] = found, text = given(parameters[name]) ? String(parameters[name]) : "";
    if (one === undefined) return { name, text };
    return (catalogue["plural.one"].split(" ").includes(text) ? one : other).replaceAll("#", () => text);
  });
}

const plain = (list) => list.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");

/** The key of a frame's sentence: its own, else the one that its act chooses. */
export function keyOf(board, frame) {
  if (frame.key) return frame.key;
  if (frame.act === "note" || frame.act === "skip") return board.notes[frame.note].key;
  if (frame.act === "cut") return "cut." + frame.why;
  if (frame.act === "result" && !given(frame.value)) return "result.none";
  if (frame.act === "chapter" && given(board.chapters[frame.chapter].loss)) return "chapter.loss";
  return frame.act;
}

/** The texts that a sentence about a frame may use, resolved from the frame's indices. */
export function parametersOf(board, catalogue, frame) {
  const found = {};
  if (given(frame.card)) {
    const card = board.cards[frame.card], made = card.outputs;
    Object.assign(found, { card: frame.card + 1, op: card.op, output: made.length ? nodeName(board, made[0]) : "", outputs: names(board, made) });
    if (made.length && frame.act === "record") found.value = valueText(board, board.nodes[made[0]].value);
    if (given(frame.input)) found.formula = (card.formula && card.formula[frame.input]) || "";
  }
  if (given(frame.note)) Object.assign(found, board.notes[frame.note].params);
  if (given(frame.node)) found.node = nodeName(board, frame.node);
  for (const name of ["value", "local", "adjoint"]) if (name in frame) found[name] = valueText(board, frame[name]);
  if (given(frame.count)) found.count = frame.count;
  if (given(frame.row)) found.row = "[" + frame.row.join(", ") + "]";
  if (given(frame.tape)) found.tape = board.tapes[frame.tape].name;
  if (given(frame.pass) && board.passes[frame.pass]) found.target = names(board, board.passes[frame.pass].targets);
  if (given(frame.chapter)) Object.assign(found, { title: board.chapters[frame.chapter].title, loss: valueText(board, board.chapters[frame.chapter].loss) });
  if (frame.why && !found.why) found.why = plain(pieces(catalogue, "why." + frame.why, found));
  return found;
}

/** The speaker of one player: words in one language, from one catalogue. */
export function speaker(board, catalogue) {
  return {
    say: (key, parameters) => plain(pieces(catalogue, key, parameters)),
    caption(k) {
      if (k === 0) return pieces(catalogue, board.frames.length ? "start" : "start.empty");
      const frame = board.frames[k - 1];
      return pieces(catalogue, keyOf(board, frame), parametersOf(board, catalogue, frame));
    },
    captionText(k) { return plain(this.caption(k)); },
    note: (m) => plain(pieces(catalogue, board.notes[m].key, board.notes[m].params)),
    index: indexOf(board),
  };
}
