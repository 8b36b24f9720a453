"""Models that are described before there are data: what `keras.Input` gives, and what layers make
of it.

A layer that is called on a `KerasTensor` computes nothing for the learner: it tries itself on two
examples, of which the second is longer wherever a length is free, and remembers the call. A `Graph`
does the calls between inputs and outputs again, on tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...engine.base.dtypes import as_dtype
from ...engine.base.listeners import active
from ...engine.base.nest import flatten, map_structure, pack_sequence_as
from ...engine.base.tensor import Tensor
from ...engine.convert import convert_to_tensor
from ...typing import DTypeLike
from ..naming import new_name

# the `training` of an outer layer, which inner layers inherit
training_context: ContextVar[bool | None] = ContextVar("training", default=None)
_numbers = count()


class KerasTensor:
    """Stands for a tensor that comes later: `shape` with None where a length is free, `dtype`, and
    the call that makes it.

    Source: `keras.KerasTensor`.
    """

    instead_of_a_tensor = (
        " It stands for a tensor that comes later: only layers can be called on it. Make a layer "
        "of the function: "
        "tf.keras.layers.Lambda(lambda x: ...)(x), or write it into the call() of a layer of "
        "your own."
    )

    layer: Any = None  # the `InputLayer` of an input

    if TYPE_CHECKING:  # the operators that the loop below installs

        def _operated(self, *others: Any) -> Any: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = (
            __rtruediv__
        ) = _operated
        __pow__ = __neg__ = __abs__ = __matmul__ = __rmatmul__ = __getitem__ = _operated

    def __init__(self, examples: Sequence[Tensor], name: str, call: Call | None = None) -> None:
        self.examples, self.name, self.call = examples, name, call

    shape = property(
        lambda self: tuple(
            [a if a == b else None for a, b in zip(*[e.shape for e in self.examples])]
        ),
        doc="The lengths of the axes; None for a free one.",
    )
    dtype = property(lambda self: self.examples[0].dtype.name, doc="The name of the dtype.")
    ndim = property(lambda self: self.examples[0].ndim, doc="The number of axes.")

    def __repr__(self) -> str:
        return (
            f"<KerasTensor shape={self.shape}, dtype={self.dtype}, sparse=False, "
            f"ragged=False, name={self.name}>"
        )

    def __iter__(self) -> NoReturn:
        raise NotImplementedError(
            "Iterating over a symbolic KerasTensor is not supported: no numbers are there yet."
        )

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "A symbolic KerasTensor cannot be used as a boolean: no numbers are there yet."
        )


def placeholder(shape: Sequence[int | None], dtype: DTypeLike | None, name: str) -> KerasTensor:
    """Return a `KerasTensor` that no layer has made: its examples are zeros."""
    free = [(1, 2) if k == 0 else (32, 64) for k in range(len(shape))]
    kind = as_dtype("float32" if dtype is None else dtype)
    # seen at every place
    zero = convert_to_tensor(
        np.zeros((), "S1" if kind.name == "string" else kind.as_numpy_dtype)
    ).value
    sizes = [[pair[e] if n is None else n for n, pair in zip(shape, free)] for e in (0, 1)]
    return KerasTensor([Tensor(np.broadcast_to(zero, size)) for size in sizes], name)


def is_symbolic(x: Any) -> bool:
    """Return True for a `KerasTensor` and for structures that hold one."""
    if isinstance(x, (list, tuple)):
        return any([is_symbolic(v) for v in x])
    return (
        isinstance(x, KerasTensor)
        or isinstance(x, dict)
        and any([is_symbolic(v) for v in x.values()])
    )


class Call:
    """One call of a layer on symbols."""

    def __init__(self, layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.layer, self.args, self.kwargs, self.number = layer, args, kwargs, next(_numbers)
        self.outputs: list[Any] = []
        self.inputs = [x for x in flatten([list(args), kwargs]) if isinstance(x, KerasTensor)]

    def made_of(self, values: Callable[[Any], Any]) -> Any:
        """Call the layer with the tensors that stand in `values` for the symbols."""
        args, kwargs = map_structure(
            lambda x: values(x) if isinstance(x, KerasTensor) else x, [list(self.args), self.kwargs]
        )
        return self.layer(*args, **kwargs)


class Described:
    """The part of a layer that can be described: what it is called on, and what it makes of it."""

    name: str
    dtype: Any

    def _describe(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Remember a call on symbols, and return the symbols of its results."""
        call, token, outer_training = (
            Call(self, args, kwargs),
            active.set(()),
            training_context.set(False),
        )
        try:
            small, large = [call.made_of(lambda x: x.examples[e]) for e in (0, 1)]  # noqa: B023  (called at once)
        finally:
            training_context.reset(outer_training)
            active.reset(token)
        call.outputs = [
            KerasTensor(pair, new_name("KerasTensor"), call)
            if isinstance(pair[0], Tensor)
            else pair[0]
            for pair in zip(flatten(small), flatten(large))
        ]
        self.__dict__["_described"] = call
        return pack_sequence_as(small, call.outputs)

    def _last_call(self, what: str) -> Call:
        call = self.__dict__.get("_described")
        if call is None:
            raise AttributeError(
                f"The layer {self.name} has never been called on a tf.keras.Input and thus has "
                f"no defined {what}."
            )
        return call

    @property
    def input(self) -> Any:
        """The symbol (or the list of them) that the layer was called on last. Raises AttributeError
        before.
        """
        return one_or_all(self._last_call("input").inputs)

    @property
    def output(self) -> Any:
        """The symbol (or the list of them) that the layer made last. Raises AttributeError before."""
        return one_or_all(self._last_call("output").outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs for a shape of the inputs, by trying."""
        made = self._describe((placeholder(input_shape, self.dtype, "input"),), {})
        return map_structure(lambda x: x.shape, made)


def one_or_all(symbols: list[Any]) -> Any:
    return symbols[0] if len(symbols) == 1 else list(symbols)


class Graph:
    """The calls that lead from inputs to outputs, both structures of symbols. Raises ValueError
    where they do not.
    """

    def __init__(self, inputs: Any, outputs: Any) -> None:
        for x in flatten([inputs, outputs]):
            if not isinstance(x, KerasTensor):
                raise ValueError(
                    "All `inputs` and `outputs` values must be KerasTensors, made from "
                    f"tf.keras.Input. Received: {x}"
                )
        self.inputs, self.outputs = flatten(inputs), flatten(outputs)
        self._structure = (
            self.outputs[0] if isinstance(outputs, list) and len(self.outputs) == 1 else outputs
        )
        calls, todo = {}, list(self.outputs)
        while todo:
            x = todo.pop()
            if any([x is given for given in self.inputs]):
                continue
            if x.call is None:
                raise ValueError(
                    f"`inputs` not connected to `outputs`: {x} is needed, and is not among the "
                    "inputs."
                )
            if x.call.number not in calls:
                calls[x.call.number] = x.call
                todo += x.call.inputs
        self.calls = [calls[n] for n in sorted(calls)]  # made earlier, needed earlier

    def layers(self) -> list[Any]:
        """Return the layers in Keras's order: those farthest from the outputs first, else as they
        are met from there.
        """
        met: dict[Any, int] = {}
        far: dict[Any, int] = {}
        depths: dict[Any, int] = {}
        todo = list(reversed(self.outputs))
        while todo:
            maker = self._maker(todo.pop())
            if maker not in met:
                met[maker] = len(met)
                todo += reversed(maker.inputs) if isinstance(maker, Call) else []
        for call in reversed(self.calls):  # later ones first: each after all that use it
            depth = far[call.layer] = max(depths.get(call, 0), far.get(call.layer, 0))
            for x in call.inputs:
                depths[self._maker(x)] = max(depth + 1, depths.get(self._maker(x), 0))
        first: dict[Any, int] = {}
        for maker, place in met.items():
            first.setdefault(maker.layer, place)
        for x in self.inputs:
            far[x.layer], _ = depths.get(x, 0), first.setdefault(x.layer, -1)
        return sorted(
            [
                layer
                for layer in far
                if layer is not None and not getattr(layer, "is_operator", False)
            ],
            key=lambda layer: (-far[layer], first[layer]),
        )

    def _maker(self, x: Any) -> Any:
        """Return the call that makes a symbol, or the symbol where it is an input."""
        return x if any([x is given for given in self.inputs]) else x.call

    def __call__(self, inputs: Any) -> Any:
        given = flatten(inputs)
        if len(given) != len(self.inputs):
            names = [x.name for x in self.inputs]
            raise ValueError(
                f"The model expects {len(names)} inputs, {names}, and was called on {len(given)}."
            )
        values = {id(x): value for x, value in zip(self.inputs, given)}
        for call in self.calls:
            made = flatten(call.made_of(lambda x: values[id(x)]))
            values.update((id(x), value) for x, value in zip(call.outputs, made))
        return pack_sequence_as(self._structure, [values[id(x)] for x in self.outputs])
