"""Hints for attributes that tensors of other libraries have: the error says what to write here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .tensor import Tensor

T = TypeVar("T")

UNCHANGED = (
    "A tensor never changes; only a tf.Variable can be assigned. "
    "Was it a variable that `w = w {sign} ...` replaced by a tensor?"
)
HINTS = {
    "item": "Use float(tensor), or tensor.numpy() for an array.",
    "tolist": "Use tensor.numpy().tolist().",
    "T": "Use tf.transpose(tensor).",
    "sum": "Use tf.reduce_sum(tensor).",
    "mean": "Use tf.reduce_mean(tensor).",
    "max": "Use tf.reduce_max(tensor).",
    "min": "Use tf.reduce_min(tensor).",
    "reshape": "Use tf.reshape(tensor, shape).",
    "astype": "Use tf.cast(tensor, dtype).",
    "size": "Use tf.size(tensor).",
    "assign_sub": UNCHANGED.format(sign="-"),
    "assign_add": UNCHANGED.format(sign="+"),
    "assign": UNCHANGED.format(sign="-")
    + " A part of a variable is assigned through the variable itself: w[0].assign(1.0).",
    "backward": "A tape computes gradients here: `with tf.GradientTape() as tape: ...`, then "
    "tape.gradient(loss, w).",
    "grad": "Gradients are returned by tape.gradient(target, sources).",
}


class Hint:
    """A missing attribute: reading it raises AttributeError with a hint.

    (A `__getattr__` of the class could give the hint too, but it would slow down the reading of
    every slot of a tensor.)
    """

    def __init__(self, name: str, hint: str) -> None:
        self.text = f"A tensor has no attribute {name!r}. {hint}"

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        raise AttributeError(self.text)


class AssignSlice(Hint):
    """The `assign` of a tensor that is a slice of a variable, as in v[0].assign(3.0); other tensors
    have none.
    """

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        part = getattr(tensor, "part", None)
        if part is None:
            return super().__get__(tensor, owner)
        variable, key = part
        return partial(variable._assign_slice, key)


def with_hints(kind: type[T]) -> type[T]:
    """Give a class of tensors the hints, and leave them out of its `dir`."""
    for name, hint in HINTS.items():
        setattr(kind, name, (AssignSlice if name == "assign" else Hint)(name, hint))
    kind.__dir__ = _present
    return kind


def _present(self: object) -> list[str]:
    return [name for name in object.__dir__(self) if name not in HINTS]
