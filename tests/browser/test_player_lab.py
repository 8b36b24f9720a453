"""The player in a real JupyterLab and in Notebook 7: live while the kernel is busy, driven by keys and mouse, gone without a trace,
and still useful in a notebook that is opened again without a kernel.
"""

import pytest

pytestmark = pytest.mark.browser

SET_UP = "import minitape as tf\nfrom minitape_widgets import play, compare\n%load_ext minitape_widgets"
PARABOLA = "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\ntape.gradient(y, x)"
K = "() => document.querySelector('.minitape').player.k"


def moment(page):
    return page.evaluate(K)


@pytest.mark.parametrize("front", ["lab", "notebook"])
def test_a_cell_of_a_lesson(open_notebook, accessible, front):
    """The player of a cell: by keys, by mouse, while the kernel is busy; JupyterLab's shortcuts stay away; Ctrl+S reaches it."""
    notebook = open_notebook(cells=[SET_UP, PARABOLA, "import time; time.sleep(4)"], front=front)
    page = notebook.page
    notebook.start_all()
    page.locator(".minitape .player").wait_for()
    page.wait_for_timeout(700)                                  # the third cell keeps the kernel busy now
    step = page.locator(".minitape button.step")
    step.click()
    assert moment(page) == 1
    for key, expected in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 15), ("Home", 0)]:
        page.keyboard.press(key)
        assert moment(page) == expected, key
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    for key in ("x", "d", "d", "a", "b", "m", "y", "Enter", "c", "v", "z"):
        page.keyboard.press(key)
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells, "JupyterLab's own shortcuts were triggered"
    assert not page.evaluate("() => window.testing.done"), "the kernel was not busy: the test shows nothing"
    page.locator(".minitape .scrubber").focus()
    page.keyboard.press("End")
    assert "7.0" in page.locator(".minitape .badges").text_content()
    notebook.finish()
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1000)
    assert "vnd.minitape.trace" in notebook.file.read_text(encoding="utf-8")
    notebook.screenshot(f"player_{front}_light")
    notebook.theme("dark")
    page.locator('.minitape .player[data-theme="dark"]').wait_for()
    accessible(page, ".minitape")
    notebook.screenshot(f"player_{front}_dark")
    assert not notebook.problems and not notebook.blocked


def test_opened_again_without_a_kernel(open_notebook, server):
    """A notebook that was saved shows the player again, although no kernel knows it."""
    notebook = open_notebook(cells=[SET_UP, PARABOLA])
    notebook.run_all()
    notebook.page.locator(".minitape .player").wait_for()
    notebook.save()
    server.stop_kernels()
    page = notebook.page
    page.goto(page.url)
    page.wait_for_timeout(6000)
    notebook.screenshot("reopened")
    print(page.locator(".jp-OutputArea").nth(1).inner_text()[:300])
    assert 0
