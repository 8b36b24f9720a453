"""The programs of a class: installed beside the environment of the tests, once per set of pins, and
found by a path of their own.
"""

import hashlib
import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from tests.beside import PIP, install, laid
from tests.test_tree import ROOT

PINS = Path(__file__).parent / "requirements.txt"
PROXY = "configurable-http-proxy@5.3.0"


def programs():
    """The folder with nbgrader, JupyterHub and nbgitpuller."""
    pins = [line for line in PINS.read_text().splitlines() if "==" in line]
    # nbgrader's, which newer Pythons leave out
    pins += [] if importlib.util.find_spec("setuptools") else ["setuptools"]
    name = f"classroom-{hashlib.sha256(chr(10).join(pins).encode()).hexdigest()[:12]}"
    return laid(name, lambda place: install(*PIP, "--no-deps", "--target", place, *pins))


def proxy():
    """The program configurable-http-proxy, which JupyterHub starts."""
    npm = shutil.which("npm")
    assert npm or os.environ.get("MINITAPE_REQUIRE_NODE") != "1", (
        "no npm was found, and MINITAPE_REQUIRE_NODE=1 asks for what needs it"
    )
    if not npm:
        pytest.skip("THE HUB WAS NOT TRIED: its proxy comes from npm, which was not found")
    place = laid(
        f"classroom-{PROXY.replace('@', '-')}",
        lambda place: install(npm, "install", "--silent", "--prefix", place, PROXY),
    )
    return place / "node_modules" / ".bin" / "configurable-http-proxy"


def environment(place, **more):
    """The environment of a program of the class that keeps its files in `place`: this checkout and
    the programs are found.
    """
    found = programs()
    own = ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    places = {name: str(place / name.lower()) for name in own}
    paths = [ROOT, ROOT / "widgets", found]
    return {
        **os.environ,
        **places,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "JUPYTER_PATH": str(found / "share" / "jupyter"),
        "JUPYTER_CONFIG_PATH": str(found / "etc" / "jupyter"),
        "PATH": f"{found / 'bin'}{os.pathsep}{os.environ['PATH']}",
        **more,
    }
