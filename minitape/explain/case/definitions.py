"""What the program's text gives to a name: by an assignment, or by a call of its function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from minitape.dialects import MAKERS, RECORDERS
from minitape.program import assigned_names
from minitape.program.files import WORD
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    call_name,
    inside,
    last_name,
    statement,
    text_of,
)

if TYPE_CHECKING:
    from minitape.program import Text

    from .aliases import Case, Node


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


# ---- by a call: where a function is called, with which arguments, and in which block


def tape_block(node: Node) -> Node:
    """Return the nearest `with tf.GradientTape() ...` around a node, in the same function, or None."""
    block = above(node, ast.With, stop=FUNCTIONS)
    while block is not None and not any(
        call_name(item.context_expr) in RECORDERS for item in block.items
    ):
        block = above(block, ast.With, stop=FUNCTIONS)
    return block


def calls_of(case: Case, function: Node) -> list[Node]:
    """Return the calls of a learner's function outside of itself: by its name, and of a `__call__`
    by the objects of its class.
    """
    name = getattr(function, "name", None)
    if name is None:
        return []
    result = case.calls_of_owner() if name in ("__call__", "call") else []
    objects = (
        _objects(case, above(function, ast.ClassDef)) if name in ("__call__", "call") else set()
    )
    words = [word for each in objects for word in WORD.findall(each)[-1:]]
    result += [
        call
        for call in case.program.each((ast.Call,), name, *words)
        if last_name(call.func) == name or objects and text_of(call.func) in objects
    ]
    return [call for call in dict.fromkeys(result) if not inside(call, function)]


def _objects(case: Case, kind: Node) -> set[str]:
    """Return the names that the text gives to objects of a class."""
    if kind is None:
        return set()
    return {
        text_of(target)
        for stmt in case.program.each((ast.Assign,), kind.name)
        if isinstance(stmt.value, ast.Call)
        and isinstance(stmt.value.func, ast.Name)
        and stmt.value.func.id == kind.name
        for target in stmt.targets
    }


def arguments_for(case: Case, parameter: Node) -> list[Node]:
    """Return what a name that is a parameter of its function is given where the function is called."""
    function = above(parameter, FUNCTIONS)
    return given(case, function, parameter.id) if function is not None else []


def given(case: Case, function: Node, name: str) -> list[Node]:
    """Return what the parameter `name` of a function is given, call by call."""
    parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
    if name not in parameters:
        return []
    place = parameters.index(name) - (parameters[0] in ("self", "cls"))
    result: list[Node] = []
    for call in calls_of(case, function):
        if not any(isinstance(a, ast.Starred) for a in call.args):
            result += (
                call.args[place : place + 1]
                if place < len(call.args)
                else [k.value for k in call.keywords if k.arg == name]
            )
    return result


def definition(case: Case, node: Node) -> Node:
    """Return the expression that last gave a name its value before it was asked for; an expression
    that is no name stays itself.
    """
    if not isinstance(node, ast.Name):
        return node
    scope, here = above(node, FUNCTIONS), node.file  # type: ignore[attr-defined]
    those = (
        here.each((ast.expr,), within=(scope,))
        if scope is not None
        else case.program.each((ast.expr,), node.id)
    )
    result: list[Node] = [
        value
        for value in those
        if not isinstance(getattr(value, "ctx", None), ast.Store)
        and node.id in assigned_names(value)
        and above(value, FUNCTIONS) is scope
        and (value.file is not here or value.lineno <= node.lineno)
    ]
    return max(result, key=lambda value: (value.file is here, value.lineno), default=None)
