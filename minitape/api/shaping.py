"""The same numbers in another arrangement: reshape, transpose, stack, split, slice, pad, tile."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..compile.again import again
from ..engine.base.argument_errors import explain_error, explains_errors
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.listeners import listeners, tracer
from ..engine.base.notes import symbolic
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor, is_tensor
from ..engine.operators import operand
from ..engine.ops import elementwise, indexing, reductions
from ..engine.ops import shaping as rows
from ..engine.ops.record import run
from ..engine.variable import Variable
from ..typing import AxisLike, DTypeLike, IntLike, Nested, ShapeLike, TensorLike
from .arguments import axis_of, plain_numbers, row_of, shape_of


def parts_of(values: Nested, op: str) -> list[Any]:
    """Return the parts of a stack or a concatenation."""
    if isinstance(values, (Tensor, Variable)):
        values = list(convert_to_tensor(values)) if values.ndim else [values]
    values = list(values)
    if not values:
        raise InvalidArgumentError(f"{op} needs at least one tensor. [Op:{op}]")
    return values


def together(values: Nested, op: str) -> tuple[Tensor, ...]:
    """Convert the parts of a stack or a concatenation to tensors of one dtype."""
    values = parts_of(values, op)
    # the dtype is that of the first tensor, else of the first value
    like = convert_to_tensor(next((v for v in values if is_tensor(v)), values[0]))
    return tuple([convert_to_tensor(v) if is_tensor(v) else operand(v, like) for v in values])


@explains_errors
def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Arrange the same elements in another shape; one length may be -1, which is computed.

    Shape: (...) -> `shape`. Raises InvalidArgumentError where the numbers of elements differ.
    Source: `tf.reshape`.
    """
    try:
        x = tensor if type(tensor) is Tensor else convert_to_tensor(tensor)
        want = shape_of(shape, "reshape")
        if -1 in want:
            rest = prod([n for n in want if n != -1])
            if want.count(-1) > 1 or not rest and x.value.size or rest and x.value.size % rest:
                raise InvalidArgumentError(
                    f"Input to reshape is a tensor with {x.value.size} values, but the requested "
                    f"shape {list(want)} "
                    f"requires a multiple of {rest} and at most one -1 [Op:Reshape]"
                )
            want = tuple([n if n != -1 else x.value.size // rest if rest else 0 for n in want])
        if prod(want) != x.value.size:
            raise InvalidArgumentError(
                f"Input to reshape is a tensor with {x.value.size} values, but the requested "
                f"shape {list(want)} has "
                f"{prod(want)} [Op:Reshape]"
            )
        return run(rows.reshape, (x,), {"shape": want})
    except Exception as error:
        explain_error(error, reshape, (tensor, shape), {})
        raise


def expand_dims(input: TensorLike, axis: IntLike, name: str | None = None) -> Tensor:
    """Insert an axis of length 1 at `axis`.

    Shape: (...) -> (..., 1, ...). Raises InvalidArgumentError for a place outside. Source:
    `tf.expand_dims`.
    """
    x = convert_to_tensor(input)
    k = axis_of(axis, x.ndim + 1, "ExpandDims")
    return run(rows.reshape, (x,), {"shape": tuple(x.shape[:k]) + (1,) + tuple(x.shape[k:])})


def squeeze(input: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor:
    """Drop axes of length 1: those of `axis`, or all.

    Shape: (..., 1, ...) -> (...). Raises InvalidArgumentError for a longer axis. Source:
    `tf.squeeze`.
    """
    x = convert_to_tensor(input)
    axes = [] if axis is None else np.ravel(plain_numbers(axis)).tolist()
    axes = [axis_of(a, x.ndim, "Squeeze") for a in axes] or [
        k for k, n in enumerate(x.shape) if n == 1
    ]
    for a in axes:
        if x.shape[a] != 1:
            raise InvalidArgumentError(
                f"Can not squeeze dim[{a}], expected a dimension of 1, got {x.shape[a]} "
                "[Op:Squeeze]"
            )
    return run(
        rows.reshape, (x,), {"shape": tuple([n for k, n in enumerate(x.shape) if k not in axes])}
    )


def transpose(
    a: TensorLike,
    perm: AxisLike | None = None,
    conjugate: bool = False,
    name: str | None = "transpose",
) -> Tensor:
    """Put the axes into another order: that of `perm`, or the reverse one.

    Shape: (a, b, c) -> (c, b, a), or as `perm` says. Raises InvalidArgumentError. Source:
    `tf.transpose`.
    """
    x = convert_to_tensor(a)
    if perm is not None:
        perm = tuple([axis_of(k, x.ndim, "Transpose") for k in row_of("perm", perm, "Transpose")])
        if sorted(perm) != list(builtins.range(x.ndim)):
            raise InvalidArgumentError(
                f"perm must name each of the {x.ndim} axes once, got {list(perm)} [Op:Transpose]"
            )
    y = run(rows.transpose, (x,), {"perm": perm})
    return run(elementwise.conj, (y,)) if conjugate and y.dtype.is_complex else y


def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Repeat a tensor along axes of length 1 and new first axes.

    Shape: (...) -> `shape`. Raises InvalidArgumentError. Source: `tf.broadcast_to`.
    """
    return run(rows.broadcast_to, (convert_to_tensor(input),), {"shape": shape_of(shape)})


def stack(values: Nested, axis: IntLike = 0, name: str | None = "stack") -> Tensor:
    """Join tensors of one shape along a new axis.

    Shape: n tensors (...) -> (n, ...), or n at `axis`. Raises InvalidArgumentError for different
    shapes. Source: `tf.stack`.
    """
    if isinstance(values, (list, tuple)) and axis == 0:
        try:
            return convert_to_tensor(values)  # so that 1 beside 2.5 becomes 1.0
        except (TypeError, ValueError, InvalidArgumentError):
            pass  # said below, of the parts
    values = parts_of(values, "Pack")
    n = convert_to_tensor(values[0]).ndim + 1
    if not -n <= axis < n:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-n}, {n})")
    xs = together(values, "Pack")
    for x in xs:
        if x.shape != xs[0].shape:
            raise InvalidArgumentError(
                f"Shapes of all inputs must match: {list(xs[0].shape)} != {list(x.shape)} [Op:Pack]"
            )
    return run(rows.stack, xs, {"axis": axis})


def unstack(
    value: TensorLike, num: int | None = None, axis: IntLike = 0, name: str | None = "unstack"
) -> list[Tensor]:
    """Take a tensor apart along one axis: a list of tensors with one axis less.

    Shape: (n, ...) -> n tensors (...). Raises ValueError. Source: `tf.unstack`.
    """
    x = convert_to_tensor(value)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-x.ndim}, {x.ndim})")
    if num is not None and num != x.shape[axis]:
        raise InvalidArgumentError(
            f"Input shape axis {axis} must equal {num}, got shape {list(x.shape)} [Op:Unpack]"
        )
    return list(run(rows.unstack, (x,), {"axis": axis}))


def concat(values: Nested, axis: IntLike, name: str | None = "concat") -> Tensor:
    """Join tensors end to end along an axis that they have.

    Shape: (n, ...), (m, ...) -> (n + m, ...). Raises InvalidArgumentError. Source: `tf.concat`.
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    xs = together(values, "ConcatV2")
    if not xs[0].ndim:
        raise InvalidArgumentError(
            "ConcatOp : Expected concatenating dimensions in the range [0, 0), because scalars "
            "have no axis "
            "[Op:ConcatV2]. Use tf.stack."
        )
    if len(xs) == 1:
        return run(elementwise.identity, xs)
    return run(rows.concat, xs, {"axis": axis_of(axis, xs[0].ndim, "ConcatV2")})


def split(
    value: TensorLike,
    num_or_size_splits: IntLike | Sequence[int] | np.ndarray,
    axis: IntLike = 0,
    num: IntLike | None = None,
    name: str | None = "split",
) -> list[Tensor]:
    """Cut a tensor into pieces along an axis: into a number of equal ones, or pieces of the given
    lengths (one may be -1).

    Returns a list.

    Shape: (n, ...) -> k tensors (n / k, ...). Raises InvalidArgumentError where the lengths do not
    fit. Source: `tf.split`.
    """
    x = convert_to_tensor(value)
    sizes, k = plain_numbers(num_or_size_splits), axis_of(axis, x.ndim, "Split")
    n = x.shape[k]
    if isinstance(sizes, int):
        if sizes < 1 or n % sizes:
            raise InvalidArgumentError(
                "Number of ways to split should evenly divide the split dimension, but got "
                "split_dim "
                f"{k} (size = {n}) and num_split {sizes} [Op:Split]"
            )
        sizes = [n // sizes] * sizes
    if sizes.count(-1) == 1:
        sizes = [n - builtins.sum(sizes) - 1 if s == -1 else s for s in sizes]
    if builtins.sum(sizes) != n or builtins.min(sizes, default=0) < 0:
        raise InvalidArgumentError(
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be "
            "less than the size of the input along split_dim if not fully specified. "
            f"Got: {builtins.sum(sizes)}, not {n} [Op:SplitV]"
        )
    return list(run(rows.split, (x,), {"sizes": tuple(sizes), "axis": k}))


def slice(input_: TensorLike, begin: ShapeLike, size: ShapeLike, name: str | None = None) -> Tensor:  # noqa: A001
    """Cut out a block: `begin` is its first corner, `size` its lengths, -1 for the rest. Shape:
    (...) -> `size`. Source: `tf.slice`.
    """
    x = convert_to_tensor(input_)
    size = row_of("size", size, "Slice", x.ndim)
    if tracer() is not None:
        x, begin = _begun(x, begin, size)
    key: list[Any] = []
    for b, s, n in zip(row_of("begin", begin, "Slice", x.ndim), size, x.shape):
        stop = n if s == -1 else b + s
        if not 0 <= b <= stop <= n:
            raise InvalidArgumentError(
                f"Expected size[{len(key)}] in [0, {n - b}], but got {s} [Op:Slice]"
            )
        key.append(builtins.slice(b, stop))
    return run(rows.index, (x,), {"key": tuple(key)})


def _begun(x: Tensor, begin: Any, size: Sequence[int]) -> tuple[Tensor, list[Any]]:
    """Return `x` from those places of `begin` on that differ from call to call, and 0 for these."""
    begin = [*begin] if isinstance(begin, (list, tuple)) else [*convert_to_tensor(begin)]
    for k, (b, s) in enumerate(zip(begin, size)):
        if isinstance(b, Tensor) and symbolic(b) and s >= 0:
            places = b + Tensor(np.arange(s, dtype=b.value.dtype))
            x, begin[k] = run(indexing.gather, (x, places), {"axis": k - x.ndim}), 0
    return x, begin


def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """Add a border: `paddings` has one pair (before, after) per axis; `mode` is CONSTANT, REFLECT
    or SYMMETRIC.

    Shape: (n, ...) -> (before + n + after, ...). Raises InvalidArgumentError for paddings that do
    not fit, ValueError for another mode. Source: `tf.pad`.
    """
    x, paddings = convert_to_tensor(tensor), tuple([tuple(p) for p in plain_numbers(paddings)])
    if len(paddings) != x.ndim:
        raise InvalidArgumentError(
            "The first dimension of paddings must be the rank of inputs, "
            f"got {len(paddings)} pairs for shape {x.shape} [Op:Pad]"
        )
    mode = mode.upper()
    if mode == "CONSTANT":
        if type(constant_values) is int and not constant_values:
            value = b"" if x.value.dtype.kind == "S" else 0
        else:
            value = plain_numbers(operand(constant_values, x))
        return run(rows.pad, (x,), {"paddings": paddings, "value": value})
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of ["REFLECT", "SYMMETRIC"]. Received '
            f"`mode` = {mode}"
        )
    room = 1 if mode == "REFLECT" else 0
    for p, n in zip(paddings, x.shape):
        if builtins.max(p) > n - room:
            raise InvalidArgumentError(
                f"paddings must be no greater than the dimension size: {p} greater than "
                f"{n - room} [Op:MirrorPad]"
            )
    places = np.pad(
        np.arange(x.value.size).reshape(x.value.shape), paddings, "reflect" if room else "symmetric"
    )
    return run(indexing.gather, (reshape(x, (-1,)), Tensor(places)), {"axis": -1})


def tile(input: TensorLike, multiples: ShapeLike, name: str | None = None) -> Tensor:
    """Repeat the whole tensor along each axis.

    Shape: (n, ...) -> (n * multiple, ...). Raises InvalidArgumentError for a wrong number of axes.
    Source: `tf.tile`.
    """
    x, multiples = convert_to_tensor(input), shape_of(row_of("multiples", multiples, "Tile"))
    if len(multiples) != x.ndim:
        raise InvalidArgumentError(
            f"Expected multiples argument to be a vector of length {x.ndim}, got length "
            f"{len(multiples)} [Op:Tile]"
        )
    return run(reductions.tile, (x,), {"multiples": multiples})


def repeat(
    input: TensorLike, repeats: TensorLike, axis: IntLike | None = None, name: str | None = None
) -> Tensor:
    """Repeat each element `repeats` times along an axis, or of the flat tensor.

    Shape: (n, ...) -> (n * repeats, ...). Raises InvalidArgumentError. Source: `tf.repeat`.
    """
    x = convert_to_tensor(input)
    if axis is None or not x.ndim:
        x, axis = reshape(x, (-1,)), axis or 0
    k = axis_of(axis, x.ndim, "Repeat")
    counts = np.ravel(plain_numbers(repeats)).astype(int)
    if len(counts) not in (1, x.shape[k]) or builtins.min(counts, default=0) < 0:
        raise InvalidArgumentError(
            f"Repeats must be one number or {x.shape[k]} numbers, none of them negative, got "
            f"{counts} [Op:Repeat]"
        )
    places = np.repeat(np.arange(x.shape[k]), counts if len(counts) == x.shape[k] else counts[0])
    return run(indexing.gather, (x, Tensor(places)), {"axis": k - x.ndim})


def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Turn the order of the elements round along some axes. Shape: (...) -> (...). Raises
    InvalidArgumentError. Source: `tf.reverse`.
    """
    x = convert_to_tensor(tensor)
    return run(
        rows.reverse,
        (x,),
        {
            "axis": tuple(
                [axis_of(a, x.ndim, "ReverseV2") for a in row_of("axis", axis, "ReverseV2")]
            )
        },
    )


def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Move the elements along axes; what falls out comes back at the other end. Shape: (...) ->
    (...). Source: `tf.roll`.
    """
    x, shift, axis = convert_to_tensor(input), plain_numbers(shift), plain_numbers(axis)
    single = not isinstance(axis, list)
    axes = tuple(
        [axis_of(a, x.ndim, "Roll") for a in ([axis] if single else row_of("axis", axis, "Roll"))]
    )
    if single is isinstance(shift, list):
        raise InvalidArgumentError(
            "shift and axis must have the same size [Op:Roll]: two numbers, or two lists of one "
            "length."
        )
    shifts = [shift] if single else row_of("shift", shift, "Roll", len(axes))
    return run(rows.roll, (x,), {"shift": tuple(shifts), "axis": axes})


def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Return a tensor with the same content, recorded as an operation of its own. Shape: (...) ->
    (...). Source: `tf.identity`.
    """
    return run(elementwise.identity, (convert_to_tensor(input),))


def stop_gradient(input: Nested, name: str | None = None) -> Any:
    """Return the same value and let no gradient pass: it counts as a constant, which no tape
    watches.

    Shape: each (...) -> (...). Source: `tf.stop_gradient`.
    """
    from ..engine.base.nest import map_structure

    return map_structure(stopped, input)


def stopped(x: TensorLike) -> Tensor:
    """Return a tensor of the same value that no tape watches. A variable does not count as used by
    this.
    """
    y = run(
        elementwise.stop_gradient,
        (x._read(counts=False) if isinstance(x, Variable) else convert_to_tensor(x),),
    )
    for listener in listeners():
        listener.cut(y.id)
    return y


@again
def bitcast(input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:  # noqa: A002
    """Return the same bytes as another dtype: smaller numbers get an axis of their own at the end,
    larger ones take one away.

    Shape: (...) -> (...), (..., k) or, where k numbers become one, (..., k) -> (...). Raises
    InvalidArgumentError where the last axis does not fill a larger number. Source: `tf.bitcast`.
    """
    from ..engine.base.dtypes import as_dtype

    given, kind = convert_to_tensor(input), as_dtype(type)._numpy
    x = given.value
    if "S" in (x.dtype.kind, kind.kind):
        raise InvalidArgumentError(
            "`input` and `type` must be numbers: strings have no fixed length [Op:Bitcast]"
        )
    old, size = x.dtype.itemsize, kind.itemsize
    if size > old and (not x.ndim or x.shape[-1] * old != size):
        raise InvalidArgumentError(
            f"Cannot bitcast from {x.dtype} to {kind}: the last axis of shape {list(x.shape)} "
            "must have length "
            f"{size // old} [Op:Bitcast]"
        )
    shape = x.shape + (old // size,) if size < old else x.shape[:-1] if size > old else x.shape
    return run(rows.bitcast, (given,), {"dtype": kind, "shape": shape})
