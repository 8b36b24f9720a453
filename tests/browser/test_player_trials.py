"""The player under trial: hostile text, axe-core, forced colours, narrow windows, large tapes, many
players, no script at all.
"""
# ruff: noqa: E501  (lines of JavaScript)

import json
import re
import time

import pytest

from minitape_widgets import export
from tests.browser.stage import go, handmade, loop

pytestmark = pytest.mark.browser


HOSTILE = [
    "<script>window.pwned=1</script>",
    "<img src=x onerror='window.pwned=1'>",
    "</script><script>window.pwned=1</script>",
    '"><svg onload=window.pwned=1>',
    "javascript:window.pwned=1",
    "]]><!--",
    "&lt;b&gt;",
    "{{constructor}}",
    "\u2028\u2029\u202e",
    "$&$1{value}",
]


def hostile(board, turn):
    """Puts a hostile text into every string of a storyboard that may come from a learner."""

    def poison(text):
        return HOSTILE[(turn + len(text)) % len(HOSTILE)] + text

    board = json.loads(json.dumps(board))
    board["title"] = poison(board["title"])
    for source in board["sources"]:
        source["name"], source["text"] = (
            poison(source["name"]),
            "\n".join(poison(line) for line in source["text"].split("\n")),
        )
    for rows, names in (
        ("tapes", ["name"]),
        ("values", ["text", "dtype"]),
        ("nodes", ["label", "text", "op"]),
        ("cards", ["op"]),
        ("groups", ["label"]),
        ("chapters", ["title"]),
    ):
        for row in board[rows]:
            for name in names:
                if isinstance(row.get(name), str):
                    row[name] = poison(row[name])
    for note in board["notes"]:
        note["params"] = {key: poison(str(text)) for key, text in note["params"].items()}
    for card in board["cards"]:
        card["formula"] = [poison(text) if text else text for text in card["formula"]]
    for prompt in board["prompts"]:
        prompt["params"] = {key: poison(str(text)) for key, text in prompt["params"].items()}
        for choice in prompt["choices"]:
            choice["text"] = poison(choice["text"])
    return board


@pytest.mark.parametrize("turn", [0, 3, 7])
def test_untrusted_text_never_becomes_markup(stage, turn):
    board = hostile(handmade.asked(), turn)
    page = stage(board)
    for k in range(len(board["frames"]) + 1):
        go(page, k)
        page.locator("button.step").click(force=True) if k < len(board["frames"]) else None
    go(page, 14)
    for n in range(len(board["nodes"])):
        page.player(
            "p.root.querySelectorAll('.node:not([hidden])')[argument].dispatchEvent(new MouseEvent('click'));",
            n,
        )
    assert page.evaluate("window.pwned") is None
    assert (
        page.player(
            "return p.root.querySelectorAll('script, img, iframe, object, a, foreignObject, image, use').length;"
        )
        == 0
    )
    assert page.player(
        "return [...p.root.querySelectorAll('*')].every((n) => [...n.attributes].every((a) => !/^on/i.test(a.name)));"
    )
    assert board["title"].replace("\u2028", "").replace("\u2029", "")[:6] in page.locator(
        ".title"
    ).text_content().replace("\u2028", "").replace("\u2029", "")
    assert not page.problems


STATES = {
    "start": ("parabola", 0),
    "mid-forward": ("parabola", 2),
    "mid-reverse": ("parabola", 8),
    "finished": ("parabola", 16),
    "arrays": ("regression", 14),
    "cut": ("broken", 5),
    "not a number": ("vector", 4),
    "folded": ("folded", 300),
    "prompt": ("asked", 13),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(stage, accessible, scheme):
    """No violation in any state: start, forward, reverse, prompt, finished, arrays, cut; also with
    the menu open and large type.
    """
    boards = {name: make() for name, make in handmade.BOARDS.items()} | {"folded": loop(100)}
    page = stage(*boards.values(), color_scheme=scheme)
    for state, (name, k) in STATES.items():
        place = f"#p{list(boards).index(name)}"
        page.evaluate(
            "([place, k]) => document.querySelector(place + ' .minitape').player.go(k)", [place, k]
        )
        if state == "prompt":
            page.locator(f"{place} button.step").click()
            page.locator(f"{place} input.answer").fill("2")
            page.keyboard.press("Enter")
        if state == "arrays":
            page.locator(f"{place} .top-bar > button.icon-button").click()
            page.locator(place).get_by_label("Large type").check()
        page.wait_for_timeout(50)
        accessible(page, place)


@pytest.mark.parametrize("media", [{"forced_colors": "active"}, {"reduced_motion": "reduce"}])
def test_forced_colours_and_reduced_motion(stage, accessible, media):
    page = stage(handmade.parabola(), **media)
    go(page, 12)
    page.keyboard.press("ArrowRight")
    accessible(page, "main")
    shown = page.player(
        "return getComputedStyle(p.root.querySelector('.edge.carried .edge-line')).stroke;"
    )
    assert shown not in ("none", "rgba(0, 0, 0, 0)")
    page.locator("button.step").click()
    if "reduced_motion" in media:
        assert page.locator(".traveller").count() == 0


@pytest.mark.parametrize("width, zoom", [(1024, 1), (1024, 2), (1400, 1), (420, 1)])
def test_nothing_is_cut_off(stage, width, zoom):
    """The player itself never scrolls sideways; its panes may."""
    page = stage(handmade.regression(), style=f"body {{ margin: 8px; zoom: {zoom}; }}", width=width)
    go(page, 14)
    assert page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1"
    )
    over = page.player("""const box = p.root.getBoundingClientRect(); return [...p.root.querySelectorAll('button, .caption, .pane-name')].filter((n) => !n.hidden && n.offsetParent
        && !n.closest('.strip-scroll, .graph-scroll, .code-scroll, .menu[hidden]') && n.getBoundingClientRect().right > box.right + 1).map((n) => n.className);""")
    assert over == []


