"""What may have gone wrong in a wrong number, read off the number itself.

A declared wrong answer is better: it is run on the same inputs, and who computes what it computes
has its idea. Here are the misconceptions that leave a mark in any exercise: a wrong sign, a
constant factor, a shape that was not summed again, a transposed array, two answers in each other's
place, nothing at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .answers import close


def idea_of_shape(given: np.ndarray, wanted: np.ndarray) -> str | None:
    """Return the idea behind an answer of another shape."""
    if given.shape == wanted.shape:
        return None
    if given.ndim == 2 and given.shape == wanted.shape[::-1]:
        return "transpose"
    if given.size > wanted.size and stretches(wanted.shape, given.shape):
        return "unsummed"
    return "shape"


def stretches(shape: tuple[int, ...], larger: tuple[int, ...]) -> bool:
    """Say whether broadcasting makes an array of the larger shape out of one of this shape."""
    return len(shape) <= len(larger) and all(a in (1, b) for a, b in zip(shape[::-1], larger[::-1]))


def idea_of_numbers(
    given: Sequence[np.ndarray], wanted: Sequence[np.ndarray], others: Sequence[np.ndarray]
) -> str:
    """Return the idea behind wrong numbers. `given`, `wanted`: what came and what should have come,
    for each input that was tried; `others`: what the other parts of the answer should be, for the
    first of them.
    """

    def all_close(change: float) -> bool:
        return all(close(g, change * w) for g, w in zip(given, wanted))

    if any(not np.isfinite(g).all() for g in given):
        return "not-finite"
    if all_close(0.0):
        return "zero"
    if all_close(-1.0):
        return "sign"
    if any(
        o.shape == given[0].shape and close(given[0], o) and not close(o, wanted[0]) for o in others
    ):
        return "swapped"
    if given[0].ndim == 2 and all(
        g.shape == g.T.shape and close(g.T, w) for g, w in zip(given, wanted)
    ):
        return "transpose"
    if all_close(0.5):
        return "half"
    flat = [
        (float(g.ravel()[k]), float(w.ravel()[k]))
        for g, w in zip(given, wanted)
        for k in range(g.size)
        if abs(w.ravel()[k]) > 1e-6
    ]
    if flat and all_close(flat[0][0] / flat[0][1]):
        return "factor"
    return "number"
