"""A cure mends: its program runs with it, and the gradient that was asked for is there."""

import pytest

from tests.explain.mending import tried, wrong
from tests.explain.pasting import ran
from tests.explain.programs import Program

pytestmark = pytest.mark.filterwarnings("ignore")

CURED = 350  # so many programs of the corpora of one source have lines, at least


def test_of_the_cures_that_are_shown_nearly_all_mend():
    found = list(tried())
    failing = [f"{t.program} ({t.kind}): {t.wrong}\n    {t.lines}" for t in found if t.wrong]
    assert len(failing) <= 0.05 * len(found), "\n".join(failing)
    assert len({t.program for t in found if not t.program.startswith("several/")}) >= CURED


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("y = x * 2.0", ""),
        ("y = tf.constant(float(x)) * 2.0", "None"),
        ("y = tf.math.log(x - 3.0)", "not finite"),
        ("y = x.numpy().mean() * missing", "NameError: name 'missing' is not defined"),
    ],
)
def test_what_is_wrong_with_a_cure_is_said(line, said):
    program = Program(
        "wrong",
        "",
        "x = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = tf.constant(float(x))\n"
        "e = tape.explain(y, x)\n",
    )
    e, texts = ran(program)
    e.params["cure"] = [line]
    assert wrong(program, e, texts) == said


def test_a_cure_that_leaves_the_gradient_zero_does_not_mend():
    program = Program(
        "zero",
        "",
        "x = tf.Variable(-3.0)\nwith tf.GradientTape() as tape:\n    y = tf.nn.relu(x)\n"
        "g = tape.gradient(y, x)\ne = tape.explain(y, x)\n",
    )
    e, texts = ran(program)
    assert wrong(program, e, texts) == ""
    e.params["cure"] = ["y = tf.nn.relu(x + 1.0)"]
    assert wrong(program, e, texts) == "zero"
