"""Why does it not learn? The same answers for trainings of real TensorFlow."""

import sys
import warnings
from pathlib import Path

import pytest

from minitape.recorders import tensorflow as mt

sys.path.insert(0, str(Path(__file__).parents[1] / "health"))
from explaining import check  # noqa: E402
from learning_well import HEALTHY, healthy  # noqa: E402
from not_learning import KINDS  # noqa: E402

from minitape.health.script import looking_on  # noqa: E402

CASES = [(kind, style, edits) for kind, ways in KINDS.items() for style, *edits in ways]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize(("kind", "style", "edits"), CASES, ids=[f"{k}-{s}" for k, s, _ in CASES])
def test_a_training_that_does_not_learn_is_told_why_with_its_line(kind, style, edits, tmp_path):
    check(kind, style, edits, tmp_path, "tensorflow")


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_training_is_left_alone(name):
    with warnings.catch_warnings(), mt.watch(open_functions=True), looking_on() as learning:
        exec(compile(healthy(name, "tensorflow"), f"<{name}>", "exec"), {"__name__": "__main__"})
        assert learning.certain(True) is None and learning.questions() == {}
    assert learning.watches
    assert all(seen.failed is None for seen in learning.watches)
