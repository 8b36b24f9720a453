"""Types of arguments: a `TensorLike` is anything that converts to a tensor, a `ShapeLike` anything
that describes a shape.

Editors and JupyterLab show them in signatures, and a program may use them for its own functions:
`def loss(x: TensorLike) -> Tensor`. They check nothing at run time.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .base.dtypes import DType
from .base.shapes import TensorShape
from .base.tensor import Tensor
from .variable import Variable

# What becomes a tensor: numbers, strings, arrays, and (nested) lists of all these.
TensorLike: TypeAlias = (
    Tensor | Variable | np.ndarray | np.generic | complex | str | bytes | Sequence[Any]
)
# One number: Python's, NumPy's, or a tensor without axes.
ScalarLike: TypeAlias = float | np.integer | np.floating | Tensor | Variable
# One whole number, likewise.
IntLike: TypeAlias = int | np.integer | Tensor | Variable
# A shape: a length, several lengths (None for a free one), or an integer tensor.
ShapeLike: TypeAlias = (
    int | np.integer | Sequence[Any] | TensorShape | np.ndarray | Tensor | Variable
)
# An axis, or several; negative numbers count from the end.
AxisLike: TypeAlias = int | np.integer | Sequence[int] | np.ndarray | Tensor | Variable
# A dtype: tf.float32, "float32", np.float32, float.
DTypeLike: TypeAlias = DType | str | type | np.dtype
# What a stream of random numbers begins with.
SeedLike: TypeAlias = int | np.integer | Sequence[int] | np.ndarray | Tensor | Variable
# A tensor, or tensors in lists, tuples and dictionaries; the result has the same form.
Nested: TypeAlias = Any

# Keras: an object, its name ("relu", "glorot_uniform", "l2", "non_neg", "adam", "mse"), its
# description, or nothing.
ActivationLike: TypeAlias = str | Callable[..., Any] | None
InitializerLike: TypeAlias = str | type | Mapping[str, Any] | Callable[..., Any] | None
RegularizerLike: TypeAlias = str | Mapping[str, Any] | Callable[..., Any] | None
ConstraintLike: TypeAlias = str | Mapping[str, Any] | Callable[..., Any] | None
# A number, a schedule, or a function without arguments.
RateLike: TypeAlias = float | np.floating | Tensor | Variable | Callable[..., Any]
LossLike: TypeAlias = str | Callable[..., Any] | Sequence[Any] | Mapping[str, Any] | None
MetricsLike: TypeAlias = Iterable[Any] | Mapping[str, Any] | None

__all__ = [
    "ActivationLike",
    "AxisLike",
    "ConstraintLike",
    "DTypeLike",
    "InitializerLike",
    "IntLike",
    "LossLike",
    "MetricsLike",
    "Nested",
    "RateLike",
    "RegularizerLike",
    "ScalarLike",
    "SeedLike",
    "ShapeLike",
    "TensorLike",
]


if sys.version_info >= (3, 12) and not TYPE_CHECKING:
    from typing import TypeAliasType  # the name is shown instead of all that it stands for

    globals().update({name: TypeAliasType(name, globals()[name]) for name in __all__})


def freely(method: Callable[..., Any]) -> Callable[..., Any]:
    """Tell a type checker that a subclass may override this method with other arguments, as Keras
    programs do.
    """
    return method


def __dir__() -> list[str]:
    return sorted(__all__)
