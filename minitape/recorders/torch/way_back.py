"""PyTorch plays its graph backwards: each of its nodes is looked at on the way, and what it
computed is told to those who look on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch import Tensor

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import new_id, wrap
from minitape.engine.base.where import here
from minitape.engine.explainer import none_found
from minitape.engine.surprises import surprising

from ..filmed import Back, show
from ..shield import shielded
from .events import Failed, Played
from .tape import TorchPlay, TorchTape, as_target
from .tensors import array_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number
    from minitape.engine.recording import TensorInfo

    from .tapes import Tapes

MOST_GIVEN = 8
TAG = "minitape"  # in the metadata of a node: (the key of its operation, {output: number})


def beyond(node: Any) -> list[tuple[Any, int]]:
    """Return (node, output) of all that the unknown nodes from this one on take in: what an
    operation made that is known, and leaves.
    """
    found, seen, todo = list[tuple[Any, int]](), {node}, [node]
    for each in todo:  # which grows
        for after, output in each.next_functions:
            if after is None:
                continue
            if hasattr(after, "variable") or TAG in after.metadata:
                if (after, output) not in found:
                    found.append((after, output))
            elif after not in seen:
                seen.add(after)
                todo.append(after)
    return found


class Filming:
    """What PyTorch computes on one way back: hooks on the nodes of the graph, until `end`.

    Nodes that nobody knows lie inside of an operation: they belong to the known one before them.
    """

    def __init__(self, recorder: Tapes, roots: Sequence[Tensor]) -> None:
        self._recorder, self._handles = recorder, list[Any]()
        # of each operation, by its key: {number: adjoint}, and (number, part) in order
        self.adjoints: dict[Any, dict[Number, Any]] = {}
        self.parts: dict[Any, list[tuple[Number | None, Any]]] = {}
        self.leaves: dict[Any, Any] = {}  # {leaf: what arrives there}
        self.added: dict[Any, Any] = {}  # {leaf: whether its gradient was other than 0}
        self._keys = set[Any]()
        self._film(roots)
        recorder.fetch(self._keys - {None})

    def _film(self, roots: Sequence[Tensor]) -> None:
        seen, todo = set[Any](), [(t.grad_fn, None) for t in roots if t.grad_fn is not None]
        for node, owner in todo:  # which grows
            if node in seen:
                continue
            seen.add(node)
            key, numbers = node.metadata.get(TAG) or (owner, {})
            self._keys.add(key)
            leaving: list[tuple[int, Number | None]] = []
            for k, (after, output) in enumerate(node.next_functions):
                if after is None:
                    continue
                todo.append((after, key))
                variable = getattr(after, "variable", None)
                if variable is not None:
                    leaving.append((k, self._recorder.number_at(after, 0)[0]))
                    self._leaf(after, variable)
                    continue
                found = after.metadata.get(TAG)
                if found is not None and found[0] is not key:
                    leaving.append((k, found[1].get(output)))
            if key is not None and (leaving or numbers):
                self._look(node, key, numbers, leaving)

    def _leaf(self, node: Any, variable: Any) -> None:
        if variable in self.leaves:
            return
        self.leaves[variable] = None
        with torch._C.DisableTorchFunction():
            if variable.grad is not None and variable.grad.layout is torch.strided:
                self.added[variable] = variable.grad.any()

        def arrives(_: Any, adjoints: Sequence[Any]) -> None:
            self.leaves[variable] = adjoints[0]

        self._handles.append(node.register_hook(arrives))

    def _look(
        self,
        node: Any,
        key: Any,
        numbers: dict[int, Number],
        leaving: list[tuple[int, Number | None]],
    ) -> None:
        def played(parts: Sequence[Any], adjoints: Sequence[Any]) -> None:
            known = self.adjoints.setdefault(key, {})
            for output, number in numbers.items():
                if output < len(adjoints) and adjoints[output] is not None:
                    known[number] = adjoints[output]
            sent = self.parts.setdefault(key, [])
            sent += [(n, parts[k]) for k, n in leaving if k < len(parts) and parts[k] is not None]

        self._handles.append(node.register_hook(played))

    def end(self) -> None:
        """Look no more."""
        while self._handles:
            self._handles.pop().remove()

    def numbers(self) -> set[Number]:
        """Return the numbers of all that got an adjoint."""
        return {number for known in self.adjoints.values() for number in known}

    def stopped_at(self, number: Number) -> bool:
        """Tell whether a value's adjoint is 0, though parts came in: something in between did it."""
        adjoints = [known[number] for known in self.adjoints.values() if number in known]
        parts = [part for sent in self.parts.values() for n, part in sent if n == number]
        with torch._C.DisableTorchFunction():
            return any(p.any() for p in parts) and not any(a.any() for a in adjoints)

    def developed(self, tape: TorchTape) -> dict[int, Back]:
        """Return {index of an entry: how it was played}."""
        found = {}
        for index, weak in tape.entries.keys():
            key = weak()
            if key not in self.parts:
                continue
            inputs, output = tape.entries.brief(index)[1:3]
            adjoints = self.adjoints.get(key, {})
            outputs = output if isinstance(output, tuple) else (output,)
            found[index] = Back(
                weak, [adjoints.get(n) for n in outputs], placed(inputs, self.parts[key])
            )
        return found


