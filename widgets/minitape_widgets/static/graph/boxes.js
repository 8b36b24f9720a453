// @ts-check
// The boxes: a node, or a closed group of them. Drawn once for a drawing, dressed anew where a step changes them.

import { assign, draw, write } from "../elements/dom.js";
import { rewriteGrid } from "../elements/grid.js";
import { rewriteTiles } from "../elements/tiles.js";
import { gripAt, takeHold, takeHoldOfCells } from "../held/grip.js";
import { gridOf } from "../storyboard/grid.js";
import { given } from "../storyboard/lookup.js";
import { groupName, nodeName } from "../storyboard/sentences.js";
import { adjointOf, isPlaying, wasPlayed } from "../storyboard/state.js";
import { identity, isArray, shortValue } from "../storyboard/values.js";
import { knows } from "../storyboard/words.js";
import { HEAD } from "./drawings.js";
import { endsShown } from "./edges.js";
import { outline } from "./geometry.js";
import { gridAt } from "./grids.js";
import { nodeInside, numberInside, widthFor, written } from "./inside.js";

/** @import { Group, GroupBox, Index, Node, NodeBox, Storyboard } from "storyboard" */
/** @import { Options, Selection, Stage } from "player" */
/** @import { Held } from "../held/held.js" */
/** @import { ArraySummary, MaybeSummary } from "../storyboard/values.js" */
/** @import { Words } from "../storyboard/sentences.js" */

/** @typedef {{ board: Storyboard, grow: number, options: Options }} Manner `grow`: how much larger letters are drawn */
/** @typedef {{ element: SVGGElement, shown: boolean, stack: 1 | -1 }} Drawn */
/**
 * @typedef {object} OfNode
 * @property {Index[]} edges  which begin at this place of a leaf
 * @property {string} key
 * @property {SVGGElement} content  its name and its number
 * @property {number} value  the identity of the value that is drawn
 * @property {boolean} blank  whether no array of its shape finds room in it
 * @property {number} grow
 * @property {{ x: number, y: number, size: number }} [numbers]  where those of a small array have their middle
 * @property {boolean} holds  whether its number can be drawn along
 * @property {boolean} can  whether its numbers can be changed
 */
/** @typedef {{ info: Group, bar: SVGElement, count: SVGElement, opens: boolean }} OfGroup */
/** @typedef {NodeBox & Drawn & OfNode & Partial<Record<keyof OfGroup, undefined>>} DrawnNode */
/** @typedef {GroupBox & Drawn & OfGroup & Partial<Record<keyof OfNode, undefined>>} DrawnGroup */
/** @typedef {DrawnNode | DrawnGroup} DrawnBox */
/** @typedef {{ click: () => void, keydown: (event: KeyboardEvent) => void }} Hands what the learner does with a box */

/** @param {Node} node */
const classesOf = (node) => "role-" + node.role + (node.target ? " is-target" : "") + (node.source ? " is-source" : "");

/** @type {(box: NodeBox | GroupBox, classes: string, on: Hands) => import("../elements/dom.js").Attributes} */
const frameOf = ({ x, y }, classes, on) => ({
  class: "node " + classes,
  transform: `translate(${x} ${y})`,
  role: "button",
  tabindex: "-1",
  hidden: true,
  on,
});

/**
 * @param {Manner} manner
 * @param {NodeBox} box
 * @param {Hands} hands
 * @param {Held | null} [held]
 * @returns {DrawnNode}
 */
export function drawNode({ board, grow, options }, box, hands, held = null) {
  const node = board.nodes[box.node];
  const { h } = box;
  const w = widthFor(node, box.w, grow);
  const content = draw("g");
  const told = knows(options, "shapes");
  const role = told ? node.role : "intermediate"; // of which nothing is said
  const element = draw(
    "g",
    frameOf(box, classesOf(node), hands),
    told && node.target ? draw("path", { class: "node-target", d: outline(role, w, h, 4) }) : null,
    draw("path", { class: "node-box role-" + role, d: outline(role, w, h) }),
    content,
  );
  const can = Boolean(held?.can(box.node));
  const holds = can && !board.values[node.value ?? -1]?.shape.length;
  if (held && can) (holds ? takeHold : takeHoldOfCells)(element, held, box.node);
  const now = { shown: false, blank: false, key: "", value: -1 };
  return { ...box, ...now, w, element, stack: 1, edges: [], content, grow, holds, can };
}

