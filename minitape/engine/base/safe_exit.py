"""Context managers that exit even if Ctrl-C arrives between the block and its `__exit__`.

In that gap an interrupt would leave open what the block had opened. But the `with` statement holds
a reference to `__exit__` until it is done. So each block gets an `__exit__` object of its own, and
if this object is destroyed before it has run to its end, a finalizer exits the block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import ref


class SafeExit:
    """The `__exit__` of a class whose blocks must end: `leave(manager, *error)` ends one.

    `leave` may be called several times, when no block is open, and after a call that was
    interrupted; then it does what remains. A manager's `_guard` is None at first.
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
        # only now: a guard does not run after an ordinary block, where an interrupt would be lost
        manager._guard = None
