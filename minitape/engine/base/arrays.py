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

# what Python's truth values become without being asked; of the other numbers `tf.cast` makes them
COUNTING = {"bool", "int32", "int64", "float16", "float32", "float64"}
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
    numpy = isinstance(value, (np.ndarray, np.generic))
    array = np.array(value) if numpy else _from_python(value)
    if array.dtype.kind in "OUS":
        array = _strings(array, value)
    first = _first(value)
    if first is not value:
        _check_beside(first, array)
    if want is None:
        array = array if numpy else _by_default(array, value, first)
    elif want._numpy != array.dtype:
        kind, wanted = array.dtype.kind, want._numpy.kind
        loses = not numpy and (
            kind == "f"
            and wanted not in "fc"
            or kind == "c"
            and wanted != "c"
            or kind in "iu"
            and wanted == "b"
            or kind == "b"
            and want.name not in COUNTING
        )
        text = (want is string) != (kind == "S")
        if (loses or text) and (array.size or kind == "S"):
            how = (
                "tf.strings.to_number and tf.strings.as_string do that"
                if text
                else "Use tf.cast to convert"
            )
            raise (ValueError if text and numpy else TypeError)(
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


def _first(value: Any) -> Any:
    """Return the first element of nested lists, which may be an array."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return value


def _check_beside(first: Any, array: Array) -> None:
    """Raise ValueError for a list in which something does not fit beside its first element: numbers
    beside a truth value, complex ones beside real ones.
    """
    kind = np.asarray(first).dtype.kind
    if array.dtype.kind in {"b": "fciu", "f": "c", "i": "c", "u": "c"}.get(kind, ""):
        raise ValueError(
            "Can't convert Python sequence with mixed types to Tensor: the first element decides, "
            f"{first!r}. Write all of them as numbers of one kind."
        )


def _by_default(array: Array, value: Any, first: Any) -> Array:
    """Return Python's numbers in TensorFlow's usual dtypes: float32, and int32 where they fit. NumPy's
    float at the beginning of a list decides for the others.
    """
    if array.dtype.kind == "f" and isinstance(first, (np.ndarray, np.floating)):
        return array.astype(first.dtype if first.dtype.kind == "f" else np.float32)
    if array.dtype == np.float64:
        with np.errstate(over="ignore"):
            short = array.astype(np.float32)
        if np.isinf(short).any() and not np.isinf(array).any():
            raise ValueError(
                f"Can't convert {value!r}: a number is too large for float32. Use dtype=tf.float64."
            )
        return short
    if array.dtype == np.uint64:
        raise ValueError(
            "Can't convert Python sequence with out-of-range integer to Tensor. Use "
            "dtype=tf.uint64."
        )
    if array.dtype.kind in "iu" and not (
        array.size and (array.max() > 2147483647 or array.min() < -2147483648)
    ):
        return array.astype(np.int32)
    return array


def _mixed(value: Any) -> bool:
    return any(
        _mixed(v) if isinstance(v, (list, tuple)) else np.asarray(v).dtype.kind not in "USO"
        for v in value
    )


def _strings(array: Array, value: Any) -> Array:
    if array.dtype.kind in "US" and isinstance(value, (list, tuple)) and _mixed(value):
        raise ValueError(
            "Can't convert Python sequence with mixed types to Tensor: it holds numbers and "
            "strings."
        )
    try:
        flat = [
            v if isinstance(v, bytes) else v.encode()
            for v in np.asarray(array, dtype=object).ravel().tolist()
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
    return np.array(flat, dtype="S").reshape(array.shape)


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
