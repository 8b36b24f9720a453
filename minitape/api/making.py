"""Tensors made from nothing: zeros, ones, ranges, grids, one-hot rows; and questions about shapes."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np

from ..compile.again import again
from ..engine.base.dtypes import as_dtype, bool_, float32
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.notes import look
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import constant, convert_to_tensor, is_tensor
from ..engine.operators import operand
from ..engine.ops import elementwise, indexing
from ..engine.ops.record import Op, run
from ..typing import DTypeLike, IntLike, ShapeLike, TensorLike
from .arguments import NUMBERS, axis_of, only, shape_of
from .elementwise import cast
from .shaping import broadcast_to, expand_dims, reshape

LONGEST = 2**63 - 1  # of a range


def made(array: Any) -> Tensor:
    """Return a tensor of a fresh array, made at the learner's line."""
    return Tensor(array if array.ndim else array[()], here())


def filled(shape: tuple[int, ...], value: Any, dtype: DTypeLike) -> Tensor:
    want = as_dtype(dtype)
    if want.name == "string":
        value = b"" if value == 0 else b"1"
    return made(np.full(shape, value, want._numpy))


def zeros(
    shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None, layout: object = None
) -> Tensor:
    """Make a tensor of zeros. Shape: -> `shape`. Raises InvalidArgumentError for a negative length.
    Source: `tf.zeros`.
    """
    return filled(shape_of(shape), 0, dtype)


def ones(
    shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None, layout: object = None
) -> Tensor:
    """Make a tensor of ones. Shape: -> `shape`. Raises InvalidArgumentError for a negative length.
    Source: `tf.ones`.
    """
    return filled(shape_of(shape), 1, dtype)


def like(op: Op, input: TensorLike, dtype: DTypeLike | None) -> Tensor:
    x = convert_to_tensor(input)
    if dtype is None or as_dtype(dtype) == x.dtype:
        return run(op, (x,))
    return filled(x.value.shape, 0 if op is elementwise.zeros_like else 1, dtype)


def zeros_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """Make zeros of the shape and dtype of another tensor. Shape: (...) -> (...). Source:
    `tf.zeros_like`.
    """
    return like(elementwise.zeros_like, input, dtype)


def ones_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: object = None,
) -> Tensor:
    """Make ones of the shape and dtype of another tensor. Shape: (...) -> (...). Source:
    `tf.ones_like`.
    """
    return like(
        elementwise.ones_like,
        only(NUMBERS + "b", elementwise.ones_like, convert_to_tensor(input)),
        dtype,
    )


def fill(
    dims: ShapeLike, value: TensorLike, name: str | None = None, layout: object = None
) -> Tensor:
    """Make a tensor that holds one value everywhere; the gradient of the value is the sum. Shape:
    value () -> `dims`. Source: `tf.fill`.
    """
    value = convert_to_tensor(value)
    if value.ndim:
        raise InvalidArgumentError(
            f"value must be a scalar, got shape {list(value.shape)} [Op:Fill]"
        )
    return broadcast_to(value, shape_of(dims))


def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = "range",
) -> Tensor:  # noqa: A001
    """Make the numbers from `start` up to `limit`, which is left out, in steps of `delta`.

    One argument is the limit. Floats where one of them is a float.

    Shape: three numbers -> (n,). Raises InvalidArgumentError for a step of 0 or in the wrong
    direction, TypeError and ValueError for anything but single numbers of the dtype. Source:
    `tf.range`.
    """
    start, limit = (0, start) if limit is None else (start, limit)
    parts = [
        one_number(name, p, dtype)
        for name, p in (("start", start), ("limit", limit), ("delta", delta))
    ]
    order = ["int32", "int64", "float16", "float32", "float64"]
    kinds = [as_dtype(p.dtype).name for p in parts]
    kind = (
        as_dtype(dtype)
        if dtype is not None
        else as_dtype(builtins.max(kinds, key=lambda k: order.index(k) if k in order else 0))
    )
    number = kind._numpy.type
    # Python's numbers: a difference never overflows
    start, limit, delta = [number(p).item() for p in parts]
    if delta == 0:
        raise InvalidArgumentError("Requires delta != 0: 0 [Op:Range]")
    if not (start <= limit if delta > 0 else start >= limit):  # also where one of them is nan
        sign = ">" if delta > 0 else "<"
        raise InvalidArgumentError(
            f"Requires start {'<=' if sign == '>' else '>='} limit when delta {sign} 0: "
            f"{start}/{limit} [Op:Range]"
        )
    if kind.is_integer:
        return made(
            np.arange(len(builtins.range(start, limit, delta)), dtype=kind._numpy) * number(delta)
            + number(start)
        )
    # rounded as the numbers themselves, as in TensorFlow
    n = builtins.abs(float(number(number(limit - start) / number(delta))))
    if not n <= LONGEST:
        raise InvalidArgumentError(
            f"Requires ((limit - start) / delta) <= {LONGEST}: {start}/{limit} [Op:Range]"
        )
    return made((start + np.arange(ceil(n)) * delta).astype(kind._numpy))


