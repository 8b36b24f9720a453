"""The names of a running function are read, and nothing of them is kept, on every Python."""

import sys
from weakref import ref

from minitape.program.visible import UNHELD, names_of


class Thing:
    pass


def test_what_was_read_is_not_kept():
    def function():
        thing = Thing()
        assert names_of(sys._getframe())["thing"] is thing
        gone = ref(thing)
        del thing
        return gone()

    assert function() is None


def test_a_dictionary_that_somebody_holds_is_not_emptied():
    def function():
        thing = Thing()
        kept = locals()
        names_of(sys._getframe())
        return kept["thing"] is thing

    def another():
        thing = Thing()
        kept = [sys._getframe().f_locals]
        names_of(sys._getframe())
        return kept[0]["thing"] is thing

    assert function() and another()


def test_a_count_decides_only_where_it_tells_one_holder_from_two():
    assert (UNHELD is not None) == (sys.version_info < (3, 13))
