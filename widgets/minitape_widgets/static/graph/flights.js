// @ts-check
// The motion of arrays: each number flies from its cell to the cells that it becomes, stretched numbers lie down beside
// their rows, what is added comes beside a total, which then counts up, and of a product of matrices one sees the row
// and the column that meet in each cell; on the way back one factor turns before.

import { draw } from "../elements/dom.js";
import { LETTER, ROW, cellText, gridOf, transposed } from "../storyboard/grid.js";
import { given } from "../storyboard/lookup.js";
import { adjointOf } from "../storyboard/state.js";
import { CELL_DIGITS, fitted } from "../storyboard/values.js";
import { badgeAt, slotOf } from "./badges.js";
import { pillGrid, pillScale } from "./grids.js";
import { SIGNS } from "./numbers.js";
import { shownPlace } from "./picture.js";
import { ROOM } from "./scale.js";

/** @import { Index, PartFrame, Summary } from "storyboard" */
/** @import { Point, Times } from "../elements/motion.js" */
/** @import { Origin, Origins, Surprise } from "../replay/origins.js" */
/** @import { Grid } from "../storyboard/grid.js" */
/** @import { Scene } from "./moves.js" */
/**
 * @typedef {{ x: number, y: number, size: number, grid: Grid, dtype: string, turned?: boolean }} Spot where a grid
 *   stands; `turned`: that of the transpose
 */
/** @typedef {{ spot: Spot, texts: Element[], told?: boolean }} Goal a grid, `told` in the callout, and its numbers */
/** @typedef {[begin: number, end: number, until: number]} Three */

const FIRST = 340; // milliseconds that a row and a column need until one has seen how they meet
const LATE = 400; // the same on the way back, where a factor turns before
const TURNED = 150; // until a factor is transposed
const WAITS = 100; // until a number leaves that will meet it
const FOLLOWED = 150; // in a shorter time nothing is seen to fly
const FLIES = 0.6; // of the time until a total counts up; then what is added stands beside it
// until probabilities stand, the one-hot has come and is taken, adjoints have come and are multiplied
const [LAID, LESS, TAKEN, TIMES, MADE] = [150, 230, 330, 420, 490];
const HIGH = 2.5; // times its height: what is wider has what is added to it below
const SIGN = 5; // a pill's numbers stand so far right of its middle, for its sign

/** @type {(scene: Scene, node: Index) => Spot | null} where the numbers of a node's value stand */
function valueSpot({ view, picture }, node) {
  const box = shownPlace(picture, node);
  const summary = view.board.values[view.board.nodes[node].value ?? -1];
  const grid = gridOf(summary);
  return box?.numbers && grid ? { ...box.numbers, grid, dtype: summary.dtype } : null;
}

/** @type {(scene: Scene, node: Index, summary: Summary, i: number) => Spot | null} where its adjoint or part stands */
function pillSpot({ view, picture }, node, summary, i) {
  const slot = slotOf(view.board, picture, node, i, view.grow);
  const grid = pillGrid(summary, slot?.box);
  if (!slot || !grid) return null;
  const size = pillScale(grid, slot.box, slot.size);
  return { x: slot.x + SIGN * size, y: slot.y, size, grid, dtype: summary.dtype };
}

/** @type {(spot: Spot, cell: number) => Point} the middle of a cell */
function cellAt({ x, y, size, grid, turned }, cell) {
  const columns = turned ? grid.rows.length : grid.rows[0].length;
  const place = [cell % columns, Math.floor(cell / columns)];
  const [c, r] = turned ? place.reverse() : place;
  return { x: x + size * ((c + 0.5) * grid.w - grid.width / 2), y: y + size * ((r + 0.5) * ROW - grid.height / 2) };
}

/**
 * The output of a card is made of its inputs' numbers; returns where, null where nothing is to be seen of it.
 * @type {(scene: Scene, node: Index, origins: Origins, until: number) => Goal | null}
 */
