"""Which steps of a training are looked at: all looks together stay within a small share of the time."""

from __future__ import annotations

from math import sqrt
from time import perf_counter

SHARE = 0.01  # of the time that all looks together may take,
FREE, GRACE = 16, 0.006  # but for the first ones: so many looks, and so many seconds,
SHORT = 256  # lent little by little over so many steps: then a short training is seen to its end


class Pace:
    """The time that was paid for looks, and the step at which the next one is due.

    `every`: None, or the steps from one look to the next, whatever they cost. What is done
    `with pace:` is paid.
    """

    least = 4  # looks that are taken whatever they cost

    def __init__(self, every: int | None) -> None:
        self.every, self.began, self.paid = every, 0.0, 0.0
        self._next, self._second, self._since = 0, False, 0.0

    def __enter__(self) -> None:
        self._since = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.paid += perf_counter() - self._since

    def begin(self) -> None:
        self.began = perf_counter()

    def seconds(self) -> float:
        """Return the seconds since the training began."""
        return perf_counter() - self.began

    def due(self, step: int, looks: int) -> bool:
        """True where a step is to be looked at after so many looks."""
        if step < self._next:
            return False
        if self.every is not None or looks <= self.least or self._second:
            return True
        lent = min(self.paid * min(1, FREE / looks), GRACE * min(1, sqrt((step + 1) / SHORT)))
        return self.paid - lent <= SHARE * self.seconds()

    def looked(self, step: int) -> bool:
        """Decide when to look again; return True where the next look shows what an update did."""
        if self.every is not None:
            self._next = step + self.every
            return True
        self._second = not self._second
        self._next = step + 1 if self._second else step + max(1, step // 16)
        return self._second
