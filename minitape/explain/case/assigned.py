"""What the program's text gives to a name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from minitape.dialects import MAKERS
from minitape.program import assigned_names
from minitape.program.files import WORD
from minitape.program.syntax import above, last_name, statement, text_of

if TYPE_CHECKING:
    from minitape.program import Text

    from .aliases import Node


def replaced_name(node: Node, program: Text) -> str:
    """Return the name that an assignment gives to a value computed from that same name, `w` in `w =
    w - lr * g`, or "".

    Also seen: `w -= ...`, `w, b = w - ..., b - ...`, `ws = [w - ... for w in ws]`, and `w =
    step(w)` where `step` returns the value.
    """
    stmt = statement(node)
    if isinstance(stmt, ast.AugAssign):
        return text_of(stmt.target)
    if isinstance(stmt, (ast.Assign, ast.AnnAssign)) and stmt.value is not None:
        result = assigned_names(node)
        used = {
            text_of(n)
            for n in ast.walk(stmt.value)
            if isinstance(n, (ast.Name, ast.Attribute, ast.Subscript))
        }
        targets = result or [
            text_of(t) for t in (stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target])
        ]
        return next((t for t in targets if t in used), "")
    if isinstance(stmt, ast.Return):
        function = above(stmt, (ast.FunctionDef, ast.AsyncFunctionDef))
        for call in program.each((ast.Assign,), function.name) if function is not None else ():
            if isinstance(call.value, ast.Call) and last_name(call.value.func) == function.name:
                used = {text_of(a) for a in call.value.args}
                targets = [
                    text_of(e)
                    for t in call.targets
                    for e in (t.elts if isinstance(t, ast.Tuple) else [t])
                ]
                for t in targets:
                    if t in used:
                        return t
    return ""


def definitions(name: str, program: Text) -> list[Node]:
    """Return the expressions that the program's text assigns to a name (or attribute, or element),
    each with its file.
    """
    result = []
    base = name.partition("[")[0]
    for node in program.each((ast.Assign, ast.AnnAssign), *WORD.findall(base)[-1:]):
        for target in (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if node.value is not None
            else ()
        ):
            pairs = [(target, node.value)]
            if isinstance(target, (ast.Tuple, ast.List)):
                values = (
                    node.value.elts
                    if isinstance(node.value, (ast.Tuple, ast.List))
                    else [node.value] * len(target.elts)
                )
                pairs = list(zip(target.elts, values))
            result += [v for t, v in pairs if text_of(t) in (name, base)]
    return result


def makes_variable(node: Node) -> bool:
    """True where an expression makes a `Variable`."""
    return any(isinstance(n, ast.Call) and last_name(n.func) in MAKERS for n in ast.walk(node))
