"""A lock per object: it goes with the object, and is let go even where an interrupt came between."""

from _thread import RLock

import pytest

from minitape.engine.base import locks


class Thing:
    pass


class Torn:
    """A lock that is taken when the interrupt comes."""

    def __init__(self):
        self.lock = RLock()
        self.release, self._recursion_count = self.lock.release, self.lock._recursion_count

    def acquire(self):
        self.lock.acquire()
        raise KeyboardInterrupt


def test_a_lock_goes_with_its_object():
    thing = Thing()
    with locks.locked(thing), locks.locked(thing):
        key = id(thing)
        assert locks.lock_of(thing)._recursion_count() == 2
    assert locks.lock_of(thing)._recursion_count() == 0
    del thing
    assert key not in locks._locks


def test_what_an_interrupt_left_taken_is_let_go(monkeypatch):
    thing, torn = Thing(), Torn()
    monkeypatch.setitem(locks._locks, id(thing), (torn, None))
    with pytest.raises(KeyboardInterrupt), locks.locked(thing):
        pass
    assert torn._recursion_count() == 0
