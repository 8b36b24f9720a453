"""A healthy program to break, in a given way: a gradient is to become None for a given reason, and
nothing else is to change.

The program is a function that opens a tape, plays it, and returns numbers and gradients. The
solution is broken already; its blanks show the healthy program. An answer is right where it returns
what the solution returns, None included, and where the explainer finds the solution's reason in the
answer's own tape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .answers import array_of, close
from .cards import cards_of
from .filmed import FilmedAnswer
from .function import Given, board_of
from .outcome import SENTENCES, NotAttempted, NotYet


@dataclass(frozen=True, kw_only=True, eq=False)
class Break(Given):
    """A healthy program to break. `reasons`: categories of the explainer that are as good as the
    one of the solution.
    """

    by_hand: bool = False
    reasons: tuple[str, ...] = ()

    untouched = "unbroken"

    @cached_property
    def wanted_reasons(self) -> set[str]:
        """The categories of the explainer that count as the given way."""
        film = FilmedAnswer()
        with film.running():
            self.called(self.reference, self.drawn(np.random.default_rng(0)))
        return {film.reasons[0].category, *self.reasons}

    def wanted(self, inputs: Mapping[str, Any]) -> list[Any]:
        return [
            None if part is None else array_of(part, "")
            for part in self.called(self.reference, inputs)
        ]

    def compare(
        self,
        answers: Sequence[Sequence[Any]],
        wanted: Sequence[Sequence[Any]],
        rounds: Sequence[Mapping[str, Any]],
        films: Sequence[FilmedAnswer],
    ) -> None:
        """See that what should be None is None, and that the other parts are as they were."""
        if any(part is Ellipsis for part in answers[0]):
            raise NotAttempted
        for number, (parts, right) in enumerate(zip(answers, wanted)):
            for what, came, part in zip(self.outputs, parts, right):
                if part is None and came is not None:
                    raise self.unbroken(array_of(came, what), what, number, rounds, films)
                if part is not None and not close(array_of(came, what), part):
                    message = self.idea("other-result", what=what)
                    if array_of(came, what).shape == part.shape:
                        message += "\n" + self.counterexample(
                            what, array_of(came, what), part, rounds[number]
                        )
                    raise NotYet("other-result", message, number)

    def unbroken(
        self,
        gradient: np.ndarray,
        what: str,
        number: int,
        rounds: Sequence[Mapping[str, Any]],
        films: Sequence[FilmedAnswer],
    ) -> NotYet:
        """Return what is said where there still is a gradient."""
        healthy = FilmedAnswer()
        with healthy.running():
            self.called(self.given, rounds[number])
        idea = "still-whole" if gradient.any() else "zero-not-none"
        beside = gradient.any() and cards_kept(films[number]) == cards_kept(healthy)
        more = "\n" + SENTENCES.say("beside-the-way") if beside else ""
        return NotYet(idea, self.idea(idea, what=what) + more, number)

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        """See whether the explainer finds the given reason in the tapes of the answer."""
        for k, film in enumerate(films):
            if not film.reasons:
                raise NotYet("none-by-hand", self.idea("none-by-hand"), k)
            reason = film.reasons[0]
            if reason.category not in self.wanted_reasons:
                said = self.idea(reason.category) or self.idea("other-reason")
                raise NotYet(
                    reason.category,
                    said + "\n" + SENTENCES.say("your-reason", {"why": reason.message}),
                    k,
                )
        return board_of(films[0])


def cards_kept(film: FilmedAnswer) -> list[Any]:
    """Return the cards of the tapes of a film, without what their values are called."""
    return [card.key for tape in film.tapes for card in cards_of(tape.held, {})]
