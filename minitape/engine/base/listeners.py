"""Listeners, which are notified of what a program does, and onlookers, which observe tapes.

A tape is in `active` while it records, and so is the tracer of `tf.function` while a function is
traced. Each operation, each reading of a variable and each value that leaves the library is
reported to all of them. An `Onlooker` is notified of the tapes themselves: when one begins to
record and when it is played. A film, for example, shows the very play that computes a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import CodeType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .aliases import (
        Array,
        Attributes,
        Number,
        Numbers,
        Output,
        Play,
        RawPart,
        Tape,
        Variable,
        Where,
    )
    from .tensor import Tensor

from .safe_exit import SafeExit

# Each thread, and each task, has its own.
active: ContextVar[tuple[Any, ...]] = ContextVar(
    "those that record now, outermost first", default=()
)
onlookers: ContextVar[tuple[Onlooker, ...]] = ContextVar("those that look on", default=())
# each operation asks: a function is found sooner than a method
listeners: Callable[[], tuple[Any, ...]] = active.get


class Listener(Protocol):
    """What stands in `active`: `engine.annotated_tape.AnnotatedTape` and
    `compile.trace.Recorder` have these attributes and methods.
    """

    traces: bool  # True for a tracer, which must keep everything and may refuse
    heard: set[Number]  # numbers of the readings that were reported

    def record(
        self,
        op: str,
        inputs: Numbers,
        output: Output,
        attributes: Attributes,
        code: CodeType,
        offset: int,
        values: tuple[Array, ...],
        y: Any,
    ) -> None:
        """An operation ran: an entry of `engine.tape.Tape`, field by field."""

    def read(self, variable: Variable, tensor: Tensor, counts: bool = True) -> None:
        """A variable was read for the first time since it was assigned; `tensor` is its content.
        Not `counts`: by `stop_gradient`.
        """

    def accessed(self, variable: Variable) -> None:
        """A variable was assigned."""

    def cut(self, number: Number) -> None:
        """A tensor was made by `stop_gradient`: it counts as a constant."""

    def left(self, layer: str, began: Number) -> None:
        """The call of a layer, given by its path, has ended. All tensors made since the number
        `began` are its own.
        """

    def note(self, kind: str, where: Where, about: Any) -> None:
        """Something happened beside the operations, see `engine.base.notes`."""


class Onlooker:
    """Observes tapes and variables and changes nothing. Subclasses override what they want to see.

    `sees_assignments`: False if assignments need not be reported, which lets optimizers use their
    fast path.
    """

    sees_assignments = True

    def began(self, tape: Tape) -> None:
        """A tape begins to record."""

    def plays(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        """A tape is played: return the generator of parts, or one that passes each of them on."""
        return parts

    def traced(self, function: Any) -> None:
        """A `tf.function` is traced."""

    def assigned(
        self, variable: Variable, how: str, operand: Tensor, before: Tensor, after: Tensor
    ) -> None:
        """A variable got a new content: tensors `before` and `after`."""


class looking_on:
    """Register an onlooker for the block."""

    def __init__(self, onlooker: Onlooker) -> None:
        self.onlooker, self._guard = onlooker, None

    def __enter__(self) -> Onlooker:
        onlookers.set((*onlookers.get(), self.onlooker))
        return self.onlooker

    def leave(self, *error: object) -> None:
        """Remove the onlooker; may be called again."""
        onlookers.set(tuple([other for other in onlookers.get() if other is not self.onlooker]))

    __exit__ = SafeExit(leave)


def assignments_are_seen() -> bool:
    """Return True if an onlooker wants to see each assignment."""
    return bool(listeners()) or any([onlooker.sees_assignments for onlooker in onlookers.get()])


def tracer() -> Any:
    """Return the tracer of the `tf.function` that is being traced now, or None."""
    recording = listeners()
    return recording[0] if recording and recording[0].traces else None
