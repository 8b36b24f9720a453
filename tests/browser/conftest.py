"""A real JupyterLab in a real browser, and exported pages without a network: what browser tests
stand on.

Mark a test module with `pytestmark = pytest.mark.browser` and ask for these fixtures:

    def test_cell(open_notebook):
        notebook = open_notebook("notebooks/00_start_here.ipynb")       # a copy of it, or:
        notebook = open_notebook(cells=["import minitape as tf", "x = 2\\nx + 1"])
        notebook.run_all()                          # waits; raises if a cell raised (unless errors_allowed=True)
        output = notebook.output(1)                 # Playwright locator of the output area of cell 1
        assert notebook.text(1) == "3"              # the text of all its outputs; text() is the last cell's
        output = notebook.run("print('new cell')")  # appends a cell, runs it, waits, returns its output
        notebook.page                               # Playwright's page: keyboard, mouse, locators
        notebook.theme("dark")                      # JupyterLab's theme; open_notebook starts in "light"
        notebook.screenshot("player")               # into MINITAPE_SCREENSHOTS, or pytest's temporary folder
        accessible(notebook.page, ".minitape")      # axe-core's audit of that part; raises with the violations
        assert not notebook.problems                # console errors and page errors so far, as text
        assert not notebook.blocked                 # addresses outside of this machine, all refused

    def test_page(open_page):
        page = open_page("exported.html")           # from file://, offline; javascript=False, color_scheme="dark"
        assert not page.blocked and not page.problems

`open_notebook(..., width=1024, height=768, front="notebook")` chooses the window and the front
(JupyterLab, or the classic Notebook 7); `notebook.restart()` and `notebook.save()` do what they say
(`notebook.file` is the file); `notebook.command("notebook:run-cell")` runs any command of
JupyterLab; `notebook.start_all()` is run_all without waiting (to look at a page while its kernel is
busy) and `notebook.finish()` waits. The kernel imports minitape from this checkout. One server, one
browser and one JupyterLab in it serve all tests of a run: a test opens its notebook beside nothing
else, with a kernel of its own, and after a failure the next test gets a new JupyterLab. What
depends on how JupyterLab arranges itself when it is loaded asks for `open_notebook(...,
fresh=True)`. `new_page(width, height, **options)` is an empty page. Do not call asyncio.run in such
a test: Playwright's own loop is running.
"""

import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.browser.health_page import page_of  # noqa: F401  a page with a training's health
from tests.browser.lab import Notebook, Server, copy_of
from tests.browser.pages import ARGUMENTS, audit, watch
from tests.browser.stage import stage  # noqa: F401  a plain page with players on it

PLACE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Browser tests go last: others may start an event loop of their own, which Playwright's would
    forbid.
    """
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(scope="session")
def browser(browser_path):
    """The browser: headless, and told to call nobody."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The JupyterLab server; its folder is empty until a test opens a notebook."""
    with Server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory):
    """The folder for pictures: MINITAPE_SCREENSHOTS, or a temporary one."""
    chosen = os.environ.get("MINITAPE_SCREENSHOTS")
    folder = Path(chosen) if chosen else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def profiles(browser):
    """profiles(**options): a browser's profile with these options; it stays for the run, as making
    one takes longer than most tests.
    """
    made = {}

    def find(**options):
        key = frozenset(options.items())
        if key not in made:
            made[key] = browser.new_context(**options)
            made[key].set_default_timeout(30_000)
            # without any page its window would close, and be made again for the next
            made[key].new_page()
        return made[key]

    yield find
    for profile in made.values():
        profile.close()


@pytest.fixture(scope="session")
def left():
    """Pages that tests have left, by their profile: a page has a process of its own, and to start
    one takes longer than to load what tests look at.
    """
    return defaultdict(list)


@pytest.fixture
def new_page(profiles, left, screenshots, request):
    """A maker of pages which are watched, and closed after the test, or left to other tests that do
    not need a new one; a picture is kept if it fails.
    """
    made = []

    def make(width=1280, height=900, new=True, **options):
        profile = profiles(**options)
        if new or not left[profile]:
            page = watch(profile.new_page())
        else:
            page = left[profile].pop()
            page.problems, page.blocked = [], []
        page.set_viewport_size({"width": width, "height": height})
        made.append((page, None if new else left[profile]))
        return page

    yield make
    for number, (page, others) in enumerate(made):
        failed = keep_picture(page, request, screenshots, number)
        if others is None or failed or page.is_closed():
            page.close()
        else:
            page.goto("about:blank")  # or what moves on it would go on
            others.append(page)


def keep_picture(page, request, folder, number):
    """Saves a picture of the page if the test failed; returns whether it did."""
    failed = getattr(request.node, "failed", False)
    if failed and not page.is_closed():
        name = re.sub(r"\W+", "_", request.node.name)
        page.screenshot(path=folder / f"failed_{name}_{number}.png")
    return failed


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and "screenshots" in item.fixturenames:
        item.failed = True
        report.sections.append(
            ("picture of the failure", f"{item.funcargs.get('screenshots')}/failed_*.png")
        )
    return report


@pytest.fixture(scope="session")
def desk():
    """The page with the JupyterLab that tests share, as a list: of one page, or none where none is
    open.
    """
    return []


@pytest.fixture
def open_notebook(server, profiles, new_page, desk, screenshots, request):
    """Opens a copy of a notebook, or a new one with these cells, and waits until its kernel
    answers.
    """
    shared = []

    def opener(path=None, cells=(), front="lab", width=1280, height=900, fresh=False, **options):
        name = copy_of(server.folder, path, cells)
        if fresh or options or shared or front != "lab":
            page = new_page(width, height, **options)
        else:
            desk or desk.append(watch(profiles().new_page()))
            page = desk[0]
            page.set_viewport_size({"width": width, "height": height})
        notebook = Notebook(page, server, name, front, screenshots)
        if page in desk:
            shared.append(notebook)
        notebook.wait_for_kernel()
        notebook.theme("light")
        return notebook

    yield opener
    for notebook in shared:
        if keep_picture(notebook.page, request, screenshots, "lab"):
            desk.pop().close()  # who knows in what state it is
        else:
            notebook.close()
    server.stop_kernels()


@pytest.fixture
def open_page(new_page):
    """Opens an HTML file from file:// with the network off."""

    def opener(path, javascript=True, width=1280, height=900, **options):
        page = new_page(
            width, height, new=False, java_script_enabled=javascript, offline=True, **options
        )
        page.goto(Path(path).resolve().as_uri())
        return page

    return opener


@pytest.fixture
def accessible():
    """accessible(page, selector): raises AssertionError with the violations that axe-core finds in
    that part.
    """

    def check(page, selector="body"):
        found = audit(page, selector)
        assert not found, "\n".join(found)

    return check
