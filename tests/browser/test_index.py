"""The index as one meets it: what is stored, before any cell is run, opens the lessons by a click;
run, it shows one's own progress.
"""

import json
import shutil

import pytest

from tests.browser.lab import CURRENT, ROOT

pytestmark = pytest.mark.browser


@pytest.fixture
def index(open_notebook, server):
    """The index in a JupyterLab, beside two of the pages to which it leads; nothing is run."""
    shutil.copy(ROOT / "notebooks/00_start_here.ipynb", server.folder)
    shutil.copytree(ROOT / "notebooks/teaching", server.folder / "teaching", dirs_exist_ok=True)
    yield open_notebook("notebooks/index.ipynb", width=1366, height=768)
    (server.place / "progress.json").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("where", "text", "path"),
    [
        (".jp-OutputArea", "Start here", "00_start_here.ipynb"),
        (".jp-MarkdownOutput", "teachers' page", "teaching/README.md"),
    ],
)
def test_a_click_opens_the_page_in_the_lab(index, where, text, path):
    index.page.locator(f".jp-Notebook:visible {where} a", has_text=text).first.click()
    index.page.wait_for_function(f"path => {CURRENT}?.context?.path === path", arg=path)
    if path.endswith(".md"):  # as a page to be read, not as its source
        index.page.locator(
            ".jp-MarkdownViewer:visible h1", has_text="Teaching with minitape"
        ).wait_for()
    else:
        # closed while it loads, it would say so in a dialog, to the next test
        index.wait_for_kernel()
    assert not index.blocked
    index.close()


def test_run_it_shows_what_was_done(index, server, accessible):
    (server.place / "progress.json").write_text(
        json.dumps({"00.fan-out": "correct", "<img src=x onerror=alert(1)>": "not yet"})
    )
    index.run_all()
    outputs = index.page.locator(".jp-Notebook:visible .jp-OutputArea-output")
    assert (
        "→\N{NO-BREAK SPACE}00" in outputs.first.inner_text()
        and "solved" in outputs.first.inner_text()
    )
    page = outputs.last
    page.scroll_into_view_if_needed()
    assert (
        "✓" in page.inner_text()
        and "<img src=x onerror=alert(1)>" in page.inner_text()
        and not page.locator("img").count()
    )
    for theme in ("light", "dark"):
        index.theme(theme)
        accessible(index.page, ".jp-Notebook .jp-OutputArea-output")
        index.screenshot(f"index_{theme}")
    assert not index.problems and not index.blocked
