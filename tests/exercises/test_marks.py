"""Points: all for a right answer, the share of the parts that are right, none for the rest; a
marked copy asks the same at every run.
"""

import io
from contextlib import redirect_stdout

import pytest
from IPython.core.interactiveshell import InteractiveShell

from minitape.exercises import all_ids, exercise
from minitape.exercises.author import answer_of
from minitape.exercises.marks import SEED, marks

COUNTING = [identity for identity in all_ids() if exercise(identity).counts]
HALF = """def play_backwards(x):
    p = x * x
    return {}
"""


@pytest.fixture(autouse=True)
def nobodys_progress(monkeypatch):
    """Nothing is written down."""
    monkeypatch.setenv("MINITAPE_PROGRESS", "")


@pytest.mark.parametrize("identity", COUNTING)
def test_a_solution_gets_all_points_and_a_starter_none(identity):
    asked = exercise(identity).fixed(SEED)
    assert marks(identity, answer_of(asked, asked.solution_code), 8) == 8.0
    with pytest.raises(AssertionError, match="Not attempted"):
        marks(identity, answer_of(asked, asked.starter), 8)


@pytest.mark.parametrize(
    "identity", [identity for identity in COUNTING if identity[:2] in ("02", "03", "04")]
)
def test_a_wrong_answer_never_gets_all_points(identity):
    asked = exercise(identity).fixed(SEED)
    if asked.shows:
        asked.question()
    for wrong in asked.wrong:
        assert points_of(identity, answer_of(asked, asked.wrong_code(wrong))) < 8, wrong


def points_of(identity, answer):
    """Return what nbgrader would note: 0 where the cell raises."""
    try:
        return marks(identity, answer, 8)
    except AssertionError as error:
        assert "Not yet" in str(error) or "raised" in str(error)
        return 0.0


@pytest.mark.parametrize(
    "returned, points",
    [("4 * p, 4 * (p + 3) + 4 * p, 0.0", 2.0), ("4 * p, 0.0, 0.0", 1.0), ("4 * p, ..., ...", 1.0)],
)
def test_parts_count_up_to_the_first_that_is_wrong(returned, points):
    assert exercise("03.blanks").parts == 3
    assert marks("03.blanks", answer_of(exercise("03.blanks"), HALF.format(returned)), 3) == points


def test_a_repair_has_no_half():
    asked = exercise("05.both")
    answer = next(
        answer_of(asked, asked.wrong_code(wrong)) for wrong in asked.wrong if wrong.idea == "same"
    )
    assert asked.try_out(answer).right == 1, "one of the two gradients is right, as it was before"
    with pytest.raises(AssertionError, match="Not yet"):
        marks("05.both", answer, 2)


def test_what_is_asked_with_a_seed_stays_the_same():
    order = exercise("03.order")
    first = order.fixed(SEED).solution_code
    order.question()  # what another cell is dealt
    dealt = order.solution_code
    assert (
        order.fixed(SEED).solution_code == first
        and marks("03.order", first.split("'")[1], 1) == 1.0
    )
    assert order.solution_code == dealt, "who fixes one changes no other"
    assert len({order.fixed(seed).solution_code for seed in range(6)}) > 1


def test_feedback_begins_with_the_sentence():
    shell = InteractiveShell.instance()
    try:
        with redirect_stdout(io.StringIO()) as shown:
            shell.run_cell(
                "from minitape.exercises.marks import marks\nmarks('03.sin', lambda g, y, x: g, 1)"
            )
    finally:
        InteractiveShell.clear_instance()
    assert shown.getvalue().startswith("✗ ") and "Traceback" not in shown.getvalue()
