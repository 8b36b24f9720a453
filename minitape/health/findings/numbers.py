"""Findings about the numbers on the way: not finite, dead, flat, shrinking, growing, equal."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, inf
from statistics import median
from typing import Any

import numpy as np

from minitape.engine.ops.facts import facts_of

from ..seen.history import LayerHistory
from ..seen.sizes import finite
from .course import FEW_STEPS, Course
from .finding import LIKELY, MAYBE, SURE, Finding

DEAD, FLAT = 0.5, 0.5  # shares that are worth a word
# adjoints from the last layer to the first; values from the first to the last
SHRINKS, GROWS, SWELLS = 1e-3, 300.0, 1e3
EXAMPLES = 64  # at least so many in a row must leave a unit at 0
ODD = 1e3  # this many times what it was before, a size is odd


def not_finite(course: Course) -> Iterator[Finding]:
    """The first number that is not finite: its operation and line, and the layer and step where
    sizes began to go odd.
    """
    bad = course.bad
    if bad is None:
        return
    begins = odd(course)
    params = {name: bad.get(name) for name in ("bad", "low", "high", "step")} | {
        "op": bad["called"]
    }
    key = {"input": "input", "weight": "bad_weight"}.get(bad["way"], "nonfinite")
    if key == "nonfinite":
        params["why"], params["way"] = bad["why"], bad["way"]
        params["domain"] = facts_of(bad["op"]).domain
    if begins is not None:
        params["odd_layer"], params["odd_step"] = begins[0].name, begins[1]
    yield Finding(key, SURE, step=bad["step"], where=bad["where"], params=params)


def odd(course: Course) -> tuple[LayerHistory, int] | None:
    """Return the layer and the step whose size is the first far above all sizes before it."""
    for column in range(1, course.columns):
        for layer in course.layers:
            before = [n for n in layer.columns["value"][:column] if n]
            now = layer.columns["value"][column]
            if before and now is not None and now > ODD * min(before):
                return layer, course.history.steps[column]
    return None


def dead(course: Course) -> Iterator[Finding]:
    """Rectifiers whose units never fire any more. Pruned units are none, and a net that does well
    may spare some.

    Layers that are dead as a whole from the same step on are one finding: the first is named, the
    `others` behind it.
    """
    whole: dict[Any, Finding] = {}
    for layer in course.layers:
        if layer.fired is None or not course.columns:
            continue
        pruned = (
            layer.pruned
            if layer.pruned is not None and len(layer.pruned) == layer.units
            else np.zeros(layer.units, bool)
        )
        seen = course.history.looks - (len(course.history.steps) - course.columns)
        # looks; a small batch proves little
        window = max(4, seen // 3, ceil(EXAMPLES / (layer.examples or 1)))
        gone = (
            (layer.fired < seen - window) | (layer.fired == 0) & (seen * layer.examples >= EXAMPLES)
        ) & ~pruned
        count, total = int(gone.sum()), int((~pruned).sum())
        share = count / (total or 1)
        if share >= DEAD and (share > 0.95 or not course.well) and total > 1:
            shares = layer.columns["dead"][: course.columns]
            since = next(
                (
                    s
                    for s, n in zip(course.history.steps, shares)
                    if n is not None and n >= 0.9 * share
                ),
                None,
            )
            if count == total and since in whole:
                whole[since].params.setdefault("others", []).append(layer.name)
                continue
            finding = Finding(
                "dead",
                SURE if share > 0.95 else LIKELY,
                layer.name,
                since,
                layer.where,
                {"count": count, "total": total},
            )
            if count == total:
                whole[since] = finding
            yield finding


def saturated(course: Course) -> Iterator[Finding]:
    """Curves that are flat for most outputs, inside of the net: there almost nothing passes back."""
    others = [course.typical(layer, "update") or 0.0 for layer in course.layers]
    for layer in course.layers:
        share = course.typical(layer, "saturated", late=True)
        if share is None or share < FLAT:
            continue
        last = layer is course.layers[-1]
        mine = course.typical(layer, "update")
        slow = mine is not None and mine < 0.02 * max(others) and not last
        if last and (course.learns or share < 0.8) or not last and course.well and not slow:
            continue
        since = next(
            (
                s
                for s, n in zip(course.history.steps, layer.columns["saturated"])
                if n is not None and n >= FLAT
            ),
            None,
        )
        yield Finding(
            "saturated",
            LIKELY if slow or share > 0.8 else MAYBE,
            layer.name,
            since,
            layer.where,
            {"percent": round(100 * share)},
        )


def flow(course: Course) -> Iterator[Finding]:
    """Adjoints that shrink or grow from layer to layer, values that grow: layers beside layers, at
    most looks.
    """
    ratios, ends = [], None
    for column in range(min(course.columns + 1, len(course.history.steps))):
        adjoints = course.chain("adjoint", column)
        if len(adjoints) >= 3:
            ratios.append(adjoints[0][1] / adjoints[-1][1])
            ends = adjoints[0][0], adjoints[-1][0]
    typical, begin = (median(ratios), median(ratios[:3])) if ratios else (1.0, 1.0)
    # what grows only after a step was taken is the rate's work
    begin = begin if ratios and ratios[0] > GROWS / 10 else 1.0
    values = course.chain("value", 0) if course.history.steps else []
    grown = values[-1][1] / values[0][1] if len(values) >= 4 else 1.0
    fits = (
        course.constant is None
        or course.history.labels.kind != "numbers"
        or values
        and values[-1][1] > 100 * course.constant**0.5
    )
    if ends and begin > GROWS:
        yield Finding(
            "exploding",
            LIKELY if not course.well else MAYBE,
            ends[0].name,
            course.history.steps[0],
            ends[0].where,
            {"first": ends[0].name, "last": ends[1].name, "ratio": begin},
        )
    elif grown > SWELLS and fits and not course.well:
        first, last = values[0][0], values[-1][0]
        yield Finding(
            "swelling",
            LIKELY,
            last.name,
            course.history.steps[0],
            last.where,
            {"first": first.name, "last": last.name, "ratio": grown},
        )
    elif ends and typical < SHRINKS and not course.well:
        first, last = course.typical(ends[0], "update"), course.typical(ends[1], "update")
        if first is not None and last is not None and (first < 0.1 * last or not course.learns):
            yield Finding(
                "vanishing",
                LIKELY if first < 0.01 * last or typical < 1e-5 else MAYBE,
                ends[0].name,
                course.history.steps[0],
                ends[0].where,
                {"first": ends[0].name, "last": ends[1].name, "ratio": 1 / typical},
            )
    yield from through_time(course)


def through_time(course: Course) -> Iterator[Finding]:
    """The same inside of a recurrent layer: its first use beside its last."""
    for layer in course.layers:
        ratio = course.typical(layer, "through")
        if ratio is None and layer.columns["through"][:1] != [None]:
            ratio = layer.columns["through"][0] if layer.columns["through"] else None
        if ratio is None:
            continue
        params: dict[str, Any] = {"first": layer.name, "last": layer.name, "ratio": ratio}
        if ratio > GROWS and not course.well:
            yield Finding(
                "exploding.time", LIKELY, layer.name, course.history.steps[0], layer.where, params
            )
        elif ratio < SHRINKS**2 and not course.learns:
            params["ratio"] = 1 / ratio if ratio else inf
            yield Finding(
                "vanishing.time", MAYBE, layer.name, course.history.steps[0], layer.where, params
            )


def equal(course: Course) -> Iterator[Finding]:
    """Units of a hidden layer that are one unit many times: they began equal, and equal gradients
    keep them so.
    """
    if course.steps < FEW_STEPS:
        return
    for layer in course.layers[:-1]:
        weights = course.weights_of(layer)
        if not layer.product or not weights or any(w.frozen for w in weights):
            continue
        now = [np.asarray(w.content.value) for w in weights]
        now = now if all(map(finite, now)) else [np.asarray(w.start.value) for w in weights]
        kernels = [a for a in now if a.ndim > 1]
        rows = [a for a in now if a.ndim]
        if (
            kernels
            and rows[0].shape[-1] > 1
            and all(a.shape[-1] == rows[0].shape[-1] and same(a) for a in rows)
        ):
            yield Finding(
                "equal",
                SURE,
                layer.name,
                course.history.steps[0],
                layer.where,
                {"units": rows[0].shape[-1]},
            )


def same(a: Any) -> bool:
    """Return True where all entries along the last axis are one number, up to rounding."""
    return bool(np.ptp(a, axis=-1).max(initial=0) <= 1e-5 * (np.abs(a).max(initial=0)))
