"""Errors of TensorFlow's and Keras' own that people meet around tapes: what is said of each, and that
it stays as it was. The programs are in `raised.txt`.
"""

import re
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import minitape.tensorflow
from minitape.explain.script import main
from minitape.recorders.tensorflow.raised import SAID, TABLE
from minitape.sentences import LANGUAGES

TEXT = Path(__file__).with_name("raised.txt").read_text(encoding="utf-8")
PROGRAMS = [
    (*re.match(r"(.*) \| (.*)\n", part).groups(), part.partition("\n")[2])
    for part in re.split(r"^#% ", TEXT, flags=re.M)[1:]
]


def raised(code, block):
    """Runs a program inside of a block; returns its error."""
    try:
        with block:
            exec(compile(code, "<program>", "exec"), {"tf": tf, "np": np, "__name__": "__main__"})
    except Exception as error:
        return error
    raise AssertionError("It raises nothing.")


def said(error):
    """Returns the first line of an error without what differs from run to run."""
    try:
        return re.sub(r"0x\w+|keras_tensor\w*|pyfunc_\d+|\(\w+:0\)", "", str(error)[:200])
    except ValueError:
        return ""


@pytest.mark.parametrize(("name", "variant", "code"), PROGRAMS, ids=[p[0] for p in PROGRAMS])
def test_what_is_to_be_done_stands_under_the_traceback(name, variant, code):
    plain = raised(code, nullcontext())
    error = raised(code, minitape.tensorflow.watch())
    assert (type(error).__name__, said(error)) == (type(plain).__name__, said(plain))
    notes = [n for n in getattr(error, "__notes__", ()) if n.startswith("minitape: ")]
    if variant == "none of these":
        assert not notes
    else:
        sentence = SAID("en")[variant].partition("{")[0]
        assert len(notes) == 1 and sentence in notes[0], notes


def test_every_sentence_is_met_and_there_in_each_language():
    met = {variant for _, variant, _ in PROGRAMS} | {"not-vectorized"}
    assert set(TABLE.values()) == met - {"none of these"}
    for language in LANGUAGES:
        assert set(TABLE.values()) == SAID(language).keys()


@pytest.mark.parametrize(
    ("name", "code", "output"),
    [
        ("custom too many", None, ""),
        ("custom variables not list", None, ""),
        ("keras tensor source", 1, "A KerasTensor holds no numbers. Watch the tensor"),
        ("target float", 1, "Stay inside of TensorFlow"),
    ],
)
def test_a_script_with_such_an_error(name, code, output, tmp_path, monkeypatch, capsys):
    """Where a rule of the program's own fails, the explainer has not failed."""
    program = next(text for n, _, text in PROGRAMS if n == name)
    ended, out = ran(
        "import numpy as np\nimport tensorflow as tf\n" + program, tmp_path, monkeypatch, capsys
    )
    assert ended == code and output in out and "report" not in out, out


def test_in_a_notebook_it_stands_there_too():
    from IPython.testing.globalipapp import start_ipython
    from IPython.utils.capture import capture_output

    shell = start_ipython()
    shell.run_line_magic("load_ext", "minitape_widgets")
    cell = next(text for name, _, text in PROGRAMS if name == "scaled_loss")
    with capture_output() as seen:
        shell.run_cell("%%tape\nimport tensorflow as tf\n" + cell)
    assert seen.stdout.count("minitape: In Keras 3 a LossScaleOptimizer") == 1, seen.stdout


JACOBIAN = """import tensorflow as tf
x = tf.Variable([[1.0, 2.0]])
with tf.GradientTape(persistent=True) as tape:
    y = x ** 3
    z = tf.reduce_sum(tf.constant(y.numpy()))
tape.jacobian(y, x)
tape.batch_jacobian(y, x)
tape.jacobian(y, x, experimental_use_pfor=False)
"""


@pytest.mark.parametrize(
    ("end", "code", "output"),
    [("", 0, "asked for no gradient"), ("tape.gradient(z, x)", 1, "takes y out of TensorFlow")],
)
def test_a_jacobian_of_a_script_is_not_blamed(end, code, output, tmp_path, monkeypatch, capsys):
    ended, out = ran(JACOBIAN + end, tmp_path, monkeypatch, capsys)
    assert ended == code and output in out and "no tensor" not in out, out


def ran(text, folder, monkeypatch, capsys):
    """Runs `explain` of a script; returns its exit status, None for an error, and what it says."""
    script = folder / "script.py"
    script.write_text(text)
    monkeypatch.setattr(sys, "argv", ["minitape"])
    monkeypatch.setattr(sys, "path", list(sys.path))
    ended = 0
    try:
        main([str(script)], minitape.recorders.watched_if_used)
    except SystemExit as error:
        ended = error.code
    except Exception:
        ended = None
    return ended, capsys.readouterr().out
