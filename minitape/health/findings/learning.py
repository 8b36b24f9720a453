"""Findings about learning: rates, inputs, labels. What no single tape shows, and the history does."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median, stdev

from minitape.engine.base.aliases import Where

from .course import FEW_STEPS, Course
from .finding import LIKELY, MAYBE, SURE, Finding

# updates beside weights: too large typically, at the beginning; and too small
LARGE, THROWN, SMALL = 0.1, 0.5, 1e-4
# steps after which one may expect to see something; to have learned something
ENOUGH, MANY = 30, 100
# how differently columns of the inputs may spread, how large inputs may be
UNEVEN, FAR = 100.0, 30.0


def where_updated(course: Course) -> Where | None:
    """Return where a weight was assigned last."""
    return next((w.where for w in course.history.weights.values() if w.where is not None), None)


def rate_large(course: Course) -> Iterator[Finding]:
    """Steps that go too far: the loss climbs or does not fall, while weights change by much and
    gradients turn around.
    """
    update, turn = course.update(), course.turn()
    if course.well or update is None or course.steps < FEW_STEPS:
        return
    early = [n for layer in course.layers for n in course.of(layer, "update")[:4]]
    thrown = max(early, default=0.0) > THROWN and broke(course)
    turned = turn is not None and turn > 0.2
    worse = course.skill < -0.1 if course.skill is not None else course.ratio > 0.95
    wild = (
        not course.learns
        and not born_sick(course)
        and (update > LARGE and worse or turn is not None and turn > 0.5 and update > 0.02)
    )
    if course.diverged and (update > 0.02 or turned) or wild or thrown:
        step = next(
            (
                s
                for s, losses in zip(range(1, len(course.losses)), course.losses[1:])
                if losses > 2 * abs(course.losses[0])
            ),
            None,
        )
        sure = (
            SURE if course.diverged and turned else LIKELY if course.diverged or turned else MAYBE
        )
        at = None if step is None else step * course.history.losses.each
        yield Finding(
            "rate_large",
            sure,
            step=at,
            where=where_updated(course),
            params={
                "update": max(update, max(early, default=0.0)) if thrown else update,
                "loss": course.ratio,
            },
        )


def born_sick(course: Course) -> bool:
    """Return True where a layer was dead or flat before anything had moved."""
    firsts = [
        course.of(layer, measure)[:1]
        for layer in course.layers
        for measure in ("dead", "saturated")
    ]
    return any(first and first[0] > 0.8 for first in firsts)


def broke(course: Course) -> bool:
    """Return True where units have died or flattened in the course that were alive at its
    beginning.
    """
    for layer in course.layers:
        for measure in ("dead", "saturated"):
            numbers = course.of(layer, measure)
            if len(numbers) > 2 and median(course.late(numbers)) - numbers[0] > 0.3:
                return True
    return False


def rate_small(course: Course) -> Iterator[Finding]:
    """Steps that are too short: after all of them the weights are nearly where they were, and the
    gradient still points the same way.
    """
    update, along = course.update(late=True), course.along()
    moved = [
        w for w in course.history.weights.values() if w.moved and w.content.value.size > 1
    ] or [w for w in course.history.weights.values() if w.moved]
    if (
        course.well
        or course.bad
        or not moved
        or update is None
        or along is None
        or course.steps < ENOUGH
    ):
        return
    drift = max(w.drift for w in moved)
    if course.ratio > 0.7 and (
        drift < 0.05
        and update < 2e-3
        and along > 0.9
        or drift < 0.01
        and update < SMALL
        and along > 0.2
    ):
        yield Finding(
            "rate_small",
            LIKELY if update < SMALL else MAYBE,
            where=where_updated(course),
            params={"steps": course.steps, "percent": 100 * drift, "update": update},
        )


def inputs(course: Course) -> Iterator[Finding]:
    """Inputs of very different or very large size: one rate cannot suit them all."""
    seen = course.history.data.inputs
    if not seen or course.well and (course.skill is None or course.skill > 0.9):
        return
    for key in dict.fromkeys(row["layer"] for row in seen):
        rows = [row for row in seen if row["layer"] == key and row["high"] > 0]
        if not rows:
            continue
        uneven, size = (
            median(row["high"] / row["low"] for row in rows),
            median(row["size"] for row in rows),
        )
        layer = course.history.layers[key]
        if uneven > UNEVEN and rows[0]["high"] > 3:
            yield Finding(
                "inputs",
                LIKELY,
                layer.name,
                0,
                rows[0]["where"],
                {"low": rows[0]["low"], "high": rows[0]["high"]},
            )
        elif size > FAR:
            yield Finding(
                "inputs.large",
                LIKELY,
                layer.name,
                0,
                rows[0]["where"],
                {"size": size, "high": rows[0]["most"]},
            )


def label_range(course: Course) -> Iterator[Finding]:
    """Labels that the loss cannot use."""
    labels = course.history.labels
    if labels.wrong is not None:
        yield Finding(
            "labels.range", SURE, step=0, where=labels.where, params={"label": labels.wrong}
        )


def labels(course: Course) -> Iterator[Finding]:
    """A net that moves, and ends where a constant prediction would: the inputs tell it nothing of
    the labels.
    """
    update, skills = course.update(), course.skills()
    if len(skills) < 4 or update is None or course.bad or course.diverged or course.steps < MANY:
        return
    half = len(skills) // 2
    (skill, error), (first, off) = (
        mean_and_error(skills[half:]),
        mean_and_error(skills[half // 2 : half]),
    )
    now, before = (
        median(course.losses[-half // 2 :]),
        median(course.losses[half : half + half // 2 + 1]),
    )
    if (
        now > 0.95 * before
        and -0.5 < skill < max(0.1, min(0.25, 2 * error))
        and first < max(0.1, min(0.3, 2 * off))
        and update > SMALL
    ):
        yield Finding(
            "labels",
            MAYBE,
            where=course.history.labels.where,
            params={"percent": max(0, round(100 * skill)), "steps": course.steps},
        )


def mean_and_error(numbers: list[float]) -> tuple[float, float]:
    """Return the mean of some numbers, and how far it may be off by chance."""
    return fmean(numbers), stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else 1.0


def same_output(course: Course) -> Iterator[Finding]:
    """Predictions that are the same for every example."""
    spreads = course.seen("spread")
    if (
        course.steps >= FEW_STEPS
        and course.layers
        and len(spreads) > 2
        and median(course.late(spreads)) < 1e-5
        and not course.learns
    ):
        yield Finding("same_output", LIKELY, course.layers[-1].name, where=course.layers[-1].where)
