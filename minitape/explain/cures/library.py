"""The cure for what left the library: the same, written with the library's own functions.

Where one step cannot be written so (`expressions`), there is no line. Where the numbers of the run
are still to be had, each expression is tried on them (`fitting`). PyTorch's tensors need not leave
at all: `k = h.item()` and `y = torch.tensor(k * 3)` become `k = h` and `y = k * 3`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import (
    FUNCTIONS,
    above,
    call_name,
    inside,
    names_used,
    parent,
    siblings,
    statement,
)

from ..case.definitions import calls_of, definition
from ..case.words import say
from ..reasons.namesakes import called, carried
from ..reasons.worth import computes
from .conditions import LISTS
from .expressions import Back, NoLineError
from .fitting import agrees, fits
from .writing import Cure, alone, head_anew, put, stored, written_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node


def stays_inside(
    case: Case, node: Node, params: dict[str, Any]
) -> tuple[dict[Node, str], dict[str, str]]:
    """Return {expression: text} for what leaves in a statement with the guilty expression, and
    words of the answer that are others with it.
    """
    back, result, names = Back(case, params), dict[Any, str](), names_used(node)
    beside = [n for n in ast.walk(statement(node)) if n in back.left and names & names_used(n)]
    try:
        for each in (node, *beside):
            if not any(inside(each, known) for known in result):
                outer = back.outermost(each)
                result[outer] = back.text(outer)
    except NoLineError:
        return {}, {}
    arg = next(iter(getattr(node, "args", ())), None)
    made = call_name(node) in ("asarray", "array") and isinstance(arg, ast.Name)
    first, text = next(iter(result.items()))
    if made and not isinstance(statement(node), ast.Return) or text == ast.unparse(first):
        return {}, {}  # what is done with the array afterwards must change as well
    back_at = [case.node(params.get("back_at"))]
    if not all(fits(case, old, back_at) and agrees(case, old, new) for old, new in result.items()):
        return {}, {}
    return result, {"instead_text": say("words", "straight")} if back.straight else {}


def constants_of_lists(case: Case, node: Node, why: Break) -> list[str]:
    """Return a second line where values went into a list: `constant` takes no tensors there."""
    constant, convert = case.dialect.converts
    call: Any = case.node(why.params["back_at"]) if "back_at" in why.params else None
    if call_name(call) != constant or statement(call) is statement(node):
        return []
    function = above(node, ast.Lambda, stop=(ast.stmt,))
    listed = above(node, LISTS, stop=(ast.stmt,)) is not None or call_name(parent(node)) == "append"
    listed = (
        listed
        or isinstance(call.args[:1] and call.args[0], ast.List)
        or function is not None
        and call_name(parent(function)) == "map"
    )
    changed = ast.unparse(call).replace(f".{constant}(", f".{convert}(", 1)
    return written_anew([statement(call)], {call: changed}) if listed else []


# ---- several lines


def in_the_library(case: Case, node: Node, params: dict[str, Any]) -> Cure | None:
    """Return the lines from an escape on, by the library's own functions; or None."""
    function, first = above(node, FUNCTIONS), statement(node)
    body: list[Any] = siblings(first)
    if isinstance(function, ast.Lambda) or function is not None and parent(first) is not function:
        return None
    back, changes, last = Back(case, params), dict[Any, Any](), first
    rest = body[body.index(first) :]
    try:
        for stmt in rest:
            if not back.leaves(stmt) and not _arrays(case, stmt, first):
                continue
            if not isinstance(stmt, (ast.Assign, ast.Return)) or stmt.value is None:
                raise NoLineError  # a loop, a place in an array
            if isinstance(stmt, ast.Assign):
                if len(stmt.targets) > 1 or not isinstance(stmt.targets[0], ast.Name):
                    raise NoLineError
                back.names.add(stmt.targets[0].id)
            changes[stmt.value], last = _in_tensors(back, stmt.value), stmt
    except NoLineError:
        return None
    if function is not None and not all(fits(case, call) for call in calls_of(case, function)):
        return None
    alias = case.evidence.library[0]
    calls = [n for value in changes for n in ast.walk(value) if isinstance(n, ast.Call)]
    if not all(computes(case, call, alias) for call in calls):
        return None  # a function of the learner's own may know arrays only
    stretch: list[Node] = rest[: rest.index(last) + 1]
    lines = written_anew(
        stretch, {old: text for old, text in changes.items() if text != ast.unparse(old)}
    )
    agree = all(agrees(case, old, new) for old, new in changes.items())
    return Cure(lines, stretch) if agree and lines != written_anew(stretch, {}) else None


