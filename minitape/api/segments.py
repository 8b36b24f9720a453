"""Slices that belong together by a number of their own, their segment: summed, the largest or the
smallest of each.
"""

from __future__ import annotations

import numpy as np

from ..engine.base.errors import InvalidArgumentError
from ..engine.base.notes import look, symbolic
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.ops import elementwise
from ..engine.ops import indexing as rows
from ..engine.ops.further import sorting
from ..engine.ops.record import Op, run
from ..typing import IntLike, TensorLike
from .arguments import NUMBERS, integers, only, plain_numbers


def unsorted(op: Op, data: TensorLike, segment_ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Run a segment operation; negative ids are dropped."""
    x, ids, num = (
        only(NUMBERS, op, convert_to_tensor(data)),
        integers(segment_ids, op.name),
        int(plain_numbers(num_segments)),
    )
    if tuple(x.shape[: ids.ndim]) != tuple(ids.shape):
        raise InvalidArgumentError(
            f"data.shape = {list(x.shape)} does not start with segment_ids.shape = "
            f"{list(ids.shape)} [Op:{op.name}]"
        )
    negative = symbolic(ids) or bool(np.any(ids.value < 0))
    if negative:  # they have a segment of their own behind the others
        ids = run(elementwise.select, (ids < 0, Tensor(ids.value.dtype.type(num)), ids))
    y = run(
        op,
        (x, ids),
        {"num": num + negative}
        | ({"axis": ids.ndim - 1 - x.ndim} if op is rows.segment_sum else {}),
    )
    return y[:num] if negative else y


def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Sum the slices that have the same id.

    Shape: data (ids..., ...), segment_ids (ids...) -> (num_segments, ...). Raises
    InvalidArgumentError. Source: `tf.math.unsorted_segment_sum`.
    """
    return unsorted(rows.segment_sum, data, segment_ids, num_segments)


def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Compute the largest of the slices that have the same id.

    Shape: data (ids..., ...), segment_ids (ids...) -> (num_segments, ...). Source:
    `tf.math.unsorted_segment_max`.
    """
    return unsorted(sorting.segment_max, data, segment_ids, num_segments)


def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Compute the smallest of the slices that have the same id.

    Shape: data (ids..., ...), segment_ids (ids...) -> (num_segments, ...). Source:
    `tf.math.unsorted_segment_min`.
    """
    return unsorted(sorting.segment_min, data, segment_ids, num_segments)


def sorted_ids(segment_ids: TensorLike) -> tuple[Tensor, int]:
    """Return sorted segment ids and their number. Raises `InvalidArgumentError` where they are not
    sorted.
    """
    ids = integers(segment_ids, "SegmentSum")
    if ids.ndim != 1 or np.any(np.diff(look(ids)) < 0) or ids.value.size and ids.value[0] < 0:
        raise InvalidArgumentError(
            "segment ids are not increasing. Use tf.math.unsorted_segment_sum for ids in any order."
        )
    return ids, int(ids.value[-1]) + 1 if ids.value.size else 0


def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Sum the slices that have the same id; ids are sorted.

    Shape: data (n, ...), segment_ids (n,) -> (segments, ...). Raises InvalidArgumentError. Source:
    `tf.math.segment_sum`.
    """
    return unsorted_segment_sum(data, *sorted_ids(segment_ids))
