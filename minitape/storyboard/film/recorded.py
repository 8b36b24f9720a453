"""What a film holds: one tape with all that it recorded, and one play of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from minitape.engine.annotated_tape import AnnotatedTape
from minitape.engine.base.aliases import Array, Arrays, Number, RawEntry, Value, Where
from minitape.engine.base.tensor import Tensor, new_id
from minitape.engine.base.where import here
from minitape.engine.play import Play
from minitape.engine.recording import Entry, Note, Recording, TensorInfo, describe, recorded


def array(value: Value) -> Array:
    """Returns the array of a tensor; an array as it is (a recorded play has tensors where a plain
    one has arrays).
    """
    return value.value if isinstance(value, Tensor) else value  # type: ignore[return-value]  # else an array


class RecordedTape:
    """What one tape recorded: its entries, the arrays beside them, and its notes.

    A tape that is reset begins a new one. It holds the tape's own lists, because a tape that has
    been played lets its arrays go.
    """

    entries: list[Entry]
    kept: list[tuple[Arrays, Arrays]]
    notes: list[Note]

    def __init__(self, tape: AnnotatedTape) -> None:
        self.tape, self.begin = tape, new_id()
        self.where, self.persistent = tape.where, tape.persistent
        self._notes, self._entries = tape.notes, tape.entries

    @property
    def recording(self) -> Recording:
        """The tape's own `Recording`: its arrays only where it still has them."""
        return recorded(self.tape)

    @property
    def held(self) -> Recording:
        """The `Recording` with all arrays that were there when it was last seen."""
        return recorded(self.tape, self._entries, self._notes)

    def is_of(self, tape: AnnotatedTape) -> bool:
        return self._notes is tape.notes

    def see(self, entries: list[RawEntry] | None = None) -> None:
        """Takes hold of the entries before their arrays are let go: those of a play, or those that
        the tape has now.
        """
        if entries is None and self.is_of(self.tape) and not self.tape.used:
            entries = self.tape.entries
        if entries is not None and len(entries) >= len(self._entries):
            self._entries = entries

    def develop(self) -> None:
        """Reads the lists: `entries`, `kept`, `notes`; `path_of`, `is_inner`, `layers_of` and
        `title` are the recording's.
        """
        recording = self.held
        self.entries, self.kept, self.notes = recording.entries, recording.kept, recording.notes
        self.path_of, self.is_inner, self.layers_of = (
            recording.path_of,
            recording.is_inner,
            recording.layers_of,
        )
        self.title = recording.title


class Part(NamedTuple):
    """A part that a visited entry sent: to which input, the number of that value, the part, the
    total so far, and when.
    """

    input: int
    number: Number
    value: Array
    total: Array
    time: int


class Step(NamedTuple):
    """A visited entry: when, its number `index` on the tape, the adjoints of its outputs, and the
    parts that it sent.
    """

    time: int
    index: int  # type: ignore[assignment]  # tuples have a method of this name
    adjoints: list[Array]
    parts: list[Part]


@dataclass(eq=False)
class RecordedPlay:
    """One play backwards, as it happened.

    `number`: of the play; `lead`: 1 where it carries a batch of seeds; `reach`: the numbers of all
    tensors that a part may flow to; `seeds`: {number: adjoint that the play began with}; `answers`:
    the numbers of the gradients, where they are tensors; `begin`, `end`: when. `made` says of a
    play that an outer tape records what its tensors are: {number: ("seed" | "adjoint" | "part" |
    "subtotal", number whose adjoint it is (a part of, some parts of))}. `order`: the entries in the order in
    which they were played, where that is not the reverse of the recording; `awaited` then says how
    many parts each number should get.
    """

    tape: RecordedTape
    where: Where
    targets: list[TensorInfo]
    sources: list[TensorInfo]
    reach: set[Number]
    seeds: dict[Number, Array]
    number: Number = 0
    lead: int = 0
    persistent: bool = False
    begin: int = field(default_factory=new_id)
    end: int | None = None
    steps: list[Step] = field(default_factory=list)
    gradients: list[Array | None] | None = None
    answers: list[Number | None] = field(default_factory=list)
    error: Exception | None = None
    made: dict[Number, tuple[str, Number]] = field(default_factory=dict)
    order: Sequence[int] | None = None
    awaited: Mapping[Number, int] = field(default_factory=dict)

    @classmethod
    def of(cls, play: Play, tape: RecordedTape) -> RecordedPlay:
        """Returns what is known of a play before its first step."""
        # a target may be one of them
        variables = {**play.tape.variables, **{source.id: source for source in play.sources}}
        targets = [describe(variables.get(target.id, target)) for target in play.targets]
        seeds = {number: array(seed) for number, seed in play.adjoints.items()}
        numbers = {
            seed.id: ("seed", number)
            for number, seed in play.adjoints.items()
            if hasattr(seed, "id")
        }
        return cls(
            tape,
            here(),
            cast("list[TensorInfo]", targets),
            cast("list[TensorInfo]", list(map(describe, play.sources))),
            play.reach(),
            seeds,
            play.id,
            play.lead,
            play.tape.persistent,
            made=numbers,
        )

    def finish(self, play: Play) -> None:
        """Notes the answers: called when the play has come to its end, or to an error."""
        self.end = new_id()
        self.answers = [getattr(play.adjoints.get(number), "id", None) for number in play.numbers]
        self.gradients = [
            array(g) if g is not None else None for g in map(play.adjoints.get, play.numbers)
        ]
