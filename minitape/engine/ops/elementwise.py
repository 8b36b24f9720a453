"""Elementwise functions (exp, log, sin, tanh, ...) and the selection between two values.

In the rules `g` is the adjoint of the output `y`, and `x` is the input. Where the derivative can be
computed from the output (exp, tanh, sqrt), the rule uses it. At 0 the derivatives of sqrt and 1/x
are infinite; there `multiply_no_nan` keeps an adjoint of 0 at 0, as TensorFlow does.
"""

from __future__ import annotations

import numpy as np

from ..base.aliases import Value
from . import kernels
from .record import Op

# fmt: off
exp        = Op("Exp",        np.exp,              lambda g, y, x: g * y)
expm1      = Op("Expm1",      np.expm1,            lambda g, y, x: g * exp(x))
log        = Op("Log",        np.log,              lambda g, y, x: g / x)
log1p      = Op("Log1p",      np.log1p,            lambda g, y, x: g / (1 + x))
sqrt       = Op("Sqrt",       np.sqrt,             lambda g, y, x: multiply_no_nan(0.5 / y, g))
rsqrt      = Op("Rsqrt",      lambda x: 1 / np.sqrt(x), lambda g, y, x: multiply_no_nan(y * y * y * -0.5, g))
square     = Op("Square",     np.square,           lambda g, y, x: g * (2 * x))
reciprocal = Op("Reciprocal", lambda x: 1 / x,     lambda g, y, x: multiply_no_nan(-(y * y), g))

sin        = Op("Sin",        np.sin,              lambda g, y, x: g * cos(x))
cos        = Op("Cos",        np.cos,              lambda g, y, x: -g * sin(x))
tan        = Op("Tan",        np.tan,              lambda g, y, x: g * (1 + y * y))
asin       = Op("Asin",       np.arcsin,           lambda g, y, x: g * rsqrt(1 - x * x))
acos       = Op("Acos",       np.arccos,           lambda g, y, x: -g * rsqrt(1 - x * x))
atan       = Op("Atan",       np.arctan,           lambda g, y, x: g / (1 + x * x))
sinh       = Op("Sinh",       np.sinh,             lambda g, y, x: g * cosh(x))
cosh       = Op("Cosh",       np.cosh,             lambda g, y, x: g * sinh(x))
tanh       = Op("Tanh",       np.tanh,             lambda g, y, x: g * (1 - y * y))
asinh      = Op("Asinh",      np.arcsinh,          lambda g, y, x: g / cosh(y))
acosh      = Op("Acosh",      np.arccosh,          lambda g, y, x: g / sinh(y))
atanh      = Op("Atanh",      np.arctanh,          lambda g, y, x: g / (1 - x * x))
sigmoid    = Op("Sigmoid",    kernels.sigmoid,     lambda g, y, x: g * (y * (1 - y)))
softplus   = Op("Softplus",   kernels.softplus,    lambda g, y, x: g * sigmoid(x))

# Corners: the slope of abs at 0 is sign(0) = 0. Steps have slope 0 (sign) or none that helps
# (floor, round: None).
absolute   = Op("Abs",        np.abs,              lambda g, y, x: g * sign(x))
sign       = Op("Sign",       np.sign,             lambda g, y, x: zeros_like(g))
floor      = Op("Floor",      np.floor)
ceil       = Op("Ceil",       np.ceil)
round_     = Op("Round",      np.round)
rint       = Op("Rint",       np.rint)
zeros_like = Op("ZerosLike",  np.zeros_like)
ones_like  = Op("OnesLike",   np.ones_like)

# The same value under another name or another dtype; the conjugate is the same value too, where
# numbers are real.
identity      = Op("Identity",     lambda x: x,    lambda g, y, x: g)
stop_gradient = Op("StopGradient", lambda x: x)
cast          = Op("Cast", kernels.converted, lambda g, y, x, dtype: cast(g, dtype=numpy_dtype(x)))
conj          = Op("Conj",         np.conj,        lambda g, y, x: conj(g))

multiply_no_nan = Op("MulNoNan", kernels.times_no_nan, lambda g, y, a, b: multiply_no_nan(g, b),
                                                       lambda g, y, a, b: multiply_no_nan(a, g))
select          = Op("Select", np.where, None,         lambda g, y, c, a, b: select(c, g, 0),
                                                       lambda g, y, c, a, b: select(c, 0, g), mixed=True)
clip            = Op("ClipByValue", lambda x, low, high: np.maximum(low, np.minimum(x, high)),
                                                       lambda g, y, x, low, high: select((x >= low) & (x <= high), g, 0),
                                                       lambda g, y, x, low, high: select(x < low, g, 0),
                                                       lambda g, y, x, low, high: select(x > high, g, 0))
# fmt: on


def numpy_dtype(x: Value) -> np.dtype:
    """Return the NumPy dtype of an array or a tensor."""
    return getattr(x, "value", x).dtype
