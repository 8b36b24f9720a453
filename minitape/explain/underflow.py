"""Zeros and infinities that are none: numbers too small or too large for their dtype.

What gives 0 is computed once more with a wider range of exponents. If it is no zero there, the
number was too small; so where a factor is 0, the entry is looked for that made it so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of

from .case.graph import Break

if TYPE_CHECKING:
    from .case.aliases import Array, Step
    from .replay import Replay

HALF = ("float16",)  # bfloat16 has the range of float32


def underflow(replay: Replay, index: int, i: int) -> Break | None:
    """Return the break for a part that is 0 because a number was too small: in the rule of an entry
    for its input `i`, or where one of its factors was computed; or None.
    """
    part = _part(replay, index, i)
    result = None if part is None else _largest(part, replay.kept[index][0][i])
    if result is not None:
        forward = _forward(replay, index)
        return _zero_for(replay, index, "" if forward else "back", *(forward or result))
    todo, seen = [index], set()
    while todo:
        k = todo.pop()
        for number, value in zip(replay.entries[k].inputs, replay.kept[k][0]):
            maker = replay.maker.get(number)
            if maker is None or maker in seen or np.all(value):
                continue
            seen.add(maker)
            todo.append(maker)
            result = _forward(replay, maker)
            if result is not None:
                return _zero_for(replay, maker, "", *result)
    return None


def overflow(replay: Replay, step: Step) -> dict[str, str] | None:
    """Return the words for a part that is infinite because a number was too large, or None."""
    for part in step.parts:
        exact, value = _part(replay, step.index, part.input), np.asarray(part.value)
        if exact is None or value.dtype.kind != "f" or not np.isfinite(exact).all():
            continue
        if not np.isfinite(value).all():
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
    rule = rule_of(OPS[entry.op], i) if _computes(entry.op) and len(outputs) == 1 else None
    adjoint = replay.step_of[index].adjoints[0]
    if rule is None or adjoint is None:
        return None
    wide = [_wide(x) for x in values]
    y = _widely(entry.op, wide, entry.about)
    if entry.op == "Cast":
        return np.asarray(_wide(adjoint))
    try:
        part = rule(_wide(adjoint), _wide(outputs[0]) if y is None else y, *wide, **entry.about)
    except Exception:  # a rule that wants more than arrays: nobody knows
        return None
    return np.asarray(part)


def _forward(replay: Replay, index: int) -> tuple[float, str] | None:
    """Return how large the zeros among the outputs of an entry are exactly, and their dtype."""
    entry, (values, outputs) = replay.entries[index], replay.kept[index]
    if not _computes(entry.op) or len(outputs) != 1:
        return None
    y = _widely(entry.op, [_wide(x) for x in values], entry.about)
    return None if y is None else _largest(np.where(outputs[0] == 0, y, 0), outputs[0])


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
