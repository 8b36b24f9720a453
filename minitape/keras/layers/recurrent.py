"""Recurrent layers: a cell computes one step, and a loop gives it the steps of a sequence, with the state that it left behind.

A cell is called with one step (batch, features) and a state, and returns its output and the new state. `RNN` is the loop, an
ordinary Python loop: on a tape stands every step. `SimpleRNN`, `GRU` and `LSTM` are that loop around their cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from copy import deepcopy
from inspect import Parameter, Signature, signature
from typing import Any, NoReturn

import numpy as np

from ...api.arguments import whole
from ...api.indexing import where
from ...api.making import ones, zeros
from ...api.shaping import concat, reverse, split, stack, unstack
from ...engine.convert import convert_to_tensor
from ...engine.ground.nest import flatten, map_structure, pack_sequence_as
from ...engine.ground.tensor import Tensor
from ...typing import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike, TensorLike
from .. import activations, initializers
from ..variables import scopes, within
from .base import Layer, recipe
from .core import Dropout


class Cell(Layer):
    """One step: what all cells have in common. `gates` kernels stand side by side in one matrix."""

    gates, states, least_axes = 1, 1, 2
    units: int

    def _set(self, units: int, activation: ActivationLike, use_bias: bool, kernel: Any, recurrent: Any, bias: Any, dropout: float,
             recurrent_dropout: float, seed: Any) -> None:
        if whole("units", units) < 1:
            raise ValueError(f"Received an invalid value for argument `units`, expected a positive integer, got {units}.")
        self.units, self.activation, self.use_bias = int(units), activations.get(activation), use_bias
        self._kernel, self._recurrent, self._bias = kernel, recurrent, bias
        self._thin = [Dropout(min(1.0, max(0.0, rate)), seed=seed, name="dropout") for rate in (dropout, recurrent_dropout)]
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
        size = self.gates * self.units

        def weight(name: str, shape: Any, given: Any) -> Any:
            initializer, regularizer, constraint = given
            return self.add_weight(name=name, shape=shape, initializer=initializer, regularizer=regularizer, constraint=constraint)
        self.kernel = weight("kernel", (input_shape[-1], size), self._kernel)
        self.recurrent_kernel = weight("recurrent_kernel", (self.units, size), self._recurrent)
        self.bias = weight("bias", self._bias_shape(size), self._bias) if self.use_bias else None
        self.built = True

    def _bias_shape(self, size: int) -> tuple[int, ...]:
        return (size,)

    def begin(self) -> None:
        """A new sequence begins: what is thinned out is chosen anew."""
        self._kept = [None, None]

    def _thinned(self, which: int, x: Tensor, training: bool | None) -> Tensor:
        """Return the inputs (0) or the state (1), while training without the numbers that drop out of all steps of this sequence."""
        drop = self._thin[which]
        if not training or not drop.rate:
            return x
        if self._kept[which] is None:
            self._kept[which] = drop(ones(x.shape, x.dtype), training=True)
        return x * self._kept[which]

    def _state_of(self, states: Any) -> Any:
        """Return the state's tensors. Raises ValueError for another number of them than this cell has."""
        found = flatten(states)
        if len(found) != self.states:
            raise ValueError(f"`states` of a {type(self).__name__} must be {self.states} tensor(s), got {states!r}.")
        return found

    def _product(self, x: Tensor, kernel: Any, bias: Any) -> Tensor:
        y = x @ kernel
        return y if bias is None else y + bias


