"""Metrics of Keras: what goes into one, and what it gives. They keep numbers, and no gradient comes
back out of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tensorflow.python.eager import context
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.util import nest

from ..shield import shielded
from .autograph import here
from .tensors import keras_class

if TYPE_CHECKING:
    from ..shield import Shield
    from .blocks import Blocks
    from .tensors import Tensors


class Metrics:
    """Notes on the tapes that record what `minitape.keras` notes of its own
    metrics.
    """

    def __init__(self, shield: Shield, infos: Tensors, blocks: Blocks) -> None:
        self.shield, self.tensors, self.blocks = shield, infos, blocks
        self.within = False  # what one metric calls itself, its base class say, is not another one

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one), for each class of
        metrics that Keras has.

        A learner's own class is left alone: AutoGraph would rewrite its new function, where it is
        compiled.
        """
        result: list[Any] = keras_class("metrics.metric", "Metric")
        for kind in result:
            result += [
                each
                for each in kind.__subclasses__()
                if each not in result and each.__module__.startswith("keras.")
            ]
        return [
            (kind, name, around)
            for kind in result
            for name, around in (("update_state", self._fed), ("result", self._asked))
            if name in vars(kind)
        ]

    def _fed(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def update_state(metric: Any, *arguments: Any, **named: Any) -> Any:
            if not self.within:
                self._takes_in(metric, arguments, named)
            return self._alone(old, metric, *arguments, **named)

        return update_state

    def _asked(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def result(metric: Any, *arguments: Any, **named: Any) -> Any:
            answer = self._alone(old, metric, *arguments, **named)
            if not self.within:
                self._gives_out(metric, answer)
            return answer

        return result

    def _alone(self, old: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        if self.within or not self.shield.down:
            return old(*arguments, **named)
        self.within = True
        try:
            return old(*arguments, **named)
        finally:
            self.within = False

    @shielded
    def _takes_in(self, metric: Any, *given: Any) -> None:
        if self.blocks.open and metric.variables and context.executing_eagerly():
            infos = map(self.tensors.describe, nest.flatten(given))
            ids = tuple([obj.id for obj in infos if obj is not None])
            self.blocks.note(
                "metric takes in", here(), metric=self._number(metric), name=metric.name, ids=ids
            )

    @shielded
    def _gives_out(self, metric: Any, value: Any) -> None:
        if metric.variables and isinstance(value, EagerTensor):
            site = self.tensors.sites.of_line()
            self.blocks.note(
                "metric gives out",
                site.where,
                metric=self._number(metric),
                id=self.tensors.made(value, site.within(None)),
            )

    def _number(self, metric: Any) -> int:
        """Return the number that stands for a metric in notes: that of its first variable."""
        return self.tensors.describe(metric.variables[0]).id  # type: ignore[union-attr]
