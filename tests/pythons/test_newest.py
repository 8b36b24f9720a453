"""The newest Python that Debian has, in a folder of its own: the units pass, and the corpus is
answered as it is here.

The folder is Debian's unstable release, which debootstrap fetches; the environment in it is made as
in any clone, by `make`.
"""

import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_tree import FILES, ROOT

pytestmark = [pytest.mark.long, pytest.mark.pythons, pytest.mark.timeout(1800)]
PACKAGES = "python3,python3-venv,make,ca-certificates"
# of this machine
NETWORK = ["etc/resolv.conf", "etc/hosts", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"]
ENTER = """set -e
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
exec chroot "$0" sh -c "cd /checkout && $1"
"""
WITHOUT = [
    "browser",
    "frontend",
    "classroom",
    "notebooks",
    "benchmarks",
    "docs",
    "real_tensorflow",
    "real_torch",
    "real_jax",
    "test_wheel.py",
    "test_binder.py",
]
# what numba compiles takes as long as all the rest; its updates stay
COMPILED = "--ignore-glob='tests/jit/test_[!u]*'"
UNITS = (
    "python -m pytest -q -p no:cacheprovider -n2 --dist=loadfile --durations=10 -m 'not "
    f"browser and not node' {COMPILED}"
)
SAID = "-W ignore -m tests.pythons.answers"


@pytest.fixture(scope="module")
def newest(tmp_path_factory):
    """A function that runs a command in a copy of this checkout beside the newest Python, and
    returns the finished process.
    """
    folder = tmp_path_factory.mktemp("newest")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "MINITAPE_", "PYTHON", "TMP"))
    }
    environment = {
        **kept,
        "HOME": "/",
        "PATH": "/checkout/.venv/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "PIP_NO_COMPILE": "1",  # most modules are never imported
    }

    def run(command):
        # what is mounted goes with the process
        enter = ["unshare", "--mount", "sh", "-c", ENTER, str(folder), command]
        return subprocess.run(
            enter, env=environment, capture_output=True, text=True, encoding="utf-8"
        )

    try:
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "sid", folder],
            check=True,
            capture_output=True,
        )
        for name in NETWORK:
            if Path("/", name).is_file():
                shutil.copyfile(Path("/", name), folder / name)
        for file in FILES:
            copy = folder / "checkout" / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copy)
        made = run("make .venv/test.stamp")
        assert made.returncode == 0, made.stdout + made.stderr
        yield run
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_the_newest_python_is_promised(newest):
    major, minor = map(
        int, re.match(r"Python (\d+)\.(\d+)", newest("python --version").stdout).groups()
    )
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "classifiers"
    ]
    assert (
        f"Programming Language :: Python :: {major}.{minor}" in promised
        and (major, minor) >= sys.version_info[:2]
    )


def test_the_units_pass(newest):
    ran = newest(f"{UNITS} {' '.join(f'--ignore=tests/{name}' for name in WITHOUT)}")
    sys.stdout.write(ran.stdout[-3000:])
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_corpus_is_answered_as_here(newest):
    there = newest(f"python {SAID}")
    here = subprocess.run(
        [sys.executable, *SAID.split()], cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )
    assert there.returncode == here.returncode == 0, there.stderr + here.stderr
    theirs, ours = json.loads(there.stdout), json.loads(here.stdout)
    assert len(ours) > 500 and theirs.keys() == ours.keys()
    other = {
        name: "\n".join(
            difflib.unified_diff(ours[name].split("\n"), theirs[name].split("\n"), lineterm="", n=1)
        )
        for name in ours
        if ours[name] != theirs[name]
    }
    assert not other, "\n\n".join(f"{name}\n{lines}" for name, lines in other.items())
