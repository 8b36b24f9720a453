"""The optimizers: how a variable follows its gradient.

In each `step`, `w` is the variable, `g` its gradient, `lr` the learning rate, `t` the number of the
step from 1; the other arguments are the slots that the optimizer keeps for the variable. New arrays
are returned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.variable import Variable
from ...typing import RateLike
from . import updates
from .base import Optimizer


class SGD(Optimizer):
    """Gradient descent: w - lr * g; with momentum, the step carries on in the direction of the last
    ones.

    Source: `keras.optimizers.SGD`; Nesterov's form looks ahead (Sutskever et al. 2013).
    """

    def __init__(
        self,
        learning_rate: RateLike = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name or "SGD",
            **kwargs,
        )
        if not isinstance(momentum, (int, float)) or not 0 <= momentum <= 1:
            raise ValueError("`momentum` must be a float between [0, 1].")
        self.momentum, self.nesterov = momentum, nesterov
        self.slots = ("momentum",) if momentum else ()

    def step(self, w: Any, g: Any, lr: Any, t: int, velocity: Any = None) -> tuple[Any, ...]:
        """Return w - lr * g, or w plus the velocity."""
        if velocity is None:
            move = np.multiply(g, lr, out=self.room(w))
            return (np.subtract(w, move, out=move),)
        return updates.momentum.kernel(
            w, g, velocity, lr, w.dtype.type(self.momentum), self.nesterov, self.room
        )


class Adam(Optimizer):
    """Steps of nearly equal size: the mean gradient divided by its spread. Source:
    `keras.optimizers.Adam` (Kingma, Ba 2014; `amsgrad`: Reddi et al. 2018).
    """

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.beta_1, self.beta_2, self.epsilon, self.amsgrad = beta_1, beta_2, epsilon, amsgrad
        self.slots = (
            ("momentum", "velocity", "velocity_hat") if amsgrad else ("momentum", "velocity")
        )

    def step(
        self, w: Any, g: Any, lr: Any, t: int, m: Any, v: Any, largest: Any = None
    ) -> tuple[Any, ...]:
        """Return w minus the corrected mean over the root of the corrected mean square."""
        number = w.dtype.type
        rate = lr * number(np.sqrt(1 - self.beta_2**t) / (1 - self.beta_1**t))
        return updates.adam.kernel(
            w,
            g,
            m,
            v,
            largest,
            rate,
            number(1 - self.beta_1),
            number(1 - self.beta_2),
            number(self.epsilon),
            self.room,
        )


class AdamW(Adam):
    """Adam whose variables shrink by themselves at each step. Source: `keras.optimizers.AdamW`
    (Loshchilov, Hutter 2019).
    """

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        weight_decay: float | None = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            beta_1,
            beta_2,
            epsilon,
            amsgrad,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        if self.weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")


class Adamax(Optimizer):
    """Adam with the largest gradient instead of the root of the mean square. Source:
    `keras.optimizers.Adamax`.
    """

    slots = ("momentum", "norm")

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def step(self, w: Any, g: Any, lr: Any, t: int, m: Any, u: Any) -> tuple[Any, ...]:
        """Return w minus the mean over the largest size, which fades."""
        number = w.dtype.type
        m = m + (g - m) * number(1 - self.beta_1)
        u = np.maximum(u * number(self.beta_2), np.abs(g))
        return w - (lr * m) / (number(1 - self.beta_1**t) * (u + number(self.epsilon))), m, u


class Nadam(Optimizer):
    """Adam with Nesterov's look ahead. Source: `keras.optimizers.Nadam` (Dozat 2015)."""

    slots = ("momentum", "velocity")

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self._products = {0: 1.0}

    def _u(self, t: int) -> Any:
        return self.beta_1 * (1 - 0.5 * 0.96**t)

    def _product(self, t: int) -> Any:
        if t not in self._products:
            self._products[t] = (
                self._products[t - 1]
                if t - 1 in self._products
                else float(np.prod([self._u(k) for k in range(1, t)]))
            ) * self._u(t)
            self._products.pop(t - 2, None)
        return self._products[t]

    def step(self, w: Any, g: Any, lr: Any, t: int, m: Any, v: Any) -> tuple[Any, ...]:
        """Return w minus a mix of the next mean and the gradient, over the root of the mean square."""
        number, now, following = w.dtype.type, self._product(t), self._product(t) * self._u(t + 1)
        m = m + (g - m) * number(1 - self.beta_1)
        v = v + (g * g - v) * number(1 - self.beta_2)
        mean = m * number(self._u(t + 1) / (1 - following)) + g * number(
            (1 - self._u(t)) / (1 - now)
        )
        return (
            w - (mean * lr) / (np.sqrt(v / number(1 - self.beta_2**t)) + number(self.epsilon)),
            m,
            v,
        )


