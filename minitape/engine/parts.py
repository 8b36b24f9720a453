"""Assignment to parts of a variable: slices are replaced, or values are added to them.

Each is an assignment of the whole variable that keeps the other elements. No array that a tape may
hold is written to, and the tape does not follow the new values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .base.arrays import array_of
from .base.errors import InvalidArgumentError
from .base.protocols import Operators
from .base.tensor import Tensor
from .convert import convert_to_tensor, gathered
from .ops import indexing, shaping
from .ops.record import run

if TYPE_CHECKING:
    from .base.dtypes import DType
    from .ops.record import Op
    from .typing import TensorLike
    from .variable import Variable


class IndexedSlices:
    """Some slices of a tensor along its first axis, and their places. Source: `tf.IndexedSlices`."""

    def __init__(
        self, values: TensorLike, indices: TensorLike, dense_shape: TensorLike | None = None
    ) -> None:
        self.values, self.indices = convert_to_tensor(values), convert_to_tensor(indices)
        self.dense_shape = None if dense_shape is None else convert_to_tensor(dense_shape)

    dtype = property(lambda self: self.values.dtype, doc="The dtype of the slices.")

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The whole shape, or None if it was not given."""
        return None if self.dense_shape is None else tuple(self.dense_shape.value.tolist())

    def __repr__(self) -> str:
        return f"IndexedSlices(indices={self.indices!r}, values={self.values!r})"


def as_tensor(value: TensorLike, variable: Parts) -> Tensor:
    """Return a value as a tensor; anything else takes the variable's dtype. So a tape knows where
    the value went.

    Raises ValueError for a tensor of another dtype.
    """
    value = gathered(value, variable.dtype)
    value = value if isinstance(value, Tensor) else Tensor(array_of(value, variable.dtype))
    if value.dtype != variable.dtype:
        raise ValueError(
            f"Tensor conversion requested dtype {variable.dtype.name} for Tensor with dtype "
            f"{value.dtype.name}: {value!r}. "
            f"Use tf.cast(value, tf.{variable.dtype.name})."
        )
    return value


def at_places(name: str, op: Op, what: str) -> Callable[..., Variable]:
    """Return the method that changes the slices at `indices`, one place per line."""

    def method(
        self: Parts, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        places = convert_to_tensor(indices)
        return self.assign(run(op, (self._tensor, places, as_tensor(updates, self))))

    method.__name__, method.__qualname__ = name, f"Variable.{name}"
    method.__doc__ = (
        f"{what} the slices at some places. Returns the variable. Raises InvalidArgumentError for "
        f"a place outside. Source: `tf.Variable.{name}`."
    )
    return method


if TYPE_CHECKING:

    class Slice(Tensor):
        """What `v[0]` is: a tensor that can be assigned."""

        def assign(self, value: TensorLike, name: str | None = None) -> Variable: ...


class Parts(Operators):
    """What a variable can do with a part of itself."""

    if TYPE_CHECKING:
        _tensor: Tensor

        @property
        def dtype(self) -> DType: ...
        def assign(self, value: TensorLike) -> Variable: ...
        def __getitem__(self, key: Any) -> Slice: ...
        def scatter_nd_update(
            self, indices: TensorLike, updates: TensorLike, name: str | None = None
        ) -> Variable: ...

        scatter_nd_add = scatter_nd_sub = scatter_nd_max = scatter_nd_min = scatter_nd_update
    else:
        scatter_nd_update = at_places("scatter_nd_update", indexing.scatter_update, "Replace")
        scatter_nd_add = at_places("scatter_nd_add", indexing.scatter_add, "Add to")
        scatter_nd_sub = at_places("scatter_nd_sub", indexing.scatter_sub, "Subtract from")
        scatter_nd_max = at_places(
            "scatter_nd_max", indexing.scatter_max, "Raise to at least the updates"
        )
        scatter_nd_min = at_places(
            "scatter_nd_min", indexing.scatter_min, "Lower to at most the updates"
        )

    def _assign_slice(self, key: Any, value: TensorLike, name: str | None = None) -> Variable:
        """Replace the elements at a key; returns the variable. Smaller values are stretched.

        Raises ValueError for another dtype, InvalidArgumentError for a shape that does not fit.
        Source: `tf.Variable.__getitem__`.
        """
        value = as_tensor(value, self)
        slot = self._tensor.value[key].shape
        if len(value.shape) > len(slot) or any(
            [n not in (1, m) for n, m in zip(reversed(value.shape), reversed(slot))]
        ):
            raise InvalidArgumentError(
                f"Cannot broadcast input shape {list(value.shape)} into the slice's shape "
                f"{list(slot)} "
                "[Op:StridedSliceAssign]."
            )
        return self.assign(run(shaping.slice_assign, (self._tensor, value), {"key": key}))
