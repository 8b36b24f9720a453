"""What all tests share: the choice of a browser and the loud last words when there is none, the tests that are long by
nature, and how long each part took.

Tests marked `browser` drive a real JupyterLab or an exported page in Chromium or Chrome (see
tests/browser/conftest.py). On a machine without one they are skipped, the run still passes, and the last lines say so,
so that nobody takes the green for more than it is. MINITAPE_REQUIRE_BROWSER=1, which .ci/run sets, turns the skip into
a failure. Tests marked `long` run only where `-m` names them, as `make test-long` does.
"""

import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

# On a busy machine a slow example is no failure. In CI the same examples are drawn each time: a change is judged by what
# it changed; at home they are drawn anew, and what they find is found before it lands.
settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"]
PLACES = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
]
MISSING = "no Chromium or Chrome was found"

not_run = set()
seconds, tests = Counter(), Counter()                   # by part: units, notebooks, browser


def find_browser():
    """Returns the path of a Chromium-like browser, or None. MINITAPE_BROWSER names one outright."""
    chosen = os.environ.get("MINITAPE_BROWSER")
    if chosen is not None:
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, NAMES)), None) or next((p for p in PLACES if Path(p).exists()), None)


@pytest.fixture(scope="session")
def browser_path():
    """The path of the browser that the tests drive."""
    return find_browser()


def pytest_runtest_setup(item):
    if item.get_closest_marker("browser") and not find_browser():
        if os.environ.get("MINITAPE_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{MISSING}, and MINITAPE_REQUIRE_BROWSER=1 asks for the browser tests", pytrace=False)
        pytest.skip(MISSING)


def pytest_collection_modifyitems(config, items):
    """Leaves out what is long by nature, whatever else is chosen, unless `-m` speaks of it."""
    if "long" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_runtest_logreport(report):
    """Counts where the reports come together: `make test` runs the tests in two further processes."""
    part = next((name for name in ("notebooks", "browser") if f"tests/{name}/" in report.nodeid), "units")
    seconds[part] += report.duration
    tests[part] += report.when == "call"
    if report.skipped and MISSING in str(report.longrepr):
        not_run.add(report.nodeid)


def pytest_terminal_summary(terminalreporter, config):
    """Prints the seconds of each part, beside --durations: added up over the processes, so more than the clock shows."""
    if config.option.durations and seconds:
        terminalreporter.section("time by part")
        for part, total in seconds.most_common():
            terminalreporter.write_line(f"{part:10}{total:8.1f} s{tests[part]:8,} tests")


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    if not_run and not hasattr(config, "workerinput"):
        sys.stdout.write(f"""
{"!" * 100}
!!  THE BROWSER TESTS DID NOT RUN: {len(not_run)} of them were skipped, because {MISSING}.
!!  Nothing that a learner sees in JupyterLab was tested. To get them:
!!      Debian, Ubuntu    sudo apt-get install chromium
!!      Fedora            sudo dnf install chromium
!!      macOS             brew install --cask google-chrome
!!      elsewhere         any Chrome, Chromium or Edge; MINITAPE_BROWSER=/path/to/it names one that is not found
!!  and then again:       make test
{"!" * 100}
""")
        sys.stdout.flush()
