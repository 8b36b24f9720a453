"""What a tape did not record, computed once more, from the text and from what is still alive."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.program.syntax import last_name, names_used, operands

from .case.graph import Break
from .case.words import say
from .cures.writing import put
from .reasons.worth import computed, computes
from .replay import finite
from .underflow import HALF

if TYPE_CHECKING:
    from .case.aliases import Array, Case, Ran

MAKERS = (
    "constant",
    "convert_to_tensor",
    "Variable",
    "fill",
    "identity",
    "array",
    "from_tensor_slices",
    "float",
    "next",
)
MOST = 60  # so many operations are computed once more


def risky(op: str) -> bool:
    """True for an operation that makes an infinity or a NaN of finite numbers."""
    facts = facts_of(op)
    return bool(facts.fails or facts.domain)


def failing(op: str) -> dict[str, str]:
    """Return the words for how an operation made an infinity or a NaN."""
    facts = facts_of(op)
    variant = (
        "log" if facts.fails == "log" else "domain" if facts.domain and not facts.fails else ""
    )
    return {"variant": variant, "domain": facts.domain}


def made_by(op: str) -> dict[str, str]:
    """Return the words for an operation whose numbers are gone: which element it was is not known."""
    return {"op": op, **failing(op), "element": "", "rest": " " + say("words", "spreads")}


def made_unrecorded(case: Case, number: int, kind: str) -> Break | None:
    """Return the break for a value that is not finite and that an operation made which the tape did
    not record, or None where it came so.

    The arrays of such operations are not kept. But what is still alive can be looked at: back from
    the value, operation by operation, as far as something may have been not finite before.
    """
    category = "nan-forward" if kind == "NaN" else "inf-forward"
    first = _first_not_finite(case, number)
    if first is not None:
        ran, dtype = first
        half = "Div" in ran.op and dtype in HALF
        words = {"variant": "half", "dtype": dtype} if half else {}
        return Break(category, ran.where, params={**made_by(ran.op), **words})
    evidence, result, todo, seen = case.evidence, [], [number], set()
    while todo:
        n = todo.pop()
        ran = evidence.maker.get(n)
        if n in seen or ran is None or ran.op == "ReadVariableOp":
            continue
        seen.add(n)
        living = evidence.live(ran.inputs)
        if n in evidence.live([n]) and finite(evidence.live([n])[n].value):
            continue
        bad = [i for i in ran.inputs if i in living and not finite(living[i].value)]
        unknown = [i for i in ran.inputs if i not in living and i in evidence.maker]
        if (
            not bad
            and any(i not in living and i not in evidence.maker for i in ran.inputs)
            and not unknown
            and not risky(ran.op)
        ):
            continue
        if not bad:
            result.append((not unknown, risky(ran.op), -ran.order, ran))
        todo += bad + unknown
    if result:
        certain, _, _, ran = max(result, key=lambda each: each[:3])
        return Break(
            category,
            ran.where,
            certain or len(result) == 1,
            made_by(ran.op),
        )
    tensor = evidence.live([number]).get(number) if number not in evidence.maker else None
    node = case.node(tensor.where) if tensor is not None else None
    computes = (
        isinstance(node, ast.BinOp)
        or isinstance(node, ast.Call)
        and last_name(node.func) not in MAKERS
    )
    if not computes or any(
        not finite(t.value)
        for n in case.objects_named(node)
        if n != number
        for t in evidence.live([n]).values()
    ):
        return None
    return Break(category, node, params={"variant": "outside"})


def _first_not_finite(case: Case, number: int) -> tuple[Ran, str] | None:
    """Return the operation that made a NaN or an infinity of finite numbers, on the way to a value
    that no tape recorded, and its dtype; None where the numbers are not to be had.
    """
    todo, ran, seen = [number], list[Any](), set()
    while todo and len(ran) < MOST:
        made = case.evidence.maker.get(todo.pop())
        if made is not None and made.order not in seen and made.op != "ReadVariableOp":
            seen.add(made.order)
            ran.append(made)
            todo += made.inputs
    worth = {
        n: info.value for n, info in case.evidence.live([n for r in ran for n in r.inputs]).items()
    }
    for each in sorted(ran, key=lambda made: made.order):
        result = _again(case, each, [worth.get(n) for n in each.inputs])
        if result is None:
            continue
        if not finite(result) and all(finite(worth[n]) for n in each.inputs if n in worth):
            return each, result.dtype.name
        worth[each.outputs[0]] = result
    return None


def _again(case: Case, ran: Ran, values: list[Any]) -> Array | None:
    """Return what an operation gives of some arrays, as its expression is written; or None. An
    input that is not known must stand there as a constant.
    """
    alias, library = case.evidence.library
    node: Any = case.node(ran.where)
    given = operands(node, len(values)) if library is not None and node is not None else []
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if given else []
    known = {n: value for n, value in zip(given, values) if value is not None}
    if any(n not in known and names_used(n) - {alias} for n in given):
        return None
    if not known or not all(computes(case, call, alias) for call in calls):
        return None
    names = {n: f"value_{k}" for k, n in enumerate(known)}
    space = {alias: library, **{name: library.constant(known[n]) for n, name in names.items()}}
    result = computed(put(node, names), space)
    return result if isinstance(result, np.ndarray) else None
