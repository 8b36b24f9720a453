"""Programs in odd places: named as no file can be named, read from a pipe, beside a module that is
called like one of Python's, and on consoles that have few letters.
"""

import os
import subprocess
import sys
from types import FunctionType

import numpy as np
import pytest

import minitape as tf
from minitape.program.files import file_of
from tests.test_tree import ROOT

PROGRAM = "def f(x):\n    return tf.round(x * 2.0)\n"
SCRIPT = """import minitape as tf
é = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.round(é * 3.0)
print(tape.gradient(y, é))
"""


def explained(function):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = function(x)
    assert tf.function(function)(x).numpy().tolist() == y.numpy().tolist()
    return tape.explain(y, x)


@pytest.mark.parametrize("name", ["\0", "\ud800", "a/b", "..", "\n", "x" * 5000])
def test_a_function_of_any_name(name):
    space = {"tf": tf}
    exec(PROGRAM, space)
    code = space["f"].__code__.replace(co_name=name, co_qualname=name)
    made = FunctionType(code, space, name)
    made.__qualname__ = name
    assert explained(made).category == "piecewise-constant"
    x = np.float32([1.0, 2.0])
    assert tf.function(made, jit_compile=True)(x).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "/", "\ud800.py", "x" * 5000])
def test_a_text_that_is_not_to_be_had_is_not_waited_for(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    space = {"tf": tf}
    exec(compile(PROGRAM, name, "exec"), space)
    assert file_of(name).lines == [] and explained(space["f"]).category == "piecewise-constant"


def test_a_warning_does_not_wait_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    program = f"exec(compile({SCRIPT!r}, 'pipe', 'exec'))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "None\n" and "pipe:5: NoneGradientWarning" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", [(), ("-m", "minitape", "explain", "--language", "fr")])
def test_a_script_beside_a_module_called_random_on_a_poor_console(command, encoding, tmp_path):
    for name in ("random", "tempfile", "secrets"):
        (tmp_path / f"{name}.py").write_text("print('mine')\n")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, *command, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding},
        capture_output=True,
    )
    said = (done.stdout + done.stderr).decode(encoding)
    assert done.returncode == bool(command), said
    assert "Traceback" not in said and "script.py, " in said and "mine" not in said
