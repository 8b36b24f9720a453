"""The player in a real JupyterLab and in Notebook 7: live while the kernel is busy, driven by keys
and mouse, gone without a trace, and still useful in a notebook that is opened again without a
kernel.
"""

import json

import nbformat
import pytest

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import TRACE, pitfalls, play
from tests.browser.lab import Notebook, Server, lay_extension
from tests.browser.pages import becomes

pytestmark = pytest.mark.browser

FRONTS = ["lab", pytest.param("notebook", marks=pytest.mark.long)]
SET_UP = (
    "import minitape as tf\nfrom minitape_widgets import play, compare\n%load_ext minitape_widgets"
)
PARABOLA = (
    "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\n"
    "tape.gradient(y, x)"
)
K = "() => document.querySelector('.minitape').player.k"
PLAYERS = """import ipywidgets, minitape_widgets
print(sum(isinstance(w, minitape_widgets.Player) for w in ipywidgets.widgets.widget._instances.values()))"""
BUSY = """import time, pathlib
enough = pathlib.Path("enough")
enough.unlink(missing_ok=True)
print("busy until it is told", flush=True)
while not enough.exists():
    time.sleep(0.05)"""


def moment(page):
    return page.evaluate(K)


@pytest.mark.parametrize("front", FRONTS)
def test_a_cell_of_a_lesson(open_notebook, accessible, front):
    """The player of a cell: by keys, by mouse, while the kernel is busy; JupyterLab's shortcuts
    stay away; Ctrl+S reaches it.
    """
    notebook = open_notebook(cells=[SET_UP, PARABOLA, BUSY], front=front)
    page = notebook.page
    notebook.start_all()
    page.locator(".minitape .player").wait_for()
    page.get_by_text("busy until it is told", exact=True).wait_for()
    step = page.locator(".minitape button.step")
    step.click()
    assert moment(page) == 1
    for key, expected in [
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 15),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        assert moment(page) == expected, key
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    for key in ("x", "d", "d", "a", "b", "m", "y", "Enter", "c", "v", "z"):
        page.keyboard.press(key)
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells, (
        "JupyterLab's own shortcuts were triggered"
    )
    assert not page.evaluate("() => window.testing.done"), (
        "the kernel was not busy: the test shows nothing"
    )
    page.locator(".minitape .scrubber").focus()
    page.keyboard.press("End")
    assert "7.0" in page.locator(".minitape .badges").text_content()
    notebook.file.with_name("enough").touch()
    notebook.finish()
    page.keyboard.press("Control+s")
    assert becomes(
        page, True, lambda: "vnd.minitape.trace" in notebook.file.read_text(encoding="utf-8")
    )
    notebook.screenshot(f"player_{front}_light")
    notebook.theme("dark")
    page.locator('.minitape .player[data-theme="dark"]').wait_for()
    accessible(page, ".minitape")
    notebook.screenshot(f"player_{front}_dark")
    assert not notebook.problems and not notebook.blocked


def test_players_that_are_replaced_are_forgotten(open_notebook):
    """A cell run ten times leaves one widget in the kernel and one player on the page; outputs
    cleared, none.
    """
    notebook = open_notebook(cells=[SET_UP, PARABOLA])
    page, count = notebook.page, PLAYERS
    for _ in range(10):
        notebook.run_all()
    page.locator(".minitape .player").wait_for()
    assert page.locator(".minitape").count() == 1
    # where it is installed, no widget is needed at all
    extension = page.evaluate("() => Boolean(window._JUPYTERLAB.minitape)")
    assert notebook.run(count).inner_text().strip() == ("0" if extension else "1")
    notebook.command("notebook:clear-all-cell-outputs")
    assert becomes(page, 0, page.locator(".minitape").count)
    # the page tells the kernel that the last view has gone
    assert becomes(page, "0", lambda: notebook.run(count).inner_text().strip())
    assert not notebook.problems


def test_under_an_answer_a_button_opens_the_tape(open_notebook, accessible):
    found = exercise("07.root")
    code = found.solution_code.replace("(w * w - a) ** 2", "w * w - a")
    check = 'from minitape.exercises import exercise\nexercise("07.root").check(root)'
    notebook = open_notebook(cells=[SET_UP, code, check])
    notebook.run_all()
    page = notebook.page
    button = page.locator(".minitape .asking button")
    button.wait_for()
    assert "Square the difference" in page.locator(".jp-Notebook").inner_text()
    accessible(page, ".minitape")
    button.click()
    page.locator(".minitape button.step").wait_for()
    focus = "document.activeElement.shadowRoot.activeElement.className"
    assert not button.count() and "step" in page.evaluate(focus)
    page.keyboard.press("End")
    assert page.evaluate("() => document.querySelector('.minitape').player.k") > 10
    assert not notebook.problems and not notebook.blocked


def test_under_an_error_stands_the_tape_so_far(open_notebook, accessible):
    """The learner's own traceback first; under it the tape at its last moment, with the operation
    that raised in margin and code.
    """
    notebook = open_notebook(
        cells=[SET_UP, PARABOLA.replace("tape.gradient(y, x)", "    z = y @ x")]
    )
    notebook.run_all(errors_allowed=True)
    page = notebook.page
    page.locator(".minitape .player").wait_for()
    text = notebook.text(1)
    assert (
        text.count("InvalidArgumentError:") == 1 and "z = y @ x" in text and "magic.py" not in text
    )
    top = "selector => document.querySelector(selector).getBoundingClientRect().top"
    assert page.evaluate(top, '[data-mime-type="application/vnd.jupyter.stderr"]') < page.evaluate(
        top, ".minitape"
    )
    note = page.locator(".minitape .note.here")
    assert (
        "y @ x" in note.text_content()
        and "never became a card" in note.text_content()
        and "line 5" in note.text_content()
    )
    accessible(page, ".minitape")


