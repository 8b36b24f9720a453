"""Who is told of functions that compute otherwise where they are opened."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from minitape.engine.base.where import learners_frame, warn
from minitape.explain.case.words import say


class Judge(Protocol):
    """Who hears of a function that computes otherwise where it is opened."""

    def asleep(self) -> AbstractContextManager[None]:
        """Return a block in which the program does not run, and nobody looks at its gradients."""

    def differs(self, name: str, opened: str, compiled: str) -> None:
        """Hear of a function that gives other numbers opened than compiled; it then runs compiled."""

    def uncompared(self, name: str) -> None:
        """Hear of one that each run gives other numbers, so that nobody can compare."""


class Warns:
    """A judge that warns at the line of the call, and lets the program go on."""

    def asleep(self) -> AbstractContextManager[None]:
        """Return a block in which nothing is other than outside."""
        return nullcontext()

    def differs(self, name: str, opened: str, compiled: str) -> None:
        """Warn that a function is not opened."""
        self._warn("opened", name=name, opened=opened, compiled=compiled)

    def uncompared(self, name: str) -> None:
        """Warn that nobody knows."""
        self._warn("unlike", name=name)

    def _warn(self, said: str, **params: str) -> None:
        place = say("place", "text", "", {"line": learners_frame().f_lineno})
        warn(say("script", said, "", {"places": place, "lines": 1, **params}), UserWarning)
