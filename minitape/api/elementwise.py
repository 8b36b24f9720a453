"""Functions of one and of two numbers, applied to every element: exp, sin, add, maximum, ...

They all look alike, so they are made from rows: the function's name, its operation, the kinds of
dtypes that it takes (f floating, c complex, i and u integers, b boolean), and its sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..engine.base.argument_errors import explain_error, explains_errors
from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor, is_tensor
from ..engine.operators import absolute, in_order, matched, one, operand
from ..engine.ops import arithmetic, comparison
from ..engine.ops import elementwise as rows
from ..engine.ops.further import complex_numbers, divisions, lengths, special
from ..engine.ops.record import Op, run
from ..engine.variable import Variable
from ..typing import DTypeLike, TensorLike
from .arguments import ANY, FLOATS, INEXACT, NUMBERS, REALS, only, refuse, same_shape

if TYPE_CHECKING:  # what the rows below are to a type checker

    class Unary(Protocol):
        """A function of one tensor, element by element."""

        def __call__(self, x: TensorLike, name: str | None = None) -> Tensor: ...

    class Binary(Protocol):
        """A function of two tensors, element by element."""

        def __call__(self, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor: ...


def unary(name: str, op: Op, kinds: str, doc: str) -> Unary:
    """Return the public function of an operation with one input."""

    @explains_errors
    def function(x: TensorLike, name: str | None = None) -> Tensor:
        try:
            t = x if type(x) is Tensor else input_of(x, kinds)
            if t.value.dtype.kind not in kinds:
                refuse(op, t.dtype, kinds)
            return run(op, (t,))
        except Exception as error:
            explain_error(error, function, (x, name), {})
            raise

    return documented(
        function, name, doc, "(...) -> (...)", "InvalidArgumentError for other dtypes"
    )


def input_of(x: Any, kinds: str) -> Tensor:
    """Convert an input to a tensor, what has no dtype to truth values where only these are taken."""
    return convert_to_tensor(x, "bool" if kinds == "b" and not hasattr(x, "dtype") else None)


def truths(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert both inputs to tensors, what has no dtype to truth values."""
    return input_of(x, "b"), input_of(y, "b")


