"""Elements looked up by their places: gather, scatter, segments, masks, sorting, the largest k."""

import builtins
from collections import namedtuple

import numpy as np

from ..compile.again import again
from ..engine.convert import convert_to_tensor
from ..engine.dtypes import as_dtype
from ..engine.errors import InvalidArgumentError
from ..engine.notes import look
from ..engine.operators import is_mask, masked, operand, pair
from ..engine.ops import elementwise
from ..engine.ops import indexing as rows
from ..engine.ops.further import sorting
from ..engine.record import run
from ..engine.tensor import Tensor
from .making import made
from .shapes import shape_of
from .shaping import axis_of, plain, reshape, transpose

TopK = namedtuple("TopKV2", "values indices")
Unique = namedtuple("Unique", "y idx")


def integers(indices, op):
    """Convert places to an integer tensor. Raises `InvalidArgumentError` for floats."""
    ids = convert_to_tensor(indices)
    if not ids.value.size and ids.dtype.is_floating:
        return Tensor(ids.value.astype(np.int32))
    if not ids.dtype.is_integer:
        raise InvalidArgumentError(f"Value for attr 'Tindices' of {ids.dtype.name} is not in the list of allowed values: int16, int32, "
                                   f"int64 [Op:{op}]. Use tf.cast(indices, tf.int32).")
    return ids


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """Look up slices of `params` at places of one axis; a place may be used several times, then its adjoints are summed.

    Shapes: params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]. With `batch_dims`, the first
    axes of both go together. Raises InvalidArgumentError for a place outside. Source: `tf.gather`.
    """
    x, ids = convert_to_tensor(params), integers(indices, "GatherV2")
    batch = batch_dims if batch_dims >= 0 else batch_dims + ids.ndim
    if axis is None:
        axis = batch
    k = axis_of(axis, x.ndim, "GatherV2")
    if not batch:
        return run(rows.gather, (x, ids), {"axis": k - x.ndim})
    order = [*builtins.range(batch), k, *[a for a in builtins.range(batch, x.ndim) if a != k]]
    grid = np.stack([*np.meshgrid(*[np.arange(n) for n in ids.shape], indexing="ij")[:batch], look(ids)], axis=-1)
    y = run(rows.gather_nd, (transpose(x, order), Tensor(grid)))
    inner = list(builtins.range(batch, ids.ndim))                    # the places' own axes go where the axis was
    between = list(builtins.range(ids.ndim, ids.ndim + k - batch))
    return transpose(y, [*builtins.range(batch), *between, *inner, *builtins.range(ids.ndim + k - batch, y.ndim)])


def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=""):
    """Look up elements or slices by several places at once, which stand along the last axis of `indices`.

    Raises InvalidArgumentError for a place outside. Source: `tf.gather_nd`.
    """
    x, ids = convert_to_tensor(params), integers(indices, "GatherNd")
    if batch_dims:
        front = np.meshgrid(*[np.arange(n) for n in ids.shape[:-1]], indexing="ij")[:batch_dims]
        ids = Tensor(np.concatenate([np.stack(front, axis=-1), look(ids)], axis=-1))
    return run(rows.gather_nd, (x, ids))


def scatter_nd(indices, updates, shape, bad_indices_policy="", name=None):
    """Put slices at their places in zeros; at a place named twice they are added. Raises InvalidArgumentError. Source: `tf.scatter_nd`."""
    x = convert_to_tensor(updates)
    return run(rows.scatter_nd, (x, integers(indices, "ScatterNd")), {"shape": shape_of(shape)})


def updated(op, tensor, indices, updates):
    x = convert_to_tensor(tensor)
    return run(op, (x, integers(indices, op.name), operand(updates, x)))


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    """Return a copy with some slices replaced. Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_update`."""
    return updated(rows.scatter_update, tensor, indices, updates)


def tensor_scatter_nd_add(tensor, indices, updates, bad_indices_policy="", name=None):
    """Return a copy with something added to some slices. Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_add`."""
    return updated(rows.scatter_add, tensor, indices, updates)


def tensor_scatter_nd_sub(tensor, indices, updates, bad_indices_policy="", name=None):
    """Return a copy with something subtracted from some slices. Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_sub`."""
    return updated(rows.scatter_sub, tensor, indices, updates)


