"""Tests that are long by nature run only where `-m` names them; the time of each part is told where
durations are asked for.
"""

import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from tests import conftest
from tests.test_tree import ROOT

LONG = "tests/test_binder.py::test_binder_steps_in_a_clean_environment"


@pytest.mark.parametrize(("expression", "there"), [("not browser", False), ("long", True)])
def test_long_ones_run_where_they_are_named(expression, there):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--collect-only",
        "-m",
        expression,
        "tests/test_binder.py",
    ]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert (LONG in listed) == there
    assert ("test_first_page_exists" in listed) != there


@pytest.mark.parametrize(
    ("durations", "expected"),
    [
        (
            10,
            [
                "time by part",
                "browser        4.0 s       1 tests",
                "units          0.5 s       2 tests",
            ],
        ),
        (None, []),
    ],
)
def test_the_time_of_each_part_is_told(durations, expected, monkeypatch):
    monkeypatch.setattr(conftest, "seconds", Counter())
    monkeypatch.setattr(conftest, "tests", Counter())
    reports = [
        ("browser/b.py::t", "setup", 1),
        ("browser/b.py::t", "call", 3),
        ("a.py::t", "call", 0.25),
        ("a.py::u", "call", 0.25),
    ]
    for test, when, took in reports:
        conftest.pytest_runtest_logreport(
            SimpleNamespace(nodeid=f"tests/{test}", when=when, duration=took, skipped=False)
        )
    lines = []
    config = SimpleNamespace(option=SimpleNamespace(durations=durations))
    conftest.pytest_terminal_summary(
        SimpleNamespace(section=lines.append, write_line=lines.append), config
    )
    assert lines == expected
