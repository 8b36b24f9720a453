"""Numbers computed once more: in a wider dtype, or where no tape recorded them.

A zero or an infinity may be none: a number too small or too large for its dtype. What gives 0 is
computed with a wider range of exponents. If it is no zero there, the number was too small; so where
a factor is 0, the entry is looked for that made it so. What was not recorded is computed from the
text and from what is still alive.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of
from minitape.program.syntax import last_name, names_used, operands

from .case.aliases import Array, Case, Ran, Step
from .case.graph import Break
from .case.words import say
from .cures.writing import put
from .reasons.worth import computed, computes
from .replay import Replay, finite

SUMS = {"Prod": "Sum", "Cumprod": "Cumsum"}
HALF = ("float16",)  # bfloat16 has the range of float32


def underflow(replay: Replay, index: int, i: int) -> Break | None:
    """Return the break for a part that is 0 because a number was too small: in the rule of an entry
    for its input `i`, or where one of its factors was computed; or None.
    """
    part = _part(replay, index, i)
    result = None if part is None else _largest(part, replay.kept[index][0][i])
    if result is not None:
        return _forward(replay, index) or _zero_for(replay, index, "back", *result)
    if replay.entries[index].op in SUMS and (why := _forward(replay, index)) is not None:
        return why
    todo, seen = [index], set()
    while todo:
        k = todo.pop()
        for number, value in zip(replay.entries[k].inputs, replay.kept[k][0]):
            maker = replay.maker.get(number)
            if maker is None or maker in seen or np.all(value):
                continue
            seen.add(maker)
            todo.append(maker)
            why = _forward(replay, maker)
            if why is not None:
                return why
    return None


def overflow(replay: Replay, step: Step) -> dict[str, str] | None:
    """Return the words for a part that is infinite because a number was too large, or None."""
    for part in step.parts:
        exact, value = _part(replay, step.index, part.input), np.asarray(part.value)
        known = exact is not None and value.dtype.kind == "f" and bool(np.isfinite(exact).all())
        if exact is not None and known and not np.isfinite(value).all():
            largest, most = np.abs(exact).max(initial=0), np.finfo(value.dtype).max
            return {
                "dtype": value.dtype.name,
                "exact": _short(largest),
                "most": _short(most),
                "variant": "half" if value.dtype.name in HALF else "",
            }
    return None


def _part(replay: Replay, index: int, i: int) -> Array | None:
    """Return the part of an entry for an input as a wider dtype has it."""
    entry, (values, outputs) = replay.entries[index], replay.kept[index]
    far_out = facts_of(entry.op).bends == "saturated" and not facts_of(entry.op).mixes
    known = entry.op in OPS and (_computes(entry.op) or far_out) and len(outputs) == 1
    rule = rule_of(OPS[entry.op], i) if known else None
    adjoint = replay.step_of[index].adjoints[0]
    if rule is None or adjoint is None:
        return None
    wide = [_wide(x) for x in values]
    y = _widely(entry.op, wide, entry.about)
    if entry.op == "Cast":
        return np.asarray(_wide(adjoint))
    try:
        part = rule(_wide(adjoint), _wide(outputs[0]) if y is None else y, *wide, **entry.about)
        # flat in its own dtype: then that is the reason
        slope = rule(np.ones_like(adjoint), outputs[0], *values, **entry.about) if far_out else 1
    except Exception:  # a rule that wants more than arrays: nobody knows
        return None
    return np.where(slope == 0, 0, part)


def _forward(replay: Replay, index: int) -> Break | None:
    """Return the break for zeros among the outputs of an entry that are exactly none, or None."""
    entry, (values, outputs) = replay.entries[index], replay.kept[index]
    if not _computes(entry.op) or len(outputs) != 1:
        return None
    if entry.op in SUMS and np.all(values[0]) and not np.all(outputs[0]):
        # no dtype may have the range: their logarithms add up
        sizes = OPS[SUMS[entry.op]].kernel(np.log10(np.abs(_wide(values[0]))), **entry.about)
        power = np.max(sizes, where=outputs[0] == 0, initial=-np.inf)
        why = _zero_for(replay, index, "", 0.0, np.asarray(outputs[0]).dtype.name)
        return why._replace(
            params=why.params | {"exact": f"{10 ** (power % 1):.1f}e{power // 1:.0f}"}
        )
    y = _widely(entry.op, [_wide(x) for x in values], entry.about)
    exact = None if y is None else _largest(np.where(outputs[0] == 0, y, 0), outputs[0])
    return None if exact is None else _zero_for(replay, index, "", *exact)


def _computes(op: str) -> bool:
    """True for an operation that is computed here once more; what is flat far out is so in any
    dtype.
    """
    facts = facts_of(op)
    return op in OPS and facts.bends != "saturated" and not facts.compares


def _widely(op: str, wide: Sequence[Any], about: dict[str, Any]) -> Any:
    if op == "Cast":  # to a narrow dtype
        return wide[0]
    try:
        with np.errstate(all="ignore"):
            return np.asarray(OPS[op].kernel(*wide, **about))
    except Exception:  # a kernel that wants another dtype: nobody knows
        return None


def _wide(value: Any) -> Array:
    """Return an array with a wider range of exponents, where it holds real numbers."""
    value = np.asarray(value)
    if value.dtype.name not in (*HALF, "float32", "float64"):
        return value
    return value.astype(np.longdouble if value.dtype == np.float64 else np.float64)


def _largest(exact: Array, like: Any) -> tuple[float, str] | None:
    dtype = np.asarray(like).dtype
    if exact.dtype.kind != "f" or dtype.kind != "f":
        return None
    largest = np.abs(exact).max(initial=0)
    return (largest, dtype.name) if 0 < largest < np.finfo(dtype).smallest_normal else None


def _zero_for(replay: Replay, index: int, variant: str, exact: float, dtype: str) -> Break:
    entry, values = replay.entries[index], replay.kept[index][0]
    limits = np.finfo(dtype)
    # some processors take 0 for what is below the smallest number with all its digits
    least = min((limits.smallest_subnormal, limits.smallest_normal), key=lambda x: x < exact)
    params: dict[str, Any] = {
        "op": entry.op,
        "dtype": dtype,
        "exact": _short(exact),
        "least": _short(least),
        "variant": "half" if variant and dtype in HALF else variant,
    }
    if entry.op == "Prod":
        falls = np.abs(np.multiply.accumulate(_wide(values[0]).ravel())) < least
        params.update(variant="factors", count=int(falls.argmax()) + 1, factors=falls.size)
    elif not variant:
        turns = [
            k for k, e in enumerate(replay.entries) if e.op == entry.op and e.where == entry.where
        ]
        if len(turns) > 2:  # in a loop
            params.update(variant="again", count=turns.index(index) + 1, factors=len(turns))
    return Break("underflow", entry.where, params=params)


def _short(number: Any) -> str:
    return np.format_float_scientific(number, precision=1, unique=False)


# ---- what a tape did not record

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
        fine = {i: finite(t.value) for i, t in evidence.live([n, *ran.inputs]).items()}
        if fine.get(n):
            continue
        bad = [i for i in ran.inputs if not fine.get(i, True)]
        unknown = [i for i in ran.inputs if i not in fine and i in evidence.maker]
        if not bad and (unknown or fine.keys() >= {*ran.inputs} or risky(ran.op)):
            result.append((not unknown, risky(ran.op), -ran.order, ran))
        todo += bad + unknown
    if result:
        certain, _, _, ran = max(result, key=lambda each: each[:3])
        return Break(category, ran.where, certain or len(result) == 1, made_by(ran.op))
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
    untold = any(n not in known and names_used(n) - {alias} for n in given)
    if untold or not known or not all(computes(case, call, alias) for call in calls):
        return None
    names = {n: f"value_{k}" for k, n in enumerate(known)}
    space = {alias: library, **{name: library.constant(known[n]) for n, name in names.items()}}
    result = computed(put(node, names), space)
    return result if isinstance(result, np.ndarray) else None
