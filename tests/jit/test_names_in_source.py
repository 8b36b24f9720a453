"""Names and lines of the learner in generated programs: whatever they hold, the program is one that
Python can read.
"""

import linecache
import re

import pytest

import minitape as tf
from minitape.compile.names import Namer

NAMES = [
    "x²",
    "①",
    "½",
    "µ",
    "μ",
    "ﬁ",
    "ſ",
    "Å",
    "K",
    "ⅷ",
    "༳",
    "if",
    "ⅰf",
    "a b",
    "",
    "2",
    "é",
    "é",
    "👩‍🔬",
    "\ud800",
    "\u0308",
]
BREAKS = [
    "\n",
    "\r",
    "\r\n",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
    "\0",
    "\ud800",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_any_kind_becomes_an_identifier(name):
    namer = Namer()
    first, second = namer(name), namer(name)
    assert first.isidentifier() and second.isidentifier()
    # as Python reads them
    assert (
        len({first, second} | set(compile(f"{first}, {second} = 1, 2", "", "exec").co_names)) == 2
    )


@pytest.mark.parametrize("names", [("µ", "μ"), ("x²", "x2"), ("①", "1"), ("ﬁ", "fi"), ("ſ", "s")])
def test_twins_of_one_name_stay_apart(names):
    holder = type("Holder", (), {})()
    holder.__dict__.update(
        {name: tf.Variable(float(k + 2), name="v") for k, name in enumerate(names)}
    )

    @tf.function
    def f(x):
        for v in vars(holder).values():
            x = x * v
        return x

    # from the second time on the program runs
    assert [float(f(tf.constant(1.0))) for _ in range(3)] == [6.0] * 3


@pytest.mark.parametrize("broken", BREAKS)
def test_no_line_of_the_learner_ends_its_comment(broken):
    file, lines = (
        f"<line with {broken!r}>",
        ["def f(x):\n", f"    y = x * x  # a{broken}raise SystemExit(9)\n", "    return y + 1.0\n"],
    )
    space = {}
    exec(compile("def f(x):\n    y = x * x\n    return y + 1.0\n", file, "exec"), space)
    linecache.cache[file] = (len("".join(lines)), None, lines, file)
    f = tf.function(space["f"])
    with tf.GradientTape() as tape:
        x = tf.constant(2.0)
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 4.0 and float(f(x)) == float(f(x)) == 5.0
    assert all(
        re.match(" *#| *[\\w, ]+ = |def |    return |$", line) for line in f.source().split("\n")
    )
    assert "raise" in f.source()
