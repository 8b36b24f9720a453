"""Random programs in minitape and in TensorFlow; `random_programs.py` beside this file runs more."""

import pytest

from .random_programs import disagreement, written


@pytest.mark.parametrize("start", range(10_000, 10_300, 50))
def test_random_programs_agree(start):
    for seed in range(start, start + 50):
        assert disagreement(written(seed)) is None, written(seed)
