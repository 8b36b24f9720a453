"""What PyTorch computes on one way back: hooks on the nodes of its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minitape.engine.base.listeners import onlookers

from ..filmed import Back
from .tape import TorchTape, inputs_of, outputs_of, placed
from .tensors import any_of, created, number_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number

    from .tapes import Tapes
    from .tensors import Known

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
    result, seen, todo = list[tuple[Any, int]](), {node}, [node]
    for each in todo:  # which grows
        for after, output in each.next_functions:
            if after is None:
                continue
            if hasattr(after, "variable") or maker(after) is not None:
                if (after, output) not in result:
                    result.append((after, output))
            elif after not in seen:
                seen.add(after)
                todo.append(after)
    return result


class Hooks(dict[Any, Any]):
    """The hooks of a node, by themselves: half as large as the `OrderedDict` that PyTorch makes."""

    __slots__ = ("__weakref__",)  # as PyTorch needs it


class Film:
    """What a node computes the one time that it is played; it is the node's hook, where it needs
    one.

    `line`: the entry that the node belongs to; `nr`: its number where it has made an output of that,
    else None; `above`, `edge`: the film that it was met from, and by which of all edges; `alone`:
    its adjoint is what comes by that edge; `first`, `last`: its own edges are those in between;
    `leads`: the numbers that these lead to, where nothing is kept here of those that are `told`;
    `beside`: all hooks of the node, None where it needs none of ours.
    """

    __slots__ = (
        *("line", "nr", "above", "edge", "alone", "first", "last"),
        *("told", "leads", "parts", "adjoints", "beside"),
    )

    line: Any
    nr: int | None
    above: Any
    edge: int
    alone: bool
    first: int
    last: int
    told: Any
    leads: Sequence[Number | None]
    parts: Any
    adjoints: Sequence[Any]
    beside: Any

    def __call__(self, parts: Sequence[Any], adjoints: Sequence[Any]) -> None:
        if self.told:
            parts = [None if n in self.told else g for n, g in zip(self.leads, parts)]
        self.parts, self.adjoints = parts, adjoints

    def got(self) -> Sequence[Any]:
        """Return the adjoints of a node that was played."""
        above = self.above
        if self.beside is None:  # what was sent to it
            return () if above is None else (above.parts or ())[self.edge - above.first :][:1]
        return self.adjoints if self.parts is not None else ()


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
        self._recorder, self._adds = recorder, adds
        self._hooks: list[Film | Leaf] = []
        self._films: list[Film] = []
        # of each edge, the number of what it leads to, None inside of one entry; and its film: all
        # in two lists, since Python looks for garbage the more often, the more lists there are
        self._leaving: list[Number | None] = []
        self._below: list[Film | None] = []
        self.seen: dict[Any, Any] = {}  # {node: film}, as long as it is needed
        self.leaves: dict[int, Leaf] = {}  # by the `id` of each
        # {number: leaf}, where its `.grad` will say what arrives: whoever held that would make
        # PyTorch copy it
        self._told: dict[Number | None, Leaf] = {}
        self._film(roots)
        recorder.fetch(film.line[3] for film in self._films)

    def _film(self, roots: Sequence[Tensor]) -> None:
        made_by, seen, told = self._recorder.made_by(), self.seen, self._told
        leaving, belows, back = self._leaving, self._below, self._recorder.back
        since, hooked = back.since, {number for number, _ in self._recorder.events.hooks}
        nodes: list[Any] = []
        films: list[Film] = []
        for node in [root.grad_fn for root in roots if root.grad_fn is not None]:
            if node not in seen:
                nr = number_of(node)
                seen[node] = film = Film()
                film.line, film.nr, film.alone = made_by.get(nr), nr, False
                film.above = film.parts = film.told = film.beside = None
                nodes.append(node)
                films.append(film)
        for node, film in zip(nodes, films):  # which grow
            line, film.first = film.line, len(leaving)
            for after, output in node.next_functions:
                number = below = None
                if after is not None:
                    before = number_of(after) if created else after._sequence_nr()
                    result = made_by.get(before)
                    if result is None and before == LEAF and hasattr(after, "variable"):
                        number = self._leaf(after)
                        film.told = told
                    else:
                        alone = False
                        if result is not None and result is not line:
                            if type(result[0]) is int:
                                number = result[3]
                                alone = before >= since and number not in hooked
                            else:
                                number = output_of(result, after, output)
                        below = seen.get(after)
                        if below is not None:
                            below.alone = False
                        else:
                            seen[after] = below = Film()  # no `__init__`, which takes as long
                            below.line, below.nr = result or line, result and before
                            below.above, below.edge, below.alone = film, len(leaving), alone
                            below.parts = below.told = below.beside = None
                            nodes.append(after)
                            films.append(below)
                leaving.append(number)
                belows.append(below)
            film.last = len(leaving)
            if film.told is not None:
                film.leads = leaving[film.first :]
        self._hook(nodes, films, self._adds and not back.others)

    def _hook(self, nodes: Sequence[Any], films: Sequence[Film], spares: bool) -> None:
        """Hook the nodes that send something out of their entry; if it `spares`, not those of which
        the hooks of others, or `.grad`, say all.
        """
        told, leaving, belows, hooks = self._told, self._leaving, self._below, self._hooks
        for node, film in zip(nodes, films):
            if film.line is None or film.nr is None and not any(leaving[film.first : film.last]):
                continue
            self._films.append(film)
            if spares and (film.nr is None or film.alone and film.above.beside is not None):
                for edge in range(film.first, film.last):
                    number = leaving[edge]
                    if number is not None and number not in told:
                        below = belows[edge]
                        if below is None or not below.alone:
                            break
                else:
                    continue
            film.beside = node.register_hook(film)
            hooks.append(film)

    def _leaf(self, node: Any) -> Number:
        variable = node.variable
        leaf = self.leaves.get(id(variable))
        if leaf is None:
            recorder = self._recorder
            known, tape = recorder.tensors.get(variable), recorder.tape
            if known is None or tape is None or known.number not in tape.heard:
                known = recorder.leaf(variable)
            leaf = self.leaves[id(variable)] = Leaf(variable, known)
            gradient, hooks = variable.grad, variable._backward_hooks
            if gradient is not None:
                self._recorder.guard_all([gradient])
                with torch._C.DisableTorchFunction():
                    if gradient.layout is torch.strided and not gradient.is_meta:
                        leaf.added = gradient.any()
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
            if isinstance(hook.beside, dict):
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
        return {f.line[3] for f in self._films if f.beside is None or f.parts is not None}

    @cached_property
    def adjoints(self) -> dict[Number, Any]:
        """{number: adjoint} of all values that got one."""
        result: dict[Number, Any] = {}
        for film in self._films:
            line, adjoints = film.line, film.got() if film.nr is not None else ()
            if not adjoints:
                continue
            if type(line[0]) is int:
                result.update([(line[3], g) for g in adjoints if g is not None])
                continue
            for number, node in zip(outputs_of(line), line[0]):
                if node is not None and node[0] == film.nr:
                    if (g := adjoints[node[1]]) is not None:
                        result[number] = g
        return result

    @cached_property
    def parts(self) -> dict[Any, list[tuple[Number, Any]]]:
        """{outputs of an entry: (number, part) in order} of all entries that were played."""
        result: dict[Any, list[tuple[Number, Any]]] = {}
        told = {number: leaf.gradient for number, leaf in self._told.items()}
        for film in self._films:
            parts, edges = film.parts, slice(film.first, film.last)
            if film.beside is None:  # what it has sent is the adjoint of what is hooked below
                parts = [b and next(iter(b.got()), None) for b in self._below[edges]]
            elif parts is None:
                continue
            sent = result.setdefault(film.line[3], [])
            for number, part in zip(self._leaving[edges], parts):
                if part is None:
                    part = told.get(number)
                if number is not None and part is not None:
                    sent.append((number, part))
        return result

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
        result = {}
        for index, line in enumerate(tape.entries.lines):
            key = line[3]
            if type(line[0]) is str or key not in self.parts:
                continue
            result[index] = Back(
                key,
                [self.adjoints.get(n) for n in outputs_of(line)],
                placed(inputs_of(line), self.parts[key]),
            )
        return result


def _any(tensors: Sequence[Any]) -> bool:
    return any(any_of(t) for t in tensors if t is not None)
