"""What stands between the program and those who look at it: a note never disturbs."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any


class Shield:
    """Lets notes be taken in one thread, one at a time; what goes wrong in one is kept as `trouble`.

    `quiet`: somebody looks just now, and what he computes for it is no part of the program.
    """

    def __init__(self) -> None:
        self.thread, self.quiet = threading.get_ident(), False
        self.trouble: list[Exception] = []

    @property
    def down(self) -> bool:
        """True where what happens now is the program's, in the thread that is watched."""
        return not self.quiet and threading.get_ident() == self.thread


def shielded(hook: Callable[..., None]) -> Callable[..., None]:
    """Make a note of a method: not of what the looking itself computes, and its own faults are kept, not raised."""
    @functools.wraps(hook)
    def noted(self: Any, *arguments: Any) -> None:
        shield: Shield = self.shield
        if not shield.down:
            return
        shield.quiet = True
        try:
            hook(self, *arguments)
        except Exception as error:
            shield.trouble.append(error)
        finally:
            shield.quiet = False
    return noted
