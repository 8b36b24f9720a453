"""Random tensors: the functions that `tf.random` exports.

The same seed gives the same numbers, every time and on every machine; they are NumPy's numbers, not
TensorFlow's. With `set_seed` a whole program repeats itself; a function called with its own `seed`
draws from a stream of that number, which `set_seed` starts anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..compile.again import STATES, again
from ..engine.base.dtypes import DType, as_dtype, float32
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor
from ..engine.ops.record import Op, run
from ..engine.variable import Variable
from ..typing import DTypeLike, IntLike, SeedLike, ShapeLike, TensorLike
from .arguments import FLOATS, only, shape_of, whole

_lock = threading.RLock()  # of which an interrupt may leave one hold
_streams: dict[Any, np.random.Generator] = {}
_global_seed: int | None = None

# Draws that follow a tensor, but not smoothly: an error where a gradient should pass, or none, as
# in TensorFlow.
categorical_drawn = Op("Multinomial", lambda logits, drawn: drawn)
shuffled = Op("RandomShuffle", lambda x, order: x[list(order)])


def set_seed(seed: IntLike) -> None:
    """Set the global seed: what is drawn from here on repeats itself. Source: `tf.random.set_seed`."""
    global _global_seed
    with _lock:
        _global_seed = int(seed)
        _streams.clear()


def stream(seed: Any = None) -> np.random.Generator:
    """Return NumPy's generator for a seed; None stands for the program's own stream."""
    seed = (
        None
        if seed is None
        else tuple(int(s) for s in np.ravel(seed))
        if np.ndim(seed)
        else int(seed)
    )
    with _lock:
        generator = _streams.get(seed)
        if generator is None:
            if seed is None and _global_seed is None:
                key = None
            else:
                key = [_global_seed or 0, *(() if seed is None else (1, *np.ravel(seed)))]
                key = [int(k) % 2**64 for k in key]
            generator = _streams[seed] = np.random.Generator(
                np.random.PCG64(np.random.SeedSequence(key))
            )
    return generator


def streams_now() -> Callable[[], None]:
    """Return a function that lets all streams go on from where they are now, whatever is drawn
    until it is called.
    """
    with _lock:
        before = {seed: stream.bit_generator.state for seed, stream in _streams.items()}

    def back() -> None:
        with _lock:
            for seed in list(_streams):
                if seed in before:
                    _streams[seed].bit_generator.state = before[seed]
                elif seed is not None or _global_seed is not None:
                    del _streams[seed]

    return back


STATES.append(streams_now)


def _is_number(x: object) -> bool:
    return isinstance(x, (int, float, np.number)) and not isinstance(x, bool)


def _floating(dtype: DTypeLike, name: str) -> Any:
    result = as_dtype(dtype)
    if not result.is_floating:
        raise ValueError(f"tf.random.{name} needs a floating dtype, got {result.name}.")
    return result.as_numpy_dtype


def _standard(draw: Callable[..., Any], shape: tuple[int, ...], dtype: Any) -> Any:
    """Return standard numbers of a dtype; float16 is drawn as float32."""
    return np.asarray(
        draw(size=shape, dtype=np.float64 if dtype == np.float64 else np.float32)
    ).astype(dtype, copy=False)


def _scaled(
    how: Callable[..., Any],
    draw: Callable[..., Any],
    shape: ShapeLike,
    dtype: Any,
    factor: TensorLike,
    offset: TensorLike,
) -> Tensor:
    """Return drawn numbers * factor + offset; recorded where factor or offset is a tensor, so that
    gradients reach it.

    `how` is `_standard` or `truncated`. What is asked for is read before anything is drawn.
    """
    lengths = shape_of(shape)
    if _is_number(factor) and _is_number(offset):
        factor, offset = dtype(factor), dtype(offset)
        value = how(draw, lengths, dtype) * factor + offset
        return Tensor(value if value.ndim else value[()], here())
    factor, offset = (
        convert_to_tensor(factor, as_dtype(dtype)),
        convert_to_tensor(offset, as_dtype(dtype)),
    )
    np.broadcast_shapes(lengths, factor.value.shape, offset.value.shape)
    value = how(draw, lengths, dtype)
    return Tensor(value if value.ndim else value[()], here()) * factor + offset


def _width(low: Any, high: Any) -> Any:
    """Return the length of the interval from which is drawn; without an upper end it ends at 1."""
    return (1 if high is None else high) - low


def _integers(
    generator: np.random.Generator, shape: ShapeLike, low: Any, high: Any, dtype: DType
) -> Tensor:
    """Draw integers from [low, high). Raises ValueError without `high`."""
    if high is None:
        raise ValueError(f"Must specify maxval for integer dtype {dtype.name}")
    return Tensor(
        np.asarray(generator.integers(int(low), int(high), shape_of(shape))).astype(
            dtype.as_numpy_dtype
        )[()],
        here(),
    )


@again
def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: SeedLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Draw from the normal distribution. Shape: -> `shape`. Source: `tf.random.normal`."""
    kind = _floating(dtype, "normal")
    return _scaled(_standard, stream(seed).standard_normal, shape, kind, stddev, mean)


