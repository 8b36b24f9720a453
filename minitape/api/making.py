"""Tensors made from nothing: zeros, ones, ranges, grids, one-hot rows; and questions about shapes.

A shape is a number, a list of numbers, a `TensorShape` or an integer tensor.
"""

import builtins

import numpy as np

from ..compile.again import again
from ..engine.convert import constant, convert_to_tensor
from ..engine.dtypes import as_dtype, bool_, float32
from ..engine.errors import InvalidArgumentError
from ..engine.notes import look
from ..engine.operators import operand
from ..engine.ops import elementwise, indexing
from ..engine.record import run
from ..engine.tensor import Tensor
from ..engine.where import here
from .shapes import shape_of


def made(array):
    """Return a tensor of a fresh array, made at the learner's line."""
    return Tensor(array if array.ndim else array[()], here())


def filled(shape, value, dtype):
    want = as_dtype(dtype)
    if want.name == "string":
        value = b"" if value == 0 else b"1"
    return made(np.full(shape, value, want._numpy))


def zeros(shape, dtype=float32, name=None, layout=None):
    """Make a tensor of zeros. Raises InvalidArgumentError for a negative length. Source: `tf.zeros`."""
    return filled(shape_of(shape), 0, dtype)


def ones(shape, dtype=float32, name=None, layout=None):
    """Make a tensor of ones. Raises InvalidArgumentError for a negative length. Source: `tf.ones`."""
    return filled(shape_of(shape), 1, dtype)


def like(op, input, dtype):
    x = convert_to_tensor(input)
    if dtype is None or as_dtype(dtype) == x.dtype:
        return run(op, (x,))
    return filled(x.value.shape, 0 if op is elementwise.zeros_like else 1, dtype)


def zeros_like(input, dtype=None, name=None, layout=None):
    """Make zeros of the shape and dtype of another tensor. Source: `tf.zeros_like`."""
    return like(elementwise.zeros_like, input, dtype)


def ones_like(input, dtype=None, name=None, layout=None):
    """Make ones of the shape and dtype of another tensor. Source: `tf.ones_like`."""
    return like(elementwise.ones_like, input, dtype)


def fill(dims, value, name=None, layout=None):
    """Make a tensor that holds one value everywhere; the gradient of the value is the sum. Source: `tf.fill`."""
    from .shaping import broadcast_to
    value = convert_to_tensor(value)
    if value.ndim:
        raise InvalidArgumentError(f"value must be a scalar, got shape {list(value.shape)} [Op:Fill]")
    return broadcast_to(value, shape_of(dims))


def range(start, limit=None, delta=1, dtype=None, name="range"):  # noqa: A001
    """Make the numbers from `start` up to `limit`, which is left out, in steps of `delta`.

    One argument is the limit. Floats where one of them is a float. Raises InvalidArgumentError for a step of 0 or in
    the wrong direction. Source: `tf.range`.
    """
    start, limit = (0, start) if limit is None else (start, limit)
    parts = [look(convert_to_tensor(p, dtype_hint=dtype)) for p in (start, limit, delta)]
    order = ["int32", "int64", "float16", "float32", "float64"]
    kinds = [as_dtype(p.dtype).name for p in parts]
    found = as_dtype(dtype) if dtype is not None else as_dtype(builtins.max(kinds, key=lambda k: order.index(k) if k in order else 0))
    start, limit, delta = [found._numpy.type(p) for p in parts]
    if delta == 0:
        raise InvalidArgumentError("Requires delta != 0: 0 [Op:Range]")
    if (limit - start) * delta < 0:
        sign = ">" if delta > 0 else "<"
        raise InvalidArgumentError(f"Requires start {'<=' if sign == '>' else '>='} limit when delta {sign} 0: {start}/{limit} [Op:Range]")
    if found.is_integer:
        return made(np.arange(start, limit, delta, found._numpy))
    n = int(np.ceil(np.abs((np.float64(limit) - np.float64(start)) / np.float64(delta))))
    return made((np.float64(start) + np.arange(n) * np.float64(delta)).astype(found._numpy))


