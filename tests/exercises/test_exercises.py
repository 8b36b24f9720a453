"""Every exercise: the starter is not attempted, the solution passes, each declared wrong answer
meets its declared idea.
"""

import json

import pytest
from IPython.core.interactiveshell import InteractiveShell

from minitape.exercises import all_ids, exercise, progress
from tests.exercises.answers import TAPES


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    """Keep the learner's own progress file out of the tests."""
    monkeypatch.setenv("MINITAPE_PROGRESS", str(tmp_path / "deep" / "progress.json"))
    return tmp_path / "deep" / "progress.json"


def answer(found, code):
    """Run an answer as a notebook cell would, its text within the explainer's reach, and return
    what it defines.
    """
    return found.defined(code)


@pytest.mark.parametrize("identity", all_ids())
def test_starter_solution_and_every_wrong_answer(identity):
    found = exercise(identity)
    assert found.check(answer(found, found.starter)).kind == "not attempted"
    assert found.check(answer(found, found.solution_code)).kind == "correct"
    assert found.wrong, "an exercise declares the wrong answers that it knows"
    for wrong in found.wrong if identity not in TAPES else ():
        outcome = found.check(answer(found, found.wrong_code(wrong)))
        assert (outcome.kind, outcome.idea) == ("not yet", wrong.idea), wrong.answer


@pytest.mark.parametrize("identity", all_ids())
def test_hints_come_one_after_the_other(identity):
    found = exercise(identity)
    hints = [str(found.hint()) for _ in range(len(found.hints) + 1)]
    assert all(text in hint for text, hint in zip(found.hints, hints)) and hints[-1] == hints[-2]
    assert [".solution()" in hint for hint in hints] == [False] * (len(hints) - 2) + [True, True]
    assert "`" not in found.hint()._repr_html_(), "in a notebook a name is set as code"


def test_code_that_raises_names_the_learners_line():
    found = exercise("00.fan-out")
    outcome = found.check(
        answer(found, "def play_backwards(x):\n    y = x * x\n    return y + undefined_name\n")
    )
    assert (
        outcome.kind == "your code raised"
        and outcome.line == 3
        and "undefined_name" in outcome.message
    )
    assert (
        "<b>"
        not in found.check(
            answer(found, "def play_backwards(x):\n    raise ValueError('<b>')")
        )._repr_html_()
    )
    code = found.check(
        answer(found, "def play_backwards(x):\n    raise ValueError('`<i>`')")
    )._repr_html_()
    assert "<code>&lt;i&gt;</code>" in code and "`" not in code


@pytest.mark.system("hard links")
def test_progress_is_one_plain_file_and_correct_stays(own_progress):
    found = exercise("00.fan-out")
    found.check(answer(found, found.solution_code))
    found.check(answer(found, found.wrong_code(found.wrong[0])))
    assert json.loads(own_progress.read_text()) == {
        "version": 2,
        "exercises": {"00.fan-out": ["correct", "not yet", f"not yet: {found.wrong[0].idea}"]},
    }
    assert progress.progress() == {"00.fan-out": "correct"}


def test_a_broken_progress_file_does_not_stop_an_exercise(own_progress):
    own_progress.parent.mkdir()
    own_progress.write_text("[not json")
    found = exercise("00.fan-out")
    assert found.check(answer(found, found.solution_code)).correct


def test_an_unknown_exercise_names_those_that_exist():
    with pytest.raises(KeyError, match="00.fan-out"):
        exercise("99.nothing")


def test_an_answer_is_right_in_a_notebook_that_holds_a_variable_of_the_same_name():
    """As lesson 06 does. The explainer then says what became of that variable, in another category
    than alone.
    """
    shell = InteractiveShell.instance()
    try:
        shell.run_cell(
            "import minitape as tf\nfrom minitape.exercises import exercise\nw = tf.Variable(2.0)"
        )
        for identity in ("06.leave", "06.outdoors", "06.unwatched"):
            asked = exercise(identity)
            found = shell.run_cell(
                f'{asked.solution_code}\nexercise("{identity}").check({asked.name})'
            ).result
            assert found.correct, found
    finally:
        InteractiveShell.clear_instance()
