"""Filming: looking on while a program records tapes and plays them.

There is no second algorithm here. A film is an onlooker: it stands beside the very generator that
`tape.gradient` drains: each step passes through, is noted down with its numbers, and goes on
unchanged. What was recorded is read from the tape's own list of entries.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from inspect import getfile
from itertools import count
from typing import TYPE_CHECKING, Any

from minitape import engine, keras
from minitape.engine.ground.leaving import Leaving
from minitape.engine.ground.listening import Onlooker, looking_on, onlookers
from minitape.engine.ground.tensor import Tensor, new_id
from minitape.engine.ground.where import here
from minitape.engine.recording import describe, recorded
from minitape.storyboard.film.raised import PACKAGE, Raised

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Array, RawEntry, RawPart
    from minitape.engine.play import Play
    from minitape.engine.recording import Recording, Thing
    from minitape.engine.tape_with_margin import TapeWithMargin

_ENGINE = os.path.dirname(os.path.abspath(engine.__file__)) + os.sep
_KERAS = os.path.dirname(os.path.abspath(keras.__file__)) + os.sep


def array(value: Tensor | Array) -> Array:
    """Returns the array of a tensor; an array as it is (a recorded play has tensors where a plain
    one has arrays).
    """
    return value.value if isinstance(value, Tensor) else value


class Reel:
    """What one tape recorded: its entries, the arrays beside them, and its margin.

    A tape that is reset begins a new reel. The reel holds the tape's own lists, because a tape that
    has been played lets its arrays go.
    """

    def __init__(self, tape: TapeWithMargin, number: int) -> None:
        self.tape, self.number, self.begin = tape, number, new_id()
        self.where, self.persistent = tape.where, tape.persistent
        self._margin, self._entries = tape.margin, tape.entries

    @property
    def recording(self) -> Recording:
        """The tape's own `Recording`: its arrays only where it still has them."""
        return recorded(self.tape)

    def is_of(self, tape: TapeWithMargin) -> bool:
        return self._margin is tape.margin

    def see(self, entries: list[RawEntry] | None = None) -> None:
        """Takes hold of the entries before their arrays are let go: those of a play, or those that
        the tape has now.
        """
        if entries is None and self.is_of(self.tape) and not self.tape.used:
            entries = self.tape.entries
        if entries is not None and len(entries) >= len(self._entries):
            self._entries = entries

    def develop(self) -> None:
        """Reads the lists: `entries`, `kept`, `notes`; `path_of`, `is_inner` and `layers_of` are
        the recording's.
        """
        recording = recorded(self.tape, self._entries, self._margin)
        self.entries, self.kept, self.notes = recording.entries, recording.kept, recording.notes
        self.path_of, self.is_inner, self.layers_of = (
            recording.path_of,
            recording.is_inner,
            recording.layers_of,
        )


class Take:
    """One play backwards, as it happened. `steps` are [time, index, adjoints of the outputs,
    parts], a part being (input, number, value, total so far, time). `made` tells of a play that an
    outer tape records what its tensors are: {tensor id: ("adjoint" | "part" | "subtotal", number
    whose adjoint it is (a part of, some parts of))}. `order`: the entries in the order in which
    they were played, where that is not the reverse of the recording; `awaited` then says how many
    parts each number should get.
    """

    end: int | None
    gradients: list[Array | None] | None
    error: Exception | None
    targets: list[Thing]
    sources: list[Thing]
    order: Sequence[int] | None = None
    awaited: Mapping[int, int] = {}

    def __init__(self, play: Play, reel: Reel) -> None:
        self.reel, self.lead, self.begin, self.end, self.play = (
            reel,
            play.lead,
            new_id(),
            None,
            play.id,
        )
        self.where, self.made, self.answers = here(), {}, []
        # of a recorded play: {number: tensor id of its adjoint}, numbers with a sum
        self.totals, self.added = {}, set()
        # a target may be one of them
        variables = {**play.tape.variables, **{source.id: source for source in play.sources}}
        self.targets = [describe(variables.get(target.id, target)) for target in play.targets]
        self.sources = list(map(describe, play.sources))
        self.reach = play.reach()
        self.seeds = {number: array(seed) for number, seed in play.adjoints.items()}
        self.steps, self.error, self.gradients, self.persistent = (
            [],
            None,
            None,
            play.tape.persistent,
        )

    def finish(self, play: Play) -> None:
        """Notes the answers: called when the play has come to its end, or to an error."""
        self.end = new_id()
        self.answers = [getattr(play.adjoints.get(number), "id", None) for number in play.numbers]
        self.gradients = [
            array(g) if g is not None else None for g in map(play.adjoints.get, play.numbers)
        ]


