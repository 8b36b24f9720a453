"""How weights begin: `keras.initializers`.

An initializer is called with a shape and returns a tensor. Weights that begin alike stay alike, so
most are random; their spread is chosen so that signals neither fade nor explode from layer to
layer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..api.missing import offer
from ..api.random import stream, truncated
from ..engine.base.arrays import array_of
from ..engine.base.dtypes import as_dtype, float32
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..typing import DTypeLike
from .naming import Configured, made


def new_seed() -> int:
    """Return a seed from the program's own stream."""
    return int(stream().integers(2**31))


class Initializer(Configured):
    """The base of all initializers: subclasses write `__call__(shape, dtype)`."""

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")


def _numpy_dtype(dtype: DTypeLike | None) -> Any:
    return as_dtype(float32 if dtype is None else dtype).as_numpy_dtype


class Constant(Initializer):
    """Fill with one number. Source: `keras.initializers.Constant`."""

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        return Tensor(
            np.array(
                np.broadcast_to(
                    array_of(self.value, float32 if dtype is None else dtype), tuple(shape)
                )
            )[()],
            here(),
        )


class Zeros(Initializer):
    """Fill with 0. Source: `keras.initializers.Zeros`."""

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        return Tensor(np.zeros(tuple(shape), _numpy_dtype(dtype))[()], here())


class Ones(Initializer):
    """Fill with 1. Source: `keras.initializers.Ones`."""

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        return Tensor(np.ones(tuple(shape), _numpy_dtype(dtype))[()], here())


class Random(Initializer):
    """The base of those with a seed: one object always draws the same numbers, as in Keras 3."""

    def _begin(self, seed: Any) -> None:
        self.seed = seed
        self._seed = new_seed() if seed is None else int(seed)

    def _normal(self, shape: Any) -> np.ndarray:
        return self._generator().standard_normal(tuple(shape), dtype=np.float32)

    def _generator(self) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(self._seed))

    def _truncated(self, shape: Any) -> np.ndarray:
        return truncated(self._generator().standard_normal, tuple(shape), np.float32)

    def _uniform(self, shape: Any) -> np.ndarray:
        return self._generator().random(tuple(shape), dtype=np.float32)


def _tensor(draw: Callable[[], Any], dtype: DTypeLike | None) -> Tensor:
    kind = _numpy_dtype(dtype)  # before anything is drawn
    return Tensor(np.asarray(draw()).astype(kind, copy=False)[()], here())


class RandomNormal(Random):
    """Draw from the normal distribution. Source: `keras.initializers.RandomNormal`."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        self.mean, self.stddev = mean, stddev
        self._begin(seed)

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        return _tensor(
            lambda: self._normal(shape) * np.float32(self.stddev) + np.float32(self.mean), dtype
        )


class TruncatedNormal(RandomNormal):
    """Draw from the normal distribution within two standard deviations. Source:
    `keras.initializers.TruncatedNormal`.
    """

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        return _tensor(
            lambda: self._truncated(shape) * np.float32(self.stddev) + np.float32(self.mean), dtype
        )


class RandomUniform(Random):
    """Draw evenly from [minval, maxval). Source: `keras.initializers.RandomUniform`."""

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        self.minval, self.maxval = minval, maxval
        self._begin(seed)

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        return _tensor(
            lambda: (
                self._uniform(shape) * np.float32(self.maxval - self.minval)
                + np.float32(self.minval)
            ),
            dtype,
        )


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """Return how many numbers a unit hears and how many hear it: (fan in, fan out)."""
    if len(shape) < 2:
        return (shape[0],) * 2 if shape else (1, 1)
    window = prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window


class VarianceScaling(Random):
    """Draw with the variance `scale` / n, where n is the fan in, the fan out or their mean. Raises
    ValueError.

    Source: `keras.initializers.VarianceScaling`.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: Any = None,
        input_axes: object = None,
        output_axes: object = None,
    ) -> None:
        if scale <= 0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(
                f"Invalid `mode` argument: {mode}. Please use one of 'fan_in', 'fan_out', "
                "'fan_avg'."
            )
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(f"Invalid `distribution` argument: {distribution}.")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.input_axes, self.output_axes = input_axes, output_axes
        self._begin(seed)

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        fan_in, fan_out = fans(tuple(shape))
        n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, n)
        if self.distribution == "uniform":
            limit = np.float32(np.sqrt(3.0 * variance))
            return _tensor(lambda: self._uniform(shape) * (2 * limit) - limit, dtype)
        if self.distribution == "untruncated_normal":
            return _tensor(lambda: self._normal(shape) * np.float32(np.sqrt(variance)), dtype)
        return _tensor(
            lambda: self._truncated(shape) * np.float32(np.sqrt(variance) / 0.87962566103423978),
            dtype,
        )  # what the cut takes from the spread


