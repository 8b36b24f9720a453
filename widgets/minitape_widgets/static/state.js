// What is on the stage after k acts. stateAt(board, k) is a pure function: it remembers nothing and looks at nothing but the
// storyboard, so forward, back and a jump are one and the same thing, and any moment can be drawn without its neighbours.

const INDEX = new WeakMap();

/** What every picture looks up again and again, computed once for a storyboard. */
export function indexOf(board) {
  let index = INDEX.get(board);
  if (index) return index;
  const edgeOf = new Map(), into = new Map(), promptAt = new Map(), notesOfLine = new Map();
  board.edges.forEach((edge, e) => {
    if (edge.card !== null && edge.card !== undefined) edgeOf.set(edge.card + ":" + edge.input, e);
    if (!into.has(edge.to)) into.set(edge.to, []);
    into.get(edge.to).push(e);
  });
  for (const prompt of board.prompts) if (!promptAt.has(prompt.frame)) promptAt.set(prompt.frame, prompt);
  board.notes.forEach((note, m) => {
    if (!note.where) return;
    const line = note.where[0] + ":" + note.where[1];
    notesOfLine.set(line, [...(notesOfLine.get(line) || []), m]);
  });
  const cardsOfTape = board.tapes.map(() => []);
  board.cards.forEach((card, c) => cardsOfTape[card.tape].push(c));
  const firstSeed = board.frames.findIndex((frame) => frame.act === "seed");
  index = { edgeOf, into, promptAt, notesOfLine, cardsOfTape, recording: firstSeed < 0 ? board.frames.length : firstSeed };
  INDEX.set(board, index);
  return index;
}

const HIDDEN = 0, SHOWN = 1;
export const CARD = { FUTURE: 0, RECORDED: 1, PLAYED: 2, RELEASED: 3 };
export const EDGE = { HIDDEN: 0, SHOWN: 1, CARRIED: 2, CUT: 3 };

function emptyStage(board) {
  return {
    k: 0, frame: null, phase: "start",
    nodes: new Uint8Array(board.nodes.length), cards: new Uint8Array(board.cards.length), edges: new Uint8Array(board.edges.length),
    adjoint: new Int32Array(board.nodes.length).fill(-1),      // index into values, once the adjoint is known
    parts: new Map(),                                          // node -> parts that reached it and are not summed yet
    cuts: [], notes: [], results: [], rows: [], released: new Set(),
    pass: -1, chapter: -1, recordHead: new Map(), playHead: -1, visited: 0,
    current: { card: -1, node: -1, edge: -1, note: -1, where: null, value: -1, local: -1 },
  };
}

/** A play begins: adjoints belong to the call, so those of an earlier play are gone. */
function beginPlay(stage, board, pass) {
  stage.pass = pass;
  stage.adjoint.fill(-1);
  stage.parts.clear();
  stage.cuts = [];
  stage.visited = 0;
  const tape = board.passes[pass] ? board.passes[pass].tape : 0;
  stage.cards.forEach((state, c) => { if (state === CARD.PLAYED && board.cards[c].tape === tape) stage.cards[c] = CARD.RECORDED; });
  stage.edges.forEach((state, e) => { if (state > EDGE.SHOWN) stage.edges[e] = EDGE.SHOWN; });
}

function showNode(stage, board, node) {
  if (node === null || node === undefined || stage.nodes[node]) return;
  stage.nodes[node] = SHOWN;
  for (const e of indexOf(board).into.get(node) || []) {       // an edge that no card made (an escape) appears with its end
    if (board.edges[e].card === null && stage.nodes[board.edges[e].from]) stage.edges[e] = EDGE.SHOWN;
  }
}

