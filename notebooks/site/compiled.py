"""What Python in the browser imports for a lesson's first picture, compiled when the site is made.

Python there keeps nothing that it has compiled: each visit would compile a thousand files anew, and
wait seconds for it. Which files these are, and their code, Pyodide itself says (`compiled.mjs`). A
compiled file stands in the place of its source, as in Pyodide's own packages. minitape keeps both: it
is there to be read.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from .pyodide import MADE, run, sum_of

HERE = Path(__file__).parent
READ = "minitape"  # the wheel whose sources stay
SERVED = ".data/data/share/"  # what a Jupyter server serves, and Python never reads


def compile_packages(folder: Path) -> None:
    """Compile what the packages of a folder that `pyodide.build` has made load first. Raises Missing
    where that fails, with what was said.
    """
    with tempfile.TemporaryDirectory(prefix="minitape-site-") as place:
        run(["node", HERE / "compiled.mjs", folder, place, HERE / "first.py"])
        made = {file.relative_to(place).as_posix(): file for file in Path(place).rglob("*.pyc")}
        for wheel in folder.glob("*.whl"):
            put(made, wheel)
    lock = folder / "pyodide-lock.json"
    told = json.loads(lock.read_text("utf-8"))
    for package in told["packages"].values():
        package["sha256"] = sum_of(folder / package["file_name"])
    lock.write_text(json.dumps(told, sort_keys=True), "utf-8")


def put(made: dict[str, Path], wheel: Path) -> None:
    """Write compiled files into a wheel."""
    compiled = {source_of(name): (name, file.read_bytes()) for name, file in made.items()}
    half = wheel.with_suffix(".half")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            name, source = part.filename, old.read(part)
            if name in compiled:
                beside, code = compiled[name]
                if wheel.name.startswith(READ):
                    new.writestr(zipfile.ZipInfo(beside, MADE), code, zipfile.ZIP_DEFLATED)
                else:
                    name, source = name + "c", code
            if SERVED not in name:
                new.writestr(zipfile.ZipInfo(name, MADE), source, zipfile.ZIP_DEFLATED)
    half.replace(wheel)


def source_of(compiled: str) -> str:
    """Return the name of the source of `a/__pycache__/b.cpython-312.pyc`, `a/b.py`."""
    path = PurePosixPath(compiled)
    return str(path.parents[1] / path.name.partition(".")[0]) + ".py"
