"""Where no browser or no Node is found: their tests are skipped loudly, or fail where they are
asked for.

A run of such a test in a process of its own, which is told that there is none.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = [
    "tests/browser/test_fixtures.py::test_page_without_script",
    "tests/frontend/test_frontend.py::test_in_node[link]",
]


def run(required, *options):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *TESTS]
    reported = {"MINITAPE_BROWSER": "no-such-browser", "MINITAPE_NODE": "no-such-node"}
    reported |= {"MINITAPE_REQUIRE_BROWSER": required, "MINITAPE_REQUIRE_NODE": required}
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | reported, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    "options",
    [[], pytest.param(["--numprocesses=2"], marks=pytest.mark.long)],
    ids=["one process", "two"],
)
def test_skipped_and_said_in_the_last_lines(options):
    result = run("0", *options)
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    node, browser = lines[-15:-10], lines[-9:]
    assert "THE BROWSER TESTS DID NOT RUN: 1 of them were skipped" in browser[
        1
    ] and "apt-get install chromium" in "\n".join(browser)
    assert "THE FRONT END'S UNIT TESTS DID NOT RUN: 1 of them" in node[1]
    assert browser[0] == browser[-1] == node[0] == node[-1] == "!" * 100


def test_a_failure_where_they_are_required():
    result = run("1")
    assert result.returncode == 1 and "2 errors" in result.stdout and "skipped" not in result.stdout
    assert (
        "no Chromium or Chrome was found" in result.stdout
        and "no Node 20 or newer was found" in result.stdout
    )
