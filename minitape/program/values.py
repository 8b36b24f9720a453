"""How the program calls the values of a whole recording.

One expression may make several entries: `y = model(x)` multiplies, adds and squashes. They form a
run. The last of a run has the learner's name; the others have none. A run begins anew when its
first operation comes again, which is a loop; but not when it comes with the weights of another
layer, which is the next layer of the same call.

A value that has no name where it is made is called as it is used: `hs[0]` after `hs = [x * w, x +
w]`. A plain name of a parameter counts only where the value's own expression is too long to stand
for it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from .aliases import Node, Where
from .files import Text
from .names import expression_name, names_of, written
from .places import Span
from .syntax import is_play, operands

READ = "ReadVariableOp"
NOBODY = "_"  # what a program calls a value that it does not want


class Named:
    """What the text says of one entry.

    `names`: of its outputs, "" for one without a name; `inputs`: how its inputs are written;
    `node`: the expression that made it, or None; `last`: whether it is the last that this
    expression made; `played`: whether a play made it on its way back.
    """

    __slots__ = ("names", "inputs", "node", "last", "played")

    def __init__(
        self,
        names: list[str],
        inputs: list[str],
        node: Node | None = None,
        last: bool = True,
        played: bool = False,
    ) -> None:
        self.names, self.inputs, self.node, self.last, self.played = (
            names,
            inputs,
            node,
            last,
            played,
        )


def layer_of(variable: Any) -> str:
    """Return the path of the layer that a variable belongs to, "" for a variable that no layer
    made.
    """
    return getattr(variable, "path", "").rpartition("/")[0]


def short_paths(paths: Iterable[str]) -> dict[str, str]:
    """Return {path of a layer: its shortest ending that begins with a name and that no other has},
    as PyTorch writes it: `encoder.0`.
    """
    parts = {path: path.split("/") for path in paths}
    endings = Counter(tuple(names[k:]) for names in parts.values() for k in range(len(names)))
    result = {}
    for path, names in parts.items():
        k = len(names) - 1
        while k and (names[k].isdigit() or endings[tuple(names[k:])] > 1):
            k -= 1
        result[path] = ".".join(names[k:])
    return result


def name_values(
    entries: Sequence[tuple[Any, ...]], program: Text, layers: dict[int, str] | None = None
) -> list[Named]:
    """Return a `Named` for every entry, given as (op, inputs, outputs, where, path, ...) in order
    of time; `path` may be missing or None, see `Recording.path_of`.

    `layers`: {number of a tensor that was read from a layer's variable: path of the layer}. Entries
    with the same outputs, which several tapes have recorded, are one. Where `where` has more than
    two parts, or no text is to be had, nothing has a name.
    """
    known: dict[Any, Named] = {}
    texts: dict[int, Any] = {}
    written_inputs: dict[Any, Any] = {}
    unnamed: dict[Any, Any] = {}
    bound: dict[Any, Any] = {}
    run, layers, made = _Run(), layers or {}, set[int]()
    for op, inputs, outputs, where, *path in entries:
        made.update(outputs)
        if outputs in known:
            continue
        named = known[outputs] = Named([""] * len(outputs), [""] * len(inputs))
        if op == READ or where is None or len(where) != 2:
            continue
        place = id(where)  # to hash a code object is slow; the entries hold it
        if place not in texts:
            texts[place] = _text_at(where, program)
        span, node, names = texts[place]
        if span is None:
            continue
        if len(outputs) == 1 and len(kept := [name for name in names if name != NOBODY]) == 1:
            names = kept
        named.node, named.played = node, is_play(node)
        before = run.goes_on(
            named, span, (op, *path[:1]), next((layers[n] for n in inputs if n in layers), None)
        )
        if before is not None and len(names) == 1:  # the last of a run has its name
            before.names = [""] * len(before.names)
        if node is None:
            continue
        # only the first meets the arguments as written
        if not isinstance(node, ast.Call) or not run.number and not named.played:
            if (place, len(inputs)) not in written_inputs:
                written_inputs[place, len(inputs)] = [
                    expression_name(operand) for operand in operands(node, len(inputs))
                ]
            named.inputs = written_inputs[place, len(inputs)]
            if _turned_round(node, inputs, made):
                named.inputs = named.inputs[::-1]
            inside = path[:1] not in ([], [None])
            if inside or isinstance(node, ast.Call):
                named.inputs = _sorted_out(named.inputs, inputs, bound)
            if inside:  # a step inside of another call has no name
                named.inputs = [
                    name if number not in unnamed or unnamed[number][0].last else ""
                    for name, number in zip(named.inputs, inputs)
                ]
            _name_by_use(zip(inputs, named.inputs), unnamed)
        if not named.played:  # what a play computes on its way has no name; its answers have
            named.names = _shared_out(names, run.number, len(outputs))
        unnamed.update((number, (named, k)) for k, number in enumerate(outputs))
        bound.update(zip(named.names, outputs))
    return [known[outputs] for _, _, outputs, *_ in entries]


def _turned_round(node: Node, inputs: Sequence[int], made: set[int]) -> bool:
    """True where a library has the operands of `3 * x` the other way round: what stands in the place
    of the number was computed.
    """
    if not isinstance(node, ast.BinOp) or len(inputs) != 2:
        return False
    written = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
    computed = [number in made for number in inputs]
    return written == computed and sum(written) == 1


class _Run:
    """The entries that one expression makes, counted from 0."""

    span: Span | None
    first: Any
    latest: Named | None

    def __init__(self) -> None:
        self.number, self.span, self.first, self.latest = 0, None, None, None
        self.layers: set[str | None] = set()

    def goes_on(self, named: Named, span: Span, op: Any, layer: str | None) -> Named | None:
        """Take the next entry in; return the one before it of the same run, None where a new run
        begins.
        """
        before = None
        if span == self.span and (
            op != self.first or layer is not None and layer not in self.layers
        ):
            before = self.latest
            before.last = False  # type: ignore[union-attr]
            self.number += 1
        else:
            self.number, self.span, self.first, self.layers = 0, span, op, set()
        if named.played:
            self.number = 0
        self.layers.add(layer)
        self.latest = named
        return before


def _text_at(where: Where | None, program: Text) -> tuple[Span | None, Node, list[str]]:
    """Return (span, node or None, names of its values) of a position; the span None where Python
    does not know it.
    """
    span, node = program.locate(where) or (None, None)
    return span, node, names_of(node) if node is not None else []


def _shared_out(names: list[str], number: int, count: int) -> list[str]:
    """Return the names of the `count` outputs of the entry with this number in its run."""
    names = ["" if name == NOBODY else name for name in names]
    if len(names) > 1:  # an unpacking: the outputs, or the entries of the run, in order
        return [
            names[k] if k < len(names) else "" for k in (range(count) if count > 1 else [number])
        ]
    name = names[0] if names else ""
    return [name] if count == 1 else [name and f"{name}[{k}]" for k in range(count)]


def _sorted_out(names: list[str], inputs: Sequence[int], bound: dict[str, int]) -> list[str]:
    """Return the names of what an operation is given inside of a library, where `loss(labels,
    logits)` may compute with the logits first: a value that is known by its name keeps it, the
    others share the rest.
    """
    mine = [
        next((name for name in names if name and bound.get(name) == number), "")
        for number in inputs
    ]
    if not any(mine):
        return names
    rest = [name for name in names if name not in mine]
    return [name or (rest.pop(0) if rest else "") for name in mine]


def _name_by_use(uses: Iterable[tuple[int, str]], unnamed: dict[int, tuple[Named, int]]) -> None:
    for number, name in uses:
        named, k = unnamed.get(number, (None, 0))
        if (
            name
            and named is not None
            and not named.names[k]
            and (
                not name.isidentifier() or not named.last or named.played or not written(named.node)
            )
        ):
            named.names = [*named.names[:k], name, *named.names[k + 1 :]]
