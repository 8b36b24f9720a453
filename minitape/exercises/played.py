"""A function to complete whose slopes come from its tapes: from plays, not from formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..storyboard import Film
from .answers import close
from .filmed import FilmedAnswer
from .function import Function
from .outcome import NotYet


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
