"""A shape as a learner may write it: a number, a list of numbers, a `TensorShape` or an integer tensor."""

import numpy as np

from ..engine.convert import convert_to_tensor
from ..engine.dtypes import as_dtype
from ..engine.errors import InvalidArgumentError
from ..engine.notes import look
from ..engine.tensor import Tensor
from ..engine.variable import Variable


def shape_of(shape, what="shape"):
    """Return a shape as a tuple of integers. Raises TypeError, and `InvalidArgumentError` for negative lengths."""
    if isinstance(shape, (Tensor, Variable)):
        shape = look(convert_to_tensor(shape))
        if shape.dtype.kind not in "iu":
            raise InvalidArgumentError(f"Shape must be integers, got a {as_dtype(shape.dtype).name} tensor.")
        shape = np.ravel(shape).tolist()
    elif isinstance(shape, (int, np.integer)):
        shape = (shape,)
    elif isinstance(shape, (str, bytes)):
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    elif shape is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.")
    found = []
    for n in shape:
        if isinstance(n, float) or getattr(n, "dtype", None) is not None and np.dtype(getattr(n.dtype, "_numpy", n.dtype)).kind == "f":
            if what == "reshape":
                raise InvalidArgumentError(f"A shape holds integers, got {n!r} [Op:Reshape]")
            raise TypeError(f"Expected int32 passed to parameter '{what}', got {n!r} of type 'float' instead.")
        found.append(int(n))
    if any(n < 0 for n in found) and what != "reshape":
        raise InvalidArgumentError(f"Dimension {min(found)} must be >= 0 in the shape {found}.")
    return tuple(found)
