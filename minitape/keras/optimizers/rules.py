"""The optimizers: how a variable follows its gradient.

Each is a row of the table at the end: its hyperparameters in TensorFlow's order with their
defaults, the slots that it keeps for each variable, and its step. In a step, `w` is the variable,
`g` its gradient, `lr` the learning rate, `t` the number of the step from 1; the other arguments are
the slots. New arrays are returned.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import numpy as np

from ...engine.variable import Variable
from ..wrapping import initializer, kind
from . import updates
from .base import Optimizer

Step = Callable[..., tuple[Any, ...]]


def sgd(self: Any, w: Any, g: Any, lr: Any, t: int, velocity: Any = None) -> tuple[Any, ...]:
    """Return w - lr * g, or w plus the velocity."""
    if velocity is None:
        move = np.multiply(g, lr, out=np.empty_like(w))
        return (np.subtract(w, move, out=move),)
    share = w.dtype.type(self.momentum)
    w_next, velocity = updates.momentum.kernel(w, g, (velocity,), (lr, share))
    return (w + (velocity * share - g * lr) if self.nesterov else w_next), velocity


def adam(self: Any, w: Any, g: Any, lr: Any, t: int, *slots: Any) -> tuple[Any, ...]:
    """Return w minus the corrected mean over the root of the corrected mean square."""
    number = w.dtype.type
    rate = lr * number(np.sqrt(1 - self.beta_2**t) / (1 - self.beta_1**t))
    return updates.adam.kernel(
        w,
        g,
        slots,
        (rate, number(1 - self.beta_1), number(1 - self.beta_2), number(self.epsilon)),
    )


def nadam(self: Any, w: Any, g: Any, lr: Any, t: int, m: Any, v: Any) -> tuple[Any, ...]:
    """Return w minus a mix of the next mean and the gradient, over the root of the mean square."""
    number = w.dtype.type
    shares = self.beta_1 * (1 - 0.5 * 0.96 ** np.arange(1, t + 2))
    now, following = np.prod(shares[:-1]), np.prod(shares)
    m = m + (g - m) * number(1 - self.beta_1)
    v = v + (g * g - v) * number(1 - self.beta_2)
    mean = m * number(shares[-1] / (1 - following)) + g * number((1 - shares[-2]) / (1 - now))
    spread = np.sqrt(v / number(1 - self.beta_2**t)) + number(self.epsilon)
    return w - mean * lr / spread, m, v


def adamax(self: Any, w: Any, g: Any, lr: Any, t: int, m: Any, u: Any) -> tuple[Any, ...]:
    """Return w minus the mean over the largest size, which fades."""
    number = w.dtype.type
    m = m + (g - m) * number(1 - self.beta_1)
    u = np.maximum(u * number(self.beta_2), np.abs(g))
    return w - (lr * m) / (number(1 - self.beta_1**t) * (u + number(self.epsilon))), m, u


def rmsprop(self: Any, w: Any, g: Any, lr: Any, t: int, v: Any, *rest: Any) -> tuple[Any, ...]:
    """Return w minus g over the root of its mean square (or of its variance, when centered)."""
    number = w.dtype.type
    rho, left = number(self.rho), number(1 - self.rho)
    if not rest:
        return updates.rmsprop.kernel(w, g, (v,), (lr, rho, left, number(self.epsilon)))
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


def adagrad(self: Any, w: Any, g: Any, lr: Any, t: int, total: Any) -> tuple[Any, ...]:
    """Return w minus g over the root of the sum of all squares."""
    total = total + g * g
    return w - lr * g / np.sqrt(total + w.dtype.type(self.epsilon)), total


def first_sum(self: Any, slot: str, variable: Variable) -> np.ndarray:
    """Return the first sum of squares."""
    return np.full_like(variable._tensor.value, self.initial_accumulator_value)


def adadelta(
    self: Any, w: Any, g: Any, lr: Any, t: int, squares: Any, moves: Any
) -> tuple[Any, ...]:
    """Return w minus the gradient times the ratio of both roots."""
    rho, left, epsilon = (
        w.dtype.type(self.rho),
        w.dtype.type(1 - self.rho),
        w.dtype.type(self.epsilon),
    )
    squares = rho * squares + left * g * g
    move = -np.sqrt(moves + epsilon) * g / np.sqrt(squares + epsilon)
    return w + lr * move, squares, rho * moves + left * move * move


def momentum_within_limits(self: Any) -> None:
    """Raise ValueError for a momentum outside of [0, 1]."""
    if not isinstance(self.momentum, (int, float)) or not 0 <= self.momentum <= 1:
        raise ValueError("`momentum` must be a float between [0, 1].")


def some_decay(self: Any) -> None:
    """Raise ValueError without a weight decay."""
    if self.weight_decay is None:
        raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")


def optimizer(
    title: str,
    doc: str,
    hyperparameters: dict[str, Any],
    slots: tuple[str, ...] | Callable[[Any], tuple[str, ...]],
    step: Step,
    *,
    base: type[Optimizer] = Optimizer,
    check: Callable[[Any], None] | None = None,
    called: str | None = None,
    **methods: Any,
) -> Any:
    """Return the optimizer of a row: a class with a signature and a docstring, as if it had been
    written out.

    The learning rate stands first, and behind the hyperparameters what all optimizers take. `slots`
    that depend on the hyperparameters are a function of the optimizer; `check` refuses values that
    do not fit; `called` is the name of one that is given none; `methods` replace those of the base.
    """
    shared = signature(Optimizer).parameters
    own = {"learning_rate": 0.001, **hyperparameters}
    parameters = [
        shared[name].replace(default=default)
        if name in shared
        else Parameter(
            name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind(None, default)
        )
        for name, default in own.items()
    ]

    def begin(self: Any, given: dict[str, Any]) -> None:
        vars(self).update({name: given.pop(name) for name in own.keys() - shared.keys()})
        unknown = given.pop("kwargs", {})
        Optimizer.__init__(self, **{**given, "name": given["name"] or called}, **unknown)
        if check:
            check(self)

    takes = [*parameters, *[p for name, p in shared.items() if name not in own]]
    return type(
        title,
        (base,),
        {
            "__init__": initializer(title, __name__, takes, begin),
            "__doc__": f"{doc} Source: `keras.optimizers.{title}`.",
            "__module__": __name__,
            "slots": property(slots) if callable(slots) else slots,
            "step": step,
            **methods,
        },
    )


MOMENTS = {"beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}

# fmt: off
SGD      = optimizer("SGD", "Gradient descent, w - lr * g; with momentum, the step carries on in the direction of the last ones, and "
                     "Nesterov's form looks ahead (Sutskever et al. 2013).",
                     {"learning_rate": 0.01, "momentum": 0.0, "nesterov": False},
                     lambda self: ("momentum",) if self.momentum else (), sgd, check=momentum_within_limits, called="SGD")
Adam     = optimizer("Adam", "Steps of nearly equal size: the mean gradient divided by its spread (Kingma, Ba 2014; `amsgrad`: Reddi et "
                     "al. 2018).",
                     {**MOMENTS, "amsgrad": False},
                     lambda self: ("momentum", "velocity", "velocity_hat") if self.amsgrad else ("momentum", "velocity"), adam)
AdamW    = optimizer("AdamW", "Adam whose variables shrink by themselves at each step (Loshchilov, Hutter 2019).",
                     {"weight_decay": 0.004, **MOMENTS, "amsgrad": False}, Adam.slots.fget, adam, base=Adam, check=some_decay)
Adamax   = optimizer("Adamax", "Adam with the largest gradient instead of the root of the mean square.",
                     MOMENTS, ("momentum", "norm"), adamax)
Nadam    = optimizer("Nadam", "Adam with Nesterov's look ahead (Dozat 2015).", MOMENTS, ("momentum", "velocity"), nadam)
RMSprop  = optimizer("RMSprop", "The gradient divided by the root of its mean square (Hinton 2012).",
                     {"rho": 0.9, "momentum": 0.0, "epsilon": 1e-7, "centered": False},
                     lambda self: ("velocity", *(["momentum"] if self.momentum > 0 else []),
                                   *(["average_gradient"] if self.centered else [])), rmsprop)
Adagrad  = optimizer("Adagrad", "Smaller and smaller steps where gradients were large (Duchi et al. 2011).",
                     {"initial_accumulator_value": 0.1, "epsilon": 1e-7}, ("accumulator",), adagrad, begin=first_sum)
Adadelta = optimizer("Adadelta", "Steps as large as the last ones were, by ratio of means (Zeiler 2012).",
                     {"rho": 0.95, "epsilon": 1e-7}, ("accumulated_grad", "accumulated_delta_var"), adadelta)
# fmt: on
