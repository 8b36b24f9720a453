"""exp, log1p, tanh and erf for one float32, written so that the compiler turns a loop over them
into vector instructions.

The C library's functions take one number at a time, so a compiled loop that calls them is slower
than NumPy. A polynomial is only multiplications and additions, and eight or sixteen of them run at
once. The idea is the same each time: reduce the argument to a small interval, and use there a
polynomial whose coefficients were fitted with the smallest largest error (Lawson's iteration on
Chebyshev points, in double precision). ERRORS states how far a result may lie from the exact value,
in units of the last place of float32; a test measures it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

# A function called from a loop would else take over the loop's freedom to reorder sums, which
# breaks `exp` below.
FUSED = {"contract"}
# units in the last place
ERRORS = {"exp": 2, "log1p_of_exp": 2, "sigmoid": 3, "softplus": 3, "tanh": 3, "erf": 3, "gelu": 4}

F = np.float32
LOG2E, LN2_HIGH, LN2_LOW = F(1.44269504), F(0.693359375), F(-2.12194440e-4)
LOWEST, HIGHEST = F(-104), F(89)  # exp is 0 below, infinite above
E0, E1, E2, E3, E4 = (
    F(0.5),
    F(0.166665181517601),
    F(0.04166620597243309),
    F(0.00836888886988163),
    F(0.0013950479915365577),
)
L0, L1, L2, L3 = (
    F(0.6666641235351562),
    F(0.4002169966697693),
    F(0.27999135851860046),
    F(0.2802448570728302),
)
T0, T1, T2, T3, T4 = (
    F(-0.3333328366279602),
    F(0.13331490755081177),
    F(-0.05374348908662796),
    F(0.020650556311011314),
    F(-0.005717012565582991),
)
A0, A1, A2, A3, A4, A5, A6 = (
    F(1.128379225730896),
    F(-0.3761262595653534),
    F(0.11283600330352783),
    F(-0.026854444295167923),
    F(0.005189534742385149),
    F(-0.0008020836976356804),
    F(7.889105472713709e-05),
)
B0, B1, B2, B3, B4, B5, B6 = (
    F(-0.000353677460225299),
    F(-1.1270402669906616),
    F(-0.6382253766059875),
    F(-0.10303763300180435),
    F(0.021805448457598686),
    F(-0.0029396407771855593),
    F(0.0001855775190051645),
)
ZERO, HALF, ONE, TWO, FOUR = F(0), F(0.5), F(1), F(2), F(4)
SMALL = F(0.625)
SIGN, REST, SIGN_AT = np.int32(-2147483648), np.int32(2147483647), np.int32(31)
SHIFT = F(12582912)  # 1.5 * 2 ** 23
SHIFT_BITS = np.int32(SHIFT.view(np.int32))
BIAS, TWENTY_THREE, ONE_BIT = np.int32(127), np.int32(23), np.int32(1)


@njit(forceinline=True, fastmath=FUSED)
def exp(x: Any) -> Any:
    """Return exp(x): x = n ln 2 + r with |r| <= ln(2) / 2, a polynomial in r, times two to the
    power of n in two steps, so that tiny and huge results come out right.
    """
    t = LOWEST if x < LOWEST else x
    t = HIGHEST if t > HIGHEST else t
    shifted = np.float32(t * LOG2E + SHIFT)  # the last bits of this sum are the whole number n
    i = np.int32(np.float32(shifted).view(np.int32) - SHIFT_BITS)
    n = shifted - SHIFT
    r = t - n * LN2_HIGH
    r = r - n * LN2_LOW
    p = (((E4 * r + E3) * r + E2) * r + E1) * r + E0
    y = (p * r) * r + r + ONE
    half = np.int32(i >> ONE_BIT)
    first = np.int32(np.int32(half + BIAS) << TWENTY_THREE).view(np.float32)
    second = np.int32(np.int32(np.int32(i - half) + BIAS) << TWENTY_THREE).view(np.float32)
    return y * first * second


@njit(forceinline=True, fastmath=FUSED)
def log1p(u: Any) -> Any:
    """Return log(1 + u) for 0 <= u <= 1: twice the area tangent of u / (2 + u)."""
    s = u / (TWO + u)
    z = s * s
    p = ((L3 * z + L2) * z + L1) * z + L0
    return TWO * s + s * z * p


@njit(forceinline=True, fastmath=FUSED)
def sigmoid(x: Any) -> Any:
    """Return 1 / (1 + exp(-x)), by exp of a negative number, which cannot overflow."""
    e = exp(-abs(x))
    return (ONE if x >= ZERO else e) / (ONE + e)


@njit(forceinline=True, fastmath=FUSED)
def softplus(x: Any) -> Any:
    """Return log(1 + exp(x))."""
    return (x if x > ZERO else ZERO) + log1p(exp(-abs(x)))


@njit(forceinline=True, fastmath=FUSED)
def signed(y: Any, x: Any) -> Any:
    """Return the positive number y with the sign of x."""
    return np.int32(
        np.float32(y).view(np.int32) | np.int32(np.float32(x).view(np.int32) & SIGN)
    ).view(np.float32)


@njit(forceinline=True, fastmath=FUSED)
def tanh(x: Any) -> Any:
    """Return tanh(x): a polynomial near 0, else 1 - 2 / (exp(2 |x|) + 1)."""
    a = abs(x)
    z = a * a
    near = ((((T4 * z + T3) * z + T2) * z + T1) * z + T0) * z * a + a
    far = ONE - TWO / (exp(a + a) + ONE)
    return signed(near if a < SMALL else far, x)


@njit(forceinline=True, fastmath=FUSED)
def erf(x: Any) -> Any:
    """Return erf(x): a polynomial for |x| <= 1, else 1 - exp of a polynomial."""
    a = abs(x)
    z = a * a
    near = ((((((A6 * z + A5) * z + A4) * z + A3) * z + A2) * z + A1) * z + A0) * a
    c = FOUR if a > FOUR else a
    far = ONE - exp((((((B6 * c + B5) * c + B4) * c + B3) * c + B2) * c + B1) * c + B0)
    return signed(near if a <= ONE else far, x)


@njit(forceinline=True, fastmath=FUSED)
def order(x: Any) -> Any:
    """Return an integer that sorts as x does, NaN above everything: a maximum of integers needs no
    care for NaN.
    """
    i = np.float32(x).view(np.int32)
    return np.int32(i ^ np.int32(np.int32(i >> SIGN_AT) & REST))


@njit(forceinline=True, fastmath=FUSED)
def from_order(i: Any) -> Any:
    """Return the float32 that `order` made the integer of."""
    return np.int32(i ^ np.int32(np.int32(i >> SIGN_AT) & REST)).view(np.float32)