export function flyForwards(scene, node, origins, until) {
  const spot = valueSpot(scene, node) ?? scalarSpot(scene, node);
  const box = shownPlace(scene.picture, node);
  if (!box) return null;
  const texts = numbersIn(box.content);
  const own = spot && { spot, texts: texts.length ? texts : [...box.content.querySelectorAll(".node-value")] };
  return fly(scene, own, origins, until);
}

/**
 * A part is made of an adjoint's numbers; returns where, null where nothing is to be seen of it.
 * @type {(scene: Scene, node: Index, value: Index, i: number, origins: Origins, until: number) => Goal | null}
 */
export function flyBackwards(scene, node, value, i, origins, until) {
  const spot = pillSpot(scene, node, scene.view.board.values[value], i);
  const own = spot && { spot, texts: numbersIn(badgeAt(scene.picture, node)?.lastElementChild) };
  return fly(scene, own, origins, until);
}

/**
 * Logits become probabilities where their part will stand, the one-hot is taken away from them, and each row is counted
 * as often as the adjoint says; false where nothing is to be seen of it.
 * @type {(scene: Scene, frame: PartFrame, i: number, surprise: Surprise, until: number) => boolean}
 */
export function flySurprise(scene, { card, node, value }, i, surprise, until) {
  const { board, grow } = scene.view;
  const summary = board.values[value];
  const grid = gridOf(summary);
  const slot = slotOf(board, scene.picture, node, i, grow);
  const own = pillSpot(scene, node, summary, i);
  const to = own ?? (slot && grid && { ...slot, grid, dtype: summary.dtype });
  if (!to) return false;
  if (!own) lens(scene, to, until); // where only tiles have room, numbers are seen while they are made
  const logits = valueSpot(scene, node);
  const labels = valueSpot(scene, surprise.labels);
  const source = shownPlace(scene.picture, surprise.labels) ?? null;
  const losses = spotOf(scene, { node: board.cards[card].outputs[0], adjoint: true });
  const aside = besideOf(scene, to);
  const room = Math.max(7, Math.round(to.grid.w / LETTER)); // letters
  surprise.probabilities.forEach((p, d) => {
    const place = cellAt(to, d);
    /** @type {(text: string, kind: string, way: (Point | null | undefined)[], ...times: Times) => void} */
    const come = (text, kind, way, ...times) => carried(scene, to, text, kind, way.filter(given), times);
    const [less, factor] = [surprise.taken[d], surprise.adjoint[surprise.row[d]]];
    const [has, takes, rest] = [p, -less, p - less].map((x) => textOf(x, to));
    come(has, "local", [logits && cellAt(logits, d), place], 0, LAID);
    come(has, "local", [place], LAID, less ? LESS : MADE);
    if (less) {
      const right = { ...place, x: place.x + (to.size * LETTER * (has.length + takes.length)) / 2 };
      come(takes, "value", [labels ? cellAt(labels, surprise.label[d]) : source, right], LAID, LESS);
      const one = takes.replace(/\.$/, "");
      come(fitted(has, room - one.length) + one, "local", [place], LESS, TAKEN);
      come(rest, "local", [place], TAKEN, MADE);
    }
    const from = losses && cellAt(losses, surprise.row[d]);
    if (factor !== 1) come("×" + textOf(factor, to), "part", [from, added(place, aside)], TAKEN, TIMES, MADE);
    come(textOf(factor * (p - less), to), "part", [place], MADE, until);
  });
  return true;
}

/** @type {(root: Element | null | undefined) => Element[]} */
const numbersIn = (root) => [...(root?.querySelectorAll(".grid-number") ?? [])];

/**
 * The grids of the callout: what has no room in boxes is seen there.
 * @type {(scene: Scene, origins: Origin[]) => Goal[]}
 */
function toldIn({ view, picture }, [{ node }]) {
  const { bubble } = picture;
  const { dtype } = view.board.values[view.board.nodes[node].value ?? -1];
  const drawn = bubble ? [...bubble.group.querySelectorAll(".grid")] : [];
  return (bubble?.said ?? []).flatMap(({ grid, turned }, i) => {
    if (!grid || !bubble) return [];
    const place = { x: bubble.middles[i] - ROOM.side, y: bubble.y - ROOM.top, size: bubble.size };
    return [{ spot: { ...place, grid, turned, dtype }, texts: numbersIn(drawn.shift()), told: true }];
  });
}