def one_number(name: str, value: TensorLike, dtype: DTypeLike | None) -> Any:
    """Return an argument of `range` as a NumPy number. Raises TypeError where a fraction would be
    lost, ValueError for several.
    """
    number = look(convert_to_tensor(value, dtype_hint=dtype), "range")
    if number.size != 1 or number.dtype.kind not in "fiu":
        raise ValueError(f"tf.range needs one number as `{name}`, got {value!r}.")
    if (
        dtype is not None
        and as_dtype(dtype).is_integer
        and number.dtype.kind == "f"
        and not is_tensor(value)
    ):
        raise TypeError(
            f"Cannot convert {value!r} to EagerTensor of dtype {as_dtype(dtype).name}: `{name}` "
            "of tf.range is a fraction."
        )
    return number.reshape(())[()]


def linspace(
    start: TensorLike, stop: TensorLike, num: IntLike, name: str | None = None, axis: int = 0
) -> Tensor:
    """Make `num` numbers at equal distances from `start` to `stop`, both included.

    Integers give float64. Both ends have a gradient.

    Shape: both (...) -> (...) with a new axis of length `num` at `axis`. Raises
    InvalidArgumentError for less than no number. Source: `tf.linspace`.
    """
    start = convert_to_tensor(start)
    stop = operand(stop, start)
    num = int(num)
    if num < 0:
        raise InvalidArgumentError(f"Requires num >= 0: {num} [Op:LinSpace]")
    if start.dtype.is_integer:
        start, stop = cast(start, "float64"), cast(stop, "float64")
    if start.value.shape != stop.value.shape:
        try:
            shape = np.broadcast_shapes(start.value.shape, stop.value.shape)
        except ValueError:
            raise InvalidArgumentError(
                f"`start` and `stop` must have one shape, or broadcast to one, got {start.shape} "
                f"and {stop.shape} "
                "[Op:LinSpace]"
            ) from None
        start, stop = broadcast_to(start, shape), broadcast_to(stop, shape)
    axis = axis_of(axis, start.ndim + 1, "LinSpace")
    steps = np.arange(num, dtype=np.float64) / builtins.max(num - 1, 1)
    steps = constant(steps.reshape((num,) + (1,) * (start.ndim - axis)).astype(start.value.dtype))
    low, high = expand_dims(start, axis), expand_dims(stop, axis)
    return low * (1 - steps) + high * steps


