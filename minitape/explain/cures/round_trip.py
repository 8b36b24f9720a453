"""The cure for a value that leaves the library and comes back as a constant: neither happens.

`k = h.item()` and `y = torch.tensor(k * 3)` become `k = h` and `y = k * 3`: what leads out falls
away, and so does what makes a constant; what NumPy computes in between, the library does.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import call_name, names_used, parent, siblings, statement

from ..reasons.namesakes import called
from .writing import alone, put, stored, written_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node, Stretch

OUT = ("numpy", "item", "tolist", "cpu", "detach", "data")


def stays(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Stretch:
    """The lines from the one where a value leaves to the one where it comes back, without either."""
    if not case.dialect.alike:
        return None
    back = case.node(params.get("back_at"))
    back = back if call_name(back) in case.dialect.wrappers else _back(case, node)
    first, last = statement(node), statement(back) if back is not None else statement(node)
    while first is not None and first not in siblings(last):
        first = parent(first)
    if first is None or not all(map(alone, {first, last})):
        return None
    around = siblings(last)
    stmts = around[around.index(first) : around.index(last) + 1]
    changes = _inside(case, node)
    for each in (n for stmt in stmts for n in ast.walk(stmt) if isinstance(n, ast.Call)):
        if called(case, each):
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
        if back is not outer and isinstance(case.held(outer), list):  # of tensors now
            changes[back] = f"{params['tf']}.{case.dialect.converts[1]}({changes[back]})"
    lines = written_anew(stmts, changes)
    return (lines, [stmts[0], stmts[-1]]) if lines else None


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
