"""Where no browser is found: the browser tests are skipped loudly, or fail where they are asked for.

A run of the browser's own tests in a process of its own, which is told that there is no browser.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*options, **environment):
    test = "tests/browser/test_fixtures.py::test_page_without_script"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, test]
    environment = dict(os.environ, MINITAPE_BROWSER="no-such-browser", **environment)
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("options", [[], ["--numprocesses=2"]], ids=["one process", "two"])
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
