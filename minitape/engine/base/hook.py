"""Hooks: a named and typed object that a lower layer needs and a higher layer provides, since the
lower one must not import it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Hook(Generic[T]):
    """An object that a higher layer provides. Calling the hook returns it; raises LookupError if
    none was provided.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.load: Callable[[], T] | None = None

    def fill(self, load: Callable[[], T]) -> None:
        """Provide what `load()` returns. `load` is called at each use of the hook, so that nothing
        is imported before it is needed.
        """
        self.load = load

    def empty(self) -> None:
        """Take back what was provided."""
        self.load = None

    @property
    def filled(self) -> bool:
        """True if the hook was filled."""
        return self.load is not None

    def __call__(self) -> T:
        if self.load is None:
            raise LookupError(f"Nobody provides {self.what}.")
        return self.load()
