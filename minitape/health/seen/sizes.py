"""Sizes: what is said of an array of numbers, and how two of them point."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.engine.surprises import sum_of_squares

FEW = 65_536  # of a large array this many entries stand for all, where two arrays are compared


def finite(array: Array) -> bool:
    """Returns True where no entry is infinite or NaN."""
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def all_finite(arrays: Sequence[Array]) -> bool:
    """Returns True where no entry of any of the arrays is infinite or NaN.

    The sum of all squares tells it at a quarter of the price; where that is not finite itself, each
    entry is looked at.
    """
    return sum([sum_of_squares(array) for array in arrays]) < inf or all(map(finite, arrays))


def rms(array: Array) -> tuple[float | None, int]:
    """Returns (root of the mean square of the finite entries or None without any, number of the
    others).
    """
    total = float(np.vdot(array, array).real)
    if total < inf:  # false for NaN
        return sqrt(total / (array.size or 1)), 0
    numbers = np.asarray(array, np.float64).ravel()
    fine = numbers[np.isfinite(numbers)]
    return sqrt(
        float(np.vdot(fine, fine)) / fine.size
    ) if fine.size else None, numbers.size - fine.size


def few(array: Array) -> Array:
    """Returns the entries in a row, of a large array evenly spread ones."""
    return array.reshape(-1)[:: 1 + array.size // FEW]


def some_rows(*arrays: Array) -> Any:
    """Returns as many of the first rows of arrays, the same of each, as have few entries; of one
    array these rows alone.
    """
    most = max(2, FEW // max([a[0].size for a in arrays]) if all(len(a) for a in arrays) else 2)
    rows = [a[:most] for a in arrays]
    return rows if len(rows) > 1 else rows[0]


def cosine(a: Array, b: Array) -> float | None:
    """Returns how two arrays point: 1 the same way, 0 across, -1 against each other; None where one
    has no direction.
    """
    a, b = few(np.asarray(a)), few(np.asarray(b))
    norm = sqrt(float(np.vdot(a, a))) * sqrt(float(np.vdot(b, b)))
    return float(np.vdot(a, b)) / norm if 0 < norm < inf else None


def flat(value: Array, ends: tuple[float, float], edge: float = 0.01) -> float:
    """Returns the share of outputs that are within `edge` of the range of an end."""
    low, high = ends
    edge *= high - low
    return float(np.count_nonzero((value < low + edge) | (value > high - edge))) / (value.size or 1)


def fires(value: Array) -> Array:
    """Returns for each unit, along the last axis, whether it is not 0 for some example."""
    return (value.reshape(-1, value.shape[-1]) != 0).any(0)
