"""The tests are tested: every rule is broken in many small ways, and each time a check must turn
red.
"""

import functools
import warnings

import numpy as np
import pytest

from tests.engine.cases import CASES
from tests.engine.mutate import HARMLESS, harmless, mutants, passes, survives, survivors

every = functools.cache(mutants)


@pytest.mark.parametrize("part", range(8))
def test_every_mutant_is_found(part):
    assert survivors(every()[part::8]) == []


def test_harmless_mutants_exist():
    texts = [text for text, _, _ in every()]
    assert [p for p in HARMLESS if not any(t.startswith(p) for t in texts)] == []
    assert len(texts) > 800


def test_what_is_called_harmless_is():
    """A pattern that is too wide would hide mutants that a check finds today, and may miss
    tomorrow.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert [
            text for text, op, slots in every() if harmless(text) and not survives(op, slots)
        ] == []


def test_the_checks_are_green_where_nothing_is_broken():
    with np.errstate(all="ignore"):
        assert [c.op for c in CASES if c.order and not c.unregistered and not passes(c)] == []
