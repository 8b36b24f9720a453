"""The same numbers in another arrangement: reshape, transpose, stack, split, slice, pad, tile."""

import builtins
from math import prod

import numpy as np

from ..compile.again import again
from ..engine.convert import convert_to_tensor
from ..engine.errors import InvalidArgumentError
from ..engine.listening import active
from ..engine.notes import look
from ..engine.operators import getitem, operand
from ..engine.ops import elementwise, indexing, reductions
from ..engine.ops import shaping as rows
from ..engine.record import run
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from .shapes import shape_of


def plain(value):
    """Return numbers, lists and integer tensors as plain Python integers or (nested) lists of them."""
    if isinstance(value, (Tensor, Variable)):
        value = look(convert_to_tensor(value))
    return np.asarray(value).tolist()


def axis_of(axis, n, op):
    """Return an axis as a number from 0; raises `InvalidArgumentError` where there is none."""
    a = int(plain(axis))
    if not -n <= a < n:
        raise InvalidArgumentError(f"{op} : Expected dimensions in the range [{-n}, {n}), but got {a} [Op:{op}]")
    return a % n


def together(values, op):
    """Convert the parts of a stack or a concatenation to tensors of one dtype."""
    if isinstance(values, (Tensor, Variable)):
        values = list(convert_to_tensor(values)) if values.ndim else [values]
    values = list(values)
    first = next((v for v in values if isinstance(v, (Tensor, Variable))), None)
    if not values:
        raise InvalidArgumentError(f"{op} needs at least one tensor. [Op:{op}]")
    if first is None:                                 # no tensor among them: floats win over integers
        found = [convert_to_tensor(v) for v in values]
        first = next((v for v in found if v.dtype.is_floating), found[0])
    return tuple([convert_to_tensor(v) if isinstance(v, (Tensor, Variable)) else operand(v, convert_to_tensor(first)) for v in values])


def reshape(tensor, shape, name=None):
    """Arrange the same elements in another shape; one length may be -1, which is computed.

    Raises InvalidArgumentError where the numbers of elements differ. Source: `tf.reshape`.
    """
    x = tensor if type(tensor) is Tensor else convert_to_tensor(tensor)
    want = shape_of(shape, "reshape")
    if -1 in want:
        rest = prod([n for n in want if n != -1])
        if want.count(-1) > 1 or not rest and x.value.size or rest and x.value.size % rest:
            raise InvalidArgumentError(f"Input to reshape is a tensor with {x.value.size} values, but the requested shape {list(want)} "
                                       f"requires a multiple of {rest} and at most one -1 [Op:Reshape]")
        want = tuple([n if n != -1 else x.value.size // rest if rest else 0 for n in want])
    if prod(want) != x.value.size:
        raise InvalidArgumentError(f"Input to reshape is a tensor with {x.value.size} values, but the requested shape {list(want)} has "
                                   f"{prod(want)} [Op:Reshape]")
    return run(rows.reshape, (x,), {"shape": want})


def expand_dims(input, axis, name=None):
    """Insert an axis of length 1 at `axis`. Raises InvalidArgumentError for a place outside. Source: `tf.expand_dims`."""
    x = convert_to_tensor(input)
    k = axis_of(axis, x.ndim + 1, "ExpandDims")
    return run(rows.reshape, (x,), {"shape": tuple(x.shape[:k]) + (1,) + tuple(x.shape[k:])})


def squeeze(input, axis=None, name=None):
    """Drop axes of length 1: those of `axis`, or all. Raises InvalidArgumentError for a longer axis. Source: `tf.squeeze`."""
    x = convert_to_tensor(input)
    axes = [] if axis is None else np.ravel(plain(axis)).tolist()
    axes = [axis_of(a, x.ndim, "Squeeze") for a in axes] or [k for k, n in enumerate(x.shape) if n == 1]
    for a in axes:
        if x.shape[a] != 1:
            raise InvalidArgumentError(f"Can not squeeze dim[{a}], expected a dimension of 1, got {x.shape[a]} [Op:Squeeze]")
    return run(rows.reshape, (x,), {"shape": tuple([n for k, n in enumerate(x.shape) if k not in axes])})


def transpose(a, perm=None, conjugate=False, name="transpose"):
    """Put the axes into another order: that of `perm`, or the reverse one. Raises InvalidArgumentError. Source: `tf.transpose`."""
    x = convert_to_tensor(a)
    if perm is not None:
        perm = tuple([axis_of(k, x.ndim, "Transpose") for k in plain(perm)])
        if sorted(perm) != list(builtins.range(x.ndim)):
            raise InvalidArgumentError(f"perm must name each of the {x.ndim} axes once, got {list(perm)} [Op:Transpose]")
    y = run(rows.transpose, (x,), {"perm": perm})
    return run(elementwise.conj, (y,)) if conjugate and y.dtype.is_complex else y


def broadcast_to(input, shape, name=None):
    """Repeat a tensor along axes of length 1 and new first axes. Raises InvalidArgumentError. Source: `tf.broadcast_to`."""
    return run(rows.broadcast_to, (convert_to_tensor(input),), {"shape": shape_of(shape)})


def stack(values, axis=0, name="stack"):
    """Join tensors of one shape along a new axis. Raises InvalidArgumentError for different shapes. Source: `tf.stack`."""
    if isinstance(values, (list, tuple)) and not values and axis == 0:
        return convert_to_tensor([])                  # of float32, as in TensorFlow
    xs = together(values, "Pack")
    for x in xs:
        if x.shape != xs[0].shape:
            raise InvalidArgumentError(f"Shapes of all inputs must match: {list(xs[0].shape)} != {list(x.shape)} [Op:Pack]")
    n = xs[0].ndim + 1
    if not -n <= axis < n:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-n}, {n})")
    return run(rows.stack, xs, {"axis": axis})


