"""Where no browser or no Node is found: their tests are skipped loudly, or fail where they are asked for.

A run of such a test in a process of its own, which is told that there is none.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


BROWSER, NODE = "tests/browser/test_fixtures.py::test_page_without_script", "tests/frontend/test_frontend.py::test_in_node[link]"


def run(*options, test=BROWSER, **environment):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, test]
    environment = dict(os.environ, MINITAPE_BROWSER="no-such-browser", MINITAPE_NODE="no-such-node", **environment)
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("options", [[], pytest.param(["--numprocesses=2"], marks=pytest.mark.long)], ids=["one process", "two"])
def test_skipped_and_said_in_the_last_lines(options):
    result = run(*options, MINITAPE_REQUIRE_BROWSER="0")
    assert result.returncode == 0
    last = result.stdout.splitlines()[-9:]
    assert "THE BROWSER TESTS DID NOT RUN" in "\n".join(last) and "apt-get install chromium" in "\n".join(last)
    assert last[-1] == "!" * 100 and "1 of them were skipped" in last[1]


def test_a_failure_where_they_are_required():
    result = run(MINITAPE_REQUIRE_BROWSER="1")
    assert result.returncode == 1
    assert "no Chromium or Chrome was found" in result.stdout and "skipped" not in result.stdout


def test_the_front_ends_own_tests_are_skipped_and_said_in_the_last_lines():
    result = run(test=NODE, MINITAPE_REQUIRE_NODE="0")
    assert result.returncode == 0
    last = result.stdout.splitlines()[-5:]
    assert "THE FRONT END'S UNIT TESTS DID NOT RUN: 1 of them" in last[1] and last[0] == last[-1] == "!" * 100


def test_the_front_ends_own_tests_fail_where_they_are_required():
    result = run(test=NODE, MINITAPE_REQUIRE_NODE="1")
    assert result.returncode == 1
    assert "no Node 20 or newer was found" in result.stdout and "skipped" not in result.stdout
