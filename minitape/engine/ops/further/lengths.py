"""Squared differences and lengths, of real numbers and of complex ones.

A length is real, also where the numbers are complex: then the adjoint's imaginary part does not
matter, and the slope points along the number itself.
"""

from __future__ import annotations

import numpy as np

from ...base.aliases import Array, Axis
from ..record import Op
from ..shaping import back
from .complex_numbers import itself, only_real

# fmt: off
squared_difference = Op("SquaredDifference", lambda a, b: (a - b) ** 2 if a.dtype.kind != "c" else np.conj(a - b) * (a - b),
                        lambda g, y, a, b: only_real(g) * (2 * itself(a - b)),
                        lambda g, y, a, b: only_real(g) * (2 * itself(b - a)))
euclidean_norm     = Op("EuclideanNorm", lambda x, **how: length(x, **how),
                        lambda g, y, x, **how: back(only_real(g), y, x, **how) * (itself(x) / back(y, y, x, **how)))
# fmt: on


def length(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the square root of the sum of squares, of complex numbers that of their lengths."""
    squares = x * x if x.dtype.kind != "c" else x * np.conj(x)
    return np.asarray(np.sqrt(np.add.reduce(squares, axis, x.dtype, None, keepdims))).astype(
        x.dtype, copy=False
    )
