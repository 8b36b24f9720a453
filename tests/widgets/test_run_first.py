"""Each cell of an exercise that is run too early says which cell comes first, in every lesson; all
other cells run as they are.
"""

import re

import nbformat
import pytest
from IPython.testing.globalipapp import start_ipython
from IPython.utils.capture import capture_output

from minitape.exercises import exercise
from minitape.sentences import speaking
from minitape_widgets import run_first
from tests.test_tree import ROOT

LESSONS = sorted(
    path
    for path in ROOT.glob("notebooks/**/[01]*.ipynb")
    if path.parent.name in ("notebooks", "fr")
)


def cells_of_exercises(lesson):
    code = [cell.source for cell in nbformat.read(lesson, 4).cells if cell.cell_type == "code"]
    return [text for text in code if re.search(r"\bexercise\(\"|\.check\(", text)]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_cell_of_an_exercise_in_a_fresh_kernel_and_after_the_top(lesson, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", str(lesson))
    french, cells = lesson.parent.name == "fr", cells_of_exercises(lesson)
    assert cells
    for text in cells:
        said = run_first.first(text, {"tf", "np"})
        assert said.startswith(
            "Exécutez d'abord les cellules tout en haut"
            if french
            else "First run the cell at the top"
        ), text
        name = text.split(".check(")[0].rpartition("\n")[2] if ".check(" in text else ""
        if name:
            answer, get = re.search(r"\.check\((\w+)\)", text)[1], f"{name} = exercise("
            known = {"exercise", "ask", *([] if get in text else [name])}
            assert f"`{answer}`" in run_first.first(
                text, known
            ) and "`exercise" not in run_first.first(text, known)
            assert run_first.first(text, {*known, answer}) == ""
            if get not in text:
                assert f"`{name} =`" in run_first.first(text, {"exercise", "ask", answer})


def test_a_kernel_that_is_not_told_its_notebook_stands_in_its_folder(monkeypatch, tmp_path):
    (tmp_path / "fr").mkdir()
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for folder, language in ((tmp_path / "fr", "fr"), (tmp_path, "en")):
        monkeypatch.chdir(folder)
        assert run_first.spoken() == language


@pytest.fixture(scope="module")
def shell():
    shell = start_ipython() or __import__("IPython").get_ipython()
    shell.run_line_magic("load_ext", "minitape_widgets")
    return shell


@pytest.fixture
def fresh(shell):
    for name in ("exercise", "exercise_02_straight", "make", "mine"):
        shell.user_ns.pop(name, None)
    return shell


def run(shell, cell):
    with capture_output() as captured:
        result = shell.run_cell(cell)
    return result, captured


def test_in_the_shell(fresh):
    """One sentence and no error; once the cells before it have run, the check is that of the
    exercise.
    """
    check = "exercise_02_straight.check(make)"
    result, captured = run(fresh, check)
    assert (
        result.success
        and str(result.result).startswith("First run the cell at the top of the lesson")
        and not captured.stderr
    )
    fresh.user_ns["exercise"] = exercise
    assert "`exercise_02_straight =`" in str(run(fresh, check)[0].result)
    run(fresh, 'exercise_02_straight = exercise("02.straight")')
    with speaking("fr"):
        assert str(run(fresh, check)[0].result).startswith("`make` n'existe pas encore")
    run(fresh, exercise("02.straight").starter)
    assert run(fresh, check)[0].result.kind == "not attempted"


@pytest.mark.parametrize(
    "cell",
    [
        "mine + 1",
        "def mine():\n    return exercise_02_straight",
        "print(mine)\nexercises = 1",
        "import numpy\nexercise_02_straight.check(mine)",
        "exercise_02_straight.check(mine",
    ],
)
def test_cells_of_the_learner_s_are_left_as_they_are(fresh, cell):
    """Also where they name what does not exist: that is Python's to say, with the line."""
    assert run_first.cells_first([cell]) == [cell]


def test_a_name_that_lacks_inside_of_an_answer_is_told_as_before(fresh):
    fresh.user_ns["exercise"] = exercise
    run(fresh, 'exercise_02_straight = exercise("02.straight")\n')
    run(fresh, "def make(x, w):\n    return mine * x")
    outcome = run(fresh, "exercise_02_straight.check(make)")[0].result
    assert (
        outcome.kind == "your code raised"
        and "NameError: name 'mine'" in outcome.message
        and outcome.line == 2
    )


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("answer = 3x", "`3 * x`"),
        ("answer = np.sin(2 x)", "`3 * x`"),
        ("answer = CDEBA", "A text needs its quotes"),
        ("answer = 1 / 0", ""),
        ("if 3 > 2\n    answer = 1", ""),
    ],
)
def test_what_cannot_be_run_says_what_may_be_meant_under_python_s_error(fresh, cell, said):
    """Only once exercises are in use."""
    assert not run(fresh, cell)[1].outputs
    fresh.user_ns["exercise"] = exercise
    result, captured = run(fresh, cell)
    shown = [output.data["text/plain"] for output in captured.outputs]
    assert not result.success and "Error" in captured.stdout
    assert said in shown[0] if said else not shown
