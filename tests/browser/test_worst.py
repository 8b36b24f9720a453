"""Traces, cards and trainings at their limits: each is shown within half a second, and what is a
little larger is refused.

How long it takes is counted in elements, which do not depend on the machine, and in the seconds for
which the page was busy.
"""

import json

import pytest

import minitape as tf
from minitape import schemas
from minitape_widgets import module, pitfalls, play
from minitape_widgets.pitfalls.card import PAGE
from minitape_widgets.player import unpack
from tests.browser.pages import busy_of

pytestmark = pytest.mark.browser

ELEMENTS = 40_000
SECONDS = 2.0  # of the processor: 0.5 where nothing else runs
SHOW = """async () => {
    const place = document.querySelector("#place"), close = minitape.show(place, JSON.parse(text), () => false);
    await new Promise((done) => setTimeout(done));                    // a card is shown in a task of its own
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const hosts = [...place.querySelectorAll(".minitape")];
    const refused = place.querySelectorAll(".minitape-refused").length;
    const found = hosts.length ? hosts[0].shadowRoot.querySelectorAll("*").length : -refused;
    close();
    place.replaceChildren();
    return found;
}"""


@pytest.fixture
def opener(open_page, tmp_path):
    """opener(entry)(data): how many elements show the data, -1 where they are refused, and for how
    long the page was busy.
    """

    def page_of(entry=module.ENTRY):
        path = tmp_path / "page.html"
        path.write_text(
            "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><body><div "
            "id=place></div><script type=module>"
            f"{module.source(entry)}\nwindow.minitape = {{ show }};</script></body></html>",
            encoding="utf-8",
        )
        page = open_page(path)
        page.wait_for_function("window.minitape")
        busy = busy_of(page)

        def opened(data):
            page.evaluate("(text) => { window.text = text; }", json.dumps(data))
            before = busy()
            found = page.evaluate(SHOW)
            return found, busy() - before

        opened.page = page
        return opened

    return page_of


def refused(opened, data):
    found, seconds = opened(data)
    assert found == -1 and seconds < SECONDS


def shown(opened, data):
    found, seconds = opened(data)
    assert 0 < found < ELEMENTS and seconds < SECONDS, (found, seconds)


PROSE = "`a` " * 500
SHORT = "\n".join(["([1([1([1([1 ([1 ([1"] * 300)
LONG = "\n".join([("([1" * 200)[:399]] * 20)


def card(**fields):
    view = pitfalls.show("numpy-escape")
    given = unpack(view.payload)
    view.close()
    return {**given, "card": {**given["card"], **fields}}


def largest(code, marks):
    """A card of which everything is as large as it may be."""
    return card(
        title=PROSE,
        question=PROSE,
        symptom=PROSE,
        rule=PROSE,
        bites=PROSE,
        codes=[code, code],
        marks=[marks, marks],
        choices=[{"text": PROSE, "says": PROSE}] * 10,
        notes=[[PROSE, "a\n" * 2000]] * 4,
        answers=[["a" * 200, "a " * 2000]] * 2,
        told={"place": PROSE, "why": PROSE, "fix": PROSE},
    )


def test_cards(opener):
    opened = opener(PAGE)
    shown(opened, card())
    for code, marks in (
        (SHORT, [[k + 1, 0, 3] for k in range(300)] * 6),
        (LONG, [[k % 20 + 1, k % 399, k % 399 + 1] for k in range(2000)]),
        (LONG, [[1, 0, 3]] * 2000),
    ):
        shown(opened, largest(code, marks))
    for fields in (
        {"codes": ["([" * 50_000, ""]},
        {"codes": ["a\n" * 200_000, ""]},
        {"codes": ["a\n" * 300, ""]},
        {"codes": ["a" * 401, ""]},
        {"marks": [[[1, 0, 1]] * 2001, []]},
        {"title": "`a` " * 500_000},
        {"choices": [{"text": "a", "says": "b"}] * 11},
        {"notes": [["a", "b"]] * 5},
        {"right": 10},
        {"words": {}},
        {"codes": {"split": 1}},
    ):
        refused(opened, card(**fields))
    refused(opened, {"card": {}})
    refused(opened, {"card": None, "play": None})