def unstack(value, num=None, axis=0, name="unstack"):
    """Take a tensor apart along one axis: a list of tensors with one axis less. Raises ValueError. Source: `tf.unstack`."""
    x = convert_to_tensor(value)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-x.ndim}, {x.ndim})")
    if num is not None and num != x.shape[axis]:
        raise InvalidArgumentError(f"Input shape axis {axis} must equal {num}, got shape {list(x.shape)} [Op:Unpack]")
    return list(run(rows.unstack, (x,), {"axis": axis}))


def concat(values, axis, name="concat"):
    """Join tensors end to end along an axis that they have. Raises InvalidArgumentError. Source: `tf.concat`."""
    if not isinstance(values, (list, tuple)):
        values = [values]
    xs = together(values, "ConcatV2")
    if not xs[0].ndim:
        raise InvalidArgumentError("ConcatOp : Expected concatenating dimensions in the range [0, 0), because scalars have no axis "
                                   "[Op:ConcatV2]. Use tf.stack.")
    if len(xs) == 1:
        return run(elementwise.identity, xs)
    return run(rows.concat, xs, {"axis": axis_of(axis, xs[0].ndim, "ConcatV2")})


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """Cut a tensor into pieces along an axis: into a number of equal ones, or pieces of the given lengths (one may be -1).

    Returns a list. Raises InvalidArgumentError where the lengths do not fit. Source: `tf.split`.
    """
    x = convert_to_tensor(value)
    sizes, k = plain(num_or_size_splits), axis_of(axis, x.ndim, "Split")
    n = x.shape[k]
    if isinstance(sizes, int):
        if sizes < 1 or n % sizes:
            raise InvalidArgumentError("Number of ways to split should evenly divide the split dimension, but got split_dim "
                                       f"{k} (size = {n}) and num_split {sizes} [Op:Split]")
        sizes = [n // sizes] * sizes
    if sizes.count(-1) == 1:
        sizes = [n - builtins.sum(sizes) - 1 if s == -1 else s for s in sizes]
    if builtins.sum(sizes) != n or builtins.min(sizes, default=0) < 0:
        raise InvalidArgumentError("Determined shape must either match input shape along split_dim exactly if fully specified, or be "
                                   "less than the size of the input along split_dim if not fully specified. "
                                   f"Got: {builtins.sum(sizes)}, not {n} [Op:SplitV]")
    return list(run(rows.split, (x,), {"sizes": tuple(sizes), "axis": k}))


def slice(input_, begin, size, name=None):  # noqa: A001
    """Cut out a block: `begin` is its first corner, `size` its lengths, -1 for the rest. Source: `tf.slice`."""
    x = convert_to_tensor(input_)
    key = []
    for b, s, n in zip(plain(begin), plain(size), x.shape):
        stop = n if s == -1 else b + s
        if not 0 <= b <= stop <= n:
            raise InvalidArgumentError(f"Expected size[{len(key)}] in [0, {n - b}], but got {s} [Op:Slice]")
        key.append(builtins.slice(b, stop))
    return run(rows.index, (x,), {"key": tuple(key)})


def strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0,
                  var=None, name=None):
    """Cut out a block with steps; bit k of a mask says that part k of the key is open, `...`, new or a single place.

    `x[a:b:c]` is the readable form of it. Source: `tf.strided_slice`.
    """
    begin, end = plain(begin), plain(end)
    strides = [1] * len(begin) if strides is None else plain(strides)
    key = []
    for k, (a, b, c) in enumerate(zip(begin, end, strides)):
        bit = 1 << k
        if ellipsis_mask & bit:
            key.append(...)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(a)
        else:
            key.append(builtins.slice(None if begin_mask & bit else a, None if end_mask & bit else b, c))
    return getitem(convert_to_tensor(input_), tuple(key))


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    """Add a border: `paddings` has one pair (before, after) per axis; `mode` is CONSTANT, REFLECT or SYMMETRIC.

    Raises InvalidArgumentError for paddings that do not fit, ValueError for another mode. Source: `tf.pad`.
    """
    x, paddings = convert_to_tensor(tensor), tuple([tuple(p) for p in plain(paddings)])
    if len(paddings) != x.ndim:
        raise InvalidArgumentError("The first dimension of paddings must be the rank of inputs, "
                                   f"got {len(paddings)} pairs for shape {x.shape} [Op:Pad]")
    mode = mode.upper()
    if mode == "CONSTANT":
        return run(rows.pad, (x,), {"paddings": paddings, "value": plain(constant_values)})
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"Value of argument `mode` expected to be one of [\"REFLECT\", \"SYMMETRIC\"]. Received `mode` = {mode}")
    room = 1 if mode == "REFLECT" else 0
    for p, n in zip(paddings, x.shape):
        if builtins.max(p) > n - room:
            raise InvalidArgumentError(f"paddings must be no greater than the dimension size: {p} greater than {n - room} [Op:MirrorPad]")
    places = np.pad(np.arange(x.value.size).reshape(x.value.shape), paddings, mode.lower())
    return run(indexing.gather, (reshape(x, (-1,)), Tensor(places)), {"axis": -1})


