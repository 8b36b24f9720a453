// @ts-check
// Which drawings a storyboard has, without a page: rounds of a loop lie on one another and share their places, and a
// loop that is opened, or that has the room, shows the round that is played now.

import { given, indexOf } from "../storyboard/lookup.js";
import { CARD } from "../storyboard/state.js";
import { closer, roomy } from "./geometry.js";
import { gridAt, pillHigh } from "./grids.js";
import { bestOf, framed, scaleOf } from "./scale.js";

/** @import { Drawing, GroupBox, Index, Storyboard } from "storyboard" */
/** @import { Options, Stage } from "player" */
/** @import { Size } from "./scale.js" */
/** @typedef {ReturnType<typeof drawingsOf>} Drawings */

export const HEAD = 30; // pixels of a stack's box above its round

/**
 * A drawing with all its places: one that is like another has them from there.
 * @type {(board: Storyboard, d: number) => Drawing}
 */
export function whole(board, d) {
  const row = board.drawings[d];
  if (row.like === undefined) return row;
  const model = /** @type {Drawing} */ (board.drawings[row.like]);
  const nodes = model.nodes.map((box, i) =>
    box.node === undefined ? { ...box, group: row.nodes[i] } : { ...box, node: row.nodes[i] },
  );
  const edges = model.edges.map((line, i) => ({ ...line, edge: row.edges[i] }));
  return { ...model, group: row.group, nodes, edges };
}

/**
 * A drawing in the rooms that it was made for, its own last.
 * @type {(row: Drawing) => Drawing[]}
 */
const inRooms = (row) => [
  ...(row.others ?? []).map(({ width, height, boxes, lines }) => ({
    ...row,
    width,
    height,
    nodes: row.nodes.map((box, i) => ({ ...box, x: boxes[i][0], y: boxes[i][1], w: boxes[i][2], h: boxes[i][3] })),
    edges: row.edges.map((line, i) => ({ ...line, points: lines[i] })),
  })),
  row,
];

/**
 * A drawing with another in one of its boxes.
 * @type {(outer: Drawing, box: GroupBox, inner: Drawing) => Drawing}
 */
export function filled(outer, box, inner) {
  const x = box.x - inner.width / 2;
  const y = box.y + HEAD / 2 - inner.height / 2;
  const nodes = inner.nodes.map((one) => ({ ...one, x: one.x + x, y: one.y + y }));
  /** @type {(points: import("storyboard").Point[]) => import("storyboard").Point[]} */
  const moved = (points) => points.map(([a, b]) => [a + x, b + y]);
  const edges = inner.edges.map((line) => ({ ...line, points: moved(line.points) }));
  return { ...outer, nodes: [...outer.nodes, ...nodes], edges: [...outer.edges, ...edges] };
}

/**
 * @param {Storyboard} board
 * @param {Options} options
 */
