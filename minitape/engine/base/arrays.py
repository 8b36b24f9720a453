"""Conversion of Python numbers, lists and NumPy arrays to arrays of the dtype that TensorFlow would
choose, and to tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from .dtypes import as_dtype, string
from .tensor import Tensor

if TYPE_CHECKING:
    from .aliases import Array, DTypeLike

FLOAT32_MAX = 3.4028234663852886e38  # written out: to ask NumPy takes milliseconds at the import


def array_of(value: Any, dtype: DTypeLike | None = None, what: str = "value") -> Array:
    """Return a fresh NumPy array (a scalar without axes) of a Python or NumPy value.

    Python numbers become float32 and int32; with `dtype`, numbers that would lose a fraction are
    refused, and whole ones that are too large wrap around, as in TensorFlow. NumPy arrays keep
    their dtype, or are cast to `dtype` as NumPy does it. Raises ValueError or TypeError for ragged
    lists, None, and values that do not fit.
    """
    kind = type(value)
    if dtype is None and (
        kind is float
        and -FLOAT32_MAX < value < FLOAT32_MAX
        or kind is int
        and -2147483649 < value < 2147483648
    ):
        return np.float32(value) if kind is float else np.int32(value)  # type: ignore[return-value]  # the usual case
    want = None if dtype is None else as_dtype(dtype)
    if value is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to "
            "a Tensor. "
            "Did a function forget its `return`, or is this a gradient of None? tape.explain "
            "tells why."
        )
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.array(value)
        numpy = True
    else:
        numpy = isinstance(value, (list, tuple)) and _holds_arrays(value)
        array = _from_python(value)
    if array.dtype.kind in "OUS":
        array = _strings(array, value)
    if want is None:
        array = array if numpy else _by_default(array, value)
    elif want._numpy != array.dtype:
        kind = array.dtype.kind
        loses = not numpy and (
            kind == "f"
            and want._numpy.kind not in "fc"
            or kind == "c"
            and not want.is_complex
            or kind in "iu"
            and want.is_bool
        )
        text = (want is string) != (kind == "S")
        if (loses or text) and (array.size or kind == "S"):
            how = (
                "tf.strings.to_number and tf.strings.as_string do that"
                if text
                else "Use tf.cast to convert"
            )
            raise TypeError(
                f"Cannot convert {value!r} to EagerTensor of dtype {want.name}. {how} on purpose."
            )
        array = array.astype(want._numpy)
    return array if array.ndim else array[()]


def _from_python(value: Any) -> Array:
    try:
        return np.array(value)
    except ValueError as error:
        raise ValueError(
            "Can't convert non-rectangular Python sequence to Tensor. "
            "All rows must have the same length."
        ) from error


def _by_default(found: Array, value: Any) -> Array:
    """Return Python's numbers in TensorFlow's usual dtypes: float32, and int32 where they fit."""
    if found.dtype == np.float64:
        with np.errstate(over="ignore"):
            short = found.astype(np.float32)
        if np.isinf(short).any() and not np.isinf(found).any():
            raise ValueError(
                f"Can't convert {value!r}: a number is too large for float32. Use dtype=tf.float64."
            )
        return short
    if found.dtype == np.uint64:
        raise ValueError(
            "Can't convert Python sequence with out-of-range integer to Tensor. Use "
            "dtype=tf.uint64."
        )
    if found.dtype == np.int64 and not (
        found.size and (found.max() > 2147483647 or found.min() < -2147483648)
    ):
        return found.astype(np.int32)
    return found


def _holds_arrays(value: Any) -> bool:
    return any(
        _holds_arrays(v)
        if isinstance(v, (list, tuple))
        else isinstance(v, (np.ndarray, np.generic))
        for v in value
    )


def _mixed(value: Any) -> bool:
    return any(
        _mixed(v)
        if isinstance(v, (list, tuple))
        else not isinstance(v, (str, bytes, np.ndarray, np.generic))
        for v in value
    )


def _strings(found: Array, value: Any) -> Array:
    if found.dtype.kind in "US" and isinstance(value, (list, tuple)) and _mixed(value):
        raise ValueError(
            "Can't convert Python sequence with mixed types to Tensor: it holds numbers and "
            "strings."
        )
    try:
        flat = [
            v if isinstance(v, bytes) else v.encode()
            for v in np.asarray(found, dtype=object).ravel().tolist()
        ]
    except AttributeError:
        instead = getattr(value, "instead_of_a_tensor", "")
        if isinstance(value, FunctionType):
            instead = (
                " It is a function: call it; or is it a rule, and @tf.custom_gradient is "
                "missing above the function that returns it?"
            )
        raise ValueError(
            f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to "
            f"a Tensor.{instead}"
        ) from None
    return np.array(flat, dtype="S").reshape(found.shape)


def plain(y: Any) -> Any:
    """Return an array without axes as a NumPy scalar, and two strings joined (Python answers for
    NumPy) as NumPy's.
    """
    if type(y) is ndarray:
        return y if y.ndim else y[()]
    return np.bytes_(y) if type(y) is bytes else y


def tensors(inputs: Sequence[Any]) -> list[Tensor]:
    """Convert the inputs of one operation to tensors; Python numbers take the dtype of the tensor
    beside them.
    """
    # the last: the first of `select` is a boolean
    like = next(x for x in reversed(inputs) if type(x) is Tensor)
    return [
        x
        if type(x) is Tensor
        else Tensor(array_of(x, like.dtype if isinstance(x, (int, float)) else None))
        for x in inputs
    ]
