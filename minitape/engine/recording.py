"""What a tape holds, as readers see it: the contract between recording and explaining.

A tape stores what is quick to write. A `Recording` presents the same in a form that is easy to read
and answers the questions of its readers. Pictures, explanations and examinations use a `Recording`
and nothing else, so other tapes that provide one can be read too: a learner's own, or those of
another library.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from .annotated_tape import AnnotatedTape, ended
from .base.dtypes import DType, as_dtype
from .base.tensor import Tensor, wrap
from .base.where import Places
from .ops.record import OPS, Op
from .variable import Variable

if TYPE_CHECKING:
    from .base.aliases import (
        Array,
        Attributes,
        Number,
        Numbers,
        Output,
        RawEntry,
        RawNote,
        Rule,
        Value,
        Where,
    )
    from .steps import Step


class Entry(NamedTuple):
    """One recorded operation: plain data, no arrays.

    `op`: the name of the operation; `inputs`, `outputs`: the numbers of the tensors; `attributes`:
    a dictionary or None; `where`: (code object, instruction offset), see
    `program.places.positions`.
    """

    op: str
    inputs: Numbers
    outputs: Numbers
    attributes: Attributes
    where: Where


class Note(NamedTuple):
    """One event that a tape saw but did not record.

    `kind`: escape, return, assign, unwatched, integer, watch, stop, resume, reset, ... ; `at`: the
    number of entries on the tape at that moment; `where`: the learner's position; `about`: the
    numbers and names involved.
    """

    kind: str
    at: int
    where: Where
    about: dict[str, Any]


@dataclass(eq=False, slots=True)
class TensorInfo:
    """A tensor or a variable, as readers see it: minitape's own, or one of another library that is
    recorded.

    `object`: itself; `id`: its number; `tensor`: the number of its content (its own, where it is a
    tensor); `value`: the array; `where`: the position that made it; `dtype` and `shape`;
    `is_variable`; of variables also `name`, `trainable`, in a layer `path`, and `assigned`, the
    position where the content was put there.
    """

    object: Any
    id: Number
    tensor: Number
    value: Array
    where: Where | None
    is_variable: bool = False
    name: str = ""
    trainable: bool = True
    path: str = ""
    assigned: Where | None = None

    @property
    def dtype(self) -> DType:
        """The `DType` of the elements."""
        return as_dtype(self.value.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self.value.shape


def describe(obj: object) -> TensorInfo | None:
    """Return a tensor or a variable as a `TensorInfo`; None for any other object.

    No code of the object's class runs: `isinstance` would read its `__class__`.
    """
    kind, known = type(obj), cast(Any, obj)
    if issubclass(kind, Variable):
        content = known._tensor
        return TensorInfo(
            known,
            known.id,
            content.id,
            content.value,
            known._where,
            True,
            known.name,
            known._trainable,
            getattr(known, "path", ""),
            content.where,
        )
    if issubclass(kind, Tensor):
        return TensorInfo(known, known.id, known.id, known.value, known.where)
    if issubclass(kind, TensorInfo):
        return known
    return next(
        (described for other in _recorders if (described := other.describe(obj)) is not None), None
    )


class NotAsked(LookupError):
    """Another library was not asked for this gradient, and minitape has no rule for it."""


class Recorder(Protocol):
    """Records the tapes of another library: describes its tensors and finds the tape recorded for
    each of its own.
    """

    def describe(self, obj: object) -> TensorInfo | None:
        """Return a tensor or variable of that library as a `TensorInfo`; None for anything else."""

    def tape_of(self, tape: object) -> AnnotatedTape | None:
        """Return the tape that was recorded for one of that library's; None for anything else."""


_recorders: list[Recorder] = []


def add_recorder(recorder: Recorder) -> None:
    """Register the recorder of another library, so that readers can read its tapes."""
    _recorders.append(recorder)


def tape_of(tape: object) -> AnnotatedTape | None:
    """Return the tape that was recorded for one of another library's; None where no recorder knows
    it.
    """
    return next((twin for other in _recorders if (twin := other.tape_of(tape)) is not None), None)


def recording_of(tape: Any) -> Recording:
    """Return the `Recording` of a tape, minitape's or that of another library. A `Recording` is
    returned unchanged.
    """
    twin = tape_of(tape)
    return recorded(twin) if twin is not None else getattr(tape, "recording", tape)


def recorded(
    tape: AnnotatedTape, entries: list[RawEntry] | None = None, notes: list[RawNote] | None = None
) -> Recording:
    """Return what a tape holds, as the class of `Recording` that its recorder uses."""
    return getattr(tape, "kind_of_recording", Recording)(tape, entries, notes)


