// Pictures above the stage for two kinds of tapes: a training loop (the loss of every step as a curve; a click goes to that
// step) and a Jacobian (a matrix that fills row by row while the seed walks over the target).

import { assign, draw, make } from "./dom.js";
import { nodeName } from "./messages.js";
import { shortValue } from "./heat.js";

const scalar = (board, v) => {
  const summary = v === null || v === undefined ? null : board.values[v];
  return summary && typeof summary.number === "number" ? summary.number : null;
};

/** The loss curve over the chapters; null where the storyboard has none. */
export function chapterPane(board, words, go) {
  if (!board.chapters.length) return null;
  const width = 640, height = 50, pad = 8, count = board.chapters.length;
  const losses = board.chapters.map((chapter) => scalar(board, chapter.loss));
  const known = losses.filter((x) => x !== null);
  const top = Math.max(...known, 0), bottom = Math.min(...known, top), span = top - bottom || 1;
  const at = (i) => [pad + (count < 2 ? 0.5 : i / (count - 1)) * (width - 2 * pad), losses[i] === null ? height / 2 : pad + (1 - (losses[i] - bottom) / span) * (height - 2 * pad - 6)];
  const points = losses.map((x, i) => (x === null ? null : at(i))).filter(Boolean);
  const line = draw("polyline", { class: "loss-line", points: points.map((p) => p.join(",")).join(" ") });
  const mark = draw("path", { class: "loss-mark", hidden: true });
  const svg = draw("svg", { class: "loss", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", preserveAspectRatio: "none" }, line,
    points.length <= 80 ? draw("path", { class: "loss-dots", d: points.map(([x, y]) => `M${x} ${y}h0.01`).join("") }) : null, mark);
  const choice = make("select", { "aria-label": words.say("ui.chapter"), on: { change: () => go(board.chapters[Number(choice.value)].frame + 1) } },
    board.chapters.map((chapter, i) => make("option", { value: i, text: chapter.title + (losses[i] === null ? "" : " · " + words.say("ui.loss") + " " + shortValue(board.values[chapter.loss])) })));
  const title = make("span", { class: "fine" });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect(), share = (event.clientX - box.left) / box.width * width;
    const i = Math.max(0, Math.min(count - 1, Math.round(((share - pad) / (width - 2 * pad)) * (count - 1))));
    go(board.chapters[i].frame + 1);
  });
  const root = make("div", { class: "pane chapters" }, make("div", { class: "chapters-name" }, make("div", {}, make("span", { text: words.say("ui.chapters") }), title), choice), svg);
  return {
    root,
    update(stage) {
      let now = -1;
      board.chapters.forEach((chapter, i) => { if (chapter.frame < stage.k) now = i; });
      assign(mark, "hidden", now < 0 || losses[now] === null);
      if (now >= 0) {
        const [x, y] = at(now);
        mark.setAttribute("d", `M${x} ${y}h0.01`);               // a dot that the stretched picture cannot squash
        choice.value = String(now);
      }
      title.textContent = words.say("ui.chapter.of", { chapter: now + 1, count });
    },
  };
}

/** The matrix of a Jacobian; null where no pass is one. */
export function jacobianPane(board, words) {
  if (!board.passes.some((pass) => pass.kind === "jacobian")) return null;
  const body = make("div", { class: "jacobian-body" });
  const name = make("span"), planned = board.passes.find((pass) => pass.kind === "jacobian");
  const root = make("div", { class: "pane jacobian" }, make("div", { class: "pane-name" }, name), body);
  return {
    root,
    update(stage) {
      const now = board.passes[stage.pass], pass = now && now.kind === "jacobian" ? now : planned;      // before it begins the matrix stands there, empty
      const rows = stage.rows.filter((row) => board.passes[row.pass] === pass);
      name.textContent = words.say("ui.jacobian", { targets: pass.targets.map((n) => nodeName(board, n)).join(", "), sources: pass.sources.map((n) => nodeName(board, n)).join(", ") });
      const numbers = rows.map((row) => cellsOf(board.values[row.value]));
      const largest = Math.max(0, ...numbers.flat().filter((x) => typeof x === "number").map(Math.abs));
      const coming = board.frames.filter((frame) => frame.act === "row" && board.passes[frame.pass] === pass);
      const expected = Math.min(64, coming.length), wide = coming.length ? cellsOf(board.values[coming[0].value]).length : 1;
      body.replaceChildren(make("table", { class: "matrix" }, make("tbody", {}, Array.from({ length: Math.max(expected, rows.length) }, (_, i) => make("tr", { class: i === rows.length - 1 && stage.frame.act === "row" ? "here" : "" },
        make("th", { scope: "row", text: rows[i] ? "[" + rows[i].row.join(", ") + "]" : "" }),
        Array.from({ length: wide }, (_, j) => {
          const x = numbers[i] ? numbers[i][j] : undefined;
          const cell = make("td", { class: x === undefined ? "empty" : x < 0 ? "below" : x > 0 ? "above" : "zero" }, make("span", { text: x === undefined ? "" : typeof x === "number" && String(x).length > 7 ? x.toPrecision(3) : String(x) }));
          if (typeof x === "number" && largest) cell.style.setProperty("--strength", (0.5 * Math.abs(x) / largest).toFixed(3));
          return cell;
        }))))));
      const here = body.querySelector("tr.here");
      if (here && (here.offsetTop < body.scrollTop || here.offsetTop + here.offsetHeight > body.scrollTop + body.clientHeight)) body.scrollTop = here.offsetTop - body.clientHeight / 2;
    },
  };
}

const cellsOf = (summary) => (summary.cells ? summary.cells.flat() : [summary.number]);
