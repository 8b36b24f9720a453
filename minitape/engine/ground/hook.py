"""What a lower layer asks of a higher one, which it must not import: a place with a name and a
type, filled from above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Hook(Generic[T]):
    """One thing that a higher layer provides. Calling the hook returns it; raises LookupError where
    nobody has filled it.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.load: Callable[[], T] | None = None

    def fill(self, load: Callable[[], T]) -> None:
        """Provide what `load()` returns: it is called whenever the hook is, so that nothing is
        imported before it is needed.
        """
        self.load = load

    @property
    def filled(self) -> bool:
        """True where there is something to call for."""
        return self.load is not None

    def __call__(self) -> T:
        if self.load is None:
            raise LookupError(f"Nobody provides {self.what}.")
        return self.load()
