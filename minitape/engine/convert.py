"""Conversion to tensors: `constant` copies values, `convert_to_tensor` returns tensors unchanged
and reads variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from .base import notes
from .base.argument_errors import explain_error, explains_errors
from .base.arrays import array_of
from .base.dtypes import as_dtype
from .base.shapes import TensorShape
from .base.tensor import Tensor
from .base.where import here

if TYPE_CHECKING:
    from .base.aliases import Array
    from .typing import DTypeLike, ShapeLike, TensorLike
    from .variable import Variable


@explains_errors
def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str | None = "Const",
) -> Tensor:
    """Make a tensor of Python numbers, lists or NumPy arrays; the values are copied.

    Python floats become float32, integers int32; NumPy arrays keep their dtype; `shape` reshapes or
    fills. Raises TypeError, ValueError. Source: `tf.constant`.
    """
    try:
        if isinstance(value, Tensor):
            if dtype is not None and as_dtype(dtype) != value.dtype:
                raise TypeError(
                    f"Expected tensor with type {as_dtype(dtype)!r} not {value.dtype!r}. Use "
                    "tf.cast(tensor, dtype)."
                )
            return value if shape is None else _shaped(value.value, shape)
        if isinstance(value, (list, tuple)) and _holds_tensors(value):
            raise ValueError(
                "tf.constant cannot be made of a list that holds tensors: it would cut the tape. "
                "Use tf.stack([...]) "
                "or tf.convert_to_tensor([...]), which are recorded."
            )
        array = array_of(value, dtype)
        return notes.came_back(
            value, Tensor(array, here()) if shape is None else _shaped(array, shape)
        )
    except Exception as error:
        explain_error(error, constant, (value, dtype, shape), {})
        raise


def _holds_tensors(value: Any) -> bool:
    return any(
        _holds_tensors(v)
        if isinstance(v, (list, tuple))
        else hasattr(v, "id") and hasattr(v, "dtype")
        for v in value
    )


def _shaped(value: Array, shape: Any) -> Tensor:
    shape = TensorShape(shape)
    if value.size == 1 and shape.num_elements() != 1:
        value = np.full(shape, value)
    elif value.size != shape.num_elements():
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape. Tensor of {value.size} "
            "elements does not fit "
            f"the shape {shape}."
        )
    value = np.reshape(value, shape)
    return Tensor(value if value.ndim else value[()], here())


def convert_to_tensor(
    value: Any,
    dtype: DTypeLike | None = None,
    dtype_hint: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convert a value to a tensor: a tensor stays itself, a variable is read, a list with tensors
    is stacked (and recorded).

    Raises ValueError where `dtype` differs from that of a tensor, TypeError for values that do not
    fit. Source: `tf.convert_to_tensor`.
    """
    if type(value) is Tensor and dtype is None:
        return value  # as it nearly always is
    if is_variable(value):
        value = value._read()
    if isinstance(value, Tensor):
        if dtype is not None and as_dtype(dtype) != value.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype "
                f"{value.dtype.name}: "
                f"{value!r}. Use tf.cast(value, tf.{as_dtype(dtype).name})."
            )
        return value
    if isinstance(value, (list, tuple)) and _any_tensor(value):
        from .ops.elementwise import cast
        from .ops.shaping import stack

        like = _first_tensor(value).dtype if dtype is None else as_dtype(dtype)
        parts = [
            convert_to_tensor(v) if is_tensor(v) else convert_to_tensor(v, like) for v in value
        ]
        if dtype is not None:  # in a list, unlike alone, tensors take the dtype that was asked for
            parts = [p if p.dtype == like else cast(p, dtype=like.as_numpy_dtype) for p in parts]
        return stack(*parts, axis=0)
    if dtype is None and dtype_hint is not None:
        try:
            return notes.came_back(value, Tensor(array_of(value, dtype_hint), here()))
        except (TypeError, ValueError):
            pass
    return notes.came_back(value, Tensor(array_of(value, dtype), here()))


def gathered(value: Any, dtype: DTypeLike | None) -> Any:
    """Return a variable's content, or a list with tensors (of this dtype), as a tensor; anything
    else as it is.
    """
    if is_variable(value):
        return value._read()
    if isinstance(value, (list, tuple)) and any([is_tensor(v) for v in value]):
        return convert_to_tensor(value, dtype)
    return value


def _any_tensor(value: Any) -> bool:
    return any(_any_tensor(v) if isinstance(v, (list, tuple)) else is_tensor(v) for v in value)


def _first_tensor(value: Any) -> Any:
    for v in value:
        tensor = _first_tensor(v) if isinstance(v, (list, tuple)) else v
        if is_tensor(tensor):
            return tensor
    return None


def is_tensor(x: object) -> TypeGuard[Tensor | Variable]:
    """Return True for tensors and variables. Source: `tf.is_tensor`."""
    return isinstance(x, Tensor) or is_variable(x)


def is_variable(x: object) -> TypeGuard[Variable]:
    """Return True for what holds a tensor and can be read: a variable. (Its class stands above this
    file: it converts values, too.)
    """
    return hasattr(type(x), "_read")
