"""Random tensors as layers draw them: `keras.random`. The numbers are those of `tf.random`, with
its seeds.
"""

from __future__ import annotations

from typing import Any

from ..api import random as _random
from ..api.missing import offer
from ..compile.again import again
from ..engine.base.dtypes import as_dtype
from ..engine.base.tensor import Tensor
from ..typing import DTypeLike, ShapeLike


class SeedGenerator:
    """A stream of seeds: given as `seed`, it makes other numbers at every call, where a number as
    seed makes the same ones.

    Source: `keras.random.SeedGenerator`.
    """

    def __init__(self, seed: int | None = None, name: str | None = None) -> None:
        self.seed, self.name, self._drawn = seed, name or "seed_generator", 0

    def next(self, ordered: bool = True) -> Any:
        """Return the next seed."""
        self._drawn += 1
        return None if self.seed is None else (int(self.seed), self._drawn)


@again
def _drawn(
    kind: str, shape: Any, first: Any, second: Any, dtype: DTypeLike | None, seed: Any
) -> Tensor:
    seed = seed.next() if isinstance(seed, SeedGenerator) else seed
    # the same seed, the same numbers
    source = _random if seed is None else _random.Generator.from_seed(seed)
    return getattr(source, kind)(
        shape, first, second, as_dtype("float32" if dtype is None else dtype)
    )


def normal(
    shape: ShapeLike,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Draw from the normal distribution. Source: `keras.random.normal`."""
    return _drawn("normal", shape, mean, stddev, dtype, seed)


def truncated_normal(
    shape: ShapeLike,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Draw from the normal distribution within two standard deviations. Source:
    `keras.random.truncated_normal`.
    """
    return _drawn("truncated_normal", shape, mean, stddev, dtype, seed)


def uniform(
    shape: ShapeLike,
    minval: float = 0.0,
    maxval: float = 1.0,
    dtype: DTypeLike | None = None,
    seed: Any = None,
) -> Tensor:
    """Draw from [minval, maxval). Source: `keras.random.uniform`."""
    return _drawn("uniform", shape, minval, maxval, dtype, seed)


def randint(
    shape: ShapeLike, minval: int, maxval: int, dtype: DTypeLike = "int32", seed: Any = None
) -> Tensor:
    """Draw whole numbers from [minval, maxval). Source: `keras.random.randint`."""
    return _drawn("uniform", shape, minval, maxval, dtype, seed)


__all__ = ["SeedGenerator", "normal", "randint", "truncated_normal", "uniform"]
offer(__name__)
