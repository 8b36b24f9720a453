"""What TensorFlow calls while it plays a tape.

TensorFlow calls a function for each operation on its way back: with the adjoints of the outputs it
returns the parts for the inputs. `Filming` keeps these calls. They come without the number of the
operation; but with them comes the very tuple of attributes that was told when it ran, and this is
what it is known by.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from tensorflow.python.framework.ops import EagerTensor

from ..filmed import Back, FilmedPlay
from .tensors import array_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Number

    from .tape import TensorFlowTape


class Filming:
    """What TensorFlow calls while it plays one tape. `for_reader`: this play is none of the
    program's; `spent` is the tape's.
    """

    def __init__(self, for_reader: bool = False, spent: Container[int] = ()) -> None:
        self.for_reader, self.spent = for_reader, spent
        self.backs: list[Back] = []

    def developed(self, tape: TensorFlowTape) -> dict[int, Back]:
        """Return {index of an entry: how it was played}."""
        known = {id(key): index for index, key in tape.entries.keys()}
        return {known[id(back.key)]: back for back in self.backs if id(back.key) in known}


def dense(part: Any) -> Array:
    """Return a part or an adjoint as an array; slices of an embedding are put into their places."""
    if isinstance(part, EagerTensor):
        return array_of(part)
    if isinstance(part, np.ndarray):  # many rows at once
        return part
    values, rows = array_of(part.values), array_of(part.indices)
    least = int(rows.max(initial=0)) + 1, *values.shape[1:]
    shape = tuple(array_of(part.dense_shape).tolist()) if part.dense_shape is not None else least
    result = np.zeros(shape, values.dtype)
    np.add.at(result, rows, values)
    return result


class TensorFlowPlay(FilmedPlay):
    """A play of TensorFlow's, whose entries know which of its inputs they have."""

    tape: TensorFlowTape
    dense = staticmethod(dense)

    def places(self, index: int) -> Sequence[int]:
        return self.tape.origin.entries.places(index)

    def number_of(self, part: Any) -> Number | None:
        return self.tape.tensors.number(part) if isinstance(part, EagerTensor) else None
