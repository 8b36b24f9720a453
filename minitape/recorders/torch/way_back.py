"""PyTorch plays its graph backwards: each of its nodes is looked at on the way, and what it
computed is told to those who look on.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch import Tensor
from torch.autograd.function import _HookMixin

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import new_id, wrap
from minitape.engine.base.where import here
from minitape.engine.explainer import none_found
from minitape.engine.surprises import surprising

from ..filmed import Back, show
from ..shield import shielded
from .events import Failed, Played
from .tape import TorchPlay, TorchTape, as_target, inputs_of, outputs_of, placed
from .tensors import PLAYED, array_of, created, number_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number
    from minitape.engine.recording import TensorInfo

    from .tapes import Tapes
    from .tensors import Known

MOST_GIVEN = 8
next_node = torch._C._autograd._get_sequence_nr  # the number that the next one gets
LEAF = 2**64 - 1  # the number of all nodes that lead to a leaf
HOOKED = "BackwardHookFunctionBackward"  # a node that calls the hooks of a module


def node_of(tensor: Tensor) -> tuple[int, int] | None:
    """Return the number of the node that made a tensor, and which of its outputs it is."""
    node: Any = tensor.grad_fn
    return None if node is None else (number_of(node), tensor.output_nr)


def output_of(line: Any, node: Any, output: int) -> Number | None:
    """Return the number of an output of a node, which the operation of a line has made."""
    if line is None or type(line[0]) is int:
        return line and line[3]
    asked = number_of(node), output
    return next((n for n, each in zip(outputs_of(line), line[0]) if each == asked), None)


def beyond(node: Any, maker: Callable[[Any], Any]) -> list[tuple[Any, int]]:
    """Return (node, output) of all that the unknown nodes from this one on take in: what an
    operation made that is known, and leaves.
    """
    found, seen, todo = list[tuple[Any, int]](), {node}, [node]
    for each in todo:  # which grows
        for after, output in each.next_functions:
            if after is None:
                continue
            if hasattr(after, "variable") or maker(after) is not None:
                if (after, output) not in found:
                    found.append((after, output))
            elif after not in seen:
                seen.add(after)
                todo.append(after)
    return found


class Film:
    """What a node computes the one time that it is played: it is the node's hook.

    `line`: the entry that the node belongs to; `nr`: its number where it has made an output of that,
    else None; `leaving`: the numbers of what it sends its parts to, None for what lies inside of
    the same entry; `told`: those of which nothing is kept here; `beside`: all hooks of the node.
    """

    __slots__ = "line", "nr", "leaving", "parts", "adjoints", "told", "beside"

    beside: Any

    def __init__(self, line: Any, nr: int | None, leaving: list[Number | None], told: Any) -> None:
        self.line, self.nr, self.leaving, self.told = line, nr, leaving, told
        self.parts: Sequence[Any] | None = None

    def __call__(self, parts: Sequence[Any], adjoints: Sequence[Any]) -> None:
        if self.told:
            parts = [None if n in self.told else g for n, g in zip(self.leaving, parts)]
        self.parts, self.adjoints = parts, adjoints


class Leaf:
    """A leaf that a way back leads to, and the hook of its node: `gradient` is what arrives there;
    `added`: whether there was one other than 0 before.
    """

    __slots__ = "tensor", "known", "number", "gradient", "added", "beside"

    beside: Any

    def __init__(self, tensor: Tensor, known: Known) -> None:
        self.tensor, self.known, self.number = tensor, known, known.number
        self.gradient: Any = None
        self.added: Any = None

    def __call__(self, _: Any, adjoints: Sequence[Any]) -> None:
        self.gradient = adjoints[0]


class Filming:
    """What PyTorch computes on one way back: hooks on the nodes of the graph, until `end`.

    Nodes that nobody knows lie inside of an operation: they belong to the known one before them.
    """

    def __init__(self, recorder: Tapes, roots: Sequence[Tensor], adds: bool = False) -> None:
        self._recorder, self._hooks, self._adds = recorder, list[Film | Leaf](), adds
        self._films: list[Film] = []
        self.seen = set[Any]()  # the nodes, until the play is over
        self.leaves: dict[int, Leaf] = {}  # by the `id` of each
        # {number: leaf}, where its `.grad` will say what arrives: whoever held that would make
        # PyTorch copy it
        self._told: dict[Number | None, Leaf] = {}
        self._film(roots)
        recorder.fetch(film.line[3] for film in self._films)

    def _film(self, roots: Sequence[Tensor]) -> None:
        made_by, seen, todo = self._recorder.made_by(), self.seen, list[tuple[Any, Any, Any]]()
        told, films, hooks = self._told, self._films, self._hooks
        for node in [root.grad_fn for root in roots if root.grad_fn is not None]:
            nr = number_of(node)
            todo.append((node, nr, made_by.get(nr)))
        for node, nr, line in todo:  # which grows
            if node in seen:
                continue
            seen.add(node)
            leaving: list[Number | None] = []
            sends = nr is not None
            leads = False
            for after, output in node.next_functions:
                number = None
                if after is not None:
                    before = number_of(after) if created else after._sequence_nr()
                    found = made_by.get(before)
                    if found is not None:
                        todo.append((after, before, found))
                        if found is not line:
                            one = type(found[0]) is int
                            number = found[3] if one else output_of(found, after, output)
                            sends = True
                    elif before == LEAF and hasattr(after, "variable"):
                        number = self._leaf(after)
                        sends = leads = True
                    else:
                        todo.append((after, None, line))
                leaving.append(number)
            if sends and line is not None:
                film = Film(line, nr, leaving, told if leads else None)
                films.append(film)
                film.beside = node.register_hook(film)
                hooks.append(film)

    def _leaf(self, node: Any) -> Number:
        variable = node.variable
        leaf = self.leaves.get(id(variable))
        if leaf is None:
            known = self._recorder.leaf(variable)
            leaf = self.leaves[id(variable)] = Leaf(variable, known)
            gradient, hooks = variable.grad, variable._backward_hooks
            if gradient is not None:
                self._recorder.guard_all([gradient])
                with torch._C.DisableTorchFunction():
                    leaf.added = gradient.layout is torch.strided and gradient.any()
            elif self._adds and not hooks and not variable._post_accumulate_grad_hooks:
                self._told[leaf.number] = leaf
                return leaf.number
        elif self._told.pop(leaf.number, None) is None:
            return leaf.number
        leaf.beside = node.register_hook(leaf)
        self._hooks.append(leaf)
        return leaf.number

    def end(self) -> None:
        """Look no more."""
        for hook in self._hooks:
            if type(hook.beside) is OrderedDict:
                hook.beside.pop(hook, None)
            else:  # asked outside of all blocks
                hook.beside.remove()
        self._hooks.clear()
        for leaf in self._told.values():
            gradient = leaf.tensor.grad
            leaf.gradient = None if gradient is None else gradient.data
        if onlookers.get():  # they make arrays of it, and the next play adds there
            with torch._C.DisableTorchFunction():
                for leaf in self.leaves.values():
                    g = leaf.gradient
                    leaf.gradient = None if g is None else g.detach().clone()

    def told(self) -> list[Any]:
        """Return the gradients whose memory is that of `.grad`."""
        return [leaf.gradient for leaf in self._told.values()]

    def played(self) -> set[Any]:
        """Return the outputs of the entries that were played."""
        return {film.line[3] for film in self._films if film.parts is not None}

    @cached_property
    def adjoints(self) -> dict[Number, Any]:
        """{number: adjoint} of all values that got one."""
        found: dict[Number, Any] = {}
        for film in self._films:
            line = film.line
            if film.parts is None or film.nr is None:
                continue
            if type(line[0]) is int:
                found.update([(line[3], g) for g in film.adjoints if g is not None])
                continue
            for number, node in zip(outputs_of(line), line[0]):
                if node is not None and node[0] == film.nr:
                    if (g := film.adjoints[node[1]]) is not None:
                        found[number] = g
        return found

    @cached_property
    def parts(self) -> dict[Any, list[tuple[Number, Any]]]:
        """{outputs of an entry: (number, part) in order} of all entries that were played."""
        found: dict[Any, list[tuple[Number, Any]]] = {}
        told = {number: leaf.gradient for number, leaf in self._told.items()}
        for film in self._films:
            if film.parts is None:
                continue
            sent = found.setdefault(film.line[3], [])
            for number, part in zip(film.leaving, film.parts):
                if part is None:
                    part = told.get(number)
                if number is not None and part is not None:
                    sent.append((number, part))
        return found

    def stopped_at(self, number: Number) -> bool:
        """Tell whether a value's adjoint is 0, though parts came in: something in between did it."""
        adjoint = self.adjoints.get(number)
        parts = [part for sent in self.parts.values() for n, part in sent if n == number]
        return _any(parts) and not _any([adjoint])

    def stopped_inside(self) -> bool:
        """Tell whether something between two operations has let nothing through."""
        inside = [f for f in self._films if f.nr is None and f.parts is not None]
        return any(_any(film.adjoints) and not _any(film.parts or ()) for film in inside)

    def developed(self, tape: TorchTape) -> dict[int, Back]:
        """Return {index of an entry: how it was played}."""
        found = {}
        for index, line in enumerate(tape.entries.lines):
            key = line[3]
            if type(line[0]) is str or key not in self.parts:
                continue
            found[index] = Back(
                key,
                [self.adjoints.get(n) for n in outputs_of(line)],
                placed(inputs_of(line), self.parts[key]),
            )
        return found


