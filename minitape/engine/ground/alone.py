"""One thread at a time: what is done once in an object's life, such as building a layer or tracing
a function.

Each object has a lock of its own while somebody needs it, and none is kept with the object, so that
it can still be copied. The same thread may come in again. Objects lie in each other (a function
calls a model, the model its layers), so locks are always taken from the outside inwards, and two
threads never wait for each other.
"""

from __future__ import annotations

# what `threading` offers; to import that would cost more than this module
from _thread import RLock, allocate_lock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_guard = allocate_lock()
# number of an object -> [its lock, how many hold it or wait for it]
_locks: dict[int, list[Any]] = {}


@contextmanager
def alone(thing: object) -> Iterator[None]:
    """Let one thread after the other into the block, for each object apart."""
    with _guard:
        entry = _locks.setdefault(id(thing), [RLock(), 0])
        entry[1] += 1
    try:
        with entry[0]:
            yield
    finally:
        with _guard:
            entry[1] -= 1
            if not entry[1]:
                del _locks[id(thing)]
