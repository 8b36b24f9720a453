"""What all tests share: the choice of a browser and of a Node and the loud last words when there is
none, the tests that are long by nature, and how long each part took.

Tests marked `browser` drive a real JupyterLab or an exported page in Chromium or Chrome (see
tests/browser/conftest.py), those marked `node` run the front end's pure modules in Node
(tests/frontend). On a machine without one they are skipped, the run still passes, and the last
lines say so, so that nobody takes the green for more than it is. MINITAPE_REQUIRE_BROWSER=1 and
MINITAPE_REQUIRE_NODE=1, which .ci/run sets, turn the skip into a failure. Those marked `pythons`
fetch the newest Python (tests/pythons), and MINITAPE_REQUIRE_PYTHONS=1 does the same for them.
Those marked `system` say what they need that Python in a browser has not (tests/pythons).
Tests marked `long` run only where `-m` names them, as `make test-long` does.
"""

import functools
import gc
import os
import re
import shutil
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import settings

from notebooks.site.browser import find_browser

# On a busy machine a slow example is no failure. In CI the same examples are drawn each time: a
# change is judged by what it changed; at home they are drawn anew, and what they find is found
# before it lands.
settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")

NODE = 20  # from this version on Node runs tests by itself
MISSING = {
    "browser": "no Chromium or Chrome was found",
    "node": f"no Node {NODE} or newer was found",
    "pythons": "no debootstrap was found, or this is not root",
}
LAST_WORDS = {
    "browser": """\
!!  THE BROWSER TESTS DID NOT RUN: {count} of them were skipped, because {missing}.
!!  Nothing that a learner sees in JupyterLab was tested. To get them:
!!      Debian, Ubuntu    sudo apt-get install chromium
!!      Fedora            sudo dnf install chromium
!!      macOS             brew install --cask google-chrome
!!      elsewhere         any Chrome, Chromium or Edge; MINITAPE_BROWSER=/path/to/it names one that is not found
!!  and then again:       make test""",
    "node": """\
!!  THE FRONT END'S UNIT TESTS DID NOT RUN: {count} of them were skipped, because {missing}.
!!  The player's modules were tested in a browser at most. To get them, install Node (MINITAPE_NODE=/path/to/it names one
!!  that is not found), and then again:       make test""",
    "pythons": """\
!!  THE NEWEST PYTHON WAS NOT TRIED: {count} tests were skipped, because {missing}.
!!  On Debian and Ubuntu:   sudo apt-get install debootstrap   and then, as root:   make test-long""",
}

not_run = {kind: set() for kind in MISSING}
seconds, tests = Counter(), Counter()  # by part: units, notebooks, browser


@pytest.fixture(scope="session")
def browser_path():
    """The path of the browser that the tests drive."""
    return find_browser()


@functools.cache
def find_node():
    """Returns the path of a Node that runs tests, or None. MINITAPE_NODE names one outright."""
    path = shutil.which(os.environ.get("MINITAPE_NODE", "node"))
    if path is None:
        return None
    version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    return path if re.match(r"v\d+", version) and int(version[1:].split(".")[0]) >= NODE else None


@pytest.fixture(scope="session")
def node_path():
    """The path of the Node that runs the front end's tests."""
    return find_node()


def find_debootstrap():
    """Returns the path of the program that fetches a Debian, or None where it cannot be had."""
    return shutil.which("debootstrap") if hasattr(os, "geteuid") and os.geteuid() == 0 else None


def pytest_runtest_setup(item):
    for mark in item.iter_markers("system") if sys.platform == "emscripten" else ():
        pytest.skip(f"needs {mark.args[0]}, which Python in a browser has not")
    for kind, find in {
        "browser": find_browser,
        "node": find_node,
        "pythons": find_debootstrap,
    }.items():
        if item.get_closest_marker(kind) and not find():
            required = f"MINITAPE_REQUIRE_{kind.upper()}"
            if os.environ.get(required) == "1":
                pytest.fail(
                    f"{MISSING[kind]}, and {required}=1 asks for the {kind} tests", pytrace=False
                )
            pytest.skip(MISSING[kind])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A test that itself asks for a thread, a process or a loop of events is skipped where there are
    none; minitape is to work without.
    """
    report = yield
    error = call.excinfo
    if sys.platform == "emscripten" and error is not None and report.failed:
        asked = isinstance(error.value, OSError | RuntimeError) and re.search(
            "can't start new thread|emscripten does not support processes|stack switching not "
            "supported",
            str(error.value),
        )
        if asked and not any(
            re.search(r"(^|/)minitape(_widgets)?/", str(entry.path)) for entry in error.traceback
        ):
            report.outcome = "skipped"
            report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {error.value}")
    return report


def may_be_long(path):
    """Returns whether the file says that a test of its own is long."""
    return "mark.long" in path.read_text(encoding="utf-8")


def pytest_ignore_collect(collection_path, config):
    """Loads no file without a long test where only those are asked for: it is most of them."""
    only_long = config.option.markexpr == "long" and collection_path.name.startswith("test_")
    return (only_long and not may_be_long(collection_path)) or None


def pytest_collection_modifyitems(config, items):
    """Leaves out what is long by nature, whatever else is chosen, unless `-m` speaks of it."""
    if "long" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("long")]
        if hidden := [path for path in {item.path for item in left_out} if not may_be_long(path)]:
            raise pytest.UsageError(f"Say pytest.mark.long in the file itself: {hidden}")
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_collection_finish():
    """12,000 tests and their data stay to the end. Whoever looks for garbage, or for tensors that
    live, need not look at them each time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _old_at_once():
    """Nor at what the tests of other files have left."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _patient():
    """In a browser the clock counts what other processes do, so a warning waits for its reason."""
    if sys.platform == "emscripten":
        from minitape.explain import for_tapes

        for_tapes.PATIENCE = None


def pytest_runtest_logreport(report):
    """Counts where the reports come together: `make test` runs the tests in two further processes."""
    part = next(
        (
            name
            for name in ("notebooks", "browser", "frontend")
            if f"tests/{name}/" in report.nodeid
        ),
        "units",
    )
    seconds[part] += report.duration
    tests[part] += report.when == "call"
    for kind, missing in MISSING.items():
        if report.skipped and missing in str(report.longrepr):
            not_run[kind].add(report.nodeid)


def pytest_terminal_summary(terminalreporter, config):
    """Prints the seconds of each part, beside --durations: added up over the processes, so more
    than the clock shows.
    """
    if config.option.durations and seconds:
        terminalreporter.section("time by part")
        for part, total in seconds.most_common():
            terminalreporter.write_line(f"{part:10}{total:8.1f} s{tests[part]:8,} tests")


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    if hasattr(config, "workerinput"):
        return
    bar = "!" * 100
    for kind in ("pythons", "node", "browser"):  # the browser's last: they are more
        if not_run[kind]:
            words = LAST_WORDS[kind].format(count=len(not_run[kind]), missing=MISSING[kind])
            sys.stdout.write(f"\n{bar}\n{words}\n{bar}\n")
    sys.stdout.flush()
