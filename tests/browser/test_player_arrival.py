"""After Shift+Enter the player of the cell is in view; a notebook that is merely opened stays where
it is.
"""

import pytest

pytestmark = pytest.mark.browser

SET_UP = "import minitape as tf\n%load_ext minitape_widgets"
PARABOLA = (
    "%%tape\nx = tf.Variable(2.0)\n\nwith tf.GradientTape() as tape:\n    y = x * x + 3 * "
    "x\n\nslope = tape.gradient(y, x)"
)
PLACES = """() => { const page = document.querySelector('.jp-WindowedPanel-outer'), view = page.getBoundingClientRect();
    return [page.scrollTop, [...document.querySelectorAll('.minitape')].map((host) => { const box = host.getBoundingClientRect();
        return box.top >= view.top && box.bottom <= view.bottom; })]; }"""


def test_the_player_of_a_cell_that_was_run_is_in_view_and_nothing_jumps_later(open_notebook):
    """On a small laptop: in the middle of a notebook and in its last cell, where JupyterLab scrolls
    to a new one; once, and only then.
    """
    notebook = open_notebook(cells=[SET_UP, PARABOLA, "2 + 2", PARABOLA], width=1366, height=625)
    page = notebook.page
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.keyboard.press("Escape")
    for players, enters in ((1, 2), (2, 2)):
        for _ in range(enters):
            page.keyboard.press("Shift+Enter")
        page.wait_for_function(
            "n => document.querySelectorAll('.minitape .player, .minitape').length >= n",
            arg=players,
        )
        page.wait_for_function(f"() => ({PLACES})()[1][{players - 1}]")
    before = page.evaluate(PLACES)[0]
    page.locator(".minitape button.step").last.click()
    page.keyboard.press("End")
    page.wait_for_timeout(500)
    assert page.evaluate(PLACES) == [before, [False, True]]
    notebook.save()
    notebook.close()
    notebook.command("docmanager:open", {"path": notebook.name})
    notebook.wait_for_kernel()
    page.locator(".minitape").last.wait_for(state="attached")
    page.wait_for_timeout(1000)
    assert page.evaluate(PLACES)[0] == 0, "it was opened, not run"
    notebook.command("notebook:run-all-cells")
    page.wait_for_timeout(1000)
    assert page.evaluate(PLACES)[1][0] is False, (
        "of many cells that run none but the one at hand pulls the page to itself"
    )