const ACTS = {
  record(stage, frame, board, index) {
    const card = board.cards[frame.card];
    stage.cards[frame.card] = CARD.RECORDED;
    card.inputs.forEach((node, i) => {
      showNode(stage, board, node);
      const e = index.edgeOf.get(frame.card + ":" + i);
      if (e !== undefined) stage.edges[e] = EDGE.SHOWN;
    });
    for (const node of card.outputs) showNode(stage, board, node);
    stage.recordHead.set(card.tape, frame.card);
  },
  skip(stage, frame, board) {
    stage.notes.push(frame.note);
    for (const node of board.notes[frame.note].nodes || []) showNode(stage, board, node);
    showNode(stage, board, frame.node);
  },
  note(stage, frame, board) {
    stage.notes.push(frame.note);
    for (const node of board.notes[frame.note].nodes || []) showNode(stage, board, node);
  },
  seed(stage, frame, board) {
    if (frame.pass !== stage.pass || stage.visited) beginPlay(stage, board, frame.pass);
    showNode(stage, board, frame.node);
    stage.adjoint[frame.node] = frame.value;
  },
  visit(stage, frame) {
    stage.cards[frame.card] = CARD.PLAYED;
    stage.playHead = frame.card;
    stage.visited += 1;
  },
  part(stage, frame, board, index) {
    if (!stage.parts.has(frame.node)) stage.parts.set(frame.node, []);
    stage.parts.get(frame.node).push({ card: frame.card, input: frame.input, value: frame.value, local: frame.local ?? -1 });
    const e = index.edgeOf.get(frame.card + ":" + frame.input);
    if (e !== undefined) stage.edges[e] = EDGE.CARRIED;
  },
  sum(stage, frame) {
    stage.adjoint[frame.node] = frame.value;
    stage.parts.delete(frame.node);
  },
  cut(stage, frame, board, index) {
    stage.cuts.push(frame);
    const e = cutEdge(frame, board, index);
    if (e >= 0) stage.edges[e] = EDGE.CUT;
  },
  result(stage, frame, board) {
    showNode(stage, board, frame.node);
    stage.results.push(frame);
  },
  release(stage, frame, board, index) {
    stage.released.add(frame.tape);
    for (const c of index.cardsOfTape[frame.tape]) if (stage.cards[c]) stage.cards[c] = CARD.RELEASED;
  },
  row(stage, frame) {
    stage.rows.push(frame);
  },
  chapter(stage, frame) {
    stage.chapter = frame.chapter;
  },
};

/** The edge that a cut stands on: the card's own, or, where no card was made, the one that leaves or enters the node. */
export function cutEdge(frame, board, index = indexOf(board)) {
  if (frame.edge !== null && frame.edge !== undefined) return frame.edge;
  if (frame.card !== null && frame.card !== undefined) {
    const e = index.edgeOf.get(frame.card + ":" + frame.input);
    if (e !== undefined) return e;
  }
  const broken = (index.into.get(frame.node) || []).find((e) => board.edges[e].flow !== "open");
  return broken === undefined ? -1 : broken;
}

/** The stage after the acts frames[0] .. frames[k-1]. */
export function stateAt(board, k) {
  const index = indexOf(board), stage = emptyStage(board);
  const last = Math.max(0, Math.min(k, board.frames.length));
  for (let f = 0; f < last; f++) {
    const act = ACTS[board.frames[f].act];
    if (act) act(stage, board.frames[f], board, index);        // an act of a later version is passed over, not an error
  }
  stage.k = last;
  stage.frame = last ? board.frames[last - 1] : null;
  stage.phase = last === 0 ? "start" : last === board.frames.length ? "done" : phaseAt(board, last);
  if (stage.frame) stage.current = currentOf(stage.frame, board, index);
  return stage;
}

const BESIDE = ["note", "skip"];                               // what happens in either phase

/** Is the tape recording or played back? In a training loop both come again and again; a note changes nothing. */
function phaseAt(board, k) {
  let f = k - 1;
  while (f > 0 && BESIDE.includes(board.frames[f].act)) f -= 1;
  return ["record", "chapter", ...BESIDE].includes(board.frames[f].act) ? "record" : "play";
}

function currentOf(frame, board, index) {
  const current = { card: -1, node: -1, edge: -1, note: -1, where: null, value: frame.value ?? -1, local: frame.local ?? -1 };
  if (frame.card !== null && frame.card !== undefined) {
    const card = board.cards[frame.card];
    current.card = frame.card;
    current.where = card.where;
    if (frame.act === "record") { current.node = card.outputs[0]; current.value = board.nodes[current.node].value; }
    if (frame.act === "visit") current.node = card.outputs[0];
    if (frame.input !== undefined) current.edge = index.edgeOf.get(frame.card + ":" + frame.input) ?? -1;
  }
  if (frame.act === "cut") current.edge = cutEdge(frame, board, index);
  if (frame.node !== null && frame.node !== undefined) {
    current.node = frame.node;
    if (!current.where) current.where = board.nodes[frame.node].where;
  }
  if (frame.note !== null && frame.note !== undefined && board.notes[frame.note]) {
    current.note = frame.note;
    current.where = board.notes[frame.note].where || current.where;
  }
  return current;
}

/** All that is known about the adjoint of a node: {value, complete, parts}; value -1 where nothing has arrived. */
export function adjointOf(stage, node) {
  const parts = stage.parts.get(node) || [];
  if (stage.adjoint[node] >= 0) return { value: stage.adjoint[node], complete: true, parts };
  if (parts.length === 1) return { value: parts[0].value, complete: true, parts };
  return { value: -1, complete: false, parts };
}
