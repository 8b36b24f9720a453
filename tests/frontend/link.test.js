// A link says the same in the page and in Python, and comes back as it was written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readLink, settled, startOf, writeLink } from "../../widgets/minitape_widgets/static/player/link.js";
import { WORDS } from "../../widgets/minitape_widgets/static/storyboard/words.js";
import { links } from "./given.js";

test("every link means what it means in Python", () => {
  assert.ok(links.length > 10);
  for (const { text, read } of links) assert.deepEqual(readLink(text), read, text);
});

test("what is written comes back", () => {
  const panes = ["code", "tape", "graph", "inspector"];
  for (let bits = 0; bits < 16; bits++)
    for (const large of [false, true])
      for (const folded of [null, true, false]) {
        const size = ["act", "card", "line", "round", "way"][bits % 5];
        const knows = bits % 3 ? null : WORDS.filter((_, i) => !i || bits & (1 << i));
        const options = { start: bits, size, hide: panes.filter((_, i) => bits & (1 << i)), large, folded, knows };
        const text = writeLink(options);
        assert.match(text, /^[A-Za-z0-9.-]+$/);
        assert.deepEqual(
          { size: "act", hide: [], large: false, folded: null, knows: null, ...readLink(text) },
          options,
          text,
        );
      }
});

test("settings that nobody can mean are left out; the link goes before the others", () => {
  const { start, hide, large, folded, unread } = settled({
    start: {},
    hide: "code",
    large: 1,
    folded: "no",
    unread: 3,
  });
  assert.deepEqual(
    { start, hide, large, folded, unread },
    { start: 0, hide: [], large: false, folded: null, unread: [] },
  );
  assert.deepEqual(
    [{ knows: ["local", "x", "value"] }, { knows: 1 }, { link: "knows-value-adjoint" }].map(
      (given) => settled(given).knows,
    ),
    [["value", "local"], null, ["value", "adjoint"]],
  );
  assert.deepEqual(settled({ hide: ["graph", "x", "code"] }).hide, ["code", "graph"]);
  assert.deepEqual(settled({ start: 3, link: "k7.large.odd" }), {
    ...settled(),
    start: 7,
    large: true,
    link: "k7.large.odd",
    unread: ["odd"],
  });
});

test("where a play begins", () => {
  assert.deepEqual(
    [0, 5, 99, -1, -3, "play", "end"].map((start) => startOf(start, 4, 10)),
    [0, 5, 10, 10, 8, 4, 10],
  );
  assert.equal(startOf(-99, 4, 10), 0);
});
