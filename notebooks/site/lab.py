"""Build the lab of the site: JupyterLite with the lessons, and Python for the browser.

    python -m notebooks.site.lab dist/site             makes dist/site/lab and dist/site/pyodide
    python -m notebooks.site.lab dist/site --newest    with the newest versions, as GitHub publishes it

A lesson opens at `lab/lab/index.html?path=00_start_here.ipynb`, a French one at `?path=fr/...`. The
folder is served as it is, under any prefix. What was fetched stays in `build/site`, or in the folder
that `--cache` names.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from minitape.sentences import LANGUAGES

from . import pyodide
from .compiled import compile_packages
from .pyodide import Missing, run
from .versions import NEWEST, TESTED, Versions

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KERNEL = "@jupyterlite/pyodide-kernel-extension"
TOOLS = ["doit==0.37.0", "jupyter-server", "hatchling", "anywidget", "jupyterlab_widgets"]
# in the browser's own storage, beside the learner's notebooks
PROGRESS = "/drive/.minitape/progress.json"
SETTINGS = {"@jupyterlab/apputils-extension:themes": {"adaptive-theme": True}}
WORKER = "service-worker.js"
SCRIPTS = "keep.js", "narrow.js"  # of our own, in its page
# what the next visit may need, opened or not: Python, and the lessons
ALWAYS = r"pyodide/|lab/(api|files)/"


def build(out: Path, cache: Path, versions: Versions = TESTED) -> None:
    """Make `lab` and `pyodide` in a folder, in place of what was there."""
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("lab", "pyodide"):
        shutil.rmtree(out / name, ignore_errors=True)
    python, minitape = tools(cache, versions)
    extension = python.parents[1] / "share" / "jupyter" / "labextensions" / KERNEL
    theirs = (extension / "static" / "pypi").glob("[ip]*.whl")
    packages = pyodide.build(out / "pyodide", cache, versions, [minitape, *sorted(theirs)])
    compile_packages(out / "pyodide")
    lite(out / "lab", cache, python, configuration(packages, versions.script))
    keep_for_later(out)


def tools(cache: Path, versions: Versions) -> tuple[Path, Path]:
    """Return the Python of an environment that has JupyterLite and this checkout's extension, and
    the wheel of minitape.
    """
    folder = cache / f"lite-{versions.lite}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    if not (folder / "whole").exists():
        run([sys.executable, "-m", "venv", "--clear", folder])
        lite = [
            f"jupyterlite-core=={versions.lite}",
            f"jupyterlite-pyodide-kernel=={versions.kernel}",
        ]
        run([*pip, "-c", ROOT / "binder" / "requirements.txt", *lite, *TOOLS])
        (folder / "whole").touch()
    shutil.rmtree(folder / "dist", ignore_errors=True)
    run([python, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist"], ROOT)
    [wheel] = (folder / "dist").glob("*.whl")
    run([*pip, "--no-deps", "--force-reinstall", wheel])
    return python, wheel


def lite(out: Path, cache: Path, python: Path, given: dict[str, Any]) -> None:
    """Make JupyterLite with the lessons."""
    place = cache / "lessons"
    shutil.rmtree(place, ignore_errors=True)
    lessons(place / "files")
    (place / "jupyter-lite.json").write_text(json.dumps(given), "utf-8")
    (place / "overrides.json").write_text(json.dumps(SETTINGS), "utf-8")
    chosen = ["--apps=lab", "--no-unused-shared-packages", "--no-sourcemaps", "--no-libarchive"]
    where = [f"--lite-dir={place}", f"--output-dir={out}", f"--contents={place / 'files'}"]
    run([python, "-m", "jupyter", "lite", "build", *chosen, *where], place)
    for file in out.rglob("*.map"):
        file.unlink()


def lessons(folder: Path) -> None:
    """Copy the lessons, for the kernel that there is in a browser."""
    for language in LANGUAGES:
        course = ROOT / "notebooks" / (language if language != "en" else "")
        for file in sorted(course.glob("*.ipynb")):
            copy(file, folder / file.relative_to(ROOT / "notebooks"))


def copy(file: Path, to: Path) -> None:
    """Copy a notebook, which then asks for that kernel."""
    notebook = json.loads(file.read_text("utf-8"))
    notebook["metadata"]["kernelspec"] = {"name": "python", "display_name": "Python"}
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(notebook, ensure_ascii=False), "utf-8")


def configuration(packages: list[str], script: str) -> dict[str, Any]:
    """Return what JupyterLite is told: where Python is, and what is loaded with it."""
    python = {
        "pyodideUrl": f"./../pyodide/{script}",
        "disablePyPIFallback": True,
        # the kernel asks for its own part under either name
        "loadPyodideOptions": {
            "packages": [*packages, "pyodide_kernel"],
            "env": {"MINITAPE_PROGRESS": PROGRESS},
        },
    }
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "minitape",
            "exposeAppInBrowser": True,  # to narrow.js
            "litePluginSettings": {f"{KERNEL}:kernel": python},
        },
    }


def keep_for_later(out: Path) -> None:
    """Give the lab a service worker that keeps its files, in front of JupyterLite's own."""
    lab, worker = out / "lab", out / "lab" / WORKER
    worker.rename(lab / "drive-worker.js")
    for name in SCRIPTS:
        shutil.copyfile(HERE / name, lab / name)
    tags = "".join(f'\n    <script type="module" src="../{name}"></script>' for name in SCRIPTS)
    replace(lab / "lab" / "index.html", "<head>", f"<head>{tags}")
    # "lab/?path=..." opens a lesson as well
    replace(lab / "config-utils.js", "'/index.html');", "'/index.html') + window.location.search;")
    files = [*sorted(lab.rglob("*")), *sorted((out / "pyodide").rglob("*"))]
    files = [file for file in files if file.is_file()]
    version = hashlib.sha256()
    for file in files:
        version.update(f"{file.relative_to(out)} {pyodide.sum_of(file)}\n".encode())
    always = [file.relative_to(out).as_posix() for file in files]
    always = [name for name in always if re.match(ALWAYS, name)]
    text = (HERE / "worker.js").read_text("utf-8")
    text = text.replace("{VERSION}", version.hexdigest()[:12])
    worker.write_text(text.replace('["{ALWAYS}"]', json.dumps(always)), "utf-8")


def replace(file: Path, old: str, new: str) -> None:
    """Replace a text that stands once in a file. Raises Missing where it does not."""
    text = file.read_text("utf-8")
    if text.count(old) != 1:
        raise Missing(f"JupyterLite's {file.name} has changed: {old!r} is not in it once.")
    file.write_text(text.replace(old, new), "utf-8")


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--newest", action="store_true")
    options = parser.parse_args()
    try:
        build(options.out.resolve(), options.cache.resolve(), NEWEST if options.newest else TESTED)
    except Missing as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
