"""The first lesson as a learner meets it: a real JupyterLab, all cells run, the player driven by
keys and by mouse.
"""

import pytest

pytestmark = pytest.mark.browser

LESSON = "notebooks/00_start_here.ipynb"
FIRST, COUNT, WATCH, NUDGE, PREDICT, TWO = range(6)  # which picture of the page


@pytest.fixture
def lesson(open_notebook):
    """The first lesson, all cells run."""
    notebook = open_notebook(LESSON, width=1280, height=900)
    notebook.run_all()
    notebook.page.wait_for_function(
        "document.querySelectorAll('.jp-Notebook .minitape').length >= 6"
    )
    return notebook


def player(notebook, which):
    """Return the locator of one player, scrolled to."""
    found = notebook.page.locator(".jp-Notebook .minitape").nth(which)
    found.scroll_into_view_if_needed()
    return found


def test_the_lesson_is_played_checked_and_accessible(lesson, accessible):
    played(lesson)
    checked(lesson)
    for theme in ("light", "dark"):
        lesson.theme(theme)
        for which in (WATCH, PREDICT, TWO):
            found = player(lesson, which)
            for key in ("Home", "ArrowRight", "End"):
                found.locator("button.step").focus()
                lesson.page.keyboard.press(key)
            lesson.screenshot(f"lesson_{theme}_{which}")
        accessible(lesson.page, ".minitape")


def played(lesson):
    """The gradient 36 is on the screen, by keyboard and by mouse."""
    found = player(lesson, TWO)
    found.locator("button.step").click()  # by mouse: one act, and the player has the focus
    assert "1" in found.locator(".caption").inner_text()
    lesson.page.keyboard.press("End")  # by keys
    assert (
        "36.0" in found.locator(".badges").text_content()
        and "10.0" in found.locator(".badges").text_content()
    )
    end = found.locator(".caption").inner_text()
    lesson.page.keyboard.press("ArrowLeft")
    assert found.locator(".caption").inner_text() != end
    lesson.page.keyboard.press("ArrowRight")
    assert found.locator(".caption").inner_text() == end
    lesson.page.keyboard.press("Home")
    assert "36.0" not in found.locator(".badges").text_content()
    assert not lesson.problems and not lesson.blocked


def checked(lesson):
    """The exercise says: not attempted, then: not yet, then: correct."""
    from minitape.exercises import exercise

    found = exercise("00.fan-out")
    page = lesson.page
    assert page.get_by_text("Not attempted yet.").count() == 2
    check = "exercise_00_fan_out.check(play_backwards)"
    assert "Not yet" in lesson.run(f"{found.wrong_code(found.wrong[0])}\n{check}").inner_text()
    assert "Correct" in lesson.run(f"{found.solution_code}\n{check}").inner_text()
    lesson.screenshot("lesson_exercise")


MEASURE = """async (which) => {
    const host = document.querySelectorAll('.jp-Notebook .minitape')[which], p = host.player, found = new Set();
    const page = document.querySelector('.jp-WindowedPanel-outer') || document.querySelector('.jp-Notebook');
    host.scrollIntoView({block: 'start'});
    await new Promise(requestAnimationFrame);
    const top = page.scrollTop;
    for (const k of [...Array(p.total + 1).keys(), 3, 0]) {
        p.go(k);
        await new Promise(requestAnimationFrame);
        found.add(host.getBoundingClientRect().height + ' ' + (page.scrollTop - top));
    }
    return [[...found], page.clientHeight]; }"""


LONG = pytest.mark.long


@pytest.mark.parametrize(
    "width, files",
    [(1366, True), pytest.param(1366, False, marks=LONG), pytest.param(1024, False, marks=LONG)],
)
def test_a_player_fits_the_notebook_and_moves_nothing(open_notebook, width, files):
    """On a laptop's screen, with the file browser open and without it: each player of the lesson is
    seen whole, at every moment.
    """
    notebook = open_notebook(LESSON, width=width, height=768, fresh=True)
    notebook.page.evaluate(
        "files => { const shell = window.jupyterapp.shell; files ? shell.expandLeft() : "
        "shell.collapseLeft(); }",
        files,
    )
    notebook.run_all()
    notebook.page.wait_for_function(
        "document.querySelectorAll('.jp-Notebook .minitape').length >= 6"
    )
    for which in (WATCH, PREDICT, TWO):
        found, room = notebook.page.evaluate(MEASURE, which)
        assert len(found) == 1, f"the page moves: {found}"
        assert float(found[0].split()[0]) <= room - 4, (found, room)