class Recording:
    """What was recorded on a tape, with methods to query it.

    `entries`: a list of `Entry`; `kept`: the arrays (inputs, outputs) beside each entry, empty
    where they were let go; `notes`: a list of `Note`; `blocks`: (began, ended) of each stretch of
    recording, in numbers of the one counter that also numbers tensors; `watched`, `leaves`, `cuts`:
    sets of numbers, see the tape; `variables`: number -> `TensorInfo`, those that were used; `where`:
    the position of the tape itself; `persistent`, `used`, `holomorphic`, `watches_variables`: yes
    or no; `fine`: the numbers of the targets and sources of a play in which nothing surprised,
    after which the arrays were let go; `original`: of a `rewritten` one; `library`: what the
    program computes with, as one writes it; `module`: as Python imports it; `data`: the module of
    its data sets; `zeros`: yes where its gradients are zeros, not None, if nothing leads to a source;
    `lasting`: yes where a play goes on in what was computed before, on whatever tape.
    """

    library = module = "minitape"
    data = "minitape.data"
    zeros = lasting = False

    def __init__(
        self,
        tape: AnnotatedTape,
        entries: list[RawEntry] | None = None,
        notes: list[RawNote] | None = None,
    ) -> None:
        self.tape = tape
        self._entries = tape.entries if entries is None else entries
        self._notes = tape.notes if notes is None else notes
        self.blocks = list(tape.blocks)
        self.variables = {
            number: obj
            for number, variable in sorted(tape.variables.items())
            if (obj := describe(variable)) is not None
        }
        self.watched, self.leaves, self.cuts = tape.watched, tape.leaves, tape.cuts
        self.where, self.persistent, self.used = tape.where, tape.persistent, tape.used
        self.holomorphic, self.watches_variables, self.fine = (
            tape.holomorphic,
            tape.watches_variables,
            tape.fine,
        )
        self.original: Recording | None = None

    @property
    def entries(self) -> list[Entry]:
        """The recorded operations, in order."""
        settle = Places().at
        return [
            Entry(
                op,
                inputs,
                output if isinstance(output, tuple) else (output,),
                attributes,
                settle(code, offset),
            )
            for op, inputs, output, attributes, code, offset, *_ in self._entries
        ]

    @property
    def kept(self) -> list[tuple[tuple[Array, ...], tuple[Array, ...]]]:
        """The arrays that the tape holds, `(inputs, outputs)` per entry."""
        return [
            (entry[6], entry[7] if type(entry[7]) is tuple else (entry[7],))
            for entry in self._entries
            if len(entry) == 8
        ]

    @property
    def holds_arrays(self) -> bool:
        """True where the tape holds arrays."""
        return any(len(entry) == 8 for entry in self._entries)

    @property
    def notes(self) -> list[Note]:
        """What was seen but not recorded, in order."""
        settle = Places().at
        return [
            Note(
                kind,
                at,
                where and settle(*where),
                unwatched(*about) if type(about) is tuple else about,
            )
            for kind, at, where, about in self._notes
        ]

    @property
    def raw(self) -> tuple[list[RawEntry], list[RawNote]]:
        """The entries and the notes as the tape stores them."""
        return self._entries, self._notes

    def rewritten(
        self, entries: list[RawEntry], notes: list[RawNote], watched: set[Number]
    ) -> Recording:
        """Return a recording of the same tape with other entries, as `raw` has them: the same run
        in more detail.
        """
        copy = recorded(self.tape, entries, notes)
        copy.watched, copy.original = watched, self
        return copy

    # ---- what readers ask

    def of_earlier_tape(self, number: Number) -> bool:
        """True for a tensor that was made while another tape recorded, one that had ended before
        this one began.
        """
        return bool(self.blocks) and any(
            began <= number < end <= self.blocks[0][0] for began, end in ended
        )

    describe = staticmethod(describe)

    @staticmethod
    def living() -> dict[Number, Tensor]:
        """Return {number: tensor} for all tensors that exist somewhere now; each knows where it was
        made.
        """
        return {t.id: t for t in gc.get_objects() if type(t) is Tensor}

    def reason(self, source: TensorInfo) -> Any:
        """Return what the library itself knows of why a tensor has no gradient, whatever ran, as a
        `Break` of the explainer; None where that is nothing.
        """
        return None

    def lost(self, number: Number) -> Any:
        """Return where and why a value of an earlier tape has lost its history there, as a `Break`;
        None where it has not.
        """
        return None

    def trained(self, source: TensorInfo) -> Any:
        """Return the same of why a training does not move a tensor as its gradient says."""
        return None

    def strays(self) -> Any:
        """Return (tensor, why) of those that the last play has reached and nobody moves, though they
        look as if somebody should.
        """
        return ()

    def title(self, op: str) -> str:
        """Return what learners of the library know an operation by, where that is another name."""
        return op

    def path_of(self, number: Number) -> Any:
        """Return where inside of its library a tensor was made: something that can be compared, the
        same whenever the library comes there on the same way. None where that is not known: then
        one position makes each of its operations once.
        """
        return None

    def is_inner(self, number: Number) -> bool:
        """Return True where a layer of the library's, not one of the learner's, made a tensor for
        itself.
        """
        return False

    def layers_of(self, number: Number) -> tuple[tuple[int, str], ...] | None:
        """Return the calls of layers and models in which a tensor was made, from the outermost:
        (number of the call, path of the layer, as its variables have it). None where that is not
        known: then the variables that were used show the layer.
        """
        if not self.tape.calls:
            return None
        since, calls = self._calls
        return calls[bisect_right(since, number) - 1] or None

    @cached_property
    def _calls(self) -> tuple[list[Number], list[tuple[tuple[int, str], ...]]]:
        """The moments at which a layer was called or left, and the calls that went on from there."""
        turns = [
            turn for began, ended, path in self.tape.calls for turn in ((began, path), (ended, ""))
        ]
        since: list[Number] = [-1]
        calls: list[tuple[tuple[int, str], ...]] = [()]
        for number, path in sorted(turns):
            since.append(number)
            calls.append((*calls[-1], (number, path)) if path else calls[-1][:-1])
        return since, calls

    def replay(
        self, targets: Sequence[TensorInfo], sources: Sequence[TensorInfo]
    ) -> tuple[list[Step], list[Value | None]]:
        """Play the tape again, without listeners, and leave it unchanged. `targets` and `sources`
        are `TensorInfo`s.

        Returns the list of `Step`, and the adjoint of each source, an array or None. Raises
        LookupError as `gradient` does.
        """

        def play() -> tuple[list[Step], list[Value | None]]:
            played = self.twin().play([wrap(t.value, t.id) for t in targets], sources)
            return list(played.steps()), [played.adjoints.get(n) for n in played.numbers]

        return Context().run(play)

    def adjoints(
        self, targets: Sequence[TensorInfo], sources: Sequence[TensorInfo]
    ) -> list[Value | None]:
        """Return the adjoints of the sources as `replay` does; without the steps it is twice as
        fast. Raises LookupError as `gradient` does; `NotAsked`, one of them, where nobody knows.
        """

        def play() -> list[Value | None]:
            played = self.twin().play([wrap(t.value, t.id) for t in targets], sources)
            deque(played.parts(), maxlen=0)
            return [played.adjoints.get(n) for n in played.numbers]

        return Context().run(play)

    @staticmethod
    def rule(op: str, i: int) -> str:
        """Return how operation `op` treats the gradient for its input `i`: "open", "blocked",
        "unregistered" or "maybe" (only a run can tell).
        """
        row = OPS.get(op)
        if row is None:
            return "maybe"
        if not row.registered:
            return "unregistered"
        if row.each is not None or row.joint is not None:
            return "maybe"
        return (
            "open" if row.rules and row.rules[min(i, len(row.rules) - 1)] is not None else "blocked"
        )

    def twin(self) -> Any:
        """Return a persistent copy of the tape with the same entries; the tape itself does not
        change.
        """
        twin = object.__new__(type(self.tape))
        vars(twin).update(
            vars(self.tape),
            entries=self._entries,
            notes=list(self._notes),
            watched=self.watched,
            used=False,
            recording=False,
            persistent=True,
        )
        return twin


def rule_of(op: Op, i: int) -> Rule:
    """Return the rule of an operation for its input `i`, whatever form it has, or None where it
    blocks.
    """
    if op.each is not None:
        return lambda g, y, *inputs, **attributes: op.each(i, g, y, inputs, **attributes)
    if op.joint is not None:
        return lambda g, y, *inputs, **attributes: op.joint(g, y, *inputs, **attributes)[i]
    return op.rules[i] if i < len(op.rules) else None


def unwatched(op: str, inputs: Numbers, output: Output) -> dict[str, Any]:
    """Return the content of a note about an operation that uses nothing watched."""
    return {
        "op": op,
        "inputs": inputs,
        "outputs": output if isinstance(output, tuple) else (output,),
    }