/**
 * @param {Storyboard} board
 * @param {GroupBox} box
 * @param {number} grow
 * @param {boolean} opens  whether the group has a drawing of its own
 * @param {Hands} hands
 * @returns {DrawnGroup}
 */
export function drawGroup(board, box, grow, opens, hands) {
  const { w, h, inside } = box;
  const info = board.groups[box.group];
  const letters = Math.floor((w - 12) / (grow > 1 ? 6.1 * grow : 7.4));
  const name = groupName(board, box.group, letters);
  const sheets = info.kind === "loop" ? [8, 4, 0] : [4, 0]; // a stack is seen to be one
  /** @type {(by: number) => SVGRectElement} */
  const sheet = (by) => {
    const place = { x: by - w / 2, y: -h / 2 - by, width: w, height: h, rx: 8 };
    return draw("rect", { class: by ? "node-box under" : "node-box", ...place });
  };
  const size = inside ? Math.min(grow, 2) : grow; // a stack's name stands in one line above its round
  const middle = inside ? HEAD / 2 - h / 2 : 0;
  const low = inside ? { x: w / 2 - 14, y: middle + 3.9 * size, "text-anchor": "end" } : { y: 3 + 9 * size };
  const style = `font-size:${11 * size}px`;
  const hidden = inside ? w < 300 * size : grow > 1.5;
  const count = draw("text", { class: "node-op", "text-anchor": "middle", ...low, style, hidden });
  const high = inside ? { x: 14 - w / 2, y: middle + 4.5 * size, "text-anchor": "start" } : { y: hidden ? 5 : -5 };
  const room = inside ? w - 28 - (hidden ? 0 : 80 * size) : w - 12;
  const title = written(name, 13, room, size, { class: "node-name", ...high });
  const bar = draw("rect", {
    class: "group-done",
    x: -w / 2 + 10,
    y: h / 2 - (inside ? 6 : 9),
    width: 0,
    height: 3,
    rx: 1.5,
  });
  const element = draw(
    "g",
    frameOf(box, "group-box", hands),
    sheets.map(sheet),
    title,
    count,
    bar,
    draw("title", { text: info.label }),
  );
  return { ...box, element, shown: false, stack: 1, info, bar, count, opens };
}

/**
 * @param {DrawnBox} drawn
 * @param {Storyboard} board
 * @param {Words} words
 * @param {Stage} stage
 * @param {Selection} selection
 * @param {boolean} hurries  whether its numbers change with every frame: what a screen reader says of them waits
 */
export function dressBox(drawn, board, words, stage, selection, hurries) {
  if (drawn.info) dressGroup(drawn, board, words, stage);
  else dressNode(drawn, board, words, stage, selection, hurries);
}

/** @type {(drawn: DrawnGroup, board: Storyboard, words: Words, stage: Stage) => void} */
function dressGroup(drawn, board, words, stage) {
  const [first, last] = drawn.info.cards;
  const cards = stage.cards.subarray(first, last + 1);
  const recorded = cards.filter(Boolean).length;
  const played = cards.filter((_, k) => wasPlayed(stage, board, first + k)).length;
  const playing = played > 0 || isPlaying(stage);
  const here = first <= stage.current.card && stage.current.card <= last;
  drawn.shown = recorded > 0;
  write(drawn.count, words.say("ui.cards", { count: recorded }));
  const done = playing ? played : recorded;
  assign(drawn.bar, "width", ((drawn.w - 20) * done) / (last - first + 1));
  const state = (here ? " here" : "") + (playing ? " playing" : "");
  const name = words.say("ui.group", { label: drawn.info.label, count: recorded });
  show(drawn, "group-box" + state + (drawn.opens ? " opens" : "") + (drawn.inside ? " is-stack" : ""));
  assign(drawn.element, "aria-label", name);
}

