"""Right numbers without what the exercise is about are told so; another right way is not."""

import pytest

from minitape.exercises import exercise
from tests.exercises.answers import tried


def answered(name, edits):
    asked = exercise(name)
    return tried(asked, asked.prelude + "\n" + asked._program.edited(edits))


DIFFERENCE = (
    "(lambda f: (f(w + 1e-4) - f(w - 1e-4)) / 2e-4)(lambda w: np.sum(x * w + t / np.exp(x * w)))"
)


@pytest.mark.parametrize(
    ("name", "edits", "idea"),
    [
        ("15.back", {"(d_t1 * x).sum()": DIFFERENCE}, "by-trying"),
        ("15.back", {"(d_t1 * x).sum()": "x @ d_t1"}, None),
        ("03.sin", {"return": "g * (np.sin(x + 1e-6) - np.sin(x)) / 1e-6"}, "by-trying"),
        ("03.sin", {"return": "g * tf.cos(x)"}, None),
        ("03.sin", {"return": "g * np.cos(x), g * np.sin(x)"}, "how-many"),
        ("15.graph", {"dw": "tf.gradients(y, x)[0], tf.gradients(y, w)[0]"}, None),
        ("15.loop", {"x": "tf.constant(rate) if traces else rate"}, "mixed"),
        ("13.chain", {"small": "block", "costs(tape).kept": "costs(tape).kept // 3"}, "by-formula"),
        ("13.measure", {"with": "tf.stop_gradient(y), tape.stop_recording()"}, "no-block"),
        ("12.softplus", {"value": "tf.nn.softplus(x)"}, "ready-made"),
        ("12.softplus", {"value": "tf.maximum(x, 0.0) + tf.math.log1p(tf.exp(-tf.abs(x)))"}, None),
        ("11.by-rows", {"append": "tf.linalg.matvec(tape.jacobian(y, x), seed, True)"}, "by-jacobian"),
    ],
)  # fmt: skip
def test_right_numbers_are_not_enough(name, edits, idea):
    assert answered(name, edits).idea == idea


def test_a_repair_by_trying_is_told_that_no_tape_was_played():
    asked = exercise("10.outside")
    trying = """def bend(x):
    f = lambda v: np.sin(v) * v
    return (f(x + 0.1) - 2 * f(x) + f(x - 0.1)) / 0.1 ** 2
"""
    assert tried(asked, trying).idea == "untaped"


def test_a_graph_that_was_traced_before_is_asked_all_the_same():
    graph = exercise("15.graph")
    slopes = graph.defined(graph.right_code)
    assert graph.try_out(slopes).correct and graph.try_out(slopes).correct
