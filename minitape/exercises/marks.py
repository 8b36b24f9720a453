"""Points for an answer: what a cell of nbgrader's asks when a teacher marks (`python
notebooks/build.py --nbgrader`).

Marking happens in the student's own kernel, after the student's own cells. So the cell imports
`marks` by itself and asks no other name: what a student has called `exercise`, `check` or `float`
changes nothing. One who rewrites this module from the notebook is not stopped.
"""

from __future__ import annotations

from typing import Any

from .outcome import Outcome
from .shelf import exercise

SEED = 1  # what a marked copy asks is the same for all, at home and where it is marked


class NotRight(AssertionError):
    """Raised where no part of an answer is right. A notebook shows what the check says, and no
    traceback: the lines of the check are not the student's.
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(str(outcome))

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


def marks(identity: str, answer: Any, points: float) -> float:
    """Return the points of an answer: all, or the share of its parts that are right, up to the
    first that is wrong.

    Where nothing is right it raises NotRight, which says what a check says: nbgrader gives 0 for it,
    and shows the sentence.
    """
    asked = exercise(identity).fixed(SEED)
    if asked.shows:
        asked.question()
    outcome = asked.try_out(answer)
    if outcome.correct:
        return float(points)
    if not outcome.right or asked.parts == 1:
        raise NotRight(outcome)
    return round(points * outcome.right / asked.parts, 2)
