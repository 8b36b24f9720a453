"""Slips: a wrong answer that nobody declared is told which piece of the solution it lost, and only
where it computes just that.
"""

import ast
import os
import re
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from minitape.exercises import Function, Repair, exercise, ideas, slipped
from minitape.exercises import slips as slips_module
from minitape.exercises.ideas import relation
from minitape.exercises.outcome import SENTENCES
from minitape.exercises.slips import slips
from tests.exercises import examples
from tests.exercises.answers import tried

walk = Function(
    id="ex.walk",
    texts=examples.TEXTS,
    inputs={"start": ("+",), "rate": ("+",), "steps": lambda numbers: int(numbers.integers(2, 6))},
    program="""def walk(start, rate, steps):
    w = start
    for step in range(steps):
        w = «w - rate * 2 * w / (w + 3)»
    return w
""",
)


def answered(blank):
    """With numbers of a seed: by chance, `max` is always the first of two."""
    with patch.dict(os.environ, MINITAPE_SEED="0"):
        return tried(walk, walk.starter.replace("...", blank))


@pytest.mark.parametrize(
    ("blank", "idea", "said"),
    [
        ("w - rate * 2 / (w + 3)", "slip.no-factor", "`w`"),
        ("w - rate * rate * 2 * w / (w + 3)", "slip.factor-twice", "`rate`"),
        ("rate * 2 * w / (w + 3) - w", "slip.turned", "What is taken away"),
        ("w + rate * 2 * w / (w + 3)", "slip.plus", "a plus where"),
        ("w - rate * 2 * w / w + 3", "slip.brackets", "parentheses"),
        ("w - rate * 2 * w", "slip.no-factor.below.unnamed", "Is a division missing?"),
        ("w - steps * 2 * w / (w + 3)", "slip.name", "`steps`"),
        ("w - 0.37 * 2 * w / (w + 3)", "slip.own-number", "the number 0.37"),
        ("w - rate * w / (w + 3)", "slip.no-factor", "`2`"),
        ("0.25", "slip.constant", "the same whatever"),
        ("w - rate + 2 * w / (w + 3)", "slip.added", "Here they are multiplied"),
        ("w - rate * 2 ** w / (w + 3)", "slip.to-power", "with one `*`"),
        ("rate * w - 2 * w / (w + 3)", "slip.other-term", "`rate`"),
        ("rate * (w - 2 * w / (w + 3))", "slip.on-all", "the whole sum"),
        ("rate - w * 2 * rate / (rate + 3)", "slip.names", "`w, rate`"),
        ("w - rate ** 0.5 * 2 * w / (w + 3)", "slip.root", "`rate`"),
        ("max(w, rate * 2 * w / (w + 3))", "slip.one-of-two", "`max`"),
        ("2 * (w - rate * 2 / (w + 3))", "number", "not the right number"),
    ],
)
def test_a_lost_piece_is_named(blank, idea, said):
    outcome = answered(blank)
    assert (outcome.kind, outcome.idea) == ("not yet", idea) and said in outcome.message
    assert "rate * 2" not in outcome.message, "the solution is not told"


def test_what_is_no_slip_is_not_called_one():
    assert answered("w - rate * 2 * w / (w + 3)").correct
    assert answered("w - np.tanh(rate) * np.cos(w)").idea == "number"


def test_turns_of_a_loop_are_counted_where_the_whole_function_may_be_changed():
    mended = Repair(
        id="ex.turns",
        texts=examples.TEXTS,
        inputs={"a": ("+",), "n": lambda numbers: int(numbers.integers(2, 6))},
        by_hand=True,
        program="""def grow(a, n):
    for turn in range(n):
        a = «a * 1.5 <- 1.5»
    return a
""",
    )
    right = mended.solution_code
    assert tried(mended, right.replace("range(n)", "range(n - 1)")).idea == "slip.turn-less"
    in_loop = right.replace("    return a", "        return a")
    assert tried(mended, in_loop).idea == "slip.one-turn"


def test_each_slip_is_a_program_of_its_own_and_only_in_the_blank():
    program, blanks = walk._program.marked()
    found = slips(program, tuple(blanks))
    assert len({slip.code for slip in found}) == len(found) > 50
    kept = [line for line in ast.unparse(ast.parse(program)).splitlines() if "rate * 2" not in line]
    assert all(line in slip.code for slip in found for line in kept)


def test_each_slip_has_a_sentence_and_no_sentence_is_left_over():
    files = [module.__file__ for module in (slips_module, slipped, ideas)]
    written = "".join(Path(file).read_text() for file in files)
    found = re.findall(r"\bslip\.[\w.-]+", written)
    keys = {key.rstrip(".") for key in found} - {"slip.idea", "slip.said", "slip.code"}
    keys.add("slip.term-twice.below")
    keys |= set(slips_module.NAMING) | {f"{key}.unnamed" for key in slips_module.NAMING}
    said = {key.removeprefix("idea.") for key in SENTENCES("en") if key.startswith("idea.slip.")}
    assert said == {key for key in keys if key.startswith("slip.")}


RIGHT = [np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0])]