/**
 * Moves numbers to their `own` place, in a box or a pill, or else to the callout; returns where to.
 * @type {(scene: Scene, own: Goal | null, origins: Origins, until: number) => Goal | null}
 */
function fly(scene, own, { origins, meet }, until) {
  const told = toldIn(scene, origins);
  const boxed = origins.map((origin) => spotOf(scene, origin));
  const seen = boxed.every(given);
  const whole = told.length > origins.length; // an equation
  const goal = own && seen ? own : seen || whole ? told[told.length - 1] : null;
  if (!goal) return null;
  const apart = goal.told && whole;
  const back = meet && origins.some(({ adjoint }) => adjoint);
  const from = origins.map((origin, i) => {
    const spot = /** @type {Spot} */ (apart ? told[i].spot : boxed[i]);
    const turns = back && !origin.adjoint && !apart;
    return { origin, spot: turns ? { ...spot, grid: transposed(spot.grid), turned: true } : spot };
  });
  if (meet) {
    const other = origins.findIndex(({ adjoint }) => !adjoint);
    if (back) turn(scene, from[other], apart ? told[other] : null, until);
    meetIn(scene, goal, from, until, back, back && !apart);
  } else {
    from.sort((a, b) => copiesOf(a.origin) - copiesOf(b.origin)); // what is stretched lies down on what is there
    const { op } = scene.view.board.cards[scene.stage.current.card];
    from.forEach(({ origin, spot }, i) => {
      const times = [(i * until) / from.length, ((i + 1) * until) / from.length, until];
      moveTo(scene, goal, origin, spot, /** @type {Three} */ (times), i && "+×".includes(SIGNS[op]) ? SIGNS[op] : "");
    });
    for (const text of goal.texts) scene.motion.replace(text, until);
  }
  return goal;
}

/** @type {(scene: Scene, origin: { node: Index, adjoint: boolean }) => Spot | null} */
function spotOf(scene, { node, adjoint }) {
  if (!adjoint) return valueSpot(scene, node) ?? scalarSpot(scene, node);
  const value = adjointOf(scene.stage, node).value;
  const summary = scene.view.board.values[value];
  if (!given(summary)) return null;
  return pillSpot(scene, node, summary, 0) ?? scalarPill(scene, node, summary);
}

/** @type {(text: string) => Grid} a single number as a grid */
const single = (text) => ({ rows: [[text]], w: 0, width: 0, height: ROW });

/** @type {(scene: Scene, node: Index) => Spot | null} the number of a scalar */
function scalarSpot({ view, picture }, node) {
  const box = shownPlace(picture, node);
  const summary = view.board.values[view.board.nodes[node].value ?? -1];
  if (!box || !summary || summary.shape.length) return null;
  return { x: box.x, y: box.y + ROW / 2, size: 1, grid: single(summary.text), dtype: summary.dtype };
}

/** @type {(scene: Scene, node: Index, summary: Summary) => Spot | null} */
function scalarPill({ view, picture }, node, summary) {
  const slot = summary.shape.length ? null : slotOf(view.board, picture, node, 0, view.grow);
  return slot && { ...slot, grid: single(summary.text), dtype: summary.dtype };
}

/** @type {(origin: Origin) => number} how many cells one of its numbers becomes, at most */
const copiesOf = ({ cells, numbers }) =>
  Math.max(...numbers.map((_, k) => cells.filter((list) => list.includes(k)).length));

/** @type {(a: Point, b: Point) => Point} */
const added = (a, b) => ({ x: a.x + b.x, y: a.y + b.y });

/**
 * From a grid to the place beside it, where what is added to it can be read with it: to the right of what is high, if
 * that is in the picture, else below or above.
 * @type {(scene: Scene, spot: Spot) => Point}
 */
