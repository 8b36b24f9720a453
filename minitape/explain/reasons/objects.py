"""A gradient with respect to the wrong object: a copy, a new slice, a rebound name, an equal value.

Tensors that look the same are not the same. If the source was never used but a twin of it was, the
twin is what the learner meant: made by the same operation from the same inputs, written with the
same expression, called by the same name, or copied from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from minitape.program.names import all_names, assigned_names
from minitape.program.objects import has
from minitape.program.syntax import alike, call_name, names_used, text_of

from ..case.aliases import Case, Node, TensorInfo
from ..case.definitions import definition
from ..case.graph import Break, Edge

COPIES = {
    "identity",
    "Variable",
    "constant",
    "convert_to_tensor",
    "copy",
    "deepcopy",
    "value",
    "read_value",
    "cast",
    "stop_gradient",
    "loads",
}
WHOLE = "copy", "deepcopy", "loads", "asdict", "astuple"  # they copy what is inside as well


def edges(case: Case, guess: bool = False) -> Iterator[Edge]:
    """Return edges from the source to its twins. With `guess`, equal values count as well, but of
    none that was asked for itself.
    """
    number, node = case.source.id, case.node(case.source.where)
    unused = number not in case.evidence.used
    if not unused and number in case.tape.watched:
        return
    for twin, call in _copies_of(case, number) if unused else ():
        params = {"variant": "copied", "made": case.text(call), "twin": _named(case, twin, call)}
        why = Break("another-object", call, params=params)
        yield Edge(number, twin, call, why, "another object")
    twins: dict[int, str] = {}
    for twin, variant in _twins(case, node):
        twins.setdefault(twin, variant)
    if guess and unused:
        equal = set(_equal_value(case)) - set(case.evidence.asked)
        twins = {**dict.fromkeys(equal, "equal"), **twins}
    for twin, variant in twins.items():
        if twin != number:
            why = _why(case, node, twin, variant)
            yield Edge(number, twin, case.source.where, why, "another object")


def _twins(case: Case, node: Node) -> Iterator[tuple[int, str]]:
    """Yield (twin, how it came to be one): what is certain comes first."""
    number, source = case.source.id, case.source
    yield from ((twin, "again") for twin in _same_operation(case, number))
    yield from ((twin, "twice") for twin in _same_layer(case, number))
    if node is not None and number not in case.evidence.used:
        if not source.is_variable:
            same = chain(_same_text(case, node, number), _same_model(case, node))
            yield from ((twin, "again") for twin in same)
        yield from ((twin, "copy") for twin in _copied(case, node))
        yield from ((twin, "rebound") for twin in _same_name(case, node))


def _why(case: Case, node: Node, twin: int, variant: str) -> Break:
    variable, certain = case.evidence.variables().get(twin), variant != "equal"
    if variant == "rebound" and variable is not None and not case.source.is_variable:
        name = next(iter(assigned_names(node)), "") or case.source_name
        return Break("variable-replaced", case.source.where, params={"name": name})
    where = _where(case, twin)
    params = {
        "variant": variant,
        "made": case.text(node),
        "twin": _named(case, twin, node),
        "twin_line": case.line(where),
        "twin_at": where,
        "again": case.text(where),
    }
    return Break("another-object", case.source.where, certain, params)


def _where(case: Case, number: int) -> Any:
    ran = case.evidence.maker.get(number)
    if ran is not None:
        return ran.where
    variable = case.evidence.variables().get(number)
    if variable is not None:
        return variable.where
    live = case.evidence.live([number])
    if live:
        return live[number].where
    watch = next((n.where for n in case.evidence.of("watch") if n.about["id"] == number), None)
    call = case.node(watch)  # the tensor is gone: the text tells what its name stood for there
    made = definition(case, call.args[0]) if isinstance(call, ast.Call) and call.args else None
    return made if made is not None else watch


def _named(case: Case, number: int, node: Node) -> str:
    variable = case.evidence.variables().get(number)
    label = case.label_of(variable) if variable is not None else case.label(number)
    return label or case.text(_where(case, number))


def _same_operation(case: Case, number: int) -> Iterator[int]:
    ran = case.evidence.maker.get(number)
    if ran is not None:
        about = {k: str(v) for k, v in ran.about.items()}
        for other in case.evidence.ran:
            same = other is not ran and other.op == ran.op and other.inputs == ran.inputs
            if same and {k: str(v) for k, v in other.about.items()} == about:
                yield from other.outputs


def _in_use(case: Case) -> dict[int, TensorInfo]:
    """Return the variables that took part, and the watched tensors that did and still exist."""
    evidence = case.evidence
    watched = {n.about["id"] for n in evidence.of("watch")} & evidence.used
    known = {n: v for n, v in evidence.variables().items() if n in evidence.used}
    return {**known, **evidence.live(watched)}


def _same_layer(case: Case, number: int) -> Iterator[int]:
    """What the layer that made a tensor gave when it ran once more, inside of a model."""
    ran, calls = case.evidence.maker.get(number), case.tape.layers_of(number)
    last: dict[int, int] = {}
    if ran is not None and calls:
        for other in case.evidence.ran:
            turn, layer = (case.tape.layers_of(other.outputs[-1]) or calls)[-1]
            if other.op == ran.op and layer == calls[-1][1] and turn != calls[-1][0]:
                last[turn] = other.outputs[-1]
    yield from last.values()


def _same_text(case: Case, node: Node, number: int) -> Iterator[int]:
    last: dict[Any, int] = {}
    kinds = ast.Call, ast.Subscript, ast.BinOp, ast.Attribute, ast.UnaryOp
    for ran in case.evidence.ran if isinstance(node, kinds) else ():
        if ran.op != "ReadVariableOp" and number not in ran.outputs:
            other = case.node(ran.where)
            if other is not None and (other is node or alike(other, node)):
                last[ran.where] = ran.outputs[0]
    yield from last.values()


def _same_model(case: Case, node: Node) -> Iterator[int]:
    """What the same layer or model gave in the block, where it is called there with another name
    for its input.
    """
    if isinstance(node, ast.Call) and has(case.held(node.func), "trainable_variables"):
        last: dict[Any, int] = {}
        for ran in case.evidence.ran:
            other = case.node(ran.where)
            if isinstance(other, ast.Call) and alike(other.func, node.func):
                last[ran.where] = ran.outputs[0]
        yield from last.values()


def _copied(case: Case, node: Node) -> Iterator[int]:
    """What a copy was made of: the names in `tf.identity(w)`, `w[0]`, `w.value()`, where they take
    part on the tape.
    """
    evidence, copies = case.evidence, isinstance(node, ast.Subscript) or call_name(node) in COPIES
    outside = case.source.id not in evidence.maker and not case.source.is_variable
    if copies or outside and isinstance(node, (ast.BinOp, ast.Call)):
        numbers = case.objects_named(node)
        # self.points[:, 0]
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            whole = case.held(node.value)
            numbers += [n for n, (_, info) in evidence.names.items() if info.object is whole]
        taken = evidence.used.union(evidence.maker) - {case.source.id}
        yield from (number for number in numbers if number in taken)


def _copies_of(case: Case, number: int) -> Iterator[tuple[int, Node]]:
    """The variables of this tape that were copied from the source: `v = copy.deepcopy(w)`, each
    with the call that made it.
    """
    inside = {case.evidence.name(number).partition(".")[0]} - {""}  # params of params.w
    for twin, variable in case.evidence.variables().items():
        call = case.node(variable.where)
        copies = twin != number and twin in case.evidence.used and call_name(call) in WHOLE
        whole = copies and variable.shape == case.source.shape and inside & names_used(call)
        if whole or copies and number in case.objects_named(call):
            yield twin, call


def _same_name(case: Case, node: Node) -> Iterator[int]:
    names, used = all_names(node), case.evidence.used
    for number, info in _in_use(case).items() if names else ():
        other = case.node(info.where)
        if other is not None and other is not node and names & all_names(other):
            if case.same_scope(other, node):
                yield number
    for note in case.evidence.of("watch"):
        call = case.node(note.where)  # the tensor may be gone: its name is where it was watched
        given = [text_of(a) for a in call.args[:1]] if isinstance(call, ast.Call) else []
        if note.about["id"] in used and names.intersection(given):
            yield note.about["id"]


def _equal_value(case: Case) -> Iterator[int]:
    for number, info in _in_use(case).items():
        if np.array_equal(info.value, case.source.value):
            yield number
