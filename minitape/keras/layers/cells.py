"""Cells of recurrent layers: what is computed in one step of a sequence.

A cell is called with one step (batch, features) and a state, and returns its output and the new
state. `recurrent.py` gives it the steps of a sequence, one after the other.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from ...api.arguments import whole
from ...api.making import ones, zeros
from ...api.shaping import concat, split, unstack
from ...engine.base.nest import flatten, map_structure, pack_sequence_as
from ...engine.base.tensor import Tensor
from ...typing import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike
from .. import activations, initializers
from ..variables import recipe, scopes, within
from .base import Layer
from .core import Dropout


class Cell(Layer):
    """One step: what all cells have in common. `gates` kernels stand side by side in one matrix."""

    gates, states, least_axes = 1, 1, 2
    units: int

    def _set(
        self,
        units: int,
        activation: ActivationLike,
        use_bias: bool,
        kernel: Any,
        recurrent: Any,
        bias: Any,
        dropout: float,
        recurrent_dropout: float,
        seed: Any,
    ) -> None:
        if whole("units", units) < 1:
            raise ValueError(
                "Received an invalid value for argument `units`, expected a positive integer, "
                f"got {units}."
            )
        self.units, self.activation, self.use_bias = (
            int(units),
            activations.get(activation),
            use_bias,
        )
        self._kernel, self._recurrent, self._bias = kernel, recurrent, bias
        self._thin = [
            Dropout(min(1.0, max(0.0, rate)), seed=seed, name="dropout")
            for rate in (dropout, recurrent_dropout)
        ]
        self._kept: list[Any] = [None, None]

    @property
    def state_size(self) -> Any:
        """The length of the state, or the lengths of its parts."""
        return self.units if self.states == 1 else [self.units] * self.states

    output_size = property(lambda self: self.units, doc="The length of the output.")

    def get_initial_state(self, batch_size: int | None = None) -> list[Tensor]:
        """Return zeros, one row per example."""
        return [zeros((batch_size, self.units), self._dtype) for _ in range(self.states)]

    def build(self, input_shape: Any) -> None:
        """Make kernel (features, gates), recurrent_kernel (units, gates) and bias."""
        if not isinstance(input_shape, tuple) or not input_shape:
            raise ValueError(
                f"`inputs` of a {type(self).__name__} must be one tensor of at least 2 axes, got "
                f"the shape {input_shape}."
            )
        size, weight = self.gates * self.units, self.add_weight
        self.kernel = weight(name="kernel", shape=(input_shape[-1], size), **self._kernel)
        self.recurrent_kernel = weight(
            name="recurrent_kernel", shape=(self.units, size), **self._recurrent
        )
        self.bias = (
            weight(name="bias", shape=self._bias_shape(size), **self._bias)
            if self.use_bias
            else None
        )
        self.built = True

    def _bias_shape(self, size: int) -> tuple[int, ...]:
        return (size,)

    def begin(self) -> None:
        """A new sequence begins: what is thinned out is chosen anew."""
        self._kept = [None, None]

    def _thinned(self, which: int, x: Tensor, training: bool | None) -> Tensor:
        """Return the inputs (0) or the state (1), while training without the numbers that drop out
        of all steps of this sequence.
        """
        drop = self._thin[which]
        if not training or not drop.rate:
            return x
        if self._kept[which] is None:
            self._kept[which] = drop(ones(x.shape, x.dtype), training=True)
        return x * self._kept[which]

    def _state_of(self, states: Any) -> Any:
        """Return the state's tensors. Raises ValueError for another number of them than this cell
        has.
        """
        leaves = flatten(states)
        if len(leaves) != self.states:
            raise ValueError(
                f"`states` of a {type(self).__name__} must be {self.states} tensor(s), got "
                f"{states!r}."
            )
        return leaves

    def _product(self, x: Tensor, kernel: Any, bias: Any) -> Tensor:
        y = x @ kernel
        return y if bias is None else y + bias


class SimpleRNNCell(Cell):
    """A step: h = activation(x @ kernel + bias + h @ recurrent_kernel). Source:
    `keras.layers.SimpleRNNCell`.
    """

    def __init__(
        self,
        units: int,
        activation: ActivationLike = "tanh",
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        recurrent_initializer: InitializerLike = "orthogonal",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        recurrent_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._set(
            units,
            activation,
            use_bias,
            recipe(kernel_initializer, kernel_regularizer, kernel_constraint),
            recipe(recurrent_initializer, recurrent_regularizer, recurrent_constraint),
            recipe(bias_initializer, bias_regularizer, bias_constraint),
            dropout,
            recurrent_dropout,
            seed,
        )

    def call(
        self, sequence: Tensor, states: Any, training: bool | None = False
    ) -> tuple[Tensor, Any]:
        """Return the output, and the state, which is the same."""
        h = self._thinned(1, self._state_of(states)[0], training)
        y = self.activation(
            self._product(self._thinned(0, sequence, training), self.kernel, self.bias)
            + h @ self.recurrent_kernel
        )
        return y, pack_sequence_as(states, [y])


class GRUCell(Cell):
    """A step with gates: z says how much of the state stays, r how much of it is looked at. Source:
    `keras.layers.GRUCell`.
    """

    gates = 3

    def __init__(
        self,
        units: int,
        activation: ActivationLike = "tanh",
        recurrent_activation: ActivationLike = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        recurrent_initializer: InitializerLike = "orthogonal",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        recurrent_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        reset_after: bool = True,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.reset_after, self.recurrent_activation = (
            reset_after,
            activations.get(recurrent_activation),
        )
        self._set(
            units,
            activation,
            use_bias,
            recipe(kernel_initializer, kernel_regularizer, kernel_constraint),
            recipe(recurrent_initializer, recurrent_regularizer, recurrent_constraint),
            recipe(bias_initializer, bias_regularizer, bias_constraint),
            dropout,
            recurrent_dropout,
            seed,
        )

    def _bias_shape(self, size: int) -> tuple[int, ...]:
        return (2, size) if self.reset_after else (size,)

    def call(
        self, inputs: Tensor, states: Any, training: bool | None = False
    ) -> tuple[Tensor, Any]:
        """Return the output, and the state, which is the same."""
        h, gate = self._thinned(1, self._state_of(states)[0], training), self.recurrent_activation
        for_inputs, for_state = (
            (self.bias, None) if self.bias is None or not self.reset_after else unstack(self.bias)
        )
        xz, xr, xh = split(
            self._product(self._thinned(0, inputs, training), self.kernel, for_inputs), 3, axis=1
        )
        if self.reset_after:
            hz, hr, hh = split(self._product(h, self.recurrent_kernel, for_state), 3, axis=1)
            z, r = gate(xz + hz), gate(xr + hr)
            new = self.activation(xh + r * hh)
        else:
            hz, hr = split(h @ self.recurrent_kernel[:, : 2 * self.units], 2, axis=1)
            z, r = gate(xz + hz), gate(xr + hr)
            new = self.activation(xh + (r * h) @ self.recurrent_kernel[:, 2 * self.units :])
        y = z * h + (1 - z) * new
        return y, pack_sequence_as(states, [y])


class LSTMCell(Cell):
    """A step with a memory c: gates say what is written to it, what stays, and what is shown.
    Source: `keras.layers.LSTMCell`.
    """

    gates, states = 4, 2

    def __init__(
        self,
        units: int,
        activation: ActivationLike = "tanh",
        recurrent_activation: ActivationLike = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        recurrent_initializer: InitializerLike = "orthogonal",
        bias_initializer: InitializerLike = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: RegularizerLike = None,
        recurrent_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.unit_forget_bias, self.recurrent_activation = (
            unit_forget_bias,
            activations.get(recurrent_activation),
        )
        first = initializers.get(bias_initializer)

        def bias(shape: Any, dtype: Any = None) -> Tensor:
            i, f, c, o = [first((self.units,), dtype=dtype) for _ in range(4)]
            return concat([i, ones((self.units,), dtype) if unit_forget_bias else f, c, o], 0)

        self._set(
            units,
            activation,
            use_bias,
            recipe(kernel_initializer, kernel_regularizer, kernel_constraint),
            recipe(recurrent_initializer, recurrent_regularizer, recurrent_constraint),
            recipe(bias, bias_regularizer, bias_constraint),
            dropout,
            recurrent_dropout,
            seed,
        )

    def call(
        self, inputs: Tensor, states: Any, training: bool | None = False
    ) -> tuple[Tensor, Any]:
        """Return the output h, and the state [h, c]."""
        (h, c), gate = self._state_of(states), self.recurrent_activation
        z = (
            self._product(self._thinned(0, inputs, training), self.kernel, self.bias)
            + self._thinned(1, h, training) @ self.recurrent_kernel
        )
        i, f, new, o = split(z, 4, axis=1)
        c = gate(f) * c + gate(i) * self.activation(new)
        h = gate(o) * self.activation(c)
        return h, [h, c]


def checked(cell: Any) -> Any:
    """Return what is a cell. Raises ValueError for anything else."""
    for what in ("call", "state_size"):
        if not hasattr(cell, what):
            raise ValueError(
                f"Argument `cell` should have a `{what}`{' method' if what == 'call' else ''}. "
                f"Received: cell={cell}"
            )
    return cell


def first_state(cell: Any, batch_size: int, dtype: Any) -> Any:
    """Return the state before the first step: what the cell says, or zeros."""
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(batch_size=batch_size)
    sizes = cell.state_size
    return map_structure(
        lambda n: zeros((batch_size, n), dtype),
        list(sizes) if isinstance(sizes, (list, tuple)) else [sizes],
    )


def under_name(layer: Layer) -> Any:
    """Return a block in which what is built has the layer's name in its path, once."""
    return nullcontext() if scopes.get()[-1:] == (layer.name,) else within(layer.name)


def build_once(cell: Any, input_shape: Any) -> None:
    """Make the weights of a layer that has none yet."""
    if isinstance(cell, Layer) and not cell.built:
        cell.build(input_shape)
        cell.built = True


def begin_all(*cells: Any) -> None:
    """Tell cells that a new sequence begins."""
    for cell in cells:
        if hasattr(cell, "begin"):
            cell.begin()
