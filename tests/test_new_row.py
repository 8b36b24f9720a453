"""A row and its line of facts are all that readers need: each of them knows an operation just
added.

The page has the same test in `frontend/replay.test.js`, real TensorFlow's recorder in
`real_tensorflow/test_rows.py`.
"""

import pytest

import minitape as tf
from minitape.engine.ops.facts import FACTS, names_in_tensorflow
from minitape.health import watch
from minitape.memory import costs
from minitape.own_tape.given import operation
from minitape.storyboard import build
from minitape.storyboard.stage.formula import expression
from tests.engine import row_facts
from tests.engine.new_row import squash


@pytest.fixture
def row():
    with squash() as added:
        yield added


def tape_of(row, numbers):
    """Return a tape that holds the new row, its target and its source."""
    x = tf.Variable(numbers)
    with tf.GradientTape(persistent=True) as tape:
        y = row(x * 3.0)
    return tape, y, x


def test_a_picture_shows_its_formula_and_its_name(row):
    board = build(*tape_of(row, [0.5, -2.0]))
    (card,) = (card for card in board["cards"] if card["op"] == "Squash")
    assert card["formula"] == ["ȳ × square(1 - abs(y))"]
    assert expression("Squash", ["x"], None) == "squashed(x)"


@pytest.mark.parametrize("page", [True, False])
def test_the_page_gets_the_numbers_of_what_it_cannot_compute(row, page, monkeypatch):
    monkeypatch.setitem(FACTS, "Squash", FACTS["Squash"]._replace(page=page))
    board = build(*tape_of(row, [0.5, -2.0]))
    given = {board["nodes"][node]["card"] for node, _ in board["replay"]["numbers"]}
    computed = {card for card, message in enumerate(board["cards"]) if card not in given}
    assert (len(board["cards"]) - 1 in computed) is page


def test_health_finds_it_saturated(row):
    x, w, v = tf.constant([[1e4, -1e4]]), tf.Variable(tf.eye(2)), tf.Variable(tf.eye(2))
    with watch([w, v]) as seen:
        with tf.GradientTape() as tape:
            h = row(x @ w)
            loss = tf.reduce_sum(row(h @ v))
        tape.gradient(loss, [w, v])
    layers = seen.history.layers.values()
    assert [layer.columns["saturated"] for layer in layers] == [[1.0], [0.0]]


def test_an_explanation_knows_why_its_slope_is_0(row):
    tape, y, x = tape_of(row, 1e30)
    message = str(tape.explain(y, x))
    assert "is saturated" in message and "Make its input smaller" in message


def test_the_recorder_knows_what_tensorflow_calls_it(row):
    assert names_in_tensorflow()["Squash"] == "Squash"


def test_a_tape_of_ones_own_and_the_costs_know_it(row):
    assert operation("tf.squash") == "Squash"
    tape, _, _ = tape_of(row, [0.5, -2.0])
    assert costs(tape).cards[-1].needed == 8  # its rule keeps y, and nothing else


def test_a_check_says_what_is_lacking(row, monkeypatch):
    message = " ".join(row_facts.lacking(row))
    assert "There is no tf.nn.squashed." in message and "The page does not have it." in message
    monkeypatch.delitem(FACTS, "Squash")
    monkeypatch.setattr(row_facts, "rows_of_the_engine", lambda: {"Squash"})
    assert "has no line for it" in row_facts.lacking(row)[0]