def one_hot(
    indices: TensorLike,
    depth: IntLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Make rows with `on_value` (1) at the place that each index names, `off_value` (0) elsewhere.

    The new axis has the length `depth` and stands last, or at `axis`. Indices outside of it give
    rows of `off_value`.

    Shape: (...) -> (..., depth), or the new axis at `axis`. Raises TypeError for indices that are
    not integers. Source: `tf.one_hot`.
    """
    ids = convert_to_tensor(indices)
    if not ids.dtype.is_integer:
        raise InvalidArgumentError(
            f"Value for attr 'TI' of {ids.dtype.name} is not in the list of allowed values: "
            "uint8, int8, int32, "
            "int64 [Op:OneHot]. Use tf.cast(indices, tf.int32)."
        )
    if int(depth) < 0:
        raise InvalidArgumentError(f"depth must be non-negative, got: {int(depth)} [Op:OneHot]")
    given = [v for v in (on_value, off_value) if v is not None]
    dtype = (
        as_dtype(dtype)
        if dtype is not None
        else convert_to_tensor(given[0]).dtype
        if given
        else float32
    )
    on = convert_to_tensor(1 if on_value is None else on_value, dtype_hint=dtype)
    off = convert_to_tensor(0 if off_value is None else off_value, dtype_hint=dtype)
    if on.dtype != off.dtype or on.dtype != dtype:
        raise TypeError(
            f"dtype {on.dtype!r} of on_value does not match dtype {off.dtype!r} of off_value, or "
            f"{dtype!r}."
        )
    return run(
        indexing.one_hot,
        (ids, on, off),
        {"depth": int(depth), "axis": -1 if axis is None else axis},
    )


def meshgrid(*args: TensorLike, **kwargs: Any) -> list[Tensor]:
    """Return the coordinates of the points of a grid, one tensor per axis, for drawing functions of
    several numbers.

    `indexing="xy"` (the default) puts the first axis along columns, "ij" along rows.

    Shape: (n,), (m,), ... -> tensors (m, n, ...), or (n, m, ...) for "ij". Raises ValueError for
    another word. Source: `tf.meshgrid`.
    """
    indexing_ = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing_ not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing_}'"
        )
    xs = [reshape(convert_to_tensor(x), (-1,)) for x in args]
    places = list(builtins.range(len(xs)))
    if indexing_ == "xy" and len(xs) > 1:
        places[0], places[1] = 1, 0
    shape = [0] * len(xs)
    for x, k in zip(xs, places):
        shape[k] = x.value.size
    return [
        broadcast_to(
            reshape(x, [x.value.size if j == k else 1 for j in builtins.range(len(xs))]), shape
        )
        for x, k in zip(xs, places)
    ]


# ---- questions about shapes


@again
def sequence_mask(
    lengths: TensorLike,
    maxlen: IntLike | None = None,
    dtype: DTypeLike = bool_,
    name: str | None = None,
) -> Tensor:
    """Make rows that are True up to each length. Shape: (...) -> (..., maxlen). Source:
    `tf.sequence_mask`.
    """
    lengths, kind = convert_to_tensor(lengths).value, as_dtype(dtype)._numpy
    n = int(np.max(lengths, initial=0)) if maxlen is None else int(maxlen)
    if n < 0:
        raise InvalidArgumentError(f"`maxlen` must not be negative, got {n} [Op:Range]")
    return made((np.arange(n) < np.expand_dims(lengths, -1)).astype(kind))


def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the shape as an integer tensor. Shape: any -> (rank,). Source: `tf.shape`."""
    x = convert_to_tensor(input)
    return made(
        np.array(x.value.shape, np.int32 if out_type is None else as_dtype(out_type)._numpy)
    )


def size(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the number of elements as an integer tensor. Shape: (...) -> (). Source: `tf.size`."""
    return made(
        np.array(
            convert_to_tensor(input).value.size,
            np.int32 if out_type is None else as_dtype(out_type)._numpy,
        )
    )


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the number of axes as an integer tensor. Shape: (...) -> (). Source: `tf.rank`."""
    return made(np.array(convert_to_tensor(input).value.ndim, np.int32))


def ensure_shape(x: TensorLike, shape: Sequence[int | None], name: str | None = None) -> Tensor:
    """Return `x`, or raise `InvalidArgumentError` where its shape is another one; None fits any
    length.

    Shape: (...) -> (...). Source: `tf.ensure_shape`.
    """
    x = convert_to_tensor(x)
    want = list(shape)
    if len(want) != x.ndim or builtins.any(w is not None and w != n for w, n in zip(want, x.shape)):
        raise InvalidArgumentError(
            f"Shape of tensor {list(x.shape)} is not compatible with expected shape {want}. "
            "[Op:EnsureShape]"
        )
    return run(elementwise.identity, (x,))
