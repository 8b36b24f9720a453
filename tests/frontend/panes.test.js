// The pure parts of the other panes: lines of code, items of a strip, the margin, questions, two players in step.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { chunksOf, marksOf, piecesOf, rowsOf, tokensOf } from "../../widgets/minitape_widgets/static/code/line.js";
import { roomOf } from "../../widgets/minitape_widgets/static/code/room.js";
import { inStep } from "../../widgets/minitape_widgets/static/pair/steps.js";
import { hintsTo, readCard, reply } from "../../widgets/minitape_widgets/static/prompt/hints.js";
import { judge, readAnswer, readNumber } from "../../widgets/minitape_widgets/static/prompt/judge.js";
import { checked } from "../../widgets/minitape_widgets/static/storyboard/check.js";
import { indexOf } from "../../widgets/minitape_widgets/static/storyboard/lookup.js";
import { speaker } from "../../widgets/minitape_widgets/static/storyboard/sentences.js";
import { stateAt } from "../../widgets/minitape_widgets/static/storyboard/state.js";
import { chosenTapes, itemsOf, slotsOf } from "../../widgets/minitape_widgets/static/tape/items.js";
import { linesOf, notesInMargin } from "../../widgets/minitape_widgets/static/tape/margin.js";
import { boards, catalogues, everyBoard, everyMoment, spans } from "./given.js";

test("a span marks the very characters that Python means, whatever they are", () => {
  assert.ok(spans.length > 20);
  for (const { text, span, marked } of spans) {
    const lines = text.split("\n");
    const found = [...marksOf(span, lines)].map(([line, [start, end]]) =>
      piecesOf(lines[line - 1], tokensOf(lines[line - 1]), [[start, end, "play"]])
        .filter((piece) => piece.mark)
        .map((piece) => piece.text)
        .join(""),
    );
    assert.deepEqual(found, marked);
  }
});

test("a line is cut up and nothing of it is lost", () => {
  const line = 'é = f"😀{x}" + 3.5e2 if name else None  # über';
  const tokens = tokensOf(line);
  assert.equal(
    piecesOf(line, tokens, [[4, 9, "play"]])
      .map((piece) => piece.text)
      .join(""),
    line,
  );
  const kinds = tokens.map(([start, end, kind]) => [Array.from(line).slice(start, end).join(""), kind]);
  assert.deepEqual(kinds, [
    ['f"😀{x}"', "string"],
    ["3.5e2", "number"],
    ["if", "keyword"],
    ["else", "keyword"],
    ["None", "keyword"],
    ["# über", "comment"],
  ]);
  assert.deepEqual(tokensOf("%%tape y")[0][2], "comment");
  assert.deepEqual(tokensOf("😀 if 😀😀 else"), [
    [2, 4, "keyword"],
    [8, 12, "keyword"],
  ]);
});

test("the code takes its lines and the names of its cells; brief, only lines in which something happens", () => {
  const how = { large: false, brief: false };
  const rows = (names, ...texts) => {
    const sources = names.map((name) => ({ name, text: "", lines: null }));
    const room = roomOf(sources, texts, () => 100);
    return [false, true].map((brief) => Math.round((room.height(0.01, 1, { ...how, brief }) - 0.013) / 100));
  };
  const cell = ["", "x = 1", "", "# and", "y = x"];
  assert.deepEqual(rows(["cell"], cell), [4, 2], "empty lines above the first are never seen");
  assert.deepEqual(rows(["lines.py"], cell), [5, 2]);
  assert.deepEqual(rows(["cell", "lines.py"], cell, cell), [8 + 3, 4 + 3], "two names, a gap between both");
  let counted = 0;
  const counting = { get: (of, name) => ((counted += name === "flatMap"), Reflect.get(of, name)) };
  const lines = new Proxy([cell], counting);
  const room = roomOf([{ name: "cell", text: "", lines: null }], lines, () => 100);
  for (const column of [1, 1, 2, 1]) room.height(0.01, column, how);
  assert.equal(counted, 2, "once for each width, however often a player is arranged");
});

test("a long line goes on after a bracket, a comma or an operator, and never inside of a word", () => {
  const cut = (line) => chunksOf(line).join("|");
  assert.equal(cut("    y = model.fit(xs, [0.5,1], k=2)"), "    y |= |model|.fit(|xs, |[|0.5,|1], |k=2)");
  assert.equal(cut('z=x*x**2+-3.5e-2 # a.b(c "d,e"'), 'z=x*|x**|2+|-3.5e-2 |# |a.b(c |"d,e"');
  assert.equal(cut("f(*xs, **named)[:, 0]"), "f(|*xs, |**named)[|:, |0]");
  for (const { text } of spans)
    for (const line of text.split("\n")) {
      assert.equal(chunksOf(line).join(""), line);
      assert.equal(rowsOf(line, 1000), 1);
    }
  assert.equal(rowsOf("    loss = reduce_mean(abc)", 24), 2, "the bracket is closed in the next row");
  assert.equal(rowsOf("abcdefghijklmnopqrstuvwxyz", 10), 3, "no row is wide enough for this word");
});

