"""Divisions and logarithms that take care of zero, division towards zero, and two rare functions of
two numbers.

TensorFlow keeps a NaN or an infinity out of sums by products and quotients that are 0 wherever one
factor is 0: their rules need the same care, and are made of the same rows.
"""

from __future__ import annotations

import numpy as np

from ...base.aliases import Array
from ..elementwise import cast, multiply_no_nan, numpy_dtype, zeros_like
from ..kernels import divisor
from ..record import Op

# fmt: off
divide_no_nan     = Op("DivNoNan", lambda a, b: np.divide(a, b, out=zeros_of(a, b), where=b != 0),
                       lambda g, y, a, b: divide_no_nan(g, b),
                       lambda g, y, a, b: g * -divide_no_nan(y, b))
xdivy             = Op("Xdivy", lambda a, b: np.divide(a, b, out=zeros_of(a, b), where=a != 0),
                       lambda g, y, a, b: g * xdivy(cast(a != 0, dtype=numpy_dtype(a)), b),
                       lambda g, y, a, b: g * xdivy(-a, b * b))
xlogy             = Op("Xlogy", lambda a, b: np.multiply(a, np.log(b), out=zeros_of(a, b), where=a != 0),
                       lambda g, y, a, b: g * xlogy(cast(a != 0, dtype=numpy_dtype(a)), b),
                       lambda g, y, a, b: g * xdivy(a, b))
xlog1py           = Op("Xlog1py", lambda a, b: np.multiply(a, np.log1p(b), out=zeros_of(a, b), where=a != 0),
                       lambda g, y, a, b: g * xlog1py(cast(a != 0, dtype=numpy_dtype(a)), b),
                       lambda g, y, a, b: g * xdivy(a, b + 1))
reciprocal_no_nan = Op("ReciprocalNoNan", lambda x: np.divide(1, x, out=np.zeros_like(x), where=x != 0),
                       lambda g, y, x: multiply_no_nan(-(y * y), g))

truncatediv       = Op("TruncateDiv", lambda a, b: np.trunc(a / divisor(a, b)).astype(a.dtype))
truncatemod       = Op("TruncateMod", lambda a, b: np.fmod(a, divisor(a, b)), "unregistered")

atan2             = Op("Atan2", np.arctan2,
                       lambda g, y, a, b: g * (b / (a * a + b * b)),
                       lambda g, y, a, b: -g * (a / (a * a + b * b)))
next_after        = Op("NextAfter", np.nextafter,
                       lambda g, y, a, b: g,
                       lambda g, y, a, b: zeros_like(g))
# fmt: on


def zeros_of(a: Array, b: Array) -> Array:
    """Return zeros of the shape that both inputs are stretched to."""
    return np.zeros(np.broadcast_shapes(a.shape, b.shape), a.dtype)
