"""Recurrent layers: an ordinary Python loop gives a cell (`cells.py`) the steps of a sequence, with
the state that it left behind.

On a tape stands every step. `SimpleRNN`, `GRU` and `LSTM` are that loop, `RNN`, around their cell.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NoReturn

from ...api.elementwise import cast
from ...api.indexing import where
from ...api.shaping import concat, reverse, stack, unstack
from ...engine.base.nest import map_structure
from ...engine.base.tensor import Tensor
from ...engine.convert import convert_to_tensor
from ...typing import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike, TensorLike
from .base import Layer
from .cells import (
    GRUCell,
    LSTMCell,
    SimpleRNNCell,
    begin_all,
    build_once,
    checked,
    first_state,
    under_name,
)


class RNN(Layer):
    """Call a cell with each step of a sequence, in a loop.

    Shape: (batch, steps, features) -> (batch, units), or (batch, steps, units) for
    `return_sequences`. With `return_state` the last state comes after that. Raises ValueError for
    what is no cell and no sequence. Source: `keras.layers.RNN`.
    """

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        zero_output_for_mask: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if stateful:
            raise NotImplementedError(
                "minitape's layers keep no state between calls: use return_state=True, and pass "
                "what comes back "
                "as initial_state to the next call."
            )
        self.cell = checked(cell)
        self.return_sequences, self.return_state, self.go_backwards = (
            return_sequences,
            return_state,
            go_backwards,
        )
        self.zero_output_for_mask = zero_output_for_mask

    units = property(lambda self: self.cell.units, doc="The length of the output.")

    def build(self, input_shape: Any) -> None:
        """Build the cell for one step."""
        if len(input_shape) < 3:
            self._refuse(tuple(input_shape))
        with under_name(self):
            build_once(self.cell, (input_shape[0], *input_shape[2:]))
        self.built = True

    def _refuse(self, shape: Any) -> NoReturn:
        raise ValueError(
            f"Input 0 of layer '{self.name}' is incompatible with the layer: expected ndim=3, "
            f"found ndim={len(shape)}. "
            f"Full shape received: {shape}"
        )

    def get_initial_state(self, batch_size: int) -> Any:
        """Return the state before the first step: what the cell says, or zeros."""
        return first_state(self.cell, batch_size, self._dtype)

    def call(
        self,
        sequences: Tensor,
        initial_state: Any = None,
        mask: TensorLike | None = None,
        training: bool | None = False,
    ) -> Any:
        """Return the last output, or all of them; and the state where it is wanted. Steps that
        `mask` leaves out change nothing.
        """
        sequences = convert_to_tensor(sequences)
        if sequences.value.ndim < 3:
            self._refuse(sequences.value.shape)
        if not sequences.value.shape[1]:
            raise ValueError(
                f"Layer '{self.name}' was called on sequences without a step: "
                f"{sequences.value.shape}."
            )
        state = (
            self.get_initial_state(sequences.value.shape[0])
            if initial_state is None
            else initial_state
        )
        state = list(state) if isinstance(state, (list, tuple)) else [state]
        own = self.cell if isinstance(self.cell, Layer) else self
        state = map_structure(lambda part: own._input(convert_to_tensor(part)), state)
        steps, counts = (
            unstack(sequences, axis=1),
            None if mask is None else unstack(cast(mask, bool), axis=1),
        )
        order = range(len(steps))
        outputs: list[Any] = []
        begin_all(self.cell)
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
        sequence = self._input(stack(outputs, axis=1) if self.return_sequences else outputs[-1])
        return (sequence, *map_structure(self._input, state)) if self.return_state else sequence


class SimpleRNN(RNN):
    """A loop around `SimpleRNNCell`: h = activation(x @ kernel + bias + h @ recurrent_kernel).
    Source: `keras.layers.SimpleRNN`.
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
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        seed: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            SimpleRNNCell(
                units,
                activation,
                use_bias,
                kernel_initializer,
                recurrent_initializer,
                bias_initializer,
                kernel_regularizer,
                recurrent_regularizer,
                bias_regularizer,
                kernel_constraint,
                recurrent_constraint,
                bias_constraint,
                dropout,
                recurrent_dropout,
                seed,
                dtype=kwargs.get("dtype"),
            ),
            return_sequences,
            return_state,
            go_backwards,
            stateful,
            unroll,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )


