"""What happened beside all tapes: plays, optimizers, gradients that were cleared, leaves that became
such.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, Where

    from .tape import TorchTape

MOST_PLAYS = 256


class Played(NamedTuple):
    """One play: its tape, what it began with, whose gradients it gave, `returns` whether it only
    returned them, when; `contents`: what the leaves were, `added`: whether gradients were there
    already, by leaf; `retains`: whether the graph stays; `nodes`: the numbers of those that it
    began with; `inner`: inside of another, as a checkpoint's.
    """

    tape: TorchTape
    targets: Sequence[Any]
    reached: frozenset[Number]
    returns: bool
    where: Where
    at: Number
    contents: Mapping[Number, Number] = {}
    added: Mapping[Number, Any] = {}
    retains: bool = False
    nodes: Sequence[int] = ()
    inner: bool = False


class Changed(NamedTuple):
    """A change in place: the value before, the name of the node that made it, "" for a leaf, and
    its shape; or an optimizer's step: the shapes of all that it moves.
    """

    before: Number
    node: str
    shapes: Collection[tuple[int, ...]]
    where: Where
    steps: bool = False


class Failed(NamedTuple):
    """An error of PyTorch's: its text, where, on which tape, what was to be played and for what."""

    text: str
    where: Where
    tape: TorchTape | None
    targets: Sequence[Any] = ()
    sources: Sequence[Any] = ()


@dataclass
class Holder:
    """An optimizer: when it was made, whose variables it moves, when it did so last; `where` it was
    made, None before anybody looked; `shapes`: those of what it moves, once it has.
    """

    made: Number
    holds: set[Number]
    stepped: Number = -1
    where: Where | None = None
    shapes: Collection[tuple[int, ...]] = ()


class Events:
    """All that was seen beside the tapes. `retained`: of these values that are no leaves PyTorch
    keeps the gradient; `late`, `frozen`: where a leaf was turned into one that wants a gradient, or
    wants none any more; `cleared`: where the gradient of a leaf was thrown away, and when; `hooks`:
    where a hook was put on a value, or on a module, which has no number; `modules`: those that were
    called, and their paths; `inside`: variables that were made while a module was called;
    `hidden`: modules that were called by another which does not hold them.
    """

    def __init__(self) -> None:
        self.plays: deque[Played] = deque(maxlen=MOST_PLAYS)
        self.changes: deque[Changed] = deque(maxlen=MOST_PLAYS)
        self.retained: set[Number] = set()
        self.late: dict[Number, tuple[Where, Number]] = {}
        self.frozen: dict[Number, Where] = {}
        self.cleared: dict[Number, tuple[Where, Number]] = {}
        self.optimizers: WeakKeyDictionary[Any, Holder] = WeakKeyDictionary()
        self.hooks: deque[tuple[Number | None, Where]] = deque(maxlen=MOST_PLAYS)
        self.modules: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self.inside: set[Number] = set()
        self.hidden: WeakSet[Any] = WeakSet()
        self.failed: Failed | None = None

    def last_of(self, *numbers: Number) -> Played | None:
        """Return the last play that gave one of these gradients, or None."""
        return next(
            (played for played in reversed(self.plays) if not played.reached.isdisjoint(numbers)),
            None,
        )
