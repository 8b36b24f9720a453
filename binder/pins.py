"""Renews the pinned versions: what pip chooses today for the lab, then for the tests, and for a
class.

`make pins` runs this in an empty environment. Lines of comment at the head of the three files are
kept. Read the difference before you commit it: a new version of JupyterLab or NumPy can change what
a learner sees.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A newer soupsieve wants Python 3.11.5, and Debian 12 has 3.11.2 (tests/test_binder.py looks for
# such pins). A newer jsonschema, which JupyterLab and nbconvert load, loads a parser of addresses
# (rfc3987-syntax): two seconds, every time.
HELD = ["soupsieve<3", "jsonschema<4.25"]
CLASS = ["nbgrader", "jupyterhub", "nbgitpuller"]


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=True, cwd=ROOT, text=True, stdout=subprocess.PIPE).stdout


def install_and_freeze(*requirements):
    pip("install", "--quiet", *requirements)
    pins = [
        line.split("==")
        for line in pip("freeze", "--exclude", "minitape").splitlines()
        if "==" in line
    ]
    return [f"{re.sub('[-_.]+', '-', name).lower()}=={version}" for name, version in pins]


def write(path, pins):
    head = [line for line in path.read_text().splitlines() if line.startswith(("#", "-r"))]
    path.write_text("\n".join(head + sorted(pins)) + "\n")


if __name__ == "__main__":
    lab = install_and_freeze(".[lab,jit]", "hatchling", *HELD)
    test = install_and_freeze(".[test]", *HELD)
    write(ROOT / "binder" / "requirements.txt", lab)
    write(ROOT / "tests" / "requirements.txt", set(test) - set(lab))
    kept = [*HELD, *lab]  # laid beside the lab, so nothing of the lab may differ
    write(
        ROOT / "tests" / "classroom" / "requirements.txt",
        set(install_and_freeze(*CLASS, *kept)) - set(test) - set(lab),
    )
