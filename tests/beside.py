"""Programs that some long tests need, and nobody else: installed beside the environment of the
tests, once, never into it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
OFFLINE = re.compile(
    r"Failed to establish a new connection|name "
    r"resolution|ConnectTimeout|ENOTFOUND|EAI_AGAIN|ETIMEDOUT"
)


def install(*command):
    """Runs an installer; where it fails, the reason is said, and without a network at home the test
    is skipped.
    """
    done = subprocess.run(command, capture_output=True, text=True)
    said = f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    if done.returncode and OFFLINE.search(said) and not os.environ.get("CI"):
        pytest.skip(f"NOT TRIED, because it could not be installed without a network: {said}")
    assert done.returncode == 0, f"could not be installed: {said}"


def laid(name, fill):
    """The folder of this name in the environment, filled by fill(folder) where it is not there yet:
    whole, or not at all.
    """
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