def strictly(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert both inputs to tensors, the second to the dtype of the first: raises ValueError for a
    tensor of another one.
    """
    x = convert_to_tensor(x)
    return x, convert_to_tensor(y, x.dtype)


def binary(
    name: str,
    op: Op,
    kinds: str,
    doc: str,
    converted: Callable[[Any, Any], tuple[Tensor, Tensor]] = matched,
) -> Binary:
    """Return the public function of an operation with two inputs, which are broadcast."""

    @explains_errors
    def function(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        try:
            a, b = (x, y) if type(x) is Tensor and type(y) is Tensor else converted(x, y)
            if a.value.dtype.kind not in kinds:
                refuse(op, a.dtype, kinds)
            return run(op, (a, b))
        except Exception as error:
            explain_error(error, function, (x, y, name), {})
            raise

    shape = "(...) and (...), broadcast to one shape"
    return documented(
        function, name, doc, shape, "InvalidArgumentError for shapes or dtypes that do not fit"
    )


def documented(function: Any, name: str, doc: str, shape: str, errors: str) -> Any:
    """Give a made function its name and its documentation."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = "minitape.math"
    function.__doc__ = (
        f"{doc}\n\nElement by element. Shape: {shape}. Raises {errors}. Source: `tf.math.{name}`."
    )
    return function


# fmt: off
exp         = unary("exp",         rows.exp,         INEXACT, "Compute e to the power of x.")
expm1       = unary("expm1",       rows.expm1,       INEXACT, "Compute exp(x) - 1, exact also near 0.")
log         = unary("log",         rows.log,         INEXACT, "Compute the natural logarithm.")
log1p       = unary("log1p",       rows.log1p,       INEXACT, "Compute log(1 + x), exact also near 0.")
sqrt        = unary("sqrt",        rows.sqrt,        INEXACT, "Compute the square root; its slope at 0 is infinite.")
rsqrt       = unary("rsqrt",       rows.rsqrt,       INEXACT, "Compute 1 / sqrt(x).")
square      = unary("square",      rows.square,      NUMBERS, "Compute x * x.")
reciprocal  = unary("reciprocal",  rows.reciprocal,  INEXACT, "Compute 1 / x.")
reciprocal_no_nan = unary("reciprocal_no_nan", divisions.reciprocal_no_nan, INEXACT, "Compute 1 / x, and 0 where x is 0.")
sin         = unary("sin",         rows.sin,         INEXACT, "Compute the sine of an angle in radians.")
cos         = unary("cos",         rows.cos,         INEXACT, "Compute the cosine of an angle in radians.")
tan         = unary("tan",         rows.tan,         INEXACT, "Compute the tangent of an angle in radians.")
asin        = unary("asin",        rows.asin,        INEXACT, "Compute the angle in radians whose sine is x.")
acos        = unary("acos",        rows.acos,        INEXACT, "Compute the angle in radians whose cosine is x.")
atan        = unary("atan",        rows.atan,        INEXACT, "Compute the angle in radians whose tangent is x.")
sinh        = unary("sinh",        rows.sinh,        INEXACT, "Compute the hyperbolic sine.")
cosh        = unary("cosh",        rows.cosh,        INEXACT, "Compute the hyperbolic cosine.")
tanh        = unary("tanh",        rows.tanh,        INEXACT, "Compute the hyperbolic tangent: an S-curve from -1 to 1.")
asinh       = unary("asinh",       rows.asinh,       INEXACT, "Compute the inverse of sinh.")
acosh       = unary("acosh",       rows.acosh,       INEXACT, "Compute the inverse of cosh, for x >= 1.")
atanh       = unary("atanh",       rows.atanh,       INEXACT, "Compute the inverse of tanh, for -1 < x < 1.")
sigmoid     = unary("sigmoid",     rows.sigmoid,     INEXACT, "Compute 1 / (1 + exp(-x)): an S-curve from 0 to 1.")
erf         = unary("erf",         special.erf,         FLOATS,  "Compute the error function.")
erfc        = unary("erfc",        special.erfc,        FLOATS,  "Compute 1 - erf(x), exact also where it is tiny.")
erfinv      = unary("erfinv",      special.erfinv,      FLOATS,  "Compute the inverse of erf, for -1 < x < 1.")
lgamma      = unary("lgamma",      special.lgamma,      FLOATS,  "Compute log |gamma(x)|.")
digamma     = unary("digamma",     special.digamma,     FLOATS,  "Compute the derivative of lgamma.")
floor       = unary("floor",       rows.floor,       FLOATS,  "Round down; the gradient ends here.")
ceil        = unary("ceil",        rows.ceil,        FLOATS,  "Round up; the gradient ends here.")
rint        = unary("rint",        rows.rint,        FLOATS,  "Round, halves to the even neighbour; the gradient ends here.")
negative    = unary("negative",    arithmetic.negative, "fci", "Compute -x.")
is_nan      = unary("is_nan",      comparison.is_nan,    FLOATS, "Tell where x is not a number.")
is_inf      = unary("is_inf",      comparison.is_inf,    FLOATS, "Tell where x is infinite.")
is_finite   = unary("is_finite",   comparison.is_finite, FLOATS, "Tell where x is neither infinite nor NaN.")
logical_not = unary("logical_not", comparison.logical_not, "b",  "Turn True into False and False into True.")

add         = binary("add",        arithmetic.add,       "fciuS", "Compute x + y.", in_order)
subtract    = binary("subtract",   arithmetic.subtract,  NUMBERS, "Compute x - y.")
multiply    = binary("multiply",   arithmetic.multiply,  NUMBERS, "Compute x * y.")
pow_        = binary("pow",        arithmetic.power,     NUMBERS, "Compute x to the power of y.")
maximum     = binary("maximum",    arithmetic.maximum,   "fiu",   "Compute the larger of both; where they are equal, x gets the gradient.")
minimum     = binary("minimum",    arithmetic.minimum,   "fiu",   "Compute the smaller of both; where they are equal, x gets the gradient.")
floordiv    = binary("floordiv",   arithmetic.floordiv,  "fiu",   "Compute x / y rounded down; the gradient ends here.")
floormod    = binary("floormod",   arithmetic.floormod,  "fiu",   "Compute the remainder of floordiv, with the sign of y.")
truncatediv = binary("truncatediv", divisions.truncatediv, "fiu", "Compute x / y rounded towards zero; the gradient ends here.")
truncatemod = binary("truncatemod", divisions.truncatemod, "fiu", "Compute the remainder of truncatediv, with the sign of x.")
squared_difference = binary("squared_difference", lengths.squared_difference, NUMBERS, "Compute (x - y) * (x - y).")
multiply_no_nan = binary("multiply_no_nan", rows.multiply_no_nan, INEXACT, "Compute x * y, and 0 where y is 0, even if x is NaN.", strictly)
xdivy       = binary("xdivy",      divisions.xdivy,     INEXACT, "Compute x / y, and 0 where x is 0.")
xlogy       = binary("xlogy",      divisions.xlogy,     INEXACT, "Compute x * log(y), and 0 where x is 0.")
xlog1py     = binary("xlog1py",    divisions.xlog1py,   INEXACT, "Compute x * log1p(y), and 0 where x is 0.")

less          = binary("less",          comparison.less,          "fiu", "Tell where x < y.")
less_equal    = binary("less_equal",    comparison.less_equal,    "fiu", "Tell where x <= y.")
greater       = binary("greater",       comparison.greater,       "fiu", "Tell where x > y.")
greater_equal = binary("greater_equal", comparison.greater_equal, "fiu", "Tell where x >= y.")
equal         = binary("equal",         comparison.equal,         ANY,   "Tell where x == y.")
not_equal     = binary("not_equal",     comparison.not_equal,     ANY,   "Tell where x != y.")
logical_and   = binary("logical_and",   comparison.logical_and,   "b",   "Tell where both are True.", truths)
logical_or    = binary("logical_or",    comparison.logical_or,    "b",   "Tell where at least one is True.", truths)
logical_xor   = binary("logical_xor",   comparison.not_equal,     "b",   "Tell where exactly one is True.", truths)
# fmt: on


def abs(x: TensorLike, name: str | None = None) -> Tensor:  # noqa: A001
    """Compute the absolute value; its slope at 0 is 0. Of complex numbers, a real one. Shape: (...)
    -> (...). Source: `tf.math.abs`.
    """
    x = convert_to_tensor(x)
    if x.value.dtype.kind not in NUMBERS:
        refuse(rows.absolute, x.dtype, NUMBERS)
    return absolute(x)


def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute -1, 0 or 1, and x / |x| of complex numbers; the gradient of real numbers is zero
    everywhere.

    Shape: (...) -> (...). Source: `tf.math.sign`.
    """
    x = convert_to_tensor(x)
    if x.value.dtype.kind not in NUMBERS:
        refuse(rows.sign, x.dtype, NUMBERS)
    return run(complex_numbers.sign_complex if x.dtype.is_complex else rows.sign, (x,))


def round(x: TensorLike, name: str | None = None) -> Tensor:  # noqa: A001
    """Round, halves to the even neighbour; the gradient ends here. Integers stay as they are.

    Shape: (...) -> (...). Source: `tf.math.round`.
    """
    x = convert_to_tensor(x)
    if x.value.dtype.kind not in "fiu":
        refuse(rows.round_, x.dtype, "fiu")
    return x if x.value.dtype.kind in "iu" else one(rows.round_, x)


def divide(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute x / y; integers give floats. Shape: (...) and (...), broadcast to one shape. Source:
    `tf.math.divide`.
    """
    if not is_tensor(x):
        x = convert_to_tensor(x, y.dtype if is_tensor(y) else None)
    return x / y


def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute x / y; integers give floats.

    Shape: (...) and (...), broadcast to one shape. Raises TypeError for different dtypes. Source:
    `tf.math.truediv`.
    """
    return run(arithmetic.divide, alike(*in_order(x, y)))


def alike(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Return both sides of a division. Raises TypeError for different dtypes, and for what is no
    number.
    """
    if x.dtype != y.dtype or x.value.dtype.kind not in NUMBERS:
        raise TypeError(
            f"`x` and `y` must have the same dtype, one of numbers, got {x.dtype!r} != {y.dtype!r}."
        )
    return x, y


def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute x / y, and 0 where y is 0; integers give float64.

    Shape: (...) and (...), broadcast to one shape. Source: `tf.math.divide_no_nan`.
    """
    if is_tensor(y) and not is_tensor(x):
        x = operand(x, convert_to_tensor(y))
    x, y = alike(*in_order(x, y))
    if x.dtype.is_integer:
        x, y = cast(x, "float64"), cast(y, "float64")
    return run(divisions.divide_no_nan, (x, y))


def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:  # noqa: A001
    """Compute x to the power of y.

    Element by element.

    Shape: (...) and (...), broadcast to one shape. Raises InvalidArgumentError for shapes or dtypes
    that do not fit, and for negative powers of integers. Source: `tf.math.pow`.
    """
    return pow_(x, y)


def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """Compute log(1 + exp(x)): a relu without its corner. Shape: (...) -> (...). Source:
    `tf.math.softplus`.
    """
    return run(rows.softplus, (only(FLOATS, rows.softplus, convert_to_tensor(features)),))


def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the angle in radians of the point (x, y). Shape: (...) and (...), broadcast to one
    shape. Source: `tf.math.atan2`.
    """
    y, x = matched(y, x)
    if not y.dtype.is_floating:
        refuse(divisions.atan2, y.dtype, FLOATS)
    return run(divisions.atan2, (y, x))


def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Compute the next number after x1 towards x2. Shape: (...) and (...), broadcast to one shape.
    Source: `tf.math.nextafter`.
    """
    a, b = matched(x1, x2)
    return run(divisions.next_after, (only(FLOATS, divisions.next_after, a), b))


def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Compute the derivative of order `a` of digamma, for x > 0.

    Shape: (...) and (...), broadcast to one shape. Source: `tf.math.polygamma`.
    """
    order, x = matched(a, x)
    return run(special.polygamma, (only(FLOATS, special.polygamma, order), x))


def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Multiply a tensor by one number.

    Shape: () and (...) -> (...). Raises ValueError where `scalar` has axes. Source:
    `tf.math.scalar_mul`.
    """
    x = convert_to_tensor(x)
    scalar = operand(scalar, x)
    if scalar.ndim:
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {scalar.shape}.")
    return run(arithmetic.multiply, (scalar, x))


def add_n(inputs: Iterable[TensorLike], name: str | None = None) -> Tensor:
    """Add several tensors of one shape, from anything that can be gone through.

    Shape: all (...) -> (...). Raises ValueError for no tensors at all, TypeError for what holds
    none. Source: `tf.math.add_n`.
    """
    if not hasattr(inputs, "__iter__"):
        raise TypeError(
            f"add_n needs `inputs` to be a list of tensors, but a '{type(inputs).__name__}' "
            "object is not iterable."
        )
    given = list(inputs)
    if not given:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor with the same dtype and shape."
        )
    first = only(NUMBERS, arithmetic.add_n, convert_to_tensor(given[0]))
    xs = (first, *map(convert_to_tensor, given[1:]))
    for x in xs:
        if x.shape != first.shape:
            raise InvalidArgumentError(
                f"Inputs to operation AddN must have the same size and shape. Got {first.shape} "
                f"and {x.shape} "
                "[Op:AddN]. Unlike +, add_n does not broadcast."
            )
    return run(arithmetic.add_n, xs)


def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute log(sigmoid(x)) without overflow: -softplus(-x). Shape: (...) -> (...). Source:
    `tf.math.log_sigmoid`.
    """
    return negative(softplus(negative(x)))


# ---- other dtypes, complex numbers


@explains_errors
def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Any:
    """Convert to another dtype; floats are cut towards zero for integers, where the gradient ends.
    What has the dtype is returned as it is, a variable too.

    Shape: (...) -> (...). Raises TypeError for an unknown dtype. Source: `tf.cast`.
    """
    try:
        want = as_dtype(dtype)
        # there is nothing to convert, so it is not even read, as in TensorFlow
        if isinstance(x, Variable) and x.dtype == want:
            return x
        t = x if type(x) is Tensor else convert_to_tensor(x)
        if t.value.dtype == want._numpy:
            return t
        if t.value.dtype.kind == "S" or want.name == "string":
            if t.dtype == want:
                return t
            from ..engine.base.errors import UnimplementedError

            raise UnimplementedError(
                f"Cast {t.dtype.name} to {want.name} is not supported [Op:Cast]."
            )
        return run(rows.cast, (t,), {"dtype": want._numpy})
    except Exception as error:
        explain_error(error, cast, (x, dtype), {})
        raise


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert to another dtype; what is too large becomes its largest number. Shape: (...) ->
    (...). Source: `tf.saturate_cast`.
    """
    x, want = convert_to_tensor(value), as_dtype(dtype)
    low, high = np.maximum(x.dtype.min, want.min), np.minimum(x.dtype.max, want.max)
    return cast(
        run(
            rows.clip,
            (x, operand(x.value.dtype.type(low), x), operand(x.value.dtype.type(high), x)),
        ),
        want,
    )


def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor:
    """Limit every element to an interval; outside of it the gradient is 0.

    Shape: (...) and limits that broadcast to it -> (...). Raises ValueError for limits of more or
    longer axes. Source: `tf.clip_by_value`.
    """
    x = convert_to_tensor(t)
    if x.value.dtype.kind in "bS":
        raise TypeError(f"Only numbers can be limited to an interval, got {x.dtype!r}.")
    only(REALS, rows.clip, x)
    limits = operand(clip_value_min, x), operand(clip_value_max, x)
    y = run(rows.clip, (x, *limits))
    return same_shape(y, x, "clip_by_value", *limits)


def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:  # noqa: A001
    """Compute real + i * imag: complex64 of float32, complex128 of float64.

    Shape: (...) and (...), broadcast to one shape. Source: `tf.complex`.
    """
    x, y = convert_to_tensor(real), convert_to_tensor(imag)
    if x.dtype != y.dtype or x.dtype not in ("float32", "float64"):
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {x.dtype.name} "
            f"{y.dtype.name}. They must be consistent, "
            "and one of tf.float32 or tf.float64"
        )
    return run(complex_numbers.complex_, (x, y))


def real(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the real part; real numbers stay as they are. Shape: (...) -> (...). Source:
    `tf.math.real`.
    """
    x = convert_to_tensor(input)
    return run(complex_numbers.real, (x,)) if x.dtype.is_complex else x


def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the imaginary part; of real numbers, zeros. Shape: (...) -> (...). Source:
    `tf.math.imag`.
    """
    x = convert_to_tensor(input)
    return run(complex_numbers.imag if x.dtype.is_complex else rows.zeros_like, (x,))


def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the angle in radians; of real numbers, 0 or pi. Shape: (...) -> (...). Source:
    `tf.math.angle`.
    """
    x = convert_to_tensor(input)
    if x.dtype.is_complex:
        return run(complex_numbers.angle, (x,))
    return run(rows.select, (x < 0, operand(np.pi, x), operand(0.0, x)))


def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the complex conjugate; real numbers stay as they are. Shape: (...) -> (...). Source:
    `tf.math.conj`.
    """
    x = convert_to_tensor(x)
    return one(rows.conj, x) if x.dtype.is_complex else x
