"""What all optimizers share: checks, clipping, the step counter, and the assignment of new values.

An optimizer changes variables by what their gradients say. The arithmetic is plain NumPy on fresh
arrays: an array that was a value before is never written into, whoever may hold it. Memory that
nobody holds goes back to the allocator, which hands it out again at the next step; a pool of our
own was not quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...compile.again import again
from ...engine.base.errors import InvalidArgumentError, NoneGradientWarning
from ...engine.base.listeners import assignments_are_seen
from ...engine.base.locks import locked
from ...engine.base.tensor import Tensor
from ...engine.base.where import here, warn
from ...engine.convert import convert_to_tensor
from ...engine.variable import Variable
from ...typing import IntLike, RateLike, TensorLike
from ..variables import named
from .schedules import LearningRateSchedule


def _must_be_variable(variable: object, gradient: object = None) -> None:
    """Raise AttributeError, as Keras does, where what an optimizer should change is no variable."""
    if isinstance(variable, Variable):
        return
    if isinstance(gradient, Variable):
        raise AttributeError(
            "The pairs are the wrong way round: the gradient comes first. Write "
            f"optimizer.apply_gradients(zip(gradients, variables)). {type(variable).__name__!r} "
            "object has no attribute "
            "'_unique_id'."
        )
    raise AttributeError(
        "An optimizer changes variables, from pairs (gradient, variable) as zip(gradients, "
        "variables) makes them: "
        f"{type(variable).__name__!r} object has no attribute '_unique_id'."
    )


class Optimizer:
    """The base of all optimizers: subclasses name their slots and write `step`.

    `clipnorm` limits the norm of each gradient, `clipvalue` its numbers, `global_clipnorm` the norm
    of all together; only one of them may be set. `weight_decay` shrinks the variables a little at
    each step. Raises ValueError. Source: `keras.optimizers.Optimizer`.
    """

    slots: tuple[str, ...] = ()  # the names of the arrays that are kept for each variable

    def __init__(
        self,
        learning_rate: RateLike = 0.001,
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
        if kwargs:
            raise ValueError(f"Argument(s) not recognized: {kwargs}")
        if sum(limit is not None for limit in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. "
                f"Received: clipnorm={clipnorm}, "
                f"clipvalue={clipvalue}, global_clipnorm={global_clipnorm}"
            )
        if clipnorm is not None and clipnorm <= 0:
            raise ValueError(
                f"`clipnorm` should be strictly positive, received: clipnorm={clipnorm}."
            )
        if use_ema or gradient_accumulation_steps:
            raise NotImplementedError(
                "minitape's optimizers keep no moving averages of the variables and accumulate "
                "no gradients; "
                "both take two lines in your own loop."
            )
        self.name = name or type(self).__name__.lower()
        self.weight_decay, self.clipnorm, self.clipvalue, self.global_clipnorm = (
            weight_decay,
            clipnorm,
            clipvalue,
            global_clipnorm,
        )
        self.loss_scale_factor = loss_scale_factor
        self.built = False
        self.iterations = named(0, "iteration", self._owner(), trainable=False, dtype="int64")
        self._known: dict[int, Variable] = {}
        self._state: dict[int, list[Variable]] = {}
        self._excluded: tuple[Any, ...] = ()
        self._rate: Any
        self.learning_rate = learning_rate

    @property
    def learning_rate(self) -> Any:
        """The learning rate: a variable, or the present value of a schedule."""
        return (
            self._rate(self.iterations)
            if isinstance(self._rate, LearningRateSchedule)
            else self._rate
        )

    @learning_rate.setter
    def learning_rate(self, value: Any) -> Any:
        if isinstance(value, LearningRateSchedule):
            self._rate = value
        elif callable(value) and not isinstance(value, (Tensor, Variable)):
            self._rate = _Called(value)
        elif isinstance(getattr(self, "_rate", None), Variable):
            self._rate.assign(
                value
                if not isinstance(value, (Tensor, Variable))
                else convert_to_tensor(value).value
            )
        else:
            value = (
                convert_to_tensor(value).value if isinstance(value, (Tensor, Variable)) else value
            )
            self._rate = named(np.float32(value), "learning_rate", self._owner(), trainable=False)

    lr = learning_rate

    def build(self, variables: Iterable[Variable]) -> None:
        """Make the slots for these variables."""
        variables = list(variables)
        if not variables:
            raise ValueError(
                "An optimizer cannot be built for an empty list of variables. Was the model "
                "called once, so that its "
                "weights exist?"
            )
        for v in variables:
            _must_be_variable(v)
        self._known = {v.id: v for v in variables}
        self._state = {
            v.id: [
                named(self.begin(slot, v), f"{_stem(v)}_{slot}", self._owner(), trainable=False)
                for slot in self.slots
            ]
            for v in variables
        }
        self.built = True

    def _owner(self) -> str:
        return self.name.lower()

    def begin(self, slot: str, variable: Variable) -> np.ndarray:
        """Return the first value of a slot: zeros, unless a subclass says otherwise."""
        return np.zeros_like(variable._tensor.value)

    @property
    def variables(self) -> list[Variable]:
        """The step counter, the learning rate and all slots."""
        return [
            self.iterations,
            *([self._rate] if isinstance(self._rate, Variable) else []),
            *(s for state in self._state.values() for s in state),
        ]

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Variable]]) -> Variable:
        """Change each variable by its gradient; returns the step counter.

        `grads_and_vars`: pairs, as from `zip(gradients, variables)`. Where a gradient is None the
        variable stays and a warning says so; ValueError where all are None, or for a variable that
        the optimizer does not know. Source: `keras.optimizers.Optimizer.apply_gradients`.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError(
                "not enough values to unpack (expected 2, got 0): there are no gradients to apply."
            )
        grads, variables = zip(*pairs)
        self.apply(grads, variables)
        return self.iterations

    @again
    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """Change the variables by their gradients. Source: `keras.optimizers.Optimizer.apply`."""
        if not len(grads):
            return
        if trainable_variables is None:
            if not self.built:
                raise ValueError(
                    "When passing `grads` without `variables`, the optimizer must already be "
                    "built on a list of variables. "
                    "Call `optimizer.build(trainable_variables)` first."
                )
            trainable_variables = list(self._known.values())
        if not self.built:
            for g, v in zip(grads, trainable_variables):
                _must_be_variable(v, g)
            with locked(self):
                if not self.built:
                    self.build(trainable_variables)
        grads, variables = self._given(grads, trainable_variables)
        arrays = self._clipped([self._array(g, v) for g, v in zip(grads, variables)])
        rate = float(
            self._rate._tensor.value
            if isinstance(self._rate, Variable)
            else self.learning_rate.value
        )
        t = int(self.iterations._tensor.value) + 1
        where = None if assignments_are_seen() else here()
        for g, v in zip(arrays, variables):
            self._move(v, g, rate, t, where)
        self._replace(self.iterations, np.asarray(t, np.int64), where)

    def _move(self, variable: Variable, g: Any, rate: float, t: int, where: Any) -> None:
        """Give a variable and its slots their next values."""
        w = np.asarray(variable._tensor.value)
        number = w.dtype.type
        start = (
            w
            if self.weight_decay is None or not self._decays(variable)
            else w - w * number(self.weight_decay) * number(rate)
        )
        slots = self._state[variable.id]
        new = self.step(start, g, number(rate), t, *[np.asarray(s._tensor.value) for s in slots])
        self._replace(variable, new[0], where)
        for slot, array in zip(slots, new[1:]):
            self._replace(slot, array, where)
        if variable.constraint is not None:
            variable.assign(variable.constraint(variable))

    def _replace(self, cell: Variable, array: Any, where: Any) -> None:
        """Put a new array into a variable."""
        if not array.ndim:
            array = array[()]
        if where is None:
            cell.assign(Tensor(array))
        else:  # the same without checks and notes
            cell._put(array, where)

    def _given(self, grads: Any, variables: Any) -> Any:
        """Return those that have a gradient; TensorFlow's warning or error where some or all have
        none.
        """
        variables = list(variables)
        for g, v in zip(grads, variables):
            _must_be_variable(v, g)
            if v.id not in self._known:
                raise ValueError(
                    f"Unknown variable: {v}. This optimizer can only be called for the variables "
                    "it was originally built "
                    "with. "
                    "When working with a new set of variables, you should recreate a new "
                    "optimizer instance."
                )
        if not any([g is None for g in grads]):
            return grads, variables
        missing = [v.name for g, v in zip(grads, variables) if g is None]
        if len(missing) == len(variables):
            raise ValueError(
                "No gradients provided for any variable. Every gradient is None: the loss does "
                "not depend on these variables. "
                "tape.explain tells why."
            )
        warn(
            f"Gradients do not exist for variables {missing} when minimizing the loss. These "
            "variables stay as they are. If this is "
            "meant, "
            "leave them out of apply_gradients.",
            NoneGradientWarning,
        )
        return zip(*[(g, v) for g, v in zip(grads, variables) if g is not None])

    def _array(self, gradient: Any, variable: Variable) -> Any:
        """Return a gradient as an array of the variable's shape and dtype."""
        w = variable._tensor.value
        if type(gradient) is Tensor:
            g = gradient.value
        else:
            g = convert_to_tensor(
                gradient, dtype=None if isinstance(gradient, Variable) else variable.dtype
            ).value
        if g.dtype is not w.dtype and g.dtype != w.dtype:
            g = g.astype(w.dtype)
        if g.shape != w.shape:
            raise InvalidArgumentError(
                f"Cannot update variable with shape {list(w.shape)} using a Tensor with shape "
                f"{list(g.shape)}, "
                "shapes must "
                f"be equal: the gradient does not belong to '{variable.name}'. Are the lists in "
                "the same order?"
            )
        return g if self.loss_scale_factor is None else g / g.dtype.type(self.loss_scale_factor)

    def _clipped(self, grads: Any) -> Any:
        """Return the gradients within their limits."""
        if self.clipnorm is not None and self.clipnorm > 0:
            return [shortened(g, norm(g), self.clipnorm) for g in grads]
        if self.clipvalue is not None and self.clipvalue > 0:
            return [
                np.clip(g, -g.dtype.type(self.clipvalue), g.dtype.type(self.clipvalue))
                for g in grads
            ]
        if self.global_clipnorm is not None and self.global_clipnorm > 0:
            together = np.sqrt(sum(norm(g) ** 2 for g in grads))
            return [shortened(g, together, self.global_clipnorm) for g in grads]
        return grads

    def exclude_from_weight_decay(
        self, var_list: Iterable[Variable] | None = None, var_names: Iterable[str] | None = None
    ) -> None:
        """Let variables, or all with one of these words in their name, keep their size."""
        self._excluded = ({v.id for v in var_list or ()}, tuple(var_names or ()))

    def _decays(self, variable: Variable) -> bool:
        return (
            not self._excluded
            or variable.id not in self._excluded[0]
            and not any(word in variable.name for word in self._excluded[1])
        )

    def step(self, w: Any, g: Any, lr: Any, t: int, *state: Any) -> tuple[Any, ...]:
        """Return the new values of a variable and of its slots, in new arrays. `t` counts from 1.
        Written by subclasses.
        """
        raise NotImplementedError("Optimizer subclasses must write step(w, g, lr, t, *state).")

    def update_step(self, gradient: Any, variable: Variable, learning_rate: Any) -> None:
        """Change one variable by its gradient. Source: `keras.optimizers.Optimizer.update_step`."""
        _must_be_variable(variable, gradient)
        self._move(
            variable,
            self._array(gradient, variable),
            float(convert_to_tensor(learning_rate).value),
            int(self.iterations._tensor.value) + 1,
            None,
        )

    def assign(self, variable: Variable, value: TensorLike) -> None:
        """Assign a value to a variable."""
        variable.assign(value)

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Assign values to `variables`, in their order."""
        for v, w in zip(self.variables, weights):
            v.assign(w)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments as a dictionary."""
        rate = (
            self._rate
            if isinstance(self._rate, LearningRateSchedule)
            else float(convert_to_tensor(self._rate).value)
        )
        return {
            "name": self.name,
            "learning_rate": rate,
            "weight_decay": self.weight_decay,
            "clipnorm": self.clipnorm,
            "global_clipnorm": self.global_clipnorm,
            "clipvalue": self.clipvalue,
        }


def _stem(variable: Variable) -> str:
    """Return what the slots of a variable are named after: its path where it belongs to a layer,
    else its name.
    """
    path = getattr(variable, "path", None)
    return path.replace("/", "_") if path else variable.name.replace(":", "_")


class _Called(LearningRateSchedule):
    """A function without arguments as a learning rate."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function

    def __call__(self, step: IntLike) -> Tensor:
        return convert_to_tensor(self.function())


def norm(g: Any) -> Any:
    """Return the Euclidean norm of an array."""
    return np.sqrt(np.vdot(g, g))


def shortened(g: Any, length: Any, limit: Any) -> Any:
    """Return the array scaled so that `length` becomes at most `limit`."""
    limit = g.dtype.type(limit)
    return g if length <= limit else g * (limit / length)
