# What a type checker sees of convert.py: whatever is converted is a tensor afterwards.
from typing import Any, TypeGuard

from ..typing import DTypeLike, ShapeLike, TensorLike
from .ground.tensor import Tensor
from .variable import Variable

def constant(value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None,
             name: str | None = "Const") -> Tensor: ...
def convert_to_tensor(value: Any, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None,
                      name: str | None = None) -> Tensor: ...
def is_tensor(x: object) -> TypeGuard[Tensor | Variable]: ...
