"""Errors for inputs that do not fit an operation, in terms that a learner can use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .dtypes import as_dtype
from .errors import InvalidArgumentError
from .listeners import tracer

if TYPE_CHECKING:
    from .aliases import Array, Op

# what NumPy raises for shapes and values that do not fit
NUMPY_ERRORS = (ValueError, TypeError, IndexError, np.linalg.LinAlgError)
BOOL = np.dtype(bool)
# NumPy silently converts booleans to numbers here; a product is an "and"
COUNTING = {"Add", "Sub", "Div", "FloorDiv", "FloorMod", "Pow"}


def dtype_error(name: str) -> type[Exception]:
    """Return the class of the error for a dtype that an operation does not take: TypeError where a
    `tf.function` is traced.
    """
    return TypeError if name == "Div" or tracer() is not None else InvalidArgumentError


def check_dtypes(op: Op, values: tuple[Array, ...]) -> None:
    """Raise `InvalidArgumentError` unless all inputs have the same dtype, one that the operation
    supports.
    """
    if not op.mixed:
        same_dtype(op.name, values)
    if values[0].dtype is BOOL and op.name in COUNTING:
        raise dtype_error(op.name)(
            "Value for attr 'T' of bool is not in the list of allowed values: numbers "
            f"[Op:{op.name}]. "
            "Count with numbers: tf.cast(x, tf.float32). Combine yes and no with & and |."
        )


def same_dtype(name: str, values: tuple[Array, ...]) -> None:
    """Raise `InvalidArgumentError` unless all arrays have the same dtype: as in TensorFlow, nothing
    is converted silently.
    """
    first = values[0].dtype
    for i, v in enumerate(values):
        if v.dtype is not first and v.dtype != first and not v.dtype.kind == first.kind == "S":
            raise dtype_error(name)(
                f"cannot compute {name} as input #{i}(zero-based) was expected to be a "
                f"{as_dtype(first).name} tensor but is a "
                f"{as_dtype(v.dtype).name} tensor [Op:{name}]. Dtypes are never mixed in "
                "silence: use tf.cast(x, dtype) on one side."
            )


def mismatch_error(op: Op, values: tuple[Array, ...], error: Exception) -> Exception:
    """Return the error to raise for one of NumPy's: it names the operation, the shapes and the
    cause. It is a ValueError where a `tf.function` is traced.
    """
    shapes = " vs. ".join(str(list(np.shape(v))) for v in values)
    dtypes = {str(getattr(v, "dtype", type(v).__name__)) for v in values}
    if "broadcast" in str(error):
        text = (
            f"Incompatible shapes: {shapes} [Op:{op.name}]. Two axes fit where they are equal or "
            "one of them is 1; "
            "compare the shapes from the right."
        )
    else:
        text = (
            f"{op.name} cannot take inputs of shape {shapes} ({', '.join(sorted(dtypes))}): "
            f"{error} [Op:{op.name}]"
        )
    if any([np.asarray(v).dtype.kind == "S" for v in values]):
        return dtype_error(op.name)(text)  # texts fit few operations
    return InvalidArgumentError(text, op) if tracer() is None else ValueError(text)
