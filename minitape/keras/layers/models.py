"""Models: layers made of layers. `Sequential` is a stack; `Model` is subclassed for everything
else.

minitape is for training loops that one writes oneself: `with tf.GradientTape() as tape: ...`, then
`optimizer.apply_gradients(...)`. So there is no `fit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from ...engine.base.nest import map_structure
from ...engine.convert import convert_to_tensor
from ...typing import LossLike, MetricsLike, freely
from .. import losses, optimizers
from ..metrics import Mean, MeanMetricWrapper, Metric
from ..naming import new_name
from ..variables import within
from .base import Layer
from .core import Lambda
from .input import InputLayer
from .symbolic import Graph, KerasTensor, one_or_all

_LOOP = """minitape has no `{name}`: here one writes the loop oneself, to see what happens in it.

    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


class Model(Layer):
    """A layer with layers inside, to be subclassed: make the layers in `__init__`, use them in
    `call`. Or it is described, without a subclass: `Model(inputs, outputs)` does what leads from
    `tf.keras.Input`s to what layers made of them.

    Raises ValueError where the outputs need more than the inputs. Source: `keras.Model`.
    """

    _graph: Graph | None = None
    _loss: Any = None
    _metrics: Sequence[Any] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) < 2 and "outputs" not in kwargs:
            super().__init__(*args, **kwargs)
        else:
            self._describe_by(*args, **kwargs)

    def _describe_by(
        self, inputs: Any, outputs: Any, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(
            name=name or (new_name("Functional") if type(self) is Model else None), **kwargs
        )
        graph = self._graph = Graph(inputs, outputs)
        self._between = graph.layers()
        self.built = True

    @freely
    def call(self, inputs: Any, training: bool | None = None, mask: object = None) -> Any:
        """Do what was described; written by subclasses otherwise."""
        if self._graph is None:
            return super().call(inputs)
        return self._graph(inputs)

    def _ends(self, which: str) -> Any:
        if self._graph is None:
            raise AttributeError(
                f"The model {self.name} was not described by tf.keras.Input, so its {which} are "
                "only known when it is "
                "called on data."
            )
        return getattr(self._graph, which)

    inputs = property(
        lambda self: self._ends("inputs"), doc="The symbols of the inputs, for a described model."
    )
    outputs = property(
        lambda self: self._ends("outputs"), doc="The symbols of the outputs, for a described model."
    )
    input = property(
        lambda self: one_or_all(self.inputs), doc="The symbol of the input, for a described model."
    )
    output = property(
        lambda self: one_or_all(self.outputs),
        doc="The symbol of the output, for a described model.",
    )
    input_shape = property(
        lambda self: one_or_all([x.shape for x in self.inputs]),
        doc="The shape of the input; None for a free length.",
    )
    output_shape = property(
        lambda self: one_or_all([x.shape for x in self.outputs]), doc="The shape of the output."
    )

    @property
    def layers(self) -> list[Layer]:
        """The layers directly inside."""
        return list(self._parts()[1])

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """Return a layer by name or number. Raises ValueError for an unknown one."""
        if index is not None:
            if not -len(self.layers) <= index < len(self.layers):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
                    f"{len(self.layers)} layers."
                )
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(
            f"No such layer: {name}. Existing layers are: {[layer.name for layer in self.layers]}."
        )

    def summary(
        self,
        line_length: int | None = None,
        positions: object = None,
        print_fn: Callable[[str], Any] | None = None,
        expand_nested: bool = False,
        show_trainable: bool = False,
        layer_range: object = None,
    ) -> None:
        """Print the layers and how many numbers they learn."""
        rows = [
            (
                f"{layer.name} ({type(layer).__name__})",
                f"{layer.count_params():,}" if layer.built else "not built",
            )
            for layer in self.layers
        ]
        width = max([len(name) for name, _ in rows], default=10) + 2
        lines = [f'Model: "{self.name}"', f"{'Layer (type)':<{width}}Param #", "-" * (width + 10)]
        lines += [f"{name:<{width}}{n}" for name, n in rows]
        trainable = sum(v.shape.num_elements() for v in self.trainable_weights)
        total = sum(v.shape.num_elements() for v in self.weights)
        lines += [
            "-" * (width + 10),
            f"Total params: {total:,}",
            f"Trainable params: {trainable:,}",
            f"Non-trainable params: {total - trainable:,}",
        ]
        for line in lines:
            (print_fn or print)(line)

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: LossLike = None,
        loss_weights: object = None,
        metrics: MetricsLike = None,
        weighted_metrics: object = None,
        run_eagerly: bool = False,
        steps_per_execution: int = 1,
        jit_compile: object = "auto",
        auto_scale_loss: bool = True,
    ) -> None:
        """Keep optimizer, loss and metrics as attributes, for your own loop. Names stand for what
        they name.
        """
        self.optimizer, self.loss, self._loss = (
            optimizers.get(optimizer),
            loss,
            loss and losses.get(loss),
        )
        self._metrics = [Mean(name="loss"), *[_metric(m) for m in metrics or ()]]

    def compute_loss(
        self,
        x: object = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool | None = True,
    ) -> Any:
        """Return the loss that `compile` was given, for these predictions, plus what the layers
        have added.
        """
        total = sum(self.losses)
        if self._loss is None:
            return total
        loss = (
            self._loss
            if isinstance(self._loss, losses.Loss)
            else losses.LossFunctionWrapper(self._loss)
        )
        return loss(y, y_pred, sample_weight) + total

    @property
    def metrics(self) -> list[Any]:
        """The metrics that are attributes of the model, and those that `compile` was given, after
        one named "loss".
        """
        own = [m for m in self.__dict__.values() if isinstance(m, Metric)]
        for m in self._metrics:
            if not isinstance(m, Metric):
                raise ValueError(
                    f"The metric {m!r} is no metric object: give compile(metrics=[...]) objects, "
                    "such as "
                    "tf.keras.metrics.MeanAbsoluteError()."
                )
        return own + list(self._metrics)

    def fit(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: str | int = "auto",
        callbacks: object = None,
        validation_split: float = 0.0,
        validation_data: object = None,
        shuffle: bool = True,
        class_weight: object = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: object = None,
        validation_steps: object = None,
        validation_batch_size: object = None,
        validation_freq: int = 1,
    ) -> NoReturn:
        """Raise NotImplementedError: here one writes the loop oneself."""
        raise NotImplementedError(_LOOP.format(name="fit"))

    def evaluate(
        self,
        x: object = None,
        y: object = None,
        batch_size: int | None = None,
        verbose: str | int = "auto",
        sample_weight: Any = None,
        steps: object = None,
        callbacks: object = None,
        return_dict: bool = False,
        **kwargs: Any,
    ) -> NoReturn:
        """Raise NotImplementedError: here one writes the loop oneself."""
        raise NotImplementedError(_LOOP.format(name="evaluate"))

    def save(
        self, filepath: object, overwrite: bool = True, zipped: object = None, **kwargs: Any
    ) -> NoReturn:
        """Raise NotImplementedError: NumPy keeps weights."""
        raise NotImplementedError(
            "minitape writes no model files. Keep the weights: np.savez(file, "
            "*model.get_weights()); to have them "
            "back: data = np.load(file); model.set_weights([data[name] for name in data.files])."
        )

    save_weights = load_weights = export = save

    def predict(
        self,
        x: Any,
        batch_size: int | None = None,
        verbose: str | int = "auto",
        steps: object = None,
        callbacks: object = None,
    ) -> Any:
        """Return the outputs for all inputs as a NumPy array, in the structure of the outputs.
        Raises ValueError for inputs that stand for tensors to come.
        """
        return map_structure(lambda y: convert_to_tensor(y).numpy(), self(x, training=False))


