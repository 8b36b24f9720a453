"""Evidence from a tape: which operation made each tensor, when and where, and what the learner
calls it.

A tape holds plain data: entries, notes, and numbers from one counter. Most of the evidence follows
from these alone. Since the counter only increases, a number shows *when* a tensor was made: before
the block, inside it, while the recording was stopped, or after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.engine.base.where import Places
from minitape.engine.recording import unwatched
from minitape.program import Text

if TYPE_CHECKING:
    from minitape.engine.base.tensor import Tensor
    from minitape.program.aliases import Reached

    from .aliases import Recording, TensorInfo


class Ran(NamedTuple):
    """One operation that ran while the tape was open: `recorded` on the tape, or only noted in the
    margin.
    """

    op: str
    inputs: tuple
    outputs: tuple
    where: tuple
    recorded: bool
    order: int  # place in time, shared with the notes
    about: dict
    entry: int | None = None  # its number, where it is recorded


class Happened(NamedTuple):
    """One note of the tape with its place in time."""

    kind: str
    where: tuple | None
    order: int
    about: dict


class Evidence:
    """Everything that is known about a tape: `ran` in order of time, `notes` by kind, `maker` of
    each tensor.

    `names` maps the numbers of tensors and variables to `(name, TensorInfo)` as the learner's own
    program has them; `library` is `(alias, module)`: what the program calls minitape, and the
    module, or None where it calls it nothing; `scopes`: the dictionaries of its names, inner ones
    first; `until`: when the asker waits no longer, see `Text`.
    """

    def __init__(
        self,
        tape: Recording,
        names: Reached | None = None,
        library: tuple[str, Any] = ("tf", None),
        scopes: Sequence[dict[str, Any]] = (),
        until: float | None = None,
    ) -> None:
        self.tape, self.names, self.library, self.scopes = tape, names or {}, library, scopes
        self.ran: list[Ran] = []
        self.notes: dict[str, list[Happened]] = {}
        # as it is written: on long tapes that is quicker,
        (entries, raw_notes), k, order, nothing = tape.raw, 0, 0, dict[str, Any]()
        make: Any = tuple.__new__  # and so is this than `Ran(...)`
        places = Places()
        at_place, add = places.at, self.ran.append
        for kind, at, where, about in [*raw_notes, ("", len(entries), None, None)]:
            for op, inputs, output, attributes, code, offset, *_ in entries[k:at] if k < at else ():
                order += 1
                outputs = output if type(output) is tuple else (output,)
                place = places.get((id(code), offset)) or at_place(code, offset)
                add(make(Ran, (op, inputs, outputs, place, True, order, attributes or nothing, k)))
                k += 1
            order += 1
            where = where and at_place(*where)
            if kind == "unwatched":
                about = unwatched(*about) if type(about) is tuple else dict(about)
                op, inputs, outputs = [about.pop(key) for key in ("op", "inputs", "outputs")]
                add(make(Ran, (op, inputs, outputs, where, False, order, about, None)))
            elif kind:
                self.notes.setdefault(kind, []).append(Happened(kind, where, order, dict(about)))
        self.last = order  # the end of the recording in time, after all that ran and was noted
        self.maker = {number: r for r in self.ran for number in r.outputs}
        self.used = set(chain.from_iterable([r.inputs for r in self.ran]))
        self.blocks = tape.blocks
        # as nearly always: from the beginning to the end of the one block
        plain = len(self.blocks) == 1 and "reset" not in self.notes
        self._plain: Any = self.blocks[0] if plain and self.blocks[0][1] is not None else None
        # what all sources of a question share: see `Case`
        self.program = Text(until)
        self.flows: dict[Any, Any] = {}
        self.named: dict[Any, Any] = {}
        self.program.load(places.values())
        self.program.load([v.where for v in self.variables().values()])

    # the number of each source of the question: how often it was asked for
    asked: Mapping[int | None, int] = {}
    # the numbers of those whose gradients the asker has seen to be None
    missing: Collection[int | None] = ()

    @cached_property
    def recorded(self) -> list[Ran]:
        """What ran and was recorded: by the numbers of the entries."""
        return [ran for ran in self.ran if ran.recorded]

    def of(self, kind: str) -> list[Happened]:
        """Return the notes of one kind, in order."""
        return self.notes.get(kind, [])

    def when(self, number: int) -> str:
        """Return when a tensor was made: before, inside, stopped (recording stopped), reset,
        between or after the blocks; never if no block was entered.
        """
        if self._plain is not None and self._plain[0] <= number < self._plain[1]:
            return "inside"
        if number < self._forgotten:
            return "reset"
        if not self.blocks:
            return "never"
        if number < self.blocks[0][0]:
            return "before"
        _, ended = self.blocks[bisect_right(self.blocks, number, key=itemgetter(0)) - 1]
        if ended is None or number < ended:
            return "inside"
        stops, resumes = self._stopped
        if at := bisect_right(stops, number):  # one that goes on has ended the last block, too
            back = bisect_right(resumes, stops[at - 1])
            if back == len(resumes) or number < resumes[back]:
                return "stopped"
        ended = self.blocks[-1][1]
        return "after" if ended is not None and number > ended else "between"

    @cached_property
    def _forgotten(self) -> int:
        """Before which number all was forgotten by a `reset`."""
        resets = [reset.about.get("id", 0) for reset in self.of("reset")]
        return max((n for n in resets if not self.blocks or n <= self.blocks[0][0]), default=0)

    @cached_property
    def _stopped(self) -> tuple[list[int], list[int]]:
        """At which numbers recording was stopped, and at which it went on."""
        return [n.about["id"] for n in self.of("stop")], [n.about["id"] for n in self.of("resume")]

    def made_elsewhere(self, numbers: Collection[int]) -> set[int]:
        """Return those of some tensors that were not made inside of a block."""
        if self._plain is not None:
            began, ended = self._plain
            return {n for n in numbers if not began <= n < ended}
        return {n for n in numbers if self.when(n) != "inside"}

    def stop_of(self, number: int) -> Happened | None:
        """Return the note of the `stop_recording` during which a tensor was made."""
        earlier = [s for s in self.of("stop") if s.about["id"] <= number]
        return earlier[-1] if earlier else None

    @cached_property
    def ops(self) -> set[str]:
        """The names of the operations that ran."""
        return {r.op for r in self.ran}

    @cached_property
    def leaves(self) -> set[int]:
        """The numbers of all inputs that no operation of this tape made."""
        return set(
            chain.from_iterable([r.inputs for r in self.ran if r.op != "ReadVariableOp"])
        ).difference(self.maker)

    def places(self) -> dict[int, Any]:
        """Return the places where operations ran, each once and by its `id`, as in a loop it is the
        same one again and again. To hash a code object is slow.
        """
        return {id(r.where): r.where for r in self.ran}

    @cached_property
    def near(self) -> set[Any]:
        """The parts of the files that something was recorded in."""
        nodes = map(self.program.node_around, self.places().values())
        return {node.part for node in nodes if node is not None}

    def live(self, numbers: Collection[int]) -> dict[int, TensorInfo]:
        """Return `{number: TensorInfo}` for those that still exist somewhere: each knows where it was
        made.
        """
        result = {
            n: self.names[n][1]
            for n in numbers
            if n in self.names and not self.names[n][1].is_variable
        }
        missing = set(numbers) - set(result)
        if missing:
            result.update(
                (n, self.tape.describe(self.living[n])) for n in missing if n in self.living
            )
        return result

    @cached_property
    def living(self) -> dict[int, Tensor]:
        """All tensors that exist now, by their numbers."""
        return self.tape.living()

    def variables(self) -> dict[int, TensorInfo]:
        """Return `{number: TensorInfo}` for all variables that the tape watches or the learner's names
        reach.
        """
        result = dict(self.tape.variables)
        result.update((n, v) for n, (_, v) in self.names.items() if v.is_variable)
        return result

    def name(self, number: int | None) -> str:
        """Return the learner's name of a tensor or variable, or ""."""
        result = self.names.get(number) if number is not None else None
        return result[0] if result else ""
