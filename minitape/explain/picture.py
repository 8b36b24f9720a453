"""What a picture is told of a gradient that is None: the explanation as plain data, with the way
from the source to the target.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from minitape.sentences import speaking
from minitape.storyboard.reasons import Reason

if TYPE_CHECKING:
    from .explanation import Explanation


def reasons(
    explained: Callable[[], list[Explanation]], language: str | None
) -> list[Reason | None]:
    """Return the `Reason` of each explanation, its sentences in a language; None where nothing is
    wrong.

    `explained()` gives the explanations: it may be slow, and their words must be chosen in that
    language.
    """
    with speaking(language):
        return [
            None
            if e.healthy
            else Reason(e.category, e.message, e.fix, e.where, e.filename, e.span, e.way)
            for e in explained()
        ]
