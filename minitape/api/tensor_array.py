"""A list of tensors that a loop fills, one place after the other. Source: `tf.TensorArray`.

Everything runs at once here, so it is a Python list with TensorFlow's methods; what is stacked at
the end is recorded.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError, OutOfRangeError
from ..engine.base.shapes import TensorShape
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..typing import DTypeLike, IntLike, ShapeLike, TensorLike
from .arguments import shape_of
from .making import zeros
from .shaping import concat, stack, unstack

_READ = object()  # stands at a place that was read and may not be read again


class TensorArray:
    """Tensors of one dtype and one shape at the places 0, 1, 2, ...; with `dynamic_size` it grows.

    A place that nothing was written to holds zeros. Raises ValueError without a size,
    OutOfRangeError for a place that is not there, InvalidArgumentError for a value of another dtype
    and for a place that is read twice (unless `clear_after_read=False`), ValueError for a value of
    another shape. Source: `tf.TensorArray`.
    """

    instead_of_a_tensor = " Its values together are a tensor: .stack() returns it."

    def __init__(
        self,
        dtype: DTypeLike,
        size: IntLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: object = None,
        flow: object = None,
        infer_shape: bool = True,
        element_shape: ShapeLike | None = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is enabled. Use "
                "size=0, dynamic_size=True for "
                "one that grows."
            )
        self.dtype, self.dynamic_size = as_dtype(dtype), bool(dynamic_size)
        self.element_shape = None if element_shape is None else TensorShape(element_shape)
        self._clears, self._same_shape = clear_after_read is not False, infer_shape
        self._places: list[Any] = [None] * shape_of(size)[0]

    def size(self, name: str | None = None) -> Tensor:
        """Return the number of places, an int32 scalar."""
        return convert_to_tensor(len(self._places))

    def identity(self) -> TensorArray:
        """Return the array itself."""
        return self

    def write(self, index: IntLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Put a value at a place; return the array, as `ta = ta.write(i, x)` expects."""
        k, value = operator.index(index), convert_to_tensor(value, dtype_hint=self.dtype)
        if k < 0:
            raise OutOfRangeError(f"Writing to negative indices (index {k}) is not allowed.")
        if k >= len(self._places) and not self.dynamic_size:
            raise OutOfRangeError(
                f"Tried to write to index {k} but array is not resizeable and size is: "
                f"{len(self._places)}. "
                "Use dynamic_size=True for an array that grows."
            )
        if value.dtype != self.dtype:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype "
                f"{value.dtype.name}. "
                "Use tf.cast."
            )
        if self.element_shape is None and self._same_shape:
            self.element_shape = value.shape
        if self.element_shape is not None and not self.element_shape.is_compatible_with(
            value.shape
        ):
            raise ValueError(
                f"Incompatible shape for value ({value.shape}), expected ({self.element_shape})"
            )
        self._places += [None] * (k + 1 - len(self._places))
        self._places[k] = value
        return self

    def read(self, index: IntLike, name: str | None = None) -> Tensor:
        """Return the value at a place, and forget it there unless `clear_after_read=False`."""
        k = operator.index(index)
        if not 0 <= k < len(self._places):
            raise OutOfRangeError(
                f"Tried to read from index {k} but array size is: {len(self._places)}"
            )
        value = self._places[k]
        if value is _READ:
            raise InvalidArgumentError(
                f"Could not read index {k} twice because it was cleared after a previous read "
                "(perhaps try setting "
                "clear_after_read = false?)"
            )
        if self._clears:
            self._places[k] = _READ
        return self._zeros() if value is None else value

    def _zeros(self) -> Tensor:
        if self.element_shape is None:
            raise ValueError(
                "Nothing was written to this TensorArray, so the shape of its elements is not "
                "known. Write to it first, or "
                "tell element_shape."
            )
        return zeros(self.element_shape, self.dtype)

    def _values(self) -> list[Tensor]:
        return [self._zeros() if v is None or v is _READ else v for v in self._places]

    def stack(self, name: str | None = None) -> Tensor:
        """Return all values as one tensor, along a new first axis."""
        return (
            stack(self._values())
            if self._places
            else zeros([0, *(self.element_shape or ())], self.dtype)
        )

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Return the values at some places as one tensor."""
        values = self._values()
        return stack([values[operator.index(k)] for k in convert_to_tensor(indices)])

    def concat(self, name: str | None = None) -> Tensor:
        """Return all values as one tensor, one behind the other along their first axis."""
        return concat(self._values(), 0)

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Put the rows of a tensor at the places 0, 1, 2, ...; return the array. Raises ValueError
        where they do not fit.
        """
        rows = unstack(convert_to_tensor(value, dtype_hint=self.dtype))
        if len(rows) > len(self._places) and not self.dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(rows)} tensors into a TensorArray of static size "
                f"{len(self._places)}"
            )
        return self.scatter(range(len(rows)), rows)

    def scatter(
        self, indices: Iterable[IntLike], value: Iterable[TensorLike], name: str | None = None
    ) -> TensorArray:
        """Put the rows of a tensor at the given places; return the array."""
        for k, row in zip(indices, value):
            self.write(k, row)
        return self