class GRU(RNN):
    """A loop around `GRUCell`: gates say how much of the state stays. Source: `keras.layers.GRU`."""

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
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        reset_after: bool = True,
        use_cudnn: object = "auto",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            GRUCell(
                units,
                activation,
                recurrent_activation,
                use_bias,
                kernel_initializer,
                recurrent_initializer,
                bias_initializer,
                kernel_regularizer,
                recurrent_regularizer,
                bias_regularizer,
                kernel_constraint,
                recurrent_constraint,
                bias_constraint,
                dropout,
                recurrent_dropout,
                reset_after,
                seed,
                dtype=kwargs.get("dtype"),
            ),
            return_sequences,
            return_state,
            go_backwards,
            stateful,
            unroll,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )


class LSTM(RNN):
    """A loop around `LSTMCell`: gates say what is written to a memory, what stays, and what is
    shown. Source: `keras.layers.LSTM`.
    """

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
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: Any = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        use_cudnn: object = "auto",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            LSTMCell(
                units,
                activation,
                recurrent_activation,
                use_bias,
                kernel_initializer,
                recurrent_initializer,
                bias_initializer,
                unit_forget_bias,
                kernel_regularizer,
                recurrent_regularizer,
                bias_regularizer,
                kernel_constraint,
                recurrent_constraint,
                bias_constraint,
                dropout,
                recurrent_dropout,
                seed,
                dtype=kwargs.get("dtype"),
            ),
            return_sequences,
            return_state,
            go_backwards,
            stateful,
            unroll,
            activity_regularizer=activity_regularizer,
            **kwargs,
        )


_MERGES = {
    "concat": lambda a, b: concat([a, b], -1),
    "sum": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "ave": lambda a, b: (a + b) / 2,
    None: lambda a, b: (a, b),
}


def _twin(side: str, layer: Layer, **changed: Any) -> Any:
    """Return a layer like the given one, which is left alone."""
    twin = deepcopy(layer)
    twin.name = f"{side}_{layer.name}"
    vars(twin).update(changed)
    return twin


class Bidirectional(Layer):
    """A recurrent layer and its twin, which reads the sequence from its end; their outputs side by
    side.

    Shape: (batch, steps, features) -> (batch, 2 * units). Raises ValueError for another
    `merge_mode` or what is no layer. Source: `keras.layers.Bidirectional`.
    """

    def __init__(
        self,
        layer: Any,
        merge_mode: str | None = "concat",
        weights: Any = None,
        backward_layer: Any = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                "Please initialize `Bidirectional` layer with a `keras.layers.Layer` instance. "
                f"Received: {layer}"
            )
        if merge_mode not in _MERGES:
            raise ValueError(
                f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of "
                f"{[*_MERGES]}."
            )
        super().__init__(**kwargs)
        self.merge_mode, self.forward_layer = merge_mode, _twin("forward", layer)
        self.backward_layer = backward_layer or _twin("backward", layer, go_backwards=True)
        for name in ("go_backwards", "return_sequences", "return_state"):
            there, back = (
                getattr(one, name, None) for one in (self.forward_layer, self.backward_layer)
            )
            if (there == back) == (name == "go_backwards"):
                raise ValueError(
                    "Forward layer and backward layer should have "
                    f"{'different' if there == back else 'the same'} `{name}` "
                    f"value. Received: {there} and {back}."
                )
        for one in (self.forward_layer, self.backward_layer):
            one.zero_output_for_mask = getattr(one, "return_sequences", False)

    def build(self, input_shape: Any) -> None:
        """Build both layers."""
        with under_name(self):
            for layer in (self.forward_layer, self.backward_layer):
                build_once(layer, input_shape)
        self.built = True

    def call(
        self,
        sequences: Tensor,
        initial_state: Any = None,
        mask: TensorLike | None = None,
        training: bool | None = None,
    ) -> Any:
        """Return the merged outputs; and the states of both, where the layers return them."""
        half = None if initial_state is None else len(initial_state) // 2
        states = (None, None) if half is None else (initial_state[:half], initial_state[half:])
        there, back = (
            layer(sequences, initial_state=state, mask=mask)
            for layer, state in zip((self.forward_layer, self.backward_layer), states)
        )
        (y, *state), (z, *other) = (
            (there, back) if isinstance(there, tuple) else ((there,), (back,))
        )
        y, z = self._input([y, z])
        if getattr(self.forward_layer, "return_sequences", False):
            z = reverse(z, [1])
        merged = _MERGES[self.merge_mode](y, z)
        return (
            (*(merged if self.merge_mode is None else [merged]), *state, *other)
            if state
            else merged
        )
