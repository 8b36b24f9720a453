"""What a learner has half typed is explained as well: the explainer raises nothing, and takes no
longer than a second.
"""

import numpy as np
import pytest

from tests.explain.edits import asked_by, edited
from tests.explain.programs import programs

pytestmark = pytest.mark.filterwarnings("ignore")
LONG = [pytest.mark.long, pytest.mark.timeout(1800)]


@pytest.mark.parametrize("many", [300, pytest.param(20_000, marks=LONG)])
def test_random_edits_of_programs(many):
    rng, asked = np.random.default_rng(many), 0
    all_programs = [*programs("healthy"), *programs("several"), *programs()]
    for _ in range(many):
        program = all_programs[int(rng.integers(len(all_programs)))]
        program = program._replace(code=edited(rng, program.code))
        for seconds, trouble in asked_by(program):
            assert trouble is None, f"{program.code}\n{trouble}"
            assert seconds < 1.0, f"{program.code}\n{seconds} s"
            asked += 1
    assert asked > many / 10