export function drawingsOf(board, options) {
  const { groups, chapters } = board;
  /** @type {Map<Index | null, number>} group -> its drawing; null: the whole */
  const byGroup = new Map(board.drawings.map((drawing, d) => [drawing.group, d]));
  /** @type {Map<Index | null, Index[]>} loop -> its rounds; null: the steps of a training */
  const rounds = new Map();
  groups.forEach(({ parent }, g) => {
    if (!given(parent) || groups[parent].kind !== "loop") return;
    const known = rounds.get(parent);
    if (known) known.push(g);
    else rounds.set(parent, [g]);
  });
  if (chapters.length > 1) rounds.set(null, chapters.map((chapter) => chapter.group).filter(given));
  /** @type {Map<number, Drawing[]>} */
  const drawn = new Map();
  let taken = 0;
  /** In large type, and in a pair, columns stand closer together. @type {(row: Drawing) => Drawing} */
  const spaced = (row) =>
    roomy(options.large || options.bare ? closer(row) : row, indexOf(board).fans, (box) => pillHigh(board, box));
  /** @type {(d: number, i?: number) => Drawing} */
  function drawing(d, i = taken) {
    const rows = drawn.get(d) || inRooms(whole(board, d)).map(spaced);
    drawn.set(d, rows);
    return rows[Math.min(i, rows.length - 1)];
  }
  const training = new Set(chapters.map((chapter) => chapter.group));
  const seen = [...board.drawings.keys()].filter((d) => d === 0 || training.has(board.drawings[d].group));
  /** How large the pictures are that will be looked at. */
  const sizes = (i = taken) => seen.map((d) => framed(drawing(d, i)));
  const ways = Array.from(
    { length: 1 + Math.max(...seen.map((d) => whole(board, d).others?.length ?? 0)) },
    (_, i) => i,
  );
  /** @type {(box: Drawing["nodes"][number]) => boolean} */
  const isNumbered = (box) => gridAt(board.values[board.nodes[box.node ?? -1]?.value ?? -1], box) !== null;

  /**
   * Takes the drawings that are best in their pane, or in the only one; returns which ones these are.
   * @param {Size[]} panes
   */
  function take(panes) {
    if (ways.length === 1) return 0;
    const found = ways.map((i) => ({
      scale: Math.min(...sizes(i).map((size) => scaleOf(size, panes[i] ?? panes[0], options))),
      numbers: seen.flatMap((d) => drawing(d, i).nodes).filter(isNumbered).length,
    }));
    return (taken = bestOf(found, options));
  }

  /** @type {(g: Index, card: Index) => boolean} */
  const holds = (g, card) => groups[g].cards[0] <= card && card <= groups[g].cards[1];

  /** The rounds that lie on one another with this one; none where it is no round. @type {(g: Index) => Index[]} */
  function stack(g) {
    const { parent, kind } = groups[g];
    const own = given(parent) && groups[parent].kind === "loop" ? rounds.get(parent) : undefined;
    return own || (kind === "step" && rounds.get(null)) || [];
  }

  /**
   * The round of a loop that is played now: of one that is not, the round that something happened in last.
   * @type {(loop: Index, stage: Stage) => Index}
   */
  function topOf(loop, stage) {
    const all = rounds.get(loop) || [];
    const { card } = stage.current;
    const here = card >= 0 && holds(loop, card) ? all.find((g) => holds(g, card)) : undefined;
    if (here !== undefined) return here;
    /** @type {(least: number) => (g: Index) => boolean} */
    const any = (least) => (g) => {
      let [c, last] = groups[g].cards;
      while (c <= last && stage.cards[c] < least) c += 1;
      return c <= last;
    };
    const played = stage.pass >= 0 ? all.find(any(CARD.PLAYED)) : undefined;
    return played ?? all.findLast(any(1)) ?? all[0];
  }

  /**
   * The drawing of a group; of a loop that of its round.
   * @type {(group: Index | null | undefined, stage: Stage | null) => number | undefined}
   */
  function numberOf(group, stage) {
    if (!given(group)) return byGroup.get(null);
    if (groups[group].kind === "loop" && stage) return byGroup.get(topOf(group, stage));
    return byGroup.get(group);
  }

  /** @type {(group: Index) => boolean} */
  const opens = (group) => byGroup.has(group) || rounds.has(group);

  /**
   * Where a card is seen, as near to drawing d as can be: there, in another round of its stack, or around it.
   * @type {(d: number, card: Index) => number}
   */
  function near(d, card) {
    for (let g = board.drawings[d].group; given(g); g = groups[g].parent) {
      const result = byGroup.get(holds(g, card) ? g : (stack(g).find((round) => holds(round, card)) ?? -1));
      if (result !== undefined) return result;
    }
    return 0;
  }

  /**
   * A drawing as it stands at a moment: a stack with room for it has its top round in it. `rounds` says which.
   * @type {(d: number, stage: Stage | null) => { drawing: Drawing, rounds: Index[], way: number }}
   */
  function at(d, stage) {
    const shown = drawing(d);
    const stacks = stage ? shown.nodes.filter((box) => box.node === undefined && box.inside) : [];
    /** @type {Index[]} */
    const tops = [];
    const full = stacks.reduce((outer, box) => {
      const top = topOf(/** @type {GroupBox} */ (box).group, /** @type {Stage} */ (stage));
      tops.push(top);
      return filled(outer, /** @type {GroupBox} */ (box), whole(board, /** @type {number} */ (byGroup.get(top))));
    }, shown);
    return { drawing: full, rounds: tops, way: taken };
  }

  return { ways, sizes, take, at, near, numberOf, opens, stack };
}
