"""Elements looked up by their places: gather, scatter, masks, sorting, the largest k."""

from __future__ import annotations

import builtins
from typing import NamedTuple

import numpy as np

from ..compile.again import again
from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.mismatches import same_dtype
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor, is_tensor
from ..engine.operators import is_mask, masked, operand, pair
from ..engine.ops import elementwise, shaping
from ..engine.ops import indexing as rows
from ..engine.ops.further import sorting
from ..engine.ops.record import Op, run
from ..typing import DTypeLike, IntLike, ShapeLike, TensorLike
from .arguments import ANY, REALS, axis_of, integers, only, plain_numbers, shape_of
from .shaping import transpose


class TopKV2(NamedTuple):
    """The largest elements, and their places."""

    values: Tensor
    indices: Tensor


class Unique(NamedTuple):
    """The different elements, and for each element of the input the place of its equal among them."""

    y: Tensor
    idx: Tensor


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: bool | None = None,
    axis: IntLike | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """Look up slices of `params` at places of one axis; a place may be used several times, then its
    adjoints are summed.

    Shapes: params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]. With
    `batch_dims`, the first axes of both go together.

    Shape: params (n, ...), indices (i...) -> (i..., ...). Raises InvalidArgumentError for a place
    outside. Source: `tf.gather`.
    """
    x, ids = convert_to_tensor(params), integers(indices, "GatherV2")
    batch = batch_dims if batch_dims >= 0 else batch_dims + ids.ndim
    if axis is None:
        axis = batch
    k = axis_of(axis, x.ndim, "GatherV2")
    if not batch:
        return run(rows.gather, (x, ids), {"axis": k - x.ndim})
    order = [*builtins.range(batch), k, *[a for a in builtins.range(batch, x.ndim) if a != k]]
    places = run(shaping.reshape, (ids,), {"shape": (*ids.value.shape, 1)})
    y = run(rows.gather_nd, (transpose(x, order), _numbered(places, batch)))
    inner = list(builtins.range(batch, ids.ndim))  # the places' own axes go where the axis was
    between = list(builtins.range(ids.ndim, ids.ndim + k - batch))
    return transpose(
        y, [*builtins.range(batch), *between, *inner, *builtins.range(ids.ndim + k - batch, y.ndim)]
    )


def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """Look up elements or slices by several places at once, which stand along the last axis of
    `indices`.

    Shape: indices (i..., k) -> (i..., the axes of params from k on). Raises InvalidArgumentError
    for a place outside. Source: `tf.gather_nd`.
    """
    x, ids = convert_to_tensor(params), integers(indices, "GatherNd")
    return run(rows.gather_nd, (x, _numbered(ids, batch_dims) if batch_dims else ids))


def _numbered(places: Tensor, batch: int) -> Tensor:
    """Return places, which stand along the last axis, behind their numbers in the first axes."""
    front = np.indices(places.value.shape[:-1], places.value.dtype)[:batch]
    return run(shaping.concat, (Tensor(np.moveaxis(front, 0, -1)), places), {"axis": -1})


