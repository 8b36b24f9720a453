"""What a tensor looks like, without its numbers: the arguments of a traced function are described
so.
"""

from __future__ import annotations

from ..engine.base.dtypes import as_dtype, float32
from ..engine.base.shapes import TensorShape
from ..engine.base.tensor import Tensor
from ..engine.variable import Variable
from ..typing import DTypeLike, ShapeLike


class TensorSpec:
    """Describes a tensor: its shape and dtype. A length of None is free, a shape of None fits every
    tensor.

    Raises TypeError for what is no shape or no dtype. Source: `tf.TensorSpec`.
    """

    def __init__(
        self, shape: ShapeLike | None, dtype: DTypeLike = float32, name: str | None = None
    ) -> None:
        try:
            self._shape = None if shape is None else TensorShape(shape)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Failed to convert {shape!r} to a shape: {error}. A shape is a list of lengths, "
                "e.g. [1, 10, None]."
            ) from None
        self._dtype, self._name = as_dtype(dtype), name

    shape = property(
        lambda self: self._shape,
        doc="The shape; a length of None is free; None where all of it is.",
    )
    dtype = property(lambda self: self._dtype, doc="The dtype.")
    name = property(lambda self: self._name, doc="The name, or None.")

    def is_compatible_with(self, spec_or_tensor: TensorSpec | Tensor | Variable) -> bool:
        """Return True where a tensor or a description fits."""
        if not isinstance(spec_or_tensor, (TensorSpec, Tensor, Variable)):
            raise TypeError(
                "`spec_or_tensor` must be a tensor or a tf.TensorSpec, got "
                f"{type(spec_or_tensor).__name__!r}."
            )
        other = spec_or_tensor.shape
        return self._dtype == spec_or_tensor.dtype and (
            self._shape is None or other is None or self._shape.is_compatible_with(other)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return (
            f"TensorSpec(shape={'<unknown>' if self._shape is None else self._shape}, "
            f"dtype={self._dtype!r}, name={self._name!r})"
        )
