"""Elements of several lengths put together: each is filled up to the longest of them, or to a
length that is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compile.tensor_spec import TensorSpec
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.nest import flatten, pack_sequence_as
from ..engine.convert import convert_to_tensor
from .elements import beside, each, made_up


def filled_spec(spec: Any, shapes: Any) -> Any:
    """Return the description of one element after it was filled up; None and -1 stand for a length
    that is as the longest one's.
    """

    def wanted(s: TensorSpec, shape: Any) -> TensorSpec:
        lengths = (
            [None] * len(s.shape)
            if shape is None
            else list(shape)
            if np.iterable(shape)
            else [shape]
        )
        return TensorSpec([None if n is None or n == -1 else int(n) for n in lengths], s.dtype)

    return beside(wanted, spec, shapes)


def fillings(spec: Any, values: Any) -> list[Any]:
    """Return what each part is filled up with: what is given, for one part or for all, or zero.
    Raises TypeError for another dtype.
    """

    def one(s: TensorSpec, value: Any) -> Any:
        return (
            made_up(TensorSpec((), s.dtype), 0)
            if value is None
            else convert_to_tensor(value, s.dtype).value
        )

    for_all = not isinstance(values, (tuple, dict))
    return flatten(each(lambda s: one(s, values), spec) if for_all else beside(one, spec, values))


def padded(elements: list[Any], spec: Any, fills: list[Any]) -> Any:
    """Return elements as one, along a new first axis. Raises InvalidArgumentError for one that is
    longer than is wanted.
    """
    parts = []
    for column, wanted, fill in zip(zip(*[flatten(e) for e in elements]), flatten(spec), fills):
        shapes = [np.shape(a) for a in column]
        shape = [
            longest if n is None else n
            for n, longest in zip(wanted.shape, np.max(shapes, axis=0, initial=0))
        ]
        if any(len(s) != len(shape) or any(n > m for n, m in zip(s, shape)) for s in shapes):
            raise InvalidArgumentError(
                "Attempted to pad to a smaller size than the input element: `padded_shapes` "
                f"asks for {shape}, and "
                f"the elements have the shapes {shapes}. [Op:PaddedBatchDatasetV2]"
            )
        whole = np.full((len(column), *shape), fill, np.result_type(fill, *column))
        for k, a in enumerate(column):
            place: tuple[Any, ...] = (k, *map(slice, np.shape(a)))
            whole[place] = a
        parts.append(whole)
    return pack_sequence_as(elements[0], parts)
