"""Models: layers made of layers. `Sequential` is a stack; `Model` is subclassed for everything else.

minitape is for training loops that one writes oneself: `with tf.GradientTape() as tape: ...`, then
`optimizer.apply_gradients(...)`. So there is no `fit`.
"""

from .layers.base import Layer, _training
from .layers.input import InputLayer
from .variables import within

_LOOP = """minitape has no `{name}`: here one writes the loop oneself, to see what happens in it.

    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


class Model(Layer):
    """A layer with layers inside, to be subclassed: make the layers in `__init__`, use them in `call`.

    Raises NotImplementedError for models made of symbolic inputs and outputs. Source: `keras.Model`.
    """

    def __init__(self, *args, **kwargs):
        if args or "inputs" in kwargs or "outputs" in kwargs:
            raise NotImplementedError("minitape has no models of symbolic inputs and outputs. Use tf.keras.Sequential([...]) for a stack "
                                      "of "
                                      "layers, or subclass tf.keras.Model and write call(self, inputs).")
        super().__init__(**kwargs)

    @property
    def layers(self):
        """The layers directly inside."""
        return [layer for layer in self._parts()[1] if not isinstance(layer, InputLayer)]

    def get_layer(self, name=None, index=None):
        """Return a layer by name or number. Raises ValueError for an unknown one."""
        if index is not None:
            if index >= len(self.layers):
                raise ValueError(f"Was asked to retrieve layer at index {index} but model only has {len(self.layers)} layers.")
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}. Existing layers are: {[layer.name for layer in self.layers]}.")

    def summary(self, line_length=None, positions=None, print_fn=None, expand_nested=False, show_trainable=False, layer_range=None):
        """Print the layers and how many numbers they learn."""
        rows = [(f"{layer.name} ({type(layer).__name__})", f"{layer.count_params():,}" if layer.built else "not built")
                for layer in self.layers]
        width = max([len(name) for name, _ in rows], default=10) + 2
        lines = [f'Model: "{self.name}"', f"{'Layer (type)':<{width}}Param #", "-" * (width + 10)]
        lines += [f"{name:<{width}}{n}" for name, n in rows]
        trainable = sum(v.shape.num_elements() for v in self.trainable_weights)
        total = sum(v.shape.num_elements() for v in self.weights)
        lines += ["-" * (width + 10), f"Total params: {total:,}", f"Trainable params: {trainable:,}", "Non-trainable params: "
                  f"{total - trainable:,}"]
        for line in lines:
            (print_fn or print)(line)

    def compile(self, optimizer="rmsprop", loss=None, loss_weights=None, metrics=None, weighted_metrics=None, run_eagerly=False,
                steps_per_execution=1, jit_compile="auto", auto_scale_loss=True):
        """Keep optimizer and loss as attributes, for your own loop."""
        self.optimizer, self.loss = optimizer, loss

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose="auto", callbacks=None, validation_split=0.0, validation_data=None,
            shuffle=True, class_weight=None, sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None,
            validation_batch_size=None, validation_freq=1):
        """Raise NotImplementedError: here one writes the loop oneself."""
        raise NotImplementedError(_LOOP.format(name="fit"))

    def evaluate(self, x=None, y=None, batch_size=None, verbose="auto", sample_weight=None, steps=None, callbacks=None, return_dict=False,
                 **kwargs):
        """Raise NotImplementedError: here one writes the loop oneself."""
        raise NotImplementedError(_LOOP.format(name="evaluate"))

    def predict(self, x, batch_size=None, verbose="auto", steps=None, callbacks=None):
        """Return the outputs for all inputs as a NumPy array."""
        return self(x, training=False).numpy()


class Sequential(Model):
    """A stack of layers: the output of each is the input of the next. Source: `keras.Sequential`."""

    def __init__(self, layers=None, trainable=True, name=None):
        super().__init__(trainable=trainable, name=name)
        self._stack = []
        for layer in layers or ():
            self.add(layer)

    def add(self, layer, rebuild=True):
        """Put a layer on top. Raises ValueError for anything else than a layer."""
        if not isinstance(layer, Layer):
            if not callable(layer):
                raise ValueError(f"Only instances of `keras.Layer` can be added to a Sequential model. Received: {layer} (of type "
                                 f"{type(layer)})")
            from .layers.core import Lambda
            layer = Lambda(layer)
        if any(other is not layer and other.name == layer.name for other in self._stack):
            raise ValueError(f"All layers added to a Sequential model should have unique names. Name '{layer.name}' is already the name "
                             "of a layer "
                             "in this model. Update the `name` argument to pass a unique name.")
        self._stack = [*self._stack, layer]
        if self.built and not layer.built:
            self.built = False
        first = self._stack[0]
        if first._given_shape is not None and None not in first._given_shape[1:]:
            self.build(first._given_shape)

    def pop(self, rebuild=True):
        """Take the last layer away and return it."""
        layer = self._stack[-1]
        self._stack = self._stack[:-1]
        return layer

    def build(self, input_shape=None):
        """Make the weights of all layers, by sending zeros of this shape through them."""
        if input_shape is None or self.built:
            return
        import numpy as np

        from ..engine.convert import constant
        from ..engine.notes import active
        shape = tuple(1 if n is None else n for n in input_shape)
        token = active.set(())
        told = _training.set(False)
        try:
            x = constant(np.zeros(shape, np.float32))
            with within(self.name):
                for layer in self._stack:
                    x = layer(x)
        finally:
            _training.reset(told)
            active.reset(token)
        self.built = True

    def _build(self, args):
        self.built = True                              # each layer is built when its input arrives

    def call(self, inputs, training=None, mask=None):
        """Send the inputs through all layers."""
        for layer in self._stack:
            inputs = layer(inputs)
        return inputs