function besideOf({ picture }, { x, y, size, grid }) {
  const [w, h] = [size * (grid.width + LETTER), size * grid.height];
  if (w < HIGH * h && grid.rows.length > 1 && x + 1.5 * w < picture.width - ROOM.side) return { x: w, y: 0 };
  return { x: 0, y: y + 1.5 * h < picture.height - ROOM.top ? h : -h };
}

/**
 * Numbers fly to the cells that they become, and stay there until all have come. Where several come to one, each waits
 * for the one before, and the cell counts up; what is gathered flies id by id. `sign`: what happens to what is there.
 * @type {(scene: Scene, goal: Goal, origin: Origin, spot: Spot, times: Three, sign: string) => void}
 */
function moveTo(scene, { spot: to }, origin, spot, [begin, all, until], sign) {
  const { adjoint, cells, numbers, shares = 1, mean, ids } = origin;
  const aside = besideOf(scene, to);
  const shown = to.grid.rows.flat().map(Number);
  const comes = cells.map((list) => list.map((cell) => numbers[cell]));
  /** @type {(terms: number[], d: number) => boolean} whether they make what is shown */
  const makes = (terms, d) => isSame(sumOf(terms) / (mean ? terms.length : 1), shown[d]);
  const whole = numbers.every(isWhole) || comes.every(makes);
  const exact = mean && !whole && !to.grid.w; // a single number is written with more digits than those that made it
  const end = mean ? 0.7 * all : all; // until it is divided
  const kind = adjoint ? "part" : "value";
  /** @type {(d: number, r: number) => number} */
  const roundOf = (d, r) => (ids ? ids.of[adjoint ? cells[d][r] : d] : r);
  const rounds = cells.map((list, d) => list.map((_, r) => roundOf(d, r)));
  const flight = (end - begin) / (Math.max(0, ...rounds.flat()) + 1);
  if (ids) lightRows(scene, to, origin, spot, rounds, [begin, flight]);
  cells.forEach((list, d) => {
    const place = cellAt(to, d);
    list.forEach((cell, r) => {
      const off = begin + rounds[d][r] * flight;
      const there = off + flight;
      const text = textOf(numbers[cell] * shares, spot) + (shares > 1 ? "/" + shares : "");
      const plus = numbers[cell] < 0 ? "" : "+"; // it takes no other's place
      const more = r ? plus : sign === "+" ? plus : sign;
      const beside = r > 0 || sign !== "";
      const lands = beside ? added(place, aside) : place;
      const arrives = beside ? off + FLIES * flight : there;
      carried(scene, to, more + text, kind, [cellAt(spot, cell), lands], [off, arrives, there]);
      const last = r + 1 === list.length;
      const stays = last ? until : begin + (rounds[d][r + 1] + 1) * flight;
      const sum = r ? made(comes[d].slice(0, r + 1), whole ? [] : numbers) : numbers[cell];
      const total = textOf(last && exact ? shown[d] * list.length : sum, spot);
      if (there < stays) carried(scene, to, total, kind, [place], [there, stays]);
      if (mean && last)
        carried(scene, to, "/" + list.length, kind, [added(place, aside)], [(there + until) / 2, until]);
    });
  });
}

/**
 * What is gathered: each row of the table, its id, and where it comes to or comes from.
 * @type {(scene: Scene, to: Spot, origin: Origin, spot: Spot, rounds: number[][], times: [number, number]) => void}
 */
function lightRows(scene, to, { adjoint, cells, ids }, spot, rounds, [begin, flight]) {
  const own = ids && valueSpot(scene, ids.node);
  for (let round = 0; round <= Math.max(...rounds.flat()); round++) {
    /** @type {[number, number]} */
    const times = [begin + round * flight, begin + (round + 1) * flight];
    const frame = adjoint ? "lit" : "lit of-values";
    const goals = rounds.flatMap((list, d) => (list.includes(round) ? [d] : []));
    if (!goals.length) continue; // an id that finds nothing
    const from = goals.map((d) => cells[d][rounds[d].indexOf(round)]).sort((a, b) => a - b);
    lit(scene, spot, from, times, frame);
    lit(scene, to, goals, times, frame);
    if (own) lit(scene, own, [round], times, "lit of-values");
  }
}

