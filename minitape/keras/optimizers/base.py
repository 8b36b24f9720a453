"""What all optimizers share: checks, clipping, the step counter, and the assignment of new values.

An optimizer changes variables by what their gradients say. The arithmetic is plain NumPy on fresh arrays: an array
that a tape may still hold is never written into.
"""

import numpy as np

from ...engine.errors import NoneGradientWarning
from ...engine.tensor import Tensor
from ...engine.variable import Variable, convert_to_tensor
from ...engine.where import warn
from .schedules import LearningRateSchedule


class Optimizer:
    """The base of all optimizers: subclasses name their slots and write `step`.

    `clipnorm` limits the norm of each gradient, `clipvalue` its numbers, `global_clipnorm` the norm of all together;
    only one of them may be set. `weight_decay` shrinks the variables a little at each step. Raises ValueError.
    Source: `keras.optimizers.Optimizer`.
    """

    slots = ()          # the names of the arrays that are kept for each variable

    def __init__(self, learning_rate=0.001, weight_decay=None, clipnorm=None, clipvalue=None, global_clipnorm=None, use_ema=False,
                 ema_momentum=0.99, ema_overwrite_frequency=None, loss_scale_factor=None, gradient_accumulation_steps=None, name=None,
                 **kwargs):
        if kwargs:
            raise ValueError(f"Argument(s) not recognized: {kwargs}")
        if sum(limit is not None for limit in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(f"Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: clipnorm={clipnorm}, "
                             f"clipvalue={clipvalue}, global_clipnorm={global_clipnorm}")
        if clipnorm is not None and clipnorm <= 0:
            raise ValueError(f"`clipnorm` should be strictly positive, received: clipnorm={clipnorm}.")
        if use_ema or gradient_accumulation_steps:
            raise NotImplementedError("minitape's optimizers keep no moving averages of the variables and accumulate no gradients; "
                                      "both take two lines in your own loop.")
        self.name = name or type(self).__name__.lower()
        self.weight_decay, self.clipnorm, self.clipvalue, self.global_clipnorm = weight_decay, clipnorm, clipvalue, global_clipnorm
        self.loss_scale_factor = loss_scale_factor
        self.built = False
        self.iterations = Variable(0, trainable=False, dtype="int64", name="iteration")
        self._known, self._state, self._excluded = {}, {}, ()
        self.learning_rate = learning_rate

    @property
    def learning_rate(self):
        """The learning rate: a variable, or the present value of a schedule."""
        return self._rate(self.iterations) if isinstance(self._rate, LearningRateSchedule) else self._rate

    @learning_rate.setter
    def learning_rate(self, value):
        if isinstance(value, LearningRateSchedule):
            self._rate = value
        elif callable(value) and not isinstance(value, (Tensor, Variable)):
            self._rate = _Called(value)
        elif isinstance(getattr(self, "_rate", None), Variable):
            self._rate.assign(value if not isinstance(value, (Tensor, Variable)) else convert_to_tensor(value).value)
        else:
            value = convert_to_tensor(value).value if isinstance(value, (Tensor, Variable)) else value
            self._rate = Variable(np.float32(value), trainable=False, name="learning_rate")

    lr = learning_rate

    def build(self, variables):
        """Make the slots for these variables."""
        variables = list(variables)
        if not variables:
            raise ValueError("An optimizer cannot be built for an empty list of variables. Was the model called once, so that its "
                             "weights exist?")
        self._known = {v.id: v for v in variables}
        self._state = {v.id: [Variable(self.begin(slot, v), trainable=False, name=f"{v.name.removesuffix(':0')}_{slot}")
                              for slot in self.slots]
                       for v in variables}
        self.built = True

    def begin(self, slot, variable):
        """Return the first value of a slot: zeros, unless a subclass says otherwise."""
        return np.zeros_like(variable._tensor.value)

    @property
    def variables(self):
        """The step counter, the learning rate and all slots."""
        return [self.iterations, *([self._rate] if isinstance(self._rate, Variable) else []),
                *(s for state in self._state.values() for s in state)]

    def apply_gradients(self, grads_and_vars):
        """Change each variable by its gradient; returns the step counter.

        `grads_and_vars`: pairs, as from `zip(gradients, variables)`. Where a gradient is None the variable stays and a
        warning says so; ValueError where all are None, or for a variable that the optimizer does not know. Source:
        `keras.optimizers.Optimizer.apply_gradients`.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("not enough values to unpack (expected 2, got 0): there are no gradients to apply.")
        grads, variables = zip(*pairs)
        self.apply(grads, variables)
        return self.iterations

    def apply(self, grads, trainable_variables=None):
        """Change the variables by their gradients. Source: `keras.optimizers.Optimizer.apply`."""
        if not len(grads):
            return
        if trainable_variables is None:
            if not self.built:
                raise ValueError("When passing `grads` without `variables`, the optimizer must already be built on a list of variables. "
                                 "Call `optimizer.build(trainable_variables)` first.")
            trainable_variables = list(self._known.values())
        if not self.built:
            self.build(trainable_variables)
        pairs = self._given(grads, trainable_variables)
        for _, v in pairs:
            if v.id not in self._known:
                raise ValueError(f"Unknown variable: {v}. This optimizer can only be called for the variables it was originally built "
                                 "with. "
                                 "When working with a new set of variables, you should recreate a new optimizer instance.")
        arrays = self._clipped([self._array(g, v) for g, v in pairs])
        rate = float(convert_to_tensor(self.learning_rate).value)
        t = int(self.iterations._tensor.value) + 1
        for g, (_, v) in zip(arrays, pairs):
            w = v._tensor.value
            lr = w.dtype.type(rate)
            if self.weight_decay is not None and self._decays(v):
                w = w - w * w.dtype.type(self.weight_decay) * lr
            state = self._state[v.id]
            w, *new = self.step(w, g, lr, t, *[s._tensor.value for s in state])
            for slot, value in zip(state, new):
                slot.assign(Tensor(value))
            v.assign(Tensor(w))
            if v.constraint is not None:
                v.assign(v.constraint(v))
        self.iterations.assign(Tensor(np.int64(t)))

    def _given(self, grads, variables):
        """Return the pairs that have a gradient; TensorFlow's warning or error where some or all have none."""
        pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable. Every gradient is None: the loss does not depend on these variables. "
                             "tape.explain tells why.")
        if len(pairs) < len(grads):
            missing = [v.name for g, v in zip(grads, variables) if g is None]
            warn(f"Gradients do not exist for variables {missing} when minimizing the loss. These variables stay as they are. If this is "
                 "meant, "
                 "leave them out of apply_gradients.", NoneGradientWarning)
        return pairs

    def _array(self, gradient, variable):
        """Return a gradient as an array of the variable's shape and dtype."""
        g = gradient.value if type(gradient) is Tensor else convert_to_tensor(gradient, dtype=None
                                                                              if isinstance(gradient, (Tensor, Variable)) else
                                                                              variable.dtype).value
        w = variable._tensor.value
        if g.dtype != w.dtype:
            g = g.astype(w.dtype)
        if g.shape != w.shape:
            raise ValueError(f"The gradient of shape {list(g.shape)} does not fit the variable '{variable.name}' of shape {list(w.shape)}.")
        return g / g.dtype.type(self.loss_scale_factor) if self.loss_scale_factor is not None else g

    def _clipped(self, grads):
        """Return the gradients within their limits."""
        if self.clipnorm is not None and self.clipnorm > 0:
            return [shortened(g, norm(g), self.clipnorm) for g in grads]
        if self.clipvalue is not None and self.clipvalue > 0:
            return [np.clip(g, -g.dtype.type(self.clipvalue), g.dtype.type(self.clipvalue)) for g in grads]
        if self.global_clipnorm is not None and self.global_clipnorm > 0:
            together = np.sqrt(sum(norm(g) ** 2 for g in grads))
            return [shortened(g, together, self.global_clipnorm) for g in grads]
        return grads

    def exclude_from_weight_decay(self, var_list=None, var_names=None):
        """Let variables, or all with one of these words in their name, keep their size."""
        self._excluded = ({v.id for v in var_list or ()}, tuple(var_names or ()))

    def _decays(self, variable):
        return not self._excluded or variable.id not in self._excluded[0] and not any(word in variable.name for word in self._excluded[1])

    def step(self, w, g, lr, t, *state):
        """Return the new value of a variable and of its slots: fresh arrays. `t` counts from 1. Written by subclasses."""
        raise NotImplementedError("Optimizer subclasses must write step(w, g, lr, t, *state).")

    def update_step(self, gradient, variable, learning_rate):
        """Change one variable by its gradient. Source: `keras.optimizers.Optimizer.update_step`."""
        w, *new = self.step(variable._tensor.value, convert_to_tensor(gradient).value, variable._tensor.value.dtype.type(learning_rate),
                            int(self.iterations._tensor.value) + 1, *[s._tensor.value for s in self._state[variable.id]])
        for slot, value in zip(self._state[variable.id], new):
            slot.assign(Tensor(value))
        variable.assign(Tensor(w))

    def assign(self, variable, value):
        """Assign a value to a variable."""
        variable.assign(value)

    def set_weights(self, weights):
        """Assign values to `variables`, in their order."""
        for v, w in zip(self.variables, weights):
            v.assign(w)

    def get_config(self):
        """Return the arguments as a dictionary."""
        rate = self._rate if isinstance(self._rate, LearningRateSchedule) else float(convert_to_tensor(self._rate).value)
        return {"name": self.name, "learning_rate": rate, "weight_decay": self.weight_decay, "clipnorm": self.clipnorm,
                "global_clipnorm": self.global_clipnorm, "clipvalue": self.clipvalue}


class _Called(LearningRateSchedule):
    """A function without arguments as a learning rate."""

    def __init__(self, function):
        self.function = function

    def __call__(self, step):
        return convert_to_tensor(self.function())


def norm(g):
    """Return the Euclidean norm of an array."""
    return np.sqrt(np.vdot(g, g))


def shortened(g, length, limit):
    """Return the array scaled so that `length` becomes at most `limit`."""
    limit = g.dtype.type(limit)
    return g if length <= limit else g * (limit / length)
