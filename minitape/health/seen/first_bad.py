"""The first number that is not finite: which operation made it, of what, and on which line."""

from __future__ import annotations

from contextvars import Context
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array, RawEntry
from minitape.engine.ops.facts import facts_of
from minitape.engine.recording import recorded

from .anatomy import READ, place_of
from .look import array
from .sizes import finite


def kind_of(array: Array) -> str:
    """Returns "nan", "inf" or "-inf", what an array holds first of these."""
    numbers = np.asarray(array, np.float64)
    return "nan" if np.isnan(numbers).any() else "inf" if np.isposinf(numbers).any() else "-inf"


def reason(op: str, values: tuple[Any, ...]) -> str:
    """Returns why an operation of finite inputs gave a number that is not finite: one of the ways
    in which it `fails`, "domain" where that is all that is known of it, or "overflow".
    """
    facts = facts_of(op)
    ways = facts.fails.split()
    for why in ways:
        if why == "division" and not any(v.size and not np.all(v) for v in values):
            continue
        if why == "root" and len(ways) > 1 and not negative(values[:1]):
            continue
        return why
    return "domain" if facts.domain and not ways else "overflow"


def negative(values: tuple[Any, ...]) -> bool:
    """Returns whether there is a negative number in one of these arrays."""
    return any(v.size and v.dtype.kind == "f" and np.min(v) < 0 for v in values)


def forwards(entries: list[RawEntry], notes: Any = ()) -> dict[str, Any] | None:
    """Returns what is known of the first entry whose output is not finite, None where all are.

    `way`: "forward", or "weight" or "input" where it was not finite before the tape met it;
    `index`, `op`, `where`, `bad`, `why`, and of the first input the smallest and largest number;
    for a weight `number`. `notes`: the notes of the tape; an input that came out of an operation
    on nothing watched is traced back to it ("before").
    """
    for index, entry in enumerate(entries):
        op, inputs, _, _, _, _, values, y = entry
        outputs = y if type(y) is tuple else (y,)
        bad = next((v for v in outputs if not finite(v)), None)
        given = next((k for k, v in enumerate(values) if not finite(v)), None)
        if given is not None:
            way = "weight" if op == READ else "input"
            for kind, _, where, about in notes:
                if kind == "unwatched" and type(about) is tuple and about[2] == inputs[given]:
                    why = next(iter(facts_of(about[0]).fails.split()), "overflow")
                    return {
                        "way": "before",
                        "index": index,
                        "op": about[0],
                        "where": where,
                        "bad": kind_of(values[given]),
                        "why": why,
                    }
            return {
                "way": way,
                "index": index,
                "op": op,
                "where": place_of(entry),
                "bad": kind_of(values[given]),
                "number": inputs[given],
            }
        if bad is not None:
            return {
                "way": "forward",
                "index": index,
                "op": op,
                "where": place_of(entry),
                "bad": kind_of(bad),
                "why": reason(op, values),
                **extremes(values),
            }
    return None


def extremes(values: tuple[Any, ...]) -> dict[str, Any]:
    """Returns the smallest and largest number of the first input."""
    numbers = [np.asarray(v) for v in values if v.size and v.dtype.kind in "fiu"]
    return {"low": float(numbers[0].min()), "high": float(numbers[0].max())} if numbers else {}


def backwards(tape: Any, targets: Any, sources: Any) -> dict[str, Any] | None:
    """Returns the same of the first part that is not finite on the way back, from a play once more
    that nobody hears.
    """
    twin = recorded(tape).twin()

    def look() -> dict[str, Any] | None:
        play = twin.play(targets, sources)
        for index, place, adjoint, part in play.parts():
            coming = adjoint if type(adjoint) is tuple else (adjoint,)
            if (
                place is not None
                and all(finite(array(a)) for a in coming)
                and not finite(array(part))
            ):
                entry = play.entries[index]
                return {
                    "way": "backward",
                    "index": index,
                    "op": entry[0],
                    "where": place_of(entry),
                    "bad": kind_of(array(part)),
                    "why": reason(entry[0], entry[6]),
                    "number": entry[1][place],
                    **extremes(entry[6]),
                }
        return None

    return Context().run(look)
