"""The tape that stands for one of TensorFlow's, and how readers see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tensorflow.python.framework import errors

from minitape.engine.ground.listening import onlookers
from minitape.engine.ground.tensor import Tensor
from minitape.engine.recording import Recording, Thing, describe
from minitape.engine.tape_with_margin import TapeWithMargin, ended

from .autograph import here
from .lines import Lines, Margin, Marks
from .plays import FilmedPlay, numbers_of

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Array, Number, Numbers, Output

    from .call_sites import CallSite
    from .operations import Row
    from .things import Things

SPENT = (
    "Internal state of the gradient tape is invalid: failed to find operation producing a tensor"
)


class TensorFlowRecording(Recording):
    """A recording of what TensorFlow computed: its tensors are described, and its registry says
    what has a gradient.
    """

    library, module, data = "TensorFlow", "tensorflow", "tensorflow.python.data"
    tape: TensorFlowTape

    def describe(self, thing: object) -> Thing | None:
        return (
            describe(thing)
            if isinstance(thing, (Thing, Tensor))
            else self.tape.things.describe(thing)
        )

    def living(self) -> dict[Number, Any]:  # type: ignore[override]
        return self.tape.things.living()

    def path_of(self, number: Number) -> Any:
        return self.tape.things.site_of(number)

    def is_inner(self, number: Number) -> bool:
        site = self.tape.things.site_of(number)
        return site is not None and site.inner

    def layers_of(self, number: Number) -> tuple[tuple[int, str], ...] | None:
        return self.tape.things.layers_of(number)

    def rule(self, op: str, i: int) -> str:  # type: ignore[override]
        from tensorflow.python.framework import ops

        found = Recording.rule(op, i)
        if found != "maybe" or op == "CustomGradient":
            return found
        try:
            return (
                "maybe"
                if ops.gradient_registry.lookup(op.removeprefix("tf.")) is not None
                else "blocked"
            )
        except LookupError:
            return "maybe" if op.startswith("tf.function ") else "unregistered"


class TensorFlowTape(TapeWithMargin):
    """A tape that is told of what TensorFlow records. `filmed`: the plays that TensorFlow has
    played, and that somebody may ask about; `spent`: the keys (by `id`) of what a way back that
    raised has let go, where the program's tape is not persistent.
    """

    entries: Lines  # type: ignore[assignment]
    watched: Marks  # type: ignore[assignment]
    margin: Margin  # type: ignore[assignment]

    kind_of_recording = TensorFlowRecording
    here = staticmethod(here)

    def __init__(
        self,
        things: Things,
        persistent: bool,
        watches_variables: bool,
        ask: Callable[..., FilmedPlay | None],
    ) -> None:
        self.things, self._ask, self.origin = things, ask, self  # a twin asks for it
        super().__init__(persistent, watches_variables)

    def clear(self) -> None:
        super().clear()
        self.entries, self.watched, self.margin = Lines(), Marks(), Margin()
        self.filmed: list[FilmedPlay] = []
        self.spent: set[int] = set()
        self.warns: FilmedPlay | None = None  # the last play, where one of its gradients is None

    def start(self) -> None:
        """Record from now on. No operation of minitape's is told to this tape, so it does not stand
        among those who listen.
        """
        now = self.things.clock.now()
        self.blocks.append((now, None))
        self.watched.begin(now)
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)
        self.things.clock.tick()

    def stop(self) -> None:
        if self.blocks and self.blocks[-1][1] is None:
            self.blocks[-1] = self.blocks[-1][0], self.things.clock.now()
            ended.append(self.blocks[-1])  # type: ignore[arg-type]
        self.recording = False

    def called(
        self,
        key: Any,
        row: Row,
        site: CallSite,
        inputs: Numbers,
        output: Output,
        y: Any,
        values: tuple[Array, ...],
    ) -> None:
        """Record an operation where one of the inputs is watched, as `Tape.record` does, and what
        it is known by on the way back.
        """
        watched = self.watched
        if inputs[0] not in watched and watched.isdisjoint(inputs):
            self.margin.write((len(self.entries), site.where, row.op, output, *inputs))
            return
        for number, array in zip(output, y) if isinstance(output, tuple) else ((output, y),):
            self.watch_output(number, array.dtype)
        self.entries.write((key, row, site, output, *inputs, y, *values))

    def forget(self, inputs: Numbers, outputs: Numbers) -> None:
        """Forget who made `outputs`, as TensorFlow does where they are recorded once more, by hand."""
        while (
            self.entries and self.entries[-1][2] in outputs and not self.watched.isdisjoint(inputs)
        ):
            del self.entries[-1]

    def release(self) -> None:
        self.entries = self.entries.without_arrays()

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
            self.things.number(target) in made and not (seeds and seeds[k] is not None)
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
        play = FilmedPlay(self, list(targets), sources, seeds, lead)
        asked = numbers_of(targets), numbers_of(sources)
        found = next(
            (filmed for filmed in reversed(self.filmed) if filmed.answers(*asked)), None
        ) or self._ask(self.origin, *asked)
        if found is not None:
            known = numbers_of(found.sources)
            play.backs, play.error, play.adjoints = found.backs, found.error, dict(found.seeds)
            play.returned = [
                found.returned[known.index(number)] if found.returned else None
                for number in asked[1]
            ]
        return play
