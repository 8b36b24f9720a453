"""Arithmetic: addition, subtraction, multiplication, division, powers, maximum and minimum.

In the rules `g` is the adjoint of the output `y`; the first rule belongs to `a`, the second to `b`.
Where both inputs of a maximum are equal, the whole adjoint goes to the first.
"""

from __future__ import annotations

import operator

import numpy as np

from ..base.aliases import Value
from .elementwise import log, select
from .kernels import divisor, powers, quotient
from .record import Op, passed_on

# fmt: off
add      = Op("Add", operator.add,     passed_on,
                                       passed_on)
subtract = Op("Sub", operator.sub,     passed_on,
                                       lambda g, y, a, b: -g)
multiply = Op("Mul", operator.mul,     lambda g, y, a, b: g * b,
                                       lambda g, y, a, b: g * a)
divide   = Op("Div", quotient,         lambda g, y, a, b: g / b,
                                       lambda g, y, a, b: -g * y / b)
power    = Op("Pow", powers,           lambda g, y, a, b: g * (b * a ** (b - 1)),
                                       lambda g, y, a, b: g * (y * log_of_positive(a)))
negative = Op("Neg", operator.neg,     lambda g, y, x: -g)
add_n    = Op("AddN", lambda *xs: sum(xs[1:], xs[0]), each=lambda i, g, y, xs: g)

maximum  = Op("Maximum", np.maximum,   lambda g, y, a, b: select(a >= b, g, 0),
                                       lambda g, y, a, b: select(a >= b, 0, g))
minimum  = Op("Minimum", np.minimum,   lambda g, y, a, b: select(a <= b, g, 0),
                                       lambda g, y, a, b: select(a <= b, 0, g))

# Floor division is a step function: no gradient. The derivatives of the remainder are 1 for a and
# -floor(a/b) for b.
floordiv = Op("FloorDiv", lambda a, b: np.floor(a / b) if a.dtype.kind == "f" else np.floor_divide(a, divisor(a, b)))
floormod = Op("FloorMod", lambda a, b: np.mod(a, divisor(a, b)),
                                       lambda g, y, a, b: g,
                                       lambda g, y, a, b: -g * floordiv(a, b))
# fmt: on


def log_of_positive(a: Value) -> Value:
    """Return log(a), and 0 where it does not exist: the slope of a ** b along b, TensorFlow's
    convention for a <= 0.
    """
    if a.dtype in (np.complex64, np.complex128):
        return log(a)
    positive = a > 0
    return select(positive, log(select(positive, a, 1)), 0)
