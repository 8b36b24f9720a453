"""Python's and NumPy's protocols for tensors: printing, length, iteration, conversion to numbers
and arrays.

Each conversion is an escape: a tape cannot follow what is computed from the value outside of the
library, so every tape that is recording gets a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import notes
from .shapes import TensorShape
from .text import Reference, own_lines, representation, text

if TYPE_CHECKING:
    from .aliases import Array, Number, TensorLike
    from .dtypes import DType
    from .tensor import Tensor


class Operators:
    """The operators of tensors and variables, as a type checker sees them; `engine/operators.py`
    gives them when it is loaded.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def _with(self, other: TensorLike) -> Tensor: ...

        __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = (
            __matmul__
        ) = _with
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = (
            __rmatmul__
        ) = _with
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lt__ = __le__ = __gt__ = (
            __ge__
        ) = _with

        def __eq__(self, other: object) -> Tensor: ...  # type: ignore[override]  # element by element
        def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __getitem__(self, key: Any) -> Tensor: ...


class Protocols(Operators):
    """The methods of a tensor that are not about gradients."""

    __slots__ = ()
    __array_priority__ = 100  # numpy_scalar * tensor stays a tensor
    __hash__ = None  # type: ignore[assignment]  # as in TensorFlow: `==` compares elements; use ref() as a key

    if TYPE_CHECKING:  # tensor.py has them
        value: Array
        id: Number

        @property
        def dtype(self) -> DType: ...
        @property
        def shape(self) -> TensorShape: ...

    device = property(
        lambda self: "/job:localhost/replica:0/task:0/device:CPU:0", doc="Always the CPU."
    )

    def get_shape(self) -> TensorShape:
        """Return the shape. Source: `tf.Tensor.get_shape`."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check the shape; raises ValueError if it differs. Source: `tf.Tensor.set_shape`."""
        if self.shape != TensorShape(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {list(shape)}."
            )

    def ref(self) -> Reference:
        """Return a hashable reference to this tensor, for sets and dictionary keys. Source:
        `tf.Tensor.ref`.
        """
        return Reference(self)

    # ---- out of the library

    def numpy(self) -> Any:
        """Return a copy as a NumPy array (a NumPy scalar without axes). The tape cannot follow what
        happens to it.

        Source: `tf.Tensor.numpy`.
        """
        notes.escape(self, "numpy")
        return self._copy_out()

    def _copy_out(self) -> Any:
        value = self.value
        if value.dtype.kind == "S":
            return bytes(value) if value.ndim == 0 else value.astype(object)
        return value.copy() if value.ndim else value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        notes.escape(self, "__array__")
        array = np.array(self._copy_out(), dtype=dtype)
        # np.asarray shows the tensor, which never changes; np.array copies it
        array.flags.writeable = bool(copy)
        return array

    def __float__(self) -> float:
        return float(self._one("float"))

    def __int__(self) -> int:
        return int(self._one("int"))

    def __complex__(self) -> complex:
        return complex(self._one("complex"))

    def __index__(self) -> int:
        if self.value.dtype.kind not in "iu" or self.value.ndim:
            raise TypeError(
                "Only a scalar integer tensor can be used as an index; this one has dtype "
                f"{self.dtype.name} "
                f"and shape {self.shape}. Use tf.cast or tf.gather."
            )
        return int(self._one("index"))

    def __bool__(self) -> bool:
        if self.value.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
                f": this tensor has shape {self.shape}; "
                "use tf.reduce_any(...) or tf.reduce_all(...)."
            )
        return bool(self._one("bool"))

    def _one(self, how: str) -> Any:
        notes.escape(self, how)
        if not self.value.size and how == "bool":
            return False
        if self.value.size != 1 or self.value.ndim and how != "bool":
            raise TypeError(
                f"only length-1 arrays can be converted to Python scalars: this tensor has shape "
                f"{self.shape}; choose one element first, as in tensor[0]."
            )
        return self.value if not self.value.ndim else self.value.reshape(())[()]

    # ---- as a sequence

    def __len__(self) -> int:
        if not self.value.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self.value)

    def __iter__(self) -> Iterator[Tensor]:
        if not self.value.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self.value)))

    # ---- as text

    def __format__(self, spec: str) -> str:
        if not spec and notes.symbolic(self):
            return str(self)
        notes.escape(self, "format")
        if self.value.ndim and spec:
            raise TypeError(
                f"A format such as {spec!r} fits one number only; this tensor has shape "
                f"{self.shape}. "
                "Use f'{tensor}', or format one element."
            )
        return format(self.value, spec) if self.value.dtype.kind != "S" else text(self.value)

    def __str__(self) -> str:
        if notes.symbolic(self):
            return f"tf.Tensor(traced, shape={self.shape}, dtype={self.dtype.name})"
        notes.escape(self, "format")
        return (
            f"tf.Tensor({own_lines(text(self.value))}, shape={self.shape}, dtype={self.dtype.name})"
        )

    def __repr__(self) -> str:
        if notes.symbolic(self):
            return f"<tf.Tensor: traced, shape={self.shape}, dtype={self.dtype.name}>"
        return (
            f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, "
            f"numpy={own_lines(representation(self.value))}>"
        )

    # ---- copies

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self  # it never changes; as in TensorFlow, a tape that follows it follows the copy
