"""The operators of symbols: `x + y` on what `keras.Input` gives is a layer like others, made on the
spot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..naming import new_name
from .core import Lambda
from .symbolic import KerasTensor, is_symbolic


def _operator(name: str, kind: str) -> Callable[..., Any]:
    """Return the method for an operator: on symbols it is done as layers are, but is none of the
    model's layers.
    """

    def method(self: Any, *others: Any) -> Any:
        called = new_name(kind)  # Keras counts it among the layers of that name
        if is_symbolic(others):
            done, given = (
                Lambda(lambda both: getattr(both[0], name)(both[1]), name=called),
                [self, *others],
            )
        else:
            done, given = Lambda(lambda x: getattr(x, name)(*others), name=called), self
        done.is_operator = True
        return done(given)

    return method


for _kind, _names in {
    "Add": "add radd",
    "Subtract": "sub rsub",
    "Multiply": "mul rmul",
    "TrueDivide": "truediv rtruediv",
    "Power": "pow rpow",
    "Negative": "neg",
    "Absolute": "abs",
    "Matmul": "matmul rmatmul",
    "GetItem": "getitem",
}.items():
    for _name in _names.split():
        setattr(KerasTensor, f"__{_name}__", _operator(f"__{_name}__", _kind))
