"""Plus, minus, times, divided by, to the power of: two numbers in, one out."""

import operator

import numpy as np

from ..record import Op
from .elementwise import log, select

add      = Op("Add", operator.add,     lambda g, y, a, b: g,
                                       lambda g, y, a, b: g, batched=True)
subtract = Op("Sub", operator.sub,     lambda g, y, a, b: g,
                                       lambda g, y, a, b: -g, batched=True)
multiply = Op("Mul", operator.mul,     lambda g, y, a, b: g * b,
                                       lambda g, y, a, b: g * a, batched=True)
divide   = Op("Div", operator.truediv, lambda g, y, a, b: g / b,
                                       lambda g, y, a, b: -g * y / b, batched=True)
power    = Op("Pow", np.power,         lambda g, y, a, b: g * (b * a ** (b - 1)),
                                       lambda g, y, a, b: g * (y * log_of_positive(a)), batched=True)
negative = Op("Neg", operator.neg,     lambda g, y, x: -g, batched=True)


def log_of_positive(a):
    """Return log(a), and 0 where it does not exist: the slope of a ** b along b, TensorFlow's convention for a <= 0."""
    if a.dtype in (np.complex64, np.complex128):
        return log(a)
    positive = a > 0
    return select(positive, log(select(positive, a, 1)), 0)
