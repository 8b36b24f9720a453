"""Which card belongs to which layer of a model.

A recording knows which calls of layers an operation was made in; nothing is guessed then. Where it
does not know, in a compiled function, a layer's weights carry its name (`dense_1/kernel`): the card
that uses a weight belongs to its layer, and so do the cards that follow from the same expression
(the bias, the activation), up to the next layer's weight.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from minitape.program.values import layer_of, short_paths

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Where
    from minitape.engine.recording import TensorInfo

    Calls: TypeAlias = tuple[tuple[int, str], ...]


class Layers:
    """The layers behind the variables of some tapes.

    Keras numbers its layers over the whole session; a picture must not depend on that, so layers
    with a name that Keras gave are numbered here in the order in which their weights are met.
    `paths`: a layer is called by its path in the model instead.
    """

    _now: tuple[Any, Any]

    def __init__(
        self,
        variables: list[TensorInfo],
        calls: Sequence[Sequence[Calls | None]] = (),
        paths: bool = False,
    ) -> None:
        # variable id -> (layer's own name, weight's name)
        self._of: dict[int, tuple[str, str]] = {}
        stems: dict[str, int] = {}
        order: dict[str, int] = {}
        for variable in variables:
            layer, name = layer_of(variable), getattr(variable, "path", "").rpartition("/")[2]
            if layer and variable.id not in self._of:
                self._of[variable.id] = layer, name
                stem = self._stem(layer)
                if layer not in order:
                    order[layer] = stems[stem] = stems.get(stem, 0) + 1
        # those without weights
        for _, layer in (call for tape in calls for around in tape for call in around or ()):
            if layer not in order:
                stem = self._stem(layer)
                order[layer] = stems[stem] = stems.get(stem, 0) + 1
        self._labels = (
            short_paths(order)
            if paths
            else {
                layer: self._stem(layer) + (str(number) if stems[self._stem(layer)] > 1 else "")
                for layer, number in order.items()
            }
        )
        self._now, self._calls = (None, None), 0  # the layer and position of the card before
        self._known: dict[int, tuple[Any, ...]] = {}  # the scopes of calls that a recording knows
        self._scopes = _scopes(calls)

    @staticmethod
    def _stem(layer: str) -> str:
        """`dense_1` was named by Keras: "Dense". Any other name is the learner's own, and stays."""
        from minitape import keras

        name = layer.rpartition("/")[2]
        camel = "".join(part.capitalize() for part in re.sub(r"_\d+$", "", name).split("_"))
        known = {
            kind.lower(): kind
            for kind in (*dir(keras.layers), "Sequential", "Functional")
            if kind[:1].isupper()
        }
        return known.get(camel.lower(), name)

    def of_variable(self, variable: TensorInfo) -> tuple[str, str]:
        """Returns (label of its layer, its own name), or ("", "") for a variable that no layer
        made.
        """
        layer, name = self._of.get(variable.id, ("", ""))
        return (self._labels[layer], name) if layer else ("", "")

    def path_of(self, number: int) -> str | None:
        """Returns the path of the layer of a variable's number, or None."""
        return self._of[number][0] if number in self._of else None

    def of_card(
        self, variables: Sequence[int | None], where: Where | None, known: Calls | None = None
    ) -> tuple[Any, ...]:
        """Returns the scopes around the card that uses these variables, as `fold` wants them."""
        if known is not None:
            self._now = (None, None)
            return tuple([self._scope(call, where) for call in known if call in self._scopes])
        if not self._of:  # no variable belongs to a layer
            return ()
        mine = next((self._of[variable][0] for variable in variables if variable in self._of), None)
        before, place = self._now
        layer = mine or (before if place == where else None)
        if layer is None:
            self._now = (None, None)
            return ()
        if layer != before or place != where:
            self._calls += 1
        self._now = (layer, where)
        return ((-self._calls, self._labels[layer], "layer"),)

    def _scope(self, call: tuple[int, str], where: Where | None) -> tuple[Any, ...]:
        """Returns the scope of a call, with the place of its first card: what another line calls is
        no round of a loop.
        """
        if call[0] not in self._known:
            self._calls += 1
            self._known[call[0]] = -self._calls, self._labels[call[1]], "layer", where
        return self._known[call[0]]


def _scopes(calls: Sequence[Sequence[Calls | None]]) -> set[tuple[int, str]]:
    """Returns which calls of layers that a recording knows get a box.

    Those that compute something themselves; and models, which only call layers, where they are a
    part: several on one tape (or one twice), or a base among the other layers of a larger model.
    """
    ways = [{around for around in tape if around} for tape in calls]
    inside: dict[tuple[int, str], set[tuple[int, str]]] = {}
    for call, inner in (
        pair for tape in ways for around in tape for pair in zip(around, around[1:])
    ):
        inside.setdefault(call, set()).add(inner)
    result = {around[-1] for tape in ways for around in tape}
    for tape in ways:
        models = {around[0] for around in tape if len(around) > 1}
        result |= models if len(models) > 1 else set()
    return result.union(
        *[
            {model for model in called if len(inside.get(model, ())) > 1}
            for called in inside.values()
            if len(called) > 1
        ]
    )
