"""PyTorch plays its graph backwards: each of its nodes is looked at on the way, and what it
computed is told to those who look on.
"""

from __future__ import annotations

import dis
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch import Tensor
from torch._C import DisableTorchFunction
from torch.autograd.function import _HookMixin

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import new_id, wrap
from minitape.engine.base.where import here, learners_frame
from minitape.engine.explainer import none_found
from minitape.engine.surprises import surprising

from ..filmed import show
from ..shield import shielded
from .events import Failed, Played
from .filming import Film, Filming, Hooks, Leaf
from .reasons import reason
from .tape import TorchPlay, TorchTape
from .tensors import PLAYED, array_of, created, dense, number_of

if TYPE_CHECKING:
    from types import FrameType

    from minitape.engine.base.aliases import Number

    from .script import Asked
    from .tapes import Tapes

MOST_GIVEN = 8


class WayBack:
    """Films each play of PyTorch's in the thread that is watched."""

    def __init__(self, recorder: Tapes) -> None:
        self._recorder, self.shield = recorder, recorder.shield
        self._last: Any = None  # the last play, or what makes it
        self.filming: Filming | None = None  # of the last play
        self._running = 0  # plays, one within the other: of a checkpoint, say
        # the first node of this block, and whether somebody else has hooked a node: an adjoint may
        # be another than the part that has come
        self.since, self.others = 0, False
        self.given = deque[tuple[Any, dict[str, Any]]](maxlen=MOST_GIVEN)  # what plays returned
        self.asked_none: Any = None  # weakly, of which the gradient was read last and was None
        self.early = False  # nothing had been played since that was made
        self.asked: Asked | None = None  # who looks at each gradient of a script

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        return [
            (torch.autograd, "_engine_run_backward", self._around),
            (_HookMixin, "_register_hook", self._registering),
        ]

    def _registering(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """`node.register_hook` takes half of the time for those of `Filming`: it returns all hooks
        of the node, where each of them is known by itself.
        """

        def register(hooks: Any, hook: Any) -> tuple[Any, Any]:
            if type(hook) is not Film and type(hook) is not Leaf:
                self.others = True
                return old(hooks, hook)
            hooks = Hooks() if hooks is None else hooks
            hooks[hook] = hook
            return hooks, hooks

        return register

    @property
    def last(self) -> Any:
        """The last play, made when somebody asks for it; None after `forget`."""
        if type(self._last) is partial:
            self._last = self._last()
        return self._last

    def _around(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def played(roots: Any, *args: Any, **named: Any) -> Any:
            begun: list[Any] = []
            if self.shield.down and self._recorder.ears.closed:
                self._recorder.ears.open()  # an optimizer was left by an error
            if self.shield.down and all(isinstance(root, Tensor) for root in roots):
                self._begin(begun, roots, *args[2:4])
            if not begun:
                return run(roots, *args, **named)
            (filming,) = begun
            result = error = None
            self._running += 1
            try:
                result = run(roots, *args, **named)
                return result
            except BaseException as raised:  # Ctrl-C, too
                error = raised
                raise
            finally:
                self._running -= 1
                filming.end()
                self._end(filming, roots, args, result, error)
                if error is None and self.shield.down and self.asked is not None:
                    play = self.last
                    if play is not None and play.sources:  # none: a leaf is played, alone
                        objects = [s.object for s in play.sources]
                        self.asked.gradient(play.tape, list(play.targets), objects)

        return played

    @shielded
    def _begin(self, begun: list[Any], roots: Sequence[Tensor], creates: bool, asked: Any) -> None:
        made = self._recorder.sites.of_call().within(self._recorder.sites.layers)
        for root in roots:
            self._recorder.read(root, made)
        begun.append(filming := Filming(self._recorder, roots, not asked))
        if not creates:
            filming.seen.clear()

    @shielded
    def _end(
        self, filming: Filming, roots: Any, args: Sequence[Any], result: Any, error: Any
    ) -> None:
        """PyTorch has played: let the films see it, and keep it where somebody may ask."""
        seeds, retains, creates, asked = args[:4]
        tape, events = self._recorder.tape, self._recorder.events
        describe: Callable[[Any], Any] = self._recorder.describe
        if error is not None:
            failed = [[describe(t) for t in each or ()] for each in (roots, asked)]
            events.failed = Failed(str(error), here(), tape, *failed)
            return
        events.failed = None
        if creates:
            self._mark(filming, result or [leaf.tensor.grad for leaf in filming.leaves.values()])
        filming.seen.clear()
        if tape is None:
            return
        leaves = filming.leaves
        sources = [describe(s) for s in asked]
        numbers = [(s.id, s.tensor) for s in sources]
        if asked:
            reached = [leaves.get(id(s.object)) for s in sources]
        else:
            reached = list(leaves.values())
            numbers = [(leaf.known.id, leaf.number) for leaf in reached]
        gradients = result or [None if leaf is None else leaf.gradient for leaf in reached]
        with DisableTorchFunction():
            targets = [self._recorder.target(t) for t in roots]
            returned = [None if g is None else dense(g) for g in gradients]
        at = new_id()
        self._last = partial(
            self._developed,
            *(tape, tape.entries, filming, targets, sources, seeds, returned, at),
        )
        self.filming = filming
        if onlookers.get():
            show(self.last)
        contents = dict([pair for pair, g in zip(numbers, returned) if g is not None])
        given = frozenset((*contents, *contents.values()))
        if events.retained:
            given |= events.retained & filming.adjoints.keys()
        nodes = [number_of(root.grad_fn) for root in roots if root.grad_fn is not None]
        added = {leaf.known.id: leaf.added for leaf in leaves.values()}
        events.plays.append(
            Played(
                *(tape, targets, given, bool(asked), here(), at),
                *(contents, added, bool(retains), nodes, self._running > 0),
            )
        )
        if result and not creates:
            self._given(tape, [(t.id, t.id) for t in targets] + numbers, result)
        surprises = surprising(targets, returned, tape.pairs())
        if surprises:
            self._keep(self.last)
        if not retains and not self._running:
            tape.used = True
            self._recorder.turn(tape, filming.played())
            if not surprises:
                tape.release()
                tape.fine = tuple([t.id for t in targets]), tuple([n for n, _ in numbers])

    def _mark(self, filming: Filming, gradients: Sequence[Any]) -> None:
        """Mark the nodes that a play has made on its way."""
        created[:] = [True]
        todo = [g.grad_fn for g in gradients if g is not None]
        for node in todo:  # which grows
            if node is not None and node not in filming.seen:
                filming.seen[node] = None
                if not hasattr(node, "variable"):
                    node.metadata[PLAYED] = -new_id()
                todo += [after for after, _ in node.next_functions]

    def _given(self, tape: TorchTape, of: Sequence[Any], gradients: Sequence[Any]) -> None:
        """Note what a play has returned: nobody recorded how it was computed."""
        inputs = tuple([n for pair in of for n in pair])
        known = [self._recorder.known(g) for g in gradients if g is not None]
        for each in known:
            each.where = here()
        about = {"op": "torch.autograd.grad", "inputs": inputs, "blocks": "torch-create-graph"}
        note = here(), {**about, "outputs": tuple(k.number for k in known)}
        self.given.append(note)  # for the tapes to come, where it may be used
        tape.note("unwatched", *note)

    def _developed(
        self,
        tape: TorchTape,
        entries: Any,
        filming: Filming,
        targets: list[Any],
        sources: list[Any],
        seeds: Sequence[Any],
        returned: Sequence[Any],
        at: Number,
    ) -> TorchPlay:
        if whole := not sources:
            info = self._recorder.tensors.info
            for leaf in filming.leaves.values():
                sources.append(source := info(leaf.tensor, leaf.known))
                source.tensor = leaf.number  # as it was then
        seeds = [None if s is None else wrap(array_of(s), -1, None, 0) for s in seeds]
        play = TorchPlay(tape, targets, sources, seeds)
        play.id, play.entries, play.seeds = at, entries, dict(play.adjoints)
        play.filming, play.whole = filming, whole
        play.returned, play.answers_as = returned, [None] * len(returned)
        return play

    def _keep(self, play: TorchPlay) -> None:
        """Keep a play for who asks its tape."""
        play.tape.filmed.append(play)
        if play.filming is not None:
            self._recorder.tensors.store(play.filming.told())

    def forget(self) -> None:
        """Forget the last play, if nothing is surprising there, and nobody looks."""
        last = self._last
        if type(last) is partial or last is not None and last not in last.tape.filmed:
            if not onlookers.get() and self.asked is None:
                self._last = self.filming = None

    # ---- a gradient that is read, and is None

    def missing(self, tensor: Tensor) -> None:
        """`x.grad` is None, after a play: show the play once more, with this source."""
        self._missing(tensor)
        if self.asked is not None:
            self.asked.missing(tensor)

    @shielded
    def _missing(self, tensor: Tensor) -> None:
        self.asked_none = ref(tensor)
        last, events = self.last, self._recorder.events
        info = self._recorder.describe(tensor)
        known = None if info is None else reason(events, info)
        self.early = not events.plays or known is not None and known.category == "torch-not-played"
        if last is None or info is None or self.early:
            return
        play = last.again(last.tape, [info])
        show(play)
        self._keep(play)
        if not reckons_with_none(learners_frame()):
            none_found(last.tape, play, [None])

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
        with self.unheard():
            wanted = [t for t in asked[1] if t.requires_grad]
            filming = Filming(self._recorder, asked[0])
            try:
                result: Any = torch.autograd.grad(
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
                filming.seen.clear()
            by_id = {id(t): g for t, g in zip(wanted, result)}
            returned = [None if (g := by_id.get(id(t))) is None else array_of(g) for t in asked[1]]
            ends = [self._recorder.target(t) for t in asked[0]]
            leaves = [self._recorder.describe(t) for t in asked[1]]
            return self._developed(
                *(tape, tape.entries, filming, ends, leaves),
                *([None] * len(targets), returned, new_id()),
            )

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Play inside of the block unheard."""
        quiet, self.shield.quiet = self.shield.quiet, True
        try:
            with DisableTorchFunction():
                yield
        finally:
            self.shield.quiet = quiet


def reckons_with_none(frame: FrameType) -> bool:
    """Tell whether a program compares with None what it reads."""
    after = [i for i in dis.get_instructions(frame.f_code) if i.offset > frame.f_lasti][:2]
    return (
        any("NONE" in i.opname for i in after[:1])
        or [i.argval for i in after[:1]] == [None]
        and after[-1].opname == "IS_OP"
    )
