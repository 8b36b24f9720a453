"""What each operation lets through: the rule of its row decides."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

from minitape.program.names import assigned_names
from minitape.program.syntax import alike, last_name, parent

from ..case.aliases import Case, Node, Ran
from ..case.definitions import definition
from ..case.graph import Break, Edge
from ..case.words import word
from .steps import chooses

WHOLE = ("ArgMax", "ArgMin", "Cast")  # what a place comes from


def edges(case: Case, entered: Collection[Any] | None = None) -> list[Edge]:
    """Return one edge per input and output of everything that ran while the tape recorded.

    With `entered`, the numbers that edges of others lead to, without those that no way can come to:
    from values that nobody made.
    """
    watched, source = case.tape.watched, case.source.id
    late = next((n for n in case.evidence.of("watch") if n.about["id"] == source), None)
    rules: dict[str, list[bool]] = {}
    result: list[Edge] = []
    maker = case.evidence.maker
    make: Any = tuple.__new__  # on long tapes `Edge(...)` would take most of the time
    for ran in case.evidence.ran:
        op, inputs, outputs, where, on_tape, _, about, *_ = ran
        lets = rules.get(op)
        if lets is None or len(lets) < len(inputs):
            lets = rules[op] = [
                "StopGradient" not in op
                and not chooses(op, i)
                and case.tape.rule(op, i) in ("open", "maybe")
                for i in range(len(inputs))
            ]
        for i, number in enumerate(inputs):
            if entered is not None and number not in maker and number not in entered:
                continue
            for output in outputs:
                why = (
                    None
                    if lets[i] and (output in watched if on_tape else "blocks" not in about)
                    else blocked(case, ran, i, output, watched)
                )
                if (
                    why is None
                    and not on_tape
                    and number == source
                    and late is not None
                    and ran.order < late.order
                ):
                    why = Break(
                        "watched-too-late",
                        late.where,
                        params={"used": case.text(ran.where), "used_line": case.line(ran.where)},
                    )
                result.append(make(Edge, (number, output, where, why, op)))
    return result + list(_placed(case))


def _placed(case: Case) -> Iterator[Edge]:
    """Return the edges from tensors that are a place, as in `rows[k]`: the operation notes the
    number alone, the text tells whose it is.
    """
    made: dict[Node, int] = {}
    places: dict[int, list[Node]] = {}
    if not case.source.dtype.is_differentiable and case.source_node is not None:
        made[definition(case, case.source_node)] = case.source.id
    for ran in () if case.evidence.ops.isdisjoint(WHOLE) and not made else case.evidence.ran:
        if ran.op in WHOLE:
            made[case.node(ran.where)] = ran.outputs[-1]
        elif ran.op == "StridedSlice" and made and ran.where is not None:
            at = id(ran.where)  # as in `Evidence.places`
            if at not in places:
                node = case.node(ran.where)
                given = node.slice if isinstance(node, ast.Subscript) else None
                each = given.elts if isinstance(given, ast.Tuple) else [given]
                places[at] = [
                    d
                    for n in each
                    if isinstance(n, (ast.Name, ast.Call))
                    and (d := definition(case, n)) is not None
                ]
            for node in places[at]:
                if node in made:
                    why = Break("used-as-index", ran.where)
                    yield Edge(made[node], ran.outputs[0], ran.where, why, ran.op)


def straight_through(case: Case, node: Node) -> tuple[Node, Node] | None:
    """Return what gets the gradient and what gives the value, where the text passes one straight
    through in the place of the other: `z` and `q` of `z + stop_gradient(q - z)`. Else None.
    """
    if not isinstance(node, ast.Call) or not node.args:
        return None
    value = node.args[0]
    names = [name for name in assigned_names(node) if name]
    reads = (n for n in case.program.each((ast.Name,), *names) if n.id in names) if names else ()
    for each in (node, *reads):
        sum_ = parent(each)
        if not isinstance(sum_, ast.BinOp) or not isinstance(sum_.op, ast.Add):
            continue
        other = sum_.left if sum_.right is each else sum_.right
        around = parent(sum_)  # z + stop_gradient(q) - stop_gradient(z), in either order
        parts: Any = other if isinstance(other, ast.BinOp) else around
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
            if alike(value.right, other):
                return other, value.left
        elif isinstance(parts, ast.BinOp) and isinstance(parts.op, ast.Sub):
            passed = parts.left if parts is other else other
            given = getattr(parts.right, "args", [])[:1]
            if last_name(parts.right) == last_name(node) and alike(given, [passed]):
                return passed, value
    return None


def blocked(case: Case, ran: Ran, i: int, output: int, watched: set[int]) -> Break | None:
    """Return why an operation lets nothing through from its input `i`, or None."""
    if ran.op == "ReadVariableOp":
        return None
    params: dict[str, Any] = {"op": ran.op}
    if "blocks" in ran.about:  # the library says so itself
        params |= {"variant": ran.about["variant"]} if "variant" in ran.about else {}
        return Break(ran.about["blocks"], ran.where, params=params)
    if ran.op.startswith("Assign") and i:  # in a traced function
        call = case.node(ran.where)
        variable = (
            call.func.value
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            else call
        )
        return Break(
            "state-assign",
            ran.where,
            params={
                "variable": case.text(variable),
                "value": case.label(ran.inputs[1]) or word("value"),
            },
        )
    if chooses(ran.op, i):
        return Break("used-as-index", ran.where, params=params)
    if "StopGradient" in ran.op:
        return Break("stop-gradient", ran.where, params=params)
    if ran.recorded and output not in watched:
        if ran.op == "Cast":
            to = getattr(ran.about.get("dtype"), "name", None) or str(
                ran.about.get("dtype", "an integer dtype")
            )
            return Break("integer-cast", ran.where, params={**params, "dtype": to})
        return Break("piecewise-constant", ran.where, params=params)
    how = case.tape.rule(ran.op, i)
    if how == "unregistered":
        return Break("no-gradient-registered", ran.where, params=params)
    return Break("piecewise-constant", ran.where, params=params) if how == "blocked" else None
