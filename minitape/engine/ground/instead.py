"""Names that the tensors of other libraries have: asked for one, a tensor says what to write here."""

from __future__ import annotations

from typing import Any

from .tensor import Tensor

INSTEAD = {
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
    "assign": "A tensor never changes; only a tf.Variable "
    "can be assigned. Was it a variable that `w = w - ...` replaced by a tensor? A part of a "
    "variable is assigned through the variable itself: w[0].assign(1.0).",
    "assign_sub": "A tensor never changes; only a "
    "tf.Variable can be assigned. Was it a variable that `w = w - ...` replaced by a tensor?",
    "assign_add": "A tensor never "
    "changes; only a tf.Variable can be assigned. Was it a variable that `w = w + ...` replaced "
    "by a tensor?",
    "backward": "A tape computes gradients here: `with tf.GradientTape() as tape: ...`, then "
    "tape.gradient(loss, w).",
    "grad": "Gradients are returned by tape.gradient(target, sources).",
}


class Instead:
    """An attribute that is not there, with a hint.

    (A `__getattr__` of the class could give the hint too, but then Python would read every slot of
    a tensor by a slower way.)
    """

    def __init__(self, name: str, hint: str) -> None:
        self.text = f"A tensor has no attribute {name!r}. {hint}"

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        raise AttributeError(self.text)


def present(self: Tensor) -> list[str]:
    """Return the names for `dir`: without those that are not there."""
    return [name for name in object.__dir__(self) if name not in INSTEAD]


def install() -> None:
    """Give tensors their hints."""
    for name, hint in INSTEAD.items():
        setattr(Tensor, name, Instead(name, hint))
    Tensor.__dir__ = present  # type: ignore[assignment]


install()
