"""Checks that stop a program where something is wrong. Source: `tf.debugging`.

Each returns nothing where all is well, and raises with the values where it is not; in a
`tf.function` at every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .api.missing import offer
from .compile.again import again
from .engine.convert import convert_to_tensor
from .engine.ground.dtypes import as_dtype
from .engine.ground.errors import InvalidArgumentError
from .engine.ground.tensor import Tensor
from .engine.operators import pair
from .engine.ops import elementwise
from .engine.ops.record import run
from .typing import DTypeLike, IntLike, TensorLike


def _arrays(x: TensorLike, y: TensorLike) -> tuple[np.ndarray, np.ndarray]:
    a, b = pair(x, y)
    return np.asarray(a.value), np.asarray(b.value)


def _demand(good: Any, what: str, message: str | None, **values: Any) -> None:
    """Raise `InvalidArgumentError` with the values unless all is good."""
    if not np.all(good):
        shown = "".join(f"\n{name} (shape={list(v.shape)}) = {v}" for name, v in values.items())
        raise InvalidArgumentError(
            f"{message or ''}{' ' if message else ''}Condition {what} did not hold.{shown}"
        )


@again
def Assert(
    condition: TensorLike,
    data: Sequence[TensorLike],
    summarize: int | None = None,
    name: str | None = None,
) -> None:  # noqa: N802
    """Raise InvalidArgumentError, with the data, unless the condition is true. Source:
    `tf.debugging.Assert`.
    """
    if not np.all(convert_to_tensor(condition).value):
        shown = ", ".join(str(convert_to_tensor(d).value) for d in data)
        raise InvalidArgumentError(
            "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: "
            f"{shown}"
        )


@again
def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless x == y everywhere. Source: `tf.debugging.assert_equal`."""
    a, b = _arrays(x, y)
    _demand(a == b, "x == y", message, x=a, y=b)


@again
def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless x != y everywhere. Source:
    `tf.debugging.assert_none_equal`.
    """
    a, b = _arrays(x, y)
    _demand(a != b, "x != y", message, x=a, y=b)


@again
def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless x < y everywhere. Source: `tf.debugging.assert_less`."""
    a, b = _arrays(x, y)
    _demand(a < b, "x < y", message, x=a, y=b)


@again
def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless x <= y everywhere. Source:
    `tf.debugging.assert_less_equal`.
    """
    a, b = _arrays(x, y)
    _demand(a <= b, "x <= y", message, x=a, y=b)


@again
def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless x > y everywhere. Source: `tf.debugging.assert_greater`."""
    a, b = _arrays(x, y)
    _demand(a > b, "x > y", message, x=a, y=b)


@again
def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless x >= y everywhere. Source:
    `tf.debugging.assert_greater_equal`.
    """
    a, b = _arrays(x, y)
    _demand(a >= b, "x >= y", message, x=a, y=b)


@again
def assert_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x > 0 everywhere. Source: `tf.debugging.assert_positive`."""
    a = convert_to_tensor(x).value
    _demand(a > 0, "x > 0", message, x=a)


@again
def assert_non_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x >= 0 everywhere. Source:
    `tf.debugging.assert_non_negative`.
    """
    a = convert_to_tensor(x).value
    _demand(a >= 0, "x >= 0", message, x=a)


@again
def assert_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x < 0 everywhere. Source: `tf.debugging.assert_negative`."""
    a = convert_to_tensor(x).value
    _demand(a < 0, "x < 0", message, x=a)


@again
def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: float | None = None,
    atol: float | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless |x - y| <= atol + rtol * |y| everywhere. Source:
    `tf.debugging.assert_near`.

    Both tolerances are ten times the dtype's smallest step unless given.
    """
    a, b = _arrays(x, y)
    step = 10 * np.finfo(a.dtype).eps if a.dtype.kind in "fc" else 0
    _demand(
        np.abs(a - b)
        <= (step if atol is None else atol) + (step if rtol is None else rtol) * np.abs(b),
        "x and y not equal to tolerance",
        message,
        x=a,
        y=b,
    )


def assert_rank(
    x: TensorLike, rank: IntLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless x has this many axes. Source: `tf.debugging.assert_rank`."""
    x = convert_to_tensor(x)
    if x.ndim != int(rank):
        raise ValueError(
            f"{message or ''}Tensor must have rank {int(rank)}. Received rank {x.ndim}, shape "
            f"{x.shape}"
        )


def assert_type(
    tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise TypeError unless the dtype is this one. Source: `tf.debugging.assert_type`."""
    x, want = convert_to_tensor(tensor), as_dtype(tf_type)
    if x.dtype != want:
        raise TypeError(f"{message or ''}The tensor must be of type {want!r}; got {x.dtype!r}")


def assert_shapes(
    shapes: Any,
    data: object = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise ValueError unless tensors have the shapes; the same letter means the same length.
    Source: `tf.debugging.assert_shapes`.

    `shapes`: pairs (tensor, shape), or a dictionary; a shape holds numbers, letters and None for
    any length.
    """
    known: dict[str, Any] = {}
    for x, want in shapes.items() if isinstance(shapes, dict) else shapes:
        x = convert_to_tensor(x)
        want = (want,) if isinstance(want, (str, int)) else tuple(want)
        if len(want) != x.ndim:
            raise ValueError(
                f"{message or ''}Tensor of shape {x.shape} must have rank {len(want)}."
            )
        for n, w in zip(x.shape, want):
            expected = known.setdefault(w, n) if isinstance(w, str) else n if w is None else w
            if n != expected:
                raise ValueError(
                    f"{message or ''}Tensor of shape {x.shape}: an axis must have the length "
                    f"{expected} ({w}), has {n}."
                )


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return x, or raise InvalidArgumentError where it holds NaN or infinity.

    Shape: (...) -> (...). Source: `tf.debugging.assert_all_finite`.
    """
    return check_numerics(x, message)


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return the tensor, or raise InvalidArgumentError where it holds NaN or infinity.

    Shape: (...) -> (...). Source: `tf.debugging.check_numerics`.
    """
    x = convert_to_tensor(tensor)
    _finite(x, message)
    return run(elementwise.identity, (x,))


@again
def _finite(x: Tensor, message: str) -> None:
    kinds = [
        word
        for word, found in (("Inf", np.isinf(x.value)), ("NaN", np.isnan(x.value)))
        if np.any(found)
    ]
    if kinds:
        raise InvalidArgumentError(
            f"{message} : Tensor had {' and '.join(kinds)} values [Op:CheckNumericsV2]"
        )


def is_numeric_tensor(tensor: object) -> bool:
    """Return True for tensors of numbers. Source: `tf.debugging.is_numeric_tensor`."""
    return hasattr(tensor, "dtype") and as_dtype(tensor.dtype).is_numeric


__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_none_equal",
    "assert_positive",
    "assert_rank",
    "assert_shapes",
    "assert_type",
    "check_numerics",
    "is_numeric_tensor",
]
offer(__name__)
