"""`health.watch` sees trainings of real TensorFlow: the same findings, on the same lines, as it has of
minitape's.
"""

import sys
from pathlib import Path

import pytest

from minitape.program.places import line_at
from minitape.recorders import tensorflow as mt

HEALTH = Path(__file__).parents[1] / "health"
sys.path.insert(0, str(HEALTH))
from health_trainings import run  # noqa: E402

PROGRAMS = {
    p.stem: p.read_text(encoding="utf-8") for p in sorted((HEALTH / "trainings").glob("*.py"))
}
OTHER = "import tensorflow as tf\nfrom minitape import data"


def shown(finding):
    return finding.key, line_at(finding.where)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_training_has_the_findings_that_it_has_in_minitape(name):
    text = PROGRAMS[name]
    here = text.replace("import minitape as tf", OTHER).replace("tf.data.", "data.")
    there = text.replace("import minitape as tf", OTHER.replace("tensorflow", "minitape"))
    with mt.watch() as watched:
        seen = run(here, name)
    assert seen.failed is None and not watched.trouble
    expected = run(there.replace("tf.data.", "data."), name).findings
    assert list(map(shown, seen.findings[:1])) == list(map(shown, expected[:1])), str(seen)
