"""What happened beside all tapes: plays, optimizers, gradients that were cleared, leaves that became
such.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, Where

    from .tape import TorchTape

MOST_PLAYS = 256


class Played(NamedTuple):
    """One play: its tape, what it began with, whose gradients it gave, `returns` whether it only
    returned them, and when.
    """

    tape: TorchTape
    targets: Sequence[Any]
    reached: frozenset[Number]
    returns: bool
    where: Where
    at: Number


class Changed(NamedTuple):
    """A change in place: the values before and after, the name of the node that made the one
    before, "" for a leaf, and its shape.
    """

    before: Number
    node: str
    shape: tuple[int, ...]
    where: Where


class Failed(NamedTuple):
    """An error of PyTorch's: its text, where, on which tape, what was to be played and for what."""

    text: str
    where: Where
    tape: TorchTape | None
    targets: Sequence[Any] = ()
    sources: Sequence[Any] = ()


@dataclass
class Holder:
    """An optimizer: when it was made, whose variables it moves, and when it did so last."""

    made: Number
    holds: set[Number]
    stepped: Number = -1


class Events:
    """All that was seen beside the tapes. `retained`: of these values that are no leaves PyTorch
    keeps the gradient; `late`, `frozen`: where a leaf was turned into one that wants a gradient, or
    wants none any more; `cleared`: where the gradient of a leaf was thrown away, and when;
    `before`: the numbers that a leaf had before it was turned.
    """

    def __init__(self) -> None:
        self.plays: deque[Played] = deque(maxlen=MOST_PLAYS)
        self.changes: deque[Changed] = deque(maxlen=MOST_PLAYS)
        self.retained: set[Number] = set()
        self.late: dict[Number, tuple[Where, Number]] = {}
        self.frozen: dict[Number, Where] = {}
        self.cleared: dict[Number, tuple[Where, Number]] = {}
        self.optimizers: WeakKeyDictionary[Any, Holder] = WeakKeyDictionary()
        self.failed: Failed | None = None

    def last_of(self, *numbers: Number) -> Played | None:
        """Return the last play that gave one of these gradients, or None."""
        return next(
            (played for played in reversed(self.plays) if not played.reached.isdisjoint(numbers)),
            None,
        )
