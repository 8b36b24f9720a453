"""What TensorFlow answered, with the faster kernels switched on: they are invisible in the results."""

import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

from minitape import jit  # noqa: E402
from tests.engine.test_answers import ANSWERS, reason, verdict  # noqa: E402

FAMILIES = sorted({answer["id"].partition("/")[0] for answer in ANSWERS})


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_with_kernels(family):
    with jit.enable():
        found = [
            d
            for answer in ANSWERS
            if answer["id"].startswith(family + "/")
            for d in verdict(answer)
        ]
    assert not [d for d in found if reason(d) is None]