@pytest.fixture(scope="module")
def extended(server, tmp_path_factory):
    """A server that has the extension installed, as `pip install` lays it out: the one of all
    tests, where it has it.
    """
    if server.extended:
        yield server
        return
    share = tmp_path_factory.mktemp("share")
    lay_extension(share)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(share))
        with Server(tmp_path_factory.mktemp("lab")) as server:
            yield server


@pytest.fixture
def open_stored(extended, server, open_notebook, new_page, screenshots, tmp_path):
    """Opens a notebook of these cells, as it was stored, where the extension is installed."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}

    def opener(name, cells, front="lab"):
        stored = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        if extended is server:
            nbformat.write(stored, tmp_path / name)
            return open_notebook(tmp_path / name, front=front)
        nbformat.write(stored, extended.folder / name)
        notebook = Notebook(new_page(), extended, name, front, screenshots)
        notebook.wait_for_kernel()
        return notebook

    return opener


@pytest.mark.parametrize("front", FRONTS)
def test_opened_again_without_a_kernel(open_stored, front):
    """A notebook that comes from elsewhere and was never run here, so that nothing in it is
    trusted, shows its player.
    """
    shown = play_parabola()
    view = {
        "application/vnd.jupyter.widget-view+json": {
            "version_major": 2,
            "version_minor": 0,
            "model_id": "of-another-day",
        }
    }
    cell = nbformat.v4.new_code_cell(
        "play(tape, y, x)",
        outputs=[nbformat.v4.new_output("display_data", data=view | shown.picture())],
    )
    notebook = open_stored(f"reopened_{front}.ipynb", [cell], front)
    page = notebook.page
    page.locator(".minitape .player").wait_for()
    notebook.theme("light")
    page.locator(".minitape button.step").click()
    page.keyboard.press("ArrowRight")
    assert moment(page) == 2
    page.keyboard.press("x")
    page.keyboard.press("d")
    page.keyboard.press("d")
    assert page.locator(".jp-Notebook .jp-Cell").count() == 1
    notebook.screenshot(f"reopened_{front}")
    assert not page.blocked
    assert not [text for text in page.problems if "of-another-day" not in text]


def test_what_a_stranger_stored_runs_nothing_in_an_untrusted_notebook(open_stored):
    """Neither a tape's picture and text nor a card's drawing, with the extension at work."""
    hack = "window.hacked = true"
    image = f'<img src=x onerror="{hack}">'
    hostile = (
        f'<script>{hack}</script>{image}<a href="javascript:{hack}">a</a>'
        f'<svg onload="{hack}"><foreignObject>{image}</foreignObject></svg><b>drawn</b>'
    )
    shown = play_parabola().picture()
    trace = json.loads(json.dumps(shown[TRACE]).replace('"y"', json.dumps(hostile)))
    bundles = [
        shown | {TRACE: trace, "image/svg+xml": hostile, "text/html": hostile},
        pitfalls.show("numpy-escape").picture() | {"text/html": hostile},
    ]
    cells = [
        nbformat.v4.new_code_cell(
            "show", outputs=[nbformat.v4.new_output("display_data", data=data)]
        )
        for data in bundles
    ]
    notebook = open_stored("stranger.ipynb", cells)
    page = notebook.page
    page.locator(".jp-OutputArea-output").nth(1).wait_for()
    page.locator(".minitape .player").first.wait_for()
    page.wait_for_timeout(1000)
    assert page.evaluate("window.hacked") is None and page.locator(".jp-Notebook").is_visible()
    assert not page.locator(
        ".jp-OutputArea [onerror], .jp-OutputArea [onload], .jp-OutputArea a[href^=javascript]"
    ).count()
    notebook.screenshot("stranger")


def test_a_cell_where_the_extension_is_installed(open_stored):
    """Live, too, the trace is shown by the extension; the cell is run twice, and only one player
    stands there.
    """
    cells = [nbformat.v4.new_code_cell(text) for text in (SET_UP, PARABOLA)]
    notebook = open_stored("live.ipynb", cells)
    page = notebook.page
    for _ in range(2):
        notebook.run_all()
        page.locator(".minitape .player").wait_for()
        page.locator(".minitape button.step").click()
        assert moment(page) == 1
        assert page.locator(".minitape").count() == 1
    assert page.locator(".minitape-output .minitape").count() == 1
    count = notebook.run(PLAYERS)
    assert count.inner_text().strip() == "0", (
        "the extension shows the trace: the kernel has forgotten the widgets"
    )
    assert not page.problems and not page.blocked


def play_parabola():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3 * x
    return play(tape, y, x)


def test_a_player_that_starts_at_its_end_has_its_answer_beside_its_source(open_notebook):
    """It is drawn before its pane has its size."""
    program = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x + 3 * x\n"
    cells = [
        "import minitape as tf\n%load_ext minitape_widgets",
        f"%%tape --start end\n{program}print(tape.gradient(y, x))",
    ]
    notebook = open_notebook(cells=cells, width=1280, height=720)
    notebook.run_all()
    notebook.output(1).locator(".callout-answer").get_by_text("dy/dx = 7.0").wait_for()
