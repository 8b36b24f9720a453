"""A program to repair: what its tape does is looked at, not its text.

The program is a function that opens a tape, plays it, and returns gradients. The answer is right
where its plays find the gradients that the solution's plays find, on inputs that the learner has
not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..storyboard import Film
from .filmed import FilmedAnswer
from .function import Given, board_of
from .outcome import NotYet
from .played import unfound
from .slipped import Tried


@dataclass(frozen=True, kw_only=True, eq=False)
class Repair(Given):
    """A program to repair: a function that plays a tape and returns gradients. Its blanks show what
    is broken.

    With `by_hand=True` it plays no tape of minitape's, and its numbers alone are compared: a tape
    that learners have written, say.
    """

    by_hand: bool = False

    of_one_piece = False

    def changeable(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Return the solution and the broken program: learners change them anywhere."""
        return [(text, [(0, len(text.encode()))]) for text in (self.right_code, self.starter)]

    def special(self, tried: Tried) -> str | None:
        """Return "as-given" where the answer computes what the broken program does, "papered-over"
        where it puts a 0 in the place of None, "untaped" where it plays no tape.
        """
        if tried.times(self.given) == 1:
            return "as-given"
        played = self._played(tried.function, tried)
        if not played:
            return None if self.by_hand else "untaped"
        zero = not any(came.any() for came in tried.came)
        return "papered-over" if zero and _cut(played) else None

    def same_way(self, tried: Tried, function: Any) -> bool:
        """Say whether a 0 is one of a play in both, or in both one that stands for None."""
        if any(came.any() for came in tried.came):
            return True
        mine, other = (_cut(self._played(each, tried)) for each in (tried.function, function))
        return mine == other

    def _played(self, function: Any, tried: Tried) -> list[Any]:
        """Return the plays of a program."""
        with Film() as film:
            self.called(function, tried.rounds[0])
        return film.played

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        """See whether the tapes found what the solution's tape finds."""
        if self.by_hand:
            return super().look(rounds, films)
        if not all(film.played for film in films):
            raise NotYet("without-tape", self.idea("without-tape"))
        for k in unfound(self, rounds, films):
            raise NotYet("beside-tape", self.idea("beside-tape"), k)
        return board_of(films[0])


def _cut(played: list[Any]) -> bool:
    """Say whether a play found no gradient."""
    return any(g is None for play in played for g in play.gradients or [])
