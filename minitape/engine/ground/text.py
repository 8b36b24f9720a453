"""How tensors and variables are written, and what stands for them in sets and dictionaries."""


class Reference:
    """Stands for a tensor or a variable in sets and dictionaries. Source: what `tf.Tensor.ref` returns."""

    __slots__ = ("_referent",)

    def __init__(self, referent):
        self._referent = referent

    def deref(self):
        """Return the tensor or variable itself."""
        return self._referent

    def __eq__(self, other):
        return isinstance(other, Reference) and self._referent is other._referent

    def __hash__(self):
        return hash(self._referent.id)

    def __repr__(self):
        return f"<Reference wrapping {self._referent!r}>"


def text(value):
    """Return an array as `print` shows it."""
    if value.dtype.kind == "S" and not value.ndim:
        return repr(bytes(value))
    return str(value if value.dtype.kind != "S" else value.astype(object))


def own_lines(text):
    """Return a text of several lines on lines of its own."""
    return f"\n{text}" if "\n" in text else text


def representation(value):
    """Return an array as `repr` shows it."""
    if value.dtype.kind == "S":
        return repr(bytes(value)) if not value.ndim else repr(value.astype(object))
    return repr(value) if value.ndim else repr(value.item())
