"""Data types of tensors.

A `DType` wraps a NumPy dtype under TensorFlow's name. Only floating-point and complex dtypes have
derivatives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .aliases import DTypeLike


class DType:
    """Names one kind of element.

    Compares equal to its name and to the NumPy dtype that it stands for. Source: `tf.DType`.
    """

    __slots__ = ("name", "_numpy")

    def __init__(self, name: str, numpy_type: Any) -> None:
        self.name, self._numpy = name, np.dtype(numpy_type)

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type, `object` for strings. Source: `tf.DType.as_numpy_dtype`."""
        return object if self.name == "string" else self._numpy.type

    is_floating = property(
        lambda self: self._numpy.kind == "f", doc="True for float16, float32 and float64."
    )
    is_complex = property(
        lambda self: self._numpy.kind == "c", doc="True for complex64 and complex128."
    )
    is_integer = property(
        lambda self: self._numpy.kind in "iu", doc="True for signed and unsigned integers."
    )
    is_unsigned = property(lambda self: self._numpy.kind == "u", doc="True for unsigned integers.")
    is_bool = property(lambda self: self._numpy.kind == "b", doc="True for booleans.")
    is_numeric = property(lambda self: self._numpy.kind in "fciu", doc="True for numbers.")
    is_differentiable = property(
        lambda self: self._numpy.kind in "fc", doc="True where a slope makes sense."
    )
    base_dtype = property(
        lambda self: self, doc="The dtype itself; here for TensorFlow's programs."
    )
    real_dtype = property(
        lambda self: {"complex64": float32, "complex128": float64}.get(self.name, self),
        doc="The dtype of the real part.",
    )

    @property
    def size(self) -> int:
        """The number of bytes of one element; 0 for strings, as in TensorFlow."""
        return 0 if self.name == "string" else self._numpy.itemsize

    def _limits(self) -> Any:
        if self._numpy.kind in "fc":
            return np.finfo(self._numpy)
        if self._numpy.kind in "iu":
            return np.iinfo(self._numpy)
        raise TypeError(
            f"Cannot find the limits of {self!r}: only numbers have a smallest and a largest value."
        )

    @property
    def min(self) -> Any:
        """The most negative value."""
        return False if self.is_bool else self._limits().min

    @property
    def max(self) -> Any:
        """The largest value."""
        return True if self.is_bool else self._limits().max

    def is_compatible_with(self, other: object) -> bool:
        """Return True for the same dtype. Source: `tf.DType.is_compatible_with`."""
        return self == other

    limits = property(
        lambda self: (0, self.max),
        doc="The range that images of this dtype use: from 0 to the largest value.",
    )

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, DType):
            return self.name == other.name
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


float16, float32, float64 = (
    DType("float16", np.float16),
    DType("float32", np.float32),
    DType("float64", np.float64),
)
int8, int16, int32, int64 = (DType(f"int{n}", f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (DType(f"uint{n}", f"uint{n}") for n in (8, 16, 32, 64))
complex64, complex128 = DType("complex64", np.complex64), DType("complex128", np.complex128)
bool_ = DType("bool", np.bool_)
string = DType("string", np.dtype("S"))
half, double = float16, float64

ALL = (
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    complex64,
    complex128,
    bool_,
    string,
)
_BY_NAME = {d.name: d for d in ALL} | {"half": half, "float": float32, "double": double}
_BY_NUMBER = {
    1: float32,
    2: float64,
    3: int32,
    4: uint8,
    5: int16,
    6: int8,
    7: string,
    8: complex64,
    9: int64,
    10: bool_,
    17: uint16,
    # TensorFlow's numbers, as in tf.zeros(1, 1)
    18: complex128,
    19: float16,
    22: uint32,
    23: uint64,
}
_BY_NUMPY = {d._numpy: d for d in ALL if d is not string}


def as_dtype(type_value: DTypeLike) -> DType:
    """Convert a name, a Python type, a NumPy dtype or a `DType` to a `DType`.

    Raises TypeError for anything else. Source: `tf.as_dtype`.
    """
    if isinstance(type_value, DType):
        return type_value
    dtype = _BY_NUMPY.get(type_value) if isinstance(type_value, np.dtype) else None
    if dtype is not None:
        return dtype
    if type_value is float:
        return float32
    if type_value is int:
        return int32
    if type(type_value) is int and type_value in _BY_NUMBER:
        return _BY_NUMBER[type_value]
    if isinstance(type_value, str):
        if type_value == "bfloat16":
            raise TypeError(
                "minitape has no bfloat16, because NumPy has none. Use tf.float16 or tf.float32 "
                "instead."
            )
        if type_value in _BY_NAME:
            return _BY_NAME[type_value]
    try:
        numpy_type = np.dtype(type_value)
    except (TypeError, ValueError):
        numpy_type = None
    if numpy_type is not None:
        if (
            numpy_type.kind in "SU"
            or numpy_type.kind == "O"
            and (type_value is object or not isinstance(type_value, type))
        ):
            return string
        if numpy_type in _BY_NUMPY:
            return _BY_NUMPY[numpy_type]
    raise TypeError(
        f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType. "
        f"Use one of {', '.join(d.name for d in ALL)}."
    )
