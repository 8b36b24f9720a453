"""The value of an expression, recomputed from the numbers of this run.

This works if the numbers still exist and the expression calls only functions that compute. No tape
records it or notes anything. Otherwise the value is unknown.
"""

from __future__ import annotations

import ast
import builtins
import math
import warnings
from collections.abc import Callable
from contextvars import Context
from types import ModuleType
from typing import Any

import numpy as np

from minitape.engine.base.tensor import Tensor
from minitape.engine.variable import Variable
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    inside,
    is_chain,
    names_used,
    operands,
    statement,
)

from ..case.aliases import Case, Node
from .namesakes import ROWS, called

MOST = 100_000  # so many numbers are computed with once more
LATELY = 500  # so many operations are looked through for a tensor
COMPUTES = {
    "numpy",
    "item",
    "tolist",
    "astype",
    "flatten",
    "dot",
    "copy",
    *(name for name in ROWS if name.isidentifier()),
} - {"sort"}  # in its place
PLAIN = ("float", "int", "abs", "sum", "max", "min", "len", "round")
MAKES = ("array", "zeros", "ones", "eye", "arange", "full", "linspace")
ACTS = (
    "random",
    "keras",
    "print",
    "function",
    "Variable",
    "io",
    "data",
    "assert",
    "assign",
    "estimator",
    "Module",
    "debugging",
)


def value_of(case: Case, node: Node) -> Any:
    """Return the array that an expression was worth, or None where it is not known."""
    asked = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "numpy"
    )
    of: Node = node.func.value if asked else node
    if isinstance(of, ast.Attribute) and is_chain(of):  # self.w, whose properties are not asked
        return content(case.held(of) if above(of, FUNCTIONS) is None else _left(case, of))
    space = space_of(case, node)
    return computed(ast.unparse(node), space) if space is not None else None


def values_at(case: Case, node: Node) -> list[Any]:
    """Return the arrays that the operation of an expression worked on when it last ran, None for
    each that is gone; or [].
    """
    ran = next((r for r in reversed(case.evidence.ran) if case.node(r.where) is node), None)
    if ran is None or case.evidence.library[1] is None:
        return []
    return [content(_tensor(case, number)) for number in ran.inputs]


def rank_of(case: Case, node: Node) -> int | None:
    """Return how many axes the value of an expression has, or None where it is not known."""
    result = value_of(case, node)
    return None if result is None or result.dtype == object else result.ndim


def computed(text: str, space: dict[str, Any]) -> Any:
    """Return the value of an expression as an array, or None where it raises."""
    return alone(lambda: np.asarray(eval(text, dict(space))))


def alone(run: Callable[[], Any]) -> Any:
    """Return what a function gives, or None where it raises. No tape of the learner's hears of it."""

    def quietly() -> Any:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return run()

    try:
        return Context().run(quietly)
    except Exception:
        return None


def content(value: Any) -> Any:
    """Return the array of a tensor, of a variable, or of NumPy; or None."""
    tensor = getattr(value, "_tensor", value) if isinstance(value, Variable) else value
    array = tensor.value if isinstance(tensor, Tensor) else tensor
    return array if isinstance(array, (np.ndarray, np.generic)) else None


def space_of(case: Case, node: Node) -> dict[str, Any] | None:
    """Return the names of an expression with their objects; None where one of them is not known, or
    where more than computing is done.
    """
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    alias, library = case.evidence.library
    if library is None or own and any(isinstance(n, ast.NamedExpr) for n in ast.walk(node)):
        return None
    space: dict[str, Any] = {"np": np, "math": math, alias: library}
    for each in ast.walk(node):
        if (
            isinstance(each, ast.Call)
            and not computes(case, each, alias)
            or isinstance(each, (ast.Await, ast.Yield, ast.Lambda))
        ):
            return None
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in own:
            result = object_of(case, each)
            if is_plain(result):
                space[each.id] = result
            elif result is not None:
                return None
            elif each.id not in space and not hasattr(builtins, each.id):
                return None
    return space if sum(np.size(content(value)) for value in space.values()) <= MOST else None


def is_plain(value: Any) -> bool:
    """True for numbers and what computes with them; what is read up by reading (a generator), or
    answers by running code, is left alone.
    """
    home = str(getattr(value, "__module__", "") or "").partition(".")[0]
    kinds = (
        Tensor,
        Variable,
        np.ndarray,
        np.generic,
        bool,
        int,
        float,
        str,
        list,
        tuple,
        dict,
        slice,
        range,
        ModuleType,
    )
    return isinstance(value, kinds) or callable(value) and home in ("numpy", "math")


