"""Programs with a surprise, as `programs.txt` has them, and what is said of each."""

import linecache
import types
import warnings
from pathlib import Path

import pytest
import torch

import minitape.torch
from minitape.recorders.torch import the_recorder

HEAD = "import numpy as np, torch, torch.nn as nn, torch.nn.functional as F\n"
PROGRAMS, THREADS, STEPS, FURTHER, REASONS, HEALTHY, FORMS = (
    Path(__file__).parent / f"{name}.txt"
    for name in ("programs", "threads", "steps", "further", "reasons", "healthy", "forms")
)


# PyTorch's errors; and what is done with a gradient of None
STOPS = RuntimeError, ValueError, TypeError, AttributeError


def programs(path=PROGRAMS):
    """Yields (kind, line or None, text) of each program."""
    for part in path.read_text().split("#=== ")[1:]:
        kind, _, body = part.partition("\n")
        lines = (HEAD + body).splitlines()
        line = next((k for k, each in enumerate(lines, 1) if each.endswith("# <-")), None)
        kind = kind.partition("  #")[0].strip()
        yield kind, line, "\n".join(lines) + "\n"


def answer_to(text, name):
    """Runs a program, and returns its answer: to its own question, else to that about its last
    error or its last gradient of None.
    """
    forget()
    filename = f"{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = types.ModuleType("program")
    names = vars(module)
    names["explain"] = minitape.torch.explain
    torch.manual_seed(0)
    with warnings.catch_warnings(), minitape.torch.watch() as block:
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, filename, "exec"), names)
        except STOPS:
            pass
        if "answer" not in names:
            exec(compile("answer = explain()", "<question>", "exec"), names)
    for error in block.trouble:
        raise error
    return names["answer"]


def forget():
    """Leaves nothing of earlier programs to be asked about."""
    recorder = the_recorder()
    if recorder.tape is not None:  # begun after the block, by whoever asked there
        recorder.turn(recorder.tape)
    recorder.tapes.clear()
    recorder._waiting.clear()  # graphs of tensors that somebody still holds
    recorder._retell()
    recorder.events.plays.clear()
    recorder.events.hooks.clear()
    recorder.back.given.clear()
    recorder.events.failed = recorder.back.asked_none = recorder.back._last = None


def mended(text, answer, name):
    """The category of the answer once its cure stands in the program, and whether there is a number
    where there was none, or no error, where the first loss is what it was.
    """
    new = with_cure(text, answer)
    (loss, error), (again_loss, left) = alone(text), alone(new)
    same = answer.category in OTHER_NUMBERS or None in (loss, again_loss)
    same = not left and (same or again_loss == pytest.approx(loss, rel=1e-5))
    try:
        again = answer_to(new, name)
    except ValueError as error:
        return "healthy", same and "No gradient is None" in str(error)
    if error and not left and "explain(" not in text:  # it runs to its end
        return "healthy", same and any(play.reached for play in the_recorder().events.plays)
    return again.category, same and again.params["answer"] in FINE


def with_cure(text, answer):
    """A program with the lines of a cure in their place."""
    lines = text.splitlines()
    first, last = answer.replaced or (answer.lineno, answer.end_lineno)
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    lines[first - 1 : last] = [indent + line for line in answer.cure]
    return "\n".join(lines) + "\n"


def alone(text):
    """What the first `backward` of a program begins with, and what ends it, while nobody looks on;
    None for what is not.
    """
    seen, old, error = [], torch.Tensor.backward, None

    def backward(tensor, *args, **named):
        seen.append(float(tensor.detach().sum()))
        return old(tensor, *args, **named)

    torch.Tensor.backward = backward
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "alone.py", "exec"), {"explain": lambda *_: None})
    except STOPS as raised:
        error = raised
    finally:
        torch.Tensor.backward = old
    return (seen[0] if seen else None), error


# where the cure computes other numbers, with a slope, or plays two losses as one
OTHER_NUMBERS = (
    *("piecewise-constant", "zero-flat", "integer-cast", "overflow", "underflow", "where-nan"),
    *("nan-forward", "nan-backward", "inf-forward", "inf-backward"),
    "torch-used",
)
FINE = ("number", "zero", "rounding", "partial")
