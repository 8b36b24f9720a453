"""Matrices: inverses, determinants, solutions of linear equations, and triangles.

The last two axes are the matrix, all axes before them are a batch of matrices. Most derivatives of
linear algebra are matrix products again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from ...base.aliases import Array, Ints, Value
from ...base.errors import InvalidArgumentError
from ..linear_algebra import swap_last
from ..record import Op
from ..shaping import reshape

# fmt: off
inverse     = Op("MatrixInverse",         lambda x: solvable(np.linalg.inv, known(square(x))),
                 lambda g, y, x: -swap_last(y) @ g @ swap_last(y))
determinant = Op("MatrixDeterminant",     lambda x: np.linalg.det(square(x)),
                 lambda g, y, x: as_matrix(g * y) * swap_last(inverse(x)))

solve  = Op("MatrixSolve", lambda a, b: solvable(np.linalg.solve, known(square(a)), same_rank(a, b)),
            lambda g, y, a, b: -solve(swap_last(a), g) @ swap_last(y),
            lambda g, y, a, b: solve(swap_last(a), g))
triangular_solve = Op("MatrixTriangularSolve", lambda a, b, lower: solvable(np.linalg.solve, triangle(square(a), lower), same_rank(a, b)),
                      lambda g, y, a, b, lower: band(-triangular_solve(swap_last(a), g, lower=not lower) @ swap_last(y), lower=lower),
                      lambda g, y, a, b, lower: triangular_solve(swap_last(a), g, lower=not lower))

band_part = Op("MatrixBandPart", lambda x, num_lower, num_upper: np.where(in_band(x.shape, num_lower, num_upper), x, x.dtype.type(0)),
               lambda g, y, x, num_lower, num_upper: band_part(g, num_lower=num_lower, num_upper=num_upper))
# fmt: on


def square(x: Array) -> Array:
    """Return `x` if it is a stack of square matrices. Raises `InvalidArgumentError`."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise InvalidArgumentError(f"Input matrix must be square, got shape {list(x.shape)}.")
    return x


def same_rank(a: Array, b: Array) -> Array:
    """Return `b` if it is a stack of matrices too. Raises `InvalidArgumentError`."""
    if b.ndim < 2:
        raise InvalidArgumentError(
            f"All input tensors must have the same rank: the matrix has shape {list(a.shape)}, "
            "the right side "
            f"{list(b.shape)}. "
            "Give it as one column: b[:, tf.newaxis]."
        )
    return b


def known(x: Array) -> Array:
    """Return matrices, all NaN where one number is: of a part of them, LAPACK makes numbers that
    mean nothing.
    """
    return np.where(np.isnan(x).any((-2, -1), keepdims=True), x.dtype.type(np.nan), x)


def solvable(function: Callable[..., Array], *matrices: Array) -> Array:
    """Return the function's result. Raises `InvalidArgumentError` where a matrix has no inverse:
    NumPy says so, or without the processor's flags (WebAssembly) makes NaN of finite numbers.
    """
    with contextlib.suppress(np.linalg.LinAlgError):
        result = function(*matrices)
        lost = np.isnan(result).all((-2, -1))
        for x in matrices:
            lost = lost & np.isfinite(x).all((-2, -1))
        if not (result.size and lost.any()):
            return result
    raise InvalidArgumentError("Input is not invertible: some of its rows depend on each other.")


def triangle(x: Array, lower: bool) -> Array:
    """Return the triangle of a matrix that a triangular solver looks at."""
    return np.tril(x) if lower else np.triu(x)


def band(x: Value, lower: bool) -> Value:
    """Return the lower or upper triangle, recorded."""
    return (
        band_part(x, num_lower=-1, num_upper=0)
        if lower
        else band_part(x, num_lower=0, num_upper=-1)
    )


def in_band(shape: Ints, num_lower: int, num_upper: int) -> Array:
    """Return a mask of the diagonals from `num_lower` below to `num_upper` above the middle;
    negative means all.
    """
    if len(shape) < 2:
        raise InvalidArgumentError(
            f"A band is part of a matrix: input must be at least 2-dim, got shape {list(shape)}."
        )
    below = np.arange(shape[-2])[:, None] - np.arange(shape[-1])
    return ((num_lower < 0) | (below <= num_lower)) & ((num_upper < 0) | (-below <= num_upper))


def as_matrix(x: Value) -> Value:
    """Return numbers as 1x1 matrices, so that they multiply matrices of a batch."""
    return reshape(x, shape=tuple(x.shape) + (1, 1))