@again
def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: SeedLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Draw from the normal distribution, values farther than two `stddev` from `mean` being drawn
    again.

    Shape: -> `shape`. Source: `tf.random.truncated_normal`.
    """
    kind, draw = _floating(dtype, "truncated_normal"), stream(seed).standard_normal
    return _scaled(truncated, draw, shape, kind, stddev, mean)


def truncated(draw: Callable[..., Any], shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return standard normal numbers between -2 and 2."""
    value = np.array(_standard(draw, shape, dtype))
    while (far := np.abs(value) > 2).any():
        value[far] = _standard(draw, (int(far.sum()),), dtype)
    return value


@again
def uniform(
    shape: ShapeLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    seed: SeedLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Draw from [minval, maxval): floats (maxval 1 by default) or integers.

    Shape: -> `shape`. Raises ValueError for integers without `maxval`. Source: `tf.random.uniform`.
    """
    result_dtype = as_dtype(dtype)
    if result_dtype.is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {result_dtype.name}")
        low, high = (convert_to_tensor(m).value for m in (minval, maxval))
        if np.any(low >= high):
            raise ValueError(f"Need minval < maxval, got {low} >= {high}")
        return Tensor(
            np.asarray(stream(seed).integers(low, high, shape_of(shape), dtype=np.int64)).astype(
                result_dtype.as_numpy_dtype
            )[()],
            here(),
        )
    kind = _floating(dtype, "uniform")
    maxval = 1 if maxval is None else maxval
    if not _is_number(minval) or not _is_number(maxval):
        minval, maxval = (
            convert_to_tensor(minval, result_dtype),
            convert_to_tensor(maxval, result_dtype),
        )
    return _scaled(_standard, stream(seed).random, shape, kind, _width(minval, maxval), minval)


@again
def categorical(
    logits: TensorLike,
    num_samples: IntLike,
    dtype: DTypeLike | None = None,
    seed: SeedLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Draw `num_samples` classes per row of unnormalised log-probabilities (rows, classes).

    Shape: logits (n, classes) -> (n, num_samples). Source: `tf.random.categorical`.
    """
    logits = only(FLOATS, categorical_drawn, convert_to_tensor(logits))
    x = logits.value
    if x.ndim != 2:
        raise InvalidArgumentError(f"`logits` must have the shape (rows, classes), got {x.shape}.")
    noise = stream(seed).gumbel(size=(x.shape[0], whole("num_samples", num_samples), x.shape[1]))
    drawn = (x[:, None, :] + noise).argmax(-1)
    return run(
        categorical_drawn,
        (logits,),
        {"drawn": drawn.astype(as_dtype("int64" if dtype is None else dtype).as_numpy_dtype)},
    )


@again
def shuffle(value: TensorLike, seed: SeedLike | None = None, name: str | None = None) -> Tensor:
    """Return the rows in another order; it has no gradient, as in TensorFlow. Shape: (n, ...) ->
    (n, ...). Source: `tf.random.shuffle`.
    """
    x = convert_to_tensor(value)
    return run(
        shuffled,
        (x,),
        {"order": tuple(stream(seed).permutation(len(x.value)).tolist()) if x.ndim else ()},
    )


def stateless_normal(
    shape: ShapeLike,
    seed: SeedLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str | int = "auto_select",
) -> Tensor:
    """Draw from the normal distribution; the same `seed`, two integers, always gives the same.

    Shape: -> `shape`. Source: `tf.random.stateless_normal`.
    """
    kind = _floating(dtype, "stateless_normal")
    return _scaled(_standard, stateless(seed, alg).standard_normal, shape, kind, stddev, mean)


def stateless_uniform(
    shape: ShapeLike,
    seed: SeedLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str | int = "auto_select",
) -> Tensor:
    """Draw from [minval, maxval); the same `seed`, two integers, always gives the same.

    Shape: -> `shape`. Source: `tf.random.stateless_uniform`.
    """
    generator, resolved = stateless(seed, alg), as_dtype(dtype)
    if resolved.is_integer:
        return _integers(generator, shape, minval, maxval, resolved)
    kind = _floating(dtype, "stateless_uniform")
    return _scaled(_standard, generator.random, shape, kind, _width(minval, maxval), minval)


def stateless(seed: Any, alg: str | int = "auto_select") -> np.random.Generator:
    """Return a fresh generator for a seed. `alg` names one of TensorFlow's ways; here there is one."""
    if not isinstance(alg, (str, int)):
        raise TypeError("`alg` must be a text or a whole number.")
    seed = convert_to_tensor(seed).value if isinstance(seed, (Tensor, Variable)) else seed
    return np.random.Generator(
        np.random.PCG64(np.random.SeedSequence([int(s) % 2**64 for s in np.ravel(seed)]))
    )


class Generator:
    """A stream of random numbers of its own. Make it with `from_seed` or
    `from_non_deterministic_state`.

    Source: `tf.random.Generator`. The numbers are NumPy's.
    """

    def __init__(
        self, copy_from: Generator | None = None, state: Any = None, alg: str | int | None = None
    ) -> None:
        if copy_from is None and state is None:
            raise ValueError(
                "Make a generator with tf.random.Generator.from_seed(seed) or "
                "from_non_deterministic_state()."
            )
        seed = state if copy_from is None else None
        self._numpy = (
            stateless(seed) if copy_from is None else np.random.Generator(np.random.PCG64())
        )
        if copy_from is not None:
            self._numpy.bit_generator.state = copy_from._numpy.bit_generator.state

    @classmethod
    def from_seed(cls, seed: SeedLike, alg: str | int | None = None) -> Generator:
        """Return a generator that gives the same numbers for the same seed."""
        return cls(state=seed)

    @classmethod
    def from_non_deterministic_state(cls, alg: str | int | None = None) -> Generator:
        """Return a generator that gives other numbers each time."""
        return cls(state=np.random.SeedSequence().entropy)

    def normal(
        self,
        shape: ShapeLike,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:
        """Draw from the normal distribution."""
        kind = _floating(dtype, "Generator.normal")
        return _scaled(_standard, self._numpy.standard_normal, shape, kind, stddev, mean)

    def truncated_normal(
        self,
        shape: ShapeLike,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:
        """Draw from the normal distribution within two standard deviations."""
        kind = _floating(dtype, "Generator.truncated_normal")
        return _scaled(truncated, self._numpy.standard_normal, shape, kind, stddev, mean)

    def uniform(
        self,
        shape: ShapeLike,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:
        """Draw from [minval, maxval)."""
        result_dtype = as_dtype(dtype)
        if result_dtype.is_integer:
            return _integers(self._numpy, shape, minval, maxval, result_dtype)
        kind = _floating(dtype, "Generator.uniform")
        return _scaled(_standard, self._numpy.random, shape, kind, _width(minval, maxval), minval)