/** @type {(x: number) => boolean} whether none of its digits was left out */
const isWhole = (x) => Number.isInteger(x) || Number(x.toPrecision(CELL_DIGITS - 1)) === x;

/** @type {(terms: number[]) => number} */
const sumOf = (terms) => terms.reduce((all, x) => all + x, 0);

/** Whether two numbers are written the same way in cells. @type {(x: number, y: number) => boolean} */
const isSame = (x, y) => x.toPrecision(CELL_DIGITS) === y.toPrecision(CELL_DIGITS);

/**
 * What some terms make, of numbers of an array: where digits of those were left out, one digit less than they have.
 * @type {(terms: number[], from: number[]) => number}
 */
function made(terms, from) {
  const sum = sumOf(terms);
  const unit = 10 ** (Math.floor(Math.log10(Math.max(...[sum, ...terms].map(Math.abs)))) - CELL_DIGITS + 2);
  return unit && Number.isFinite(unit) && !from.every(isWhole) ? Math.round(sum / unit) * unit : sum;
}

/** @type {(x: number, spot: Spot) => string} */
const textOf = (x, { dtype }) => cellText(x, dtype);

/** @type {(scene: Scene, spot: Spot, text: string, kind: string, way: Point[], times: Times) => void} */
function carried({ picture, motion }, { size, grid }, text, kind, way, times) {
  const width = Math.max(grid.w - 3, LETTER * text.length + 4); // where it lands no digit is left beside it
  const number = draw(
    "g",
    { class: "flying pill-" + kind, transform: `scale(${size})` },
    draw("rect", { x: -width / 2, y: -ROW / 2, width, height: ROW, rx: 3 }),
    draw("text", { class: "grid-number", y: 5, "text-anchor": "middle", text }),
  );
  const ghost = draw("g", { class: "traveller", "aria-hidden": "true" }, number);
  picture.layers.moving.append(ghost);
  motion.travel(ghost, way, times, "ease-in-out");
}

/**
 * A factor turns about its diagonal, each number on a bow around that which takes its place, and stays so.
 * @type {(scene: Scene, factor: { origin: Origin, spot: Spot }, goal: Goal | null, until: number) => void}
 */
function turn(scene, { origin, spot }, told, until) {
  const { grid, x, y, size } = spot;
  const before = { ...spot, grid: transposed(grid), turned: false };
  const ends = told ? TURNED : until;
  const side = Math.max(grid.rows.length, grid.rows[0].length);
  const square = { ...grid, rows: Array(side).fill(Array(side).fill("")), width: side * grid.w, height: side * ROW };
  lens(scene, { ...before, grid: square }, ends);
  origin.numbers.forEach((number, d) => {
    const [from, to] = [cellAt(before, d), cellAt(spot, d)];
    const bow = { x: (from.x + to.x - from.y + to.y) / 2, y: (from.y + to.y + from.x - to.x) / 2 };
    carried(scene, spot, textOf(number, spot), "value", [from, bow, to], [0, TURNED, ends]);
  });
  for (const text of told?.texts ?? []) scene.motion.replace(text, TURNED);
  const { label } = scene.view.board.nodes[origin.node];
  const name = { x, y: y - (size * (side + 1) * ROW) / 2 };
  if (!told) carried(scene, { ...spot, grid: single("") }, (label ?? "") + "ᵀ", "value", [name], [TURNED, until]);
}

/**
 * Pair by pair, a row's numbers fly onto those of a column, and their products fall into the cell, which counts up.
 * On the way back one factor has turned, and where it `spreads` a number of the adjoint meets a row or a column of it:
 * so it comes transposed. One round of this is slow enough to be followed; the others light up.
 * @type {(scene: Scene, goal: Goal, from: { origin: Origin, spot: Spot }[], until: number, back: boolean,
 *   spreads: boolean) => void}
 */