def _arrays(case: Case, stmt: Node, first: Node) -> bool:
    """True for a later `b = np.asarray(b)`, whose array would stand beside a tensor."""
    value = getattr(stmt, "value", None)
    return (
        stmt is not first
        and isinstance(stmt, ast.Assign)
        and called(case, value) in ("array", "asarray")
    )


def _in_tensors(back: Back, value: Any) -> str:
    """Return an expression by the library; an array that stands beside tensors is converted."""
    if back.leaves(value) or not names_used(value):
        return back.text(value)
    return f"{back.tf}.{back.dialect.converts[1]}({ast.unparse(value.args[0])})"


def without_runner(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
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
    return Cure(lines) if lines else None


# ---- out and back: neither happens

OUT = ("numpy", "item", "tolist", "cpu", "detach", "data")


def stays(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The lines from the one where a value leaves to the one where it comes back, without either."""
    if not case.dialect.alike:
        return None
    back = case.node(params.get("back_at"))
    outer = parent(node)
    if isinstance(outer, ast.Call) and outer.args[:1] == [node]:  # it comes back at once
        back = outer if call_name(outer) in case.dialect.wrappers else back
    back = back if call_name(back) in case.dialect.wrappers else _back(case, node)
    first, last = statement(node), statement(back) if back is not None else statement(node)
    while first is not None and first not in siblings(last):
        first = parent(first)
    if first is None or not all(map(alone, {first, last})):
        return None
    around = siblings(last)
    stmts = around[around.index(first) : around.index(last) + 1]
    changes, made = _inside(case, node), {name for stmt in stmts for name in stored(stmt)}
    for each in (n for stmt in stmts for n in ast.walk(stmt) if isinstance(n, ast.Name)):
        if isinstance(case.held(each), np.ndarray) and each.id not in made:
            changes[each] = f"{params['tf']}.as_tensor({each.id})"
    for each in (n for stmt in stmts for n in ast.walk(stmt) if isinstance(n, ast.Call)):
        if call_name(each) == "numpy":  # of a tensor that stands beside it
            changes = {**_inside(case, each), **changes}
        elif called(case, each):
            name = called(case, each)
            if name.rpartition(".")[2] not in case.dialect.alike:
                return None
            changes[each.func] = f"{params['tf']}.{name}"
    # what stands in what falls away is written with it
    if back is not None:
        outer = back.args[0] if isinstance(back, ast.Call) and back.args else back
        inner = {n: text for n, text in changes.items() if any(n is e for e in ast.walk(outer))}
        changes = {n: text for n, text in changes.items() if n not in inner}
        changes[back] = put(outer, inner) if outer not in inner else inner[outer]
        listed = isinstance(case.held(outer), list) and not _whole_list(case, outer)
        if back is not outer and listed:  # of tensors now
            changes[back] = f"{params['tf']}.{case.dialect.converts[1]}({changes[back]})"
    lines = written_anew(stmts, changes)
    return Cure(lines, [stmts[0], stmts[-1]]) if lines else None


def _whole_list(case: Case, node: Node) -> bool:
    """True for what `tolist` gave: a tensor now."""
    return call_name(definition(case, node)) == "tolist"


def _back(case: Case, node: Node) -> Node:
    """Return the one call behind a statement that makes a constant of what it gives, or None."""
    stmt = statement(node)
    names = stored(stmt)
    around = siblings(stmt)
    calls = [n for each in around[around.index(stmt) + 1 :] for n in ast.walk(each)]
    made = [n for n in calls if call_name(n) in case.dialect.wrappers and names & names_used(n)]
    return made[0] if len(made) == 1 else None


def _inside(case: Case, node: Node) -> dict[Any, str]:
    """Return {an expression that leads out: what it leads out of}."""
    if called(case, node) and isinstance(node, ast.Call):
        return {}
    kept: Any = node
    while True:
        inner = kept.func if isinstance(kept, ast.Call) else kept
        if isinstance(inner, ast.Name) and inner.id == "float" and kept is not inner:
            kept = kept.args[0]
        elif isinstance(inner, ast.Attribute) and inner.attr in OUT:
            kept = inner.value
        else:
            return {node: ast.unparse(kept)} if kept is not node else {}
