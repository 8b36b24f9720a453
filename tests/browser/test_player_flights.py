"""Numbers on their way: what is gathered flies row by row, and totals are no more exact than the tape."""

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from tests.browser.stage import go
from tests.browser.test_player_arrays import before, sends
from tests.browser.test_player_motion import at, finish, seen, step

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
