"""The tape that stands for one of TensorFlow's, and how readers see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tensorflow.python.framework import errors

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import Tensor
from minitape.engine.recording import Recording, TensorInfo, describe

from ..filmed import FilmedPlay, numbers_of
from ..tape import LibraryRecording, LibraryTape
from .autograph import here
from .plays import TensorFlowPlay

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, Numbers

    from .tensors import Tensors

SPENT = (
    "Internal state of the gradient tape is invalid: failed to find operation producing a tensor"
)


class TensorFlowRecording(LibraryRecording):
    """A recording of what TensorFlow computed: its tensors are described, and its registry says
    what has a gradient.
    """

    library, module, data = "TensorFlow", "tensorflow", "tensorflow.python.data"
    tape: TensorFlowTape

    def describe(self, obj: object) -> TensorInfo | None:
        return (
            describe(obj)
            if isinstance(obj, (TensorInfo, Tensor))
            else self.tape.tensors.describe(obj)
        )

    def living(self) -> dict[Number, Any]:  # type: ignore[override]
        return self.tape.tensors.living()

    def rule(self, op: str, i: int) -> str:  # type: ignore[override]
        from tensorflow.python.framework import ops

        result = Recording.rule(op, i)
        if result != "maybe" or op == "CustomGradient":
            return result
        try:
            return (
                "maybe"
                if ops.gradient_registry.lookup(op.removeprefix("tf.")) is not None
                else "blocked"
            )
        except LookupError:
            return "maybe" if op.startswith("tf.function ") else "unregistered"


class TensorFlowTape(LibraryTape):
    """A tape that is told of what TensorFlow records. `spent`: the keys (by `id`) of what a way back that
    raised has let go, where the program's tape is not persistent.
    """

    kind_of_recording = TensorFlowRecording
    here = staticmethod(here)

    def __init__(
        self,
        tensors: Tensors,
        persistent: bool,
        watches_variables: bool,
        ask: Callable[..., FilmedPlay | None],
    ) -> None:
        self.tensors, self._ask = tensors, ask
        super().__init__(persistent, watches_variables)

    def clear(self) -> None:
        super().clear()
        self.spent: set[int] = set()

    def start(self) -> None:
        """Record from now on."""
        now = self.tensors.clock.now()
        self.blocks.append((now, None))
        self.watched.begin(now)
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)
        self.tensors.clock.tick()

    def stop(self) -> None:
        self.end(self.tensors.clock.now())

    def forget(self, inputs: Numbers, outputs: Numbers) -> None:
        """Forget who made `outputs`, as TensorFlow does where they are recorded once more, by hand."""
        while (
            self.entries and self.entries[-1][2] in outputs and not self.watched.isdisjoint(inputs)
        ):
            del self.entries[-1]

    def spend(self) -> None:
        """Count all that was recorded as let go, as TensorFlow does before a way back begins; but
        its handle is persistent here.
        """
        if not self.persistent:
            self.spent.update(id(key) for _, key in self.entries.keys())

    def refuse_spent(self, targets: Sequence[Any], seeds: Sequence[Any] | None) -> None:
        """Raise what TensorFlow does for a target without a seed, where a way back that raised has
        let go of the operation that made it.
        """
        outputs = (
            [self.entries[k][2] for k, key in self.entries.keys() if id(key) in self.spent]
            if self.spent
            else []
        )
        made = {
            number
            for output in outputs
            for number in (output if type(output) is tuple else (output,))
        }
        if any(
            self.tensors.number(target) in made and not (seeds and seeds[k] is not None)
            for k, target in enumerate(targets)
        ):
            raise errors.InternalError(None, None, SPENT)

    def play(
        self,
        targets: Sequence[Any],
        sources: Sequence[Any],
        seeds: Sequence[Any] | None = None,
        lead: int = 0,
    ) -> FilmedPlay:
        """Return a play of this tape: the one that TensorFlow has played, where it was asked for
        the same.
        """
        play = TensorFlowPlay(self, list(targets), sources, seeds, lead)
        asked = numbers_of(targets), numbers_of(sources)
        play_filmed = next(
            (filmed for filmed in reversed(self.filmed) if filmed.answers(*asked)), None
        ) or self._ask(self.origin, *asked)
        if play_filmed is not None:
            known = numbers_of(play_filmed.sources)
            play.backs, play.error, play.adjoints = (
                play_filmed.backs,
                play_filmed.error,
                dict(play_filmed.seeds),
            )
            play.returned = [
                play_filmed.returned[known.index(number)] if play_filmed.returned else None
                for number in asked[1]
            ]
        return play
