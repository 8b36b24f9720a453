"""Shapes: how many elements a tensor has along each axis."""

from __future__ import annotations

from typing import Any


class TensorShape(tuple):
    """A tuple of axis lengths with TensorFlow's extra names.

    A length of None is free; tensors always have all their lengths. Raises ValueError for negative
    lengths. Source: `tf.TensorShape`.
    """

    __slots__ = ()

    def __new__(cls, dims: Any = ()) -> TensorShape:
        if isinstance(dims, int):
            dims = (dims,)
        if dims is None:
            raise ValueError(
                "A shape of unknown rank is not needed here: every operation runs at once, on "
                "tensors that are there."
            )
        try:
            lengths = tuple(None if d is None else int(d) for d in dims)
        except (TypeError, ValueError):
            raise TypeError(
                "tf.TensorShape takes as `dims` a list of whole numbers, None for a free "
                f"length, not {dims!r}."
            ) from None
        if any(d is not None and d < 0 for d in lengths):
            raise ValueError(
                f"Dimension values must be >= 0, got {list(lengths)} as `dims` of tf.TensorShape."
            )
        return tuple.__new__(cls, lengths)

    rank = property(len, doc="The number of axes.")
    ndims = property(len, doc="The number of axes.")
    dims = property(list, doc="The lengths as a list.")

    def as_list(self) -> list[Any]:
        """Return the lengths as a list of integers."""
        return list(self)

    def num_elements(self) -> Any:
        """Return the number of elements: the product of all lengths, None where one is free."""
        if None in self:
            return None
        n = 1
        for d in self:
            n *= d
        return n

    def is_fully_defined(self) -> bool:
        """Return True where no length is free."""
        return None not in self

    def is_compatible_with(self, other: Any) -> bool:
        """Return True where `other` is the same shape; a free length fits any."""
        other = TensorShape(other)
        return len(self) == len(other) and all(
            m == n or m is None or n is None for m, n in zip(self, other)
        )

    def merge_with(self, other: Any) -> TensorShape:
        """Return the shape with the lengths that either of both knows. Raises ValueError where they
        differ.
        """
        self.assert_is_compatible_with(other)
        return TensorShape([n if m is None else m for m, n in zip(self, TensorShape(other))])

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError unless `other` is the same shape."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def concatenate(self, other: Any) -> TensorShape:
        """Return the axes of this shape followed by those of `other`."""
        return TensorShape(tuple(self) + tuple(other))

    def __getitem__(self, key: Any) -> Any:
        got = tuple.__getitem__(self, key)
        return TensorShape(got) if isinstance(key, slice) else got

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: Any) -> bool:
        try:
            return tuple(self) == tuple(other)
        except TypeError:
            return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return True  # as in TensorFlow: the shape of a scalar is a shape

    __hash__ = tuple.__hash__

    def __str__(self) -> str:
        return tuple.__repr__(self)

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (tuple(self),)