/**
 * @type {(drawn: DrawnNode, board: Storyboard, words: Words, stage: Stage, selection: Selection,
 *   hurries: boolean) => void}
 */
function dressNode(drawn, board, words, stage, selection, hurries) {
  const node = board.nodes[drawn.node];
  const begun = drawn.edges.some((e) => stage.edges[e] || endsShown(board, stage, e));
  drawn.shown = Boolean(stage.nodes[drawn.node]) && (!drawn.edges.length || begun);
  const here = stage.current.node === drawn.node && stage.frame !== null && stage.frame.act !== "cut";
  const chosen = selection !== null && selection.node === drawn.node;
  const playing = isPlaying(stage);
  const adjoint = adjointOf(stage, drawn.node).value;
  const now = identity(board.values[node.value ?? -1]);
  if (drawn.value !== now) drawContent(drawn, board, words);
  drawn.value = now;
  const key = [drawn.shown, here, playing, chosen, identity(board.values[adjoint]), now, hurries].join();
  if (drawn.key === key) return; // of a thousand nodes, a step changes a few
  drawn.key = key;
  const state = (here ? " here" : "") + (playing ? " playing" : "") + (chosen ? " chosen" : "");
  const odd = isOdd(board.values[node.value ?? -1]) ? " is-odd" : "";
  show(drawn, classesOf(node) + (drawn.holds ? " holds" : drawn.can ? " holds-cells" : "") + odd + state);
  if (hurries) return;
  const value = given(node.value) ? shortValue(board.values[node.value], 30) : "";
  const role = words.say("ui.role." + node.role);
  const name = words.say("ui.node", { role, node: nodeName(board, drawn.node), value });
  const known = adjoint >= 0 ? ", " + words.say("ui.adjoint") + " " + shortValue(board.values[adjoint], 30) : "";
  const hint = drawn.holds ? ". " + words.say("ui.held.key") : "";
  assign(drawn.element, "aria-label", name + known + hint);
}

const ODD = ["nan", "inf", "-inf"];

/** @type {(summary: MaybeSummary) => boolean} whether some of it is not finite */
const isOdd = (summary) =>
  Boolean(summary && (summary.nan || summary.inf || (!summary.shape?.length && ODD.includes(summary.text))));

/** Another number of as many letters stands where the first did. */
/** @type {(drawn: DrawnNode, board: Storyboard, words: Words) => void} */
function drawContent(drawn, board, words) {
  const { element, content, node, w, h, grow, holds } = drawn;
  if (drawn.blank) return;
  const summary = board.values[board.nodes[node].value ?? -1];
  const text = summary && !isArray(summary) ? numberInside(summary, w, grow) : "";
  const before = content.querySelector("text.node-value");
  if (text && before && before.parentNode === content && text.length === before.textContent?.length)
    return write(before, text);
  if (isArray(summary) && rewritten(content, summary, drawn)) return;
  const { lines, numbers } = nodeInside(board, node, w, h, grow);
  const [name, value] = lines;
  drawn.blank = isArray(summary) && !value;
  drawn.numbers = numbers && { ...numbers, x: drawn.x + numbers.x, y: drawn.y + numbers.y };
  content.replaceChildren(...[name, value].filter(given));
  if (holds && value?.tagName === "text") content.append(gripAt(value, w)); // where the number finds room
  if (holds && !element.querySelector("title")) element.append(draw("title", { text: words.say("ui.held.drag") }));
}

/** @type {(content: SVGGElement, summary: ArraySummary, drawn: DrawnNode) => boolean} */
function rewritten(content, summary, drawn) {
  const grid = gridOf(summary);
  if (grid && content.querySelector(".grid")) return rewriteGrid(content, grid);
  const tiles = gridAt(summary, drawn) ? null : content.querySelector(".tiles");
  if (tiles) rewriteTiles(tiles, summary);
  return tiles !== null;
}

/** @type {(drawn: DrawnBox, classes: string) => void} */
function show(drawn, classes) {
  assign(drawn.element, "class", "node " + classes);
  assign(drawn.element, "hidden", !drawn.shown);
}
