"""The steps of a play, for its readers: one per visited entry, with all parts that it sends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .base.aliases import Number, Play, Value


class Part(NamedTuple):
    """What one visited entry sends to one of its inputs.

    `input`: which input; `id`: its number; `value`: the adjoint times the local derivative;
    `total`: the sum of all parts that have reached this number so far.
    """

    input: int
    id: Number
    value: Value
    total: Value


class Step(NamedTuple):
    """One visited entry: its number `index` on the tape, the adjoints of its outputs, and the parts
    that its rules gave.
    """

    index: int  # type: ignore[assignment]  # tuples have a method of this name
    adjoints: tuple[Value, ...]
    parts: list[Part]


def steps_of(play: Play) -> Iterator[Step]:
    """Play, and gather the parts of each visited entry into one `Step`."""
    step = None
    try:
        for index, i, g, part in play.parts():
            if step is None or step.index != index:
                if step is not None:
                    yield step
                step = Step(index, g if isinstance(g, tuple) else (g,), [])
            if i is not None and part is not None:
                number = play.entries[index][1][i]
                step.parts.append(Part(i, number, part, play.adjoints[number]))
        if step is not None:
            yield step
    finally:
        play.release()
