"""An error of PyTorch's says what it means: in a note, and where `explain()` is asked after it."""

import linecache
from pathlib import Path

import pytest

import minitape.torch

from .asked import forget, programs

CURED = "torch-numpy", "torch-create-graph", "torch-detached", "numpy-escape"
ERRORS = [*programs(Path(__file__).parent / "errors.txt")]


def stopped(text, name):
    """Runs a program, and returns the notes of its error and what is said of it."""
    forget()
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    with pytest.raises((RuntimeError, ValueError)) as caught, minitape.torch.watch() as block:
        exec(compile(text, name, "exec"), names := {"explain": minitape.torch.explain})
    assert not block.trouble
    return getattr(caught.value, "__notes__", []), eval("explain()", names)


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_what_it_means(number):
    kind, line, text = ERRORS[number]
    notes, answer = stopped(text, f"error{number}.py")
    assert (answer.category, answer.lineno) == (kind, line), answer
    assert notes == [f"minitape: {answer}"] and (kind in CURED or not answer.cure)


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("number", [k for k, each in enumerate(ERRORS) if each[0] in CURED])
def test_its_cure_mends(number):
    _, _, text = ERRORS[number]
    _, answer = stopped(text, f"cured{number}.py")
    lines = text.splitlines()
    first, last = answer.replaced or (answer.lineno, answer.end_lineno)
    lines[first - 1 : last] = answer.cure
    with minitape.torch.watch():
        exec(compile("\n".join(lines), "mended", "exec"), {})


def test_explain_knows_of_a_leaf_that_nothing_was_played_for():
    import torch

    forget()
    with minitape.torch.watch():
        w = torch.ones(2, requires_grad=True)
        w * 2
    assert minitape.torch.explain().category == "torch-not-played"
