"""The exercises of "The same in PyTorch", which run without it: PyTorch says what they say."""

import pytest
import torch

from minitape.exercises import exercise
from minitape.exercises.lessons.lesson_in_pytorch import backward, cleared, guilty
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
    after = exercise(backward.id).defined(backward.right_code)(w, xs)
    assert float(after) == pytest.approx(leaf.grad.item())
