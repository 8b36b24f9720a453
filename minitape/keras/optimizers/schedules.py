"""Learning rates that change with the steps: `keras.optimizers.schedules`."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, floor, pi
from typing import Any

import numpy as np

from ...api.missing import offer
from ...compile.again import again
from ...engine.base.tensor import Tensor
from ...engine.convert import convert_to_tensor
from ...typing import IntLike, ScalarLike
from ..naming import Configured


class LearningRateSchedule(Configured):
    """The base of all schedules: a function of the step, a tensor or a number, that returns a
    tensor.

    Source: `keras.optimizers.schedules.LearningRateSchedule`.
    """

    def __call__(self, step: IntLike) -> Tensor:
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must write `__call__(self, step)`."
        )


def number(x: Any) -> float:
    """Return a Python number."""
    return float(convert_to_tensor(x).value)


def rate(x: Any) -> Any:
    """Return a learning rate as a tensor."""
    return Tensor(np.float32(x))


class ExponentialDecay(LearningRateSchedule):
    """initial * decay_rate ** (step / decay_steps), in steps with `staircase`. Source:
    `keras.optimizers.schedules.ExponentialDecay`.
    """

    def __init__(
        self,
        initial_learning_rate: ScalarLike,
        decay_steps: ScalarLike,
        decay_rate: ScalarLike,
        staircase: bool = False,
        name: str | None = "ExponentialDecay",
    ) -> None:
        _positive(decay_steps)
        self.initial_learning_rate, self.decay_steps, self.decay_rate = (
            initial_learning_rate,
            decay_steps,
            decay_rate,
        )
        self.staircase, self.name = staircase, name

    @again
    def __call__(self, step: IntLike) -> Tensor:
        p = number(step) / number(self.decay_steps)
        return rate(
            number(self.initial_learning_rate)
            * number(self.decay_rate) ** (floor(p) if self.staircase else p)
        )


class PiecewiseConstantDecay(LearningRateSchedule):
    """values[0] up to boundaries[0], then values[1], and so on. Raises ValueError for lists that do
    not fit. Source: `keras.optimizers.schedules.PiecewiseConstantDecay`.
    """

    def __init__(
        self,
        boundaries: Sequence[Any],
        values: Sequence[Any],
        name: str | None = "PiecewiseConstant",
    ) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. Received: "
                f"boundaries={boundaries} of "
                "length "
                f"{len(boundaries)}, and values={values} of length {len(values)}."
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    @again
    def __call__(self, step: IntLike) -> Tensor:
        step = number(step)
        return rate(number(self.values[sum(step > number(b) for b in self.boundaries)]))


class PolynomialDecay(LearningRateSchedule):
    """From `initial_learning_rate` to `end_learning_rate` in `decay_steps` steps, along a power.
    Source: `keras.optimizers.schedules.PolynomialDecay`.
    """

    def __init__(
        self,
        initial_learning_rate: ScalarLike,
        decay_steps: ScalarLike,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        name: str | None = "PolynomialDecay",
    ) -> None:
        _positive(decay_steps)
        self.initial_learning_rate, self.decay_steps, self.end_learning_rate = (
            initial_learning_rate,
            decay_steps,
            end_learning_rate,
        )
        self.power, self.cycle, self.name = power, cycle, name

    @again
    def __call__(self, step: IntLike) -> Tensor:
        step, steps = number(step), number(self.decay_steps)
        steps = steps * max(1, ceil(step / steps)) if self.cycle else steps
        p = min(step, steps) / steps
        end = number(self.end_learning_rate)
        return rate(
            (number(self.initial_learning_rate) - end) * (1 - p) ** number(self.power) + end
        )


class InverseTimeDecay(LearningRateSchedule):
    """initial / (1 + decay_rate * step / decay_steps). Source:
    `keras.optimizers.schedules.InverseTimeDecay`.
    """

    def __init__(
        self,
        initial_learning_rate: ScalarLike,
        decay_steps: ScalarLike,
        decay_rate: ScalarLike,
        staircase: bool = False,
        name: str | None = "InverseTimeDecay",
    ) -> None:
        _positive(decay_steps)
        self.initial_learning_rate, self.decay_steps, self.decay_rate = (
            initial_learning_rate,
            decay_steps,
            decay_rate,
        )
        self.staircase, self.name = staircase, name

    @again
    def __call__(self, step: IntLike) -> Tensor:
        p = number(step) / number(self.decay_steps)
        return rate(
            number(self.initial_learning_rate)
            / (1 + number(self.decay_rate) * (floor(p) if self.staircase else p))
        )


class CosineDecay(LearningRateSchedule):
    """Down along half a cosine to alpha * initial, optionally after a straight rise to
    `warmup_target`. Source: `keras.optimizers.schedules.CosineDecay` (Loshchilov, Hutter 2016).
    """

    def __init__(
        self,
        initial_learning_rate: ScalarLike,
        decay_steps: ScalarLike,
        alpha: float = 0.0,
        name: str | None = "CosineDecay",
        warmup_target: float | None = None,
        warmup_steps: int = 0,
    ) -> None:
        _positive(decay_steps)
        self.initial_learning_rate, self.decay_steps, self.alpha, self.name = (
            initial_learning_rate,
            decay_steps,
            alpha,
            name,
        )
        self.warmup_target, self.warmup_steps = warmup_target, warmup_steps

    @again
    def __call__(self, step: IntLike) -> Tensor:
        step, first, steps = (
            number(step),
            number(self.initial_learning_rate),
            number(self.decay_steps),
        )
        if self.warmup_target is not None:
            top, warm = number(self.warmup_target), number(self.warmup_steps)
            if step < warm:
                return rate(first + (top - first) * step / warm)
            step, first = step - warm, top
        p = min(step, steps) / steps
        return rate(first * ((1 - self.alpha) * 0.5 * (1 + cos(pi * p)) + self.alpha))


def _positive(steps: Any) -> None:
    if number(steps) <= 0:
        raise ValueError(f"Argument `decay_steps` must be > 0. Received: decay_steps={steps}")


__all__ = [
    "CosineDecay",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LearningRateSchedule",
    "PiecewiseConstantDecay",
    "PolynomialDecay",
]
offer(__name__)