test("on a strip every card has its place, alone or in a closed group", () => {
  for (const [name, board] of everyBoard) {
    const groups = new Set(board.groups.keys());
    board.tapes.forEach((_, tape) => {
      const cards = indexOf(board).cardsOfTape[tape];
      assert.equal(itemsOf(board, cards, groups).items.length, cards.length, "all open");
      const { items, placed } = itemsOf(board, cards, new Set());
      assert.deepEqual(
        items.flatMap((item) => item.cards),
        cards,
        name,
      );
      for (const c of cards) assert.ok(items[placed.get(c)].cards.includes(c));
      for (const item of items) assert.equal(item.group === undefined, item.card !== undefined);
      const outer = items.filter((item) => item.group !== undefined).map((item) => board.groups[item.group].parent);
      assert.ok(
        outer.every((parent) => parent === null),
        "the outermost closed group stands for all inside",
      );
    });
  }
  const inner = {
    ...boards.fan_out,
    groups: [{ parent: null }, { parent: 0 }],
    cards: [{ group: 0 }, { group: 1 }, { group: null }],
  };
  const kinds = (open) => itemsOf(inner, [0, 1, 2], new Set(open)).items.map(({ card, group }) => [card, group]);
  assert.deepEqual(
    kinds([]),
    [
      [undefined, 0],
      [2, undefined],
    ],
    "a closed group stands for all inside",
  );
  assert.deepEqual(kinds([0]), [
    [0, undefined],
    [undefined, 1],
    [2, undefined],
  ]);
  assert.deepEqual(
    kinds([1]),
    [
      [undefined, 0],
      [2, undefined],
    ],
    "also for what is open inside",
  );
});

test("of many tapes the one in use is shown, and never more than there are places", () => {
  everyMoment((board, k, name) => {
    const slots = slotsOf(board);
    const shown = chosenTapes(board, stateAt(board, k), slots);
    assert.ok(shown.size <= Math.max(1, slots) && slots <= board.tapes.length);
    const card = board.frames[k - 1]?.card;
    if (card !== undefined && card !== null) assert.ok(shown.has(board.cards[card].tape), `${name} at ${k}`);
  });
  assert.equal(slotsOf(boards.nested), 2);
  const board = { ...boards.nested, tapes: [{}, {}, {}, {}], cards: [0, 1, 2, 3].map((tape) => ({ tape })) };
  const heads = [0, 1, 2, 3].map((tape) => [tape, tape]);
  const stage = { frame: null, current: { card: 0 }, heads: new Map(heads), released: new Set([3]) };
  assert.deepEqual([...chosenTapes(board, stage, 2)], [0, 2], "the one in use, then the newest that lives");
  const bare = { ...boards.nested, cards: boards.nested.cards.map((card) => ({ ...card, tape: 1 })) };
  assert.equal(slotsOf(bare), 1);
  assert.deepEqual([...chosenTapes(bare, { ...stage, current: { card: -1 } }, 1)], [1], "a tape without cards is not");
});

test("the same note again and again is one line with a count", () => {
  const board = boards.unwatched;
  const words = speaker(board, catalogues.en);
  const all = [...board.notes.keys()];
  const lines = linesOf(board, words, [...all, ...all, 0], 0);
  assert.equal(
    lines.reduce((sum, line) => sum + line.times, 0),
    2 * all.length + 1,
  );
  assert.equal(new Set(lines.map((line) => line.text + line.where)).size, lines.length);
  assert.equal(lines.filter((line) => line.current).length, 1);
});

test("every question accepts its own answer, and knows the idea behind each of its mistakes", () => {
  let [right, wrong] = [0, 0];
  for (const [name, board] of everyBoard)
    for (const prompt of board.prompts) {
      const verdict = judge(prompt, prompt.kind === "sign" ? Math.sign(Number(prompt.answer)) : prompt.answer);
      assert.deepEqual([verdict.right, verdict.idea], [true, prompt.right], `${name}: ${prompt.key}`);
      right += 1;
      for (const choice of prompt.choices.filter((choice) => choice.idea)) {
        const mistake = judge(prompt, choice.card ?? choice.sign ?? choice.text);
        assert.deepEqual([mistake.right, mistake.idea], [false, choice.idea], `${name}: ${choice.text}`);
        wrong += 1;
      }
    }
  assert.ok(right > 3 && wrong > 5, `${right} right, ${wrong} wrong`);
});

