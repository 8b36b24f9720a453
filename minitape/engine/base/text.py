"""The text of tensors and variables, and the references that stand for them in sets and
dictionaries.
"""

from __future__ import annotations

from typing import Any


class Reference:
    """Stands for a tensor or a variable in sets and dictionaries. Source: what `tf.Tensor.ref`
    returns.
    """

    __slots__ = ("_referent",)

    def __init__(self, referent: Any) -> None:
        self._referent = referent

    def deref(self) -> Any:
        """Return the tensor or variable itself."""
        return self._referent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._referent is other._referent

    def __hash__(self) -> int:
        return hash(self._referent.id)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referent!r}>"


def text(value: Any) -> str:
    """Return an array as `print` shows it."""
    if value.dtype.kind == "S" and not value.ndim:
        return repr(bytes(value))
    return str(value if value.dtype.kind != "S" else value.astype(object))


def own_lines(text: str) -> str:
    """Return a text of several lines on lines of its own."""
    return f"\n{text}" if "\n" in text else text


def representation(value: Any) -> str:
    """Return an array as `repr` shows it."""
    if value.dtype.kind == "S":
        return repr(bytes(value)) if not value.ndim else repr(value.astype(object))
    return repr(value) if value.ndim else repr(value.item())
