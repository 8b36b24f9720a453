"""A program to repair, and a function whose slopes come from its tapes: what the tapes do is looked
at, not the text.

A program to repair is a function that opens a tape, plays it, and returns gradients. The answer is
right where its plays find the gradients that the solution's plays find, on inputs that the learner
has not seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..storyboard import Film
from .answers import close
from .filmed import FilmedAnswer
from .function import Function, Given, board_of
from .outcome import NotYet
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
        return [(text, [(0, len(text.encode()))]) for text in (self.solution_code, self.starter)]

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


class Played(Function):
    """A function to complete. The plays of its tapes find each gradient that the solution's find."""

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        board = super().look(rounds, films)
        for number in unfound(self, rounds, films):
            raise NotYet("no-play", self.idea("no-play"), number)
        return board


def unfound(
    exercise: Function, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]
) -> Iterator[int]:
    """Yield the rounds in which a play of the solution finds a gradient that none of the answer's
    does.
    """
    for k, (inputs, film) in enumerate(zip(rounds, films)):
        with Film() as right:
            exercise.called(exercise.reference, inputs)
        gradients = gradients_of(film)
        if not all(any(close(f, g) for f in gradients) for g in gradients_of(right)):
            yield k


def gradients_of(film: Film) -> list[np.ndarray]:
    """Return all gradients that the plays of a film found; of a Jacobian, each row."""
    gradients = [
        (play.lead, np.asarray(g, np.float64))
        for play in film.played
        for g in play.gradients or []
        if g is not None
    ]
    return [
        row
        for lead, g in gradients
        for row in g.reshape(math.prod(g.shape[:lead]), *g.shape[lead:])
    ]
