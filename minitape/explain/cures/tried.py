"""A cure tried out before it is offered: the old text and the new one are computed once more, on
the numbers of this run.

Where these are not to be had, or where more is done than computing (`reasons/worth.py` tells), the
answer is that it is not known.
"""

from __future__ import annotations

import ast
import builtins
import math
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import inside, names_used, parent

from ..case.calls import calls_of, given
from ..reasons.worth import (
    alone,
    computed,
    computes,
    content,
    evaluated,
    is_plain,
    object_of,
    space_of,
)

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case

CHANGING = (
    ast.AugAssign,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
    ast.For,
    ast.While,
    ast.With,
    ast.Try,
    ast.Import,
    ast.ImportFrom,
)


def agrees(case: Case, node: Node, text: str) -> bool:
    """False where other text gives other numbers than an expression, or raises; True where it gives
    the same, or nobody knows.
    """
    space = space_of(case, node)
    a = computed(ast.unparse(node), space) if space is not None else None
    if a is None or space is None:
        return True
    b = computed(text, space)
    if b is None or a.dtype.kind not in "fiub" or b.dtype.kind not in "fiub":
        return b is not None and a.dtype.kind == b.dtype.kind
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-4, atol=1e-6, equal_nan=True))


def keeps_shape(case: Case, node: Node, text: str, beside: Node) -> bool:
    """False where other text raises, or gives no numbers, or numbers of another shape than an
    expression; True where nobody knows.

    `beside`: an expression whose names the text uses as well.
    """
    space, more = space_of(case, node), space_of(case, beside)
    a = computed(ast.unparse(node), space) if space is not None else None
    if a is None or space is None or more is None:
        return True
    known = {**space, **more}
    # what is made beside: values, index = tf.math.top_k(x, 2)
    for name in names_used(ast.parse(text)) - known.keys():
        known.update((name, names[name]) for names in case.evidence.scopes[-1:] if name in names)
    b = computed(text, known)
    return (
        b is not None and b.dtype.kind == "f" and b.shape == a.shape and bool(np.isfinite(b).all())
    )


def slopes(case: Case, node: Node, text: str, steep: bool) -> bool:
    """False where other text has no finite slope in any number that an expression is made of, or
    none but 0 where it must be `steep`: then it mends nothing. True where nobody knows.
    """
    space, library = space_of(case, node) or {}, case.evidence.library[1]
    arrays = {name: content(value) for name, value in space.items()}

    def run() -> bool:
        known = {n: library.constant(a) for n, a in arrays.items() if a is not None}
        leaves = [tensor for tensor in known.values() if tensor.dtype.is_floating]
        with library.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(leaves)
            y = library.convert_to_tensor(eval(text, {**space, **known}))
        found = [slope for slope in tape.gradient(y, leaves) if slope is not None]
        good = [np.isfinite(slope).all() and (np.any(slope) or not steep) for slope in found]
        return any(good) or not leaves

    return alone(run) is not False


def same_result(case: Case, function: Any, stretch: list[Node], lines: list[str]) -> bool:
    """True where other lines give the same as a stretch of a program, or as the rest of a function
    from there on, both run once more.
    """
    if any(map(_changes, stretch)):
        return False
    own = {
        n.id
        for stmt in stretch
        for n in ast.walk(stmt)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    alias, library = case.evidence.library
    space: dict[str, Any] = {"np": np, "math": math, alias: library}
    for stmt in stretch:
        for each in ast.walk(stmt):
            if isinstance(each, ast.Call) and not computes(case, each, alias):
                return False
            if (
                isinstance(each, ast.Name)
                and isinstance(each.ctx, ast.Load)
                and each.id not in space
                and not hasattr(builtins, each.id)
            ):
                found = _given(case, function, each)
                found = found if found is not None else _part_of(case, each, stretch)
                if is_plain(found) and found is not None or isinstance(found, SimpleNamespace):
                    space[each.id] = found
                elif each.id not in own:
                    return False
    results = [_ran(text, own, space) for text in ([ast.unparse(stmt) for stmt in stretch], lines)]
    return None not in results and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in zip(*results)
    )


def _changes(stmt: Node) -> bool:
    """True for what would change the learner's own things if it ran once more, `a[0] = 1`, `a +=
    1`, or might not end.
    """
    return any(
        isinstance(n, CHANGING)
        or isinstance(n, (ast.Subscript, ast.Attribute))
        and not isinstance(n.ctx, ast.Load)
        for n in ast.walk(stmt)
    )


def _given(case: Case, function: Any, name: Node) -> Any:
    """Return what a name stood for where a stretch began: a parameter as it was given, or as it
    left; or None.
    """
    if function is None:
        return object_of(case, name)
    for call in calls_of(case, function)[:1]:
        for value in given(case, function, name.id):
            space = space_of(case, value) if inside(value, call) else None
            found = evaluated(ast.unparse(value), space) if space is not None else None
            if found is not None:
                return found
    return object_of(case, name)


def _part_of(case: Case, name: Any, stretch: list[Node]) -> SimpleNamespace | None:
    """Return the attributes of an object that a stretch reads, where they are numbers that it
    holds: no property is asked.
    """
    uses = [
        parent(n)
        for stmt in stretch
        for n in ast.walk(stmt)
        if isinstance(n, ast.Name) and n.id == name.id
    ]
    held = getattr(case.held(name), "__dict__", {})
    found = {use.attr: held.get(use.attr) for use in uses if isinstance(use, ast.Attribute)}
    plain = all(isinstance(use, ast.Attribute) for use in uses) and all(
        content(value) is not None for value in found.values()
    )
    return SimpleNamespace(**found) if found and plain else None


def _ran(lines: list[str], own: set[str], space: dict[str, Any]) -> list[Any] | None:
    """Return the results of some lines as arrays: what they return, or what they give names to;
    None where they raise.
    """
    returned = f"return {', '.join(sorted(own))},"
    body = [line for text in [*lines, returned] for line in text.split("\n")]
    text = f"def run({', '.join(space)}):\n" + "\n".join("    " + line for line in body)

    def run() -> Any:
        names: dict[str, Any] = {}
        exec(text, names)
        result = names["run"](**space)
        return [
            np.asarray(each)
            for each in (result if isinstance(result, tuple) else (result,))
            if not isinstance(each, ModuleType)
        ]

    return alone(run)