class RMSprop(Optimizer):
    """The gradient divided by the root of its mean square. Source: `keras.optimizers.RMSprop`
    (Hinton 2012).
    """

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered
        self.slots = (
            "velocity",
            *(["momentum"] if momentum > 0 else []),
            *(["average_gradient"] if centered else []),
        )

    def step(self, w: Any, g: Any, lr: Any, t: int, v: Any, *rest: Any) -> tuple[Any, ...]:
        """Return w minus g over the root of its mean square (or of its variance, when centered)."""
        number = w.dtype.type
        rho, left = number(self.rho), number(1 - self.rho)
        if not rest:
            return updates.rmsprop.kernel(w, g, v, lr, rho, left, number(self.epsilon), self.room)
        v = v * rho + g * g * left
        spread, new = v + number(self.epsilon), [v]
        if self.centered:
            average = rest[-1] * rho + g * left
            spread = spread - average * average
        move = lr * g / np.sqrt(spread)
        if self.momentum > 0:
            move = rest[0] * number(self.momentum) + move
            new.append(move)
        return (w - move, *new, *([average] if self.centered else []))


class Adagrad(Optimizer):
    """Smaller and smaller steps where gradients were large. Source: `keras.optimizers.Adagrad`
    (Duchi et al. 2011).
    """

    slots = ("accumulator",)

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def begin(self, slot: str, variable: Variable) -> np.ndarray:
        """Return the first sum of squares."""
        return np.full_like(variable._tensor.value, self.initial_accumulator_value)

    def step(self, w: Any, g: Any, lr: Any, t: int, total: Any) -> tuple[Any, ...]:
        """Return w minus g over the root of the sum of all squares."""
        total = total + g * g
        return w - lr * g / np.sqrt(total + w.dtype.type(self.epsilon)), total


class Adadelta(Optimizer):
    """Steps as large as the last ones were, by ratio of means. Source: `keras.optimizers.Adadelta`
    (Zeiler 2012).
    """

    slots = ("accumulated_grad", "accumulated_delta_var")

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        rho: float = 0.95,
        epsilon: float = 1e-7,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.rho, self.epsilon = rho, epsilon

    def step(self, w: Any, g: Any, lr: Any, t: int, squares: Any, moves: Any) -> tuple[Any, ...]:
        """Return w minus the gradient times the ratio of both roots."""
        rho, left, epsilon = (
            w.dtype.type(self.rho),
            w.dtype.type(1 - self.rho),
            w.dtype.type(self.epsilon),
        )
        squares = rho * squares + left * g * g
        move = -np.sqrt(moves + epsilon) * g / np.sqrt(squares + epsilon)
        return w + lr * move, squares, rho * moves + left * move * move


class Ftrl(Optimizer):
    """Follow the regularized leader, for sparse models. Source: `keras.optimizers.Ftrl` (McMahan et
    al. 2013).
    """

    slots = ("accumulator", "linear")

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        if (
            initial_accumulator_value < 0
            or learning_rate_power > 0
            or l1_regularization_strength < 0
            or l2_regularization_strength < 0
        ):
            raise ValueError(
                "Ftrl needs `initial_accumulator_value`, `l1_...` and "
                "`l2_regularization_strength` >= 0 and "
                "`learning_rate_power` <= 0."
            )
        self.learning_rate_power, self.initial_accumulator_value = (
            learning_rate_power,
            initial_accumulator_value,
        )
        self.l1_regularization_strength, self.l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )
        self.l2_shrinkage_regularization_strength, self.beta = (
            l2_shrinkage_regularization_strength,
            beta,
        )

    def begin(self, slot: str, variable: Variable) -> np.ndarray:
        """Return the first sum of squares, and zeros for the linear part."""
        return np.full_like(
            variable._tensor.value, self.initial_accumulator_value if slot == "accumulator" else 0
        )

    def step(self, w: Any, g: Any, lr: Any, t: int, n: Any, z: Any) -> tuple[Any, ...]:
        """Return the minimum of the linearised losses with both penalties."""
        number, power = w.dtype.type, w.dtype.type(-self.learning_rate_power)
        l1 = number(self.l1_regularization_strength)
        shrunk = g + number(2 * self.l2_shrinkage_regularization_strength) * w
        new = n + g * g
        with np.errstate(divide="ignore", invalid="ignore"):  # a rate of 0 gives nan, as in Keras
            l2 = number(self.l2_regularization_strength) + number(self.beta) / (2 * lr)
            z = z + shrunk - (new**power - n**power) / lr * w
            return (np.clip(z, -l1, l1) - z) / (new**power / lr + 2 * l2), new, z


class Lion(Optimizer):
    """Only the signs of the gradients count. Source: `keras.optimizers.Lion` (Chen et al. 2023)."""

    slots = ("momentum",)

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
            use_ema,
            ema_momentum,
            ema_overwrite_frequency,
            loss_scale_factor,
            gradient_accumulation_steps,
            name,
            **kwargs,
        )
        self.beta_1, self.beta_2 = beta_1, beta_2

    def step(self, w: Any, g: Any, lr: Any, t: int, m: Any) -> tuple[Any, ...]:
        """Return w minus lr times the sign of a mean."""
        number = w.dtype.type
        move = np.sign(m * number(self.beta_1) + g * number(1 - self.beta_1))
        return w - lr * move, m * number(self.beta_2) + g * number(1 - self.beta_2)