function meetIn(scene, { spot: to, texts }, from, until, back, spreads) {
  const [a, b] = spreads && from[1].origin.adjoint ? from.toReversed() : from;
  const [kind, frame] = from.some(({ origin }) => origin.adjoint) ? ["part", "lit"] : ["value", "lit of-values"];
  const pairs = a.origin.cells.flatMap((list, d) => list.map((cell, k) => ({ d, cell, on: b.origin.cells[d][k] })));
  const count = spreads ? a.origin.numbers.length : texts.length;
  const first = count > 1 ? Math.max(back ? LATE : FIRST, until / count) : until;
  const share = (until - first) / Math.max(1, count - 1);
  const sums = texts.map(() => ({ terms: /** @type {number[]} */ ([]), text: "", since: -1 }));
  const factors = [...a.origin.numbers, ...b.origin.numbers];
  const under = { x: 0, y: ROW * to.size }; // where the next number will stand
  for (let round = 0; round < count; round++) {
    const begin = round ? first + (round - 1) * share : back ? WAITS : 0;
    const end = round ? begin + share : first;
    const met = pairs.filter(({ d, cell }) => (spreads ? cell : d) === round);
    /** @type {(spot: Spot, cells: number[]) => void} */
    const light = (spot, cells) => lit(scene, spot, cells, [begin, end], frame);
    light(
      a.spot,
      met.map(({ cell }) => cell),
    );
    light(
      b.spot,
      met.map(({ on }) => on),
    );
    light(
      to,
      met.map(({ d }) => d),
    );
    const followed = end - begin >= FOLLOWED;
    const slot = (end - begin) / (met.length + 1); // a pair meets while the product before falls
    met.forEach(({ d, cell, on }, k) => {
      const [x, y] = [a.origin.numbers[cell], b.origin.numbers[on]];
      const same = [x, y].some((n) => Math.abs(n) === 1); // a product with 1 has the digits of the other
      const product = same ? x * y : made([x * y], factors);
      const { terms, text, since } = sums[d];
      const [own, place, goal] = [cellAt(a.spot, cell), cellAt(b.spot, on), cellAt(to, d)];
      const [off, meets, there] = [0, 1, 2].map((n) => begin + (followed ? (k + n) * slot : share / 2));
      const more = since >= 0 && product >= 0 ? "+" : ""; // as above
      if (followed)
        carried(scene, to, "×" + textOf(x, a.spot), a.origin.adjoint ? "part" : "value", [own, place], [off, meets]);
      const lands = since < 0 ? goal : added(goal, under);
      const arrives = since < 0 ? there : meets + FLIES * slot;
      if (followed) carried(scene, to, more + textOf(product, to), kind, [place, lands], [meets, arrives, there]);
      if (since >= 0) carried(scene, to, text, kind, [goal], [since, there]);
      const all = [...terms, x * y];
      sums[d] = { terms: all, text: textOf(terms.length ? made(all, factors) : product, to), since: there };
    });
  }
  texts.forEach((text, d) => scene.motion.replace(text, sums[d].since));
}

/** @type {(scene: Scene, spot: Spot, until: number) => void} what lies under numbers that stand on something else */
const lens = (scene, spot, until) => lit(scene, spot, [0, spot.grid.rows.flat().length - 1], [0, until], "lens");

/**
 * A frame around some cells.
 * @type {(scene: Scene, spot: Spot, cells: number[], times: [number, number], kind?: string) => void}
 */
function lit({ picture, motion }, spot, cells, times, kind = "lit") {
  const ends = [cells[0], cells[cells.length - 1]].map((cell) => cellAt(spot, cell));
  const [w, h] = [Math.max(14, spot.grid.w) * spot.size, ROW * spot.size];
  const frame = draw("rect", {
    class: kind,
    x: ends[0].x - w / 2,
    y: ends[0].y - h / 2,
    width: ends[1].x - ends[0].x + w,
    height: ends[1].y - ends[0].y + h,
    rx: 3,
  });
  const ghost = draw("g", { class: "traveller", "aria-hidden": "true" }, frame);
  picture.layers.moving.append(ghost);
  motion.travel(ghost, [{ x: 0, y: 0 }], times);
}
