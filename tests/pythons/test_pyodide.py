"""Python in a browser: the units pass in Pyodide, which is CPython for WebAssembly, and every code
cell of every notebook runs there. Node stands for the browser.

Pyodide and NumPy are those of the site's lab. Both are kept in pytest's cache.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from notebooks.site.pyodide import core_of, numpy_of
from notebooks.site.versions import TESTED
from tests.test_tree import ROOT

pytestmark = [pytest.mark.long, pytest.mark.node, pytest.mark.timeout(7200)]
UNITS = {  # one start of Python each
    "engine": ["engine", "keras"],
    "explain": ["explain", "own_tape", "program"],
    "exercises": ["exercises"],
    "pictures": ["health", "memory", "storyboard"],
}
LEFT_OUT = {  # and why; what a single test needs and has not there, its mark `system` says
    "engine/test_interrupts.py": "signals, which timers send",
    "engine/test_mutation.py": "it tests the tests",
    "exercises/test_author.py": "authors work in a terminal",
    "exercises/test_engine.py::test_a_refusal_says_each_thing_once": "long: each wrong tape again",
    "exercises/test_engine.py::test_a_wrong_tape_is_shown": "long: each wrong tape again",
    "exercises/test_exercises.py::test_starter_solution": "long: its marks run each solution",
    "exercises/test_marks.py::test_a_wrong_answer_never": "long: each wrong answer again",
    "exercises/test_progress.py": "hard links, pipes, rights of files",
    "explain/test_edits.py": "timers; its programs are random",
    "program/test_odd_places.py": "pipes and processes",
}
# Python alone, in the newest versions that are: what runs tests and notebooks
PACKAGES = ["pytest", "hypothesis", "ipython", "ipywidgets", "anywidget", "psygnal", "wcwidth"]
ANYWHERE = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
# there is no file descriptor to capture, and no second thread to look at the clock
DEEP = "--stack-size=7000"  # of kB: tests nest formulas as nobody does
OPTIONS = "-q --capture=sys -p no:cacheprovider -o addopts=--import-mode=importlib -W ignore -rs"


@pytest.fixture(scope="module")
def pyodide(request, node_path):
    """A function that runs a module of Python in Pyodide, and returns the finished process."""
    folder = Path(request.config.cache.mkdir("pyodide"))
    wheels, site, compiled = (folder / name for name in ("wheels", "site", "compiled"))
    wheels.mkdir(exist_ok=True)
    compiled.mkdir(exist_ok=True)
    here = core_of(folder, TESTED)
    numpy_of(json.loads((here / "pyodide-lock.json").read_text("utf-8")), wheels, TESTED)
    if not site.exists():
        said([*PIP, "install", "--quiet", *ANYWHERE, f"--target={site}", *PACKAGES])

    def run(*module, **inside):
        script = Path(__file__).with_name("pyodide.mjs")
        command = [node_path, DEEP, script, here, wheels, ROOT, site, compiled, *module]
        environment = {**os.environ, "INSIDE": json.dumps(inside)}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, encoding="utf-8"
        )

    return run


def said(command):
    """Runs a command; what it said is the failure."""
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, f"{command[0]}: {ran.stdout}{ran.stderr}"


@pytest.mark.parametrize("part", UNITS)
def test_the_units_pass(pyodide, part):
    paths = [f"tests/{path}" for path in UNITS[part]]
    without = [f"--deselect=tests/{path}" for path in LEFT_OUT]
    ran = pyodide("pytest", *OPTIONS.split(), *without, *paths)
    sys.stdout.write(ran.stdout[-3000:])
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("folder", ["notebooks", "notebooks/fr"])
def test_every_cell_of_the_notebooks_runs(pyodide, folder):
    notebooks = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{folder}/*.ipynb"))
    ran = pyodide("tests.pythons.cells", *notebooks, MINITAPE_QUIET="1", MINITAPE_PROGRESS="")
    sys.stdout.write(ran.stdout[-3000:])
    assert notebooks and ran.returncode == 0, ran.stdout + ran.stderr
