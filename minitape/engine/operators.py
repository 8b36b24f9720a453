"""The operators of tensors and variables: `+ - * / // % ** @`, comparisons, `& | ^ ~` and `[...]`.

Each stands for a row of the table. The other operand may be a tensor, a variable, an array, a list
or a number. It is converted to the tensor's dtype if that loses nothing; otherwise an error is
raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .base.arrays import array_of
from .base.dtypes import as_dtype
from .base.errors import InvalidArgumentError
from .base.listeners import tracer
from .base.mismatches import check_dtypes
from .base.notes import look, symbolic
from .base.tensor import Tensor, new_id, wrap
from .base.where import here
from .convert import convert_to_tensor
from .ops import arithmetic, comparison, elementwise, indexing, linear_algebra, shaping
from .ops.common_run import common_run
from .ops.record import run
from .variable import Variable

if TYPE_CHECKING:
    from .ops.record import Op


Method: TypeAlias = Callable[[Any, Any], Any]  # of an operator


def operand(other: Any, like: Tensor) -> Tensor:
    """Convert the other side of an operator: Python numbers, lists and arrays take the tensor's
    dtype where they fit.

    Raises TypeError for values that do not fit.
    """
    kind = type(other)
    if kind is Variable:
        return other._read()
    if kind is float or kind is int:
        dtype = like.value.dtype
        if dtype.kind == "f" or kind is int and dtype.kind == "i":
            try:
                return wrap(dtype.type(other), new_id())
            except OverflowError:
                pass  # it wraps around, below
    if isinstance(other, (Tensor, Variable)):
        return convert_to_tensor(other)
    if isinstance(other, (np.ndarray, np.generic, list, tuple)):
        return convert_to_tensor(other, like.dtype)
    return Tensor(array_of(other, like.dtype))


def pair(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert both inputs of an operation to tensors; the one that is not a tensor takes the
    other's dtype.
    """
    if isinstance(x, (Tensor, Variable)):
        x = x if type(x) is Tensor else x._read()  # type: ignore[union-attr]
        return x, y if type(y) is Tensor else operand(y, x)
    if isinstance(y, (Tensor, Variable)):
        x = operand(x, y if type(y) is Tensor else y._tensor)  # type: ignore[union-attr]
        return x, y if type(y) is Tensor else y._read()  # type: ignore[union-attr]
    x = convert_to_tensor(x)
    return x, operand(y, x)


