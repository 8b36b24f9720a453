"""The tensors and variables that a program's names reach, and how they are written there: `w`,
`model.w`, `ws[0]`, `d['k']`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from functools import partial
from itertools import islice
from types import FrameType, ModuleType, NoneType
from typing import Any

from minitape.engine.recording import describe

from .aliases import Reached, Scopes
from .objects import attributes, elements, is_a, is_built_in, items

LONGEST_LIST = 64  # elements of a learner's list, dictionary or object that are looked at
# most of what a large program has in scope
PLAIN = frozenset((NoneType, bool, int, float, complex, str, bytes))


def reachable(scopes: Scopes, depth: int = 2, private: bool = False) -> Reached:
    """Return `{number: (name, TensorInfo)}` for the tensors and variables that the names in some
    dictionaries reach.

    Names of earlier scopes win over those of later ones, and a shorter name over a longer one.
    Lists, tuples, dictionaries and the attributes of the learner's objects are looked into, `depth`
    levels with their own; names that begin with an underscore only with `private`.
    """
    reached: Reached = {}
    for names in scopes:
        for name, value in list(names.items()):
            if type(name) is str and (private or not name.startswith("_")):
                _collect(reached, name, value, depth, private, True)
    return reached


def visible_to(function: Any, arguments: Iterable[tuple[str, Any]] = ()) -> Reached:
    """Return what a function can reach, as `reachable` does: its `self`, its closure, the globals
    that it names, its arguments.

    `arguments`: (name, value) pairs.
    """
    inner, outer = {}, {}
    while isinstance(function, partial):
        function = function.func
    if not hasattr(function, "__code__") and hasattr(type(function).__call__, "__code__"):
        function = type(function).__call__.__get__(function)  # of an object that can be called
    if hasattr(function, "__self__"):
        inner["self"] = function.__self__
    code = getattr(function, "__code__", None)
    if code is not None:
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                inner[name] = cell.cell_contents
            except ValueError:  # a name that has no value yet
                pass
        outer = {
            name: function.__globals__[name]
            for name in code.co_names
            if name in function.__globals__
        }
    return reachable((inner, outer, dict(arguments)), depth=4, private=True)


def names_of(frame: FrameType) -> dict[str, Any]:
    """Return a copy of a frame's local names.

    Before Python 3.13, asking a running function for its names leaves a dictionary with the frame
    that would keep the learner's tensors and tapes alive until the function ends. It is emptied
    again, unless the learner holds it too.
    """
    names = frame.f_locals
    visible = dict(names)
    if (
        frame.f_code.co_flags & inspect.CO_OPTIMIZED
        and type(names) is dict
        and sys.getrefcount(names) == UNHELD
    ):
        names.clear()
    return visible


def _unheld() -> int | None:
    """Return the reference count, in `names_of`, of a dictionary that its frame alone holds; None
    where a count does not tell.
    """

    def count(frame: FrameType) -> int:
        names = frame.f_locals
        return sys.getrefcount(names)

    def alone() -> int:
        return count(sys._getframe())

    def held() -> int:
        kept = locals()  # noqa: F841
        return count(sys._getframe())

    return once if (once := alone()) < held() else None


UNHELD = _unheld()


def _collect(
    reached: Reached, name: str, value: Any, depth: int, private: bool, own: bool = False
) -> None:
    if type(value) in PLAIN:
        return
    info = describe(value)
    if info is not None:
        if info.id not in reached or own and len(name) < len(reached[info.id][0]):
            reached[info.id] = (name, info)
        return
    if not depth:
        return
    if (listed := elements(value, LONGEST_LIST)) is not None:
        for i, item in enumerate(listed):
            _collect(reached, f"{name}[{i}]", item, depth - 1, private)
    elif (pairs := items(value, LONGEST_LIST)) is not None:
        for key, item in pairs:
            if type(key) in (str, int, bool):
                _collect(reached, f"{name}[{key!r}]", item, depth - 1, private)
    elif not is_a(value, (type, ModuleType)) and not is_built_in(value):
        for key, item in list(islice(attributes(value).items(), LONGEST_LIST)):
            if type(key) is str and (private or not key.startswith("_")):
                _collect(reached, f"{name}.{key}", item, depth - 1, private)
