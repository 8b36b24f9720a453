"""Strings in tensors, the little that programs around tapes use. Source: `tf.strings`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .api.making import made
from .api.missing import offer
from .compile.again import again
from .engine.base.dtypes import as_dtype, float32
from .engine.base.errors import InvalidArgumentError
from .engine.base.tensor import Tensor
from .engine.convert import convert_to_tensor
from .typing import DTypeLike, TensorLike


def _strings(x: TensorLike, what: str = "input") -> Tensor:
    """Return a tensor of strings. Raises `InvalidArgumentError` for another dtype, TypeError for
    Python's numbers.
    """
    x = convert_to_tensor(x, None if hasattr(x, "dtype") else "string")
    if x.value.dtype.kind != "S":
        raise InvalidArgumentError(
            f"`{what}` must be strings, got a tensor of dtype {x.dtype.name}. "
            "tf.strings.as_string makes strings of "
            "numbers."
        )
    return x


def _each(function: Callable[..., Any], *inputs: TensorLike) -> np.ndarray:
    """Apply a function of byte strings to every element."""
    arrays = np.broadcast_arrays(
        *[np.asarray(convert_to_tensor(x).value).astype(object) for x in inputs]
    )
    flat = [function(*row) for row in zip(*[a.ravel() for a in arrays])]
    return np.array(flat).reshape(arrays[0].shape)


@again
def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Join strings element by element. Shape: all broadcast to one shape. Source:
    `tf.strings.join`.
    """
    if not len(inputs):
        raise ValueError("`inputs` must hold at least one string.")
    return made(
        _each(
            lambda *parts: separator.encode().join(parts), *[_strings(x, "inputs") for x in inputs]
        ).astype("S")
    )


@again
def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Return the number of bytes (or of characters with unit="UTF8_CHAR"), int32. Shape: (...) ->
    (...). Source: `tf.strings.length`.
    """
    return made(
        _each(lambda s: len(s.decode() if unit == "UTF8_CHAR" else s), _strings(input)).astype(
            np.int32
        )
    )


@again
def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Return the strings in small letters. Shape: (...) -> (...). Source: `tf.strings.lower`."""
    return made(
        _each(
            lambda s: s.decode().lower().encode() if encoding else s.lower(), _strings(input)
        ).astype("S")
    )


@again
def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Return the strings in capital letters. Shape: (...) -> (...). Source: `tf.strings.upper`."""
    return made(
        _each(
            lambda s: s.decode().upper().encode() if encoding else s.upper(), _strings(input)
        ).astype("S")
    )


@again
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Write numbers as strings. Shape: (...) -> (...). Source: `tf.strings.as_string`."""
    x = convert_to_tensor(input)
    spec = f".{precision if precision >= 0 else 6}{'e' if scientific else 'g' if shortest else 'f'}"
    real = x.dtype.is_floating

    def written(v: Any) -> bytes:
        text = (
            format(float(v), spec)
            if real
            else {True: "true", False: "false"}[v]
            if isinstance(v, bool)
            else str(v)
        )
        return text.rjust(width, fill or " ").encode() if width > 0 else text.encode()

    return made(_each(written, x).astype("S"))


def _one(input: TensorLike, what: str) -> bytes:  # noqa: A002
    x = _strings(input)
    if x.ndim:
        raise NotImplementedError(
            f"tf.strings.{what} takes one string here, not a tensor of shape {x.shape}: the "
            "pieces of several have "
            f"different lengths, and every tensor is rectangular. Use [tf.strings.{what}(s) for "
            "s in x]."
        )
    return bytes(x.value)


@again
def split(
    input: TensorLike, sep: str | bytes | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor:  # noqa: A002
    """Cut one string at `sep` (at spaces, without it) into a vector of strings.

    Shape: () -> (n,). Raises NotImplementedError for a tensor of several. Source:
    `tf.strings.split`.
    """
    parts = _one(input, "split").split(
        None if sep in (None, "", b"") else sep.encode() if isinstance(sep, str) else sep, maxsplit
    )
    return made(np.array(parts, "S"))


@again
def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:  # noqa: A002
    """Cut one string into its bytes.

    Shape: () -> (n,). Raises NotImplementedError for a tensor of several. Source:
    `tf.strings.bytes_split`.
    """
    return made(np.array([bytes([b]) for b in _one(input, "bytes_split")], "S"))


@again
def to_number(input: TensorLike, out_type: DTypeLike = float32, name: str | None = None) -> Tensor:  # noqa: A002
    """Read numbers from strings.

    Shape: (...) -> (...). Raises InvalidArgumentError for a text that is none. Source:
    `tf.strings.to_number`.
    """
    kind = as_dtype(out_type)
    try:
        return made(
            _each(int if kind.is_integer else float, _strings(input)).astype(kind.as_numpy_dtype)
        )
    except ValueError as error:
        raise InvalidArgumentError(
            f"StringToNumberOp could not correctly convert string: {error}"
        ) from None


@again
def reduce_join(
    inputs: TensorLike,
    axis: int | None = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Join strings along an axis, or all of them.

    Shape: (...) -> (...) without `axis`; with `keepdims` it stays, of length 1. Source:
    `tf.strings.reduce_join`.
    """
    x = np.asarray(_strings(convert_to_tensor(inputs), "inputs").value).astype(object)
    joined = np.apply_along_axis(
        lambda row: np.array(separator.encode().join(row), object),
        -1 if axis is None else axis,
        x.reshape(-1) if axis is None else x,
    )
    joined = np.array(joined.tolist(), "S")
    if keepdims:
        joined = joined.reshape((1,) * x.ndim) if axis is None else np.expand_dims(joined, axis)
    return made(joined)


__all__ = [
    "as_string",
    "bytes_split",
    "join",
    "length",
    "lower",
    "reduce_join",
    "split",
    "to_number",
    "upper",
]
offer(__name__)
