"""Out of the library and back: NumPy, `.numpy()`, `float`, `int`, `math`, `tolist`, a NumPy buffer,
a formatted text.

The notes of the tape show where a value left and where values came in. The program's text shows
which came from which, by definitions and uses from the escape on. Only a way back that really ends
in this tape is an edge; a value that was only printed, logged, plotted or compared never comes back
and breaks nothing.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any

from minitape.program.syntax import (
    call_name,
    climbing,
    folded,
    parent,
    short,
    statement,
    text_of,
    worked_on,
)
from minitape.program.values import layer_of

from ..case.aliases import Case, Flow, Graph, Happened, Node, Ran, Where
from ..case.definitions import definitions
from ..case.graph import ESCAPE, FURTHER, Break, Edge
from .namesakes import PREDICTS, instead

Entrances = dict[tuple[Node, Node], list[tuple[int, int, Where, Any]]]

SHOWS = ("print", "display", "log", "logger", "logging", "plt", "warnings", "sys")
ARRAYS = ("numpy", "__array__")


def edges(case: Case, guess: bool = False, sloping: bool = False) -> Iterator[Edge]:
    """Return the edges from values that left to values that came in. With `guess`, time alone links
    them where there is no text.

    With `sloping`, without those of a mask or a rounded number: their slope is 0, and no gradient
    is missing without them.
    """
    if escapes := case.evidence.of("escape"):
        ways = _Ways(case, escapes, guess, sloping)
        for where in ways.left:
            yield from ways.edges(where)


class _Ways:
    """The ways from the places where values left to the places where values came in."""

    def __init__(self, case: Case, escapes: list[Happened], guess: bool, sloping: bool) -> None:
        self.case, self.guess, self.sloping = case, guess, sloping
        self.left: dict[Any, list[Happened]] = {}
        for escape in escapes:
            self.left.setdefault(escape.where, []).append(escape)
        self.nodes = {where: case.node(where) for where in self.left}
        self.flows = {
            where: case.flow(node, sloping=sloping)
            for where, node in self.nodes.items()
            if node is not None
        }
        self.enters, self.again = cache(self._enters), cache(self._again)
        self.newest = _newest(case)
        # in a loop one expression lets thousands of values in
        self.entered = entrances(case, escapes[0].order, self._wanted)

    def _enters(self, flow: Flow, entry: Node, operand: Node) -> bool:
        return flow.enters(entry) if operand is None else flow.reaches(operand)

    def _wanted(self, entry: Node, operand: Node) -> bool:
        """True for what lets in a value that left here, as the text tells it."""
        return self.guess or any(
            entry is self.nodes[where] or self.enters(flow, entry, operand)
            for where, flow in self.flows.items()
            if entry is not None
        )

    def _again(self, node: Node, entry: Node, operand: Node) -> bool:
        """True where what left comes in only through another escape."""
        others = (n for n in self.nodes.values() if n is not node and isinstance(n, ast.Call))
        walls = frozenset(others)
        return bool(walls) and not self.enters(
            self.case.flow(node, sloping=self.sloping, walls=walls), entry, operand
        )

    def edges(self, where: Where) -> Iterator[Edge]:
        """Return the edges from what left at one place."""
        node, flow = self.nodes[where], self.flows.get(where)
        linking = {
            (entry, operand)
            for entry, operand in self.entered
            if flow is not None and entry is not None and self.enters(flow, entry, operand)
        }
        those = [
            (*entrance, *key)
            for key, let_in in self.entered.items()
            if self.guess or key in linking or key[0] is node
            for entrance in let_in
        ]
        fresh_at = self._fresh(self.left[where])
        whys: dict[Any, Break] = {}  # a loop asks for the same thousands of times
        for order, _, at, number, entry, operand in sorted(those, key=itemgetter(0, 1)):
            through = at == where
            linked = through or (entry, operand) in linking
            guessed = self.guess and (flow is None or entry is None)
            if not (linked or guessed) or through and not isinstance(node, ast.Call):
                continue
            kind = FURTHER if linked and self.again(node, entry, operand) else ESCAPE
            for escape in fresh_at(order, at, number):
                key = escape.about["id"], escape.about["how"], entry, at, linked
                why = whys.get(key) or whys.setdefault(
                    key, _why(self.case, escape, node, entry, at, linked)
                )
                yield Edge(escape.about["id"], number, where, why, kind)
                if is_predict(node):  # how its answer comes from its argument, a tape may not see
                    for given in self.case.objects_named(node.args[0]):
                        yield Edge(given, number, where, why, FURTHER)

    def _fresh(self, escapes: list[Happened]) -> Callable[..., list[Happened]]:
        """Return a function from (order, place, number) of what came in to the escapes since the
        last time that something came in there, or to the last one of all.
        """
        left = [escape.order for escape in escapes]
        made = [self.newest(order) for order in left]  # the newest tensor when a value left
        last: dict[Where, int] = {}

        def fresh(order: int, at: Where, number: Any) -> list[Happened]:
            end = bisect_left(left, order)
            if not isinstance(number, tuple):
                end = min(end, bisect_left(made, number))
            result = escapes[bisect_right(left, last.get(at, 0)) : end] or escapes[:end][-1:]
            if result:
                last[at] = order
            return result

        return fresh


def is_predict(node: Node) -> bool:
    """True for `model.predict(x)`: its answer is an array, and on purpose."""
    method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return method and node.func.attr in PREDICTS and len(node.args) > 0


def suspects(case: Case, graph: Graph, goals: set[int]) -> list[Break]:
    """Return breaks for the values of the source that left and could have come back on a way that
    the text does not tell: at most two.
    """
    # what came in with a value of which the text tells
    known = {edge.target for edge in edges(case)}
    leading = graph.leading_to(goals)
    let_in = sorted(
        (
            (*e, entry)
            for (entry, operand), those in entrances(case).items()
            for e in those
            if e[3] not in known and e[3] in leading and not _written_down(case, operand or entry)
        ),
        key=itemgetter(0, 1),
    )
    result = {}
    for escape in case.evidence.of("escape"):
        later = [e for e in let_in if e[0] > escape.order]
        if (
            later
            and escape.where not in result
            and not _only_shown(case.node(escape.where))
            and graph.path(case.source.id, {escape.about["id"]})
        ):
            _, _, at, _, entry = later[0]
            result[escape.where] = _why(case, escape, case.node(escape.where), entry, at, False)
    return list(result.values())[:2]


def _written_down(case: Case, node: Node) -> bool:
    """True for what the text itself gives: numbers, and names that are given nothing but numbers.
    It came from nowhere else.
    """

    def parts(node: Node) -> list[Node]:
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            return worked_on(node)
        if isinstance(node, ast.Call):
            return [*node.args, *(k.value for k in node.keywords)]
        return (
            node.elts
            if isinstance(node, (ast.List, ast.Tuple))
            else [node.operand]
            if isinstance(node, ast.UnaryOp)
            else []
        )

    def whole(node: Node, given: list[bool]) -> bool:
        if isinstance(node, ast.Name):
            values = definitions(node.id, case.program)
            return bool(values) and all(isinstance(v, ast.Constant) for v in values)
        # the side that came in is the one that is no tensor
        if isinstance(node, (ast.BinOp, ast.AugAssign)):
            return any(given)
        if isinstance(node, (ast.List, ast.Tuple)):
            return all(given)
        return isinstance(node, ast.Constant) or bool(given) and all(given)

    return folded(node, parts, whole)


def _only_shown(node: Node) -> bool:
    """True where a value left only to be printed or logged."""
    calls = ((each, parent(each)) for each in climbing(node) if isinstance(each, ast.expr))
    given = (c for each, c in calls if isinstance(c, ast.Call) and each is not c.func)
    return any(text_of(call.func).split(".")[0] in SHOWS for call in given)


def operand_of(node: Node, place: int, count: int) -> Node:
    """Return the expression of input `place` of an operation with `count` inputs, where the text
    shows it for certain.
    """
    if isinstance(node, ast.BinOp):
        given = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        given = [node.target, node.value]
    else:
        given = node.args if isinstance(node, ast.Call) else []
        if call_name(node) in ("concat", "stack"):  # the first of them is a list of tensors
            given = getattr(given[0], "elts", []) if given else []
    plain = len(given) == count and not any(isinstance(a, ast.Starred) for a in given)
    return given[place] if plain else None


def _operand(case: Case, node: Node, place: int, count: int) -> Node:
    """Return `operand_of`, but None where a library may have turned both round: PyTorch has `k * x`
    as x.mul(k).
    """
    turned = case.dialect.fluent and isinstance(node, ast.BinOp)
    return None if turned else operand_of(node, place, count)


def entrances(
    case: Case, since: int = 0, wanted: Callable[[Node, Node], bool] | None = None
) -> Entrances:
    """Return `(order, place, where, number)` of everything that came in while the tape recorded, by
    the (node, operand) that let it in: noted returns, constants among the inputs of operations,
    variables that were made inside of the block and are read, or are the target; versions that a
    variable was assigned. What came in before `since` is left out, and constants that nothing
    `wanted` uses.
    """
    result: Entrances = {}
    evidence = case.evidence

    def add(order: int, where: Any, number: Any, operand: Node = None) -> None:
        result.setdefault((case.node(where), operand), []).append((order, 0, where, number))

    returned, variables = {n.about["id"]: n for n in evidence.of("return")}, evidence.variables()
    # what a layer makes, it fills itself
    made = {n: v for n, v in variables.items() if not layer_of(v)}
    let_in = _let_in(case, returned)
    for number, note in returned.items():
        add(note.order, note.where, number, let_in.get(number))
    came = evidence.used.difference(evidence.maker, returned, variables.keys() - made.keys())
    came -= evidence.made_elsewhere(came)
    if wanted is not None:
        came &= made.keys() | _inputs_of_wanted(case, wanted)
    plain = came - made.keys() - case.tape.leaves
    # in a loop the same again and again
    written: dict[tuple[int, int, int], list[tuple[int, int, Where, Any]]] = {}
    for ran, place, number in _first_uses(case, came):
        if ran.order < since:
            continue
        if number in made:
            add(ran.order, made[number].where, number)
        elif number in plain and ran.op != "ReadVariableOp":
            key = id(ran.where), place, len(ran.inputs)
            those = written.get(key)
            if those is None:
                node = case.node(ran.where)
                those = written[key] = result.setdefault(
                    (node, _operand(case, node, place, len(ran.inputs))), []
                )
            those.append((ran.order, place, ran.where, number))
    for note in evidence.of("assign"):
        # m.assign(np.mean(h)): no tensor went in
        if note.about["value"] is None and note.order >= since:
            add(note.order, note.where, ("version", note.about["variable"], note.about["version"]))
    for target in case.targets:  # a variable that nothing reads came in last: the loss itself
        unread = target.id not in returned and (
            target.id in evidence.maker or target.id not in evidence.used
        )
        if target.is_variable and unread and evidence.when(target.id) == "inside":
            add(evidence.last, target.where, target.id)
    return result


def _let_in(case: Case, returned: Mapping[int, Happened]) -> dict[int, Node]:
    """Return the expression of each tensor that an operation made of its own operand: the list in
    `t * [1.0, 2.0]`.
    """
    result: dict[int, Node] = {}
    for ran in case.evidence.ran if returned else ():
        for place, number in enumerate(ran.inputs):
            if number in returned and number not in result and returned[number].where is ran.where:
                result[number] = _operand(case, case.node(ran.where), place, len(ran.inputs))
    return result


def _inputs_of_wanted(case: Case, wanted: Callable[[Node, Node], bool]) -> set[int]:
    """Return the inputs of all operations at the places that have an operand that is `wanted`."""
    ran = case.evidence.ran
    places = {(id(r.where), len(r.inputs)): r.where for r in ran}  # far fewer than operations
    used = {
        at
        for (at, count), where in places.items()
        for node in [case.node(where)]
        if any(wanted(node, _operand(case, node, place, count)) for place in range(count))
    }
    return set(chain.from_iterable([r.inputs for r in ran if id(r.where) in used]))


def _first_uses(case: Case, numbers: Iterable[int]) -> Iterator[tuple[Ran, int, int]]:
    """Yield `(operation, place among its inputs, number)` where each number is first used."""
    left = set(numbers)
    for ran in case.evidence.ran:
        if left.isdisjoint(ran.inputs):
            continue
        for place, number in enumerate(ran.inputs):
            if number in left:
                left.remove(number)
                yield ran, place, number


def _newest(case: Case) -> Callable[..., Any]:
    """Return a function from a place in time to the largest tensor number made until then."""
    ran = case.evidence.ran
    orders, best = [0], [0]

    def newest(order: int) -> int:
        while len(best) <= len(ran) and ran[len(best) - 1].order <= order:  # as far as is asked
            orders.append(ran[len(best) - 1].order)
            best.append(max((best[-1], *ran[len(best) - 1].outputs)))
        return best[bisect_right(orders, order) - 1]

    return newest


def _why(case: Case, escape: Happened, node: Node, entry: Node, at: Where, linked: bool) -> Break:
    how = escape.about["how"]
    buffer = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    category = "numpy-escape" if how in ARRAYS or buffer else "python-escape"
    variant = "buffer" if buffer else {"pickle": "pickle", "format": "text"}.get(how, "")
    params = {
        "how": how,
        "name": case.label(escape.about["id"]),
        "variant": variant,
        "instead": instead(case, node),
        "left": case.text(escape.where),
        "back": short(entry) if entry is not None else case.text(at),
        "back_line": case.line(at),
        "back_at": at,
    }
    if buffer:
        params["left"] = short(statement(node))
        params["name"] = short(statement(node).value)
    return Break(category, escape.where, certain=linked, params=params)
