"""What the tests of the fast path share."""

import pytest

import minitape.fast as fast


@pytest.fixture
def switched_on():
    """The faster kernels, switched on for one test."""
    pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")
    with fast.enable():
        yield
