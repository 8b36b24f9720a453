"""How arguments are read: shapes, axes and places, given as numbers, lists, arrays or tensors.

A shape is a number, a list of numbers, a `TensorShape` or an integer tensor.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ..engine.base.dtypes import ALL, DType, as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.mismatches import dtype_error
from ..engine.base.notes import look
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops.record import Op
from ..engine.variable import Variable
from ..typing import AxisLike, ShapeLike, TensorLike

# kinds of dtypes, in NumPy's letters
ANY, NUMBERS, REALS, INEXACT, FLOATS = "fciubS", "fciu", "fiu", "fc", "f"


def refuse(op: Op, dtype: DType, kinds: str) -> NoReturn:
    """Raise the error for a dtype that an operation does not take; see `dtype_error`."""
    allowed = ", ".join(d.name for d in ALL if d._numpy.kind in kinds)
    raise dtype_error(op.name)(
        f"Value for attr 'T' of {dtype.name} is not in the list of allowed values: {allowed} "
        f"[Op:{op.name}]. "
        "Use tf.cast(x, tf.float32) first."
    )


def only(kinds: str, op: Op, x: Tensor) -> Tensor:
    """Return the tensor. Raises `InvalidArgumentError` where its dtype is of another kind than the
    operation takes.
    """
    if x.value.dtype.kind not in kinds:
        refuse(op, x.dtype, kinds)
    return x


def same_shape(y: Tensor, x: Tensor, function: str, *limits: Tensor) -> Tensor:
    """Return `y`. Raises ValueError unless it has the shape of `x`: what limits a tensor must not
    stretch it.
    """
    if y.value.shape != x.value.shape:
        raise ValueError(
            f"Shapes {x.shape} and {y.shape} are incompatible: tf.{function} keeps the shape of "
            f"its tensor, {x.shape}, and "
            "cannot broadcast it to limits of shape "
            f"{' and '.join(str(limit.shape) for limit in limits)}."
        )
    return y


def shape_of(shape: ShapeLike, what: str = "shape") -> tuple[int, ...]:
    """Return a shape as a tuple of integers. Raises TypeError, and `InvalidArgumentError` for
    negative lengths.
    """
    if isinstance(shape, (Tensor, Variable)):
        shape = look(convert_to_tensor(shape))
        if shape.dtype.kind not in "iu":
            raise InvalidArgumentError(
                f"Shape must be integers, got a {as_dtype(shape.dtype).name} tensor."
            )
        shape = np.ravel(shape).tolist()
    elif isinstance(shape, (int, np.integer)):
        shape = (shape,)
    elif isinstance(shape, (str, bytes)):
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    elif shape is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to "
            "a Tensor."
        )
    lengths: Any = shape
    axes: list[int] = []
    for n in lengths:
        if (
            isinstance(n, float)
            or getattr(n, "dtype", None) is not None
            and np.dtype(getattr(n.dtype, "_numpy", n.dtype)).kind == "f"
        ):
            if what == "reshape":
                raise InvalidArgumentError(f"A shape holds integers, got {n!r} [Op:Reshape]")
            raise TypeError(
                f"Expected int32 passed to parameter '{what}', got {n!r} of type 'float' instead."
            )
        axes.append(int(n))
    if any(n < 0 for n in axes) and what != "reshape":
        raise InvalidArgumentError(f"Dimension {min(axes)} must be >= 0 in the shape {axes}.")
    return tuple(axes)


def plain_numbers(value: Any) -> Any:
    """Return numbers, lists and integer tensors as Python's own numbers or (nested) lists of them."""
    if isinstance(value, (Tensor, Variable)):
        value = look(convert_to_tensor(value))
    return np.asarray(value).tolist()


def whole(what: str, n: Any) -> int:
    """Return a whole number as a Python integer. Raises TypeError for anything else, also for 1.0."""
    n = plain_numbers(n) if isinstance(n, (Tensor, Variable, np.ndarray, np.generic)) else n
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"`{what}` must be whole numbers, got {n!r}.")
    return n


def row_of(what: str, value: Any, op: str, length: int | None = None) -> list[Any]:
    """Return a list of numbers. Raises `InvalidArgumentError` for a single number, deeper lists,
    and another length than this.
    """
    row = plain_numbers(value)
    if (
        not isinstance(row, list)
        or any(isinstance(n, list) for n in row)
        or length is not None
        and len(row) != length
    ):
        count = "" if length is None else f"{length} "
        raise InvalidArgumentError(
            f"{op} needs a list of {count}numbers as `{what}`, got {value!r} [Op:{op}]"
        )
    return row


def axis_of(axis: AxisLike, n: int, op: str) -> int:
    """Return an axis as a number from 0; raises `InvalidArgumentError` where there is none."""
    a = plain_numbers(axis)
    a = a[0] if isinstance(a, list) and len(a) == 1 else a
    if isinstance(a, list):
        raise InvalidArgumentError(
            f"'dim' must be a tensor with a single value: {op} works along one axis, got "
            f"{axis!r} [Op:{op}]"
        )
    if isinstance(a, (float, str)) or a is None:
        raise TypeError(f"{op} needs one whole number as axis, got {axis!r}.")
    a = int(a)
    if not -n <= a < n:
        raise InvalidArgumentError(
            f"{op} : Expected dimensions in the range [{-n}, {n}), but got {a} [Op:{op}]"
        )
    return a % n


def integers(indices: TensorLike, op: str) -> Tensor:
    """Convert places to an integer tensor. Raises `InvalidArgumentError` for floats."""
    ids = convert_to_tensor(indices)
    if not ids.value.size and ids.dtype.is_floating:
        return Tensor(ids.value.astype(np.int32))
    if not ids.dtype.is_integer:
        raise InvalidArgumentError(
            f"Value for attr 'Tindices' of {ids.dtype.name} is not in the list of allowed "
            "values: int16, int32, "
            f"int64 [Op:{op}]. Use tf.cast(indices, tf.int32)."
        )
    return ids
