"""Notes of a tape: what it saw but did not record.

A tape records only operations of the library. Other events decide about gradients too: a value
leaves for NumPy, a variable is assigned, an operation uses nothing that is watched. They are noted
as plain data without arrays, so that they can be explained later. While no tape records, nothing is
noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .listeners import listeners, tracer
from .where import here

if TYPE_CHECKING:
    from .aliases import Array
    from .protocols import Protocols
    from .tensor import Tensor


def note(kind: str, **about: Any) -> None:
    """Add a note to every tape that is recording."""
    if listeners():
        where = here()
        for listener in listeners():
            listener.note(kind, where, about)


def escape(tensor: Protocols, how: str) -> None:
    """Note that a value left the library: the tape cannot follow what is computed from it there."""
    if listeners():
        note("escape", id=tensor.id, how=how)


def symbolic(tensor: Protocols) -> bool:
    """Return True in the trace of a `tf.function` for a tensor whose numbers differ from call to
    call.
    """
    trace = tracer()
    return trace is not None and trace.varies(tensor.id)


def look(tensor: Tensor, what: str | None = None) -> Array:
    """Return the array of a tensor whose values decide what is computed: a trace, which keeps
    operations and no numbers, refuses.
    """
    if tracer() is not None:
        note("escape", id=tensor.id, how=what or "look")
    return tensor.value


def came_back(value: object, tensor: Tensor) -> Tensor:
    """Note that a value came in from outside while a tape records; return the tensor that was made
    of it.
    """
    if listeners():
        note("return", type=type(value).__name__, id=tensor.id)
    return tensor
