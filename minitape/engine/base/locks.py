"""Locks for work that must be done once per object, such as building a layer or tracing a function.

An object has a reentrant lock from the first time that it is asked for until the object is gone.
The lock is not stored on the object, which can therefore be copied. Objects are nested (a function
calls a model, the model its layers) and locks are always taken from the outside inwards, so threads
cannot deadlock.
"""

from __future__ import annotations

# as in `threading`, whose import would cost more than this module
from _thread import RLock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

# number of an object -> (its lock, what takes this entry away when the object is gone)
_locks: dict[int, tuple[Any, Any]] = {}


@contextmanager
def locked(obj: object) -> Iterator[None]:
    """Hold the lock of an object: one thread at a time runs the block.

    Since Python 3.14 an interrupt may come between a lock that was taken and the block of `with`;
    so what is let go is counted.
    """
    lock = lock_of(obj)
    before = lock._recursion_count()
    try:
        lock.acquire()
        yield
    finally:
        while lock._recursion_count() > before:
            lock.release()


def lock_of(obj: object) -> Any:
    """Return the lock of an object. No lock guards the dictionary: each step is one of C."""
    key = id(obj)
    entry = _locks.get(key)
    if entry is None:
        entry = _locks.setdefault(key, (RLock(), ref(obj, lambda _: _locks.pop(key, None))))
    return entry[0]
