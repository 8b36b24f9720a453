"""Changing a part of a variable: some of its slices are replaced, or something is added to them.

Each is an assignment of the whole variable in which the other elements stay what they were: no
array that a tape may hold is written to, and the tape does not follow what was put in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .convert import convert_to_tensor
from .ground.arrays import array_of
from .ground.errors import InvalidArgumentError
from .ground.instead import INSTEAD, Instead
from .ground.tensor import Tensor
from .ops import indexing, shaping
from .ops.record import run
from .variable import Variable, gathered

if TYPE_CHECKING:
    from .ops.record import Op
    from .typing import TensorLike


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
        """The whole shape, or None where it was not told."""
        return None if self.dense_shape is None else tuple(self.dense_shape.value.tolist())

    def __repr__(self) -> str:
        return f"IndexedSlices(indices={self.indices!r}, values={self.values!r})"


def changed(variable: Variable, op: Op, indices: TensorLike, updates: TensorLike) -> Variable:
    """Assign the variable with `op` applied at some places; returns the variable."""
    places = np.asarray(convert_to_tensor(indices).value)
    return variable.assign(
        run(op, (variable._tensor, Tensor(places), as_tensor(updates, variable)))
    )


def as_tensor(value: TensorLike, variable: Variable) -> Tensor:
    """Return a value as a tensor; what is not one yet takes the variable's dtype. So a tape can
    tell where it went.

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


def at_places(name: str, op: Op, doc: str) -> Callable[..., Variable]:
    """Return the method that changes the slices at `indices`, one place per line."""

    def method(
        self: Variable, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Variable:
        return changed(self, op, indices, updates)

    return documented(method, name, doc)


def at_slices(name: str, op: Op, doc: str) -> Callable[..., Variable]:
    """Return the method that changes the slices of an `IndexedSlices`."""

    def method(
        self: Variable,
        sparse_delta: IndexedSlices,
        use_locking: bool = False,
        name: str | None = None,
    ) -> Variable:
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(
                f"sparse_delta is not IndexedSlices: {sparse_delta!r}. Use "
                "tf.IndexedSlices(values, indices)."
            )
        return changed(self, op, sparse_delta.indices.value[..., None], sparse_delta.values)

    return documented(method, name, doc)


def documented(method: Callable[..., Variable], name: str, doc: str) -> Callable[..., Variable]:
    method.__name__, method.__qualname__ = name, f"Variable.{name}"
    method.__doc__ = (
        f"{doc} Returns the variable. Raises InvalidArgumentError for a place "
        f"outside. Source: `tf.Variable.{name}`."
    )
    return method


class AssignSlice(Instead):
    """The `assign` of a tensor that is a slice of a variable, as in v[0].assign(3.0); other tensors
    have none.
    """

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        part = getattr(tensor, "part", None)
        return super().__get__(tensor, owner) if part is None else partial(assign_slice, *part)


def assign_slice(
    variable: Variable, key: Any, value: TensorLike, name: str | None = None
) -> Variable:
    """Replace the elements of a variable at a key; returns the variable. Smaller values are
    stretched.

    Raises ValueError for another dtype, InvalidArgumentError for a shape that does not fit. Source:
    `tf.Variable.__getitem__`.
    """
    value = as_tensor(value, variable)
    slot = variable._tensor.value[key].shape
    if len(value.shape) > len(slot) or any(
        [n not in (1, m) for n, m in zip(reversed(value.shape), reversed(slot))]
    ):
        raise InvalidArgumentError(
            f"Cannot broadcast input shape {list(value.shape)} into the slice's shape {list(slot)} "
            "[Op:StridedSliceAssign]."
        )
    return variable.assign(run(shaping.slice_assign, (variable._tensor, value), {"key": key}))


def sparse_read(self: Variable, indices: TensorLike, name: str | None = None) -> Tensor:
    """Return the slices at some places of the first axis. Source: `tf.Variable.sparse_read`."""
    x = self._read()
    return run(indexing.gather, (x, convert_to_tensor(indices)), {"axis": -x.value.ndim})


def gather_nd(self: Variable, indices: TensorLike, name: str | None = None) -> Tensor:
    """Return the elements or slices at some places. Source: `tf.Variable.gather_nd`."""
    return run(indexing.gather_nd, (self._read(), convert_to_tensor(indices)))


def install() -> None:
    """Give variables their methods."""
    for name, op, what in (
        ("update", indexing.scatter_update, "Replace"),
        ("add", indexing.scatter_add, "Add to"),
        ("sub", indexing.scatter_sub, "Subtract from"),
        ("max", indexing.scatter_max, "Raise to at least the updates"),
        ("min", indexing.scatter_min, "Lower to at most the updates"),
    ):
        setattr(
            Variable,
            f"scatter_nd_{name}",
            at_places(f"scatter_nd_{name}", op, f"{what} the slices at some places."),
        )
        setattr(
            Variable,
            f"scatter_{name}",
            at_slices(f"scatter_{name}", op, f"{what} some slices along the first axis."),
        )
    Variable.sparse_read, Variable.gather_nd = sparse_read, gather_nd
    Tensor.assign = AssignSlice("assign", INSTEAD["assign"])  # type: ignore[attr-defined]


install()
