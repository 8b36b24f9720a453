"""Many numbers in, fewer out: sums, means, extremes, norms along axes; running sums and products.

`axis` is a number, a list of numbers, or None for all axes; negative numbers count from the end.
`keepdims` leaves the axes that were reduced, with length 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..engine.base.argument_errors import explain_error, explains_errors
from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.notes import look
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops import reductions as rows
from ..engine.ops.further import cumulative, lengths
from ..engine.ops.record import Op, run
from ..engine.variable import Variable
from ..typing import AxisLike, DTypeLike, IntLike, ScalarLike, TensorLike
from .arguments import NUMBERS, REALS, axis_of, only, refuse
from .elementwise import cast, imag, input_of, maximum, real, rsqrt, sqrt, square

if TYPE_CHECKING:  # what the rows below are to a type checker

    class Reduction(Protocol):
        """A function that takes axes away."""

        def __call__(
            self,
            input_tensor: TensorLike,
            axis: AxisLike | None = None,
            keepdims: bool = False,
            name: str | None = None,
        ) -> Tensor: ...

    class Position(Protocol):
        """A function that finds a place along an axis."""

        def __call__(
            self,
            input: TensorLike,
            axis: IntLike | None = None,
            output_type: DTypeLike = "int64",
            name: str | None = None,
        ) -> Tensor: ...

    class Running(Protocol):
        """A function that adds up, or multiplies, along an axis."""

        def __call__(
            self,
            x: TensorLike,
            axis: IntLike = 0,
            exclusive: bool = False,
            reverse: bool = False,
            name: str | None = None,
        ) -> Tensor: ...


def axes_of(axis: AxisLike, x: Tensor, op: Op) -> int | tuple[int, ...]:
    """Return the axes as a plain number, a tuple or None. Raises `InvalidArgumentError` for an axis
    that is not there.
    """
    if isinstance(axis, str):
        raise InvalidArgumentError(
            "Value for attr 'Tidx' of string is not in the list of allowed values: int32, int64 "
            f"[Op:{op.name}]"
        )
    if isinstance(axis, float):
        raise TypeError(f"An axis is an integer, got {axis!r}.")
    if type(axis) is int:
        if -x.value.ndim <= axis < x.value.ndim:
            return axis
        axes = (axis,)
    else:
        if isinstance(axis, (Tensor, Variable)):
            axis = look(convert_to_tensor(axis))
        axes = tuple(
            np.ravel(
                np.asarray(axis, np.int64) if not isinstance(axis, np.ndarray) else axis
            ).tolist()
        )
    for a in axes:
        if not -x.value.ndim <= a < x.value.ndim:
            raise InvalidArgumentError(
                f"Invalid reduction dimension ({a} for input with {x.value.ndim} dimension(s)) "
                f"[Op:{op.name}]: "
                f"the tensor has the shape {x.shape}."
            )
    if len({a % x.value.ndim for a in axes}) < len(axes):
        raise InvalidArgumentError(
            f"Invalid reduction arguments: Axes contains duplicate dimension: {list(axes)} "
            f"[Op:{op.name}]"
        )
    return axes


def reduction(name: str, op: Op, kinds: str, doc: str) -> Reduction:
    """Return the public function of a reduction."""

    @explains_errors
    def function(
        input_tensor: TensorLike,
        axis: AxisLike | None = None,
        keepdims: bool = False,
        name: str | None = None,
    ) -> Tensor:
        try:
            x = input_tensor if type(input_tensor) is Tensor else input_of(input_tensor, kinds)
            if x.value.dtype.kind not in kinds:
                if kinds == "b" and isinstance(axis, (list, tuple)):
                    convert_to_tensor(x, "bool")  # TensorFlow's slower way: raises ValueError
                refuse(op, x.dtype, kinds)
            return run(
                op,
                (x,),
                {
                    "axis": axis if axis is None else axes_of(axis, x, op),
                    "keepdims": bool(keepdims),
                },
            )
        except Exception as error:
            explain_error(error, function, (input_tensor, axis, keepdims, name), {})
            raise

    function.__name__ = function.__qualname__ = name
    function.__module__ = "minitape.math"
    function.__doc__ = (
        f"{doc}\n\nAlong `axis`, or over all axes. Shape: (...) -> (...) without these axes; "
        "with `keepdims` they stay, "
        "of length 1. "
        f"Raises InvalidArgumentError for an axis that is not there. Source: `tf.math.{name}`."
    )
    return function


# fmt: off
reduce_sum  = reduction("reduce_sum",  rows.reduce_sum,  "fciu", "Compute the sum; its gradient is copied to every element.")
reduce_mean = reduction("reduce_mean", rows.reduce_mean, "fciu", "Compute the mean; of integers, in whole numbers.")
reduce_max  = reduction("reduce_max",  rows.reduce_max,  "fiu",  "Compute the largest element; equal ones share the gradient.")
reduce_min  = reduction("reduce_min",  rows.reduce_min,  "fiu",  "Compute the smallest element; equal ones share the gradient.")
reduce_prod = reduction("reduce_prod", cumulative.reduce_prod, "fciu", "Compute the product of all elements.")
reduce_all  = reduction("reduce_all",  rows.reduce_all,  "b",    "Tell whether all elements are True.")
reduce_any  = reduction("reduce_any",  rows.reduce_any,  "b",    "Tell whether at least one element is True.")
reduce_euclidean_norm = reduction("reduce_euclidean_norm", lengths.euclidean_norm, "fciu",
                                  "Compute the square root of the sum of squares.")
reduce_logsumexp = reduction("reduce_logsumexp", rows.logsumexp, "f", "Compute log(sum(exp(x))) without overflow.")
# fmt: on


def reduce_variance(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the mean of the squared distances from the mean.

    Shape: (...) -> (...) without the axes of `axis`; with `keepdims` they stay, of length 1. Raises
    TypeError for integers. Source: `tf.math.reduce_variance`.
    """
    x = convert_to_tensor(input_tensor)
    if x.dtype.is_integer:
        raise TypeError(
            f"Input must be either real or complex. Received integer type {x.dtype!r}. Use "
            "tf.cast(x, tf.float32)."
        )
    return reduce_mean(squared_length(x - reduce_mean(x, axis, keepdims=True)), axis, keepdims)


