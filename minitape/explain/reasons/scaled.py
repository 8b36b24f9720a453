"""Gradients with a wrong scale: a mean that is divided again, a penalty that is added twice.

The factor is reported only if tape and text prove it: the divisor is the number of elements that
the mean already divided by, or the two terms are the same penalty of the same variable and both are
added to the target.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.program.objects import elements, is_a
from minitape.program.syntax import last_name, names_used, short, text_of

from ..case.aliases import Case, Node, Ran
from ..case.definitions import definition, definitions
from ..case.graph import Break
from .outside import block_of

SIZE = re.compile(
    r"(?:^|_)(?:batch(?:_?size)?|n|m|num_?(?:samples|examples)|samples|examples)$", re.IGNORECASE
)


def reasons(case: Case, reach: set[Any]) -> Iterator[Break]:
    """Return the breaks for a factor that is there once too often; `reach`: the numbers of what is
    computed from the source.
    """
    yield from _added_twice(case)
    yield from _divided_twice(case, reach)


# ---- a mean divided once more


def _divided_twice(case: Case, reach: set[Any]) -> Iterator[Break]:
    if "Mean" not in case.evidence.ops:
        return
    # what a mean over everything made: `reduce_mean`, or a loss of Keras that takes one
    means: set[int] = set()
    for ran in case.evidence.ran:
        if (
            ran.op == "Mean"
            and ran.about.get("axis") is None
            or facts_of(ran.op).bends == "same"
            and ran.inputs[0] in means
        ):
            means.update(ran.outputs)
        if means.isdisjoint(ran.inputs) or ran.op not in ("Div", "Mul") or not ran.recorded:
            continue
        come = reach.intersection(ran.inputs)
        if len(come) != 1 or not come <= means:
            continue
        node = case.node(ran.where)
        divided, divisor = _quotient(node)
        count = _count(case, divisor) if divided is not None else 0
        if count > 1:
            inner = definition(case, divided)
            yield Break(
                "divided-twice",
                node,
                params={
                    "count": count,
                    "divisor": short(divisor),
                    "rest": text_of(divided),
                    "mean": short(inner if inner is not None else divided),
                },
            )


def _quotient(node: Node) -> tuple[Node, Node]:
    """Return what is divided and by what: `a / n`, `a /= n`, `1 / n * a`, `a * (1 / n)`; or None,
    None.
    """
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div):
        return (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if (
                isinstance(one, ast.BinOp)
                and isinstance(one.op, ast.Div)
                and isinstance(one.left, ast.Constant)
                and one.left.value == 1
            ):
                return other, one.right
    return None, None


def _count(case: Case, node: Node, depth: int = 8) -> int:
    """Return how many examples an expression counts, `len(x)`, `x.shape[0]`, `batch_size`, or 0
    where that is not certain.
    """
    if isinstance(node, ast.Call) and node.args:
        name = last_name(node.func)
        if name in ("float", "int", "cast", "constant"):
            return _count(case, node.args[0], depth - 1) if depth else 0
        return _length(case, node.args[0]) if name == "len" else 0
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == 0
    ):
        shape = node.value
        if isinstance(shape, ast.Attribute) and shape.attr == "shape":
            return _length(case, shape.value)
        if isinstance(shape, ast.Call) and last_name(shape.func) == "shape" and shape.args:
            return _length(case, shape.args[0])
    if isinstance(node, ast.Name):
        values = definitions(node.id, case.program)
        if depth and len(values) == 1 and not isinstance(values[0], ast.Constant):
            return _count(case, values[0], depth - 1)
    name = (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else ""
    )
    held: Any = case.held(node) if SIZE.search(name) else None
    return (
        int(held)
        if type(held) in (int, float) and math.isfinite(held) and int(held) in _lengths(case)
        else 0
    )


def _length(case: Case, node: Node) -> int:
    """Return the length of the data that an expression means, where they took part; a list of
    batches is no data.
    """
    held = case.held(node)
    info = case.tape.describe(held)
    value: Any = held if info is None else info.value
    listed = elements(value)
    if listed is not None and all(type(x) in (int, float) for x in listed):
        return len(listed)
    if not is_a(value, np.ndarray) or not value.ndim:
        return 0
    block = block_of(case)  # an array becomes a tensor on the way, and that is gone
    read = (
        is_a(held, np.ndarray)
        and block is not None
        and not names_used(node).isdisjoint(names_used(block))
    )
    return len(value) if read or len(value) in _lengths(case) else 0


def _lengths(case: Case) -> set[int]:
    """Return the lengths of the constants that took part and are still there."""
    leaves = case.evidence.leaves - set(case.evidence.variables())
    return {t.shape[0] for t in case.evidence.live(leaves).values() if t.shape}


# ---- a penalty added twice

PENALTIES = ("Sum", "Mean", "L2Loss")  # what a penalty ends with


def _added_twice(case: Case) -> Iterator[Break]:
    if case.evidence.ops.isdisjoint(PENALTIES):
        return
    terms: dict[Any, list[Ran]] = {}
    others, seen, todo = 0, set(), [t.id for t in case.targets]
    while todo:
        number = todo.pop()
        ran = case.evidence.maker.get(number)
        if ran is None:
            continue
        if ran.op in ("Add", "AddN", "Identity"):
            todo += ran.inputs
            continue
        penalty = _penalty(case, ran)
        others += penalty is None
        if penalty is not None and number not in seen:
            terms.setdefault(penalty, []).append(ran)
        seen.add(number)
    for (_, variable), members in terms.items():
        if len(members) < 2 or not others or variable != case.source.id:
            continue
        members.sort(key=lambda ran: ran.order)
        by_hand = [
            ran for ran in members if getattr(case.node(ran.where), "attr", "") != "losses"
        ] or members
        first, last = next(ran for ran in members if ran is not by_hand[-1]), by_hand[-1]
        again = {ran.where for ran in members} == {last.where}
        yield Break(
            "counted-twice",
            last.where,
            params={
                "count": len(members),
                "variant": "loop" if again else "",
                "other": case.text(first.where),
                "other_line": case.line(first.where),
            },
        )


def _penalty(case: Case, ran: Ran | None) -> tuple[str, int] | None:
    """Return ("l1" or "l2", number of the variable) for a penalty, whatever it is multiplied with;
    None for anything else.
    """
    maker = case.evidence.maker
    while (
        ran is not None
        and ran.op in ("Mul", "Div")
        and len(made := [n for n in ran.inputs if n in maker]) == 1
    ):
        ran = maker[made[0]]
    if ran is None or ran.op not in PENALTIES:
        return None
    inner = ran if ran.op == "L2Loss" else maker.get(ran.inputs[0])
    read = maker.get(inner.inputs[0]) if inner is not None else None
    if inner is None or read is None or read.op != "ReadVariableOp":
        return None
    power = getattr(getattr(case.node(inner.where), "right", None), "value", None)
    squares = inner.op in ("Square", "L2Loss") or inner.op == "Pow" and power == 2
    if squares or inner.op == "Mul" and len(set(inner.inputs)) == 1:
        return "l2", read.inputs[0]
    return ("l1", read.inputs[0]) if inner.op == "Abs" else None
