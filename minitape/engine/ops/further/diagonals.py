"""Diagonals: taken out of matrices, put into them, replaced.

`k` is a pair: the lowest and the highest diagonal (0 in the middle, positive above). One diagonal
is a vector; several are the rows of a matrix, the highest first, the shorter ones padded left or
right as `align` says.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...base.aliases import Array, Ints, Pair, Value
from ...base.errors import InvalidArgumentError
from ..record import Op

# fmt: off
diag_part = Op("MatrixDiagPart", lambda x, k, align, padding: taken(x, k, align, padding),
               lambda g, y, x, k, align, padding: diag(g, k=k, shape=tuple(x.shape[-2:]), align=align, padding=0))
diag      = Op("MatrixDiag", lambda x, k, shape, align, padding: placed(np.full(lead(x, k) + shape, padding, x.dtype), x, k, align),
               lambda g, y, x, k, shape, align, padding: diag_part(g, k=k, align=align, padding=0))
set_diag  = Op("MatrixSetDiag", lambda x, d, k, align: placed(x.copy(), d, k, align),
               lambda g, y, x, d, k, align: without(g, k),
               lambda g, y, x, d, k, align: diag_part(g, k=k, align=align, padding=0), batched=False)
# fmt: on


def without(g: Value, k: Pair) -> Value:
    """Return matrices with zeros on the diagonals `k`."""
    rows, columns = tuple(g.shape[-2:])
    below = np.arange(rows)[:, None] - np.arange(columns)
    return g * ((-below < k[0]) | (-below > k[1])).astype(
        g.dtype if isinstance(g.dtype, np.dtype) else g.dtype.as_numpy_dtype
    )


@lru_cache(1000)
def places(rows: int, columns: int, k: Pair, align: str) -> tuple[tuple[Array, ...], int]:
    """Return where the diagonals lie in a matrix (row and column numbers) and in their own array
    (row and column).
    """
    low, high = k
    # the middle one is there, if of length 0
    if not -rows < low <= high < columns and not low == high == 0:
        raise InvalidArgumentError(
            f"A matrix of {rows} rows and {columns} columns has no diagonals from {low} to {high}."
        )
    length = {d: min(rows + min(d, 0), columns - max(d, 0)) for d in range(low, high + 1)}
    longest = max(length.values())
    above, below = align.split("_")
    result = []
    for slot, d in enumerate(range(high, low - 1, -1)):
        shift = longest - length[d] if (above if d >= 0 else below) == "RIGHT" else 0
        result += [(j - min(d, 0), j + max(d, 0), slot, j + shift) for j in range(length[d])]
    return tuple(np.array(column, dtype=int) for column in zip(*result)) if result else (
        np.zeros(0, int),
    ) * 4, longest


def taken(x: Array, k: Pair, align: str, padding: float) -> Array:
    """Return the diagonals of matrices."""
    if x.ndim < 2:
        raise InvalidArgumentError(
            f"Input must be at least 2-dim, received shape: {list(x.shape)}."
        )
    (row, column, slot, place), longest = places(*x.shape[-2:], k, align)
    if k[0] == k[1]:
        return x[..., row, column]
    out = np.full(x.shape[:-2] + (k[1] - k[0] + 1, longest), padding, x.dtype)
    out[..., slot, place] = x[..., row, column]
    return out


def placed(out: Array, x: Array, k: Pair, align: str) -> Array:
    """Write diagonals into fresh matrices."""
    (row, column, slot, place), _ = places(*out.shape[-2:], k, align)
    out[..., row, column] = x if k[0] == k[1] else x[..., slot, place]
    return out


def lead(x: Array, k: Pair) -> Ints:
    """Return the batch axes in front of the diagonals."""
    return x.shape[:-1] if k[0] == k[1] else x.shape[:-2]
