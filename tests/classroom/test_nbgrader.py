"""nbgrader itself takes a lesson over: it makes the students' copy, runs what came back, and gives
the marks that we expect.
"""

import csv
import subprocess
import sys

import nbformat
import pytest

from minitape.exercises import exercise
from minitape.exercises.marks import SEED
from tests.classroom.conftest import environment
from tests.test_tree import ROOT

LESSON = "03_playing_backwards"
WORTH = {"03.blanks": 3, "03.order": 1, "03.sin": 1, "03.bug": 1}

HALF = {
    "03.blanks": "def play_backwards(x):\n    p = x * x\n    q = 4 * p\n    r = p + 3\n    "
    "return q, 4 * r + q, 0.0",
    "03.order": "answer = 'ABCDE'",
    "03.sin": "def sin_rule(g, y, x):\n    import sys\n    print('a warning', file=sys.stderr)\n"
    "    return g * np.cos(x)",
}

# What does not help: names of one's own, checks of one's own, and another text in the cell that
# nbgrader locks.
FAKED = """
class Yes:
    kind, correct, right = "correct", True, 99
    check = fixed = try_out = question = lambda self, *more: self
exercise = marks = float = round = str = AssertionError = lambda *more: 1.0
exercise_03_blanks = exercise_03_order = exercise_03_sin = exercise_03_bug = Yes()
play_backwards = sin_rule = adjoints = lambda *more: 1.0
answer = "A"
"""


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_lesson_is_handed_out_and_marked(tmp_path):
    run = [
        sys.executable,
        str(ROOT / "notebooks" / "build.py"),
        "--nbgrader",
        str(tmp_path),
        LESSON,
    ]
    subprocess.run(run, env=environment(tmp_path), check=True, capture_output=True)

    nbgrader(tmp_path, "generate_assignment", LESSON)
    handed_out = nbformat.read(tmp_path / "release" / LESSON / f"{LESSON}.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in handed_out.cells)
    assert (
        "import marks" not in text
        and "HIDDEN" not in text
        and " SOLUTION" not in text
        and ".solution()" not in text
    )
    for identity in WORTH:
        answer = cell_of(handed_out, f"answer-{identity.replace('.', '-')}")
        assert answer.source.rstrip() == exercise(identity).starter.rstrip(), (
            "the student begins with the starter"
        )

    hand_in(
        tmp_path,
        handed_out,
        "ann",
        {identity: exercise(identity).fixed(SEED).solution_code for identity in WORTH},
    )
    hand_in(tmp_path, handed_out, "bob", HALF)
    hand_in(tmp_path, handed_out, "eve", dict.fromkeys(WORTH, FAKED), locked="marks()")
    hand_in(tmp_path, handed_out, "zoe", {})
    nbgrader(tmp_path, "autograde", LESSON)
    nbgrader(tmp_path, "export", "--to", str(tmp_path / "marks.csv"))
    with (tmp_path / "marks.csv").open(newline="") as file:
        found = {
            row["student_id"]: (float(row["score"]), float(row["max_score"]))
            for row in csv.DictReader(file)
        }
    total = sum(WORTH.values())
    assert found == {
        "ann": (total, total),
        "bob": (2 + 0 + 1 + 0, total),
        "eve": (0, total),
        "zoe": (0, total),
    }

    nbgrader(tmp_path, "generate_feedback", LESSON)
    feedback = (tmp_path / "feedback" / "bob" / LESSON / f"{LESSON}.html").read_text()
    assert "2 of 3" in feedback, "the student reads what was right"
    assert "(most recent call last)" not in feedback, "and no line of the check's own"


def nbgrader(place, *words):
    """Runs the program in the course; where it fails, what it said is in the failure."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=place,
        env=environment(place),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (
        f"nbgrader {' '.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    )


def cell_of(notebook, label):
    """The cell that nbgrader knows by this name."""
    return next(
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == label
    )


def hand_in(place, handed_out, student, answers, locked=""):
    """Puts the copy of a student where nbgrader collects it; `locked` is written into the cells
    that it marks by.
    """
    copy = nbformat.reads(nbformat.writes(handed_out), as_version=4)
    for identity, answer in answers.items():
        cell_of(copy, f"answer-{identity.replace('.', '-')}").source = answer
        if locked:
            cell_of(copy, f"marks-{identity.replace('.', '-')}").source = locked
    folder = place / "submitted" / student / LESSON
    folder.mkdir(parents=True)
    nbformat.write(copy, folder / f"{LESSON}.ipynb")
