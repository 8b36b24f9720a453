"""Where a model's inputs are announced: with them, layers make their weights at once."""

from ..naming import new_name
from .base import Layer
from .symbolic import placeholder


class InputLayer(Layer):
    """Tells the shape of one example; passes it through. Source: `keras.layers.InputLayer`."""

    def __init__(self, shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None, input_tensor=None,
                 optional=False, name=None, **kwargs):
        super().__init__(dtype=dtype, name=name)
        shape, batch_shape = kwargs.get("input_shape", shape), kwargs.get("batch_input_shape", batch_shape)      # as in older programs
        if shape is None and batch_shape is None:
            raise ValueError("You must pass a `shape` argument: tf.keras.Input(shape=(28, 28)).")
        self._given_shape = tuple(batch_shape) if batch_shape is not None else (batch_size,
                                                                                *((shape,) if isinstance(shape, int) else shape))
        self.symbol = placeholder(self._given_shape, dtype, name or new_name("KerasTensor"))
        self.symbol.layer = self
        self.built = True

    output = input = property(lambda self: self.symbol, doc="What stands for the input.")

    def call(self, inputs):
        """Return the inputs."""
        return inputs


def Input(shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None, name=None, tensor=None, optional=False):   # noqa: N802
    """Announce an input, by the shape of one example: the first entry of a `Sequential`, or what layers are called on to
    describe a model, `tf.keras.Model(inputs, outputs)`. Source: `keras.Input`.
    """
    return InputLayer(shape=shape, batch_size=batch_size, dtype=dtype, batch_shape=batch_shape, name=name).symbol
