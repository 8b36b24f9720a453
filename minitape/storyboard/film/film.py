"""Filming: looking on while a program records tapes and plays them.

There is no second algorithm here. A film is an onlooker: it stands beside the very generator that
`tape.gradient` drains: each step passes through, is noted down with its numbers, and goes on
unchanged. What was recorded is read from the tape's own list of entries.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Iterator
from typing import Any

from minitape import engine
from minitape.engine.annotated_tape import AnnotatedTape
from minitape.engine.base.aliases import Number, RawPart
from minitape.engine.base.listeners import Onlooker, looking_on, onlookers
from minitape.engine.base.safe_exit import SafeExit
from minitape.engine.base.tensor import Tensor, new_id
from minitape.engine.play import Play
from minitape.storyboard.film.raised import PACKAGE, Raised
from minitape.storyboard.film.recorded import Part, RecordedPlay, RecordedTape, Step, array

_ENGINE = os.path.dirname(os.path.abspath(engine.__file__)) + os.sep
_RECORDERS = os.path.join(PACKAGE, "recorders", "")
_KERAS = os.path.join(PACKAGE, "keras", "")  # it may not be loaded


def _made_by_minitape() -> bool:
    """Says whether the tape that begins to record now serves minitape itself (to trace a function,
    say), not the learner.

    Training with `model.fit` is the learner's.
    """
    frame = sys._getframe(2)
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(
        (_ENGINE, _RECORDERS)
    ):
        frame = frame.f_back
    name = os.path.abspath(frame.f_code.co_filename) if frame is not None else ""
    return name.startswith(PACKAGE) and not name.startswith(_KERAS)


class Film(Onlooker):
    """Looks on, inside of its `with` block, at all tapes of this thread: at what they record and
    how they are played.

    `tapes` and `played` hold what was seen, `raised` where an error ended it, or None. `most`
    bounds the number of plays that are kept, `most_bytes` the memory of their arrays; later ones
    are only counted (`missed`), because a training loop may play thousands.
    """

    raised: Raised | None = None
    _guard: Any = None

    def __init__(self, most: int = 200, most_bytes: int = 2**28) -> None:
        self.tapes: list[RecordedTape] = []
        self.played: list[RecordedPlay] = []
        self.most, self.missed, self._room = most, 0, most_bytes
        self._inner: weakref.WeakSet[AnnotatedTape] = weakref.WeakSet()

    def __enter__(self) -> Film:
        looking_on(self).__enter__()
        return self

    def _leave(
        self, kind: Any = None, error: BaseException | None = None, traceback: Any = None
    ) -> None:
        if any(other is self for other in onlookers.get()):
            if error is not None:
                self.stopped(error)
            for tape in self.tapes:
                tape.see()
            looking_on(self).leave()

    __exit__ = SafeExit(_leave)

    def stopped(self, error: BaseException) -> None:
        """Notes where the program raised, for the picture: called with the error while its
        traceback is whole.
        """
        self.raised = Raised(error)

    def add(self, tape: AnnotatedTape) -> RecordedTape:
        """Returns what is filmed of a tape, anew where the tape was not seen before (or was reset)."""
        for filmed in reversed(self.tapes):
            if filmed.is_of(tape):
                return filmed
        self.tapes.append(RecordedTape(tape))
        return self.tapes[-1]

    def began(self, tape: AnnotatedTape) -> None:
        if _made_by_minitape():
            self._inner.add(tape)
        elif self._has_room():
            self.add(tape)

    def plays(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        if play.tape in self._inner:
            return parts
        if not self._has_room():
            self.missed += 1
            return parts
        self._room -= sum(entry[7].nbytes for entry in play.entries if type(entry[7]) is not tuple)
        return self._filmed(play, parts)

    def _has_room(self) -> bool:
        return len(self.played) < self.most and len(self.tapes) < 5 * self.most and self._room > 0

    def _filmed(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        tape = self.add(play.tape)
        tape.see(play.entries)
        filmed = RecordedPlay.of(play, tape)
        self.played.append(filmed)
        steps, made = filmed.steps, _Made(filmed.made)
        try:
            for passing in parts:
                index, place, adjoint, part = passing
                if not steps or steps[-1].index != index:
                    adjoints = adjoint if isinstance(adjoint, tuple) else (adjoint,)
                    time = steps[-1].parts[-1].time if steps and steps[-1].parts else filmed.begin
                    steps.append(Step(time, index, [array(a) for a in adjoints], []))
                if place is not None and part is not None:
                    number = play.entries[index][1][place]
                    total = play.adjoints[number]
                    if isinstance(total, Tensor) and isinstance(part, Tensor):
                        made.add(number, part, total)
                    steps[-1].parts.append(Part(place, number, array(part), array(total), new_id()))
                yield passing
            filmed.finish(play)
        # a play that is left in the middle (tape.steps) has no gradients
        except Exception as error:
            filmed.error = error
            filmed.finish(play)
            raise


class _Made:
    """What the tensors are that a play makes while an outer tape records it; see
    `RecordedPlay.made`.
    """

    def __init__(self, made: dict[Number, tuple[str, Number]]) -> None:
        self.made = made
        self._totals: dict[Number, Number] = {}  # {number: tensor of its adjoint}
        self._added: set[Number] = set()  # numbers whose adjoint is a sum

    def add(self, number: Number, part: Tensor, total: Tensor) -> None:
        before = self._totals.get(number)  # it was the whole until this part arrived
        if before is not None and self.made[before] == ("adjoint", number):
            self.made[before] = ("subtotal" if number in self._added else "part", number)
            self._added.add(number)
        self.made.setdefault(part.id, ("part", number))
        if self.made.get(total.id, ("",))[0] != "seed":  # which a sum sends on as it is
            self.made[total.id] = "adjoint", number
        self._totals[number] = total.id
