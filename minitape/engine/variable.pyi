# What a type checker sees of variable.py: the operators too, and the methods for parts of a variable (parts.py).
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from ..typing import DTypeLike, ShapeLike, TensorLike
from .ground.tensor import Operators, Tensor
from .ops.record import Op

read: Op
prefix: ContextVar[str]

class Part(Tensor):  # of a variable: v[0]
    def assign(self, value: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Variable: ...
    def assign_add(self, delta: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Variable: ...
    def assign_sub(self, delta: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Variable: ...

class Variable(Operators):
    observers: tuple[Callable[..., Any], ...]
    id: int
    name: str
    trainable: bool
    constraint: Any
    version: int
    path: str  # of keras, as the next two
    regularizer: Any
    frozen: bool
    _tensor: Tensor
    _where: Any
    _reading: dict[str, Any]
    _lock: Any
    _free: Any
    def __init__(self, initial_value: Any = None, trainable: bool | None = None, validate_shape: bool = True, caching_device: object = None,
                 name: str | None = None, variable_def: object = None, dtype: DTypeLike | None = None, import_scope: object = None,
                 constraint: Callable[..., Any] | None = None, synchronization: object = None, aggregation: object = None,
                 shape: ShapeLike | None = None, experimental_enable_variable_lifting: bool = True) -> None: ...
    def __getitem__(self, key: Any) -> Part: ...
    def value(self) -> Tensor: ...
    def read_value(self) -> Tensor: ...
    def assign(self, value: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Variable: ...
    def assign_add(self, delta: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Variable: ...
    def assign_sub(self, delta: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Variable: ...
    def _read(self) -> Tensor: ...
    def _put(self, array: Any, where: Any) -> Tensor: ...
    def _return_to(self, tensor: Tensor, version: int) -> None: ...
    def __getattr__(self, name: str) -> Any: ...  # gather_nd, scatter_update and their relatives

def gathered(value: Any, dtype: Any) -> Any: ...
