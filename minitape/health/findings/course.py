"""The course of a training, as the findings ask about it: before the first bad number, layer beside
layer, in its first and last part.

All questions are about ratios: of a layer to a layer, of an update to its weights, of an error to
that of a constant prediction. So neither the size of a batch nor a factor before the loss changes
an answer.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..seen.history import History, LayerHistory, WeightHistory

FEW_STEPS = 3  # fewer say nothing of a course


class Course:
    """What a history says, cut off at the first number that is not finite."""

    def __init__(self, history: History) -> None:
        self.history, self.bad = history, history.bad
        steps, end = history.steps, history.bad["step"] if history.bad else None
        self.columns = len(steps) if end is None else sum(step < end for step in steps)
        self.steps = history.losses.steps if end is None else end
        self.layers: list[LayerHistory] = [layer for layer in history.layers.values() if layer.op]
        self.losses = [loss for loss in history.losses.mean if loss is not None]
        if end is not None:  # what came behind the first bad number is no course any more
            self.losses = self.losses[: max(1, end // history.losses.each)]
        self.constant = history.labels.constant()

    def of(self, layer: LayerHistory, measure: str) -> list[float]:
        """Return the numbers of a layer up to the first bad one."""
        return [n for n in layer.columns[measure][: self.columns] if n is not None]

    def seen(self, measure: str) -> list[float]:
        """Return the numbers of a measure over all layers up to the first bad one."""
        return [n for n in self.history.columns[measure][: self.columns] if n is not None]

    def late(self, numbers: list[float], share: int = 3) -> list[float]:
        """Return the last part of a list, a third of it."""
        return numbers[-max(1, len(numbers) // share) :]

    def typical(self, layer: LayerHistory, measure: str, late: bool = False) -> float | None:
        """Return the median of a measure, None where it was never taken; of the last third, if
        `late`.
        """
        numbers = self.of(layer, measure)
        return median(self.late(numbers) if late else numbers) if numbers else None

    def turn(self) -> float | None:
        """Return how a gradient typically points beside the update before it, late in the course:
        above 0 the update went too far.
        """
        numbers = self.seen("turn")
        return median(self.late(numbers, 2)) if len(numbers) > 2 else None

    def along(self) -> float | None:
        """Return how the last gradients point beside the first."""
        numbers = self.seen("along")
        return median(self.late(numbers)) if len(numbers) > 2 else None

    def skills(self) -> list[float]:
        """Return how much better the predictions were than the best constant one: 1 for no error, 0
        for no better.

        For each step where the loss is that error up to a factor, else for each look.
        """
        if self.constant is None:
            return []
        columns = self.history.columns
        pairs = [
            (loss, error)
            for loss, error in zip(columns["loss"][: self.columns], columns["error"])
            if loss is not None and error
        ]
        factors = [loss / error for loss, error in pairs]
        if factors and min(factors) > 0 and max(factors) < 1.02 * min(factors):
            return [1 - loss / factors[0] / self.constant for loss in self.losses]
        return [1 - error / self.constant for _, error in pairs]

    @property
    def skill(self) -> float | None:
        """The skill late in the course, None where labels were not recognised."""
        skills = self.late(self.skills())
        return median(skills) if skills else None

    @property
    def ratio(self) -> float:
        """The loss late in the course beside that of its beginning, both measured from 0."""
        first = self.losses[: max(1, len(self.losses) // 50)]
        begin, end = (
            abs(median(first)) if first else 0.0,
            abs(median(self.late(self.losses, 10))) if self.losses else 0.0,
        )
        return end / begin if begin else 1.0

    @property
    def diverged(self) -> bool:
        """True where the loss has grown far above its beginning."""
        begin = abs(self.losses[0]) if self.losses else 0.0
        return (
            len(self.losses) > FEW_STEPS
            and abs(self.losses[-1]) > 20 * max(begin, self.constant or 0.0, 1e-12)
            or len(self.losses) > FEW_STEPS
            and self.ratio > 20
        )

    @property
    def well(self) -> bool:
        """True where the training does what it should: its predictions are good, or, where that is
        not known, the loss has fallen.
        """
        if self.bad is not None or self.diverged:
            return False
        return self.skill > 0.6 if self.skill is not None else self.ratio < 0.4

    @property
    def learns(self) -> bool:
        """True where it does at least something of that."""
        if self.bad is not None or self.diverged:
            return False
        return self.skill > 0.15 if self.skill is not None else self.ratio < 0.85

    def weights_of(self, layer: LayerHistory) -> list[WeightHistory]:
        """Return the weights of a layer."""
        return [
            self.history.weights[number]
            for number in layer.variables
            if number in self.history.weights
        ]

    def update(self, late: bool = False) -> float | None:
        """Return the largest typical update of a layer beside its weights."""
        updates = [
            u
            for u in (self.typical(layer, "update", late) for layer in self.layers)
            if u is not None
        ]
        return max(updates, default=None)

    def chain(self, measure: str, column: int) -> list[tuple[LayerHistory, float]]:
        """Return (layer, number) for the layers that have a finite number above 0 at a look, in the
        order of their outputs.
        """
        result: list[Any] = [(layer, layer.columns[measure][column]) for layer in self.layers]
        return [(layer, n) for layer, n in result if n is not None and n > 0]
