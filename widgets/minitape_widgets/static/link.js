// The teacher's settings as a short string that is safe in a link without any escaping: "k12.hide-code-graph.large". A
// worksheet can thus say exactly which moment a class looks at, and what it does not see yet.

const PANES = ["code", "tape", "graph", "inspector"];

export function readLink(text) {
  const options = {};
  for (const piece of String(text).split(".")) {
    if (/^k\d+$/.test(piece)) options.start = Number(piece.slice(1));
    else if (piece.startsWith("hide-")) options.hide = piece.slice(5).split("-").filter((name) => PANES.includes(name));
    else if (piece === "large") options.large = true;
  }
  return options;
}

export function writeLink({ start = 0, hide = [], large = false }) {
  const hidden = PANES.filter((pane) => hide.includes(pane));
  return ["k" + start, hidden.length ? "hide-" + hidden.join("-") : "", large ? "large" : ""].filter(Boolean).join(".");
}
