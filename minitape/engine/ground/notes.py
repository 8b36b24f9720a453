"""The margin of the tape: what was seen but not recorded.

A tape only records operations of the library. Much that decides about a gradient happens beside it:
a value leaves for NumPy, a variable is assigned, an operation touches nothing that is watched. Such
things are noted here, as plain data without arrays, so that they can be explained later. Outside of
any tape nothing is noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .listening import listeners, tracer
from .where import here

if TYPE_CHECKING:
    from .aliases import Array, Where
    from .protocols import Protocols
    from .tensor import Tensor


class Note(NamedTuple):
    """One line in the margin.

    `kind`: escape, return, assign, unwatched, integer, watch, stop, resume, reset, ... ; `at`: how
    many entries the tape held then; `where`: the learner's position; `about`: numbers and names
    that belong to it.
    """

    kind: str
    at: int
    where: Where
    about: dict[str, Any]


def note(kind: str, **about: Any) -> None:
    """Write a line into the margin of every tape that records now."""
    if listeners():
        where = here()
        for listener in listeners():
            listener.note(kind, where, about)


def escape(tensor: Protocols, how: str) -> None:
    """Note that a value left the library: what is computed from it outside cannot be followed."""
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
