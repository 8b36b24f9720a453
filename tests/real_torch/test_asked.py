"""Why is x.grad None? Each program of `programs.txt` gets the right kind and line; a cure that is
given mends it.
"""

import pytest
import torch

import minitape.torch
from minitape.explain import CATEGORIES, set_language

from .asked import answer_to, programs

ALL = list(programs())


@pytest.mark.parametrize("number", range(len(ALL)))
def test_the_answer(number):
    kind, line, text = ALL[number]
    answer = answer_to(text, f"program{number}")
    assert answer.category == kind, answer
    assert line is None or answer.lineno == line, answer
    assert kind in CATEGORIES and answer.message


def test_a_question_before_anything_was_watched_says_so():
    with pytest.raises(ValueError, match="was watched"):
        from minitape.recorders.torch.asking import question
        from minitape.recorders.torch.recorder import Recorder

        question(Recorder(), None, None)


@pytest.mark.parametrize("number", [2, 17, 41, 42, 60])
def test_the_cure_mends(number):
    """The guilty statement with the lines of the cure in its place: the surprise is gone."""
    kind, line, text = ALL[number]
    answer = answer_to(text, f"before{number}")
    lines = text.splitlines()
    lines[line - 1 : line] = answer.cure
    assert answer.cure
    assert answer_to("\n".join(lines) + "\n", f"mended{number}").category != kind


def test_it_speaks_french():
    set_language("fr")
    try:
        answer = str(answer_to(ALL[13][2], "french"))
    finally:
        set_language("en")
    assert "x.grad est None." in answer and "Pas une feuille" not in answer and "feuille" in answer


def test_the_warning_names_the_line():
    with minitape.torch.watch(), pytest.warns(match=r"x is None \(test_asked.py, line \d+\)"):
        x = torch.tensor(2.0, requires_grad=True)
        w = torch.tensor(1.0, requires_grad=True)
        y = x.detach() * w
        y.backward()
        assert x.grad is None
