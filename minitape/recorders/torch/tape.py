"""The tape that stands for a graph of PyTorch's, and how readers see it.

PyTorch has no tape: it has a graph, which `backward` plays. A tape of minitape's lasts from the
first operation to the `backward` that lets the graph go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import Tensor, new_id, wrap
from minitape.engine.recording import Recording, TensorInfo, describe

from ..filmed import FilmedPlay, numbers_of
from ..lines import Lines
from ..tape import LibraryTape
from .tensors import array_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, RawEntry

    from .tensors import Tensors


class Key:
    """What an operation is known by: it lives as long as its nodes of PyTorch's graph, or what it
    has made; entries refer to it weakly.
    """

    __slots__ = ("__weakref__",)


class TorchLines(Lines):
    """The entries of a tape, whose arrays are tensors until somebody reads them."""

    __slots__ = ()

    @staticmethod
    def read(line: Any) -> RawEntry:
        entry = Lines.read(line)
        if len(entry) < 8:
            return entry
        y = entry[7]
        whole = tuple(map(array_of, y)) if type(y) is tuple else array_of(y)
        return (*entry[:6], tuple(map(array_of, entry[6])), whole)


class TorchRecording(Recording):
    """A recording of what PyTorch computed."""

    library, module, data = "PyTorch", "torch", "torch.utils.data"
    tape: TorchTape

    def describe(self, obj: object) -> TensorInfo | None:
        return describe(obj)

    def living(self) -> dict[Number, Any]:  # type: ignore[override]
        return {known.number: tensor for known, tensor in self.tape.tensors.living()}

    def path_of(self, number: Number) -> Any:
        return self.tape.tensors.site_of(number)

    def is_inner(self, number: Number) -> bool:
        site = self.tape.tensors.site_of(number)
        return site is not None and site.inner

    def layers_of(self, number: Number) -> tuple[tuple[int, str], ...] | None:
        return self.tape.tensors.layers_of(number)


class TorchPlay(FilmedPlay):
    """A play of PyTorch's: its parts are those of an entry's own inputs."""

    tape: TorchTape
    dense = staticmethod(array_of)

    def places(self, index: int) -> Sequence[int]:
        return range(len(self.entries[index][1]))

    def again(self, tape: TorchTape, sources: Sequence[Any]) -> TorchPlay:
        """Return the same play with other sources."""
        play = TorchPlay(tape, self.targets, sources)
        play.backs, play.error, play.seeds = self.backs, self.error, self.seeds
        play.entries, play.adjoints = self.entries, dict(self.seeds)
        found: list[Any] = [self.adjoints.get(number) for number in play.numbers]
        play.returned, play.answers_as = found, [None] * len(found)
        return play


class TorchTape(LibraryTape):
    """A tape that is told of what PyTorch records. `ask` lets PyTorch play it once more."""

    kind_of_recording = TorchRecording
    lines = TorchLines
    filmed: list[TorchPlay]  # type: ignore[assignment]

    def __init__(self, tensors: Tensors, ask: Callable[..., TorchPlay | None]) -> None:
        self.tensors, self._ask, self.origin = tensors, ask, self  # a twin asks for it
        super().__init__()
        self.where = None  # type: ignore[assignment]  # no line makes it

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


def as_target(info: TensorInfo) -> Tensor:
    """Return a target as a play has it: the content of a variable."""
    return wrap(info.value, info.tensor, *(info.where or (None, 0)))
