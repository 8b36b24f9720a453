"""What a module offers: `dir` and completion show its public names; any other is refused with the
nearest name that is there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Any

from ..engine.base.argument_errors import guarded


def missing(name: str, module: str) -> AttributeError:
    """Return the AttributeError for a name that `module` does not have: it names the nearest thing
    there is.
    """
    plain = f"module {module!r} has no attribute {name!r}"
    folder = vars(sys.modules[module]).get("__path__", [])
    # `from minitape import schemas` asks for it before it loads the file
    if name.startswith("__") or PathFinder.find_spec(f"{module}.{name}", folder):
        return AttributeError(plain)
    return AttributeError(f"{plain}.{nearest(name, module.partition('.')[2] or 'tf')}")


def offer(module: str) -> None:
    """Let a module offer what its `__all__` names and nothing else, to `dir` and to completion.

    A name that it does not have is refused with what `elsewhere.py` says, or with the nearest one,
    unless the module has a `__getattr__` of its own. What it offers names itself in its errors, see
    `engine/base/argument_errors.py`.
    """
    own = vars(sys.modules[module])
    own.update({name: guarded(own[name], module) for name in own["__all__"] if name in own})
    own["__dir__"] = lambda: sorted(own["__all__"])
    own.setdefault("__getattr__", nearest_of(module))


def nearest_of(module: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a smaller module: it says what there is instead, or names the
    nearest name of its own.
    """

    def missing(name: str) -> Any:
        own = vars(sys.modules[module])
        known = {n.lower(): n for n in own.get("__all__", own) if not n.startswith("_")}
        said = (
            ""
            if name.startswith("_")
            else answer(module.partition(".")[2], name, name.lower(), known)
        )
        raise AttributeError(
            f"module {module!r} has no attribute {name!r}{'.' if said else ''}{said}"
        )

    return missing


def nearest(name: str, asked: str) -> str:
    """Return a sentence about a name that `tf`, or one of its larger modules, does not have."""
    known = {n: f"tf.{n}" for n in sys.modules["minitape"].__all__}
    for part in ("math", "nn", "linalg", "random", "image"):
        module = import_module(f"minitape.{part}")
        for n in getattr(module, "__all__", ()):
            known.setdefault(n, f"tf.{part}.{n}")
    return answer(asked, name, name, known)


def answer(module: str, name: str, written: str, known: dict[str, str]) -> str:
    """Return the sentence for a name that a module does not have, with a space before it: that of
    the table, or the nearest of `known`.
    """
    import difflib

    from .elsewhere import instead

    if said := instead().get((module, name)):
        return f" {said}"
    matches = difflib.get_close_matches(written, known, 1, 0.7)
    return f" Did you mean {known[matches[0]]}?" if matches else ""