def tensor_scatter_nd_max(tensor, indices, updates, bad_indices_policy="", name=None):
    """Return a copy whose slices are at least the updates. Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_max`."""
    return updated(rows.scatter_max, tensor, indices, updates)


def tensor_scatter_nd_min(tensor, indices, updates, bad_indices_policy="", name=None):
    """Return a copy whose slices are at most the updates. Raises InvalidArgumentError. Source: `tf.tensor_scatter_nd_min`."""
    return updated(rows.scatter_min, tensor, indices, updates)


def where(condition, x=None, y=None, name=None):
    """Choose from `x` where the condition is True, else from `y`; without them, return the places that are True, int64.

    Each gets the gradient of what was chosen from it, and zeros elsewhere. Raises ValueError where only one is given,
    InvalidArgumentError for shapes or dtypes that do not fit. Source: `tf.where`.
    """
    c = convert_to_tensor(condition)
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    if x is None:
        return run(rows.where, (c,))
    if not c.dtype.is_bool:
        raise InvalidArgumentError(f"cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor but is a "
                                   f"{c.dtype.name} tensor [Op:SelectV2]. Compare first, as in x > 0.")
    a, b = pair(x, y)
    if a.dtype != b.dtype:
        raise InvalidArgumentError(f"cannot compute SelectV2 as input #2(zero-based) was expected to be a {a.dtype.name} tensor but is a "
                                   f"{b.dtype.name} tensor [Op:SelectV2]. Use tf.cast(x, dtype) on one side.")
    return run(elementwise.select, (c, a, b))


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    """Return the slices where the mask is True. Raises ValueError where the shapes do not fit. Source: `tf.boolean_mask`."""
    x, mask = convert_to_tensor(tensor), convert_to_tensor(mask)
    if not mask.ndim:
        raise ValueError("mask cannot be scalar.")
    if not is_mask(mask):
        raise TypeError(f"The mask must be boolean, got {mask.dtype.name}. Compare first, as in x > 0.")
    return masked(x, mask, 0 if axis is None else axis_of(axis, x.ndim, "BooleanMask"))


# ---- segments


def unsorted(op, data, segment_ids, num_segments):
    """Run a segment operation; negative ids are dropped."""
    x, ids, num = convert_to_tensor(data), integers(segment_ids, op.name), int(plain(num_segments))
    if tuple(x.shape[:ids.ndim]) != tuple(ids.shape):
        raise InvalidArgumentError(f"data.shape = {list(x.shape)} does not start with segment_ids.shape = {list(ids.shape)} [Op:{op.name}]")
    if np.any(look(ids) < 0):
        keep = ids.value >= 0
        x, ids = masked(x, keep), Tensor(ids.value[keep])
    return run(op, (x, ids), {"num": num, "axis": ids.ndim - 1 - x.ndim} if op is rows.segment_sum else {"num": num})


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    """Sum the slices that have the same id. Raises InvalidArgumentError. Source: `tf.math.unsorted_segment_sum`."""
    return unsorted(rows.segment_sum, data, segment_ids, num_segments)


def unsorted_segment_max(data, segment_ids, num_segments, name=None):
    """Compute the largest of the slices that have the same id. Source: `tf.math.unsorted_segment_max`."""
    return unsorted(sorting.segment_max, data, segment_ids, num_segments)


def unsorted_segment_min(data, segment_ids, num_segments, name=None):
    """Compute the smallest of the slices that have the same id. Source: `tf.math.unsorted_segment_min`."""
    return unsorted(sorting.segment_min, data, segment_ids, num_segments)


@again
def lengths(x, segment_ids, num):
    """Return how many slices each id has, at least 1, in a shape that divides the sums."""
    ids = integers(segment_ids, "SegmentMean").value
    found = np.maximum(np.bincount(ids[ids >= 0].ravel(), minlength=num)[:num], 1)
    return Tensor(found.reshape((num,) + (1,) * (x.ndim - ids.ndim)).astype(x.value.dtype))


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """Compute the mean of the slices that have the same id, 0 where there are none. Source: `tf.math.unsorted_segment_mean`."""
    x, num = convert_to_tensor(data), int(plain(num_segments))
    return unsorted_segment_sum(x, segment_ids, num) / lengths(x, segment_ids, num)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """Sum the slices that have the same id and divide by the root of their number. Source: `tf.math.unsorted_segment_sqrt_n`."""
    x, num = convert_to_tensor(data), int(plain(num_segments))
    return unsorted_segment_sum(x, segment_ids, num) / Tensor(np.sqrt(lengths(x, segment_ids, num).value))


