"""Findings about what becomes of a step: not taken, taken by another, of rate 0; and what may be
meant, which is only asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from minitape.engine.recording import describe
from minitape.program import Text

from ..steps.doubts import own_label
from ..steps.mended import meant
from .course import Course
from .finding import MAYBE, SURE, Finding
from .learning import rate_large

FIRST, THROWN = 4, 20.0  # losses, of which one is so many times the first


def no_rate(course: Course) -> Iterator[Finding]:
    """A learning rate that is 0, or has become so."""
    staying = {w.asker for w in course.history.weights.values() if w.stays}
    for where, why in course.history.program.unmoved.items():
        if why.kind == "rate" and where in staying:
            key = "rate_zero.whole" if why.params.get("whole") else "rate_zero"
            yield Finding(key, SURE, step=0, where=why.where, params=why.params)


def summed(course: Course) -> Iterator[Finding]:
    """A loss that is a sum over the examples, and steps that go too far: at once, or later."""
    if course.history.program.summed is None:
        return
    count, where, vector = course.history.program.summed
    first, *others = course.losses[:FIRST] or [0.0]
    thrown = course.diverged or max(others, default=0.0) > THROWN * abs(first)
    large = next(rate_large(course), None)
    if thrown or large is not None:
        node = Text().node_around(where)
        write = meant(node, vector) if node is not None else ""
        sure, step = (SURE, 1) if large is None else (SURE if thrown else large.sure, large.step)
        yield Finding("summed", sure, "", step, where, {"count": count, "write": write})


def left_alone(course: Course) -> Iterator[Finding]:
    """Variables that the loss uses, whose gradient nobody asks for, and that stay as they were."""
    history = course.history
    left = {
        number: name
        for number, (name, info) in history.program.left.items()
        if number not in history.weights
        and (now := describe(info.object)) is not None
        and now.value is info.value
    }
    if left:
        params = {"names": ", ".join([*left.values()][:6]), "count": len(left), "numbers": {*left}}
        yield Finding("left_alone", MAYBE, where=history.program.asked, params=params)


def doubts(course: Course) -> Iterator[Finding]:
    """What the text shows and the numbers do not speak against."""
    program = course.history.program
    label = own_label(course.history.labels.where or program.loss)
    for doubt in [*program.doubts, *([label] if label is not None else [])]:
        yield Finding(doubt.kind, MAYBE, where=doubt.where, params=doubt.params)
