"""Where the exercises are: one file per lesson in `lessons/`, found by its name."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from types import ModuleType

from .exercise import Exercise


def exercise(identity: str) -> Exercise:
    """Return the exercise of this id, as `"00.fan-out"`. Raises KeyError with the ids that exist."""
    for found in _all():
        if found.id == identity:
            return found
    raise KeyError(f"There is no exercise {identity!r}. There are: {', '.join(all_ids())}.")


def all_ids() -> list[str]:
    """Return the ids of all exercises, in the order of the lessons."""
    return [found.id for found in _all()]


def exercises_in(module: ModuleType) -> list[Exercise]:
    """Return the exercises that a module defines, in the order in which they stand there."""
    return [found for found in vars(module).values() if isinstance(found, Exercise)]


def by_lesson() -> list[tuple[str, list[Exercise]]]:
    """Return the exercises of each lesson that count, by the number that their ids begin with, as
    "03".
    """
    counting = (found for found in _all() if found.counts)
    return [
        (number, list(found))
        for number, found in groupby(counting, lambda found: found.id.partition(".")[0])
    ]


def lessons() -> list[ModuleType]:
    """Return the modules of the lessons, in their order."""
    shelf = import_module(".lessons", __package__)
    names = sorted(module.name for module in pkgutil.iter_modules(shelf.__path__))
    return [import_module(f"{shelf.__name__}.{name}") for name in names]


def _all() -> Iterator[Exercise]:
    for lesson in lessons():
        yield from exercises_in(lesson)