test("numbers as learners write them", () => {
  assert.deepEqual(["2,5", " \u22123.0 ", "7", "1,000,000"].map(readNumber), ["2.5", "-3.0", "7", "1,000,000"]);
  const prompt = { kind: "number", answer: 2.5, tolerance: 0.01, choices: [], right: "yes" };
  assert.deepEqual(
    ["2.5", "2.52", "2.6", "-2.5", "x"].map((text) => judge(prompt, text).right),
    [true, true, false, false, false],
  );
});

test("a fraction is a number, and what is none is left as it was written", () => {
  const texts = ["3/4", " \u22121 / 4 ", "1,5/2", "1 000/8", "1/", "/2", "1/2/3", "a/2"];
  assert.deepEqual(texts.map(readNumber), ["0.75", "-0.25", "0.75", "125", "1/", "/2", "1/2/3", "a/2"]);
  const prompt = { kind: "number", answer: 7 / 5, tolerance: 0.001, choices: [{ text: "0.2", idea: "upstream" }] };
  assert.equal(judge(prompt, readAnswer(prompt, "7/5")).right, true);
  assert.equal(judge(prompt, readAnswer(prompt, "1/5")).idea, "upstream");
});

test("thousands may be parted by spaces or commas, and a decimal comma stays one", () => {
  const texts = ["16 000", "16\u202f000", " 1\u00a0000\u00a0000 ", "-2 000,5", "1 2", "12 0000", "1 000 00"];
  assert.deepEqual(texts.map(readNumber), ["16000", "16000", "1000000", "-2000.5", "1 2", "12 0000", "1 000 00"]);
  const known = { kind: "number", answer: 16000, tolerance: 0, choices: [{ text: "4000", idea: "numbers" }] };
  const read = (text) => readAnswer(known, text);
  assert.deepEqual(["16,000", "4,000", "9,000", "16000", "x"].map(read), ["16000", "4000", "9.000", "16000", "x"]);
  assert.deepEqual(readAnswer({ ...known, answer: 1.125 }, "1,125"), "1.125");
  assert.deepEqual(readAnswer({ ...known, answer: 1e6 }, "1,000,000"), "1000000");
  assert.deepEqual(readAnswer({ ...known, answer: 125 }, "0,125"), "0.125");
  assert.deepEqual(readAnswer({ ...known, answer: 12345678 }, "12345,678"), "12345.678");
  const four = { kind: "number", answer: 4000, choices: [{ text: "4", idea: "small" }] };
  assert.deepEqual(readAnswer(four, "4,000"), "4000");
});

