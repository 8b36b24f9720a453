"""The cure as code: what to write instead, in the learner's own names, ready to be pasted.

Most cures are rows of the dialect's table (`rows`). What no pattern tells, because it moves lines
or follows a value through the program, is in the other files of this folder; `WAYS` says which.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minitape.program.names import assigned_names
from minitape.program.syntax import parent, statement

from ..case.calls import definition
from ..reasons.labels import LABEL
from ..reasons.namesakes import called
from ..reasons.outside import block_of
from . import asked, moved, rewritten, stepped, whole
from .library import constants_of_lists, in_the_library, stays_inside
from .patterns import last_name
from .rows import Rows, in_dialect
from .writing import alone, head_anew

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .writing import Stretch

LEFT = ("numpy-escape", "python-escape")
FROM_TEXT = (
    "branch-not-taken",
    "variable-replaced",
)  # the line is plain in the text, certain or not
WAYS: dict[str, tuple[Callable[..., Stretch], ...]] = {
    "variable-replaced": (rewritten.in_place,),
    "state-assign": (rewritten.kept_beside,),
    "variable-made-anew": (rewritten.made_once,),
    "carried-over": (rewritten.one_block,),
    "batch-not-used": (rewritten.with_batch,),
    "outer-tape-late": (rewritten.outer_first,),
    "outside-outer-tape": (rewritten.outer_first,),
    "counted-twice": (rewritten.added_once,),
    "python-escape": (rewritten.as_the_row_says,),
    "numpy-escape": (rewritten.as_the_row_says,),
    "branch-not-taken": (asked.both_branches, asked.anew),
    "not-trainable": (asked.anew,),
    "constant-gradient": (asked.anew,),
    "another-object": (asked.anew,),
    "not-used": (asked.anew,),
    "exploding": (asked.clipped,),
    "metric-state": (rewritten.without_metric,),
    "summed-target": (rewritten.mean_where_it_is_asked,),
    "zero-flat": (rewritten.not_from_zero,),
}
WHOLE = ("integer-dtype", "integer-cast", "piecewise-constant")


def cure(case: Case, why: Break, node: Node, tf: str, params: dict[str, Any]) -> list[str]:
    """Return the lines to write instead, or [].

    `params["over"]` tells which lines they replace, where that is not the guilty statement.
    """
    try:
        return _cure(case, why, node, params)
    except RecursionError:  # a formula that is nested too deep to be written anew
        return []


def _cure(case: Case, why: Break, node: Node, params: dict[str, Any]) -> list[str]:
    if node is None and why.category != "tape-used":
        return []
    if why.certain or why.category in FROM_TEXT:
        for way in WAYS.get(why.category, ()):
            found = way(case, why, node, params)
            if found is not None and found[0]:
                return _over(params, *found)
    found = stepped.by_degrees(case, why, node, params) if why.certain else None
    if found is not None:
        return _over(params, *found)
    if why.category in moved.MOVES:
        return _moved(case, why, node, params, why.category)
    if why.params.get("variant") == "buffer":
        return _collected(case, node, params["tf"])
    if why.params.get("variant") == "chain":
        return [f"{ast.unparse(target)} = {ast.unparse(node.value)}" for target in node.targets]
    if not isinstance(node, ast.expr) or not alone(statement(node)):
        return []
    return _changed(case, why, node, params)


def _over(params: dict[str, Any], lines: list[str], stmts: list[Node]) -> list[str]:
    """Return lines, and say which they replace; [] where a statement shares its lines."""
    if not all(map(alone, stmts)):
        return []
    if stmts:
        first = min([stmts[0].lineno, *(d.lineno for d in getattr(stmts[0], "decorator_list", ()))])
        params["over"] = stmts[0].file.filename, first, stmts[-1].end_lineno
    return lines


def _moved(case: Case, why: Break, node: Node, params: dict[str, Any], category: str) -> list[str]:
    lines, stretch = moved.MOVES[category](case, why, node, params)
    if stretch is not None:
        params["over"] = (block_of(case) or node).file.filename, *stretch
    return lines


def _changed(case: Case, why: Break, node: Node, params: dict[str, Any]) -> list[str]:
    """Return the guilty statement with other text for the guilty expression."""
    category, rows = why.category, Rows(case, node, params)
    if category in LEFT or category == "partial-escape":
        return _inside(case, why, node, params)
    found = rows.first([category, f"{category}.{params.get('variant') or ''}"], node)
    if category == "not-trainable" and params.get("variant") != "asked" and found is None:
        return _moved(case, why, node, params, "not-watched")
    if not why.certain or params.get("variant") == "rule" or _used_otherwise(case, node, category):
        return []
    if category == "integer-dtype":
        text = whole.as_float(case, node, params["tf"])
        return head_anew({_outermost(case, node): text}) if text else []
    texts = rows.text(found) if found is not None else []
    lines = (
        head_anew({_outermost(case, found.node): texts[-1]}) if found is not None and texts else []
    )
    lines = [*texts[:-1], *lines] if lines else []
    return (
        _over(params, lines, [statement(node)])
        if lines and category == "no-gradient-registered"
        else lines
    )


def _outermost(case: Case, node: Node) -> Node:
    """Return an expression with the constant that is made of it alone: around a tensor it goes."""
    around = parent(node)
    made = last_name(around) in case.dialect.wrappers and around.args[:1] == [node]
    return around if made else node


def _used_otherwise(case: Case, node: Node, category: str) -> bool:
    """True where the value's name is used as only a whole number, or a variable, can be."""
    used: tuple[str, ...] = case.dialect.groups["INDEX"] if category in WHOLE else ()
    if category == "variable-made-anew":
        used = *case.dialect.changes, "read_value", "trainable"
    stmt = statement(node)
    names = set(assigned_names(stmt.value)) if isinstance(stmt, ast.Assign) else set()
    for file in case.program.trees() if used and names else ():
        for each in ast.walk(file.tree):
            if (
                isinstance(each, ast.Attribute)
                and each.attr in used
                and ast.unparse(each.value) in names
            ):
                return True
            given = (
                [*each.args, *(k.value for k in each.keywords)]
                if isinstance(each, ast.Call)
                else []
            )
            if last_name(each) in used and names.intersection(map(ast.unparse, given)):
                return True
    return False


