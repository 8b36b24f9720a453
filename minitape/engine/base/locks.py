"""Locks for work that must be done once per object, such as building a layer or tracing a function.

An object has a reentrant lock only while a thread needs it. The lock is not stored on the object,
which can therefore be copied. Objects are nested (a function calls a model, the model its layers)
and locks are always taken from the outside inwards, so threads cannot deadlock.
"""

from __future__ import annotations

# as in `threading`, whose import would cost more than this module
from _thread import RLock, allocate_lock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_guard = allocate_lock()
# number of an object -> [its lock, how many hold it or wait for it]
_locks: dict[int, list[Any]] = {}


@contextmanager
def locked(obj: object) -> Iterator[None]:
    """Hold the lock of an object: one thread at a time runs the block."""
    with _guard:
        entry = _locks.setdefault(id(obj), [RLock(), 0])
        entry[1] += 1
    try:
        with entry[0]:
            yield
    finally:
        with _guard:
            entry[1] -= 1
            if not entry[1]:
                del _locks[id(obj)]