def ordered(segment_ids):
    """Return sorted segment ids and their number. Raises `InvalidArgumentError` where they are not sorted."""
    ids = integers(segment_ids, "SegmentSum")
    if ids.ndim != 1 or np.any(np.diff(look(ids)) < 0) or ids.value.size and ids.value[0] < 0:
        raise InvalidArgumentError("segment ids are not increasing. Use tf.math.unsorted_segment_sum for ids in any order.")
    return ids, int(ids.value[-1]) + 1 if ids.value.size else 0


def segment_sum(data, segment_ids, name=None):
    """Sum the slices that have the same id; ids are sorted. Raises InvalidArgumentError. Source: `tf.math.segment_sum`."""
    return unsorted_segment_sum(data, *ordered(segment_ids))


def segment_mean(data, segment_ids, name=None):
    """Compute the mean of the slices that have the same id; ids are sorted. Source: `tf.math.segment_mean`."""
    return unsorted_segment_mean(data, *ordered(segment_ids))


def empty_to_zero(op, data, segment_ids):
    ids, num = ordered(segment_ids)
    y = op(data, ids, num)
    seen = np.isin(np.arange(num), ids.value).reshape((num,) + (1,) * (y.ndim - 1))
    return y if seen.all() else run(elementwise.select, (Tensor(seen), y, Tensor(np.zeros((), y.value.dtype)[()])))


def segment_max(data, segment_ids, name=None):
    """Compute the largest of the slices that have the same id; ids are sorted. Source: `tf.math.segment_max`."""
    return empty_to_zero(unsorted_segment_max, data, segment_ids)


def segment_min(data, segment_ids, name=None):
    """Compute the smallest of the slices that have the same id; ids are sorted. Source: `tf.math.segment_min`."""
    return empty_to_zero(unsorted_segment_min, data, segment_ids)


# ---- order


def top_k(input, k=1, sorted=True, index_type="int32", name=None):  # noqa: A002
    """Return the k largest elements of the last axis and their places, the largest first.

    Raises InvalidArgumentError for an axis shorter than k. Source: `tf.math.top_k`.
    """
    x, k = convert_to_tensor(input), int(plain(k))
    if not x.ndim or x.shape[-1] < k or k < 0:
        raise InvalidArgumentError(f"input must have at least k columns. Had {x.shape[-1] if x.ndim else 0}, needed {k} [Op:TopKV2]")
    return TopK(*run(sorting.top_k, (x,), {"k": k, "dtype": as_dtype(index_type)._numpy}))


def direction_of(direction):
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"Argument `direction` should be one of 'ASCENDING' or 'DESCENDING'. Received: {direction!r}")
    return direction == "DESCENDING"


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """Return the places that would sort along an axis, int32; equal elements keep their order. Source: `tf.argsort`."""
    x = convert_to_tensor(values)
    return run(sorting.argsort, (x,), {"axis": axis_of(axis, x.ndim, "ArgSort"), "descending": direction_of(direction)})


def sort(values, axis=-1, direction="ASCENDING", name=None):
    """Sort along an axis; the adjoint goes back to where each element came from. Raises ValueError. Source: `tf.sort`."""
    x = convert_to_tensor(values)
    k = axis_of(axis, x.ndim, "Sort")
    order = [*[a for a in builtins.range(x.ndim) if a != k], k]
    last = transpose(x, order) if k != x.ndim - 1 else x
    places = run(sorting.argsort, (last,), {"axis": last.ndim - 1, "descending": direction_of(direction)})
    y = run(sorting.take_along, (last, places))
    return transpose(y, [order.index(a) for a in builtins.range(x.ndim)]) if k != x.ndim - 1 else y


@again
def in_top_k(targets, predictions, k, name=None):
    """Tell for each row whether the target's prediction is among the k largest. Source: `tf.math.in_top_k`."""
    p, t = convert_to_tensor(predictions).value, convert_to_tensor(targets).value
    if p.ndim != 2 or t.ndim != 1:
        raise InvalidArgumentError(f"predictions must be 2-dimensional, targets 1-dimensional, got {p.ndim} and {t.ndim} [Op:InTopKV2]")
    own = np.take_along_axis(p, t[:, None], 1)
    return made((np.sum(p > own, axis=1) < k) & np.isfinite(own[:, 0]))