def _any(tensors: Sequence[Any]) -> bool:
    with torch._C.DisableTorchFunction():
        return any(bool(t.any()) for t in tensors if t is not None)


class WayBack:
    """Films each play of PyTorch's in the thread that is watched."""

    def __init__(self, recorder: Tapes) -> None:
        self._recorder, self.shield = recorder, recorder.shield
        self.last: TorchPlay | None = None
        self.given = deque[tuple[Any, dict[str, Any]]](maxlen=MOST_GIVEN)  # what plays returned
        self.asked_none: Any = None  # weakly, of which the gradient was read last and was None

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        return [
            (torch.autograd, "_engine_run_backward", self._around),
            (_HookMixin, "_register_hook", self._registering),
        ]

    @staticmethod
    def _registering(old: Callable[..., Any]) -> Callable[..., Any]:
        """`node.register_hook` takes half of the time for those of `Filming`: it returns all hooks
        of the node, where each of them is known by itself.
        """

        def register(hooks: Any, hook: Any) -> tuple[Any, Any]:
            if type(hook) is not Film and type(hook) is not Leaf:
                return old(hooks, hook)
            hooks = OrderedDict() if hooks is None else hooks  # as PyTorch's own
            hooks[hook] = hook
            return hooks, hooks

        return register

    @staticmethod
    def gradient(tape: TorchTape, targets: Sequence[Any], sources: Sequence[Any]) -> list[Any]:
        """Return what a play has given: who looks at each gradient of a program stands in its
        place.
        """
        return [source.grad for source in sources]

    def _around(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def played(roots: Any, *args: Any, **named: Any) -> Any:
            begun: list[Any] = []
            if self.shield.down and self._recorder.ears.closed:
                self._recorder.ears.open()  # an optimizer was left by an error
            if self.shield.down and all(isinstance(root, Tensor) for root in roots):
                self._begin(begun, roots, not args[3])
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
                if error is None and self.shield.down and "gradient" in vars(self):
                    self._look(self.last)

        return played

    def _look(self, play: TorchPlay | None) -> None:
        """Let whoever looks at each gradient of a program see those of a play."""
        if play is not None:
            self.gradient(play.tape, list(play.targets), [s.object for s in play.sources])

    @shielded
    def _begin(self, begun: list[Any], roots: Sequence[Tensor], adds: bool) -> None:
        made = self._recorder.sites.of_call().within(self._recorder.sites.layers)
        for root in roots:
            self._recorder.read(root, made)
        begun.append(Filming(self._recorder, roots, adds))

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
        if creates:
            self._mark(filming, found or [leaf.tensor.grad for leaf in filming.leaves.values()])
        filming.seen.clear()
        if tape is None:
            return
        play = self._developed(tape, filming, roots, seeds, asked, found)
        if onlookers.get():
            show(play)
        self.last = play
        given = [s for s, g in zip(play.sources, play.returned) if g is not None]
        contents = {s.id: s.tensor for s in given}
        reached = frozenset((*contents, *contents.values()))
        if events.retained:
            reached |= events.retained & filming.adjoints.keys()
        nodes = [number_of(root.grad_fn) for root in roots if root.grad_fn is not None]
        added = {leaf.known.id: leaf.added for leaf in filming.leaves.values()}
        events.plays.append(
            Played(
                *(tape, play.targets, reached, bool(asked), here(), new_id()),
                *(contents, added, bool(retains), nodes),
            )
        )
        if found and not creates:
            self._given(tape, play, found)
        targets = tuple([t.id for t in play.targets])
        surprises = surprising(play.targets, play.returned, tape.pairs())
        if surprises:
            self._keep(play)
        if not retains:
            tape.used = True
            self._recorder.turn(tape, filming.played())
            if not surprises:
                tape.release()
                tape.fine = targets, tuple(play.numbers)

    def _mark(self, filming: Filming, gradients: Sequence[Any]) -> None:
        """Mark the nodes that a play has made on its way."""
        created[:] = [True]
        todo = [g.grad_fn for g in gradients if g is not None]
        for node in todo:  # which grows
            if node is not None and node not in filming.seen:
                filming.seen.add(node)
                if not hasattr(node, "variable"):
                    node.metadata[PLAYED] = -new_id()
                todo += [after for after, _ in node.next_functions]

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
        describe, leaves = self._recorder.describe, filming.leaves
        targets: list[TensorInfo] = [describe(t) for t in roots]  # type: ignore[misc]
        sources: list[TensorInfo]
        if asked:
            sources = [describe(s) for s in asked]  # type: ignore[misc]
        else:
            info = self._recorder.tensors.info
            sources = [info(leaf.tensor, leaf.known) for leaf in leaves.values()]
        play = TorchPlay(
            tape,
            [as_target(t) for t in targets],
            sources,
            [None if s is None else wrap(array_of(s), -1, None, 0) for s in seeds],
        )
        play.seeds, play.filming = dict(play.adjoints), filming
        play.whole = not asked
        if not found:
            reached = [leaves.get(id(s.object)) for s in sources]
            found = [None if leaf is None else leaf.gradient for leaf in reached]
        play.returned = [None if g is None else array_of(g) for g in found]
        play.answers_as = [None] * len(play.returned)
        return play

    def _keep(self, play: TorchPlay) -> None:
        """Keep a play for who asks its tape."""
        play.tape.filmed.append(play)
        if play.filming is not None:
            self._recorder.tensors.store(play.filming.told())

    def forget(self) -> None:
        """Forget the last play, if nothing is surprising there, and nobody looks."""
        last = self.last
        if last is not None and last not in last.tape.filmed:
            if not onlookers.get() and "gradient" not in vars(self):
                self.last = None

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
        self._keep(play)
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
                filming.seen.clear()
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
