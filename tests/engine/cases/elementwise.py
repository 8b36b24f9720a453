"""One number in, one out; and the choice between two."""

import numpy as np

import minitape as tf
from minitape.engine.ops import elementwise as rows
from tests.engine.case import elementwise

POSITIVE = (0.5, 2.0)
INSIDE = (-0.9, 0.9)
MASK = np.array([True, False])

CASES = [
    elementwise("Exp", tf.exp, complex=True),
    elementwise("Expm1", tf.math.expm1, complex=True),
    elementwise("Log", tf.math.log, domain=POSITIVE, complex=True),
    elementwise("Log1p", tf.math.log1p, domain=POSITIVE, complex=True),
    elementwise("Sqrt", tf.sqrt, domain=POSITIVE, complex=True),
    elementwise("Rsqrt", tf.math.rsqrt, domain=POSITIVE, complex=True),
    elementwise("Square", tf.square, complex=True),
    elementwise("Reciprocal", tf.math.reciprocal, domain=POSITIVE, complex=True),
    elementwise("Sin", tf.sin, complex=True),
    elementwise("Cos", tf.cos, complex=True),
    elementwise("Tan", tf.tan, domain=(-1.0, 1.0), complex=True),
    elementwise("Asin", tf.asin, domain=INSIDE, tolerance=1e-4),
    elementwise("Acos", tf.acos, domain=INSIDE, tolerance=1e-4),
    elementwise("Atan", tf.atan, complex=True, domain=POSITIVE),
    elementwise("Sinh", tf.sinh, complex=True),
    elementwise("Cosh", tf.cosh, complex=True),
    elementwise("Tanh", tf.tanh, complex=True),
    elementwise("Asinh", tf.math.asinh, complex=True, domain=POSITIVE),
    elementwise("Acosh", tf.math.acosh, domain=(1.2, 2.0)),
    elementwise("Atanh", tf.math.atanh, domain=INSIDE, tolerance=1e-4),
    elementwise("Sigmoid", tf.sigmoid, complex=True),
    elementwise("Softplus", tf.math.softplus),
    elementwise("Erf", tf.math.erf),
    elementwise("Erfc", tf.math.erfc),
    elementwise("Erfinv", tf.math.erfinv, domain=INSIDE),
    elementwise("Lgamma", tf.math.lgamma, domain=(0.3, 12.0)),
    elementwise("Lgamma", tf.math.lgamma, domain=(-2.8, -2.2)),
    elementwise("Digamma", tf.math.digamma, domain=(0.5, 12.0)),
    elementwise(
        "Polygamma",
        lambda x: tf.math.polygamma(tf.cast(2.0, x.dtype), x),
        domain=(0.5, 12.0),
        tolerance=1e-4,
    ),
    elementwise("Abs", tf.abs),
    elementwise(
        "ComplexAbs",
        lambda x: tf.abs(tf.complex(x, x * x)),
        domain=POSITIVE,
        dtypes=("float64", "float32"),
    ),
    elementwise("Floor", tf.floor, order=0),
    elementwise("Ceil", tf.math.ceil, order=0),
    elementwise("Round", tf.round, order=0),
    elementwise("Rint", tf.math.rint, order=0),
    elementwise("ZerosLike", rows.zeros_like, order=0),
    elementwise("OnesLike", rows.ones_like, order=0),
    elementwise("StopGradient", rows.stop_gradient, order=0),
    elementwise("Sign", tf.sign),
    elementwise("Identity", rows.identity, complex=True),
    elementwise(
        "Cast",
        lambda x: tf.cast(tf.cast(x, "float32"), "float64"),
        tolerance=3e-2,
        dtypes=("float64",),
        order=1,
    ),
    elementwise("Cast", lambda x: tf.cast(x, "complex128") ** 2),
    elementwise(
        "ComplexSign",
        lambda x: tf.sign(tf.complex(x, x * x)),
        domain=POSITIVE,
        dtypes=("float64", "float32"),
    ),
    elementwise("Conj", lambda z: tf.math.conj(tf.cast(z, "complex128")) ** 2),
    elementwise("Real", lambda x: tf.math.real(tf.cast(x, "complex128") ** 2)),
    elementwise("Imag", lambda x: tf.math.imag(tf.cast(x, "complex128") * (1 + 2j))),
    elementwise(
        "Angle",
        lambda x: tf.math.angle(tf.complex(tf.cast(x, "float64"), tf.cast(x * x, "float64"))),
        domain=POSITIVE,
    ),
    elementwise("Complex", tf.complex, 2, dtypes=("float64", "float32")),
    elementwise("Select", lambda a, b: rows.select(a > b, a * b, b * b), 2),
    elementwise(
        "ClipByValue",
        lambda x, low, high: rows.clip(x, low, high),
        3,
        domain=((-4, 4), (-1.5, 0), (0.1, 1.5)),
    ),
]
