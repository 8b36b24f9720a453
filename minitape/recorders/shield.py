"""What stands between the program and those who look at it: a note never disturbs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import get_ident
from typing import Any

MOST_TROUBLE = 20


class Shield:
    """Lets notes be taken in one thread, one at a time; what goes wrong in one is kept as
    `trouble`.

    `thread`: the one that is watched, or None; `quiet`: somebody looks just now, and what he
    computes for it is no part of the program.
    """

    thread: int | None = None
    quiet = False

    def serve(self, trouble: list[Exception]) -> None:
        """Serve the thread that calls."""
        self.thread, self.quiet, self.trouble = get_ident(), False, trouble

    def keep(self, error: Exception) -> None:
        """Keep what went wrong, the first few times: each error holds all that was in hand when it
        was raised.
        """
        if len(self.trouble) < MOST_TROUBLE:
            self.trouble.append(error)

    @property
    def down(self) -> bool:
        """True where what happens now is the program's, in the thread that is watched."""
        return not self.quiet and get_ident() == self.thread


def shielded(hook: Callable[..., None]) -> Callable[..., None]:
    """Make a note of a method: not of what the looking itself computes, and its own faults are
    kept, not raised.
    """

    @functools.wraps(hook)
    def noted(self: Any, *arguments: Any) -> None:
        shield: Shield = self.shield
        # that is `down`, which hundreds of notes would call
        if shield.quiet or get_ident() != shield.thread:
            return
        try:
            shield.quiet = True
            hook(self, *arguments)
        except Exception as error:
            shield.keep(error)
        finally:
            shield.quiet = False

    return noted
