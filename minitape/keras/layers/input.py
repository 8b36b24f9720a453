"""Where a model's inputs are announced: with them, layers make their weights at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...typing import DTypeLike
from ..naming import new_name
from .base import Layer
from .symbolic import KerasTensor, placeholder


class InputLayer(Layer):
    """Tells the shape of one example; passes it through. Source: `keras.layers.InputLayer`."""

    def __init__(
        self,
        shape: Sequence[int | None] | None = None,
        batch_size: int | None = None,
        dtype: DTypeLike | None = None,
        sparse: object = None,
        ragged: object = None,
        batch_shape: Sequence[int | None] | None = None,
        input_tensor: Any = None,
        optional: bool = False,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        # as in older programs
        shape, batch_shape = (
            kwargs.get("input_shape", shape),
            kwargs.get("batch_input_shape", batch_shape),
        )
        if shape is None and batch_shape is None:
            raise ValueError("You must pass a `shape` argument: tf.keras.Input(shape=(28, 28)).")
        lengths: Any = (shape,) if isinstance(shape, int) else shape
        self._given_shape = (
            tuple(batch_shape) if batch_shape is not None else (batch_size, *lengths)
        )
        self.symbol = placeholder(self._given_shape, dtype, name or new_name("KerasTensor"))
        self.symbol.layer = self
        self.built = True

    output = input = property(lambda self: self.symbol, doc="What stands for the input.")

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs


def Input(
    shape: Sequence[int | None] | None = None,
    batch_size: int | None = None,
    dtype: DTypeLike | None = None,
    sparse: object = None,
    ragged: object = None,
    batch_shape: Sequence[int | None] | None = None,
    name: str | None = None,
    tensor: Any = None,
    optional: bool = False,
) -> KerasTensor:  # noqa: N802
    """Announce an input, by the shape of one example: the first entry of a `Sequential`, or what
    layers are called on to describe a model, `tf.keras.Model(inputs, outputs)`. Source:
    `keras.Input`.
    """
    return InputLayer(
        shape=shape, batch_size=batch_size, dtype=dtype, batch_shape=batch_shape, name=name
    ).symbol