def test_hidden_panes_large_type_and_links(stage):
    page = stage(
        {"storyboard": handmade.parabola(), "options": {"link": "k5.hide-code-graph.large"}}
    )
    assert page.player("return p.k;") == 5
    assert (
        page.locator(".pane.code").is_hidden()
        and page.locator(".pane.graph").is_hidden()
        and page.locator(".pane.tape").is_visible()
    )
    assert page.locator(".player.large").count() == 1
    page.locator(".top-bar > button.icon-button").click()
    assert page.locator(".link-text").input_value() == "k5.hide-code-graph.large"
    page.get_by_role("checkbox", name="Graph").check()
    assert page.locator(".pane.graph").is_visible()
    assert page.locator(".link-text").input_value() == "k5.hide-code.large"
    page.evaluate("location.hash = '#p0=k3'")
    page.reload()
    page.wait_for_function("window.minitape")
    assert page.player("return p.k;") == 3


@pytest.mark.parametrize(
    "language, said", [("en", "Not understood in the link"), ("fr", "lien non comprise")]
)
def test_a_link_that_cannot_be_read_falls_back_and_says_so(stage, accessible, language, said):
    page = stage(
        {
            "storyboard": handmade.parabola() | {"language": language},
            "options": {"link": "k5.hide-grahp.<b>wide"},
        }
    )
    assert page.player("return p.k;") == 5 and page.locator(".pane.graph").is_visible()
    assert (
        said in page.locator(".unread").text_content()
        and all(word in page.locator(".unread").text_content() for word in ("grahp", "<b>wide"))
        and page.locator(".unread b").count() == 0
    )
    accessible(page, "main")
    page.evaluate("location.hash = '#p0=k3'")
    page.reload()
    page.wait_for_function("window.minitape")
    assert page.player("return p.k;") == 3 and page.locator(".unread").count() == 0
    page.evaluate("location.hash = '#kernel-methods'")  # a heading of the page, not a view
    page.reload()
    page.wait_for_function("window.minitape")
    assert page.player("return p.k;") == 5
    assert not page.problems


@pytest.mark.parametrize(
    "start, at",
    [
        ("play", [3, 10]),
        ("end", [6, 16]),
        (-1, [6, 16]),
        ("soon", [0, 0]),
        (1.5, [0, 0]),
        (None, [0, 0]),
    ],
)
def test_a_pair_starts_where_it_is_told(stage, start, at):
    page = stage(
        {
            "pair": [handmade.broken(), handmade.parabola()],
            "options": {"start": start, "hide": "graph", "large": "yes"},
        }
    )
    found = page.player("return p.players.map((q) => q.k);")
    assert (
        found == at
        if at[1] != 10
        else found
        == page.player(
            "return [0, 1].map((i) => minitape.inStep ? p.players[i].words.index.recording : 0);"
        )
    )
    assert page.locator(".pane.graph").count() == 2 and page.locator(".player.large").count() == 0
    assert not page.problems


def test_a_packed_trace_opens(stage):
    from minitape_widgets.packing import pack

    packed = pack({"storyboard": handmade.chain(800), "options": {"start": 7}})
    page = stage(handmade.parabola())
    assert "deflate" in packed
    page.evaluate(
        "trace => { document.querySelector('.minitape').remove(); minitape.show(document.querySelector('main'), trace); }",
        packed,
    )
    page.locator(".minitape .player").wait_for()
    assert page.player("return p.k;") == 7


def quickest(measure, bound):
    """Measures once; where that takes too long, as on a machine that is busy at this moment, twice
    more. Returns the least.
    """
    took = measure()
    return took if took < bound else min(measure(), measure())