@pytest.mark.parametrize(
    ("came", "idea"),
    [
        ([r[::-1] for r in RIGHT], "slip.reversed"),
        ([r + 7 for r in RIGHT], "slip.offset"),
        ([r * r.size for r in RIGHT], "slip.not-shared"),
        ([r / r.size for r in RIGHT], "slip.shared"),
        ([1 / r for r in RIGHT], "slip.reciprocal"),
        ([r.sum() for r in RIGHT], "slip.summed"),
        ([r.mean() for r in RIGHT], "slip.averaged"),
        ([r[0] for r in RIGHT], "slip.only-first"),
        ([r[-1] for r in RIGHT], "slip.only-last"),
        ([r * k for k, r in enumerate(RIGHT, 2)], "slip.factor-twice"),
        ([r / k for k, r in enumerate(RIGHT, 2)], "slip.no-factor"),
        ([r**3 for r in RIGHT], None),
        ([r**2 for r in RIGHT], "slip.itself-squared"),
    ],
)
def test_numbers_tell_what_they_have_to_do_with_the_right_ones(came, idea):
    rounds = [{"k": float(k)} for k in (2, 3)]
    found = relation([np.asarray(c) for c in came], RIGHT, rounds)
    assert (found and found[0]) == idea


WITH_SIGNS = [np.array([1.3, -2.6, 4.7]), np.array([-3.7, 5.1])]


@pytest.mark.parametrize(
    ("change", "idea"),
    [
        (np.abs, "slip.no-sign"),
        (lambda right: np.maximum(right, 0), "slip.never-below"),
        (lambda right: np.minimum(right, 0), "slip.never-above"),
        (np.round, "slip.rounded"),
        (np.floor, "slip.rounded-down"),
        (np.trunc, "slip.rounded-to-0"),
    ],
)
def test_what_was_done_to_each_number_is_told(change, idea):
    assert relation([change(right) for right in WITH_SIGNS], WITH_SIGNS, [{}, {}]) == (idea, "")


def test_two_mistakes_at_once_are_both_told():
    turned = Function(
        id="ex.turned",
        texts=examples.TEXTS,
        inputs={"a": ("+",), "b": ("+",)},
        program="def f(a, b):\n    return «a * b / (a + 3)»\n",
    )
    twice = tried(turned, turned.starter.replace("...", "-2 * b / (a + 3) * a / 2 / b"))
    assert twice.idea == "slip.no-factor" and "`b`" in twice.message, twice
    assert "Besides, the sign is turned." in twice.message
    assert "Besides" not in tried(turned, turned.starter.replace("...", "a / (a + 3)")).message


@pytest.mark.parametrize(
    ("written", "said"),
    [("np.cos(x)", "`np.cos` is not the"), ("np.sin(np.pi / 2 - x)", "what `np.cos` would give")],
)
def test_another_function_is_told_from_a_program_that_computes_the_same(written, said):
    found = Function(
        id="ex.linear",
        texts=examples.TEXTS,
        inputs={"x": ("n",)},
        program="def found(x):\n    return «np.sin(x)»\n",
    )
    assert said in tried(found, found.starter.replace("...", written)).message


def test_what_computes_nearly_the_same_is_not_called_the_same():
    """cos of so small a number is nearly 1: the adjoint was not passed on unchanged."""
    found = exercise("03.sin")
    near = tried(found, found.starter.replace("...", "g * np.cos(np.radians(x))"))
    assert near.idea == "slip.degrees" and tried(found, found.starter.replace("...", "g")).idea == (
        "passed-on"
    )


def test_a_zero_of_a_play_is_not_one_that_stands_for_none():
    total = exercise("06.total")
    times = total.solution_code.replace("total + size", "total * size")
    assert tried(total, times).idea == "product"


def test_a_fault_that_is_still_there_is_told():
    """Also where something else was changed."""
    bug = exercise("03.bug")
    squared = bug.starter.replace("grad[output] * local", "grad[output] * local * local")
    assert (
        tried(bug, squared).idea == "as-given" and "once too often" in tried(bug, squared).message
    )


def test_later_parts_count_where_one_blank_makes_all():
    stop = exercise("07.stop")
    first_turn = stop.solution_code.replace(
        "        if last - best == patience:\n            break\n", "        return best, last\n"
    )
    assert tried(stop, first_turn).idea == "slip.one-turn"


@pytest.mark.parametrize(
    ("identity", "old", "new", "said"),
    [
        ("01.balloon", "12.0 * radius", "12.0 * radus", "`radius` is"),
        ("02.straight", "b * b", "np.multiply(b, b)", "What NumPy computes makes no card"),
        ("02.parcel", "+ 2", "+ 3", "done with something else"),
        ("02.straight", "return b * b", "return [b * b].append(b)", "although there is a `return`"),
    ],
)
def test_what_is_near_the_right_one_is_named(identity, old, new, said):
    found = exercise(identity)
    assert said in tried(found, found.solution_code.replace(old, new)).message


def test_a_number_that_never_changes_is_told():
    right = [np.array(2.0), np.array(3.0)]
    assert relation([np.array(5.0)] * 2, right, [{}, {}]) == ("slip.constant", "")
    assert relation([np.array(5.0)] * 2, [np.array(2.0)] * 2, [{}, {}]) != ("slip.constant", "")


def test_no_place_and_no_count_that_is_0_is_called_a_gradient():
    for right, idea in (("len(x)", "number"), ("np.sum(x)", "zero")):
        program = f"def count(x):\n    return «{right}»\n"
        count = Function(
            id="ex.linear", texts=examples.TEXTS, inputs={"x": ("n",)}, program=program
        )
        assert tried(count, "def count(x):\n    return 0\n").idea == idea


def test_none_behind_a_return_is_no_forgotten_return():
    behind = tried(walk, "def walk(start, rate, steps):\n    return [start].append(rate)\n")
    assert behind.idea == "none-returned" and "although there is a `return`" in behind.message
    assert tried(walk, "def walk(start, rate, steps):\n    print(start)\n").idea == "nothing"
    cards = "def make(x, w):\n    a = x * w\n    b = a + x\n    b * b\n"
    assert tried(exercise("02.straight"), cards).idea == "nothing", "right cards, nothing returned"
