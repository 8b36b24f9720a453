"""What is asked of PyTorch while `python -m minitape explain train.py` or a cell with `%%tape` runs:
the questions that `explain(x)` would answer, at each `.grad` that is None or zero; and at the steps
of the optimizers what shows only there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from torch import Tensor
from torch._C import DisableTorchFunction

from minitape.engine.base.tensor import new_id
from minitape.engine.base.where import learners_frame
from minitape.explain import explain_at
from minitape.health.words import say
from minitape.sentences import language

from ..shield import shielded
from .asking import of_source
from .reasons import hooked, kept, strays
from .way_back import reckons_with_none

if TYPE_CHECKING:
    from types import FrameType

    from .events import Played
    from .recorder import Recorder
    from .tape import TorchTape

Doubt = tuple[str, int]  # what looks wrong, and of which leaf
A_WHILE = 32  # steps, after which nobody waits for the end
ENOUGH = 3  # steps, for what grows with each


class Asked:
    """Who looks at each gradient of a script stands in the place of `gradient`. What happened before
    is not asked about.

    What may still change is kept until it has stayed for a while, or the script ends: `found`, for
    each optimizer, in words, with whether it is certain; `unplayed`, what is to be said of leaves
    whose gradient was read before there was any.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self.shield = recorder, recorder.shield
        self._read: Tensor | None = None
        self._since, self._told_none = new_id(), False
        self._steps: dict[Hashable, int] = {}
        self.found: dict[Hashable, dict[Doubt, tuple[bool, str]]] = {}
        self.unplayed: dict[int, str] = {}
        self._stayed: str | None = None

    def gradient(
        self, tape: TorchTape, targets: Sequence[Any], sources: Sequence[Any]
    ) -> list[Any]:
        """Return what a play has given."""
        if self._read is None:
            self._by_hand()
        # of others PyTorch warns, as it has done where the program read it
        return [s.grad if s.is_leaf or s.retains_grad else None for s in sources]

    def missing(self, tensor: Tensor) -> None:
        """The program reads a gradient, and it is None."""
        frame, recorder = learners_frame(), self._recorder
        if not recorder.shield.down or reckons_with_none(frame):
            return
        if recorder.back.early:
            self._early(frame, tensor)
            return
        self._told_none = True
        self._read = tensor
        try:
            self.gradient(recorder.events.plays[-1].tape, [], [tensor])
        finally:
            self._read = None

    @shielded
    def _early(self, frame: FrameType, tensor: Tensor) -> None:
        """The program reads a gradient before there is any."""
        with DisableTorchFunction():
            tape, target, source, known = of_source(self._recorder, tensor)
            answer = str(explain_at(frame, tape, target, source, known=known))
            self.unplayed.setdefault(self._recorder.known(tensor).id, answer)

    def question(self, tape: Any, target: Any, sources: Any) -> tuple[Any, Any, Any, Any]:
        """Return (tape, target, source, what is known already), as `explain(x)` would ask."""
        recorder = self._recorder
        if self._read is not None:
            return of_source(recorder, self._read)
        for source in sources if recorder.events.hooks else ():
            known = hooked(recorder.events, recorder.back.last, source)
            if known is not None:
                return tape, target, source, known
        return tape, target, sources, None

    # ---- what shows only at the steps

    @shielded
    def _by_hand(self) -> None:
        """The program moves its parameters itself, it may be: each play is a step."""
        last, holders = self._last(), self._recorder.events.optimizers.values()
        if last is not None and all(last.reached.isdisjoint(each.holds) for each in holders):
            with DisableTorchFunction():
                self.steps(None)

    def _last(self) -> Played | None:
        plays = self._recorder.events.plays
        return plays[-1] if plays and plays[-1].at > self._since else None

    def steps(self, optimizer: Any) -> None:
        """An optimizer is about to move its parameters; None where the program does it itself."""
        key = None if optimizer is None else self._recorder.events.optimizers[optimizer].made
        count = self._steps[key] = self._steps.get(key, 0) + 1
        if count & (count - 1) and count != ENOUGH:
            return
        before, frame = self.found.get(key, {}), learners_frame()
        now = self.found[key] = {}
        for each, sure, (tape, target, source, known) in self._doubts(optimizer, count):
            if each not in before:
                answer = explain_at(frame, tape, target, source, known=known)
                before[each] = sure or answer.category != "not-used", str(answer)
            elif before[each][0] and count >= A_WHILE:
                self._stayed = before[each][1]
            now[each] = before[each]

    def _doubts(self, optimizer: Any, count: int) -> Iterator[tuple[Doubt, bool, Any]]:
        """Yield (of what, whether it is certain, the question) of all that looks wrong at a step."""
        events, tensors = self._recorder.events, self._recorder.tensors
        for stray, _ in strays(events, tensors, self._since):
            yield ("moved", stray.id), True, of_source(self._recorder, stray.object)
            break
        groups = optimizer.param_groups if optimizer is not None else ()
        held = [p for group in groups for p in group["params"] if p.requires_grad]
        none = [p for p in held if p.grad is None]
        for parameter in none:
            known = self._recorder.known(parameter)
            if len(none) == len(held) or events.last_of(known.id, known.number) is None:
                sure = len(none) == len(held)
                yield ("none", known.id), sure, of_source(self._recorder, parameter)
                break
        graphs = kept(events, tensors, self._since) if count >= ENOUGH else None
        if graphs is not None:
            tensor, why = graphs
            yield ("kept", 0), True, (events.plays[-1].tape, tensor, tensor, why)

    def certain(self, ended: bool = False) -> str | None:
        """Return what is certainly wrong, in words."""
        if not ended:
            return self._stayed
        last_of = self._recorder.events.last_of
        unplayed = (text for n, text in self.unplayed.items() if last_of(n) is None)
        stayed = (
            text
            for each in self.found.values()
            for (what, _), (sure, text) in each.items()
            if sure and not (what == "none" and self._told_none)
        )
        return next(unplayed, None) or next(stayed, None)

    def questions(self) -> dict[Hashable, str]:
        """Return what may be meant, as questions."""
        asked = {text for each in self.found.values() for sure, text in each.values() if not sure}
        return {text: f"\n{say('watch.meant', language())}\n{text}" for text in asked}
