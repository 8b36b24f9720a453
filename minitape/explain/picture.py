"""What a picture is told of a gradient that is None: the explanation as plain data, with the way from the source to the target."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from minitape.sentences import speaking
from minitape.storyboard.reasons import Reason

if TYPE_CHECKING:
    from .explanation import Explanation


def reason(explained: Callable[[], Explanation], language: str | None) -> Reason | None:
    """Return the `Reason` of an explanation, its sentences in a language; None where nothing is wrong.

    `explained()` gives the explanation: it may be slow, and its words must be chosen in that language.
    """
    with speaking(language):
        found = explained()
        if found.healthy:
            return None
        return Reason(found.category, found.message, found.fix, found.where, found.filename, found.span, found.way)