def _made_by_minitape(tape: TapeWithMargin) -> bool:
    """Says whether the tape that begins to record serves minitape itself (to trace a function,
    say), not the learner.

    Training with `model.fit` is the learner's.
    """
    recorder = os.path.dirname(os.path.abspath(getfile(type(recorded(tape))))) + os.sep
    frame = sys._getframe(2)
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(
        (_ENGINE, recorder)
    ):
        frame = frame.f_back
    name = os.path.abspath(frame.f_code.co_filename) if frame is not None else ""
    return name.startswith(PACKAGE) and not name.startswith(_KERAS)


class Film(Onlooker):
    """Looks on, inside of its `with` block, at all tapes of this thread: at what they record and
    how they are played.

    `reels` and `takes` hold what was seen, `raised` where an error ended it, or None. `most` bounds
    the number of plays that are kept, `most_bytes` the memory of their arrays; later ones are only
    counted (`missed`), because a training loop may play thousands.
    """

    raised: Raised | None = None
    _guard: Any = None

    def __init__(self, most: int = 200, most_bytes: int = 2**28) -> None:
        self.reels, self.takes, self.most, self.missed = [], [], most, 0
        self._room = most_bytes
        self._count, self._inner = count(), weakref.WeakSet()

    def __enter__(self) -> Film:
        looking_on(self).__enter__()
        return self

    def _leave(
        self, kind: Any = None, error: BaseException | None = None, traceback: Any = None
    ) -> None:
        if any(other is self for other in onlookers.get()):
            if error is not None:
                self.stopped(error)
            for reel in self.reels:
                reel.see()
            looking_on(self).leave()

    __exit__ = Leaving(_leave)

    def stopped(self, error: BaseException) -> None:
        """Notes where the program raised, for the picture: called with the error while its
        traceback is whole.
        """
        self.raised = Raised(error)

    def add(self, tape: TapeWithMargin) -> Reel:
        """Returns the reel of a tape, a new one where the tape was not seen before (or was reset)."""
        for reel in reversed(self.reels):
            if reel.is_of(tape):
                return reel
        self.reels.append(Reel(tape, next(self._count)))
        return self.reels[-1]

    def began(self, tape: TapeWithMargin) -> None:
        if _made_by_minitape(tape):
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
        return len(self.takes) < self.most and len(self.reels) < 5 * self.most and self._room > 0

    def _filmed(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        reel = self.add(play.tape)
        reel.see(play.entries)
        take = Take(play, reel)
        self.takes.append(take)
        try:
            for passing in parts:
                index, place, adjoint, part = passing
                if not take.steps or take.steps[-1][1] != index:
                    adjoints = adjoint if type(adjoint) is tuple else (adjoint,)
                    time = (
                        take.steps[-1][3][-1][4] if take.steps and take.steps[-1][3] else take.begin
                    )
                    take.steps.append((time, index, [array(a) for a in adjoints], []))
                if place is not None:
                    number = play.entries[index][1][place]
                    self._tell_apart(take, part, play.adjoints[number], number)
                    take.steps[-1][3].append(
                        (place, number, array(part), array(play.adjoints[number]), new_id())
                    )
                yield passing
            take.finish(play)
        # a play that is left in the middle (tape.steps) has no gradients
        except Exception as error:
            take.error = error
            take.finish(play)
            raise

    @staticmethod
    def _tell_apart(take: Take, part: Array, total: Array, number: int) -> None:
        if isinstance(total, Tensor):
            before = take.totals.get(number)  # it was the whole until this part arrived
            if before is not None and take.made[before] == ("adjoint", number):
                take.made[before] = ("subtotal" if number in take.added else "part", number)
                take.added.add(number)
            take.made.setdefault(part.id, ("part", number))
            take.made[total.id], take.totals[number] = ("adjoint", number), total.id
