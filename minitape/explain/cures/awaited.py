"""The cure for what is handed to a pool now and asked for its result later: called at once instead.

`futures = [pool.submit(f, x) for x in xs]` and `f.result()` further down belong together: both
change, or neither does.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import inside, is_chain, parent, statement

from .fitting import read_later
from .patterns import last_name
from .writing import between, named, own_loop, siblings, written_anew

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .writing import Stretch


def called_at_once(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """The lines from a `submit` to its last `result()`; None where a future is used otherwise."""
    if (
        last_name(node) != "submit"
        or node.keywords
        or any(isinstance(each, ast.Starred) for each in node.args)
    ):
        return None
    around: Any = parent(node)
    appended = (
        last_name(around) == "append"
        and isinstance(around.func, ast.Attribute)
        and is_chain(around.func.value)
    )
    held = around if isinstance(around, ast.ListComp) and around.elt is node else node
    name = ast.unparse(around.func.value) if appended else named(parent(held), held)
    first = appended and own_loop(node) or statement(node)
    reads = (
        [read for read in read_later(case, held, name) if not inside(read, first)] if name else []
    )
    changes = {node: ast.unparse(ast.Call(node.args[0], node.args[1:], []))}
    for read in reads:
        futures = _elements(read) if appended or held is not node else [read]
        results = [call for future in futures if (call := _result(future)) is not None]
        if not futures or len(results) < len(futures):
            return None
        changes.update((call, ast.unparse(call.func.value)) for call in results)
    stmts = siblings(first)
    touched = [stmt for stmt in stmts if any(inside(each, stmt) for each in changes)]
    if len(changes) < 2 or not all(any(inside(each, stmt) for stmt in touched) for each in changes):
        return None
    return written_anew(between(touched), changes), between(touched)


def _elements(read: Any) -> list[Node]:
    """Return where the elements of a list are used: in a loop over it, or by their place."""
    around: Any = parent(read)
    if (
        isinstance(around, ast.Subscript)
        and around.value is read
        and not isinstance(around.slice, ast.Slice)
    ):
        return [around]
    if (
        not isinstance(around, (ast.For, ast.comprehension))
        or around.iter is not read
        or not isinstance(around.target, ast.Name)
    ):
        return []
    body = around if isinstance(around, ast.For) else parent(around)
    return [
        n
        for n in ast.walk(body)
        if isinstance(n, ast.Name) and n.id == around.target.id and isinstance(n.ctx, ast.Load)
    ]


def _result(future: Any) -> Any:
    """Return the call that asks a future for its result, or None."""
    asked: Any = parent(future)
    call: Any = (
        parent(asked) if isinstance(asked, ast.Attribute) and asked.attr == "result" else None
    )
    return (
        call
        if isinstance(call, ast.Call) and call.func is asked and not call.args and not call.keywords
        else None
    )