class _Named(VarianceScaling):
    """The base of the well-known choices of `VarianceScaling`."""

    choice = (1.0, "fan_in", "truncated_normal")

    def __init__(
        self, seed: Any = None, input_axes: object = None, output_axes: object = None
    ) -> None:
        super().__init__(*self.choice, seed, input_axes, output_axes)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments as a dictionary."""
        return {"seed": self.seed, "input_axes": self.input_axes, "output_axes": self.output_axes}


class GlorotUniform(_Named):
    """Draw evenly with variance 2 / (fan in + fan out) (Glorot, Bengio 2010)."""

    choice = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Named):
    """Draw normally with variance 2 / (fan in + fan out) (Glorot, Bengio 2010)."""

    choice = (1.0, "fan_avg", "truncated_normal")


class HeUniform(_Named):
    """Draw evenly with variance 2 / fan in, for relu (He et al. 2015)."""

    choice = (2.0, "fan_in", "uniform")


class HeNormal(_Named):
    """Draw normally with variance 2 / fan in, for relu (He et al. 2015)."""

    choice = (2.0, "fan_in", "truncated_normal")


class LecunUniform(_Named):
    """Draw evenly with variance 1 / fan in (LeCun et al. 1998)."""

    choice = (1.0, "fan_in", "uniform")


class LecunNormal(_Named):
    """Draw normally with variance 1 / fan in (LeCun et al. 1998)."""


class Orthogonal(Random):
    """Return a random matrix with orthonormal columns or rows (Saxe et al. 2014). Raises ValueError
    for vectors.
    """

    def __init__(self, gain: float = 1.0, seed: Any = None) -> None:
        self.gain = gain
        self._begin(seed)

    def __call__(self, shape: Sequence[int], dtype: DTypeLike | None = None) -> Tensor:
        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional. Received: "
                f"shape={shape}"
            )
        rows, columns = prod(shape[:-1]), shape[-1]
        q, r = np.linalg.qr(self._normal((max(rows, columns), min(rows, columns))))
        q = q * np.sign(np.diag(r))
        return _tensor(
            lambda: (q.T if rows < columns else q).reshape(shape) * np.float32(self.gain), dtype
        )


_BY_NAME = {
    "zeros": Zeros,
    "zero": Zeros,
    "ones": Ones,
    "one": Ones,
    "constant": Constant,
    "random_normal": RandomNormal,
    "normal": RandomNormal,
    "random_uniform": RandomUniform,
    "uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    "variance_scaling": VarianceScaling,
    "glorot_uniform": GlorotUniform,
    "glorot_normal": GlorotNormal,
    "he_uniform": HeUniform,
    "he_normal": HeNormal,
    "lecun_uniform": LecunUniform,
    "lecun_normal": LecunNormal,
    "orthogonal": Orthogonal,
}
_BY_NAME |= {cls.__name__: cls for cls in _BY_NAME.values()}


def get(identifier: Any) -> Any:
    """Return an initializer by name, as it is, or made of its class. Raises ValueError for an
    unknown name.

    Source: `keras.initializers.get`.
    """
    if isinstance(identifier, (Tensor, np.ndarray)):
        return lambda shape, dtype=None: Tensor(
            array_of(
                identifier.value if isinstance(identifier, Tensor) else identifier, dtype or float32
            )
        )
    return made("initializer", _BY_NAME, identifier)


__all__ = [
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "Initializer",
    "LecunNormal",
    "LecunUniform",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "get",
]
offer(__name__)
