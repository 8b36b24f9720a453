// The inspector: everything that is known about one card or one node. It follows the current act until the learner chooses
// something; then it stays there until they let go.

import { assign, icon, make } from "./dom.js";
import { adjointOf } from "./state.js";
import { nodeName } from "./messages.js";
import { heatMap, shapeText, shortValue, valueInline } from "./heat.js";

const known = (x) => x !== null && x !== undefined && x >= 0;

/** `toggle` is called when the learner folds the pane away or opens it again. */
export function inspectorPane(board, words, choose, toggle) {
  const body = make("div", { class: "inspector-body", tabindex: "0", role: "group", "aria-label": words.say("ui.inspector") });
  const release = make("button", { type: "button", class: "text-button", hidden: true, on: { click: () => choose(null) } }, icon("close"), words.say("ui.inspector.follow"));
  const sign = make("span", { class: "fold-sign" });
  const fold = make("button", { type: "button", class: "fold-button", on: { click: () => toggle() } }, sign, words.say("ui.inspector"));
  const root = make("div", { class: "pane inspector", "data-pane": "inspector" }, make("div", { class: "pane-name" }, fold, release), body);
  let drawn = "", keptOpen = false;

  const row = (label, ...content) => make("tr", {}, make("th", { scope: "row", text: label }), make("td", {}, content));
  const typed = (summary) => (summary ? summary.dtype + (summary.shape.length ? " " + shapeText(summary) : "") : "");
  const link = (n) => make("button", { type: "button", class: "link", text: nodeName(board, n), on: { click: () => choose({ node: n }) } });

  function valueLine(kind, summary) {
    if (!summary) return make("span", { class: "fine", text: "–" });
    const box = make("span", { class: "is-" + kind, text: summary.shape.length ? shapeText(summary) + "  " : summary.text });
    if (!summary.shape.length) return box;
    const facts = ["min", "max", "mean"].filter((f) => summary[f] !== undefined && summary[f] !== null).map((f) => words.say("ui.fact." + f) + " " + shortNumber(summary[f]));
    const odd = [summary.nan ? summary.nan + " NaN" : "", summary.inf ? summary.inf + " ∞" : ""].filter(Boolean);
    return [box, make("span", { class: "fine", text: facts.join(" · ") }), odd.length ? make("strong", { class: "is-cut", text: " " + odd.join(", ") }) : null, heatMap(summary, kind, words)];
  }
  const shortNumber = (x) => (typeof x === "number" && String(x).length > 8 ? x.toPrecision(4) : String(x));

  function nodeFacts(n, stage) {
    const node = board.nodes[n], value = known(node.value) ? board.values[node.value] : null, adjoint = adjointOf(stage, n);
    const rows = [
      node.op ? row(words.say("ui.made"), known(node.card) && board.cards[node.card] ? make("button", { type: "button", class: "link", text: node.op + " · " + words.say("ui.card.short", { card: node.card + 1 }), on: { click: () => choose({ card: node.card }) } }) : node.op) : null,
      row(words.say("ui.type"), typed(value)),
      row(words.say("ui.value"), valueLine("value", value)),
      adjoint.value >= 0 ? row(words.say("ui.adjoint"), valueLine("adjoint", board.values[adjoint.value])) : null,
      adjoint.parts.length > 1 ? row(words.say("ui.parts"), make("span", { class: "is-adjoint", text: adjoint.parts.map((part) => shortValue(board.values[part.value], 12)).join(" + ") })) : null,
    ];
    const bytes = known(node.bytes) ? node.bytes : value && value.bytes;
    const kept = known(bytes) ? [make("p", { text: words.say("ui.bytes.own", { bytes }) })] : null;
    return { heading: nodeName(board, n) + " · " + words.say(node.target ? "ui.target" : "ui.role." + node.role), rows, kept };
  }

  function cardFacts(c, stage) {
    const card = board.cards[c], output = card.outputs[0], needs = card.needs || [];
    const line = (n, label) => {
      const value = known(board.nodes[n].value) ? board.values[board.nodes[n].value] : null;
      return row(label, link(n), " ", make("span", { class: "is-value", text: value && ![shapeText(value), nodeName(board, n)].includes(shortValue(value, 14)) ? shortValue(value, 14) : "" }), " ", make("span", { class: "fine", text: typed(value) }));
    };
    const rows = card.inputs.map((n, i) => line(n, words.say("ui.input", { number: card.inputs.length > 1 ? i + 1 : "" }).trim()));
    if (output !== undefined) rows.push(line(output, words.say("ui.output")));
    (card.formula || []).forEach((formula, i) => !asked(c, i) ? null : rows.push(row(words.say("ui.formula", { input: nodeName(board, card.inputs[i]) }),
      formula ? make("code", { class: "formula", text: formula }) : make("span", { class: "is-cut", text: words.say("ui.formula.none") }))));
    const adjoint = output === undefined ? { value: -1 } : adjointOf(stage, output);
    if (adjoint.value >= 0) rows.push(row(words.say("ui.adjoint.of", { output: nodeName(board, output) }), valueLine("adjoint", board.values[adjoint.value])));
    const value = output !== undefined && known(board.nodes[output].value) ? board.values[board.nodes[output].value] : null;
    if (value && value.shape.length) rows.push(row(words.say("ui.value"), heatMap(value, "value", words)));
    return { heading: words.say("ui.card.short", { card: c + 1 }) + " · " + card.op, rows, kept: keptOf(card, needs, stage.cards[c] === 3) };
  }

  /** A formula for a constant is true but of no use here: nothing is sent to what nobody watches. */
  function asked(c, i) {
    const e = words.index.edgeOf.get(c + ":" + i), flow = e === undefined ? "open" : board.edges[e].flow;
    return flow !== "unwatched" || !["constant", "input"].includes(board.nodes[board.cards[c].inputs[i]].role);
  }

  /** What the tape keeps for a card and why, in sentences: which numbers the formulas above ask for. */
  function keptOf(card, needs, released) {
    if (!known(card.bytes)) return null;
    const all = [...card.inputs, ...card.outputs.slice(0, 1)].filter((n, i, list) => list.indexOf(n) === i);
    const needed = all.filter((n) => [...card.inputs, card.outputs[0]].some((other, i) => other === n && needs[i]));
    const list = (nodes) => nodes.map((n) => nodeName(board, n)).join(", ");
    return [make("p", { text: words.say(released ? "ui.kept.released" : "ui.kept.held", { bytes: card.bytes }) }),
      make("p", { text: needed.length ? words.say("ui.kept.needed", { names: list(needed) }) : words.say("ui.kept.none") })];
  }

  /** The multiplication of this moment, spelled out: part = adjoint × local derivative. */
  function equation(stage) {
    const frame = stage.frame;
    if (!frame || frame.act !== "part") return null;
    const above = adjointOf(stage, board.cards[frame.card].outputs[0]), local = known(frame.local) ? board.values[frame.local] : null;
    const formula = (board.cards[frame.card].formula || [])[frame.input];
    return make("div", { class: "equation" },
      make("span", { class: "is-adjoint", text: words.say("ui.part") }), " = ", make("span", { class: "is-adjoint", text: words.say("ui.adjoint") }), " × ", make("span", { class: "is-local", text: words.say("ui.local") }),
      make("div", { class: "equation-numbers" }, valueInline(board.values[frame.value], "is-adjoint"), " = ",
        local && above.value >= 0 ? [valueInline(board.values[above.value], "is-adjoint"), " × ", valueInline(local, "is-local")]
          : make("code", { class: "formula", text: formula || "" })));
  }

  /** With nothing at hand: the answers so far, else what to do. */
  function answers(stage) {
    if (!stage.results.length) return make("p", { class: "fine", text: words.say("ui.inspector.empty") });
    return make("div", {}, make("div", { class: "inspector-title", text: words.say("ui.answers") }), make("table", {}, make("tbody", {}, stage.results.slice(-12).map((result) => row(
      board.passes[result.pass].targets.map((n) => nodeName(board, n)).join(", ") + " → " + nodeName(board, result.node),
      known(result.value) ? valueLine("adjoint", board.values[result.value]) : make("strong", { class: "is-cut", text: "None" }))))));
  }

  function update(stage, chosen) {
    const current = stage.current;
    const subject = chosen && (chosen.card !== undefined || chosen.node !== undefined) ? chosen
      : current.card >= 0 ? { card: current.card } : current.node >= 0 ? { node: current.node } : null;
    assign(release, "hidden", !(chosen && (chosen.card !== undefined || chosen.node !== undefined)));
    const key = JSON.stringify(subject) + stage.k;
    if (key === drawn) return;
    drawn = key;
    const before = body.querySelector(".kept");
    if (before) keptOpen = before.open;                        // opened once, it stays open from act to act
    if (!subject) { body.replaceChildren(answers(stage)); return; }
    const facts = subject.card !== undefined ? cardFacts(subject.card, stage) : nodeFacts(subject.node, stage);
    const kept = facts.kept && make("details", { class: "kept", open: keptOpen },
      make("summary", { text: words.say("ui.kept") }), facts.kept);
    body.replaceChildren(make("div", { class: "inspector-title", text: facts.heading }), equation(chosen ? { frame: null } : stage) || "", make("table", {}, make("tbody", {}, facts.rows.filter(Boolean))), kept || "");
    body.scrollTop = 0;
  }
  function setFolded(folded) {
    root.classList.toggle("folded", folded);
    body.hidden = folded;
    assign(fold, "aria-expanded", folded ? "false" : "true");
    sign.replaceChildren(icon(folded ? "open" : "shut"));
  }
  return { root, update, setFolded };
}
