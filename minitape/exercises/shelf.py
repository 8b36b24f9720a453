"""Where the exercises are: one file per lesson in `lessons/`, found by its name, and those of others.

`exercise("physics.ball")` is looked for in the lessons, then in a package that is installed here and
says so,

    [project.entry-points."minitape.exercises"]
    physics = "our_course.physics"

then in the file `exercises/physics.py` beside the notebook.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import cast

from .exercise import KEPT_BACK, Exercise, Face

GROUP = "minitape.exercises"  # of entry points, by which a package says that it has exercises
BESIDE = "exercises"  # the folder beside a notebook
_read: dict[
    Path, tuple[int, ModuleType]
] = {}  # files beside a notebook: when changed, and what is in


def exercise(identity: str) -> Exercise:
    """Return the exercise of this id, as `"00.fan-out"`: of the course, of an installed package, or
    of a file in the folder `exercises` beside the notebook; its `Face` where a class keeps solutions
    back (MINITAPE_SOLUTIONS=no).

    Raises KeyError with the ids that exist, and what the file raises where it cannot be read.
    """
    there = [*_all()]
    lesson = identity.partition(".")[0]
    if (others := _of_others(lesson)) is not None:
        there += exercises_in(others)
    for each in there:
        if each.id == identity:
            return cast(Exercise, Face(each)) if KEPT_BACK else each
    all_of_them = [each.id for each in there]
    near = [known for known in all_of_them if known.startswith(f"{lesson}.")]
    ids = ", ".join(near or all_of_them)
    elsewhere = (
        f" Nor does an installed package bring exercises called {lesson!r}, and there is no file "
        f"{BESIDE}/{lesson}.py beside this notebook."
        if others is None and lesson.isidentifier()
        else ""
    )
    raise KeyError(f"There is no exercise {identity!r}. There are: {ids}.{elsewhere}")


def all_ids() -> list[str]:
    """Return the ids of all exercises of the course, in the order of the lessons."""
    return [each.id for each in _all()]


def exercises_in(module: ModuleType) -> list[Exercise]:
    """Return the exercises that a module defines, in the order in which they stand there."""
    return [each for each in vars(module).values() if isinstance(each, Exercise)]


def by_lesson() -> list[tuple[str, list[Exercise]]]:
    """Return the exercises of each lesson that count, by the number that their ids begin with, as
    "03".
    """
    counting = (each for each in _all() if each.counts)
    return [
        (number, list(each))
        for number, each in groupby(counting, lambda each: each.id.partition(".")[0])
    ]


def lessons() -> list[ModuleType]:
    """Return the modules of the lessons, in their order."""
    shelf = import_module(".lessons", __package__)
    names = sorted(module.name for module in pkgutil.iter_modules(shelf.__path__))
    return [import_module(f"{shelf.__name__}.{name}") for name in names if "lesson" in name]


def module_of(file: str | Path) -> ModuleType:
    """Return the module of a file, or of a folder with an `__init__.py`. Raises FileNotFoundError
    where there is none.
    """
    path = Path(file).resolve()
    path = path / "__init__.py" if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {file}.")
    home, names = path.parent, [] if path.name == "__init__.py" else [path.stem]
    while (home / "__init__.py").exists():
        home, names = home.parent, [home.name, *names]
    if len(names) > 1:  # inside of a package: under its own name
        sys.path.insert(0, str(home))
        try:
            return import_module(".".join(names))
        finally:
            sys.path.remove(str(home))
    spec = spec_from_file_location(names[0], path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _of_others(lesson: str) -> ModuleType | None:
    """Return the module with the exercises of somebody else's lesson, None where there is none."""
    from importlib.metadata import entry_points  # here: it reads the folders of all packages

    if not lesson.isidentifier():  # no path, and none of the course's own
        return None
    for entry in entry_points(group=GROUP, name=lesson):
        return import_module(entry.module)
    file = Path(BESIDE, f"{lesson}.py").absolute()
    if not file.is_file():
        return None
    changed = file.stat().st_mtime_ns
    if file not in _read or _read[file][0] != changed:
        _read[file] = changed, module_of(file)
    return _read[file][1]


def _all() -> Iterator[Exercise]:
    for lesson in lessons():
        yield from exercises_in(lesson)
