"""Layers that bring numbers to mean 0 and variance 1, and then let the network choose others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...compile.again import again
from ...engine.base.listeners import tracer
from ...engine.base.tensor import Tensor
from ...engine.ops import elementwise, shaping
from ...engine.ops.arithmetic import add, multiply
from ...engine.ops.further import normalisation
from ...engine.ops.record import Op, run
from ...engine.variable import Variable
from ...jit.exchange import Exchangeable
from ...typing import AxisLike, ConstraintLike, InitializerLike, RegularizerLike
from ..variables import recipe
from .base import Layer

if TYPE_CHECKING:
    from ...engine.base.aliases import Array, Arrays


def place(layer: Layer, axis: int, n: int) -> int:
    """Return an axis as a number from 0. Raises ValueError where the input has none of that number."""
    if not -n <= axis < n:
        raise ValueError(
            f'Input 0 of layer "{layer.name}" has {n} axes, none of them is axis={axis}.'
        )
    return axis % n


def in_steps(
    x: Array, gamma: Array, beta: Array, axis: Any, epsilon: float
) -> tuple[Array, Array, Array]:
    """Return x normalised along an axis, that times gamma, and that plus beta."""
    y = normalisation.normalize.kernel(x, axis=axis, epsilon=epsilon)
    scaled = y * gamma
    return y, scaled, scaled + beta


steps = Exchangeable("NormalizeScaleShift", in_steps)


def known(op: Op, y: Array) -> Op:
    """Return an operation with its result at hand: it only needs to be recorded."""
    row = object.__new__(Op)
    row.name, row.mixed, row.kernel = op.name, op.mixed, lambda *inputs, **attributes: y
    return row


class _Normalisation(Layer):
    """What all of them share: a learned scale (gamma) and a learned shift (beta)."""

    least_axes, casts = 1, "fiub"
    _axes: tuple[int, ...]
    _broadcast: tuple[int, ...] | None

    def _keep(self, epsilon: float, center: bool, scale: bool, beta: Any, gamma: Any) -> None:
        self.epsilon, self.center, self.scale, self._beta, self._gamma = (
            epsilon,
            center,
            scale,
            recipe(*beta),
            recipe(*gamma),
        )
        self.gamma: Variable | None = None
        self.beta: Variable | None = None

    def _make(self, shape: Any) -> None:
        if self.scale:
            self.gamma = self.add_weight(name="gamma", shape=shape, **self._gamma)
        if self.center:
            self.beta = self.add_weight(name="beta", shape=shape, **self._beta)

    def _normalised(self, x: Tensor) -> tuple[Tensor, Arrays | None]:
        """Return x normalised along the axes; and where a faster kernel has taken the next two
        steps with it, what they will be.
        """
        how, scaled = {"axis": self._axes, "epsilon": self.epsilon}, None
        op, gamma, beta = normalisation.normalize, self.gamma, self.beta
        if steps.faster and gamma is not None and beta is not None and tracer() is None:
            vectors = gamma._tensor.value, beta._tensor.value
            if vectors[0].shape == x.value.shape[-1:] and self._broadcast is None:
                y, *scaled = steps.kernel(x.value, *vectors, **how)
                op = known(op, y)
        return run(op, (x,), how), scaled

    def _scaled(self, y: Tensor, shape: Any, arrays: Arrays | None = None) -> Tensor:
        """Return y * gamma + beta; `shape` lays both along the right axes."""
        for k, (weight, op) in enumerate(((self.gamma, multiply), (self.beta, add))):
            if weight is not None:
                w = weight._read()
                if shape is not None and w.value.shape != shape:
                    w = shaping.reshape(w, shape=shape)
                y = run(known(op, arrays[k]) if arrays else op, (y, w))
        return y


class LayerNormalization(_Normalisation):
    """Normalise each example for itself, along `axis`.

    Shape: (...) -> (...). Source: `keras.layers.LayerNormalization` (Ba et al. 2016).
    """

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitializerLike = "zeros",
        gamma_initializer: InitializerLike = "ones",
        beta_regularizer: RegularizerLike = None,
        gamma_regularizer: RegularizerLike = None,
        beta_constraint: ConstraintLike = None,
        gamma_constraint: ConstraintLike = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.axis = tuple(axis) if isinstance(axis, (list, tuple)) else axis
        self._keep(
            epsilon,
            center,
            scale,
            (beta_initializer, beta_regularizer, beta_constraint),
            (gamma_initializer, gamma_regularizer, gamma_constraint),
        )

    def build(self, input_shape: Any) -> None:
        """Make gamma and beta, of the lengths of the normalised axes."""
        n = len(input_shape)
        axes = sorted(
            place(self, a, n) for a in (self.axis if isinstance(self.axis, tuple) else (self.axis,))
        )
        self._axes = tuple(a - n for a in axes)
        self._make(tuple(input_shape[a] for a in axes))
        self._broadcast = (
            None
            if axes == list(range(n - len(axes), n))
            else tuple(input_shape[a] if a in axes else 1 for a in range(n))
        )
        self.built = True

    def call(self, inputs: Tensor) -> Tensor:
        """Return numbers with mean beta and spread gamma."""
        y, scaled = self._normalised(inputs)
        return self._scaled(y, self._broadcast, scaled)


class BatchNormalization(_Normalisation):
    """Normalise each feature over the batch while training, by moving averages afterwards.

    Shape: (...) -> (...). Source: `keras.layers.BatchNormalization` (Ioffe, Szegedy 2015).
    """

    def __init__(
        self,
        axis: Any = -1,
        momentum: float = 0.99,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitializerLike = "zeros",
        gamma_initializer: InitializerLike = "ones",
        moving_mean_initializer: InitializerLike = "zeros",
        moving_variance_initializer: InitializerLike = "ones",
        beta_regularizer: RegularizerLike = None,
        gamma_regularizer: RegularizerLike = None,
        beta_constraint: ConstraintLike = None,
        gamma_constraint: ConstraintLike = None,
        renorm: bool = False,
        renorm_clipping: object = None,
        renorm_momentum: float = 0.99,
        synchronized: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if renorm:
            raise NotImplementedError("BatchNormalization has no renorm here.")
        self.axis, self.momentum = axis, momentum
        self._moving = (moving_mean_initializer, moving_variance_initializer)
        self._keep(
            epsilon,
            center,
            scale,
            (beta_initializer, beta_regularizer, beta_constraint),
            (gamma_initializer, gamma_regularizer, gamma_constraint),
        )

    def build(self, input_shape: Any) -> None:
        """Make gamma, beta and the moving averages, one number per feature."""
        n = len(input_shape)
        axis = place(self, self.axis, n)
        shape = (input_shape[axis],)
        self._make(shape)
        self.moving_mean = self.add_weight(
            name="moving_mean", shape=shape, initializer=self._moving[0], trainable=False
        )
        self.moving_variance = self.add_weight(
            name="moving_variance", shape=shape, initializer=self._moving[1], trainable=False
        )
        self._axes = tuple(a - n for a in range(n) if a != axis)
        self._broadcast = (
            None
            if axis == n - 1
            else tuple(input_shape[axis] if a == axis else 1 for a in range(n))
        )
        self.built = True

    def call(self, inputs: Tensor, training: bool | None = False, mask: object = None) -> Tensor:
        """Return the normalised numbers; while training the moving averages follow. Raises
        NotImplementedError for a mask.
        """
        if mask is not None:
            raise NotImplementedError(
                "minitape normalises all examples and steps: take those that `mask` leaves out "
                "away first, with "
                "tf.boolean_mask."
            )
        if training and self.trainable:
            y, scaled = self._normalised(inputs)
            self._follow(inputs)
            return self._scaled(y, self._broadcast, scaled)
        mean, variance = self.moving_mean._read(), self.moving_variance._read()
        if self._broadcast is not None:
            mean, variance = (shaping.reshape(v, shape=self._broadcast) for v in (mean, variance))
        return self._scaled(
            (inputs - mean) * elementwise.rsqrt(variance + self.epsilon), self._broadcast
        )

    @again
    def _follow(self, x: Tensor) -> Any:
        """Move the averages a little towards this batch."""
        x = x.value
        for moving, now in (
            (self.moving_mean, x.mean(self._axes)),
            (self.moving_variance, x.var(self._axes)),
        ):
            old, momentum = moving._tensor.value, moving._tensor.value.dtype.type(self.momentum)
            moving.assign(Tensor(old * momentum + now * (1 - momentum)))


class Normalization(Layer):
    """Bring features to mean 0 and variance 1, as they are in the data that it was shown:
    `layer.adapt(data)`. Nothing is learned.

    Features stand along `axis`; with None all numbers are of one kind. `invert` undoes it. Shape:
    (...) -> (...). Raises ValueError for `mean` without `variance`. Source:
    `keras.layers.Normalization`.
    """

    def __init__(
        self,
        axis: AxisLike | None = -1,
        mean: Any = None,
        variance: Any = None,
        invert: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if (mean is None) != (variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}"
            )
        self.axis = () if axis is None else tuple(int(a) for a in np.ravel(axis))
        self.invert, self._given = invert, None if mean is None else (mean, variance)

    def build(self, input_shape: Any) -> None:
        """Find the shape of mean and variance."""
        n = len(input_shape)
        keep = sorted({place(self, a, n) for a in self.axis})
        self._others = tuple(a for a in range(n) if a not in keep)
        self._broadcast = tuple(input_shape[a] if a in keep else 1 for a in range(n))
        if self._given is None:
            shape = tuple(input_shape[a] for a in keep)
            self.adapt_mean = self.add_weight(
                name="mean", shape=shape, initializer="zeros", trainable=False
            )
            self.adapt_variance = self.add_weight(
                name="variance", shape=shape, initializer="ones", trainable=False
            )
            self.count = self.add_weight(
                name="count", shape=(), dtype="int32", initializer="zeros", trainable=False
            )
        self._take_over(*self._given or (0.0, 1.0))
        self.built = True

    def adapt(self, data: Any) -> None:
        """Take mean and variance of an array, or of all batches of a data set; of pairs, the first
        part counts.
        """
        if not isinstance(data, (np.ndarray, Tensor)):
            batches = [np.asarray(part[0] if isinstance(part, tuple) else part) for part in data]
            single = hasattr(data, "element_spec") and batches[0].ndim == 1
            data = np.stack(batches) if single else np.concatenate(batches)
        x = np.asarray(data, self._dtype.as_numpy_dtype)
        if not self.built:
            self.build(x.shape)
        mean, variance = x.mean(self._others), x.var(self._others)
        self.adapt_mean.assign(mean)
        self.adapt_variance.assign(variance)
        self._take_over(mean, variance)

    def _take_over(self, *statistics: Any) -> None:
        arrays = [np.asarray(x, self._dtype.as_numpy_dtype) for x in statistics]
        laid = [
            a.reshape(self._broadcast)
            if a.size == np.prod(self._broadcast)
            else np.broadcast_to(a, self._broadcast)
            for a in arrays
        ]
        self.mean, self.variance = Tensor(laid[0]), Tensor(laid[1])
        self._spread = Tensor(np.maximum(np.sqrt(laid[1]), 1e-7).astype(laid[1].dtype))

    def call(self, inputs: Tensor) -> Tensor:
        """Return the normalised numbers."""
        return (
            inputs * self._spread + self.mean
            if self.invert
            else (inputs - self.mean) / self._spread
        )
