"""`make check OP=Tanh` and `make mutate ARGS=Tanh`: what they say of a row that is well, broken,
untested or not there.
"""

import os
import re
import shutil
import subprocess
import sys
import time

import pytest

from minitape.engine.ops.facts import FACTS
from minitape.engine.ops.record import OPS
from tests.engine import mutate, one_row
from tests.test_tree import ROOT


@pytest.fixture
def without_answers(monkeypatch):
    """Nothing recorded is asked: for tests of what else a summary says."""
    monkeypatch.setattr(one_row, "recorded_answers", lambda *_: (1, 1, 1, {}, []))


@pytest.fixture
def answers_with(monkeypatch):
    """A function that leaves only the recorded programs in which some words stand: whether all are
    looked through, other tests see.
    """

    def only(*words):
        answers = [
            answer
            for answer in one_row.test_answers.ANSWERS
            if any(word in answer["code"] for word in words)
        ]
        assert answers
        monkeypatch.setattr(one_row.test_answers, "ANSWERS", answers)

    return only


def test_a_row_that_is_well():
    before = os.times()
    ran = subprocess.run(
        [sys.executable, "-m", "tests.engine.one_row", "Tanh"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    text = ran.stdout
    assert ran.returncode == 0, text + ran.stderr
    # in a process of its own, as by hand
    assert os.times().children_user - before.children_user < 12
    assert (
        text.startswith("Tanh, minitape/engine/ops/") and "gradients are finite differences" in text
    )
    assert re.search(r"recorded    \d\d of TensorFlow's programs use it, \d\d play its rule", text)
    assert "tf.tanh, tf.math.tanh" in text and "mutants     7 of 7 found" in text


@pytest.fixture(scope="module")
def uses():
    """What the recorded programs do with all rows, run once."""
    return one_row.uses_of(OPS.values())


@pytest.mark.long
@pytest.mark.parametrize("name", OPS)
def test_every_row_is_well(name, uses):
    start = time.process_time()
    lines, well = one_row.summary(name, uses)
    assert well, "\n".join(lines)
    assert time.process_time() - start < 10


def test_only_the_programs_that_use_the_row_are_counted():
    used, _, tried, near, complaints = one_row.recorded_answers(OPS["Polygamma"])
    codes = [
        answer["code"]
        for answer in one_row.test_answers.ANSWERS
        if not answer["id"].startswith("accepted/")
    ]
    # it is the derivative of digamma, and that is lgamma's
    assert used - tried == sum(
        "polygamma(" in code or "digamma(" in code or "lgamma(" in code for code in codes
    )
    assert tried == 1 and list(near) == ["math.polygamma"] and complaints == []


# "" is in all
@pytest.mark.parametrize(
    "name, word", [("Tanh", "tanh("), pytest.param("Complex", "", marks=pytest.mark.long)]
)
def test_a_wrong_rule_is_told(name, word, monkeypatch, answers_with):
    answers_with(word)
    rules = OPS[name].rules
    monkeypatch.setattr(OPS[name], "rules", (lambda *a, **k: rules[0](*a, **k) * 1.01, *rules[1:]))
    lines, well = one_row.summary(name)
    complaints = [line for line in lines if line.startswith("    ! ")]
    assert not well and any(
        "gradients are finite differences: AssertionError" in c for c in complaints
    )
    assert any("/" in c and "not [" in c for c in complaints), "a recorded answer"


@pytest.mark.node
def test_a_formula_of_the_page_that_differs_is_told(monkeypatch):
    kernel = OPS["Tanh"].kernel
    assert one_row.page("Tanh") == ("6 of 6 runs give the engine's numbers", [])
    monkeypatch.setattr(OPS["Tanh"], "kernel", lambda x: kernel(x) * 1.001)
    said, complaints = one_row.page("Tanh")
    assert said.startswith("0 of 6") and complaints[0].startswith("Tanh in float64: target 0[0]: ")


def test_a_difference_that_is_gone_is_told(monkeypatch, answers_with):
    answers_with("polygamma(", "digamma(", "lgamma(")
    monkeypatch.setitem(
        one_row.test_answers.DIFFERENT,
        "elementwise/polygamma",
        "a function that minitape did not have",
    )
    *_, complaints = one_row.recorded_answers(OPS["Polygamma"])
    assert len(complaints) == 1 and "'elementwise/polygamma' differs no more" in complaints[0]


def test_a_row_without_a_recorded_answer_is_told(monkeypatch):
    monkeypatch.setattr(one_row, "recorded_answers", lambda *_: (0, 0, 0, {}, []))
    lines, well = one_row.summary("Tanh")
    assert not well and "No program in tests/data/tf_answers uses this row" in "\n".join(lines)
    assert set(one_row.WITHOUT_ANSWER) <= set(OPS)


def test_a_rule_that_no_program_plays_is_told(monkeypatch):
    monkeypatch.setattr(one_row, "recorded_answers", lambda *_: (1, 0, 1, {"tanh": 0}, []))
    monkeypatch.setattr(one_row.mutate, "survivors", lambda chosen: [])
    lines, well = one_row.summary("Tanh")
    assert not well and "No program plays its rule" in "\n".join(lines)


def test_a_row_that_was_not_tried_in_other_dtypes_is_told(monkeypatch):
    monkeypatch.setattr(one_row, "recorded_answers", lambda *_: (2, 1, 0, {"tanh": 0}, []))
    lines, well = one_row.summary("Tanh")
    assert (
        not well
        and "Nothing says which dtypes TensorFlow refuses. Add tf.tanh(x) to FURTHER"
        in "\n".join(lines)
    )


def test_a_wrong_signature_is_told(monkeypatch):
    monkeypatch.setattr(one_row.test_signatures, "written", lambda obj: ["z"])
    assert one_row.signatures(["tanh"]) == ["tf.tanh(z), TensorFlow (x, name=None)"]


def test_a_name_that_only_tensorflow_has_is_told(monkeypatch):
    found = one_row.test_signatures.found
    monkeypatch.setattr(
        one_row.test_signatures, "found", lambda name: None if name == "math.tanh" else found(name)
    )
    assert one_row.signatures(["tanh"]) == [
        "TensorFlow has it as tf.math.tanh, too: give it its name there."
    ]


def test_a_survivor_is_told(monkeypatch, without_answers):
    monkeypatch.setattr(mutate, "survives", lambda op, slots: True)
    lines, well = one_row.summary("Tanh")
    assert (
        not well
        and "mutants     0 of 7 found" in "\n".join(lines)
        and lines[-1].endswith("7 to mend, marked with !")
    )


def test_a_wrong_fact_is_told(monkeypatch, without_answers):
    monkeypatch.setitem(FACTS, "Tanh", FACTS["Tanh"]._replace(limits=(0, 1)))
    lines, well = one_row.summary("Tanh")
    assert not well and "    ! It goes to -1 and 1, not to (0, 1)." in lines


def test_a_row_without_a_case(monkeypatch, without_answers):
    monkeypatch.setattr(one_row, "rule_tests", lambda name: ([], []))
    lines, well = one_row.summary("Tanh")
    assert (
        not well
        and "Add one to the list CASES in tests/engine/cases/elementwise.py" in "\n".join(lines)
    )


def test_a_row_of_traced_functions_has_its_tests_elsewhere(without_answers):
    lines, well = one_row.summary("Repeat")
    assert well and "tests/jit/test_function.py" in lines[1]


@pytest.mark.parametrize("main", [one_row.main, mutate.main])
def test_a_name_that_is_not_there(main):
    assert main(["Tahn"]).startswith("The table has no row 'Tahn'. The nearest ones: Tan, Tanh")
    assert main(["Exp", "tanh"]).startswith("The table has no row 'tanh'. The nearest ones: Tanh")


def test_mutate_breaks_only_the_rows_that_it_is_given(capsys):
    assert not mutate.main(["Tanh", "Exp"])
    assert capsys.readouterr().out.startswith("11 mutants of 2 rows")
    assert {op.name for _, op, _ in mutate.mutants(["Tanh"])} == {"Tanh"}


@pytest.mark.skipif(not shutil.which("make"), reason="no make here")
@pytest.mark.parametrize(
    ("words", "runs"),
    [
        (["check", "OP=Tanh"], "python -m tests.engine.one_row Tanh"),
        (["mutate", "ARGS=Tanh"], "python -m tests.engine.mutate Tanh"),
    ],
)
def test_make_passes_the_name_on(words, runs):
    plan = subprocess.run(
        ["make", "--dry-run", *words], cwd=one_row.ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert runs in plan
