"""The announcement of an input's shape: with it, a `Sequential` makes its weights at once."""

from .base import Layer


class InputLayer(Layer):
    """Tells the shape of one example; passes it through. Source: `keras.layers.InputLayer`."""

    def __init__(self, shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None, input_tensor=None,
                 optional=False,
                 name=None, **kwargs):
        super().__init__(dtype=dtype, name=name)
        if shape is None and batch_shape is None:
            raise ValueError("You must pass a `shape` argument: tf.keras.Input(shape=(28, 28)).")
        self._given_shape = tuple(batch_shape) if batch_shape is not None else (batch_size,
                                                                                *((shape,) if isinstance(shape, int) else shape))
        self.built = True

    def call(self, inputs):
        """Return the inputs."""
        return inputs


def Input(shape=None, batch_size=None, dtype=None, sparse=None, ragged=None, batch_shape=None, name=None, tensor=None, optional=False):   # noqa: N802
    """Announce the shape of one example, as the first entry of a `Sequential`. Source: `keras.Input`."""
    return InputLayer(shape=shape, batch_size=batch_size, dtype=dtype, batch_shape=batch_shape, name=name)
