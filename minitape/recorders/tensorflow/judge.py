"""Who is told of functions that compute otherwise where they are opened."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class Judge(Protocol):
    """Who hears of a function that computes otherwise where it is opened."""

    def asleep(self) -> AbstractContextManager[None]:
        """Return a block in which the program does not run, and nobody looks at its gradients."""

    def differs(self, name: str, opened: str, compiled: str) -> None:
        """Hear of a function that gives other numbers opened than compiled."""

    def uncompared(self, name: str) -> None:
        """Hear of one that each run gives other numbers, so that nobody can compare."""
