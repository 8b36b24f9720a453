"""The layers on a tape: which entry gives the output of which layer, and where predictions meet
their labels.

A tape knows entries only. What belongs together is read off the weights: an entry that uses a
variable belongs to the variable's layer, and so does the bend that follows (relu, tanh, ...). A
layer of Keras is known by the path of its weights; a variable of one's own with two axes or more
begins a layer, and what is added to its result joins it. What comes behind the last layer is the
loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minitape.engine.base.aliases import Number, RawEntry, Where
from minitape.engine.ops.facts import facts_of
from minitape.program.values import layer_of

READ = "ReadVariableOp"
# how the graph of an operation bends that ends a layer
ACTIVATIONS = ("relu", "leaky", "saturated")


class Layer:
    """One layer, as a tape shows it.

    `key`: what it is known by, the same at every step; `variables`: the numbers of its weights;
    `first`, `out`: the entries that begin it and give its output; `bend`: the operation of the
    latter, where it is a bend; `uses`: how often its first weight is used, more than once in a
    recurrent layer; `turns`: the entries of these uses; `product`: True where its values are sums
    over inputs (a matrix product, a convolution).
    """

    def __init__(self, key: Any, index: int) -> None:
        self.key, self.first, self.out, self.bend, self.uses, self.product = (
            key,
            index,
            index,
            "",
            0,
            False,
        )
        self.variables: list[Number] = []
        self.turns: list[int] = []


class Meeting:
    """Where predictions meet labels: the entry, which of its inputs they are, and their `kind`:
    what the loss `compares` (a fact of its row), or "logarithms".
    """

    def __init__(self, index: int, prediction: int, label: int, kind: str) -> None:
        self.index, self.prediction, self.label, self.kind = index, prediction, label, kind


class Anatomy:
    """What is found on one tape: `layers` in the order of their outputs, the `meeting` of the last
    one with the labels or None, and `inputs`, the entries whose first input is data that a layer
    takes in, {index: Layer}.
    """

    def __init__(self, entries: Sequence[RawEntry], paths: Mapping[Number, str]) -> None:
        """`paths`: {number of a variable: path of its layer in Keras, "" for a variable of one's
        own}.
        """
        # number of a weight, as a tensor -> of its variable
        self._reading: dict[Number, Number] = {}
        self._made: dict[Number, Layer] = {}  # number of a value -> the layer that it comes from
        self._of: dict[Any, Layer] = {}
        self._key_of: dict[Number, Any] = {}
        self.inputs: dict[int, Layer] = {}
        for index, entry in enumerate(entries):
            self._take(index, entry, paths)
        self.layers = sorted(self._of.values(), key=lambda layer: layer.out)
        self.meeting = self._meet(entries)

    def _take(self, index: int, entry: RawEntry, paths: Mapping[Number, str]) -> None:
        op, inputs, output, _, _, _, values, y = entry
        flowing = [self._made[n] for n in inputs if n in self._made]
        if isinstance(output, tuple):
            if flowing:
                self._made.update((n, max(flowing, key=lambda layer: layer.out)) for n in output)
            return
        if op == READ:
            self._reading[output] = inputs[0]
            return
        weights = [n for n in inputs if n in self._reading]
        if weights and not flowing and self._stays_weight(op, inputs, weights, values, y):
            self._reading[output] = self._reading[weights[0]]
        # else it is a penalty
        elif weights and (y.ndim or not flowing) and set(inputs) != set(weights):
            layer = None
            for n in weights:
                layer = self._layer(
                    self._reading[n], paths, flowing, index, values[inputs.index(n)].ndim
                )
            assert layer is not None
            self._made[output], layer.out, layer.bend = layer, index, ""
            # sums of products with the inputs: a matrix product, a convolution
            layer.product |= facts_of(op).mixes and facts_of(op).bends == "factor"
            if self._reading[weights[0]] == layer.variables[0]:
                layer.uses += 1
                layer.turns.append(index)
            if (
                not flowing
                and inputs[0] not in self._reading
                and values[0].dtype.kind == "f"
                and layer.product
            ):
                self.inputs[index] = layer
        elif flowing:
            layer = self._made[output] = max(flowing, key=lambda layer: layer.out)
            if (
                len(inputs) == 1
                and facts_of(op).bends in ACTIVATIONS
                and self._made[inputs[0]] is layer
                and entry[7].shape == values[0].shape
                and self._last_output == inputs[0]
            ):
                layer.out, layer.bend = index, op
        self._last_output = output

    _last_output: Any = None

    def _stays_weight(
        self, op: str, inputs: Any, weights: list[Number], values: Any, y: Any
    ) -> bool:
        """A transposed, cast or masked weight is a weight still; so is what is computed of weights
        alone, up to a penalty.
        """
        if facts_of(op).bends == "same":
            return True
        return (
            y.ndim > 0
            and y.size == values[inputs.index(weights[0])].size
            and all(
                [
                    n in weights or not v.ndim or y.ndim > 1 and v.shape == y.shape
                    for n, v in zip(inputs, values)
                ]
            )
        )

    def _layer(
        self,
        variable: Number,
        paths: Mapping[Number, str],
        flowing: list[Layer],
        index: int,
        axes: int,
    ) -> Layer:
        key = paths.get(variable) or self._key_of.get(variable)
        if key is None:
            key = (
                variable
                if axes >= 2 or not flowing
                else max(flowing, key=lambda layer: layer.out).key
            )
        self._key_of[variable] = key
        layer = self._of.get(key)
        if layer is None:
            layer = self._of[key] = Layer(key, index)
        if variable not in layer.variables:
            layer.variables.append(variable)
        return layer

    def _meet(self, entries: Sequence[RawEntry]) -> Meeting | None:
        """The first entry behind the last layer that compares its output with something that no
        weight has touched.
        """
        if not self.layers:
            return None
        last, logarithm = self.layers[-1], set()
        for index in range(last.out + 1, len(entries)):
            op, inputs, output = entries[index][:3]
            if op in ("Log", "LogSoftmax"):
                logarithm.add(output)
            kind = facts_of(op).compares or (
                "logarithms" if op == "Mul" and logarithm.intersection(inputs) else ""
            )
            if not kind or len(inputs) != 2:
                continue
            for place in (0, 1):
                other = inputs[1 - place]
                if (
                    self._made.get(inputs[place]) is last
                    and other not in self._made
                    and other not in self._reading
                    and entries[index][6][1 - place].ndim
                ):
                    return Meeting(index, place, 1 - place, kind)
        return None


def paths_of(variables: Any) -> dict[Number, str]:
    """Return {number: path of its layer, "" without one} for variables."""
    return {variable.id: layer_of(variable) for variable in variables}


def rectifies(op: str) -> bool:
    """Return whether units behind an operation can be dead: their output and their slope are 0."""
    return facts_of(op).bends == "relu"


def place_of(entry: RawEntry) -> Where:
    """Return where an entry stands in the program."""
    return entry[4], entry[5]
