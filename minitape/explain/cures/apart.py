"""What left the library by way of a function that runs apart from the tape."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import FUNCTIONS, above, call_name, parent, text_of

from ..reasons.namesakes import called, carried
from .writing import head_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Stretch

RUNNERS = ("numpy_function", "py_function", "py_func")
RANKS = ("argsort", "rankdata", "searchsorted", "argmax", "argmin")


def without_runner(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """The library's own function in the place of NumPy's, which `numpy_function` ran."""
    handed = getattr(node, "args", [])[:2]
    if call_name(node) != "numpy_function" or not isinstance(handed[-1], (ast.List, ast.Tuple)):
        return None
    call: Any = ast.Call(handed[0], handed[1].elts, [])
    call.file = node.file
    equivalent = carried(case, call, called(case, call))
    if equivalent is None:
        return None
    name = f"{params['tf']}.{equivalent.name}"
    lines = head_anew({node: f"{name}({', '.join(map(ast.unparse, equivalent.arrays))})"})
    return (lines, []) if lines else None


def advice(case: Case, node: Any) -> str:
    """Return the variant of what to do about a value that left, where no line is known: it was computed
    in a function that is run apart, a rank was taken, or neither ("own").
    """
    if node is None:
        return "own"
    function = above(node, FUNCTIONS)
    runs = case.program.each((ast.Call,), *RUNNERS)
    handed = [text_of(call.args[0]) for call in runs if call_name(call) in RUNNERS and call.args]
    if function is not None and any(
        text.rpartition(".")[2] == getattr(function, "name", "") for text in handed
    ):
        return "apart"
    call = node if call_name(node) in RUNNERS else parent(node)
    name = text_of(node.args[0]) if call is node and node.args else call_name(call)
    for helper in case.program.each((ast.FunctionDef,), name) if name.isidentifier() else ():
        inner = {call_name(n) for n in ast.walk(helper) if isinstance(n, ast.Call)}
        if helper.name == name and not inner.isdisjoint(RANKS):
            return "rank"
    return "own"
