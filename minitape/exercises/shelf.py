"""Where the exercises are: one module per lesson."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from .exercise import Exercise

LESSONS = ("lesson_00",)


def exercise(identity: str) -> Exercise:
    """Return the exercise of this id, as `"00.fan-out"`. Raises KeyError with the ids that exist."""
    for found in _all():
        if found.id == identity:
            return found
    raise KeyError(f"There is no exercise {identity!r}. There are: {', '.join(all_ids())}.")


def all_ids() -> list[str]:
    """Return the ids of all exercises, in the order of the lessons."""
    return [found.id for found in _all()]


def _all() -> Iterator[Exercise]:
    for lesson in LESSONS:
        for found in vars(import_module(f".{lesson}", __package__)).values():
            if isinstance(found, Exercise):
                yield found
