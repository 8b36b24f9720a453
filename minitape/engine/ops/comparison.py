"""Comparisons, logical operations and tests for NaN.

Their results are step functions, constant under small changes. So no row here has a rule, and
every gradient ends.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..base.aliases import Array
from .record import Op


def ordered(ufunc: np.ufunc) -> Callable[[Array, Array], Array]:
    """Return the kernel of a comparison of real numbers: nothing else is larger or smaller."""

    def kernel(a: Array, b: Array) -> Array:
        if a.dtype.kind not in "fiu":
            raise TypeError(
                f"{a.dtype} has no order; only real numbers are larger or smaller than others."
            )
        return ufunc(a, b)

    return kernel


# fmt: off
less          = Op("Less",         ordered(np.less))
less_equal    = Op("LessEqual",    ordered(np.less_equal))
greater       = Op("Greater",      ordered(np.greater))
greater_equal = Op("GreaterEqual", ordered(np.greater_equal))
equal         = Op("Equal",        np.equal)
not_equal     = Op("NotEqual",     np.not_equal)

logical_and   = Op("LogicalAnd",   np.logical_and)
logical_or    = Op("LogicalOr",    np.logical_or)
logical_not   = Op("LogicalNot",   np.logical_not)
bitwise_and   = Op("BitwiseAnd",   np.bitwise_and)
bitwise_or    = Op("BitwiseOr",    np.bitwise_or)
bitwise_xor   = Op("BitwiseXor",   np.bitwise_xor)
invert        = Op("Invert",       np.invert)

is_nan        = Op("IsNan",        np.isnan)
is_inf        = Op("IsInf",        np.isinf)
is_finite     = Op("IsFinite",     np.isfinite)
# fmt: on