def unique(x, out_idx="int32", name=None):
    """Return the different elements of a vector in the order of their appearance, and the number of each element's value.

    Raises InvalidArgumentError for anything but a vector. Source: `tf.unique`.
    """
    x = convert_to_tensor(x)
    if x.ndim != 1:
        raise InvalidArgumentError("unique expects a 1D vector. [Op:Unique]")
    return Unique(*run(sorting.unique, (x,), {"dtype": as_dtype(out_idx)._numpy}))


@again
def searchsorted(sorted_sequence, values, side="left", out_type="int32", name=None):
    """Return where the values would be inserted into a sorted axis. Source: `tf.searchsorted`."""
    x, v = pair(sorted_sequence, values)
    dtype = as_dtype(out_type)._numpy
    if x.ndim == 1:
        return run(sorting.searchsorted, (x, v), {"side": side, "dtype": dtype})
    lines = zip(x.value.reshape(-1, x.shape[-1]), v.value.reshape(-1, v.shape[-1]))
    return made(np.stack([np.searchsorted(a, b, side) for a, b in lines]).reshape(v.value.shape).astype(dtype))


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype="int32", name=None, axis=None, binary_output=False):
    """Count how often each number from 0 on occurs, or sum the weights of its occurrences. Source: `tf.math.bincount`."""
    ids = integers(arr, "Bincount")
    n = int(look(ids).max(initial=-1)) + 1
    n = builtins.max(n, 0 if minlength is None else int(plain(minlength)))
    n = n if maxlength is None else builtins.min(n, int(plain(maxlength)))
    if weights is not None:
        flat, keep = reshape(convert_to_tensor(weights), (-1,)), ids.value.ravel() < n
        return unsorted_segment_sum(masked(flat, keep), ids.value.ravel()[keep], n)
    if binary_output:
        return made((np.bincount(ids.value.ravel(), minlength=n)[:n] > 0).astype(as_dtype(dtype)._numpy))
    return run(sorting.bincount, (ids,), {"length": n, "dtype": as_dtype(dtype)._numpy})


@again
def confusion_matrix(labels, predictions, num_classes=None, weights=None, dtype="int32", name=None):
    """Count how often each label (row) was predicted as each class (column). Source: `tf.math.confusion_matrix`."""
    a, b = [np.ravel(convert_to_tensor(v).value).astype(np.int64) for v in (labels, predictions)]
    n = builtins.max([int(v.max(initial=-1)) + 1 for v in (a, b)]) if num_classes is None else int(plain(num_classes))
    if builtins.max(a.max(initial=0), b.max(initial=0)) >= n or builtins.min(a.min(initial=0), b.min(initial=0)) < 0:
        raise InvalidArgumentError(f"`labels` and `predictions` must lie in [0, {n})")
    found = np.zeros((n, n), as_dtype(dtype)._numpy)
    np.add.at(found, (a, b), 1 if weights is None else convert_to_tensor(weights).value)
    return made(found)


@again
def invert_permutation(x, name=None):
    """Return the order that undoes a permutation. Source: `tf.math.invert_permutation`."""
    return made(np.argsort(convert_to_tensor(x).value).astype(convert_to_tensor(x).value.dtype))


def dynamic_partition(data, partitions, num_partitions, name=None):
    """Sort slices into `num_partitions` heaps: a list of tensors. Source: `tf.dynamic_partition`."""
    x, ids = convert_to_tensor(data), integers(partitions, "DynamicPartition")
    return [masked(x, look(ids) == k) for k in builtins.range(num_partitions)]


def dynamic_stitch(indices, data, name=None):
    """Put slices at their places; the last one at a place stays. Source: `tf.dynamic_stitch`."""
    from .shaping import concat
    ids = np.concatenate([np.ravel(look(convert_to_tensor(i))) for i in indices])
    parts = [convert_to_tensor(d) for d in data]
    inner = parts[0].shape[convert_to_tensor(indices[0]).ndim:]
    flat = concat([reshape(p, (-1, *inner)) for p in parts], 0)
    last = {int(i): k for k, i in enumerate(ids)}
    n = builtins.max(last, default=-1) + 1
    kept = gather(flat, np.array([last[i] for i in builtins.sorted(last)], np.int64))
    return scatter_nd(np.array(builtins.sorted(last), np.int64)[:, None], kept, (n, *inner))
