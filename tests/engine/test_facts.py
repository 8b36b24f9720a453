"""The table of facts: a line for each row, and each fact true to what the row does."""

import numpy as np
import pytest

from minitape.engine.ops.facts import FACTS, facts_of, names_in_tensorflow
from minitape.engine.ops.record import OPS
from tests.engine import row_facts


@pytest.mark.parametrize("name", sorted(row_facts.rows_of_the_engine() | FACTS.keys()))
def test_a_line_is_true_to_its_row(name):
    assert row_facts.lacking(OPS[name]) == []


@pytest.mark.parametrize(
    ("name", "wrong", "expected"),
    [
        ("Tanh", {"called": "tangent"}, "There is no tf.tangent."),
        ("Tanh", {"called": ""}, 'Learners know it as tf.tanh: called="tanh".'),
        ("Tanh", {"page": False}, "The page has it"),
        ("Erf", {"page": True}, "The page does not have it"),
        ("Tanh", {"bends": "curved"}, "Its graph is not curved, but saturated."),
        ("Tanh", {"limits": None}, "It flattens out on both sides: limits=(-1, 1)."),
        ("Tanh", {"limits": (0, 1)}, "It goes to -1 and 1, not to (0, 1)."),
        ("Log", {"domain": ""}, "It is NaN at x = -3: say in `domain` where it is defined."),
        ("Log", {"domain": "x > 1"}, "It is -0.693147 at x = 0.5, outside of its domain."),
        ("Exp", {"fails": ""}, "it is infinite: power?"),
        ("Reciprocal", {"fails": "", "domain": ""}, "It is infinite in places: say how it fails."),
        ("Mul", {"sign": "+"}, "The operator + is Add."),
        ("Mul", {"commutes": False}, "Its inputs may change places: commutes=True."),
        ("Sub", {"bends": "factor"}, "it is straight"),
        ("Mul", {"bends": "straight"}, "it is not straight"),
        ("Floor", {"bends": "curved"}, "but steps"),
        ("Relu", {"bends": "leaky"}, "but relu"),
    ],
)
def test_a_wrong_fact_is_told(name, wrong, expected, monkeypatch):
    monkeypatch.setitem(FACTS, name, FACTS[name]._replace(**wrong))
    assert any(expected in complaint for complaint in row_facts.lacking(OPS[name]))


@pytest.mark.parametrize(
    ("bends", "limits", "expected"),
    [
        ("curved", None, None),
        ("saturated", None, "Its graph is not saturated, but curved."),
        ("curved", (0, 0), "It goes up and down"),
    ],
)
def test_a_peak_is_not_saturated(bends, limits, expected):
    facts = FACTS["Tanh"]._replace(bends=bends, limits=limits)

    def compute(x):  # x / (1 + |x|)**2: flat far out, and steepest at 0, where it is 0 as well
        with np.errstate(invalid="ignore"):
            far = np.isinf(x)
            y = np.where(far, 0, x / (1 + abs(x)) ** 2)
            return y, (np.where(far, 0, (1 - abs(x)) / (1 + abs(x)) ** 3),)

    said = list(row_facts.of_curve(facts, compute))
    assert any(expected in complaint for complaint in said) if expected else not said


def test_a_missing_line_is_told(monkeypatch):
    monkeypatch.delitem(FACTS, "Tanh")
    (complaint,) = row_facts.lacking(OPS["Tanh"])
    assert '"Tanh": Facts(...)' in complaint and "minitape/engine/ops/facts.py" in complaint


def test_what_the_table_does_not_have_is_not_known():
    assert facts_of("tf.Betainc") == facts_of("") and not facts_of("tf.Betainc").page


def test_no_two_rows_have_one_name_in_tensorflow():
    names = [name for facts in FACTS.values() for name in facts.tensorflow.split() if name != "="]
    assert len(names) == len(set(names)) and not set(names) & FACTS.keys()
    assert names_in_tensorflow()["AddV2"] == "Add" and names_in_tensorflow()["Tanh"] == "Tanh"


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Tanh", "y"), ("Log", "x"), ("Mul", "a, b"), ("Add", "nothing"), ("Select", "c")],
)
def test_what_rules_keep_is_read_off_them(name, kept):
    assert row_facts.sentence_of(name).endswith(f"; its rules keep {kept}")