def placed(inputs: Sequence[Number], parts: Sequence[tuple[Number | None, Any]]) -> list[Any]:
    """Return the parts by the places of the inputs that they go to: several for one place are
    summed.
    """
    found: list[Any] = [None] * len(inputs)
    for number, part in parts:
        places = [k for k, n in enumerate(inputs) if n == number]
        if not places:
            continue
        place = next((k for k in places if found[k] is None), places[-1])
        found[place] = part if found[place] is None else found[place] + part
    return found


class WayBack:
    """Films each play of PyTorch's in the thread that is watched."""

    def __init__(self, recorder: Tapes) -> None:
        self._recorder, self.shield = recorder, recorder.shield
        self.last: TorchPlay | None = None
        self.given: deque[tuple[Any, dict[str, Any]]] = deque(
            maxlen=MOST_GIVEN
        )  # what plays returned
        self.asked_none: Any = None  # weakly, of which the gradient was read last and was None

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        return [(torch.autograd, "_engine_run_backward", self._around)]

    @staticmethod
    def gradient(tape: TorchTape, targets: Sequence[Any], sources: Sequence[Any]) -> list[Any]:
        """Return what a play has given: who looks at each gradient of a program stands in its
        place.
        """
        return [source.grad for source in sources]

    def _around(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def played(roots: Any, *args: Any, **named: Any) -> Any:
            begun: list[Any] = []
            if self.shield.down and all(isinstance(root, Tensor) for root in roots):
                self._begin(begun, roots)
            if not begun:
                return run(roots, *args, **named)
            (filming,) = begun
            found = error = None
            try:
                found = run(roots, *args, **named)
                return found
            except BaseException as raised:  # Ctrl-C, too
                error = raised
                raise
            finally:
                filming.end()
                self._end(filming, roots, args, found, error)
                if error is None and self.shield.down:
                    self._look(self.last)

        return played

    def _look(self, play: TorchPlay | None) -> None:
        """Let whoever looks at each gradient of a program see those of a play."""
        if play is not None:
            self.gradient(play.tape, list(play.targets), [s.object for s in play.sources])

    @shielded
    def _begin(self, begun: list[Any], roots: Sequence[Tensor]) -> None:
        self._recorder.stepping = False  # an optimizer may have been left by an error
        made = self._recorder.sites.of_call().within(self._recorder.sites.layers)
        for root in roots:
            self._recorder.read(root, made)
        begun.append(Filming(self._recorder, roots))

    @shielded
    def _end(
        self, filming: Filming, roots: Any, args: Sequence[Any], found: Any, error: Any
    ) -> None:
        """PyTorch has played: let the films see it, and keep it where somebody may ask."""
        seeds, retains, creates, asked = args[:4]
        tape, events = self._recorder.tape, self._recorder.events
        describe = self._recorder.describe
        if error is not None:
            targets, sources = [[describe(t) for t in each or ()] for each in (roots, asked)]
            events.failed = Failed(str(error), here(), tape, targets, sources)
            return
        events.failed = None
        if tape is None:
            return
        play = self._developed(tape, filming, roots, seeds, asked, found)
        if onlookers.get():
            show(play)
        self.last = play
        given = [s for s, g in zip(play.sources, play.returned) if g is not None]
        reached = frozenset(n for s in given for n in (s.id, s.tensor))
        if events.retained:
            reached |= events.retained & filming.numbers()
        contents = {s.id: s.tensor for s in given}
        added = {s.id: filming.added[s.object] for s in given if s.object in filming.added}
        events.plays.append(
            Played(
                *(tape, play.targets, reached, bool(asked), here(), new_id()),
                *(contents, added, bool(retains)),
            )
        )
        if found and not creates:
            self._given(tape, play, found)
        targets = tuple([t.id for t in play.targets])
        surprises = surprising(play.targets, play.returned, tape.pairs())
        if surprises:
            tape.filmed.append(play)
        if not retains:
            tape.used = True
            self._recorder.turn(tape, filming.parts)
            if not surprises:
                tape.release()
                tape.fine = targets, tuple(play.numbers)

    def _given(self, tape: TorchTape, play: TorchPlay, found: Sequence[Any]) -> None:
        """Note what a play has returned: nobody recorded how it was computed."""
        inputs = tuple(
            n for t in (*play.targets, *play.sources) for n in (t.id, getattr(t, "tensor", t.id))
        )
        known = [self._recorder.known(g) for g in found if g is not None]
        for each in known:
            each.where = here()
        about = {"op": "torch.autograd.grad", "inputs": inputs, "blocks": "torch-create-graph"}
        note = here(), {**about, "outputs": tuple(k.number for k in known)}
        self.given.append(note)  # for the tapes to come, where it may be used
        tape.note("unwatched", *note)

    def _developed(
        self,
        tape: TorchTape,
        filming: Filming,
        roots: Sequence[Tensor],
        seeds: Sequence[Any],
        asked: Sequence[Tensor],
        found: Any,
    ) -> TorchPlay:
        describe = self._recorder.describe
        sources: Sequence[Any] = asked or list(filming.leaves)
        targets: list[TensorInfo] = [describe(t) for t in roots]  # type: ignore[misc]
        play = TorchPlay(
            tape,
            [as_target(t) for t in targets],
            [describe(s) for s in sources],
            [None if s is None else wrap(array_of(s), -1, None, 0) for s in seeds],
        )
        play.seeds, play.filming = dict(play.adjoints), filming
        play.whole = not asked
        given = found if asked and found else [filming.leaves.get(s) for s in sources]
        play.returned = [None if g is None else array_of(g) for g in given]
        play.answers_as = [None] * len(play.returned)
        return play

    # ---- a gradient that is read, and is None

    def missing(self, tensor: Tensor) -> None:
        """`x.grad` is None, after a play: show the play once more, with this source."""
        found = list[TorchPlay]()
        self._missing(found, tensor)
        for play in found:
            self._look(play)

    @shielded
    def _missing(self, found: list[TorchPlay], tensor: Tensor) -> None:
        self.asked_none = ref(tensor)
        last = self.last
        info = self._recorder.describe(tensor)
        if last is None or info is None:
            return
        play = last.again(last.tape, [info])
        show(play)
        last.tape.filmed.append(play)
        none_found(last.tape, play, [None])  # type: ignore[arg-type]
        found.append(play)

    # ---- for a reader, once more

    def ask(
        self, tape: TorchTape, targets: Sequence[Number], sources: Sequence[Number]
    ) -> TorchPlay | None:
        """Let PyTorch play once more; None where the graph or a tensor is gone."""
        living = {}
        for known, tensor in self._recorder.tensors.living():
            living[known.number] = living[known.id] = tensor
        if not living.keys() >= {*targets, *sources}:
            return None
        asked = [living[n] for n in targets], [living[n] for n in sources]
        with self._unheard():
            wanted = [t for t in asked[1] if t.requires_grad]
            filming = Filming(self._recorder, asked[0])
            try:
                found: Any = torch.autograd.grad(
                    asked[0],
                    wanted,
                    [torch.ones_like(t) for t in asked[0]],
                    retain_graph=True,
                    allow_unused=True,
                )
            except RuntimeError:
                return None
            finally:
                filming.end()
            by_id = {id(t): g for t, g in zip(wanted, found)}
            found = [by_id.get(id(t)) for t in asked[1]]
            return self._developed(tape, filming, asked[0], [None] * len(targets), asked[1], found)

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """Play inside of the block unheard."""
        quiet, self.shield.quiet = self.shield.quiet, True
        try:
            with torch._C.DisableTorchFunction():
                yield
        finally:
            self.shield.quiet = quiet
