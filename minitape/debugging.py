"""Checks that stop a program where something is wrong. Source: `tf.debugging`.

Each returns nothing where all is well, and raises with the values where it is not; in a
`tf.function` at every run.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from .api.missing import offer
from .compile.again import again
from .engine.base.errors import InvalidArgumentError
from .engine.base.tensor import Tensor
from .engine.convert import convert_to_tensor
from .engine.operators import pair
from .engine.ops import elementwise
from .engine.ops.record import run
from .typing import TensorLike

Check: TypeAlias = Callable[..., None]


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


def comparison(title: str, sign: str, holds: Callable[[Any, Any], Any]) -> Check:
    """Return the check that two tensors compare so everywhere."""

    def check(
        x: TensorLike,
        y: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> None:
        a, b = _arrays(x, y)
        _demand(holds(a, b), f"x {sign} y", message, x=a, y=b)

    return again(documented(check, title, f"x {sign} y"))


def against_zero(title: str, sign: str, holds: Callable[[Any, Any], Any]) -> Check:
    """Return the check that a tensor compares so with 0 everywhere."""

    def check(
        x: TensorLike,
        message: str | None = None,
        summarize: int | None = None,
        name: str | None = None,
    ) -> None:
        a = convert_to_tensor(x).value
        _demand(holds(a, 0), f"x {sign} 0", message, x=a)

    return again(documented(check, title, f"x {sign} 0"))


def documented(check: Any, title: str, what: str) -> Any:
    """Give a made check its name and its documentation."""
    check.__name__ = check.__qualname__ = title
    check.__doc__ = (
        f"Raise InvalidArgumentError unless {what} everywhere. Source: `tf.debugging.{title}`."
    )
    return check


assert_equal = comparison("assert_equal", "==", operator.eq)
assert_less = comparison("assert_less", "<", operator.lt)
assert_less_equal = comparison("assert_less_equal", "<=", operator.le)
assert_greater = comparison("assert_greater", ">", operator.gt)
assert_greater_equal = comparison("assert_greater_equal", ">=", operator.ge)
assert_positive = against_zero("assert_positive", ">", operator.gt)
assert_non_negative = against_zero("assert_non_negative", ">=", operator.ge)


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
        for word, bad in (("Inf", np.isinf(x.value)), ("NaN", np.isnan(x.value)))
        if np.any(bad)
    ]
    if kinds:
        raise InvalidArgumentError(
            f"{message} : Tensor had {' and '.join(kinds)} values [Op:CheckNumericsV2]"
        )


__all__ = [
    "Assert",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_non_negative",
    "assert_positive",
    "check_numerics",
]
offer(__name__)