def _metric(m: Any) -> Any:
    """Return the metric that a loss's name stands for; anything else as it is."""
    try:
        return MeanMetricWrapper(losses.get(m), m) if isinstance(m, str) else m
    except ValueError:
        return m


class Sequential(Model):
    """A stack of layers: the output of each is the input of the next. Source: `keras.Sequential`."""

    def __init__(
        self, layers: Iterable[Any] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        super().__init__(trainable=trainable, name=name)
        self._stack: list[Layer] = []
        for layer in layers or ():
            self.add(layer)

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Put a layer on top. Raises ValueError for anything else than a layer."""
        if isinstance(layer, KerasTensor) and layer.call is None:
            layer = layer.layer
        if not isinstance(layer, Layer):
            if not callable(layer):
                raise ValueError(
                    "Only instances of `keras.Layer` can be added to a Sequential model. "
                    f"Received: {layer} (of type "
                    f"{type(layer)})"
                )
            layer = Lambda(layer)
        if any(other is not layer and other.name == layer.name for other in self._stack):
            raise ValueError(
                "All layers added to a Sequential model should have unique names. Name "
                f"'{layer.name}' is already the name "
                "of a layer "
                "in this model. Update the `name` argument to pass a unique name."
            )
        self._stack = [*self._stack, layer]
        if self.built and not layer.built:
            self.built = False
        first = self._stack[0]
        if first._given_shape is not None:
            self.build(first._given_shape)

    def pop(self, rebuild: bool = True) -> Layer:
        """Take the last layer away and return it."""
        layer = self._stack[-1]
        self._stack = self._stack[:-1]
        if self._graph is not None:
            self.built = False
            self.build(self.inputs[0].shape)
        return layer

    def build(self, input_shape: Any = None) -> None:
        """Make the weights of all layers, by calling them on what stands for an input of this
        shape.
        """
        if input_shape is None or self.built:
            return
        first = self._stack[0] if self._stack else None
        first = (
            first
            if isinstance(first, InputLayer)
            else InputLayer(batch_shape=input_shape, name=f"{self.name}_input")
        )
        x = first.symbol
        with within(self.name):
            for layer in self._stack[first in self._stack :]:
                x = layer(x)
        self._graph = Graph(first.symbol, x)
        self.built = True

    @property
    def layers(self) -> list[Layer]:
        """The layers of the stack."""
        return [layer for layer in self._stack if not isinstance(layer, InputLayer)]

    def _build(self, args: tuple[Any, ...]) -> None:
        self.built = True  # each layer is built when its input arrives

    def call(self, inputs: Any, training: bool | None = None, mask: object = None) -> Any:
        """Send the inputs through all layers."""
        for layer in self._stack:
            inputs = layer(inputs)
        return inputs
