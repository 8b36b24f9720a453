"""A `with` block that is left in every case, also by Ctrl-C at the worst moment.

An interrupt can come after a block has ended and before its `__exit__` has begun: what the block
had opened would stay open. But `with` keeps what it found as `__exit__` until it is done, whatever
happens. So the block gets an `__exit__` of its own, and when this one is let go without having come
to its end, a guard leaves the block all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import ref


class Leaving:
    """The `__exit__` of a class whose blocks must be left: `leave(manager, *error)` ends one.

    `leave` may be called several times, also where no block is open, and where one call was broken
    off: then it does what is left to do. Managers begin with None as their `_guard`.
    """

    def __init__(self, leave: Callable[..., None]) -> None:
        self.leave = leave

    def __get__(self, manager: Any, owner: type) -> Callable[..., None]:
        if manager is None:
            return self.leave
        # it is looked at inside of the block
        if manager._guard is not None and manager._guard() is not None:
            return partial(self.leave, manager)
        exit = partial(self._left, manager)
        manager._guard = ref(exit, lambda _: self.leave(manager))
        return exit

    def _left(self, manager: Any, *error: object) -> None:
        self.leave(manager, *error)
        # no sooner. No guard runs after an ordinary block: an interrupt in there would be lost
        manager._guard = None
