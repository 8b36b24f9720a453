"""Activations in one pass: NumPy walks over the array once per step of a formula, a compiled loop
once for all of it.

tanh alone is left to NumPy, whose own is at least as fast where it has vector instructions; its
slope gains.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.base.aliases import Array
from . import approximations as a
from .table import Kernel, Row, contiguous, each, fits, loop, slope

LARGE = 2048  # elements from which on a call pays
HALF_ROOT, NORMAL = a.F(0.70710678118), a.F(0.39894228040)
TWICE_SCALE, CUBIC, THREE_CUBIC, MINUS_HALF = (
    a.F(1.5957691216),
    a.F(0.044715),
    a.F(0.134145),
    a.F(-0.5),
)
HALF, ONE, ZERO = a.HALF, a.ONE, a.ZERO
sigmoid, softplus, erf, exp, log1p = a.sigmoid, a.softplus, a.erf, a.exp, a.log1p


@loop
def sigmoid_forward(x: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = sigmoid(x[i])


@loop
def sigmoid_slope(g: Array, y: Array, out: Array) -> None:
    for i in range(g.size):
        out[i] = g[i] * (y[i] * (ONE - y[i]))


@loop
def tanh_slope(g: Array, y: Array, out: Array) -> None:
    for i in range(g.size):
        out[i] = g[i] * (ONE - y[i] * y[i])


@loop
def softplus_forward(x: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = softplus(x[i])


@loop
def softplus_slope(g: Array, x: Array, out: Array) -> None:
    for i in range(g.size):
        out[i] = g[i] * sigmoid(x[i])


@loop
def erf_forward(x: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = erf(x[i])


@loop
def gelu_forward(x: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = x[i] * ((erf(x[i] * HALF_ROOT) + ONE) * HALF)


@loop
def gelu_slope(g: Array, x: Array, out: Array) -> None:
    for i in range(g.size):
        v = x[i]
        out[i] = g[i] * ((erf(v * HALF_ROOT) + ONE) * HALF + v * (exp(v * v * MINUS_HALF) * NORMAL))


@loop
def gelu_tanh_forward(x: Array, out: Array) -> None:
    for i in range(x.size):
        v = x[i]
        # (1 + tanh(u)) / 2 without its cancellation
        out[i] = v * sigmoid(TWICE_SCALE * (v + CUBIC * v * v * v))


@loop
def gelu_tanh_slope(g: Array, x: Array, out: Array) -> None:
    for i in range(g.size):
        v = x[i]
        square = v * v
        s = sigmoid(TWICE_SCALE * (v + CUBIC * square * v))
        out[i] = g[i] * (s + v * s * (ONE - s) * (TWICE_SCALE * (ONE + THREE_CUBIC * square)))


@loop
def where_positive(g: Array, y: Array, out: Array) -> None:
    for i in range(g.size):
        out[i] = g[i] * (ONE if y[i] > ZERO else ZERO)


@loop
def cross_entropy(x: Array, t: Array, out: Array) -> None:
    for i in range(x.size):
        v = x[i]
        out[i] = (v if v > ZERO else (ZERO if v <= ZERO else v)) - v * t[i] + log1p(exp(-abs(v)))


@loop
def cross_entropy_slope(g: Array, x: Array, t: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = g[i] * (sigmoid(x[i]) - t[i])


def alike(run: Kernel, smallest: int) -> Callable[[Kernel], Kernel]:
    """Return the maker of a kernel of two arrays of one shape."""

    def make(plain: Kernel) -> Kernel:
        def kernel(p: Array, q: Array, **attributes: Any) -> Array:
            p = contiguous(p, q)
            if attributes or not (fits(p, smallest) and fits(q, smallest)) or p.shape != q.shape:
                return plain(p, q, **attributes)
            out = np.empty_like(p)
            run(p.reshape(-1), q.reshape(-1), out.reshape(-1))
            return out

        return kernel

    return make


def cross_entropy_rule(plain: Kernel) -> Kernel:
    """Make the rule for the logits of the sigmoid cross-entropy."""

    def rule(g: Array, y: Array, x: Array, t: Array) -> Array:
        g = contiguous(g, x)
        if (
            not (fits(g, LARGE) and fits(x, LARGE) and fits(t, LARGE))
            or not g.shape == x.shape == t.shape
        ):
            return plain(g, y, x, t)
        out = np.empty_like(x)
        cross_entropy_slope(g.reshape(-1), x.reshape(-1), t.reshape(-1), out.reshape(-1))
        return out

    return rule


Row("Sigmoid", each(sigmoid_forward, LARGE), {0: slope(sigmoid_slope, LARGE, "y")})
Row("Tanh", None, {0: slope(tanh_slope, LARGE, "y")})
Row("Softplus", each(softplus_forward, LARGE), {0: slope(softplus_slope, LARGE, "x")})
Row("Erf", each(erf_forward, 64))
Row("Gelu", each(gelu_forward, 64), {0: slope(gelu_slope, 64, "x")})
Row("GeluTanh", each(gelu_tanh_forward, LARGE), {0: slope(gelu_tanh_slope, 256, "x")})
Row("ReluGrad", alike(where_positive, LARGE))
Row("SigmoidCrossEntropyWithLogits", alike(cross_entropy, LARGE), {0: cross_entropy_rule})
