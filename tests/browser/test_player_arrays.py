"""Small arrays in the graph: they are written with their numbers, large enough to be read, and their
motion shows what becomes of each: stretched, folded, copied, gathered, a row that meets a column.
"""

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from tests.browser.stage import go
from tests.browser.test_player_holding import drag
from tests.browser.test_player_motion import at, finish, seen, step

pytestmark = pytest.mark.browser
SCALED = "return [...p.root.querySelectorAll('.grid-number')].map((n) => parseFloat(getComputedStyle(n).fontSize) * n.getScreenCTM().a);"


@pytest.fixture(scope="module")
def line():
    """A line fitted to three points."""
    with Film() as film:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        w, b = tf.Variable([[0.5], [-1.0]], name="w"), tf.Variable([2.0], name="b")
        with tf.GradientTape() as tape:
            y = x @ w + b
            loss = tf.reduce_mean(y**2)
        tape.gradient(loss, [w, b])
    return develop(film)


def before(board, act, wanted):
    """The moment before the first act of this kind that is as `wanted` says."""
    return next(
        k for k, frame in enumerate(board["frames"]) if frame["act"] == act and wanted(frame)
    )


def sends(board, op, name):
    """Says of a part whether a card of this operation sends it to what has this name."""
    return lambda frame: (
        board["cards"][frame["card"]]["op"] == op and board["nodes"][frame["node"]]["label"] == name
    )


def test_numbers_are_large_enough(stage, line):
    page = stage(line, width=1366, height=768)
    go(page, len(line["frames"]))
    sizes = page.player(SCALED)
    assert len(sizes) > 30 and min(sizes) >= 11, sizes
    assert "[2×1]" not in page.locator(".caption").text_content()
    grid = page.locator(".caption svg")
    assert grid.get_attribute("aria-label") == "[[-5.667] [-6.667]]"


def test_a_stretched_number_is_folded_and_counts_up(stage, line):
    page = stage(line)
    go(page, before(line, "part", sends(line, "Add", "b")))
    assert step(page)
    counted = []
    for time in (255, 400, 535):
        at(page, time)
        counted.append(seen(page, ".traveller .grid-number"))
    assert counted[0] == ["0.3333", "-0.3333"]  # one is there, the next one flies
    assert counted[1] == counted[2] == ["0.", "-1."]  # two have made 0, the last one flies
    assert "-1." not in seen(page, ".badges .pill-part .grid-number"), "shown before its cause"
    finish(page)
    assert "-1." in seen(page, ".badges .pill-part .grid-number")


def test_a_row_meets_a_column(stage, line):
    page = stage(line)
    go(page, before(line, "record", lambda frame: line["cards"][frame["card"]]["op"] == "MatMul"))
    assert step(page)
    for time, numbers in ((90, ["-1.5"]), (270, ["-1.5", "-2.5"]), (450, ["-1.5", "-2.5", "-3.5"])):
        at(page, time)
        assert len(seen(page, ".lit")) == 3, "a row, a column and their number"
        assert [
            n for n in seen(page, ".node .grid-number") if n in ("-1.5", "-2.5", "-3.5")
        ] == numbers
    finish(page)
    go(page, before(line, "part", sends(line, "MatMul", "w")))
    assert step(page)
    at(page, 100)
    boxes = page.player(
        "return [...p.root.querySelectorAll('.lit')].filter((n) => getComputedStyle(n.parentNode).opacity > 0.5)"
        ".map((n) => [Number(n.getAttribute('width')), Number(n.getAttribute('height'))]);"
    )
    assert len(boxes) == 3 and sum(height > 40 for _, height in boxes) == 2, "two columns of three"


def test_a_cell_is_drawn_along(stage, line):
    page = stage(line)
    go(page, len(line["frames"]))
    cell = page.locator(".node.holds-cells .grid-cell[data-cell='1']").first  # of w
    numbers = "return [...p.root.querySelectorAll('.node.holds-cells')][0].querySelectorAll('.grid-number')[argument].textContent;"
    assert page.player(numbers, 1) == "-1."
    drag(page, cell, 40)
    assert page.player(numbers, 1) == "0." and page.player(numbers, 0) == "0.5"
    shown = page.player(
        "return [...p.root.querySelectorAll('.node .grid-number')].map((n) => n.textContent);"
    )
    assert "2.5" in shown and "3.5" in shown and "4.5" in shown, "y = x[:, 0] / 2 + 2"
    drag(page, page.locator(".node.holds-cells .grid-cell[data-cell='1']").first, -4 * 120)
    assert page.player(numbers, 1) == "-12.", "a longer number has its room, and goes on"


def test_a_jump_shows_the_same_as_a_step(stage, line):
    page = stage(line)
    markup = "return p.root.querySelector('.graph-svg .badges').innerHTML;"
    for k in range(len(line["frames"])):
        go(page, k)
        if step(page):
            finish(page)
        stepped = page.player(markup)
        go(page, 0)
        go(page, k + 1)
        assert page.player(markup) == stepped, k
