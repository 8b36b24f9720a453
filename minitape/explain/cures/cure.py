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
from . import asked, moved, rewritten, stepped, tried, whole
from .fitting import read_later
from .library import constants_of_lists, in_the_library, stays_inside
from .patterns import climbing, last_name
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
    "python-escape": (rewritten.as_the_row_says,),
    "numpy-escape": (rewritten.as_the_row_says,),
    "branch-not-taken": (asked.both_branches, asked.anew),
    "not-trainable": (asked.anew,),
    "constant-gradient": (asked.anew,),
    "another-object": (asked.anew,),
    "not-used": (asked.anew,),
    "exploding": (asked.clipped,),
    "zero-flat": (rewritten.not_from_zero,),
}
# what is told of an expression, and cured there
TRIED = (
    *("nan-forward", "inf-forward", "nan-backward", "inf-backward", "where-nan", "zero-flat"),
    *("piecewise-constant", "integer-cast", "stop-gradient"),
)
WHOLE = ("integer-dtype", "integer-cast", "piecewise-constant")


def cure(case: Case, why: Break, node: Node, tf: str, params: dict[str, Any]) -> list[str]:
    """Return the lines to write instead, or [].

    `params["over"]` tells which lines they replace, where that is not the guilty statement.
    """
    try:
        lines = _cure(case, why, node, params)
    except RecursionError:  # a formula that is nested too deep to be written anew
        lines = []
    if not lines or not _may_mend(case, why, node, lines, params):
        stepped.advise(case, why, node, params)
        return []
    return lines


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
        return _over(params, *(rewritten.collected(case, node, params["tf"]) or ([], [])))
    if why.params.get("variant") == "chain":
        lines = [f"{ast.unparse(target)} = {ast.unparse(node.value)}" for target in node.targets]
        return _over(params, lines, [node])
    if not isinstance(node, ast.expr) or not alone(statement(node)):
        return []
    return _changed(case, why, node, params)


def _may_mend(case: Case, why: Break, node: Node, lines: list[str], params: dict[str, Any]) -> bool:
    """False where lines are known to leave the gradient as it was: what is computed goes into a
    variable, or the one line in the place of the guilty one has no slope itself.
    """
    if why.category in (*LEFT, "computed-after"):
        stored = "Variable", *case.dialect.changes
        calls = [each for each in climbing(node) if last_name(each) in stored]
        return not any(f"{ast.unparse(call.func)}(" in line for call in calls for line in lines)
    if why.category not in TRIED or len(lines) != 1 or "over" in params:
        return True
    old, new = [getattr(s, "value", None) for s in (statement(node), ast.parse(lines[0]).body[0])]
    return (
        old is None
        or new is None
        or tried.slopes(case, old, ast.unparse(new), params["answer"] == "zero")
    )


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
        text = whole.as_float(case, node, params["tf"]) if _takes_part(case) else ""
        return head_anew({_outermost(case, node): text}) if text else []
    texts = rows.text(found) if found is not None else []
    lines = (
        head_anew({_outermost(case, found.node): texts[-1]}) if found is not None and texts else []
    )
    lines = [*texts[:-1], *lines] if lines else []
    return _over(params, lines, [statement(node)]) if len(lines) > 1 else lines


def _takes_part(case: Case) -> bool:
    """True for a source that something is computed from, and that is a variable or watched."""
    watched = case.source.is_variable or any(
        last_name(call) == "watch" and case.source_name in ast.unparse(call)
        for call in case.program.each((ast.Call,), "watch")
    )
    return watched and case.source.id in case.evidence.used


def _outermost(case: Case, node: Node) -> Node:
    """Return an expression with the constant that is made of it alone: around a tensor it goes."""
    around = parent(node)
    made = last_name(around) in case.dialect.wrappers and around.args[:1] == [node]
    return around if made else node


def _used_otherwise(case: Case, node: Node, category: str) -> bool:
    """True where the value's name is used as only a whole number, or a variable, can be."""
    used: tuple[str, ...] = ()
    if category in WHOLE:
        used = *case.dialect.groups["INDEX"], "range"
    elif category == "variable-made-anew":
        used = *case.dialect.changes, "read_value", "trainable"
    stmt = statement(node)
    if not used or not isinstance(stmt, ast.Assign):
        return False
    names = assigned_names(stmt.value)
    reads = [read for name in names for read in read_later(case, stmt.value, name)]
    for around, read in [(parent(read), read) for read in reads]:
        call = parent(around) if isinstance(around, ast.keyword) else around
        bound = isinstance(around, ast.Slice) or getattr(around, "slice", None) is read
        if getattr(around, "attr", "") in used or last_name(call) in used:
            return True
        if bound and category in WHOLE:
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
        target = stmt.targets[0]
        if isinstance(target, ast.Subscript) and called(case, definition(case, target.value)):
            made: Any = ast.parse(lines[0]).body[0]
            return _over(
                params, *(rewritten.collected(case, target, params["tf"], made.value) or ([], []))
            )
        lines = _given(case, why, stmt, lines, params["tf"])
    return [*lines, *constants_of_lists(case, node, why)] if lines else []


def _given(case: Case, why: Break, stmt: Any, lines: list[str], tf: str) -> list[str]:
    """Return an assignment as it must be: a label stands still."""
    target = stmt.targets[0]
    new: Any = ast.parse(lines[0]).body[0]
    named = (
        ast.unparse(target).rpartition(".")[2]
        if isinstance(target, (ast.Name, ast.Attribute))
        else ""
    )
    if why.category == "partial-escape" and len(stmt.targets) == 1 and LABEL.search(named):
        still = in_dialect(case, tf, "tf.stop_gradient(X)", X=new.value)
        return [f"{ast.unparse(target)} = {still}"]
    return lines
