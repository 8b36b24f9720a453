"""Random tensors as layers draw them: `keras.random`. The numbers are those of `tf.random`, with its seeds."""

from ..api import random as _random
from ..compile.again import again
from ..engine.dtypes import as_dtype


class SeedGenerator:
    """A stream of seeds: given as `seed`, it makes other numbers at every call, where a number as seed makes the same ones.

    Source: `keras.random.SeedGenerator`.
    """

    def __init__(self, seed=None, name=None):
        self.seed, self.name, self._drawn = seed, name or "seed_generator", 0

    def next(self, ordered=True):
        """Return the next seed."""
        self._drawn += 1
        return None if self.seed is None else (int(self.seed), self._drawn)


@again
def _drawn(kind, shape, first, second, dtype, seed):
    seed = seed.next() if isinstance(seed, SeedGenerator) else seed
    source = _random if seed is None else _random.Generator.from_seed(seed)      # the same seed, the same numbers
    return getattr(source, kind)(shape, first, second, as_dtype(dtype or "float32"))


def normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Draw from the normal distribution. Source: `keras.random.normal`."""
    return _drawn("normal", shape, mean, stddev, dtype, seed)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Draw from the normal distribution within two standard deviations. Source: `keras.random.truncated_normal`."""
    return _drawn("truncated_normal", shape, mean, stddev, dtype, seed)


def uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    """Draw from [minval, maxval). Source: `keras.random.uniform`."""
    return _drawn("uniform", shape, minval, maxval, dtype, seed)


def randint(shape, minval, maxval, dtype="int32", seed=None):
    """Draw whole numbers from [minval, maxval). Source: `keras.random.randint`."""
    return _drawn("uniform", shape, minval, maxval, dtype, seed)


__all__ = ["SeedGenerator", "normal", "randint", "truncated_normal", "uniform"]
