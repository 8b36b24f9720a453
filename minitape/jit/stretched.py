"""The adjoint of a factor that was stretched over rows: products are summed as they are made.

`x * gamma` with a vector gamma stretches gamma over all rows of x; the way back multiplies the
adjoint by x and sums over the rows. NumPy writes all products into memory and reads them again; one
loop keeps only the sums.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..engine.base.aliases import Array
from .table import SINGLE, Kernel, Row, fits, loop

LARGE = 16_384


@loop
def sum_of_products(g: Array, x: Array, out: Array) -> None:
    for j in range(out.size):
        out[j] = 0
    for i in range(g.shape[0]):
        for j in range(g.shape[1]):
            out[j] += g[i, j] * x[i, j]


def summed(own: int, other: int) -> Callable[[Kernel], Kernel]:
    """Return the maker of the rule for one factor; `own` and `other` are its place and its
    neighbour's, 0 or 1.
    """

    def make(plain: Kernel) -> Kernel:
        def rule(g: Array, y: Array, a: Array, b: Array) -> Array:
            if type(g) is not np.ndarray or g.size < LARGE or g.dtype is not SINGLE:
                return plain(g, y, a, b)
            small, large = (a, b)[own], (a, b)[other]
            if not (
                0 < small.ndim < g.ndim
                and small.shape == g.shape[-small.ndim :]
                and large.shape == g.shape
                and fits(g, LARGE)
                and fits(large, LARGE)
            ):
                return plain(g, y, a, b)
            out = np.empty(small.shape, SINGLE)
            sum_of_products(g.reshape(-1, out.size), large.reshape(-1, out.size), out.reshape(-1))
            return out

        return rule

    return make


Row("Mul", None, {1: summed(1, 0), 0: summed(0, 1)})
