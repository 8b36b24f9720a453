"""The tensors and variables that a program's names reach, and how they are written there: `w`, `model.w`, `ws[0]`, `d['k']`."""

import inspect
import sys
from functools import partial

from minitape.engine.ground.tensor import Tensor
from minitape.engine.variable import Variable

LONGEST_LIST = 64      # elements of a learner's list, dictionary or object that are looked at


def reachable(scopes, depth=2, private=False):
    """Return `{number: (name, object)}` for the tensors and variables that the names in some dictionaries reach.

    Names of earlier scopes win over those of later ones, and a shorter name over a longer one. Lists, tuples, dictionaries and the
    attributes of the learner's objects are looked into, `depth` levels with their own; names that begin with an underscore only
    with `private`.
    """
    found = {}
    for names in scopes:
        for name, value in list(names.items()):
            if private or not name.startswith("_"):
                _collect(found, name, value, depth, private, True)
    return found


def visible_to(function, arguments=()):
    """Return what a function can reach, as `reachable` does: its `self`, its closure, the globals that it names, its arguments.

    `arguments`: (name, value) pairs.
    """
    inner, outer = {}, {}
    while isinstance(function, partial):
        function = function.func
    if not hasattr(function, "__code__") and hasattr(type(function).__call__, "__code__"):
        function = function.__call__            # of an object that can be called
    if hasattr(function, "__self__"):
        inner["self"] = function.__self__
    code = getattr(function, "__code__", None)
    if code is not None:
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                inner[name] = cell.cell_contents
            except ValueError:                # a name that has no value yet
                pass
        outer = {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
    return reachable((inner, outer, dict(arguments)), depth=4, private=True)


def names_of(frame):
    """Return a copy of a frame's local names.

    Before Python 3.13, asking a running function for its names leaves a dictionary with the frame that would keep the learner's
    tensors and tapes alive until the function ends. It is emptied again, unless the learner holds it too.
    """
    names = frame.f_locals
    found = dict(names)
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED and type(names) is dict and sys.getrefcount(names) <= 3:
        names.clear()
    return found


def _collect(found, name, value, depth, private, own=False):
    if isinstance(value, (Tensor, Variable)):
        if value.id not in found or own and len(name) < len(found[value.id][0]):
            found[value.id] = (name, value)
        return
    if not depth:
        return
    if isinstance(value, (list, tuple)):
        for i, item in enumerate(value[:LONGEST_LIST]):
            _collect(found, f"{name}[{i}]", item, depth - 1, private)
    elif isinstance(value, dict):
        for key, item in list(value.items())[:LONGEST_LIST]:
            if isinstance(key, (str, int)):
                _collect(found, f"{name}[{key!r}]", item, depth - 1, private)
    elif hasattr(value, "__dict__") and not isinstance(value, type) and not callable(getattr(value, "__loader__", None)):
        try:
            attributes = vars(value)
        except TypeError:
            return
        if type(value).__module__ in ("builtins", "types") or not isinstance(attributes, dict):      # a module, a function
            return
        for key, item in list(attributes.items())[:LONGEST_LIST]:
            if private or not key.startswith("_"):
                _collect(found, f"{name}.{key}", item, depth - 1, private)
