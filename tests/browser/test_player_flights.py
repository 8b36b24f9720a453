"""Numbers on their way: what is gathered flies row by row, totals are no more exact than the tape,
and no line is drawn through any.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from tests.browser.stage import go
from tests.browser.test_player_arrays import before, classifier, sends  # noqa: F401
from tests.browser.test_player_motion import FREEZE, PLACES, at, finish, seen, step

pytestmark = pytest.mark.browser
LIT_OVER = """const lit = [...p.root.querySelectorAll('.lit')].filter((n) => getComputedStyle(n.parentNode).opacity > 0.5);
    const over = (n, r) => { const b = n.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
        return r.left < x && x < r.right && r.top < y && y < r.bottom; };
    return lit.map((n) => n.getBoundingClientRect()).map((r) =>
        [...p.root.querySelectorAll(argument)].filter((n) => over(n, r)).map((n) => n.textContent).join(' ')).filter(Boolean);"""


def gather(axis):
    """A program that takes rows or columns, one of them twice."""
    with Film() as film:
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="table")
        with tf.GradientTape() as tape:
            taken = tf.gather(table, [1, 0, 1], axis=axis)
            loss = tf.reduce_sum(taken * taken)
        tape.gradient(loss, table)
    return develop(film)


@pytest.mark.parametrize(
    "axis, rows, sent",
    [
        (0, ["3. 4.", "1. 2.", "3. 4."], ["6. 8.", "2. 4.", "6. 8."]),
        (1, ["2. 4. 6.", "1. 3. 5.", "2. 4. 6."], ["4. 8. 12.", "2. 6. 10.", "4. 8. 12."]),
    ],
)
def test_what_is_gathered_lights_its_row_and_its_id(stage, axis, rows, sent):
    board = gather(axis)
    page = stage(board, width=964, height=768)
    back = before(board, "part", sends(board, "GatherV2", "table"))
    for k, lit in ((0, rows), (back, sent)):
        go(page, k)
        assert step(page)
        for turn, (row, index) in enumerate(zip(lit, "101", strict=True)):
            at(page, 180 * turn + 90)
            found = page.player(LIT_OVER, ":is(.node, .badges) .grid-number")
            assert row in found and index in found, (turn, found)
            flying = [text.lstrip("+") for text in seen(page, ".traveller .grid-number")]
            assert set(row.split()) <= set(flying)
        finish(page)


def test_a_total_has_no_digits_that_were_left_out(stage):
    """Of ū = -1.6667 a card has -1.667, and three of it came to -5.001."""
    with Film() as film:
        x = tf.constant([[3.0], [0.6], [1.0]])
        w = tf.Variable([[1.0]], name="w")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(x @ w * -5.0)
        tape.gradient(loss, w)
    board = develop(film)
    page = stage(board, width=964, height=768)
    go(page, before(board, "part", sends(board, "MatMul", "w")))
    assert step(page)
    flown = set()
    for time in range(0, 540, 20):
        at(page, time)
        flown |= set(seen(page, ".traveller .grid-number"))
    assert {"-5.", "-6."} < flown and "-5.001" not in flown and "-6.001" not in flown


def sums():
    """A bias of three rows, the mean of three numbers, of which two have four digits, and a product."""
    with Film() as film:
        x, w = tf.constant([[12.25], [1.16], [1.74]]), tf.Variable([[1.0, 2.0]], name="w")
        b = tf.Variable([0.0], name="b")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(x + b) + tf.reduce_sum(w @ tf.constant([[1.0], [4.0]]))
        tape.gradient(loss, [w, b])
    return develop(film)


def test_a_total_can_be_read_beside_what_is_added_to_it(stage):
    """The last number lay on it, and nobody saw what came of both; 15.15 was written 15.2."""
    board = sums()
    page = stage(board, width=964, height=768)
    cards = [card["op"] for card in board["cards"]]
    for k, time, flying in (
        (cards.index("Mean"), 200, ["12.25", "+1.16"]),
        (cards.index("Mean"), 340, ["13.41", "+1.74"]),
        (cards.index("Mean"), 500, ["15.15", "/3"]),
        (cards.index("MatMul"), 500, ["1.", "+8."]),
        (before(board, "part", sends(board, "Add", "b")), 500, ["0.667", "+0.3333"]),
    ):
        go(page, k)
        assert step(page)
        at(page, time)
        assert set(seen(page, ".flying")) == set(flying), time
        a, b = page.player(PLACES, ".flying text")
        assert abs(a["y"] - b["y"]) >= a["height"] - 4 or abs(a["x"] - b["x"]) >= a["width"], flying
        finish(page)


def test_on_the_way_back_a_product_says_which_numbers_meet(stage):
    """A formula is a guess to those who only look: the factor stands transposed beside the adjoint."""
    board = sums()
    page = stage(board, width=964, height=768)
    go(page, before(board, "part", sends(board, "MatMul", "w")) + 1)
    assert page.locator(".callout .grid").count() == 3
    assert seen(page, ".callout .grid-number") == ["1.", "1.", "4.", "1.", "4."]


def test_a_result_is_told_when_it_is_there(stage, classifier):  # noqa: F811
    page = stage(classifier, width=964, height=768)
    go(page, before(classifier, "record", lambda frame: frame["card"] == 2))  # relu
    assert step(page) and not seen(page, ".callout")
    finish(page)
    assert seen(page, ".callout .grid-number")[:4] == ["0.", "0.", "0.45", "1.35"]


def test_a_step_asks_for_places_before_it_writes(stage, classifier):  # noqa: F811
    """Each question about a size, asked after something was written, lays the page out once more."""
    page = stage(classifier, width=964, height=768)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    layouts = []
    while page.player("return p.k < p.total;"):
        found = []
        for code in ("", "p.go(p.k + 1);" + FREEZE.replace("return", "void")):
            frame = "requestAnimationFrame(() => setTimeout(done))"
            page.player(
                f"return new Promise((done) => requestAnimationFrame(() => {{ {code} {frame}; }}));"
            )
            metrics = session.send("Performance.getMetrics")["metrics"]
            found += [metric["value"] for metric in metrics if metric["name"] == "LayoutCount"]
        layouts.append(found[1] - found[0])
    assert len(layouts) == 30 and sum(layouts) < 6 * 30, layouts


# what a callout's line goes through, where it is drawn: texts that the callout itself does not cover
STRUCK = """const rect = (n) => n.getBoundingClientRect(), hit = ({ x, y }, r) => r.left < x && x < r.right && r.top + 2 < y && y < r.bottom - 2;
    const said = [...p.root.querySelectorAll('.callout > rect')].map(rect);
    const texts = [...p.root.querySelectorAll('.node:not([hidden]) text, .badges .pill text')].filter((n) => n.textContent.trim());
    return [...p.root.querySelectorAll('.callout-line')].flatMap((line) => { const m = line.getScreenCTM(), points = [];
        for (const [, a, b, c, d] of line.getAttribute('d').matchAll(/M(\\S+) (\\S+)L(\\S+) (\\S+)/g).map((found) => found.map(Number)))
            for (let t = 0; t <= 1; t += 1 / 64) points.push(new DOMPoint(a + t * (c - a), b + t * (d - b)).matrixTransform(m));
        const bare = points.filter((point) => !said.some((r) => hit(point, r)));
        return texts.filter((n) => bare.some((point) => hit(point, rect(n)))).map((n) => n.textContent); });"""


def test_no_line_of_a_callout_is_drawn_through_a_number(stage, classifier):  # noqa: F811
    """It goes on behind boxes and pills."""
    page = stage(classifier, width=964, height=625)
    struck, lines = {}, 0
    for k in range(len(classifier["frames"]) + 1):
        page.player("p.go(argument, true);", k)
        lines += page.locator(".callout-line").count()
        if found := page.player(STRUCK):
            struck[k] = found
    assert lines > 15 and not struck
