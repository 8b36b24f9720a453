"""What is loaded before anybody needs it: each wait of a learner may load so many of our modules.

Modules are counted, not seconds: their number is the same on every machine. Whoever needs one more
raises the number, and has seen that all wait for it.
"""

import subprocess
import sys

import pytest

LESSON = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell('''import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, compare, play

%load_ext minitape_widgets''').raise_error()
"""
EXPLAIN = """
from minitape.explain.script import main
from minitape.health.script import looking_on
from minitape.recorders.tensorflow import watched_if_used
"""
TAPE = """
import minitape as tf
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
tape.gradient(y, x)
"""
LOADED = "\nimport sys\nprint(*sys.modules)"


@pytest.mark.parametrize(
    "program, most, never",
    [
        ("import minitape", 35, ["minitape.engine.gradient_tape", "minitape.engine.ops.sides"]),
        (TAPE, 53, ["minitape.api", "minitape.explain", "minitape.storyboard", "difflib"]),
        (EXPLAIN, 213, ["minitape.keras", "minitape.nn", "minitape.exercises", "difflib"]),
        (LESSON, 216, ["minitape.keras", "minitape.nn", "minitape.health", "numba"]),
    ],
    ids=["import", "tape", "explain", "lesson"],
)
def test_no_more_is_loaded_than_is_needed(program, most, never):
    found = subprocess.run(
        [sys.executable, "-c", program + LOADED], capture_output=True, text=True, check=True
    )
    loaded = found.stdout.split()
    ours = [name for name in loaded if name.startswith("minitape")]
    assert most - 10 < len(ours) <= most, (len(ours), sorted(ours))
    assert not set(never) & set(loaded)
