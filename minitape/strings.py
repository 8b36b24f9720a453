"""Strings in tensors, the little that programs around tapes use. Source: `tf.strings`."""

import numpy as np

from .api.making import made
from .engine.again import again
from .engine.convert import convert_to_tensor


def _each(function, *inputs):
    """Apply a function of byte strings to every element."""
    arrays = np.broadcast_arrays(*[np.asarray(convert_to_tensor(x).value).astype(object) for x in inputs])
    flat = [function(*row) for row in zip(*[a.ravel() for a in arrays])]
    return np.array(flat).reshape(arrays[0].shape)


@again
def join(inputs, separator="", name=None):
    """Join strings element by element. Source: `tf.strings.join`."""
    return made(_each(lambda *parts: separator.encode().join(parts), *inputs).astype("S"))


@again
def length(input, unit="BYTE", name=None):
    """Return the number of bytes (or of characters with unit="UTF8_CHAR"), int32. Source: `tf.strings.length`."""
    return made(_each(lambda s: len(s.decode() if unit == "UTF8_CHAR" else s), input).astype(np.int32))


@again
def lower(input, encoding="", name=None):
    """Return the strings in small letters. Source: `tf.strings.lower`."""
    return made(_each(lambda s: s.decode().lower().encode() if encoding else s.lower(), input).astype("S"))


@again
def upper(input, encoding="", name=None):
    """Return the strings in capital letters. Source: `tf.strings.upper`."""
    return made(_each(lambda s: s.decode().upper().encode() if encoding else s.upper(), input).astype("S"))


@again
def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None):
    """Write numbers as strings. Source: `tf.strings.as_string`."""
    x = convert_to_tensor(input)
    spec = f".{precision if precision >= 0 else 6}{'e' if scientific else 'g' if shortest else 'f'}"
    real = x.dtype.is_floating
    def written(v):
        text = format(float(v), spec) if real else {True: "true", False: "false"}[v] if isinstance(v, bool) else str(v)
        return text.rjust(width, fill or " ").encode() if width > 0 else text.encode()
    return made(_each(written, x).astype("S"))


__all__ = ["as_string", "join", "length", "lower", "upper"]
