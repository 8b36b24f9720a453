"""Random programs answer as TensorFlow did, whose answers are recorded: values, dtypes, shapes, None,
and the classes of errors.

`python -m tests.real_tensorflow.random_programs --record` asks TensorFlow again, and without
`--record` compares as many new programs as one likes.
"""

import json
from pathlib import Path

import pytest

import minitape
from minitape.engine.explainer import unwarned
from tests.engine.random_answers import answers, difference, hangs_on_rounding
from tests.engine.random_programs import written

RECORDED = json.loads((Path(__file__).parent.parent / "data" / "random_programs.json").read_text())


@pytest.mark.parametrize("seed, code, wanted", RECORDED, ids=lambda part: str(part)[:8])
def test_a_random_program_answers_as_tensorflow_did(seed, code, wanted):
    with unwarned():  # why a gradient is None takes longer than the programs
        found = answers(code, minitape)
    assert difference(wanted, found) is None, code


def test_the_recorded_programs_are_those_that_are_written_now():
    assert all(code == written(seed) for seed, code, _ in RECORDED[:20])


def test_a_difference_is_seen():
    ones = {"dtype": "float32", "shape": [2], "value": [1.0, 1.0]}
    for other in (
        None,
        "TypeError",
        [ones],
        ones | {"dtype": "float64"},
        ones | {"shape": [2, 1], "value": [[1.0], [1.0]]},
        ones | {"value": [1.0, 1.01]},
        ones | {"value": [1.0, float("nan")]},
    ):
        assert difference([("a", ones)], [("a", other)]) == ("a", ones, other)
    assert difference([("a", ones)], [("a", ones | {"value": [1.0, 1.0000001]})]) is None
    assert difference([("a", "ValueError")], [("a", "TypeError")]) is not None


def test_what_differs_on_purpose_is_told_from_a_difference():
    ints = {"dtype": "int32", "shape": [2], "value": [1, 1]}
    no = {"dtype": "bool", "shape": [1], "value": [False]}
    zero, nan = ({"dtype": "complex64", "shape": [], "value": v} for v in ("0j", "(nan+nanj)"))
    for a, b in (([ints, None], [None, None]), ("InvalidArgumentError", [no, None]), (zero, nan)):
        assert difference([("a", a)], [("a", b)]) is None
    for a, b in (([ints, None], [None, ints]), ("InvalidArgumentError", [ints, None]), (nan, zero)):
        assert difference([("a", a)], [("a", b)]) == ("a", a, b)


@pytest.mark.parametrize(
    "expression, hangs",
    [
        ("tf.floor(3.0 * tf.exp(tf.math.log(1 / 3.0)))", True),
        ("tf.sin(x) * 1e4 - tf.sin(x + 1e-7) * 1e4", True),
        ("tf.exp(x) / tf.exp(x) < 1.0", True),
        ("tf.round(x * 2.5) + tf.sqrt(4.0) // x", False),
        ("tf.exp(tf.sin(x))", False),
        ("tf.maximum(tf.exp(x), tf.identity(tf.exp(x)))", False),
    ],
)
def test_what_hangs_on_rounding(expression, hangs):
    code = f"x = tf.constant(1.0)\na = tried('a', lambda: {expression})\n"
    assert hangs_on_rounding(code, "a", minitape) == hangs
