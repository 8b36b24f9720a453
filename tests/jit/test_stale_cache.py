"""Kernels on disk grow stale when a file changes from which they have inlined something, not only
when their own does.

A copy of minitape runs twice, with a change to an approximation in between, as an update would make
it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import numpy as np
from minitape.jit.activations import erf_forward
out = np.zeros(4, np.float32)
erf_forward(np.full(4, 0.5, np.float32), out)
print(round(float(out[0]), 4))
"""
OTHER = """

@njit
def erf(x):
    return x + TWO
"""


def test_a_changed_approximation_is_used(tmp_path):
    shutil.copytree(
        ROOT / "minitape", tmp_path / "minitape", ignore=shutil.ignore_patterns("__pycache__")
    )
    environment = dict(
        os.environ, PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache")
    )

    def run():
        command = [sys.executable, "-c", CODE]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert run() == "0.5205\n"
    with open(tmp_path / "minitape" / "jit" / "approximations.py", "a", encoding="utf-8") as file:
        file.write(OTHER)
    assert run() == "2.5\n"