def tile(input, multiples, name=None):
    """Repeat the whole tensor along each axis. Raises InvalidArgumentError for a wrong number of axes. Source: `tf.tile`."""
    x, multiples = convert_to_tensor(input), shape_of(multiples)
    if len(multiples) != x.ndim:
        raise InvalidArgumentError(f"Expected multiples argument to be a vector of length {x.ndim}, got length {len(multiples)} [Op:Tile]")
    return run(reductions.tile, (x,), {"multiples": multiples})


def repeat(input, repeats, axis=None, name=None):
    """Repeat each element `repeats` times along an axis, or of the flat tensor. Raises InvalidArgumentError. Source: `tf.repeat`."""
    x = convert_to_tensor(input)
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    k = axis_of(axis, x.ndim, "Repeat")
    counts = np.ravel(plain(repeats))
    if len(counts) not in (1, x.shape[k]):
        raise InvalidArgumentError(f"Repeats must be one number or {x.shape[k]} numbers, got {len(counts)} [Op:Repeat]")
    places = np.repeat(np.arange(x.shape[k]), counts if len(counts) > 1 else counts[0])
    return run(indexing.gather, (x, Tensor(places)), {"axis": k - x.ndim})


def reverse(tensor, axis, name=None):
    """Turn the order of the elements round along some axes. Raises InvalidArgumentError. Source: `tf.reverse`."""
    x = convert_to_tensor(tensor)
    return run(rows.reverse, (x,), {"axis": tuple([axis_of(a, x.ndim, "ReverseV2") for a in np.ravel(plain(axis)).tolist()])})


def roll(input, shift, axis, name=None):
    """Move the elements along axes; what falls out comes back at the other end. Source: `tf.roll`."""
    x = convert_to_tensor(input)
    axes = tuple([axis_of(a, x.ndim, "Roll") for a in np.ravel(plain(axis)).tolist()])
    return run(rows.roll, (x,), {"shift": tuple(np.ravel(plain(shift)).tolist()), "axis": axes})


def identity(input, name=None):
    """Return a tensor with the same content, recorded as an operation of its own. Source: `tf.identity`."""
    return run(elementwise.identity, (convert_to_tensor(input),))


def identity_n(input, name=None):
    """Return tensors with the same contents. Source: `tf.identity_n`."""
    return [identity(x) for x in input]


def stop_gradient(input, name=None):
    """Return the same value and let no gradient pass: it counts as a constant, which no tape watches.

    Source: `tf.stop_gradient`.
    """
    from ..engine.nest import map_structure
    return map_structure(stopped, input)


def stopped(x):
    """Return a tensor of the same value that no tape watches."""
    y = run(elementwise.stop_gradient, (convert_to_tensor(x),))
    for listener in active.get():
        listener.cut(y.id)
    return y


@again
def bitcast(input, type, name=None):  # noqa: A002
    """Return the same bytes as another dtype: smaller numbers get an axis of their own at the end, larger ones take one away.

    Raises InvalidArgumentError where the last axis does not fill a larger number. Source: `tf.bitcast`.
    """
    from ..engine.dtypes import as_dtype
    x, kind = convert_to_tensor(input).value, as_dtype(type)._numpy
    old, size = x.dtype.itemsize, kind.itemsize
    if size > old and (not x.ndim or x.shape[-1] * old != size):
        raise InvalidArgumentError(f"Cannot bitcast from {x.dtype} to {kind}: the last axis of shape {list(x.shape)} must have length "
                                   f"{size // old} [Op:Bitcast]")
    shape = x.shape + (old // size,) if size < old else x.shape[:-1] if size > old else x.shape
    return Tensor(np.frombuffer(x.tobytes(), kind).reshape(shape)[()])