def computes(case: Case, call: Node, alias: str) -> bool:
    """True for a call that does nothing but compute."""
    name = called(case, call)
    if any(keyword.arg in ("out", None) for keyword in call.keywords):
        return False  # it writes
    if name:
        given = (
            [*ROWS[name].arrays, *ROWS[name].others]
            if name in ROWS
            else ["out"] * (name not in MAKES)
        )
        return "out" not in given[: len(call.args)] and (
            name in MAKES or len(call.args) <= len(given)
        )
    parts = ast.unparse(call.func).split(".")
    if isinstance(call.func, ast.Attribute):
        return parts[0] == alias and not set(parts) & set(ACTS) or parts[-1] in COMPUTES
    return parts[0] in PLAIN


def object_of(case: Case, name: Node) -> Any:
    """Return what a name stood for: a tensor that left under it, or what is called so where the
    learner asked; or None.
    """
    function = above(name, FUNCTIONS)
    local = function is not None and any(
        isinstance(n, ast.arg)
        and n.arg == name.id
        or isinstance(n, ast.Name)
        and n.id == name.id
        and isinstance(n.ctx, ast.Store)
        for n in ast.walk(function)
    )
    if not local:
        scopes = case.evidence.scopes if function is None else case.evidence.scopes[-1:]
        return next((names[name.id] for names in scopes if name.id in names), None)
    if case.call is not None and above(case.call, FUNCTIONS) is function and case.evidence.scopes:
        return case.evidence.scopes[0].get(name.id)
    return _left(case, name)


def _left(case: Case, name: Node) -> Any:
    """Return the tensor that left, or was worked with, under a name or as `self.w` of a function
    that has come to its end; or None.
    """
    stmt, written = statement(name), ast.unparse(name)
    for escape in reversed(case.evidence.of("escape")):
        node = case.node(escape.where)
        if node is not None and inside(node, stmt):
            number = left_by(case, node).get(
                written, escape.about["id"] if case.label(escape.about["id"]) == written else None
            )
            if number is not None:
                return _tensor(case, number)
    for ran in case.evidence.ran[:-LATELY:-1]:
        node = case.node(ran.where)
        given = (
            operands(node, len(ran.inputs))
            if node is not None and ran.op != "ReadVariableOp" and inside(node, stmt)
            else []
        )
        if isinstance(node, ast.Call) and len(node.args) != len(ran.inputs):
            continue
        for number, operand in zip(ran.inputs, given):
            if operand is not None and ast.unparse(operand) == written:
                return _tensor(case, number)
    return None


def left_by(case: Case, node: Node) -> dict[str, int]:
    """Return {expression: number of its tensor} for what left last at a call: before `.numpy()`, or
    as an argument of NumPy, which asks for its arguments in their order, one right after the other
    (a variable is read in between).
    """
    func: Any = getattr(node, "func", None)
    args = [
        each
        for a in getattr(node, "args", [])
        for each in (a.elts if isinstance(a, (ast.List, ast.Tuple)) else [a])
    ]
    given = (
        [func.value] if getattr(func, "attr", "") == "numpy" else [a for a in args if names_used(a)]
    )
    notes = (
        [e for e in case.evidence.of("escape") if case.node(e.where) is node][-len(given) :]
        if given
        else []
    )
    in_order = len(notes) == len(given) and all(
        b.order <= a.order + 2 for a, b in zip(notes, notes[1:])
    )
    result = {ast.unparse(a): note.about["id"] for a, note in zip(given, notes)}
    # NumPy may ask for one twice
    return result if in_order and len({*result.values()}) == len(result) else {}


def _tensor(case: Case, number: int) -> Any:
    """Return a tensor by its number, as long as it or its array is to be had; or None."""
    for info in [*case.targets, case.source]:
        if number in (info.id, info.tensor):
            return info.object
    made, kept = case.evidence.maker.get(number), case.tape.kept
    if made is not None and made.entry is not None and len(kept) == len(case.evidence.recorded):
        make = getattr(case.evidence.library[1], case.dialect.converts[0])
        return Context().run(make, kept[made.entry][1][made.outputs.index(number)])
    result = case.evidence.variables().get(number)
    return result.object if result is not None else case.evidence.living.get(number)
