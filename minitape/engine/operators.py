"""The operators of tensors and variables: `+ - * / ** @` and their relatives are names for rows of the table."""

import numpy as np

from .ops import arithmetic, linear_algebra
from .record import of_two, run
from .tensor import Tensor, array_of, new_id, wrap
from .variable import Variable, convert_to_tensor


def operand(other, like):
    """Convert the other side of an operator: Python numbers, lists and arrays take the tensor's dtype where they fit.

    Raises TypeError for values that do not fit.
    """
    kind = type(other)
    if kind is float and like.value.dtype.kind == "f" or kind is int and like.value.dtype.kind in "fi":
        return wrap(like.value.dtype.type(other), new_id())
    if isinstance(other, (Tensor, Variable)):
        return convert_to_tensor(other)
    if isinstance(other, (np.ndarray, np.generic, list, tuple)):
        return convert_to_tensor(other, dtype_hint=like.dtype)
    return Tensor(array_of(other, like.dtype))


def binary(op):
    """Return the method of an operator with two sides, and its mirror image."""
    method = of_two(op, operand)

    def mirrored(self, other):
        a = self if type(self) is Tensor else self._read()
        return method(operand(other, a), a)

    return method, mirrored


def install():
    """Give tensors and variables their operators."""
    table = {"add": arithmetic.add, "sub": arithmetic.subtract, "mul": arithmetic.multiply, "truediv": arithmetic.divide,
             "pow": arithmetic.power, "matmul": linear_algebra.matmul}
    for kind in (Tensor, Variable):
        for name, op in table.items():
            method, mirrored = binary(op)
            setattr(kind, f"__{name}__", method)
            setattr(kind, f"__r{name}__", mirrored)
        kind.__neg__ = lambda self: run(arithmetic.negative, (convert_to_tensor(self),))
        kind.__gt__ = lambda self, other: Tensor(self.value > getattr(other, "value", other))


install()
