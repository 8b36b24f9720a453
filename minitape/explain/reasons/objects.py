"""A gradient with respect to the wrong object: a copy, a new slice, a rebound name, an equal value.

Tensors that look the same are not the same. If the source was never used but a twin of it was, the
twin is what the learner meant: made by the same operation from the same inputs, written with the
same expression, called by the same name, or copied from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.names import all_names, assigned_names
from minitape.program.objects import has
from minitape.program.syntax import FUNCTIONS, above, alike, last_name, names_used, text_of

from ..case.calls import definition
from ..case.graph import Break, Edge

if TYPE_CHECKING:
    from ..case.aliases import Case, Node, TensorInfo

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
    evidence, source = case.evidence, case.source
    number = source.id
    if number in evidence.used and number in case.tape.watched:
        return
    node = case.node(source.where)
    result: dict[int, tuple[str, bool]] = {}
    for twin in _same_operation(case, number):
        result.setdefault(twin, ("again", True))
    for twin in _same_layer(case, number):
        result.setdefault(twin, ("twice", True))
    if node is not None:
        if number not in evidence.used:
            for twin in (
                [*_same_text(case, node, number), *_same_model(case, node)]
                if not source.is_variable
                else ()
            ):
                result.setdefault(twin, ("again", True))
            for twin in _copied(case, node):
                result.setdefault(twin, ("copy", True))
            for twin in _same_name(case, node, source):
                result.setdefault(twin, ("rebound", True))
    if number not in evidence.used:
        for twin, call in _copies_of(case, number):
            yield Edge(
                number,
                twin,
                call,
                Break(
                    "another-object",
                    call,
                    params={
                        "variant": "copied",
                        "made": case.text(call),
                        "twin": _named(case, twin, call),
                    },
                ),
                "another object",
            )
    if guess and number not in evidence.used:
        for twin in set(_equal_value(case, source)) - set(evidence.asked):
            result.setdefault(twin, ("equal", False))
    for twin, (variant, certain) in result.items():
        if twin != number:
            yield Edge(
                number,
                twin,
                source.where,
                _why(case, node, twin, variant, certain),
                "another object",
            )


def _why(case: Case, node: Node, twin: int, variant: str, certain: bool) -> Break:
    variable = case.evidence.variables().get(twin)
    params = {
        "variant": variant,
        "made": case.text(node),
        "twin": _named(case, twin, node),
        "twin_line": case.line(_where(case, twin)),
        "twin_at": _where(case, twin),
    }
    if variant == "twice":
        params.update(again=case.text(params["twin_at"]))
    if variant == "rebound" and variable is not None and not case.source.is_variable:
        names = assigned_names(node)
        return Break(
            "variable-replaced",
            case.source.where,
            certain,
            {"name": next(iter(names), "") or case.source_name},
        )
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
    if ran is None:
        return
    for other in case.evidence.ran:
        if (
            other is not ran
            and other.op == ran.op
            and other.inputs == ran.inputs
            and {k: str(v) for k, v in other.about.items()}
            == {k: str(v) for k, v in ran.about.items()}
        ):
            yield from other.outputs


def _same_layer(case: Case, number: int) -> Iterator[int]:
    """What the layer that made a tensor gave when it ran once more, inside of a model."""
    ran, calls = case.evidence.maker.get(number), case.tape.layers_of(number)
    last: dict[int, int] = {}
    for other in case.evidence.ran if ran is not None and calls else ():
        if ran is not None and calls and other.op == ran.op:
            others = case.tape.layers_of(other.outputs[-1]) or calls
            if others[-1][1] == calls[-1][1] and others[-1][0] != calls[-1][0]:
                last[others[-1][0]] = other.outputs[-1]
    yield from last.values()


def _same_text(case: Case, node: Node, number: int) -> Iterator[int]:
    last: dict[Any, int] = {}
    if not isinstance(node, (ast.Call, ast.Subscript, ast.BinOp, ast.Attribute, ast.UnaryOp)):
        return
    for ran in case.evidence.ran:
        if ran.op == "ReadVariableOp":
            continue
        other = case.node(ran.where)
        if (
            other is not None
            and number not in ran.outputs
            and (other is node or alike(other, node))
        ):
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
    call = node
    name = last_name(call.func) if isinstance(call, ast.Call) else ""
    outside = case.source.id not in case.evidence.maker and not case.source.is_variable
    if not (
        name in COPIES
        or isinstance(call, ast.Subscript)
        or outside
        and isinstance(call, (ast.BinOp, ast.Call))
    ):
        return
    used, numbers = set(case.evidence.used) | set(case.evidence.maker), case.objects_named(call)
    if isinstance(call, ast.Subscript) and isinstance(
        call.value, ast.Attribute
    ):  # self.points[:, 0]
        whole = case.held(call.value)
        numbers += [n for n, (_, info) in (case.evidence.names).items() if info.object is whole]
    for number in numbers:
        if number in used and number != case.source.id:
            yield number


def _copies_of(case: Case, number: int) -> Iterator[tuple[int, Node]]:
    """The variables of this tape that were copied from the source: `v = copy.deepcopy(w)`, each
    with the call that made it.
    """
    inside = {case.evidence.name(number).partition(".")[0]} - {""}  # params of params.w
    for twin, variable in case.evidence.variables().items():
        call = case.node(variable.where)
        if (
            twin != number
            and twin in case.evidence.used
            and isinstance(call, ast.Call)
            and last_name(call.func) in WHOLE
            and (
                number in case.objects_named(call)
                or variable.shape == case.source.shape
                and inside & names_used(call)
            )
        ):
            yield twin, call


def _same_name(case: Case, node: Node, source: TensorInfo) -> Iterator[int]:
    names = all_names(node)
    if not names:
        return
    for number, variable in case.evidence.variables().items():
        other = case.node(variable.where)
        if (
            number in case.evidence.used
            and other is not None
            and other is not node
            and names & all_names(other)
            and above(other, FUNCTIONS) is above(node, FUNCTIONS)
        ):
            yield number
    watched = [
        n.about["id"] for n in case.evidence.of("watch") if n.about["id"] in case.evidence.used
    ]
    for note in case.evidence.of("watch"):
        call = case.node(note.where)  # the tensor may be gone: its name is where it was watched
        if (
            note.about["id"] in watched
            and isinstance(call, ast.Call)
            and call.args
            and text_of(call.args[0]) in names
        ):
            yield note.about["id"]
    for number, tensor in case.evidence.live(watched).items() if watched else ():
        other = case.node(tensor.where)
        if (
            other is not None
            and other is not node
            and names & all_names(other)
            and above(other, FUNCTIONS) is above(node, FUNCTIONS)
        ):
            yield number


def _equal_value(case: Case, source: TensorInfo) -> Iterator[int]:
    value = source.value
    for number, variable in case.evidence.variables().items():
        if number in case.evidence.used and np.array_equal(variable.value, value):
            yield number
    watched = [
        n.about["id"] for n in case.evidence.of("watch") if n.about["id"] in case.evidence.used
    ]
    for number, tensor in case.evidence.live(watched).items() if watched else ():
        if not tensor.is_variable and np.array_equal(tensor.value, value):
            yield number
