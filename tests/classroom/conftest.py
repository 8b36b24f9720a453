"""The programs of a class: installed beside the environment of the tests, once per set of pins, and found by a path of their own."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_tree import ROOT

PINS = Path(__file__).parent / "requirements.txt"
PROXY = "configurable-http-proxy@5.3.0"
OFFLINE = re.compile(r"Failed to establish a new connection|name resolution|ConnectTimeout|ENOTFOUND|EAI_AGAIN|ETIMEDOUT")


def install(*command):
    """Runs an installer; where it fails, the reason is said, and without a network at home the test is skipped."""
    done = subprocess.run(command, capture_output=True, text=True)
    said = f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    if done.returncode and OFFLINE.search(said) and not os.environ.get("CI"):
        pytest.skip(f"THE PROGRAMS OF A CLASS WERE NOT TRIED, because they could not be installed without a network: {said}")
    assert done.returncode == 0, f"the programs of a class could not be installed: {said}"


def laid(name, fill):
    """The folder of this name in the environment, filled by fill(folder) where it is not there yet: whole, or not at all."""
    place = Path(sys.prefix) / name
    if not place.exists():
        making = place.with_name(f"{name}.{os.getpid()}")
        shutil.rmtree(making, ignore_errors=True)
        fill(making)
        try:
            making.rename(place)
        except OSError:  # another process was quicker
            shutil.rmtree(making)
    return place


def programs():
    """The folder with nbgrader, JupyterHub and nbgitpuller."""
    pins = [line for line in PINS.read_text().splitlines() if "==" in line]
    pins += [] if importlib.util.find_spec("setuptools") else ["setuptools"]          # nbgrader's, which newer Pythons leave out
    name = f"classroom-{hashlib.sha256(chr(10).join(pins).encode()).hexdigest()[:12]}"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    return laid(name, lambda place: install(*pip, "--target", place, *pins))


def proxy():
    """The program configurable-http-proxy, which JupyterHub starts."""
    npm = shutil.which("npm")
    assert npm or os.environ.get("MINITAPE_REQUIRE_NODE") != "1", "no npm was found, and MINITAPE_REQUIRE_NODE=1 asks for what needs it"
    if not npm:
        pytest.skip("THE HUB WAS NOT TRIED: its proxy comes from npm, which was not found")
    place = laid(f"classroom-{PROXY.replace('@', '-')}", lambda place: install(npm, "install", "--silent", "--prefix", place, PROXY))
    return place / "node_modules" / ".bin" / "configurable-http-proxy"


def environment(place, **more):
    """The environment of a program of the class that keeps its files in `place`: this checkout and the programs are found."""
    found = programs()
    own = ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    places = {name: str(place / name.lower()) for name in own}
    paths = [ROOT, ROOT / "widgets", found]
    return {**os.environ, **places, "PYTHONPATH": os.pathsep.join(map(str, paths)), "JUPYTER_PATH": str(found / "share" / "jupyter"),
            "JUPYTER_CONFIG_PATH": str(found / "etc" / "jupyter"), "PATH": f"{found / 'bin'}{os.pathsep}{os.environ['PATH']}", **more}