# ---- what left the library


def _inside(case: Case, why: Break, node: Node, params: dict[str, Any]) -> list[str]:
    """Return the guilty statement by the library's own functions, or a stretch of lines."""
    new = stays_inside(case, node, params) if why.certain else None
    lines = head_anew({_outermost(case, old): text for old, text in new.items()}) if new else []
    if not lines:
        found = why.certain and why.category in LEFT and in_the_library(case, node, params)
        return _over(params, *found) if found else []
    stmt: Any = statement(node)
    if isinstance(stmt, ast.Assign):
        lines = _given(case, why, stmt, lines, params["tf"])
    return [*lines, *constants_of_lists(case, node, why)] if lines else []


def _given(case: Case, why: Break, stmt: Any, lines: list[str], tf: str) -> list[str]:
    """Return an assignment as it must be: a label stands still, a NumPy array holds no tensors."""
    target = stmt.targets[0]
    new: Any = ast.parse(lines[0]).body[0]
    if isinstance(target, ast.Subscript) and called(case, definition(case, target.value)):
        return _collected(case, target, tf, new)
    named = (
        ast.unparse(target).rpartition(".")[2]
        if isinstance(target, (ast.Name, ast.Attribute))
        else ""
    )
    if why.category == "partial-escape" and len(stmt.targets) == 1 and LABEL.search(named):
        still = in_dialect(case, tf, "tf.stop_gradient(X)", X=new.value)
        return [f"{ast.unparse(target)} = {still}"]
    return lines


def _collected(case: Case, node: Node, tf: str, new: Node = None) -> list[str]:
    """Return how the values that went into a NumPy array are collected in a list."""
    stmt = statement(node)
    if (
        not isinstance(stmt, ast.Assign)
        or stmt.targets != [node]
        or not isinstance(node, ast.Subscript)
    ):
        return []
    name, value = ast.unparse(node.value), ast.unparse((new or stmt).value)
    if isinstance(node.slice, ast.Slice):
        return [f"{name} = {value}"] if ast.unparse(node.slice) == ":" else []
    joined = f"{name} = {in_dialect(case, tf, 'tf.stack(X)', X=node.value)}"
    return (
        []
        if isinstance(node.slice, ast.Tuple)
        else [f"{name} = []", f"{name}.append({value})", joined]
    )
