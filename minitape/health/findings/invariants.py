"""Findings that need no threshold: what must hold in every step of a training, and does not.

Every weight that can be trained moves; every gradient that is asked for exists; each weight follows
its own gradient, downhill; what is trained is the whole loss. Which number a program prints is not
seen: it leaves when the tape records no more, and a part of the loss, or another measure of the
error, may well be printed. But a sum that is made on the tape, behind the number whose gradient is
asked for, is the loss that was meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median, mode

import numpy as np

from minitape.engine.base.aliases import Where
from minitape.program.places import Span

from ..seen.history import WeightHistory
from ..steps.unmoved import pairs_of
from .course import Course
from .finding import LIKELY, MAYBE, SURE, Finding
from .learning import where_updated

TINY = 1e-5  # a gradient this small beside its weight may be swallowed by rounding


def together(weights: list[WeightHistory]) -> dict[str, object]:
    """Return what a sentence about several weights is filled with."""
    return {
        "names": ", ".join(w.name for w in weights[:6]) + (", ..." if len(weights) > 6 else ""),
        "count": len(weights),
    }


def layer_name(course: Course, weight: WeightHistory) -> str:
    """Return the layer of a weight, "" where none was seen."""
    return next((layer.name for layer in course.layers if weight.id in layer.variables), "")


def where_used(course: Course, weight: WeightHistory) -> Where | None:
    """Return where the layer of a weight computes, else where the loss does."""
    return next(
        (layer.where for layer in course.layers if weight.id in layer.variables),
        course.history.program.loss,
    )


def gradients(course: Course) -> Iterator[Finding]:
    """Weights that a gradient was asked for, and never got one, or none any more after the first
    steps; and those whose gradient was always exactly 0.
    """
    every = [w for w in course.history.weights.values() if not w.frozen]
    weights = [w for w in every if w.asked]
    none = [w for w in weights if w.lost is not None and 2 * w.none > w.asked]
    none = none or [w for w in every if course.history.whole and not w.asked]
    if none:
        number, explained = course.history.explained or (None, None)
        known = (
            explained is not None and any(w.id == number for w in none) and not explained.healthy
        )
        where = (
            explained.where
            if explained is not None and known and explained.where
            else where_used(course, none[0])
        )
        yield Finding(
            "none",
            SURE,
            layer_name(course, none[0]),
            none[0].lost or 0,
            where,
            together(none),
            explained=explained if known else None,
        )
    zero = [w for w in weights if w.zero == w.asked - w.none and not w.none and w.asked > 1]
    if zero:
        yield Finding(
            "zero",
            SURE,
            layer_name(course, zero[0]),
            0,
            where_used(course, zero[0]),
            together(zero),
        )


def known(course: Course) -> Iterator[Finding]:
    """Weights of which the library knows that they do not move as their gradients say."""
    if course.history.known is not None:
        number, step, why = course.history.known
        weight = course.history.weights.get(number)
        layer = "" if weight is None else layer_name(course, weight)
        yield Finding("known", SURE, layer, step, why.where, explained=why)


def moved(course: Course) -> Iterator[Finding]:
    """Weights that could be trained, and never moved."""
    if course.history.losses.steps < 2:
        return
    still = [
        w
        for w in course.history.weights.values()
        if not w.frozen and not w.moved and w.none < max(1, w.asked)
    ]
    forgotten = [w for w in still if not w.asked and not course.history.whole]
    unused = [w for w in still if w.asked and w.zero + w.none < 0.5 * w.asked and w.pull > TINY]
    if forgotten:
        yield Finding(
            "forgotten",
            SURE,
            layer_name(course, forgotten[0]),
            0,
            where_used(course, forgotten[0]),
            together(forgotten),
        )
    if unused:
        far = [
            w
            for w in course.history.weights.values()
            if w.moved and np.max(np.abs(w.content.value), initial=0.0) > TINY
        ]
        why = course.history.program.unmoved.get(unused[0].asker)
        # a bias of 0 is moved by any step, however small
        key = "not_applied" if far else "nothing_moves"
        where: Where | Span | None = course.history.program.loss
        params = together(unused)
        if why is not None and why.kind == "rate":
            return  # it has a finding of its own
        if why is not None:
            where, params = why.where, {**params, **why.params}
            if why.kind in ("copied", "renamed", "put_back"):
                key = why.kind
        yield Finding(key, SURE, layer_name(course, unused[0]), 0, where, params)


def direction(course: Course) -> Iterator[Finding]:
    """Weights that follow the gradient of another, or climb."""
    weights = list(course.history.weights.values())
    swapped = [
        (w, mode(w.follows))
        for w in weights
        if len(w.aligned) > 2
        and w.follows
        and w.follows.count(mode(w.follows)) > 0.6 * len(w.aligned)
    ]
    for weight, other in swapped[:1]:
        yield Finding(
            "swapped",
            SURE,
            layer_name(course, weight),
            0,
            where_updated(course),
            {
                "name": weight.name,
                "other": course.history.weights[other].name,
                "write": pairs_of(weight.asker),
            },
        )
    known = [w for w in weights if w.aligned]
    uphill = [w for w in known if w.aligned[0] > 0.3 and median(w.aligned) > 0.3]
    if len(uphill) > len(known) / 2 and not swapped and not course.learns:
        yield Finding(
            "uphill",
            SURE if len(uphill) == len(known) else LIKELY,
            layer_name(course, uphill[0]),
            0,
            where_updated(course),
            together(uphill),
        )


def left_out(course: Course) -> Iterator[Finding]:
    """More that the weights make is added to the loss, and the gradient is asked of what was there
    before.
    """
    behind = course.history.program.behind
    if len(behind) > 2 and all(behind) and not course.history.program.apart:
        yield Finding("left_out", LIKELY, "", 0, behind[0])


def frozen(course: Course) -> Iterator[Finding]:
    """A frozen layer that looks as if it had never been trained, in a net that does not do well."""
    if course.well:
        return
    result = []
    for layer in course.layers:
        weights = course.weights_of(layer)
        biases = [np.asarray(w.content.value) for w in weights if w.content.value.ndim == 1]
        if (
            layer.product
            and weights
            and biases
            and all(w.frozen for w in weights)
            and not any(b.any() for b in biases)
        ):
            result.append(layer)
    if result:
        yield Finding(
            "frozen",
            MAYBE,
            result[0].name,
            0,
            result[0].where,
            {"names": ", ".join(layer.name for layer in result), "count": len(result)},
        )
