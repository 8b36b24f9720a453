"""Sums by place: the gradient of a look-up. Each slice is added where it belongs, without sorting
first.
"""

from __future__ import annotations

import numpy as np

from ..engine.base.aliases import Array
from .table import Kernel, Row, fits, loop

SMALL = 512


@loop
def add_rows(x: Array, places: Array, out: Array) -> bool:
    for k in range(places.size):
        p = places[k]
        if p < 0 or p >= out.shape[0]:
            return False
        for j in range(x.shape[1]):
            out[p, j] += x[k, j]
    return True


def segment_sum(plain: Kernel) -> Kernel:
    def kernel(x: Array, ids: Array, num: int, axis: int) -> Array:
        if (
            fits(x, SMALL)
            and type(ids) is np.ndarray
            and ids.dtype.kind == "i"
            and ids.flags.c_contiguous
            # the first axis of the table
            and x.shape[: ids.ndim] == ids.shape
            and axis == ids.ndim - x.ndim - 1
        ):
            out = np.zeros((num,) + x.shape[ids.ndim :], x.dtype)
            if add_rows(x.reshape(ids.size, -1), ids.reshape(-1), out.reshape(num, -1)):
                return out
        return plain(x, ids, num=num, axis=axis)  # raises where a place does not exist

    return kernel


Row("UnsortedSegmentSum", segment_sum)