def scatter_nd(
    indices: TensorLike,
    updates: TensorLike,
    shape: ShapeLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Put slices at their places in zeros; at a place named twice they are added.

    Shape: indices (i..., k), updates (i..., the axes of the result from k on) -> `shape`. Raises
    InvalidArgumentError. Source: `tf.scatter_nd`.
    """
    x = convert_to_tensor(updates)
    return run(rows.scatter_nd, (x, integers(indices, "ScatterNd")), {"shape": shape_of(shape)})


def updated(
    op: Op, tensor: TensorLike, indices: TensorLike, updates: TensorLike, kinds: str = ANY
) -> Tensor:
    x = only(kinds, op, convert_to_tensor(tensor))
    new = operand(updates, x)
    same_dtype(op.name, (x.value, new.value))
    return run(op, (x, integers(indices, op.name), new))


def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """Return a copy with some slices replaced.

    Shape: tensor (...), indices (i..., k), updates (i..., the axes of tensor from k on) -> (...).
    Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_update`.
    """
    return updated(rows.scatter_update, tensor, indices, updates)


def tensor_scatter_nd_add(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return a copy with something added to some slices.

    Shape: tensor (...), indices (i..., k), updates (i..., the axes of tensor from k on) -> (...).
    Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_add`.
    """
    return updated(rows.scatter_add, tensor, indices, updates)


def tensor_scatter_nd_sub(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return a copy with something subtracted from some slices.

    Shape: tensor (...), indices (i..., k), updates (i..., the axes of tensor from k on) -> (...).
    Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_sub`.
    """
    return updated(rows.scatter_sub, tensor, indices, updates)


def tensor_scatter_nd_max(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return a copy whose slices are at least the updates.

    Shape: tensor (...), indices (i..., k), updates (i..., the axes of tensor from k on) -> (...).
    Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_max`.
    """
    return updated(rows.scatter_max, tensor, indices, updates, REALS)


def tensor_scatter_nd_min(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Return a copy whose slices are at most the updates.

    Shape: tensor (...), indices (i..., k), updates (i..., the axes of tensor from k on) -> (...).
    Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_min`.
    """
    return updated(rows.scatter_min, tensor, indices, updates, REALS)


def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Choose from `x` where the condition is True, else from `y`; without them, return the places
    that are True, int64.

    Each gets the gradient of what was chosen from it, and zeros elsewhere.

    Shape: all three broadcast to one shape; of the condition alone (...) -> (n, rank). Raises
    ValueError where only one is given, InvalidArgumentError for shapes or dtypes that do not fit.
    Source: `tf.where`.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        c = convert_to_tensor(condition)
        if not c.ndim:
            raise InvalidArgumentError(
                "A condition without axes has no places that are True [Op:Where]"
            )
        return run(rows.where, (c,))
    a, b = pair(x, y)
    c = convert_to_tensor(condition, None if is_tensor(condition) else "bool")
    if not c.dtype.is_bool:
        plain = all([is_tensor(v) or np.isscalar(v) for v in (x, y)])
        raise (InvalidArgumentError if plain else ValueError)(
            "cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor "
            "but is a "
            f"{c.dtype.name} tensor [Op:SelectV2]. Compare first, as in x > 0."
        )
    if a.dtype != b.dtype:
        raise InvalidArgumentError(
            "cannot compute SelectV2 as input #2(zero-based) was expected to be a "
            f"{a.dtype.name} tensor but is a "
            f"{b.dtype.name} tensor [Op:SelectV2]. Use tf.cast(x, dtype) on one side."
        )
    return run(elementwise.select, (c, a, b))


def boolean_mask(
    tensor: TensorLike,
    mask: TensorLike,
    axis: IntLike | None = None,
    name: str | None = "boolean_mask",
) -> Tensor:
    """Return the slices where the mask is True.

    Shape: tensor (m..., ...), mask (m...) -> (n, ...). Raises ValueError where the shapes do not
    fit. Source: `tf.boolean_mask`.
    """
    x, mask = convert_to_tensor(tensor), convert_to_tensor(mask)
    if not mask.ndim:
        raise ValueError("mask cannot be scalar.")
    if not is_mask(mask):
        raise TypeError(
            f"The mask must be boolean, got {mask.dtype.name}. Compare first, as in x > 0."
        )
    return masked(x, mask, 0 if axis is None else axis_of(axis, x.ndim, "BooleanMask"))


# ---- order


def top_k(
    input: TensorLike,
    k: IntLike = 1,
    sorted: bool = True,
    index_type: DTypeLike = "int32",
    name: str | None = None,
) -> TopKV2:  # noqa: A002
    """Return the k largest elements of the last axis and their places, the largest first.

    Shape: (..., n) -> two of (..., k). Raises InvalidArgumentError for an axis shorter than k.
    Source: `tf.math.top_k`.
    """
    x, k = only(REALS, sorting.top_k, convert_to_tensor(input)), int(plain_numbers(k))
    if not x.ndim or x.shape[-1] < k or k < 0:
        raise InvalidArgumentError(
            f"input must have at least k columns. Had {x.shape[-1] if x.ndim else 0}, needed {k} "
            "[Op:TopKV2]"
        )
    return TopKV2(*run(sorting.top_k, (x,), {"k": k, "dtype": as_dtype(index_type)._numpy}))


def direction_of(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of 'ASCENDING' or 'DESCENDING'. Received: "
            f"{direction!r}"
        )
    return direction == "DESCENDING"


def argsort(
    values: TensorLike,
    axis: IntLike = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the places that would sort along an axis, int32; equal elements keep their order.

    Shape: (...) -> (...). Source: `tf.argsort`.
    """
    x = only(REALS, sorting.argsort, convert_to_tensor(values))
    return run(
        sorting.argsort,
        (x,),
        {"axis": axis_of(axis, x.ndim, "ArgSort"), "descending": direction_of(direction)},
    )


def sort(
    values: TensorLike, axis: IntLike = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """Sort along an axis; the adjoint goes back to where each element came from.

    Shape: (...) -> (...). Raises ValueError. Source: `tf.sort`.
    """
    x = only(REALS, sorting.argsort, convert_to_tensor(values))
    k = axis_of(axis, x.ndim, "Sort")
    order = [*[a for a in builtins.range(x.ndim) if a != k], k]
    last = transpose(x, order) if k != x.ndim - 1 else x
    places = run(
        sorting.argsort, (last,), {"axis": last.ndim - 1, "descending": direction_of(direction)}
    )
    y = run(sorting.take_along, (last, places))
    return transpose(y, [order.index(a) for a in builtins.range(x.ndim)]) if k != x.ndim - 1 else y


@again
def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: IntLike, name: str | None = None
) -> Tensor:
    """Tell for each row whether the target's prediction is among the k largest.

    Shape: targets (n,), predictions (n, classes) -> (n,). Source: `tf.math.in_top_k`.
    """
    p, t = convert_to_tensor(predictions), integers(targets, "InTopKV2")
    if p.ndim != 2 or t.ndim != 1:
        raise InvalidArgumentError(
            f"predictions must be 2-dimensional, targets 1-dimensional, got {p.ndim} and "
            f"{t.ndim} [Op:InTopKV2]"
        )
    if len(p) != len(t):
        raise InvalidArgumentError(
            f"`targets` must be one number for each of the {len(p)} `predictions`, got {len(t)} "
            "[Op:InTopKV2]"
        )
    return run(sorting.in_top_k, (p, t), {"k": int(plain_numbers(k))})


def unique(x: TensorLike, out_idx: DTypeLike = "int32", name: str | None = None) -> Unique:
    """Return the different elements of a vector in the order of their appearance, and the number of
    each element's value.

    Shape: (n,) -> y (m,) and idx (n,). Raises InvalidArgumentError for anything but a vector.
    Source: `tf.unique`.
    """
    x = convert_to_tensor(x)
    if x.ndim != 1:
        raise InvalidArgumentError("unique expects a 1D vector. [Op:Unique]")
    return Unique(*run(sorting.unique, (x,), {"dtype": as_dtype(out_idx)._numpy}))


@again
def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: IntLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = "int32",
    name: str | None = None,
) -> Tensor:
    """Count how often each label (row) was predicted as each class (column).

    Shape: both (n,), or one of them (n, 1) -> (classes, classes). Raises InvalidArgumentError.
    Source: `tf.math.confusion_matrix`.
    """
    a, b = [convert_to_tensor(v) for v in (labels, predictions)]
    a, b = [
        v[:, 0] if v.ndim == 2 and v.shape[1] == 1 and v.ndim > w.ndim else v
        for v, w in ((a, b), (b, a))
    ]
    if a.ndim != 1 or a.shape != b.shape:
        raise InvalidArgumentError(
            "`labels` and `predictions` must be two vectors of one length, got the shapes "
            f"{a.shape} and {b.shape}."
        )
    i, j = [v.value.astype(np.int64) for v in (a, b)]
    n = (
        builtins.max([int(v.max(initial=-1)) + 1 for v in (i, j)])
        if num_classes is None
        else int(plain_numbers(num_classes))
    )
    if (
        builtins.max(i.max(initial=0), j.max(initial=0)) >= n
        or builtins.min(i.min(initial=0), j.min(initial=0)) < 0
    ):
        raise InvalidArgumentError(f"`labels` and `predictions` must lie in [0, {n})")
    share = np.ones(i.shape) if weights is None else convert_to_tensor(weights).value
    if share.shape != i.shape:
        raise ValueError(
            f"`weights` must have one number for each example, {a.shape}, got the shape "
            f"{share.shape}."
        )
    return run(
        sorting.confusion, (a, b), {"length": n, "dtype": as_dtype(dtype)._numpy, "share": share}
    )
