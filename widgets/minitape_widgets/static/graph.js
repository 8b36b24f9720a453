// The graph: values as boxes, operations as the edges that lead to them. The places of all nodes come with the storyboard and
// never move. While the program runs the nodes appear; while the tape is played back, numbers stand on the edge where they act,
// parts stack under the node that they reach and collapse into their sum, and where no gradient passes the edge is cut.

import { assign, draw, iconButton, make, shorten } from "./dom.js";
import { EDGE, adjointOf, cutEdge, stateAt } from "./state.js";
import { groupName } from "./messages.js";
import { callout, calloutWidth, closer, curve, legend, middle, nodeInside, nodeName, outline, pan, pill, sizedFor } from "./shapes.js";
import { needsTiles, roomyValue, shortValue } from "./heat.js";

const STACKED = 4;                                             // parts drawn one by one before "and n more"
const ROOM = { top: 34, bottom: 46, side: 16 };                // for badges and callouts outside of the layout's own box

export function graphPane(board, words, choose, options) {
  const byGroup = new Map(board.drawings.map((drawing, d) => [drawing.group, d]));
  let open = 0, byHand = false, zoom = null, grow = 1, stage = null, selection = null, picture = null, last = -1;
  // How large the pictures are that will be looked at: this decides, once, how the panes are arranged.
  const closed = new Map();
  const drawn = (d) => { if (!options.large && !options.bare) return board.drawings[d]; if (!closed.has(d)) closed.set(d, closer(board.drawings[d])); return closed.get(d); };
  const looked = () => board.drawings.map((drawing, d) => d).filter((d) => d === 0 || board.chapters.some((chapter) => chapter.group === board.drawings[d].group))
    .map(drawn).map(({ width, height }) => ({ width: width + 2 * ROOM.side, height: height + ROOM.top + ROOM.bottom }));
  const most = (list) => Math.max(0, ...list);
  const svg = draw("svg", { class: "graph-svg", role: "group", "aria-label": words.say("ui.graph") });
  const scroller = make("div", { class: "graph-scroll", tabindex: "0", role: "group", "aria-label": words.say("ui.graph") }, svg);
  const heading = make("span", { text: words.say("ui.graph") }), trail = make("div", { class: "trail" });
  const tools = make("div", { class: "graph-tools" },
    iconButton("minus", words.say("ui.zoom.out"), () => setZoom(scale() / 1.25)), iconButton("fit", words.say("ui.zoom.fit"), () => setZoom(null)),
    iconButton("plus", words.say("ui.zoom.in"), () => setZoom(scale() * 1.25)));
  const root = make("div", { class: "pane graph", "data-pane": "graph" },
    make("div", { class: "pane-name" }, heading, trail, tools), scroller);

  const natural = () => (options.large ? 1.35 : 1.06), least = () => (options.large ? 0.6 : 0.55), high = () => (options.large ? 0.66 : options.bare ? 0.56 : 0.75);
  /** The scale at which a picture fits a width where it can still be read; null where it cannot. */
  const fitted = (width, room) => { const fit = (room - (options.large ? 14 : 10)) / width; return fit >= least() ? Math.min(natural(), fit) : null; };
  function scale() {
    if (zoom) return zoom;
    const across = fitted(picture.width, scroller.clientWidth || 640), down = (scroller.clientHeight || 1e4) / picture.height;
    if (across) return Math.max(Math.min(across, high()), Math.min(across, down));   // too high: smaller, as long as it can be read
    return Math.max(high(), Math.min(0.8, down));              // too wide: from the left end
  }
  function setZoom(value) { zoom = value && Math.max(0.3, Math.min(4, value)); resize(); }
  function resize() {
    if (!picture) return;
    root.classList.remove("tall");                             // what has to be scrolled would pass under the pane's name
    key.hidden = false;
    key.hidden = Boolean(options.large) && most(looked().map(({ width, height }) => height * Math.min(1, fitted(width, scroller.clientWidth) || high()))) > scroller.clientHeight;
    root.classList.toggle("tall", scroller.clientHeight > 0 && picture.height * scale() > scroller.clientHeight + 2);
    const s = scale(), now = lettersAt(s);
    if (Math.abs(now - grow) > 0.03) { grow = now; build(); if (stage) update(stage, selection); return; }
    svg.setAttribute("width", Math.round(picture.width * s));
    svg.setAttribute("height", Math.round(picture.height * s));
    if (stage) follow();
  }

  /** How much larger letters are drawn in the same boxes, so that they can still be read in a small picture, or at the back of a room. */
  function lettersAt(s) {
    const wanted = Math.min(1.6, (options.large ? 1.35 : 0.8) / s);
    return wanted < 1.08 ? 1 : wanted;
  }

  /** Draws the boxes and edges of one drawing; what changes from step to step is dressed in update(). */
  function build() {
    const drawing = (board.drawings[open] && drawn(open)) || { width: 10, height: 10, nodes: [], edges: [] };
    const width = drawing.width + 2 * ROOM.side, height = drawing.height + ROOM.top + ROOM.bottom;
    picture = { drawing, width, height, nodes: [], edges: [], boxOf: new Map(), edgeOf: new Map(), badgeOf: new Map() };
    const edges = draw("g", { class: "edges" }), nodes = draw("g", { class: "nodes" });
    picture.badges = draw("g", { class: "badges" });
    picture.top = draw("g", { class: "top" });
    for (const { edge, points } of drawing.edges) {
      const flow = board.edges[edge].flow, end = points[points.length - 1], before = points[points.length - 2] || points[0];
      const angle = Math.atan2(end[1] - before[1], end[0] - before[0]) * 180 / Math.PI;
      const group = draw("g", { class: "edge flow-" + flow, hidden: true }, draw("path", { class: "edge-line", d: curve(points) }),
        draw("path", { class: "edge-tip", d: "M0 0L-7 -3.6V3.6Z", transform: `translate(${end[0]} ${end[1]}) rotate(${angle})` }));
      edges.append(group);
      const drawn = { edge, points, group, state: -1, middle: middle(points) };
      picture.edges.push(drawn);
      if (!picture.edgeOf.has(edge)) picture.edgeOf.set(edge, []);
      picture.edgeOf.get(edge).push(drawn);
    }
    for (const box of drawing.nodes) nodes.append(box.group !== undefined && box.node === undefined ? groupBox(box) : nodeBox(box));
    // A leaf that is used often is drawn once per use: each place belongs to the edges that begin there, and appears with them.
    for (const places of picture.boxOf.values()) {
      for (const place of places) place.edges = [];
      if (places.length < 2) continue;
      for (const drawn of picture.edges) {
        if (board.edges[drawn.edge].from !== places[0].node) continue;
        const [x, y] = drawn.points[0];
        const far = (place) => Math.hypot(Math.max(0, Math.abs(place.x - x) - place.w / 2), Math.max(0, Math.abs(place.y - y) - place.h / 2));
        places.reduce((best, place) => (far(place) < far(best) ? place : best)).edges.push(drawn.edge);
      }
    }
    for (const box of picture.nodes) box.stack = stackOf(box);
    svg.setAttribute("viewBox", `${-ROOM.side} ${-ROOM.top} ${width} ${height}`);
    svg.replaceChildren(edges, nodes, picture.badges, picture.top);
    last = -1;
    showTrail();
    resize();
  }

  function nodeBox(box) {
    const node = board.nodes[box.node];
    const group = draw("g", { class: "node role-" + node.role + (node.target ? " is-target" : "") + (node.source ? " is-source" : ""), transform: `translate(${box.x} ${box.y})`, role: "button", tabindex: "-1",
      hidden: true, on: { click: () => choose({ node: box.node }), keydown: (event) => walk(event, box) } },
    node.target ? draw("path", { class: "node-target", d: outline(node.role, box.w, box.h, 4) }) : null,
    draw("path", { class: "node-box role-" + node.role, d: outline(node.role, box.w, box.h) }), nodeInside(board, box.node, box.w, box.h, grow));
    const drawn = { ...box, element: group, shown: false };
    picture.nodes.push(drawn);
    if (!picture.boxOf.has(box.node)) picture.boxOf.set(box.node, []);
    picture.boxOf.get(box.node).push(drawn);
    return group;
  }

  function groupBox(box) {
    const info = board.groups[box.group], can = byGroup.has(box.group);
    const bar = draw("rect", { class: "group-done", x: -box.w / 2 + 10, y: box.h / 2 - 9, width: 0, height: 3, rx: 1.5 });
    const countText = draw("text", { class: "node-op", x: 0, y: 12, "text-anchor": "middle", style: sizedFor(11, "cards: 100", box.w - 12, grow) });
    const name = shorten(groupName(board, box.group, Math.floor((box.w - 12) / 7.4)), Math.floor((box.w - 12) / 7.4));
    const group = draw("g", { class: "node group-box", transform: `translate(${box.x} ${box.y})`, role: "button", tabindex: "-1", hidden: true,
      on: { click: () => can && enter(box.group), keydown: (event) => walk(event, box) } },
    draw("rect", { class: "node-box under", x: -box.w / 2 + 4, y: -box.h / 2 - 4, width: box.w, height: box.h, rx: 8 }),
    draw("rect", { class: "node-box", x: -box.w / 2, y: -box.h / 2, width: box.w, height: box.h, rx: 8 }),
    draw("text", { class: "node-name", x: 0, y: -5, "text-anchor": "middle", text: name, style: sizedFor(13, name, box.w - 12, grow) }), countText, bar,
      draw("title", { text: info.label }));
    picture.nodes.push({ ...box, element: group, shown: false, info, bar, countText });
    return group;
  }

  function enter(group) {
    byHand = true;
    open = byGroup.get(group);
    zoom = null;
    build();
    scroller.scrollTo(0, 0);                                   // an opened group is read from its beginning, unless it is being played
    update(stage, selection);
    const entry = svg.querySelector('[tabindex="0"]') || trail.querySelector("button");
    if (entry) entry.focus({ preventScroll: true });
  }

  function showTrail() {
    const path = [];
    for (let g = (board.drawings[open] || {}).group; g !== null && g !== undefined; g = board.groups[g].parent) path.unshift(g);
    const places = [null, ...path.filter((g) => byGroup.has(g))];
    trail.replaceChildren(...(places.length < 2 ? [] : places.map((g, i) => make("button", { type: "button", class: "text-button", disabled: i === places.length - 1,
      on: { click: () => enter(g) } }, g === null ? words.say("ui.graph.whole") : board.groups[g].label))));
  }

  /** Up and down walk through the nodes in the order of their drawing; Enter chooses. */
  function walk(event, box) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") box.node === undefined ? byGroup.has(box.group) && enter(box.group) : choose({ node: box.node });
    else if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) return;
    const shown = picture.nodes.filter((drawn) => drawn.shown), here = shown.findIndex((drawn) => drawn.element === event.currentTarget);
    const next = shown[here + move];
    if (!next) return;
    for (const drawn of shown) assign(drawn.element, "tabindex", drawn === next ? "0" : "-1");
    next.element.focus({ preventScroll: true });
    bring(next.x + ROOM.side, next.y + ROOM.top);
  }

  function update(next, chosen) {
    stage = next;
    selection = chosen;
    const chapter = board.chapters[stage.chapter];             // in a training loop each step opens by itself, until the learner chooses
    const wanted = byHand || !chapter || !byGroup.has(chapter.group) ? open : byGroup.get(chapter.group);
    if (!picture || wanted !== open) { open = byHand || !chapter ? open : wanted; build(); }
    const playing = stage.pass >= 0, here = stage.current;
    for (const drawn of picture.edges) {
      const state = stage.edges[drawn.edge] === EDGE.HIDDEN && endsShown(drawn.edge) ? EDGE.SHOWN : stage.edges[drawn.edge];
      const now = here.edge === drawn.edge && ["part", "cut"].includes(stage.frame && stage.frame.act);
      const key = state * 2 + (now ? 1 : 0);
      if (drawn.state === key) continue;
      drawn.state = key;
      assign(drawn.group, "hidden", state === EDGE.HIDDEN);
      drawn.group.setAttribute("class", "edge flow-" + board.edges[drawn.edge].flow + ["", "", " carried", " cut"][state] + (now ? " here" : ""));
    }
    const releasedAll = stage.released.size === board.tapes.length;
    for (const drawn of picture.nodes) dressNode(drawn, playing, here, releasedAll);
    const reachable = picture.nodes.filter((drawn) => drawn.shown);
    const entry = reachable.find((drawn) => drawn.node === here.node) || reachable[0];
    for (const drawn of picture.nodes) assign(drawn.element, "tabindex", drawn === entry ? "0" : "-1");
    drawBadges();
    drawTop();
    const { scrollLeft, scrollTop } = scroller;
    follow();
    if (scroller.scrollLeft !== scrollLeft || scroller.scrollTop !== scrollTop) drawTop();      // what lies above the picture has moved
    last = stage.k;
  }

  /** In a folded drawing an edge stands for a card inside of a group: it shows once both its ends do. */
  const endsShown = (edge) => stage.nodes[board.edges[edge].to] && stage.nodes[board.edges[edge].from] && board.edges[edge].card === null;

  function dressNode(drawn, playing, here) {
    let name, classes = "node ";
    if (drawn.info) {
      const [first, end] = drawn.info.cards;
      let recorded = 0, played = 0;
      for (let c = first; c <= end; c++) { if (stage.cards[c]) recorded += 1; if (stage.cards[c] >= 2) played += 1; }
      drawn.shown = recorded > 0;
      const current = here.card >= first && here.card <= end;
      classes += "group-box" + (current ? " here" : "") + (playing ? " playing" : "") + (byGroup.has(drawn.group) ? " opens" : "");
      drawn.countText.textContent = words.say("ui.cards", { count: recorded });
      drawn.bar.setAttribute("width", ((drawn.w - 20) * (playing ? played : recorded)) / (end - first + 1));
      name = words.say("ui.group", { label: drawn.info.label, count: recorded });
    } else {
      const node = board.nodes[drawn.node];
      drawn.shown = Boolean(stage.nodes[drawn.node]) && (!drawn.edges.length || drawn.edges.some((e) => stage.edges[e] || endsShown(e)));
      const now = here.node === drawn.node && stage.frame && stage.frame.act !== "cut", adjoint = adjointOf(stage, drawn.node);
      const key = [drawn.shown, now, playing, selection && selection.node === drawn.node, adjoint.value].join();
      if (drawn.key === key) return;                           // of a thousand nodes, a step changes a few
      drawn.key = key;
      classes += "role-" + node.role + (node.target ? " is-target" : "") + (node.source ? " is-source" : "") + (now ? " here" : "") + (playing ? " playing" : "") +
        (selection && selection.node === drawn.node ? " chosen" : "");
      name = words.say("ui.node", { role: words.say("ui.role." + node.role), node: nodeName(board, drawn.node), value: node.value === null || node.value === undefined ? "" : shortValue(board.values[node.value], 30) });
      if (adjoint.value >= 0) name += ", " + words.say("ui.adjoint") + " " + shortValue(board.values[adjoint.value], 30);
    }
    drawn.element.setAttribute("class", classes);
    assign(drawn.element, "hidden", !drawn.shown);
    assign(drawn.element, "aria-label", name);
  }

  /** Which way the parts of a node stack: 1 below it, -1 above it, wherever the next box is farther away. */
  function stackOf(box) {
    let below = Infinity, above = Infinity;
    for (const other of picture.nodes) {
      if (other === box || Math.abs(other.x - box.x) > (other.w + box.w) / 2) continue;
      if (other.y > box.y) below = Math.min(below, other.y - other.h / 2 - box.y - box.h / 2);
      else above = Math.min(above, box.y - box.h / 2 - other.y - other.h / 2);
    }
    return below >= 60 || below >= above ? 1 : -1;
  }

  /** Adjoints and waiting parts under their nodes; a node drawn several times carries them at its first place. What stays as it was
   * is not drawn again. */
  function drawBadges() {
    const wanted = new Map(), had = picture.badgeOf;
    const want = (key, build) => wanted.set(key, had.get(key) || build());
    const add = (node) => {
      const places = picture.boxOf.get(node);
      if (!places || !stage.nodes[node]) return;
      const { x, y, h, stack } = places.find((place) => place.shown) || places[0], found = adjointOf(stage, node);
      const way = found.parts.length > 1 ? stack : 1;          // several parts stack where there is room: below, else above
      const whole = stage.adjoint[node] >= 0 || (found.parts.length === 1 && !(stage.frame.act === "part" && stage.frame.node === node));
      const size = pillSize(), at = y + way * pillPlace(h);
      want([node, x, y, whole ? found.value : found.parts.map((part) => part.value)].join(whole ? " " : "+"), () => {
        const g = draw("g", { transform: `translate(${x} ${at})` });
        if (whole) g.append(pill(board.values[found.value], "adjoint", 0, undefined, size));
        else {
          found.parts.slice(0, STACKED).forEach((part, i) => g.append(pill(board.values[part.value], "part", way * i * 16 * size, undefined, size)));
          if (found.parts.length > STACKED) g.append(draw("text", { class: "fine", "text-anchor": "middle", y: way * (STACKED * 16 * size) + 4, text: "+ " + (found.parts.length - STACKED) }));
        }
        return g;
      });
    };
    stage.adjoint.forEach((value, node) => { if (value >= 0 || stage.parts.has(node)) add(node); });
    for (const result of stage.results) {
      if (result.pass !== stage.pass || (result.value !== null && result.value !== undefined)) continue;
      const places = picture.boxOf.get(result.node);
      if (places) want("none " + result.node, () => draw("g", { transform: `translate(${places[0].x} ${places[0].y + pillPlace(places[0].h)})` }, pill(null, "none", 0, "None", pillSize())));
    }
    for (const [key, g] of had) if (!wanted.has(key)) g.remove();
    let at = picture.badges.firstChild;                        // in the same order, however one came here
    for (const g of wanted.values()) { if (g === at) at = at.nextSibling; else picture.badges.insertBefore(g, at); }
    picture.badgeOf = wanted;
  }

  const pillSize = () => Math.min(1.35, grow), pillPlace = (h) => h / 2 + (h > 50 ? 3 : 7) + 9 * (pillSize() - 1);

  /** What happens at this moment, above everything else: one callout, and the cuts. */
  function drawTop() {
    const top = [];
    picture.said = null;
    for (const cut of stage.cuts) {
      const drawn = (picture.edgeOf.get(cutEdge(cut, board)) || [])[0];
      if (drawn) top.push(cutMark(drawn.middle, quiet(cut)));
    }
    const frame = stage.frame;
    if (frame && ["part", "sum", "cut", "seed"].includes(frame.act)) {
      const said = sayNumbers(frame);
      const drawn = (picture.edgeOf.get(stage.current.edge) || [])[0], box = (picture.boxOf.get(frame.node) || [])[0];
      const at = frame.act === "sum" || frame.act === "seed" ? box && { x: box.x, y: box.y - box.h / 2, tall: box.h } : drawn && drawn.middle;
      if (said && at) {
        const near = (other) => Math.abs(other.x - at.x) < 600 && Math.abs(other.y - at.y) < 300;      // no callout goes farther
        const boxes = picture.nodes.filter((other) => other.shown && near(other)).map((other) => {
          const pile = other.node !== undefined && stage.parts.has(other.node) ? 14 * pillSize() * Math.min(STACKED, stage.parts.get(other.node).length) : 0;
          return { x: other.x + ROOM.side, y: other.y + ROOM.top, w: other.w, h: other.h, above: other.stack < 0 ? 6 + pile : 4, below: 12 * (2 * pillSize() - 1) + (other.stack < 0 ? 0 : pile) };
        });
        boxes.push(...corners());
        const bubble = picture.said = callout(said, { ...at, x: at.x + ROOM.side, y: at.y + ROOM.top }, boxes, roomFor(box), frame.act, calloutSize(said));
        top.push(draw("g", { transform: `translate(${-ROOM.side} ${-ROOM.top})` }, bubble.group));
        if (frame.act === "part" && drawn && stage.k === last + 1) travel(drawn, top);
      }
    }
    picture.top.replaceChildren(...top);
  }

  /** Where a callout may stand: in the picture, in what the pane shows above and below it, and so near to its node that both are seen at once. */
  function roomFor(box) {
    const wide = scroller.clientWidth / scale(), x = box ? box.x + ROOM.side : 0, far = box ? box.w / 2 + 8 : 0;
    return { from: box ? Math.max(0, x + far - wide) : 0, to: box ? Math.min(picture.width, x - far + wide) : picture.width, height: picture.height,
      spare: Math.max(0, scroller.clientHeight / scale() - picture.height) / 2 };
  }
  const calloutSize = (said) => Math.max(1, Math.min(grow, (Math.min(picture.width, scroller.clientWidth / scale()) - 12) / calloutWidth(said)));

  /** The pane's name and its buttons lie above the picture: what is said should not lie under them. */
  function corners() {
    const own = svg.getBoundingClientRect(), s = scale();
    return [heading, tools].map((part) => part.getBoundingClientRect()).filter((box) => box.width && own.width).map((box) => ({ x: (box.left + box.width / 2 - own.left) / s,
      y: (box.top + box.height / 2 - own.top) / s, w: box.width / s, h: box.height / s, above: 0, below: 0, weight: 5 }));
  }

  /** A constant was never meant to have a gradient: its cut is drawn quietly. */
  const quiet = (frame) => ["unwatched", "constant"].includes(frame.why) && frame.node !== null && ["constant", "input"].includes(board.nodes[frame.node].role) && frame.card !== null;

  function cutMark({ x, y, dx, dy }, calm) {
    const angle = Math.atan2(dy, dx) * 180 / Math.PI;
    return draw("g", { class: "cut-mark" + (calm ? " calm" : ""), transform: `translate(${x} ${y}) rotate(${angle})` },
      draw("rect", { class: "cut-gap", x: -5, y: -6, width: 10, height: 12 }), draw("path", { class: "cut-bars", d: calm ? "M-5 5L-1 -5M1 5L5 -5" : "M-8 9L-2 -9M2 9L8 -9" }));
  }

  /** The numbers themselves where they leave room in the picture, else arrays as tiles with their shapes. */
  function sayNumbers(frame) {
    const said = numbersOf(frame, roomyValue);
    return said && calloutWidth(said) * Math.min(grow, 1.2) > Math.min(520, picture.width * 0.7) ? numbersOf(frame, shortValue) : said;
  }

  function numbersOf(frame, write) {
    const value = (v, kind = "adjoint") => {
      const summary = board.values[v], text = write(summary, 11);
      return { text, kind, tiles: needsTiles(summary, text) ? summary : null };
    };
    if (frame.act === "seed") return [{ text: words.say("ui.seed") + " " }, value(frame.value)];
    if (frame.act === "cut") return quiet(frame) ? null : [{ text: "None", kind: "cut" }];
    if (frame.act === "sum") {
      const parts = (stateAt(board, stage.k - 1).parts.get(frame.node) || []).map((part) => part.value);
      const said = parts.slice(0, 4).flatMap((v, i) => [{ text: i ? " + " : "" }, value(v)]);
      if (parts.length > 4) said.push({ text: " + …" });
      return [...said, ...(said.length ? [{ text: " = " }] : []), value(frame.value)];
    }
    const above = adjointOf(stage, board.cards[frame.card].outputs[0]);
    const known = above.value >= 0 ? value(above.value) : { text: "ȳ", kind: "adjoint" };
    if (frame.local === null || frame.local === undefined) {
      const formula = board.cards[frame.card].formula && board.cards[frame.card].formula[frame.input];
      return formula ? [{ text: shorten(formula, 30) + " = " }, value(frame.value)] : [value(frame.value)];
    }
    const summed = frame.key === "part.stretched" ? [{ text: "Σ " }] : [];
    return [...summed, known, { text: " × " }, value(frame.local, "local"), { text: " = " }, value(frame.value)];
  }

  /** A point that runs back along the edge: only on a single step forward, and never where motion is not wanted. */
  function travel(drawn, top) {
    if (options.still() || !root.isConnected) return;
    const path = drawn.group.querySelector(".edge-line"), length = path.getTotalLength ? path.getTotalLength() : 0;
    if (!length) return;
    const dot = draw("circle", { class: "traveller", r: 5 });
    const frames = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => { const p = path.getPointAtLength(length * (1 - i / 8)); return { transform: `translate(${p.x}px, ${p.y}px)` }; });
    top.push(dot);
    dot.animate([...frames, { ...frames[8], opacity: 0 }], { duration: 480, easing: "ease-in-out", fill: "forwards" }).finished.then(() => dot.remove(), () => {});
  }

  /** Keeps what is happening in view, by scrolling the pane and never the page. */
  function follow() {
    const { node, card } = stage.current;
    const box = (picture.boxOf.get(node) || []).find((place) => place.shown) || (card >= 0 && picture.nodes.find((drawn) => drawn.info && drawn.info.cards[0] <= card && card <= drawn.info.cards[1]));
    const answer = stage.results.length ? stage.results[stage.results.length - 1].node : -1;
    const fallback = !box && last !== stage.k && ((picture.boxOf.get(answer) || []).find((place) => place.shown) || picture.nodes.find((drawn) => drawn.shown));
    if (fallback) bring(fallback.x + ROOM.side, fallback.y + ROOM.top);        // after a jump to the end: show something
    if (box) bring(box.x + ROOM.side, box.y + ROOM.top);
    if (box && picture.said) nudge(picture.said);
  }
  /** A little farther, where the callout beside the node is cut off by the edge of the pane. */
  function nudge({ x, y, width, height }) {
    const s = scale(), { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller, own = svg.getBoundingClientRect(), pane = scroller.getBoundingClientRect();
    const into = (at, from, to, room) => (to + 4 - room > at ? to + 4 - room : Math.min(at, Math.max(0, from - 4)));
    const left = own.left - pane.left + scrollLeft, top = own.top - pane.top + scrollTop;
    scroller.scrollLeft = into(scrollLeft, left + (x - width / 2) * s, left + (x + width / 2) * s, clientWidth);
    scroller.scrollTop = into(scrollTop, top + (y - height / 2) * s, top + (y + height / 2) * s, clientHeight);
  }
  function bring(x, y) {
    const s = scale(), { clientWidth, clientHeight } = scroller;
    if (x * s < scroller.scrollLeft + 90 || x * s > scroller.scrollLeft + clientWidth - 90) scroller.scrollLeft = x * s - clientWidth / 2;
    if (y * s < scroller.scrollTop + 40 || y * s > scroller.scrollTop + clientHeight - 60) scroller.scrollTop = y * s - clientHeight / 2;
  }

  const key = options.bare ? make("div") : legend(board, words);
  root.append(key);
  pan(scroller);

  return { root, update, resize, /** The box of the pictures that will be looked at, in their natural size. */
    box: () => ({ width: most(looked().map(({ width }) => width)) * natural(), height: most(looked().map(({ height }) => height)) * natural() }),
    /** The height that all of it would take in a pane of this width: the highest of the pictures that will be looked at, and the legend. */
    wish: (room) => (key.hidden = false, key.offsetHeight) + 8 + most(looked().map(({ width, height }) => Math.ceil(height * (fitted(width, room) || 0.8)))) };
}
