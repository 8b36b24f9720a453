"""The tapes that are kept of a training: a few, of the steps that tell most, with the values of
their steps.

A look has the tape of its step in hand. To keep it is to keep its list of entries, whose arrays
nobody writes into (an assignment puts a new array into a variable), and the variables as they were;
a picture is made of it when somebody asks. What is kept is bounded, in number and in bytes. Kept
are the first and the last one, that of the first bad number and the one before it, those nearest to
where a finding begins, and of the others so many that they lie evenly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from minitape.engine.base.aliases import RawEntry
from minitape.engine.base.tensor import Tensor, wrap
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.recording import describe, recorded
from minitape.engine.variable import Variable, standing_still

from .look import array

MOST = 12  # tapes,
MOST_BYTES = 48 << 20  # the arrays of all of them,
LARGEST = 16 << 20  # and of one


class KeptTape(GradientTape):
    """The tape of one step of a training that was watched; it can be played as often as one likes.

    `play(tape, tape.target, tape.sources)` shows the step, `tape.gradient(tape.target,
    tape.sources)` has its gradients again: the values are those of the step, whatever was assigned
    since. `step`: its number; `target`: the loss; `sources`: the variables (or tensors) whose
    gradients were asked for, as they were; `output_gradients`: the seed that was given, or None;
    `layers`: the entry that gives the output of each layer, by the key that the layer has in the
    history.
    """

    step: int
    target: Any
    sources: list[Any]
    output_gradients: Any
    layers: dict[Any, int]
    persisted: bool  # whether the program's own tape was persistent
    sizes: dict[int, int]  # bytes of each array, by Python's number of it

    def __repr__(self) -> str:
        return (
            f"<KeptTape of step {self.step}: {len(self._tape.entries)} operations; play(tape, "
            "tape.target, tape.sources) shows it>"
        )

    def once(self) -> GradientTape:
        """Returns the tape as the program had it: one that is not persistent gives its gradients
        once, and lets its arrays go.
        """
        twin = self.recording.twin()
        twin.persistent = self.persisted
        return GradientTape.around(twin)

    def ask_for(self, sources: Iterable[Any]) -> None:
        """Take in further sources: another play for the same step."""
        known = {source.id: source for source in self.sources}
        for source in sources:
            if source.id not in known:
                known[source.id] = self._tape.variables.get(source.id, still(source))
                self.sources.append(known[source.id])


def taken(
    step: int,
    tape: Any,
    entries: Sequence[RawEntry],
    targets: Sequence[Tensor],
    sources: Iterable[Any],
    seeds: Mapping[int, Any],
    layers: Mapping[Any, int],
) -> KeptTape:
    """Returns the tape of a step as it is now. `seeds`: the adjoints that the play begins with, by
    the numbers of the targets.
    """
    twin = recorded(tape, list(entries)).twin()
    twin.variables = {number: still(variable) for number, variable in tape.variables.items()}
    kept = KeptTape.around(twin)
    kept.step, kept.sources, kept.layers, kept.sizes = step, [], dict(layers), sizes_of(entries)
    kept.persisted = tape.persistent
    kept.ask_for(sources)
    targets = list({target.id: target for target in targets}.values())
    several = [wrap(array(seeds[t.id]), t.id) if t.id in seeds else None for t in targets]
    plain = all(seed is None or (seed.value == 1).all() for seed in several)
    kept.target, kept.output_gradients = (
        (targets, several) if len(targets) > 1 else (targets[0], several[0])
    )
    if plain:
        kept.output_gradients = None
    return kept


def still(source: Any) -> Any:
    """Returns a tensor as it is, a snapshot of a variable; one of another library becomes
    minitape's.
    """
    info = describe(source)
    if info is None or not info.is_variable or isinstance(source, Variable):
        return standing_still(source) if isinstance(source, Variable) else source
    twin = Variable(info.value, info.trainable, name=info.name.removesuffix(":0"))
    twin.id, twin.path = info.id, info.path
    twin._tensor = wrap(info.value, info.tensor, *(info.assigned or (None, 0)))
    return twin


def sizes_of(entries: Iterable[RawEntry]) -> dict[int, int]:
    """Returns how many bytes each array takes that entries hold, by Python's number of it; a view
    counts as what it is a view of.
    """
    sizes: dict[int, int] = {}
    for entry in entries:
        y = entry[7]
        for one in (*entry[6], *(y if type(y) is tuple else (y,))):
            owner = one if one.base is None else one.base
            sizes[id(owner)] = getattr(owner, "nbytes", one.nbytes)
    return sizes


def nearest(steps: Collection[int], step: int) -> int:
    """Returns the step that is nearest to another, of two the earlier one."""
    return min(steps, key=lambda other: (abs(other - step), other))


class Tapes:
    """Those that are kept, by their steps. `begins`: the steps where something begins; `bad`: that
    of the first bad number, or None; `too_large`: the bytes of the largest one that was not kept
    for its size.
    """

    def __init__(self) -> None:
        self.of: dict[int, KeptTape] = {}
        self.begins: set[int] = set()
        self.bad: int | None = None
        self.too_large = 0

    def take(self, tape: KeptTape) -> None:
        """Keep a tape, and let others go where there are too many."""
        size = sum(tape.sizes.values())
        if size > LARGEST:
            self.too_large = max(self.too_large, size)
            return
        self.of[tape.step] = tape
        while len(self.of) > MOST or self._bytes() > MOST_BYTES:
            del self.of[self._least()]

    def _bytes(self) -> int:
        """The memory of all arrays; those that several tapes hold count once."""
        total = sum(sum(tape.sizes.values()) for tape in self.of.values())
        if total > MOST_BYTES:
            shared: dict[int, int] = {}
            for tape in self.of.values():
                shared |= tape.sizes
            total = sum(shared.values())
        return total

    def _least(self) -> int:
        """The step whose tape is missed least: of those that tell least, the one with the nearest
        neighbours.
        """
        steps = sorted(self.of)
        rank = dict.fromkeys((nearest(steps, step) for step in self.begins), 1) | {
            steps[0]: 2,
            steps[-1]: 3,
        }
        if self.bad is not None:
            before = [step for step in steps if step < self.bad]
            rank |= dict.fromkeys(before[-1:], 2) | {nearest(steps, self.bad): 3}

        def missed(k: int) -> tuple[int, int]:
            return rank.get(steps[k], 0), steps[min(k + 1, len(steps) - 1)] - steps[max(k - 1, 0)]

        return steps[min(range(len(steps)), key=missed)]
