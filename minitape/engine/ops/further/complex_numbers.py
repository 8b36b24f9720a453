"""Complex numbers: their parts, lengths and angles.

The walk hands each rule conjugated values, which is right for functions of z alone, as exp(z) or z
* z. Here stand the functions that look at the real and the imaginary part apart.
"""

from __future__ import annotations

import numpy as np

from ...base.aliases import Array, Value
from ..elementwise import conj, numpy_dtype, select, zeros_like
from ..record import Op

# fmt: off
complex_     = Op("Complex",     lambda a, b: joined(a, b), lambda g, y, a, b: real(g),
                                                            lambda g, y, a, b: imag(g))
real         = Op("Real",        np.real,  lambda g, y, x: complex_(g, zeros_like(g)))
imag         = Op("Imag",        np.imag,  lambda g, y, x: complex_(zeros_like(g), g))
complex_abs  = Op("ComplexAbs",  np.abs,   lambda g, y, x: complex_(g, zeros_like(g)) * conj(x) * complex_of_unit(y))
angle        = Op("Angle",       np.angle, lambda g, y, x: complex_(zeros_like(g), g) / x)
sign_complex = Op("ComplexSign", np.sign,
                  lambda g, y, x: (g - conj(y) * as_complex(real(conj(g) * conj(y)))) * complex_of_unit(complex_abs(x)))
# fmt: on


def joined(a: Array, b: Array) -> Array:
    """Return a + ib, complex64 of float32 and complex128 of float64."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape), np.result_type(a.dtype, np.complex64))
    out.real, out.imag = a, b
    return out


def complex_of_unit(y: Value) -> Value:
    """Return 1 / y as a complex number, and 0 where y is 0."""
    return complex_(select(y == 0, 0, 1 / select(y == 0, 1, y)), zeros_like(y))


def as_complex(x: Value) -> Value:
    """Return a real number as a complex one."""
    return complex_(x, zeros_like(x))


def itself(x: Value) -> Value:
    """Return a complex value as it was before the walk conjugated it: the slope of a squared length
    points along it.
    """
    return conj(x) if numpy_dtype(x).kind == "c" else x


def only_real(g: Value) -> Value:
    """Return the adjoint of a complex number that is always real, such as a length: only its real
    part matters.
    """
    return as_complex(real(g)) if numpy_dtype(g).kind == "c" else g
