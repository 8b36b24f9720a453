"""Plus, minus, times, divided by, to the power of, the larger and the smaller: two numbers in, one out.

In the rules `g` is the adjoint of the output `y`; the first rule belongs to `a`, the second to `b`. Where both inputs
of a maximum are equal, the whole adjoint goes to the first.
"""

import operator

import numpy as np

from ..record import Op, passed_on
from .elementwise import cast, itself, log, multiply_no_nan, numpy_dtype, only_real, select, zeros_like

add      = Op("Add", operator.add,     passed_on,
                                       passed_on, batched=True)
subtract = Op("Sub", operator.sub,     passed_on,
                                       lambda g, y, a, b: -g, batched=True)
multiply = Op("Mul", operator.mul,     lambda g, y, a, b: g * b,
                                       lambda g, y, a, b: g * a, batched=True)
divide   = Op("Div", lambda a, b: quotient(a, b), lambda g, y, a, b: g / b,
                                       lambda g, y, a, b: -g * y / b, batched=True)
power    = Op("Pow", operator.pow,     lambda g, y, a, b: g * (b * a ** (b - 1)),
                                       lambda g, y, a, b: g * (y * log_of_positive(a)), batched=True)
negative = Op("Neg", operator.neg,     lambda g, y, x: -g, batched=True)
add_n    = Op("AddN", lambda *xs: sum(xs[1:], xs[0]), each=lambda i, g, y, *xs: g, batched=True)

maximum  = Op("Maximum", np.maximum,   lambda g, y, a, b: select(a >= b, g, 0),
                                       lambda g, y, a, b: select(a >= b, 0, g), batched=True)
minimum  = Op("Minimum", np.minimum,   lambda g, y, a, b: select(a <= b, g, 0),
                                       lambda g, y, a, b: select(a <= b, 0, g), batched=True)
squared_difference = Op("SquaredDifference", lambda a, b: (a - b) ** 2 if a.dtype.kind != "c" else np.conj(a - b) * (a - b),
                                       lambda g, y, a, b: only_real(g) * (2 * itself(a - b)),
                                       lambda g, y, a, b: only_real(g) * (2 * itself(b - a)), batched=True)
atan2    = Op("Atan2", np.arctan2,     lambda g, y, a, b: g * (b / (a * a + b * b)),
                                       lambda g, y, a, b: -g * (a / (a * a + b * b)), batched=True)

# Divisions that end in whole numbers are steps: no gradient. The remainder moves with a, and with -floor(a/b) times b.
floordiv = Op("FloorDiv", lambda a, b: whole(np.floor_divide, a, b))
floormod = Op("FloorMod", lambda a, b: whole(np.mod, a, b),
                                       lambda g, y, a, b: g,
                                       lambda g, y, a, b: -g * floordiv(a, b), batched=True)
truncatediv = Op("TruncateDiv", lambda a, b: whole(lambda p, q: np.trunc(p / q).astype(p.dtype), a, b))
truncatemod = Op("TruncateMod", lambda a, b: whole(np.fmod, a, b), "unregistered")

# Products and quotients that are 0 where their first factor (or the divisor) is 0, whatever the other is.
divide_no_nan   = Op("DivNoNan", lambda a, b: np.divide(a, b, out=zeros_of(a, b), where=b != 0),
                                       lambda g, y, a, b: divide_no_nan(g, b),
                                       lambda g, y, a, b: g * -divide_no_nan(y, b), batched=True)
xdivy    = Op("Xdivy", lambda a, b: np.divide(a, b, out=zeros_of(a, b), where=a != 0),
                                       lambda g, y, a, b: g * xdivy(cast(a != 0, dtype=numpy_dtype(a)), b),
                                       lambda g, y, a, b: g * xdivy(-a, b * b), batched=True)
xlogy    = Op("Xlogy", lambda a, b: np.multiply(a, np.log(b), out=zeros_of(a, b), where=a != 0),
                                       lambda g, y, a, b: g * xlogy(cast(a != 0, dtype=numpy_dtype(a)), b),
                                       lambda g, y, a, b: g * xdivy(a, b), batched=True)
xlog1py  = Op("Xlog1py", lambda a, b: np.multiply(a, np.log1p(b), out=zeros_of(a, b), where=a != 0),
                                       lambda g, y, a, b: g * xlog1py(cast(a != 0, dtype=numpy_dtype(a)), b),
                                       lambda g, y, a, b: g * xdivy(a, b + 1), batched=True)
reciprocal_no_nan = Op("ReciprocalNoNan", lambda x: np.divide(1, x, out=np.zeros_like(x), where=x != 0),
                                       lambda g, y, x: multiply_no_nan(-(y * y), g), batched=True)
next_after = Op("NextAfter", np.nextafter, lambda g, y, a, b: g, lambda g, y, a, b: zeros_like(g), batched=True)


def log_of_positive(a):
    """Return log(a), and 0 where it does not exist: the slope of a ** b along b, TensorFlow's convention for a <= 0."""
    if a.dtype in (np.complex64, np.complex128):
        return log(a)
    positive = a > 0
    return select(positive, log(select(positive, a, 1)), 0)


def quotient(a, b):
    """Return a / b; of integers, float64 (float32 where they have at most 16 bits)."""
    y = a / b
    return y if y.dtype is a.dtype or a.dtype.kind not in "iu" or a.dtype.itemsize > 2 else y.astype(np.float32)


def zeros_of(a, b):
    """Return zeros of the shape that both inputs are stretched to."""
    return np.zeros(np.broadcast_shapes(a.shape, b.shape), a.dtype)


def whole(kernel, a, b):
    """Divide integers or floats; raises ValueError for an integer divided by zero, as TensorFlow does."""
    if b.dtype.kind in "iu" and not np.all(b):
        raise ValueError("Integer division by zero. Use tf.math.divide_no_nan or floats, which give inf.")
    return kernel(a, b)
