"""A `with` block that is left in every case, also by Ctrl-C at the worst moment.

An interrupt can come after a block has ended and before its `__exit__` has begun: what the block had opened would stay open. But
`with` keeps what it found as `__exit__` until it is done, whatever happens. So the block gets an `__exit__` of its own, and when this
one is let go without having been called, the block is left all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import ref


class Leaving:
    """The `__exit__` of a class whose blocks must be left: `leave(manager, *error)` ends one.

    `leave` may be called several times, also where no block is open, and where one call was broken off: then it does what is left
    to do. Instances need a slot `_guard`.
    """

    def __init__(self, leave: Callable[..., None]) -> None:
        self.leave = leave

    def __get__(self, manager: Any, owner: type) -> Callable[..., None]:
        if manager is None:
            return self.leave
        exit = partial(self.leave, manager)
        if getattr(manager, "_guard", None) is None or manager._guard() is None:      # not one that is looked at inside of the block
            manager._guard = ref(exit, lambda _: self.leave(manager))
        return exit
