"""A program in a terminal, `python -m minitape explain train.py`: in a process of its own, which is a
copy of one that has loaded PyTorch, since loading it takes most of the time.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
copies = multiprocessing.get_context("forkserver")
copies.set_forkserver_preload(
    [
        "torch",
        "minitape.health.script",
        "minitape.explain.script",
        "minitape.recorders.torch.script",
    ]
)


def told(text, folder, copied=True):
    """Runs a program; returns its exit status and what was printed."""
    seeded = text.replace("\n", "; torch.manual_seed(0)\n", 1)
    (folder / "train.py").write_text(seeded, encoding="utf-8")
    if copied:
        process = copies.Process(target=_run, args=(str(folder),))
        process.start()
        process.join()
        return process.exitcode, (folder / "printed.txt").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "minitape", "explain", "train.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )
    return done.returncode, done.stdout + done.stderr


def _run(folder):
    """Does what `python -m` does."""
    os.chdir(folder)
    printed = os.open("printed.txt", os.O_CREAT | os.O_WRONLY)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    sys.argv, sys.path[0] = ["minitape", "explain", "train.py"], folder
    runpy.run_module("minitape", run_name="__main__", alter_sys=True)