def linspace(start, stop, num, name=None, axis=0):
    """Make `num` numbers at equal distances from `start` to `stop`, both included.

    Integers give float64. Both ends have a gradient. Raises InvalidArgumentError for less than no number. Source: `tf.linspace`.
    """
    from .elementwise import cast
    from .shaping import expand_dims
    start = convert_to_tensor(start)
    stop = operand(stop, start)
    num = int(num)
    if num < 0:
        raise InvalidArgumentError(f"Requires num >= 0: {num} [Op:LinSpace]")
    if start.dtype.is_integer:
        start, stop = cast(start, "float64"), cast(stop, "float64")
    base = start + stop * 0 if stop.ndim > start.ndim else start
    axis = axis if axis >= 0 else axis + base.ndim + 1
    steps = np.arange(num, dtype=np.float64) / builtins.max(num - 1, 1)
    steps = constant(steps.reshape((num,) + (1,) * (base.ndim - axis)).astype(start.value.dtype))
    low, high = expand_dims(start, axis), expand_dims(stop, axis)
    return low * (1 - steps) + high * steps


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """Make rows with `on_value` (1) at the place that each index names, `off_value` (0) elsewhere.

    The new axis has the length `depth` and stands last, or at `axis`. Indices outside of it give rows of `off_value`.
    Raises TypeError for indices that are not integers. Source: `tf.one_hot`.
    """
    ids = convert_to_tensor(indices)
    if not ids.dtype.is_integer:
        raise InvalidArgumentError(f"Value for attr 'TI' of {ids.dtype.name} is not in the list of allowed values: uint8, int8, int32, "
                                   "int64 [Op:OneHot]. Use tf.cast(indices, tf.int32).")
    if int(depth) < 0:
        raise InvalidArgumentError(f"depth must be non-negative, got: {int(depth)} [Op:OneHot]")
    given = [v for v in (on_value, off_value) if v is not None]
    dtype = as_dtype(dtype) if dtype is not None else convert_to_tensor(given[0]).dtype if given else float32
    on = convert_to_tensor(1 if on_value is None else on_value, dtype_hint=dtype)
    off = convert_to_tensor(0 if off_value is None else off_value, dtype_hint=dtype)
    if on.dtype != off.dtype or on.dtype != dtype:
        raise TypeError(f"dtype {on.dtype!r} of on_value does not match dtype {off.dtype!r} of off_value, or {dtype!r}.")
    return run(indexing.one_hot, (ids, on, off), {"depth": int(depth), "axis": -1 if axis is None else axis})


def meshgrid(*args, **kwargs):
    """Return the coordinates of the points of a grid, one tensor per axis, for drawing functions of several numbers.

    `indexing="xy"` (the default) puts the first axis along columns, "ij" along rows. Raises ValueError for another
    word. Source: `tf.meshgrid`.
    """
    from .shaping import broadcast_to, reshape
    indexing_ = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing_ not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing_}'")
    xs = [reshape(convert_to_tensor(x), (-1,)) for x in args]
    places = list(builtins.range(len(xs)))
    if indexing_ == "xy" and len(xs) > 1:
        places[0], places[1] = 1, 0
    shape = [0] * len(xs)
    for x, k in zip(xs, places):
        shape[k] = x.value.size
    return [broadcast_to(reshape(x, [x.value.size if j == k else 1 for j in builtins.range(len(xs))]), shape) for x, k in zip(xs, places)]


@again
def sequence_mask(lengths, maxlen=None, dtype=bool_, name=None):
    """Make rows that are True up to each length. Source: `tf.sequence_mask`."""
    lengths = convert_to_tensor(lengths).value
    n = int(np.max(lengths, initial=0)) if maxlen is None else int(maxlen)
    return made((np.arange(n) < np.expand_dims(lengths, -1)).astype(as_dtype(dtype)._numpy))


# ---- questions about shapes


def shape(input, out_type=None, name=None):
    """Return the shape as an integer tensor. Source: `tf.shape`."""
    x = convert_to_tensor(input)
    return made(np.array(x.value.shape, np.int32 if out_type is None else as_dtype(out_type)._numpy))


def size(input, out_type=None, name=None):
    """Return the number of elements as an integer tensor. Source: `tf.size`."""
    return made(np.array(convert_to_tensor(input).value.size, np.int32 if out_type is None else as_dtype(out_type)._numpy))


def rank(input, name=None):
    """Return the number of axes as an integer tensor. Source: `tf.rank`."""
    return made(np.array(convert_to_tensor(input).value.ndim, np.int32))


def ensure_shape(x, shape, name=None):
    """Return `x`, or raise `InvalidArgumentError` where its shape is another one; None fits any length. Source: `tf.ensure_shape`."""
    x = convert_to_tensor(x)
    want = list(shape)
    if len(want) != x.ndim or builtins.any(w is not None and w != n for w, n in zip(want, x.shape)):
        raise InvalidArgumentError(f"Shape of tensor {list(x.shape)} is not compatible with expected shape {want}. [Op:EnsureShape]")
    return run(elementwise.identity, (x,))


