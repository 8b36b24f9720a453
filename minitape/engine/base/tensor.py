"""Tensors: immutable arrays with a unique number.

The number (`id`) comes from a counter. A tape refers to tensors only by number, so what it records
is plain data. Arrays without axes are stored as NumPy scalars, which are twice as fast as 0-d
arrays.
"""

from __future__ import annotations

from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any

from . import notes
from .dtypes import DType, as_dtype
from .hints import with_hints
from .protocols import Protocols
from .shapes import TensorShape
from .where import here

if TYPE_CHECKING:
    from .aliases import Array, Number, Where

new_id = count(1).__next__


@with_hints
class Tensor(Protocols):
    """An immutable array that tapes can follow.

    Slots: `value`, a NumPy array (a NumPy scalar where there are no axes; never written to); `id`,
    an integer of its own; `code` and `offset`, the position in the learner's program that made it
    (`where`); `part`, only for a slice of a variable: which variable, and which key. Made by
    `constant` and by operations. Source: `tf.Tensor`.
    """

    __slots__ = ("value", "id", "code", "offset", "part", "__weakref__")

    value: Array
    id: Number
    code: CodeType | None
    offset: int
    part: tuple[Any, ...]

    def __init__(self, value: Any, where: Where | None = None) -> None:
        self.value, self.id = value, new_id()
        self.code, self.offset = where or (None, 0)

    @property
    def where(self) -> Where | None:
        """The learner's position that made it, or None."""
        return self.code and (self.code, self.offset)

    @property
    def dtype(self) -> DType:
        """The `DType` of the elements."""
        return as_dtype(self.value.dtype)

    @property
    def shape(self) -> TensorShape:
        """The lengths of the axes, a `TensorShape`."""
        return tuple.__new__(TensorShape, self.value.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.value.ndim

    def __reduce__(self) -> tuple[Any, ...]:
        notes.escape(self, "pickle")
        return restored, (self.value,)


def restored(value: Array) -> Tensor:
    """Return the tensor that was pickled: the same array under a number of this process."""
    return Tensor(value, here())


def wrap(value: Any, number: Number, code: CodeType | None = None, offset: int = 0) -> Tensor:
    """Return a tensor for an array that already has a number, as tapes do for their results."""
    tensor = object.__new__(Tensor)
    tensor.value, tensor.id, tensor.code, tensor.offset = value, number, code, offset
    return tensor
