"""The matrix product, and the transposed matrix that its rules need.

The last two axes are the matrix, all axes before them are a batch of matrices. `swap_last(a)` is
the transposed matrix.
"""

from __future__ import annotations

import numpy as np

from ..base.aliases import Array
from ..base.errors import InvalidArgumentError
from .record import Op


def product(a: Array, b: Array) -> Array:
    """Return the matrix product of two stacks of matrices, of dtypes that TensorFlow multiplies."""
    if a.itemsize < 4 and a.dtype.kind != "f":
        raise InvalidArgumentError(
            f"Value for attr 'T' of {a.dtype.name} is not in the list of allowed values: "
            "float16, float32, float64, "
            "int32, int64, complex64, complex128 [Op:MatMul]. Use tf.cast(x, tf.int32) first."
        )
    if a.ndim < 2 or b.ndim < 2:
        raise InvalidArgumentError(
            f"In[0] and In[1] must have at least two axes, but their shapes are {list(a.shape)} "
            f"vs. {list(b.shape)} "
            "[Op:MatMul]. Use tf.linalg.matvec for a matrix times a vector, or tf.tensordot(a, "
            "b, 1)."
        )
    try:
        return np.matmul(a, b)
    except ValueError:
        if a.shape[-1] == b.shape[-2]:
            raise
        raise InvalidArgumentError(
            f"Matrix size-incompatible: In[0]: {list(a.shape)}, In[1]: {list(b.shape)} "
            "[Op:MatMul]. The last axis "
            f"of the first ({a.shape[-1]}) and the last but one of the second ({b.shape[-2]}) "
            "must be equal."
        ) from None


# fmt: off
matmul    = Op("MatMul", product, lambda g, y, a, b: g @ swap_last(b),
                                  lambda g, y, a, b: swap_last(a) @ g)
swap_last = Op("MatrixTranspose", lambda x: x.swapaxes(-1, -2), lambda g, y, x: swap_last(g))
# fmt: on