class SimpleRNNCell(Cell):
    """A step: h = activation(x @ kernel + bias + h @ recurrent_kernel). Source: `keras.layers.SimpleRNNCell`."""

    def __init__(self, units: int, activation: ActivationLike = "tanh", use_bias: bool = True,
                 kernel_initializer: InitializerLike = "glorot_uniform", recurrent_initializer: InitializerLike = "orthogonal",
                 bias_initializer: InitializerLike = "zeros", kernel_regularizer: RegularizerLike = None,
                 recurrent_regularizer: RegularizerLike = None, bias_regularizer: RegularizerLike = None,
                 kernel_constraint: ConstraintLike = None, recurrent_constraint: ConstraintLike = None,
                 bias_constraint: ConstraintLike = None, dropout: float = 0.0, recurrent_dropout: float = 0.0, seed: Any = None,
                 **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._set(units, activation, use_bias, recipe(kernel_initializer, kernel_regularizer, kernel_constraint),
                  recipe(recurrent_initializer, recurrent_regularizer, recurrent_constraint),
                  recipe(bias_initializer, bias_regularizer, bias_constraint), dropout, recurrent_dropout, seed)

    def call(self, sequence: Tensor, states: Any, training: bool | None = False) -> tuple[Tensor, Any]:
        """Return the output, and the state, which is the same."""
        h = self._thinned(1, self._state_of(states)[0], training)
        y = self.activation(self._product(self._thinned(0, sequence, training), self.kernel, self.bias) + h @ self.recurrent_kernel)
        return y, pack_sequence_as(states, [y])


class GRUCell(Cell):
    """A step with gates: z says how much of the state stays, r how much of it is looked at. Source: `keras.layers.GRUCell`."""

    gates = 3

    def __init__(self, units: int, activation: ActivationLike = "tanh", recurrent_activation: ActivationLike = "sigmoid",
                 use_bias: bool = True, kernel_initializer: InitializerLike = "glorot_uniform",
                 recurrent_initializer: InitializerLike = "orthogonal", bias_initializer: InitializerLike = "zeros",
                 kernel_regularizer: RegularizerLike = None, recurrent_regularizer: RegularizerLike = None,
                 bias_regularizer: RegularizerLike = None, kernel_constraint: ConstraintLike = None,
                 recurrent_constraint: ConstraintLike = None, bias_constraint: ConstraintLike = None, dropout: float = 0.0,
                 recurrent_dropout: float = 0.0, reset_after: bool = True, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.reset_after, self.recurrent_activation = reset_after, activations.get(recurrent_activation)
        self._set(units, activation, use_bias, recipe(kernel_initializer, kernel_regularizer, kernel_constraint),
                  recipe(recurrent_initializer, recurrent_regularizer, recurrent_constraint),
                  recipe(bias_initializer, bias_regularizer, bias_constraint), dropout, recurrent_dropout, seed)

    def _bias_shape(self, size: int) -> tuple[int, ...]:
        return (2, size) if self.reset_after else (size,)

    def call(self, inputs: Tensor, states: Any, training: bool | None = False) -> tuple[Tensor, Any]:
        """Return the output, and the state, which is the same."""
        h, gate = self._thinned(1, self._state_of(states)[0], training), self.recurrent_activation
        for_inputs, for_state = (self.bias, None) if self.bias is None or not self.reset_after else unstack(self.bias)
        xz, xr, xh = split(self._product(self._thinned(0, inputs, training), self.kernel, for_inputs), 3, axis=1)
        if self.reset_after:
            hz, hr, hh = split(self._product(h, self.recurrent_kernel, for_state), 3, axis=1)
            z, r = gate(xz + hz), gate(xr + hr)
            new = self.activation(xh + r * hh)
        else:
            hz, hr = split(h @ self.recurrent_kernel[:, :2 * self.units], 2, axis=1)
            z, r = gate(xz + hz), gate(xr + hr)
            new = self.activation(xh + (r * h) @ self.recurrent_kernel[:, 2 * self.units:])
        y = z * h + (1 - z) * new
        return y, pack_sequence_as(states, [y])


class LSTMCell(Cell):
    """A step with a memory c: gates say what is written to it, what stays, and what is shown. Source: `keras.layers.LSTMCell`."""

    gates, states = 4, 2

    def __init__(self, units: int, activation: ActivationLike = "tanh", recurrent_activation: ActivationLike = "sigmoid",
                 use_bias: bool = True, kernel_initializer: InitializerLike = "glorot_uniform",
                 recurrent_initializer: InitializerLike = "orthogonal", bias_initializer: InitializerLike = "zeros",
                 unit_forget_bias: bool = True, kernel_regularizer: RegularizerLike = None, recurrent_regularizer: RegularizerLike = None,
                 bias_regularizer: RegularizerLike = None, kernel_constraint: ConstraintLike = None,
                 recurrent_constraint: ConstraintLike = None, bias_constraint: ConstraintLike = None, dropout: float = 0.0,
                 recurrent_dropout: float = 0.0, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.unit_forget_bias, self.recurrent_activation = unit_forget_bias, activations.get(recurrent_activation)
        first = initializers.get(bias_initializer)

        def bias(shape: Any, dtype: Any = None) -> Tensor:
            i, f, c, o = [first((self.units,), dtype=dtype) for _ in range(4)]
            return concat([i, ones((self.units,), dtype) if unit_forget_bias else f, c, o], 0)
        self._set(units, activation, use_bias, recipe(kernel_initializer, kernel_regularizer, kernel_constraint),
                  recipe(recurrent_initializer, recurrent_regularizer, recurrent_constraint),
                  recipe(bias, bias_regularizer, bias_constraint), dropout, recurrent_dropout, seed)

    def call(self, inputs: Tensor, states: Any, training: bool | None = False) -> tuple[Tensor, Any]:
        """Return the output h, and the state [h, c]."""
        (h, c), gate = self._state_of(states), self.recurrent_activation
        z = self._product(self._thinned(0, inputs, training), self.kernel, self.bias) \
            + self._thinned(1, h, training) @ self.recurrent_kernel
        i, f, new, o = split(z, 4, axis=1)
        c = gate(f) * c + gate(i) * self.activation(new)
        h = gate(o) * self.activation(c)
        return h, [h, c]


class StackedRNNCells(Layer):
    """Several cells, each of which gets the output of the one before, as one cell. Source: `keras.layers.StackedRNNCells`."""

    def __init__(self, cells: Sequence[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cells = list(cells)
        for cell in self.cells:
            _checked(cell)

    state_size = property(lambda self: [cell.state_size for cell in self.cells], doc="The lengths of the cells' states.")
    output_size = property(lambda self: self.cells[-1].output_size, doc="The length of the last cell's output.")

    def build(self, input_shape: Any) -> None:
        """Build each cell for what the one before it gives."""
        for cell in self.cells:
            _built(cell, input_shape)
            input_shape = (input_shape[0], getattr(cell, "output_size", None) or np.ravel(cell.state_size)[0])
        self.built = True

    def get_initial_state(self, batch_size: int) -> list[Any]:
        """Return the first state of each cell."""
        return [_first_state(cell, batch_size, self._dtype) for cell in self.cells]

    def begin(self) -> None:
        """A new sequence begins."""
        _begin(*self.cells)

    def call(self, inputs: Tensor, states: Any, training: bool | None = False) -> tuple[Tensor, Any]:
        """Return the output of the last cell, and the states of all."""
        after = []
        for cell, state in zip(self.cells, states):
            inputs, state = cell(inputs, state)
            after.append(state)
        return inputs, after


def _checked(cell: Any) -> Any:
    for what in ("call", "state_size"):
        if not hasattr(cell, what):
            raise ValueError(f"Argument `cell` should have a `{what}`{' method' if what == 'call' else ''}. Received: cell={cell}")
    return cell


def _first_state(cell: Any, batch_size: int, dtype: Any) -> Any:
    """Return the state before the first step: what the cell says, or zeros."""
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(batch_size=batch_size)
    sizes = cell.state_size
    return map_structure(lambda n: zeros((batch_size, n), dtype), list(sizes) if isinstance(sizes, (list, tuple)) else [sizes])


def _built(cell: Any, input_shape: Any) -> None:
    if isinstance(cell, Layer) and not cell.built:
        cell.build(input_shape)
        cell.built = True


def _begin(*cells: Any) -> None:
    for cell in cells:
        if hasattr(cell, "begin"):
            cell.begin()


class RNN(Layer):
    """Call a cell with each step of a sequence, in a loop.

    Shape: (batch, steps, features) -> (batch, units), or (batch, steps, units) for `return_sequences`. With `return_state` the
    last state comes after that. Raises ValueError for what is no cell and no sequence. Source: `keras.layers.RNN`.
    """

    def __init__(self, cell: Any, return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
                 stateful: bool = False, unroll: bool = False, zero_output_for_mask: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if stateful:
            raise NotImplementedError("minitape's layers keep no state between calls: use return_state=True, and pass what comes back "
                                      "as initial_state to the next call.")
        self.cell = StackedRNNCells(cell) if isinstance(cell, (list, tuple)) else _checked(cell)
        self.return_sequences, self.return_state, self.go_backwards = return_sequences, return_state, go_backwards
        self.zero_output_for_mask = zero_output_for_mask

    units = property(lambda self: self.cell.units, doc="The length of the output.")

    def build(self, input_shape: Any) -> None:
        """Build the cell for one step."""
        if len(input_shape) < 3:
            self._refuse(tuple(input_shape))
        with within(self.name) if scopes.get()[-1:] != (self.name,) else nullcontext():
            _built(self.cell, (input_shape[0], *input_shape[2:]))
        self.built = True

    def _refuse(self, shape: Any) -> NoReturn:
        raise ValueError(f"Input 0 of layer '{self.name}' is incompatible with the layer: expected ndim=3, found ndim={len(shape)}. "
                         f"Full shape received: {shape}")

    def get_initial_state(self, batch_size: int) -> Any:
        """Return the state before the first step: what the cell says, or zeros."""
        return _first_state(self.cell, batch_size, self._dtype)

    def call(self, sequences: Tensor, initial_state: Any = None, mask: TensorLike | None = None, training: bool | None = False) -> Any:
        """Return the last output, or all of them; and the state where it is wanted. Steps that `mask` leaves out change nothing."""
        if sequences.value.ndim < 3:
            self._refuse(sequences.value.shape)
        if not sequences.value.shape[1]:
            raise ValueError(f"Layer '{self.name}' was called on sequences without a step: {sequences.value.shape}.")
        state = self.get_initial_state(sequences.value.shape[0]) if initial_state is None else initial_state
        state = list(state) if isinstance(state, (list, tuple)) else [state]
        state = map_structure(convert_to_tensor, state)
        steps, counts = unstack(sequences, axis=1), None if mask is None else unstack(convert_to_tensor(mask), axis=1)
        order = range(len(steps))
        outputs: list[Any] = []
        _begin(self.cell)
        for t in reversed(order) if self.go_backwards else order:
            output, after = self.cell(steps[t], state)
            after = list(after) if isinstance(after, (list, tuple)) else [after]
            if counts is not None:
                here = counts[t][:, None]
                before = output * 0 if self.zero_output_for_mask or not outputs else outputs[-1]
                output = where(here, output, before)
                after = map_structure(lambda new, old: where(here, new, old), after, state)  # noqa: B023  (called at once)
            outputs.append(output)
            state = after
        found = stack(outputs, axis=1) if self.return_sequences else outputs[-1]
        return (found, *state) if self.return_state else found


_LOOP = {"return_sequences": False, "return_state": False, "go_backwards": False, "stateful": False, "unroll": False}


def _around(cell: type[Cell], title: str, before: Sequence[str], after: Sequence[str]) -> Any:
    """Return the layer that is the loop around a cell: it takes the arguments of both, in Keras's order."""
    known = {**signature(cell).parameters, **{name: Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
             for name, default, kind in [("activity_regularizer", None, "RegularizerLike"), ("use_cudnn", "auto", "object"),
                                         *[(name, default, "bool") for name, default in _LOOP.items()]]}}
    first = [name for name in signature(cell).parameters if name not in (*before, *after, "kwargs")]
    place = first.index("bias_regularizer") + 1
    names = [*first[:place], "activity_regularizer", *first[place:], *before, *_LOOP, *after]
    takes = Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *[known[name] for name in names],
                       Parameter("kwargs", Parameter.VAR_KEYWORD, annotation="Any")], return_annotation="None")

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        try:
            given = takes.bind(self, *args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{title}.__init__() {error}") from None
        more = given.pop("kwargs", {})
        for_loop = {name: given[name] for name in _LOOP if name in given}
        for_cell = {name: value for name, value in given.items() if name in first or name in (*before, *after) and name != "use_cudnn"}
        for_cell.pop("self", None)
        RNN.__init__(self, cell(**for_cell, dtype=more.get("dtype")), **for_loop, **more)

    __init__.__signature__ = takes  # type: ignore[attr-defined]
    doc = f"{(cell.__doc__ or '').split(' Source')[0]} In a loop, see `RNN`. Source: `keras.layers.{title}`."
    return type(title, (RNN,), {"__init__": __init__, "__doc__": doc, "__module__": __name__, "__qualname__": title})


SimpleRNN = _around(SimpleRNNCell, "SimpleRNN", [], ["seed"])
GRU = _around(GRUCell, "GRU", ["seed"], ["reset_after", "use_cudnn"])
LSTM = _around(LSTMCell, "LSTM", ["seed"], ["use_cudnn"])

_MERGES = {"concat": lambda a, b: concat([a, b], -1), "sum": lambda a, b: a + b, "mul": lambda a, b: a * b,
           "ave": lambda a, b: (a + b) / 2, None: lambda a, b: (a, b)}


class Bidirectional(Layer):
    """A recurrent layer and its twin, which reads the sequence from its end; their outputs side by side.

    Shape: (batch, steps, features) -> (batch, 2 * units). Raises ValueError for another `merge_mode` or what is no layer. Source:
    `keras.layers.Bidirectional`.
    """

    def __init__(self, layer: Any, merge_mode: str | None = "concat", weights: Any = None, backward_layer: Any = None,
                 **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(f"Please initialize `Bidirectional` layer with a `keras.layers.Layer` instance. Received: {layer}")
        if merge_mode not in _MERGES:
            raise ValueError(f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of {[*_MERGES]}.")
        super().__init__(**kwargs)
        self.forward_layer: Any
        self.merge_mode, name = merge_mode, layer.name
        self.backward_layer = backward_layer or deepcopy(layer)
        self.forward_layer, layer.name = layer, f"forward_{name}"
        if backward_layer is None:
            self.backward_layer.name, self.backward_layer.go_backwards = f"backward_{name}", not self.forward_layer.go_backwards

    def call(self, sequences: Tensor, initial_state: Any = None, mask: TensorLike | None = None, training: bool | None = None) -> Any:
        """Return the merged outputs; and the states of both, where the layers return them."""
        half = None if initial_state is None else len(initial_state) // 2
        states = (None, None) if half is None else (initial_state[:half], initial_state[half:])
        there, back = (layer(sequences, initial_state=state, mask=mask)
                       for layer, state in zip((self.forward_layer, self.backward_layer), states))
        (y, *state), (z, *other) = (there, back) if isinstance(there, tuple) else ((there,), (back,))
        if getattr(self.forward_layer, "return_sequences", False):
            z = reverse(z, [1])
        merged = _MERGES[self.merge_mode](y, z)
        return (merged, *state, *other) if state else merged