def matched(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert both inputs of a function to tensors, as `pair` does. Of a list and a variable, the list
    decides: raises ValueError for a variable of another dtype.
    """
    if isinstance(x, (list, tuple, str, bytes, complex)) and isinstance(y, Variable):
        x = convert_to_tensor(x)
        return x, convert_to_tensor(y, x.dtype)
    return pair(x, y)


def in_order(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Convert both inputs of `tf.add`, `tf.matmul` and their kind to tensors: the first by itself, the
    second to its dtype where it fits, else by itself too, so that the operation refuses it.
    """
    x = x if type(x) is Tensor else convert_to_tensor(x)
    try:
        return x, y if type(y) is Tensor else operand(y, x)
    except (TypeError, ValueError):
        return x, convert_to_tensor(y)


def one(op: Op, x: Any, **attributes: Any) -> Any:
    """Run an operation of one input."""
    return run(op, (x if type(x) is Tensor else convert_to_tensor(x),), attributes or None)


def two(op: Op, x: Any, y: Any, **attributes: Any) -> Any:
    """Run an operation of two inputs."""
    return run(op, pair(x, y), attributes or None)


def binary(op: Op) -> tuple[Method, Method]:
    """Return the method of an operator with two sides, and its mirror image."""
    method, turned = common_run(op, operand), common_run(op, operand, depth=2)

    def mirrored(self: Any, other: Any) -> Tensor:
        a = self if type(self) is Tensor else self._read()
        try:
            other = operand(other, a)
        except (TypeError, ValueError) as error:
            from .ops.sides import explain_sides

            explain_sides(error, op.name, other, a)
            raise
        return turned(other, a)

    return method, mirrored


def negative(x: Tensor) -> Tensor:
    """Return -x. Raises `InvalidArgumentError` for booleans, strings, and integers that have no
    sign and would wrap around.
    """
    if x.value.dtype.kind not in "fci":
        raise InvalidArgumentError(
            f"Value for attr 'T' of {x.dtype.name} is not in the list of allowed values: signed "
            "numbers [Op:Neg]. "
            "Use tf.cast(x, tf.int32) first."
        )
    return run(arithmetic.negative, (x,))


def absolute(x: Tensor) -> Tensor:
    """Return the absolute value: of a complex number, a real one. Raises `InvalidArgumentError` for
    anything but numbers.
    """
    if x.value.dtype.kind not in "fciu":
        raise InvalidArgumentError(
            f"Value for attr 'T' of {x.dtype.name} is not in the list of allowed values: numbers "
            "[Op:Abs]"
        )
    if x.value.dtype.kind == "c":
        from .ops.further.complex_numbers import complex_abs

        return run(complex_abs, (x,))
    return run(elementwise.absolute, (x,))


# ---- yes or no


def equality(op: Op, otherwise: bool) -> Callable[[Any, Any], Any]:
    """Return the method of `==` or `!=`: element by element. A tensor is different from None and
    from other shapes.
    """

    def method(self: Any, other: Any) -> Any:
        if other is None and type(self) is Tensor:
            return otherwise
        a, b = sides(op, self, other)
        if a.value.shape != b.value.shape and not fit(a.value.shape, b.value.shape):
            check_dtypes(op, (a.value, b.value))
            return Tensor(np.bool_(otherwise), here())
        return run(op, (a, b))

    return method


def sides(op: Op, a: Any, b: Any) -> tuple[Tensor, Tensor]:
    """Return both sides of an operator as tensors; see `pair`."""
    try:
        return pair(a, b)
    except (TypeError, ValueError) as error:
        from .ops.sides import refusal

        raise refusal(error, op, a, b) from None


def fit(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Return True where two shapes can be broadcast together."""
    return all([m == n or m == 1 or n == 1 for m, n in zip(reversed(a), reversed(b))])


def bits(logical: Op, bitwise: Op) -> tuple[Method, Method]:
    """Return the method of `&`, `|` or `^`, and its mirror image: logical for booleans, bit by bit
    for integers.
    """

    def method(self: Any, other: Any) -> Tensor:
        return of_bits(logical, bitwise, *sides(bitwise, self, other))

    def mirrored(self: Any, other: Any) -> Tensor:
        return of_bits(logical, bitwise, *sides(bitwise, other, self))

    return method, mirrored


def of_bits(logical: Op, bitwise: Op, a: Tensor, b: Tensor) -> Tensor:
    if a.value.dtype.kind not in "biu":
        instead = (
            "A power is written x ** 2."
            if bitwise is comparison.bitwise_xor
            else "Compare first: (x > 0) & (x < 1)."
        )
        raise InvalidArgumentError(
            f"Value for attr 'T' of {a.dtype.name} is not in the list of allowed values: bool "
            "and integers "
            f"[Op:{bitwise.name}]. {instead}"
        )
    return run(logical if a.value.dtype.kind == "b" else bitwise, (a, b))


def invert(self: Any) -> Tensor:
    """Turn True into False and False into True; for integers, turn every bit."""
    x = convert_to_tensor(self)
    if x.value.dtype.kind not in "biu":
        raise InvalidArgumentError(
            f"Value for attr 'T' of {x.dtype.name} is not in the list of allowed values: bool "
            "and integers "
            "[Op:Invert]"
        )
    return run(comparison.logical_not if x.value.dtype.kind == "b" else comparison.invert, (x,))


# ---- [...]


def getitem(self: Any, key: Any) -> Tensor:
    """Return the elements at a key of numbers, slices, `...`, None and scalar integer tensors, or
    where a mask is True.

    Raises `InvalidArgumentError` for a number outside of the axis, TypeError for anything else.
    Source: `tf.Tensor.__getitem__`.
    """
    x = self if type(self) is Tensor else self._read()
    if is_mask(key):
        return masked(x, key)
    key = key if isinstance(key, tuple) else (key,)
    if tracer() is not None:
        x, key = gathered(x, key)
    parts = [part(p) for p in key]
    axes = sum([p is not None and p is not Ellipsis for p in parts])
    if axes > x.value.ndim:
        raise InvalidArgumentError(
            f"Index out of range using input dim {x.value.ndim}; input has only {x.value.ndim} "
            "dims "
            f"[Op:StridedSlice]: {axes} places were given for a tensor of shape {x.shape}."
        )
    result = run(shaping.index, (x,), {"key": tuple(parts)})
    if x is not self:
        result.part = self, tuple(parts)  # so that v[0].assign(...) finds its variable
    return result


def gathered(x: Tensor, key: tuple[Any, ...]) -> tuple[Tensor, tuple[Any, ...]]:
    """Return `x` at those places of a key that differ from call to call, and the rest of the key."""
    rest: list[Any] = []
    for k, p in enumerate(key):
        p = p._read() if isinstance(p, Variable) else p
        from_the_end = any([q is Ellipsis for q in rest])
        axes = sum([q is not None for q in (key[k:] if from_the_end else rest)])
        axis = -axes if from_the_end else axes - x.value.ndim
        if type(p) is Tensor and not p.ndim and p.dtype.is_integer and symbolic(p) and axis < 0:
            p = run(elementwise.select, (p < 0, p + x.value.shape[axis], p))
            x = run(indexing.gather, (x, p), {"axis": axis})
        else:
            rest.append(p)
    return x, tuple(rest)


def is_mask(key: Any) -> bool:
    """Return True for a boolean tensor or array with axes."""
    key = key._tensor if isinstance(key, Variable) else key
    array = key.value if type(key) is Tensor else key
    return isinstance(array, np.ndarray) and array.dtype == np.bool_ and array.ndim > 0


def part(p: Any) -> Any:
    """Return one part of a key as plain Python: a number, a slice, `...` or None."""
    if p is None or p is Ellipsis:
        return p
    if isinstance(p, slice):
        if p.step is not None and as_index(p.step) == 0:
            raise InvalidArgumentError("slice step cannot be zero [Op:StridedSlice]")
        return slice(*[None if n is None else as_index(n) for n in (p.start, p.stop, p.step)])
    return as_index(p)


def as_index(n: Any) -> int:
    """Return a place as a Python integer."""
    if type(n) is int:
        return n
    array = look(n) if type(n) is Tensor else n._tensor.value if isinstance(n, Variable) else n
    if isinstance(array, (bool, np.bool_)):
        raise ValueError(
            "A single boolean is no index. Use an `if`, or a mask with the shape of the axes "
            "that it chooses from."
        )
    if isinstance(array, list):
        raise InvalidArgumentError(
            f"A list is no index: {array}. Use tf.gather(x, places), or tf.boolean_mask(x, mask) "
            "[Op:StridedSlice]."
        )
    if (
        getattr(array, "dtype", None) == np.bool_
        or not hasattr(array, "__index__")
        or np.ndim(array)
    ):
        kind = f"a tensor of dtype {as_dtype(array.dtype).name}" if type(n) is Tensor else repr(n)
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid "
            f"indices, got {kind}. Use tf.gather(x, places) for several places."
        )
    return int(array)


def masked(x: Tensor, mask: Any, axis: int = 0) -> Tensor:
    """Return the slices of `x` where the mask is True, joined to one axis."""
    mask = np.asarray(look(mask, "mask") if type(mask) is Tensor else mask)
    if tuple(x.shape[axis : axis + mask.ndim]) != mask.shape:
        raise ValueError(
            f"Shapes {tuple(x.shape[axis : axis + mask.ndim])} and {mask.shape} are "
            "incompatible: the mask must have the "
            "shape of the axes that it chooses from."
        )
    places = Tensor(np.flatnonzero(mask))
    if mask.ndim > 1:
        x = run(
            shaping.reshape,
            (x,),
            {"shape": tuple(x.shape[:axis]) + (mask.size,) + tuple(x.shape[axis + mask.ndim :])},
        )
    return run(indexing.gather, (x, places), {"axis": axis - x.value.ndim})


def refused(sign: str, instead: str) -> Method:
    """Return the method of `v += value` and its relatives: they would replace the variable by a
    tensor.
    """

    def method(self: Any, other: Any) -> Any:
        raise RuntimeError(
            f"`variable {sign}= value` with `tf.Variable`s is not supported: the name would "
            "stand for a tensor. "
            f"Use `v.{instead}` to change the variable, or `out = v {sign} value` for a new tensor."
        )

    return method


def install() -> None:
    """Give tensors and variables their operators."""
    mirrored = {
        "add": arithmetic.add,
        "sub": arithmetic.subtract,
        "mul": arithmetic.multiply,
        "truediv": arithmetic.divide,
        "floordiv": arithmetic.floordiv,
        "mod": arithmetic.floormod,
        "pow": arithmetic.power,
        "matmul": linear_algebra.matmul,
    }
    alone = {
        "lt": comparison.less,
        "le": comparison.less_equal,
        "gt": comparison.greater,
        "ge": comparison.greater_equal,
    }
    logic = {
        "and": bits(comparison.logical_and, comparison.bitwise_and),
        "or": bits(comparison.logical_or, comparison.bitwise_or),
        "xor": bits(comparison.not_equal, comparison.bitwise_xor),
    }
    for kind in (Tensor, Variable):
        for name, op in mirrored.items():
            method, mirror = binary(op)
            setattr(kind, f"__{name}__", method)
            setattr(kind, f"__r{name}__", mirror)
        for name, op in alone.items():
            setattr(kind, f"__{name}__", common_run(op, operand))
        for name, (method, mirror) in logic.items():
            setattr(kind, f"__{name}__", method)
            setattr(kind, f"__r{name}__", mirror)
        kind.__eq__, kind.__ne__ = (
            equality(comparison.equal, False),
            equality(comparison.not_equal, True),
        )
        kind.__invert__, kind.__getitem__ = invert, getitem
        kind.__neg__ = lambda self: negative(convert_to_tensor(self))
        kind.__abs__ = lambda self: absolute(convert_to_tensor(self))
    for name, sign, instead in (
        ("iadd", "+", "assign_add(value)"),
        ("isub", "-", "assign_sub(value)"),
        ("imul", "*", "assign(v * value)"),
        ("itruediv", "/", "assign(v / value)"),
        ("ipow", "**", "assign(v ** value)"),
    ):
        setattr(Variable, f"__{name}__", refused(sign, instead))
