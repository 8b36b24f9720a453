"""Python in a browser: the units pass in Pyodide, which is CPython for WebAssembly, and every code
cell of every notebook runs there, in one language. Node stands for the browser.

Pyodide and NumPy are those of the site's lab. Both are kept in pytest's cache.
"""

import io
import json
import os
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from token import NAME, NUMBER, OP

import pytest

from notebooks.site.pyodide import core_of, numpy_of
from notebooks.site.versions import TESTED
from tests.test_tree import ROOT

pytestmark = [pytest.mark.long, pytest.mark.node, pytest.mark.timeout(7200)]
UNITS = (  # in one start of Python
    "engine",
    "exercises",
    "explain",
    "health",
    "keras",
    "memory",
    "own_tape",
    "program",
    "storyboard",
)
LEFT_OUT = {  # and why; what a single test needs and has not there, its mark `system` says
    "engine/test_interrupts.py": "signals, which timers send",
    "engine/test_mutation.py": "it tests the tests",
    "engine/test_one_row.py": "so does `make check`, in a terminal",
    "exercises/test_author.py": "authors work in a terminal",
    "exercises/test_engine.py::test_a_refusal_says_each_thing_once": "long: each wrong tape again",
    "exercises/test_engine.py::test_a_wrong_tape_is_shown": "long: each wrong tape again",
    "exercises/test_engine.py::test_of_two_ideas": "long: each wrong tape again",
    "exercises/test_exercises.py::test_starter_solution": "long: its marks run each solution",
    "exercises/test_kinds.py::test_wrong_solutions": "long: each wrong answer again",
    "exercises/test_marks.py::test_a_wrong_answer_never": "long: each wrong answer again",
    "exercises/test_progress.py": "hard links, pipes, rights of files",
    "explain/test_edits.py": "timers; its programs are random",
    "explain/test_large.py::test_the_work_grows": "it counts calls: as many anywhere",
    "health/test_watch.py::test_ten_thousand": "it counts bytes: as many anywhere",
    "own_tape/test_worst_tapes.py::test_a_long_tape": "it counts lines: as many anywhere",
    "program/test_odd_places.py": "pipes and processes",
    "storyboard/test_reasons.py::test_the_picture": "long: it compares two texts of one answer",
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


def test_the_units_pass(pyodide):
    without = [f"--deselect=tests/{path}" for path in LEFT_OUT]
    ran = pyodide("pytest", *OPTIONS.split(), *without, *(f"tests/{path}" for path in UNITS))
    sys.stdout.write(ran.stdout[-3000:])
    assert ran.returncode == 0, ran.stdout + ran.stderr


def code_of(notebook):
    """What the cells of a notebook do, whatever they say and in which language."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    parts = tokenize.generate_tokens(io.StringIO(code).readline)
    bare = " ".join(part.string for part in parts if part.type in (NAME, NUMBER, OP))
    spoken = r"from minitape \. sentences import set_language|set_language \( \)"
    return re.sub(spoken, "", bare).split()


def chosen():
    """Each notebook in one of its languages, the next in the other; in both where they do not do
    the same.
    """
    for number, english in enumerate(sorted((ROOT / "notebooks").glob("*.ipynb"))):
        both = [english, english.parent / "fr" / english.name]
        same = code_of(both[0]) == code_of(both[1])
        yield from both[number % 2 :][:1] if same else both


def test_every_cell_of_the_notebooks_runs(pyodide):
    notebooks = [path.relative_to(ROOT).as_posix() for path in chosen()]
    ran = pyodide("tests.pythons.cells", *notebooks, MINITAPE_QUIET="1", MINITAPE_PROGRESS="")
    sys.stdout.write(ran.stdout[-3000:])
    assert len(notebooks) > 20 and ran.returncode == 0, ran.stdout + ran.stderr
