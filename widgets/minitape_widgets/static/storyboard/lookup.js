// @ts-check
// What every picture looks up again and again in a storyboard, found once for each.

/** @import { Frame, Index, PartFrame, Prompt, Source, Storyboard } from "storyboard" */
/** @typedef {ReturnType<typeof lookUp>} Lookup */

/**
 * Whether something is there: a storyboard says null for what there is not, or says nothing.
 * @template T
 * @param {T} x
 * @returns {x is NonNullable<T>}
 */
export const given = (x) => x !== null && x !== undefined;

/** @type {(source: Source, line: number) => number} the number of a line in its file, of which a part may be shown */
export const lineInFile = (source, line) => (source.first || 1) - 1 + line;

/**
 * What is found out about a storyboard, once for each.
 * @template T
 * @param {(board: Storyboard) => T} find
 * @returns {(board: Storyboard) => T}
 */
export function remembered(find) {
  /** @type {WeakMap<Storyboard, T>} */
  const known = new WeakMap();
  return (board) => {
    let result = known.get(board);
    if (result === undefined) known.set(board, (result = find(board)));
    return result;
  };
}

export const indexOf = remembered(lookUp);

/** @param {Storyboard} board */
function lookUp(board) {
  /** @type {Index[][]} card, input -> edge */
  const edgeOf = board.cards.map(() => []);
  /** @type {Index[][]} node -> the edges that lead to it */
  const into = board.nodes.map(() => []);
  board.edges.forEach((edge, e) => {
    if (given(edge.card)) edgeOf[edge.card][edge.input ?? 0] = e;
    into[edge.to].push(e);
  });
  /** @type {Map<number, Prompt>} */
  const promptAt = new Map();
  for (const prompt of board.prompts) if (!promptAt.has(prompt.frame)) promptAt.set(prompt.frame, prompt);
  /** @type {Map<string, Index[]>} "source:line" -> notes */
  const notesOfLine = new Map();
  board.notes.forEach((note, m) => {
    if (!note.where) return;
    const line = note.where[0] + ":" + note.where[1];
    const known = notesOfLine.get(line);
    if (known) known.push(m);
    else notesOfLine.set(line, [m]);
  });
  /** @type {Index[][]} */
  const cardsOfTape = board.tapes.map(() => []);
  board.cards.forEach((card, c) => cardsOfTape[card.tape].push(c));
  const nodesOfTape = cardsOfTape.map((cards) => {
    /** @type {Set<Index>} */
    const nodes = new Set();
    for (const c of cards)
      for (const ends of [board.cards[c].inputs, board.cards[c].outputs]) for (const n of ends) nodes.add(n);
    return nodes;
  });
  /** @type {Map<Index, Index>} card -> the round of a training loop in which it was recorded */
  const chapterOf = new Map();
  let chapter = -1;
  /** @type {Set<Index>} the cards that a play came to */
  const visited = new Set();
  /** @type {Set<Index>} the sources whose gradient is None */
  const nones = new Set();
  /** @type {Map<Index | undefined, Index>} node -> the last adjoint that it gets */
  const adjoints = new Map();
  /** @type {Set<Index>} the nodes of variables whose answer counts all their versions */
  const versions = new Set();
  for (const frame of board.frames) {
    if (frame.act === "sum" && frame.key === "sum.versions") versions.add(frame.node);
    if (frame.act === "seed" || frame.act === "part" || frame.act === "sum") adjoints.set(frame.node, frame.value);
    if (frame.act === "chapter") chapter = frame.chapter;
    if (frame.act === "record" && chapter >= 0) chapterOf.set(frame.card, chapter);
    if (frame.act === "visit") visited.add(frame.card);
    if (frame.act === "result" && frame.value === null) nones.add(frame.node);
  }
  const firstSeed = board.frames.findIndex((frame) => frame.act === "seed");
  const recording = firstSeed < 0 ? board.frames.length : firstSeed;
  const shares = sharesOf(board.frames);
  /** @type {Map<Index | undefined, number>} node -> how many parts it gets, where these are added up */
  const fans = new Map();
  for (const parts of shares) {
    if (!parts || parts.length < 2) continue;
    const [{ node }] = parts;
    fans.set(node, Math.max(parts.length, fans.get(node) ?? 0));
  }
  const ofCards = { cardsOfTape, nodesOfTape, chapterOf, visited };
  return { ...ofCards, edgeOf, into, promptAt, notesOfLine, recording, shares, fans, nones, adjoints, versions };
}

/**
 * The parts that are added up together, for each act that brings one of them. A node that gets several is a fan-out.
 * @param {Frame[]} frames
 */
function sharesOf(frames) {
  /** @type {Map<Index, PartFrame[]>} node -> its parts that wait for their sum */
  let waiting = new Map();
  return frames.map((frame) => {
    if (frame.act === "seed") waiting = new Map();
    if (frame.act === "sum") waiting.delete(frame.node);
    if (frame.act !== "part" || frame.key === "part.late") return null; // what comes too late is not added up
    const parts = waiting.get(frame.node) || [];
    if (!parts.length) waiting.set(frame.node, parts);
    parts.push(frame);
    return parts;
  });
}