test("near is near at every size, and a mistake that is nearer wins", () => {
  const verdicts = (answer, tolerance, given, choices = []) =>
    given.map((text) => judge({ kind: "number", answer, tolerance, choices, right: "yes" }, text).right);
  assert.deepEqual(verdicts(400, 0.005, ["400", "402", "403", "0", "398"]), [true, true, false, false, true]);
  assert.deepEqual(verdicts(0.001, 0.001, ["0.001", "0.00104", "0", "-0.001", "0.0015"]), [
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.deepEqual(verdicts(0, 0.001, ["0", "0.0005", "0.1"]), [true, true, false]);
  assert.deepEqual(verdicts(1 / 3, 0.001, ["0.333", "0.33"]), [true, false]);
  assert.deepEqual(verdicts(0.1, 0.005, ["0.1", "0.101", "0.102"], [{ text: "0.103", idea: "sum" }]), [
    true,
    true,
    false,
  ]);
});

test("a card's number as learners write it; a blank is no card", () => {
  assert.deepEqual(["4", "4,0", " 4.0 "].map(readCard), [3, 3, 3]);
  for (const text of ["", "  ", "x"]) assert.ok(Number.isNaN(readCard(text)), text);
  const prompt = { kind: "card", key: "ask.card", params: {}, answer: 0, tolerance: 0, choices: [], right: "yes" };
  for (const text of ["", "x", "0", "5", "1.5"]) assert.equal(judge(prompt, readCard(text)).right, false, text);
  assert.equal(judge({ ...prompt, kind: "number" }, readNumber("")).right, false, "nothing is not zero");
  const keys = (text) => hintsTo(prompt, readCard(text), text, 4).map(({ key }) => key);
  assert.deepEqual(keys(" "), ["ui.prompt.blank"]);
  assert.deepEqual(keys("four"), ["ui.prompt.unread"]);
  assert.deepEqual(keys("7"), ["ui.prompt.card.missing"]);
  const [{ parameters }] = hintsTo(prompt, readCard("9".repeat(80)), "9".repeat(80), 4);
  assert.equal(parameters.text.length, 12, "a long number is not said back in full");
});

test("infinity is too large, and not unreadable", () => {
  const prompt = { kind: "number", answer: 50, question: "?", key: "k" };
  for (const text of ["inf", " Infini", "∞", "+inf"])
    assert.equal(hintsTo(prompt, readNumber(text), text, 4).at(-1).key, "ui.prompt.smaller", text);
  for (const text of ["info", "nan", "-"])
    assert.equal(hintsTo(prompt, readNumber(text), text, 4)[0].key, "ui.prompt.unread");
});

test("a number that is nearly right is told so first, a count that is not is not", () => {
  const first = (answer, text) =>
    hintsTo({ kind: "number", answer, question: "?", key: "k" }, readNumber(text), text, 4)[0].key;
  assert.deepEqual(
    [first(0.91, "0.9"), first(6, "5"), first(0, "0.01")],
    ["ui.prompt.near", "ui.prompt.once", "ui.prompt.once"],
  );
});

test("a question's own hint comes first, where no known mistake was made", () => {
  const asked = (hint) => hintsTo({ kind: "number", answer: 50, question: "?", key: "k", hint }, "7", "7", 0);
  assert.equal(asked("Count the turns.")[0].text, "Count the turns.");
  assert.deepEqual([asked()[0].text, asked(null)[0].key], [undefined, "ui.prompt.once"]);
});

test("three different wrong answers get three different hints, in every language", () => {
  for (const [name, board] of everyBoard)
    for (const prompt of board.prompts.filter(({ kind }) => kind === "number" || kind === "card"))
      for (const catalogue of Object.values(catalogues)) {
        const { say } = speaker(board, catalogue);
        const said = new Set();
        const told = new Set();
        for (const answer of [-1234, 1234, 4321].map((number) => (prompt.kind === "card" ? 0 : number))) {
          const text = String(answer);
          const hints = hintsTo(prompt, answer, text, 99).map(({ key, parameters }) => say(key, parameters));
          assert.ok(
            hints.every((hint) => hint && !hint.includes("{")),
            `${name}: ${hints}`,
          );
          told.add(reply("", hints, said));
        }
        assert.equal(told.size, 3, `${name}: ${[...told]}`);
      }
});

test("a known idea is said to every answer that it stands behind, the second time with a hint", () => {
  const said = new Set();
  const hints = ["Think again.", "It is larger."];
  assert.deepEqual(
    ["idea", "idea", "other", "", "idea"].map((idea) => reply(idea, hints, said)),
    ["idea", "idea Think again.", "other", "It is larger.", "idea It is larger."],
  );
});

test("two players record together, are played together, and end together", () => {
  for (const [, a] of everyBoard)
    for (const [, b] of [
      ...everyBoard.slice(0, 4),
      ["never played", { ...boards.nested, frames: boards.nested.frames.slice(0, 3) }],
    ]) {
      const moments = inStep(a, b);
      assert.deepEqual(moments[0], [0, 0]);
      assert.deepEqual(moments.at(-1), [a.frames.length, b.frames.length]);
      moments
        .slice(1)
        .forEach((moment, m) => moment.forEach((k, i) => assert.ok(k >= moments[m][i], "none goes back")));
      const begins = [indexOf(a).recording, indexOf(b).recording];
      for (const [k, l] of moments)
        assert.equal(k > begins[0] && k < a.frames.length && l < begins[1], false, "one plays while the other records");
    }
});

test("a storyboard of another version is refused, and one that leaves lists out", () => {
  assert.equal(checked({ ...boards.fan_out, version: 2 }), null);
  for (const nothing of [null, undefined, "text", 1, []]) assert.equal(checked(nothing), null);
  assert.equal(checked({ version: 1 }), null);
  assert.deepEqual(checked(boards.fan_out), boards.fan_out);
});

const judged = JSON.parse(readFileSync(new URL("judged.json", import.meta.url), "utf8"));

test("the table of verdicts that page and exercises share", () => {
  for (const { answer, tolerance, wrong, given } of judged) {
    const choices = wrong.map(([text, idea]) => ({ text, idea }));
    const prompt = { kind: typeof answer === "number" ? "number" : "choice", answer, tolerance, choices, right: "yes" };
    const verdicts = given.map(([text]) => judge(prompt, text)).map(({ right, idea }) => (right ? "" : idea));
    assert.deepEqual(
      verdicts,
      given.map(([, verdict]) => verdict),
      JSON.stringify({ answer, tolerance, given }),
    );
  }
});

test("the margin is for notes that an act writes, and has all of them at the end", () => {
  for (const [name, board] of everyBoard) {
    const written = stateAt(board, board.frames.length).notes;
    assert.deepEqual(notesInMargin(board), [...new Set(written)], name);
  }
  const reason = { ...boards.unwatched, frames: boards.unwatched.frames.filter(({ act }) => act === "result") };
  assert.deepEqual(notesInMargin(reason), [], "a reason alone opens no margin");
});
