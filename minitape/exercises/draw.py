"""Inputs that the learner has not seen.

An author says {"x": (), "w": ("n", 3)}: a number, and a matrix of some rows and three columns,
where "n" is another number each time; ("+", "n") for positive numbers; or, for a particular range,
a function of a NumPy generator, {"x": lambda numbers: numbers.uniform(1, 2)}; it is told the turn as
well where it takes it, {"k": lambda numbers, turn: 3 + turn % 2}.
"""

from __future__ import annotations

import inspect
import itertools
import os
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

import numpy as np

from ..engine.base.tensor import Tensor
from ..engine.convert import constant

# small and large, of both signs, once each in four turns; two numbers meet in all four pairs of signs
QUARTERS = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))

Inputs = Mapping[str, tuple[Any, ...] | Callable[..., Any]]


def draw(inputs: Inputs, numbers: np.random.Generator, turn: int | None = None) -> dict[str, Any]:
    """Return a value per input: between 0.5 and 2.5 in size, of both signs, so that no two ideas
    give the same answer by chance.

    From turn to turn, each length that has a name is another one, and a number has another sign or
    another half of the sizes, so that no answer that knows only one is right all the time.
    """
    letters: list[Any] = sorted(
        {
            size
            for shape in inputs.values()
            if not callable(shape)
            for size in shape
            if isinstance(size, str) and size != "+"
        }
    )
    lengths = np.arange(2, max(5, 2 + len(letters)))
    sizes: dict[Any, Any] = dict(
        zip(letters, numbers.permutation(lengths) if turn is None else np.roll(lengths, -turn))
    )
    orders = itertools.cycle(QUARTERS)
    drawn: dict[str, Any] = {}
    for name, shape in inputs.items():
        if callable(shape):
            takes_turn = len(inspect.signature(shape).parameters) > 1
            drawn[name] = shape(numbers, turn or 0) if takes_turn else shape(numbers)
        else:
            axes = [size for size in shape if size != "+"]
            if not axes and turn is not None:
                drawn[name] = _number(numbers, next(orders)[turn % 4])
            else:
                drawn[name] = array_of_shape(
                    tuple(int(sizes[size] if isinstance(size, str) else size) for size in axes),
                    numbers,
                )
            if "+" in shape:
                drawn[name] = abs(drawn[name])
    return drawn


def _number(numbers: np.random.Generator, quarter: int) -> float:
    size = round(numbers.uniform(0.5, 1.4) + 1.1 * (quarter // 2), 3)
    return -size if quarter % 2 else size


def array_of_shape(shape: tuple[int, ...], numbers: np.random.Generator) -> Any:
    """Return random numbers of a shape; a plain float for ()."""
    drawn = np.round(numbers.uniform(0.5, 2.5, shape) * numbers.choice([-1.0, 1.0], shape), 3)
    return drawn if shape else float(drawn)


def given(value: Any, form: str) -> Any:
    """Return a fresh copy of a value in the form in which an answer gets it: "array" (numbers stay
    floats) or "tensor".

    Such a tensor has no place in the learner's program: the line that asks for the check did not
    compute it.
    """
    if form == "tensor":
        return Tensor(
            constant(
                np.asarray(value, np.float32) if np.asarray(value).dtype.kind == "f" else value
            ).value
        )
    return copy(value)


def generator(fixed: int | None = None) -> np.random.Generator:
    """Return a generator with new numbers; with a fixed seed, or one in the environment variable
    MINITAPE_SEED, the same ones each time.
    """
    seed = os.environ.get("MINITAPE_SEED", "")
    return np.random.default_rng(
        fixed if fixed is not None else int(seed) if seed.isdigit() else None
    )
