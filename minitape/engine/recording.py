"""What a tape holds, as its readers see it: the contract between those who record and those who draw and explain.

A tape keeps what is quick to write. A `Recording` is the same in a form that is good to read, with the answers that readers need
beside it. Pictures, explanations and examinations are made of a `Recording` and of nothing else; so whoever gives them one can
have his tape read, too: a learner's own, or that of another library.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import Context
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from .ground.notes import Note
from .ops.record import OPS
from .play import Play

if TYPE_CHECKING:
    from .ground.aliases import Array, Attributes, Numbers, Output, RawEntry, RawNote, Value, Where
    from .ground.tensor import Tensor
    from .play import Step
    from .tape import Tape
    from .variable import Variable


class Entry(NamedTuple):
    """One recorded operation: plain data, no arrays.

    `op`: the name of the operation; `inputs`, `outputs`: the numbers of the tensors; `attributes`: a dictionary or
    None; `where`: (code object, instruction offset), see `engine.ground.where.span`.
    """

    op: str
    inputs: Numbers
    outputs: Numbers
    attributes: Attributes
    where: Where


class Recording:
    """What was recorded on a tape, and how it can be asked about.

    `entries`: a list of `Entry`; `kept`: the arrays (inputs, outputs) beside each entry, empty where they were let go; `notes`: a list of
    `Note`; `blocks`: (began, ended) of each stretch of recording, in numbers of the one counter that also numbers tensors;
    `watched`, `leaves`, `cuts`: sets of numbers, see `engine.tape.Tape`; `variables`: number -> variable, those that were used; `where`:
    the position of the tape itself; `persistent`, `used`, `holomorphic`, `watches_variables`: yes or no.
    """

    def __init__(self, tape: Tape, entries: list[RawEntry] | None = None, margin: list[RawNote] | None = None) -> None:
        self.tape = tape
        self._entries = tape.entries if entries is None else entries
        self._margin = tape.margin if margin is None else margin
        self.blocks, self.variables = list(tape.blocks), tape.variables
        self.watched, self.leaves, self.cuts = tape.watched, tape.leaves, tape.cuts
        self.where, self.persistent, self.used = tape.where, tape.persistent, tape.used
        self.holomorphic, self.watches_variables = tape.holomorphic, tape.watches_variables

    @property
    def entries(self) -> list[Entry]:
        """The recorded operations, in order."""
        return [Entry(op, inputs, output if type(output) is tuple else (output,), attributes, (code, offset))
                for op, inputs, output, attributes, code, offset, *_ in self._entries]

    @property
    def kept(self) -> list[tuple[tuple[Array, ...], tuple[Array, ...]]]:
        """The arrays that the tape holds, `(inputs, outputs)` per entry."""
        return [(values, y if type(y) is tuple else (y,)) for *_, values, y in self._entries if len(_) == 6]

    @property
    def notes(self) -> list[Note]:
        """The margin."""
        return [Note(kind, at, where, unwatched(*about) if type(about) is tuple else about) for kind, at, where, about in self._margin]


    def replay(self, targets: list[Tensor], sources: Sequence[Tensor | Variable]) -> tuple[list[Step], list[Value]]:
        """Play the tape once more, heard by nobody, and leave it as it is.

        Returns the list of `Step`, and the adjoint of each source, an array or None. Raises LookupError as `gradient` does.
        """
        def play() -> tuple[list[Step], list[Value]]:
            played = Play(self.twin(), targets, sources)
            return list(played.steps()), [played.adjoints.get(n) for n in played.numbers]
        return Context().run(play)


    def twin(self) -> Any:
        """Return a tape with the same entries that can be played as often as one likes; the tape itself stays as it is."""
        twin = copy(self.tape)
        twin.entries, twin.margin, twin.used, twin.recording, twin.persistent = self._entries, list(self._margin), False, False, True
        return twin


def unwatched(op: str, inputs: Numbers, output: Output) -> dict[str, Any]:
    """Return what a note says of an operation that uses nothing watched."""
    return {"op": op, "inputs": inputs, "outputs": output if type(output) is tuple else (output,)}


def rule_of(op: str, i: int) -> str:
    """Return how operation `op` treats the gradient for its input `i`: "open", "blocked", "unregistered" or "maybe"
    (only a run can tell).
    """
    row = OPS.get(op)
    if row is None:
        return "maybe"
    if not row.registered:
        return "unregistered"
    if row.each is not None or row.joint is not None:
        return "maybe"
    return "open" if row.rules and row.rules[min(i, len(row.rules) - 1)] is not None else "blocked"
