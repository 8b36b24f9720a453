"""The exercises of "The same in PyTorch", which run without it: PyTorch says what they say."""

from textwrap import dedent

import pytest
import torch

from minitape.exercises import exercise
from minitape.exercises.lessons.lesson_in_pytorch import backward, cleared, guilty, translated
from minitape.exercises.line import HERE

from .asked import HEAD, answer_to


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_in_grad(seed):
    asked = cleared.fixed(seed).drawn()
    names = {"torch": torch}
    exec(asked["text"], names)
    assert "tf." not in asked["text"] and names["g"].item() == asked["right"]


def test_the_guilty_line():
    answer = answer_to(f"{HEAD}{guilty.shown}answer = explain(w)\n", "guilty")
    line = answer.lineno - len(HEAD.splitlines())
    assert answer.category == "python-escape" and (line, HERE) in guilty.marks


def test_what_backward_does():
    w, xs = 0.7, [2.0, -1.0, 3.0]
    leaf = torch.tensor(w, requires_grad=True)
    for x in xs:
        (leaf * leaf * x).backward()
    after = exercise(backward.id).defined(backward.solution_code)(w, xs)
    assert float(after) == pytest.approx(leaf.grad.item())


def test_a_state_that_is_carried_along():
    """The program in the question, run by PyTorch, moves the weight as the solution does."""
    lines = exercise(translated.id).question().splitlines()
    names = {"torch": torch}
    exec(dedent("\n".join(line for line in lines if line.startswith("    "))), names)
    w, xs, rate = 0.7, [2.0, -1.0, 3.0], 0.1
    after = exercise(translated.id).defined(translated.solution_code)(w, xs, rate)
    assert float(after) == pytest.approx(names["step"](w, xs, rate).item(), rel=1e-5)
