"""The tape that stands for a graph of PyTorch's, and how readers see it.

PyTorch has no tape: it has a graph, which `backward` plays. A tape of minitape's lasts from the
first operation to the `backward` that lets the graph go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ref

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import new_id
from minitape.engine.recording import Recording, TensorInfo, describe, unwatched
from minitape.engine.surprises import LAST

from ..filmed import FilmedPlay, numbers_of
from ..lines import Lines
from ..tape import LibraryRecording, LibraryTape
from .operations import title
from .reasons import lost, reason, strays, trained
from .tensors import array_of, arrays_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, RawEntry, RawPart
    from minitape.engine.recording import Note

    from .events import Events
    from .filming import Filming
    from .tensors import Tensors


LINEAR = ("Add", "Sub", "Neg", "Sum", "Mean", "Reshape", "Transpose", "StopGradient", "torch.add")


class TorchLines(Lines):
    """The entries of a tape, whose arrays are tensors until somebody reads them.

    A line's key says which nodes of PyTorch's graph have made its outputs: of one, how far its
    number lies behind that of the output, which seldom changes; or for several outputs (number,
    output of the node) of each, None for one that no node has made.
    PyTorch counts the nodes of a thread: so none is asked, marked, or kept from being let go.
    """

    __slots__ = "stored", "__weakref__"

    def __init__(self, lines: Iterable[Any] = ()) -> None:
        super().__init__(lines)
        self.stored = 0  # so many lines were looked through, see `Tensors.guard`

    @staticmethod
    def read(line: Any) -> RawEntry:
        entry = Lines.read(line)
        if len(entry) < 8:
            return entry
        y = entry[7]
        whole = tuple(map(array_of, y)) if type(y) is tuple else array_of(y)
        return (*entry[:6], arrays_of(entry[6]), whole)


class TorchRecording(LibraryRecording):
    """A recording of what PyTorch computed."""

    library, module, data = "PyTorch", "torch", "torch.utils.data"
    lasting = True
    tape: TorchTape

    @property
    def notes(self) -> list[Note]:
        """What was seen but not recorded: what a play has returned on an earlier tape only where it
        is used here.
        """
        used = self.tape.used_numbers()
        return [
            note
            for note in super().notes
            if not note.about.get("earlier") or not used.isdisjoint(note.about["outputs"])
        ]

    def describe(self, obj: object) -> TensorInfo | None:
        return describe(obj)

    def living(self) -> dict[Number, Any]:  # type: ignore[override]
        return {known.number: tensor for known, tensor in self.tape.tensors.living()}

    def reason(self, source: TensorInfo) -> Any:
        return reason(self.tape.events, source)

    def lost(self, number: Number) -> Any:
        return lost(self.tape.tensors, number)

    def trained(self, source: TensorInfo) -> Any:
        return trained(self.tape.events, source)

    def strays(self) -> Any:
        return strays(self.tape.events, self.tape.tensors)

    def title(self, op: str) -> str:
        return title(op)

    def rule(self, op: str, i: int) -> str:  # type: ignore[override]
        """Return the same as minitape does, but where a slope is 0 PyTorch gives zeros."""
        result = Recording.rule(op, i)
        return "maybe" if result == "blocked" else result


class TorchPlay(FilmedPlay):
    """A play of PyTorch's: its parts are those of an entry's own inputs. They are sorted out when
    somebody asks for them, from what was filmed.
    """

    tape: TorchTape
    dense = staticmethod(array_of)
    filming: Filming | None = None
    ran = False

    def parts(self) -> Iterator[RawPart]:
        if self.backs is None and self.filming is not None:
            self.backs = self.filming.developed(self.tape.origin)
        self.ran = True
        return super().parts()

    def places(self, index: int) -> Sequence[int]:
        return range(len(self.entries[index][1]))

    def again(self, tape: TorchTape, sources: Sequence[Any]) -> TorchPlay:
        """Return the same play with other sources."""
        if not self.ran:
            deque(self.parts(), maxlen=0)
        play = TorchPlay(tape, self.targets, sources)
        play.backs, play.error, play.seeds = self.backs, self.error, self.seeds
        play.entries, play.adjoints, play.filming = self.entries, dict(self.seeds), self.filming
        result: list[Any] = [self.adjoints.get(number) for number in play.numbers]
        play.returned, play.answers_as = result, [None] * len(result)
        return play


class TorchTape(LibraryTape):
    """A tape that is told of what PyTorch records. `ask` lets PyTorch play it once more."""

    kind_of_recording = TorchRecording
    lines = TorchLines
    entries: TorchLines
    filmed: list[TorchPlay]  # type: ignore[assignment]
    here = staticmethod(lambda: None)  # type: ignore[assignment]  # no line makes it

    def __init__(
        self, tensors: Tensors, events: Events, ask: Callable[..., TorchPlay | None]
    ) -> None:
        self.tensors, self.events, self._ask = tensors, events, ask
        super().__init__()

    def clear(self) -> None:
        super().clear()
        kept = self.tensors.kept
        kept.add(ref(self.entries, kept.discard))

    def start(self) -> None:
        """Record from now on."""
        now = new_id()
        self.blocks.append((now, None))
        self.watched.begin(now)
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)

    def stop(self) -> None:
        self.end(new_id())

    def made(self, number: Number) -> bool:
        """Tell whether a value was made while the tape recorded."""
        return any(number in outputs for _, outputs in self.ran())

    def ran(self) -> Iterator[tuple[Sequence[Number], Sequence[Number]]]:
        """Yield the inputs and outputs of all that ran, what is recorded first."""
        for k in range(len(self.entries)):
            inputs, output = self.entries.brief(k)[1:3]
            yield inputs, output if isinstance(output, tuple) else (output,)
        for kind, _, _, about in self.notes:
            if kind == "unwatched":
                known = about if type(about) is dict else unwatched(*about)
                yield known["inputs"], known["outputs"]

    def leads(self, info: Any, target: Number) -> bool:
        """Tell whether a target was computed from a variable, recorded or not."""
        return target in self._led_to(info)

    def led_out(self, info: Any) -> bool:
        """Tell whether what was computed from a variable has left PyTorch, as an array, say."""
        led_to = self._led_to(info)
        return any(kind == "escape" and about["id"] in led_to for kind, _, _, about in self.notes)

    def _led_to(self, info: Any) -> set[Number]:
        result = {info.id, info.tensor}
        for _ in range(2):  # what was only noted comes last
            for inputs, outputs in self.ran():
                if not result.isdisjoint(inputs):
                    result.update(outputs)
        return result

    def computed(self, until: Number) -> set[Number]:
        """Return the numbers of what was recorded as computed until a moment."""
        result = set[int]()
        for k in range(len(self.entries)):
            op, _, output, *_ = self.entries.brief(k)
            if op != "ReadVariableOp":
                result.update(output if isinstance(output, tuple) else (output,))
        return {n for n in result if n < until}

    def behind(self, targets: Iterable[Number]) -> set[Number]:
        """Return the numbers of all that was computed on the way to some targets, as far as a play
        goes back.
        """
        result, lines = set(targets), range(len(self.entries))
        for op, inputs, output, *_ in map(self.entries.brief, reversed(lines)):
            outputs = output if isinstance(output, tuple) else (output,)
            ends = op in ("ReadVariableOp", "StopGradient")
            if not ends and not result.isdisjoint(outputs):
                result.update(inputs)
        return result & self.computed(new_id())

    def user(self, numbers: set[Number], after: Number) -> Any:
        """Return the place of the first operation after a moment that takes in one of these."""
        for k in range(len(self.entries)):
            _, inputs, output, _, *where = self.entries.brief(k)
            made = max(output) if isinstance(output, tuple) else output
            if made > after and not numbers.isdisjoint(inputs):
                return tuple(where)
        return None

    def keeper(self, number: Number) -> Any:
        """Return the place of the operation that keeps a value for its way back: one that takes it
        in and is not linear, else the one that made it.
        """
        made = None
        for k in range(len(self.entries)):
            op, inputs, output, _, *where = self.entries.brief(k)
            if number in inputs and op not in LINEAR and op != "ReadVariableOp":
                return tuple(where)
            if number in (output if isinstance(output, tuple) else (output,)):
                made = tuple(where)
        return made

    def blocked(self, number: Number) -> Any:
        """Return why and where a value went into an operation that was not recorded, or None."""
        for kind, _, where, about in self.notes:
            known = about if kind == "unwatched" and type(about) is dict else {}
            if number in known.get("inputs", ()) and "blocks" in known and "earlier" not in known:
                return known["blocks"], where
        return None

    def first_input(self, target: Number) -> Number | None:
        """Return the number of the first value that a target was computed from, and that nothing
        made.
        """
        placed = [n for n in self.leaves_of(target) if self.tensors.places.place_of(n) is not None]
        return min(placed, default=None)

    def frozen(self, target: Number) -> Number | None:
        """Return the number of a leaf that a target was computed from, and that was frozen."""
        return next((n for n in self.leaves_of(target) if n in self.events.frozen), None)

    def leaves_of(self, target: Number) -> list[Number]:
        """Return the numbers of all that a target was computed from, and that nothing made."""
        makers = {n: inputs for inputs, outputs in self.ran() for n in outputs}
        todo, leaves = [target], list[int]()
        for number in todo:  # which grows
            if number in makers:
                todo += [n for n in makers[number] if n not in todo]
            else:
                leaves.append(number)
        return leaves

    def pairs(self) -> list[RawEntry]:
        """Return those of the last entries that take a column and a row: they may stretch, see
        `surprising`.
        """
        last = self.entries.lines[-LAST:]
        result = [
            e for e in last if type(e[0]) is not str and len(e) == 9
        ]  # two go in, one comes out
        result = [e for e in result if sum([getattr(v, "ndim", 0) for v in e[-2:]]) == 3]
        return [self.entries.read(line) for line in result]

    def used_numbers(self) -> set[Number]:
        """Return the numbers of all that was used while the tape recorded."""
        return {number for inputs, _ in self.ran() for number in inputs}

    def play(
        self,
        targets: Sequence[Any],
        sources: Sequence[Any],
        seeds: Sequence[Any] | None = None,
        lead: int = 0,
    ) -> TorchPlay:
        """Return a play of this tape: the last one of PyTorch's from the same targets."""
        asked = numbers_of(targets)
        known = (f for f in reversed(self.filmed) if numbers_of(f.targets) == asked)
        filmed = next(known, None) or self._ask(self.origin, asked, numbers_of(sources))
        if filmed is not None:
            return filmed.again(self, sources)
        return TorchPlay(self, list(targets), sources, seeds, lead)


def inputs_of(line: Any) -> Sequence[Number]:
    """Return the numbers of what the operation of a line took in."""
    return line[1] if type(line[0]) is str else line[4 : 4 + len(line[1].places)]


def outputs_of(line: Any) -> Sequence[Number]:
    """Return the numbers of what the operation of a line made."""
    return line[3] if type(line[3]) is tuple else (line[2] if type(line[0]) is str else line[3],)


def placed(inputs: Sequence[Number], parts: Sequence[tuple[Number | None, Any]]) -> list[Any]:
    """Return the parts by the places of the inputs that they go to: several for one place are
    summed.
    """
    result: list[Any] = [None] * len(inputs)
    for number, part in parts:
        places = [k for k, n in enumerate(inputs) if n == number]
        if not places:
            continue
        place = next((k for k in places if result[k] is None), places[-1])
        result[place] = part if result[place] is None else result[place] + part
    return result