def squared_length(x: Tensor) -> Tensor:
    """Return the square of each number; of complex numbers, that of their length, which is real."""
    return square(x) if not x.dtype.is_complex else square(real(x)) + square(imag(x))


def reduce_std(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Compute the square root of the variance; its slope is NaN where all elements are equal.

    Shape: (...) -> (...) without the axes of `axis`; with `keepdims` they stay, of length 1.
    Source: `tf.math.reduce_std`.
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


def count_nonzero(
    input: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = "int64",
    name: str | None = None,
) -> Tensor:
    """Count the elements that are not 0.

    Shape: (...) -> (...) without the axes of `axis`; with `keepdims` they stay, of length 1.
    Source: `tf.math.count_nonzero`.
    """
    x = convert_to_tensor(input)
    return reduce_sum(cast(x != x.value.dtype.type(), dtype), axis, bool(keepdims))


def position(op: Op, name: str) -> Position:
    """Return the public function for the index of the largest or the smallest element."""

    def function(
        input: TensorLike,
        axis: AxisLike | None = None,
        output_type: DTypeLike = "int64",
        name: str | None = None,
    ) -> Tensor:
        x = only(REALS + "b", op, convert_to_tensor(input))
        if x.value.dtype.kind == "b":
            x = cast(x, "uint8")
        return run(
            op,
            (x,),
            {
                "axis": axis_of(0 if axis is None else axis, x.ndim, op.name),
                "dtype": as_dtype(output_type)._numpy,
            },
        )

    function.__name__ = function.__qualname__ = name
    function.__module__ = "minitape.math"
    kind = "largest" if name == "argmax" else "smallest"
    function.__doc__ = (
        f"Tell where the {kind} element stands along an axis (the first axis if None); the "
        "gradient ends here.\n\n"
        "Shape: (..., n, ...) -> (...). "
        f"Raises InvalidArgumentError for an axis that is not there. Source: `tf.math.{name}`."
    )
    return function


argmax, argmin = position(rows.argmax, "argmax"), position(rows.argmin, "argmin")


def running(name: str, op: Op, kinds: str, doc: str) -> Running:
    """Return the public function of a running sum or product."""

    def function(
        x: TensorLike,
        axis: IntLike = 0,
        exclusive: bool = False,
        reverse: bool = False,
        name: str | None = None,
    ) -> Tensor:
        x = only(kinds, op, convert_to_tensor(x))
        axis = axes_of(axis, x, op)
        if not isinstance(axis, int):
            raise InvalidArgumentError(f"ScanOp: axis must be a scalar, not {axis} [Op:{op.name}]")
        return run(op, (x,), {"axis": axis, "exclusive": bool(exclusive), "reverse": bool(reverse)})

    function.__name__ = function.__qualname__ = name
    function.__module__ = "minitape.math"
    function.__doc__ = (
        f"{doc}\n\n`exclusive` leaves the element itself out, `reverse` begins at the end. "
        f"Shape: (...) -> (...). Source: `tf.math.{name}`."
    )
    return function


cumsum = running("cumsum", cumulative.cumsum, NUMBERS, "Compute the running sum along an axis.")
cumprod = running(
    "cumprod", cumulative.cumprod, NUMBERS, "Compute the running product along an axis."
)


def l2_normalize(
    x: TensorLike,
    axis: AxisLike | None = None,
    epsilon: ScalarLike = 1e-12,
    name: str | None = None,
    dim: AxisLike | None = None,
) -> Tensor:
    """Divide by the Euclidean length along `axis`; lengths below sqrt(epsilon) count as that.

    Shape: (...) -> (...). Source: `tf.math.l2_normalize`.
    """
    x = convert_to_tensor(x)
    shrink = rsqrt(
        maximum(
            reduce_sum(squared_length(x), dim if axis is None else axis, keepdims=True), epsilon
        )
    )
    return x * (shrink if not x.dtype.is_complex else cast(shrink, x.dtype))