@pytest.fixture(scope="module")
def board():
    """A small storyboard, whose code is 40 lines long."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3 * x
    found = json.loads(json.dumps(play(tape, y, x, predict=True).storyboard))
    found["sources"] = [{"name": "cell", "text": "a = 1\n" * 40, "lines": None}]
    for part in ("nodes", "cards", "notes", "frames"):
        for one in found[part]:
            one["where"] = one["back"] = None
    return found


def code(text):
    return {"sources": [{"name": "cell", "text": text, "lines": None}]}


def at_the_limits(board):
    """(what is changed of a storyboard, how it gets larger than it may be, or None)."""
    limits = {
        name: each["maxItems"]
        for name, each in schemas.schema("trace")["$defs"]["Storyboard"]["properties"].items()
        if "maxItems" in each
    }
    drawing = board["drawings"][0]
    box, line, frame = drawing["nodes"][0], drawing["edges"][0], board["frames"]
    boxes = [{**box, "x": k % 1000, "y": k // 10} for k in range(2501)]
    curve = {**line, "points": [[k % 1000, k % 77] for k in range(997)]}
    aside = {"frame": 0, "text": {"en": "`a` " * 150}}
    yield code("([" * 99_000), code("([" * 100_001)
    yield code(("([" * 33 + "\n") * 2_900), code("\n" * 3000)
    yield code("a = 1\n" * 2_999), code("a" * 500_001)
    yield (
        {"drawings": [{**drawing, "nodes": boxes[:2500]}]},
        {"drawings": [{**drawing, "nodes": boxes}]},
    )
    yield (
        {"drawings": [{**drawing, "edges": [line] * 6000}]},
        {"drawings": [{**drawing, "edges": [line] * 6001}]},
    )
    yield (
        {"drawings": [{**drawing, "edges": [curve] * 100}]},
        {"drawings": [{**drawing, "edges": [curve] * 101}]},
    )
    yield {"asides": [aside] * 100}, {"asides": [aside] * 101}
    for part, one in (
        ("tapes", board["tapes"][0]),
        ("chapters", {"title": "a", "frame": 0, "loss": 0, "group": None}),
        ("cards", board["cards"][0]),
    ):
        yield (
            {part: [*board[part], *[one] * (limits[part] - len(board[part]))]},
            {part: [one] * (limits[part] + 1)},
        )
    yield {"frames": frame * (limits["frames"] // len(frame))}, None


def test_traces(opener, board):
    opened = opener()
    shown(opened, {"storyboard": board})
    for most, more in at_the_limits(board):
        shown(opened, {"storyboard": {**board, **most}})
        if more:
            refused(opened, {"storyboard": {**board, **more}})
    covered = {**board["cards"][0], "where": [0, 1, 0, 3000, 1]}
    refused(opened, {"storyboard": {**board, **code("\n" * 2999), "cards": [covered] * 200}})


DRAWN = """async (trace) => {
    const place = document.querySelector("#place"), set = Element.prototype.setAttribute, make = document.createElementNS;
    let made = 0, again = 0;
    document.createElementNS = (...names) => { made += 1; return make.apply(document, names); };
    Element.prototype.setAttribute = function (name, value) {
        again += this.matches(".graph-svg") && this.getAttribute(name) === String(value);
        set.call(this, name, value);
    };
    const close = minitape.show(place, trace, () => false);
    document.createElementNS = make;
    Element.prototype.setAttribute = set;
    const kept = place.querySelector(".minitape").shadowRoot.querySelectorAll("svg, svg *").length;
    close();
    return [made, kept, again];
}"""


@pytest.fixture(scope="module")
def large():
    """A storyboard with a picture of 300 boxes."""
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(100):
            y = y * 1.001 + x
    return json.loads(json.dumps(play(tape, y, x, folded=False, engine="layers").storyboard))


def test_a_large_picture_is_drawn_once(opener, large):
    """It was drawn with letters of the usual size, measured, and drawn again; and to give it the size
    that it has laid out all of its text anew.
    """
    page = opener().page
    made, kept, again = page.evaluate(DRAWN, {"storyboard": large})
    assert 2000 < kept and made < 1.2 * kept and not again, (made, kept, again)


def styled(page, act):
    """How many elements the browser gives a style during an act, each as often as it does so."""
    session, events, ended = page.context.browser.new_browser_cdp_session(), [], []
    session.on("Tracing.dataCollected", lambda some: events.extend(some["value"]))
    session.on("Tracing.tracingComplete", lambda told: ended.append(told))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": ["devtools.timeline"]}})
    act()
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    session.detach()
    return sum(event.get("args", {}).get("elementCount", 0) for event in events)


def test_a_large_picture_is_styled_once(opener, large):
    """What stands behind a :has() was looked for among all boxes at each that was shown or hidden."""
    opened, found = opener(), []
    count = styled(opened.page, lambda: found.append(opened({"storyboard": large})[0]))
    assert 1000 < count < 2 * found[0], (count, found)


UNARRANGED = """(trace) => {
    const place = document.querySelector("#place"), usual = window.getComputedStyle;
    const lines = () => place.querySelector(".minitape").shadowRoot.querySelectorAll(".line").length;
    let before = 0, looks = 0;
    window.getComputedStyle = (...given) => {
        const stage = place.querySelector(".minitape")?.shadowRoot.querySelector(".stage");
        if (stage?.className === "stage") [before, looks] = [Math.max(before, lines()), looks + 1];
        return usual(...given);
    };
    const close = minitape.show(place, trace, () => false);
    window.getComputedStyle = usual;
    const found = [looks, before, lines()];
    close();
    return found;
}"""


def test_lines_are_laid_out_in_the_room_that_they_have(opener, board):
    """They were laid out before, in a pane without a width: thousands of them, for nothing."""
    page = opener().page
    given = {"storyboard": {**board, **code("a = 1\n" * 2000)}}
    looks, before, after = page.evaluate(UNARRANGED, given)
    assert looks and not before and after == 2001, (looks, before, after)
