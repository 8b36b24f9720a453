"""One play of a tape backwards: its seeds, the tensors that depend on a source, and its results.

The walk itself is in `walk.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .base.hook import Hook
from .base.listeners import listeners, onlookers
from .base.tensor import Tensor, new_id, wrap
from .base.where import here
from .common_walk import common_walk
from .surprises import surprising
from .walk import walk

if TYPE_CHECKING:
    from .base.aliases import Adjoints, Number, RawEntry, RawPart, Tape, Value
    from .steps import Step

# joins entries that a faster kernel plays in one, except around the numbers that are asked for
JOINED: Hook[Callable[[list[RawEntry], set[Number]], list[RawEntry]]] = Hook("joined entries")


class Play:
    """One way back over a tape. `targets`, `sources`: tensors (or variables, as sources); `seeds`:
    one tensor per target, None for ones. With `lead` 1, seeds are arrays with a batch of seeds as
    their first axis, and so are all adjoints. `whole`: nobody named the sources, they are all that
    a gradient reaches.
    """

    whole = False

    def __init__(
        self,
        tape: Tape,
        targets: list[Tensor],
        sources: Sequence[Any],
        seeds: Sequence[Any] | None = None,
        lead: int = 0,
    ) -> None:
        self.id, self.tape, self.targets, self.sources, self.lead = (
            new_id(),
            tape,
            targets,
            sources,
            lead,
        )
        # a target with an adjoint of its own is a step on somebody's way, not a result
        self.results = targets if seeds is None or lead else []
        self.numbers = [s.id for s in sources]
        # somebody listens: an outer tape, a trace; or this tape, so its list is copied
        self.on_tensors = bool(listeners())
        self.entries = tape.entries[:] if self.on_tensors else tape.entries
        self.adjoints: Adjoints = {}
        for target, seed in zip(targets, seeds or [None] * len(targets)):
            seed = self._seed(target, seed)
            if seed is not None:
                before = self.adjoints.get(target.id)
                self.adjoints[target.id] = seed if before is None else before + seed

    def _seed(self, target: Tensor, seed: Any) -> Value | None:
        """Return the seed of a target: 1 for each element, None if its dtype has no gradient."""
        if self.lead:
            return seed
        if seed is None:
            kind = target.value.dtype
            # a whole number has the slope 1 for itself, a text has none
            if kind.kind not in "fc" and (kind.kind == "S" or target.id not in self.numbers):
                return None
            seed = np.ones(target.value.shape, kind) if target.value.ndim else kind.type(1)
            return Tensor(seed) if self.on_tensors else seed
        return seed if self.on_tensors else seed.value

    def reach(self) -> set[Number]:
        """Return the numbers of all tensors that depend on a source: parts may flow to them."""
        # what was never watched has no gradient, wherever it is used
        sources = self.tape.watched.intersection(self.numbers)
        if self.tape.leaves <= sources:
            return self.tape.watched  # everything watched lies downstream of the sources
        reach = set(sources)
        for _, inputs, output, *_ in self.entries:
            if not reach.isdisjoint(inputs):
                reach.update(output if isinstance(output, tuple) else (output,))
        return reach & self.tape.watched  # what `stop_gradient` cut off is recorded, not watched

    def parts(self) -> Iterator[RawPart]:
        """Return the generator of the walk: exhausting it plays the tape. Onlookers see each part
        as it passes.
        """
        # sources that may be outputs of an entry: of leaves, only cuts
        keep = set(self.numbers) - (self.tape.leaves - self.tape.cuts)
        if self.on_tensors or self.lead or self.tape.holomorphic:
            parts = walk(
                self.entries,
                self.reach(),
                self.adjoints,
                keep,
                self.on_tensors,
                self.lead,
                self.tape.holomorphic,
            )
        else:
            parts = common_walk(self.entries, self.reach(), self.adjoints, keep)
        for onlooker in onlookers.get():
            parts = onlooker.plays(self, parts)
        return parts

    def steps(self) -> Iterator[Step]:
        """Play, one `Step` per visited entry."""
        from .steps import steps_of

        return steps_of(self)

    def gradients(self) -> list[Tensor | None]:
        """Play to the end and return one tensor, or None, per source."""
        if JOINED.filled and not (self.on_tensors or self.lead or onlookers.get()):
            self.entries = JOINED()(self.entries, {*self.numbers, *self.adjoints})
        try:
            deque(self.parts(), maxlen=0)
        finally:
            self.release()
        code, offset = here()
        adjoints = [self.adjoints.get(n) for n in self.numbers]
        return [
            g if g is None or type(g) is Tensor else wrap(g, new_id(), code, offset)
            for g in adjoints
        ]

    def release(self) -> None:
        """Mark a tape that is not persistent as used and release its arrays.

        After a surprising result (`surprises.py`) they are kept, because `explain` needs them.
        """
        if not self.tape.persistent:
            self.tape.used = True
            if not surprising(
                self.results, map(self.adjoints.get, self.numbers), self.tape.entries
            ):
                self.tape.release()
                self.tape.fine = tuple([t.id for t in self.targets]), tuple(self.numbers)
