"""The fast path in processes of their own: the first that compiles, the second that finds it on
disk, one without numba.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

ROOT = Path(__file__).parents[2]
SOFTMAX = """
import time, numba, minitape as tf, minitape.jit
from minitape.jit import softmax, table
{before}
t = time.process_time(); minitape.jit.enable()
x = tf.constant([[1.0] * 300] * 300); tf.nn.softmax(x)
seconds, found = time.process_time() - t, softmax.softmax_rows.call.stats
print(seconds, sum(found.cache_hits.values()), sum(found.cache_misses.values()))
"""
NUMBA_ALONE = """
import time, numba, numpy as np
@numba.njit(cache=True)
def add(x, y):
    for i in range(x.size):
        x[i] += y[i]
t = time.process_time(); add(np.ones(3), np.ones(3))
print(time.process_time() - t)
"""


def run(text, errors=False, **environment):
    code = [str(text)] if isinstance(text, Path) else ["-c", text]
    done = subprocess.run(
        [sys.executable, *code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr if errors else done.stdout.strip()


def test_softmax_is_right_when_it_is_the_first_to_be_compiled(tmp_path):
    """A function called from a summing loop must not take over its freedom to reorder."""
    assert (
        run(
            "import numpy as np, minitape as tf\n"
            "x = np.random.default_rng(0).standard_normal((50, 60)).astype('f')\n"
            "e = np.exp(x.astype('d')); e /= e.sum(-1, keepdims=True)\n"
            "print(abs(tf.nn.softmax(x).numpy() - e).max() < 1e-6)",
            MINITAPE_NUMBA="1",
            NUMBA_CACHE_DIR=str(tmp_path),
        )
        == "True"
    )


def test_a_second_process_starts_from_the_cache(tmp_path):
    """What a second process pays is a fraction of compiling; where it takes longer than 0.3 s,
    numba's own start, measured in turn, must be slow as well: the machine is busy. A kernel
    compiled again would take several times as long.
    """
    alone = tmp_path / "alone.py"
    alone.write_text(NUMBA_ALONE)
    place, code = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}, SOFTMAX.format(before="")
    first, hits, misses = map(float, run(code, **place).split())
    assert (hits, misses) == (0, 1)
    run(alone, **place)
    seconds, starts = [], []
    for _ in range(3):
        second, hits, misses = map(float, run(code, **place).split())
        assert (hits, misses) == (1, 0)
        seconds.append(second)
        starts.append(float(run(alone, **place)))
    assert min(seconds) < first / 2 and min(seconds) < max(0.3, 2.5 * min(starts))


def test_only_compiling_is_announced(tmp_path):
    place, code = (
        {"NUMBA_CACHE_DIR": str(tmp_path)},
        SOFTMAX.format(before="table.announced.__wrapped__.__defaults__ = (0.0,)"),
    )
    place["MINITAPE_QUIET"] = ""
    assert "compiling softmax_rows for this machine" in run(code, errors=True, **place)
    assert run(code, errors=True, **place) == ""


@pytest.mark.parametrize("there", [False, True], ids=["none", "one that refuses"])
def test_without_numba_there_is_one_clear_message(there, tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs NumPy 2.2 or less')")
    numba = f"sys.path.insert(0, {str(tmp_path)!r})" if there else "sys.modules['numba'] = None"
    assert run(
        f"import sys; {numba}\n"
        "import minitape as tf, minitape.jit as jit\n"
        "print(jit.available())\n"
        "try: jit.enable()\n"
        "except ImportError as e: print('pip install minitape[jit]' in str(e))\n"
        "f = tf.function(lambda x: x * 2.0, jit_compile=True); f(tf.constant(1.0)); "
        "print(float(f(tf.constant(3.0))))"
    ).split() == ["False", "True", "6.0"]