@pytest.mark.parametrize(
    "make, opening, stepping",
    [
        (lambda: handmade.chain(1000), 1.0, 0.05),
        (lambda: loop(500), 1.0, 0.05),
        pytest.param(lambda: loop(5000), 2.0, 0.1, marks=pytest.mark.long),
    ],
    ids=["1,000 unfolded", "1,000 folded", "10,000 folded"],
)
def test_large_tapes(stage, make, opening, stepping):
    """1,000 operations open within a second and step within 50 ms; 10,000 open folded, and never
    freeze the tab.
    """
    board = make()
    page = stage(handmade.parabola())
    slow = 2  # this machine may be busy with other things
    opened = lambda: page.evaluate(
        """(text) => new Promise((done) => { const board = JSON.parse(text); document.querySelector('.minitape').remove(); const start = performance.now();
        const place = document.querySelector('main'); minitape.show(place, {storyboard: board, options: {start: 5}});
        requestAnimationFrame(() => setTimeout(() => done((performance.now() - start) / 1000), 0)); })""",
        json.dumps(board),
    )
    assert (took := quickest(opened, opening * slow)) < opening * slow, took
    stepped = lambda: (
        page.evaluate("""async () => { const p = document.querySelector('.minitape').player, times = [];
        for (const k of [6, 7, 8, 9, p.total - 3, p.total - 2, p.total - 1]) { const start = performance.now(); p.go(k); p.root.getBoundingClientRect();
        times.push((performance.now() - start) / 1000); await new Promise((r) => setTimeout(r, 5)); } return times; }""")
    )
    middle = lambda times: sorted([*times[1:4], *times[5:]])[2]
    assert (took := quickest(lambda: middle(stepped()), stepping * slow)) < stepping * slow, took
    assert page.locator(".card").count() < 60, "only the cards in view are in the page"


def test_a_step_touches_only_what_it_changes(stage):
    page = stage(handmade.chain(300))
    changes = page.evaluate("""async () => { const p = document.querySelector('.minitape').player, found = []; p.go(p.total - 9);
        const observer = new MutationObserver(() => {}); observer.observe(p.root.querySelector('.graph-svg'), {subtree: true, childList: true, attributes: true});
        for (let k = p.total - 8; k < p.total - 3; k++) { p.go(k);
          found.push(observer.takeRecords().reduce((n, r) => n + r.addedNodes.length + r.removedNodes.length + (r.type === 'attributes' ? 1 : 0), 0)); }
        return found; }""")
    assert page.locator(".badges .pill").count() > 250 and max(changes) < 60, changes


def test_an_empty_tape_and_an_unknown_version(stage):
    board = handmade.Hand("with tf.GradientTape() as tape:\n    pass")
    empty = board.board | {"drawings": []}
    page = stage(empty)
    assert "holds nothing" in page.locator(".caption").text_content()
    page.keyboard.press("ArrowRight")
    assert not page.problems
    page = stage(empty | {"version": 99})
    assert "another version" in page.locator(".minitape-refused").text_content()


def test_players_come_and_go_without_a_trace(stage):
    """Two hundred players made and removed: no element, no listener on the page, no growth of
    memory stays.
    """
    page = stage(handmade.parabola())
    session = page.context.new_cdp_session(page)

    def weight():
        session.send("HeapProfiler.collectGarbage")
        found = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
        return found["Nodes"], found["JSEventListeners"], found["JSHeapUsedSize"]

    session.send("Performance.enable")
    again = """(board) => { for (let i = 0; i < 50; i++) { const place = document.createElement("div"); document.body.append(place);
        const close = minitape.show(place, {storyboard: board, options: {start: 8}}); place.querySelector('.minitape').player.go(12); close(); place.remove(); } }"""
    page.evaluate(again, handmade.parabola())
    time.sleep(0.3)
    before = weight()
    for _ in range(4):
        page.evaluate(again, handmade.parabola())
    time.sleep(0.3)
    after = weight()
    assert after[0] <= before[0] * 1.2 + 500, (before, after)
    assert after[1] <= before[1] * 1.2 + 100, (before, after)
    assert after[2] <= before[2] * 1.5 + 2e6, (before, after)


def test_the_static_picture_stays_where_no_script_runs(open_page, tmp_path):
    trace = {"storyboard": handmade.parabola(), "options": {}}
    path = tmp_path / "still.html"
    path.write_text(
        "<!doctype html><html lang=en><title>t</title><body>"
        + export.place(trace, "<svg><text>still</text></svg>", "tape")
        + export.script()
    )
    page = open_page(path, javascript=False)
    assert page.locator(".minitape-still").is_visible()
    page = open_page(path)
    page.locator(".player").wait_for()
    assert page.locator(".minitape-still").count() == 0
    assert re.search("x was used|Press|Step", page.locator(".player").text_content())
