"""What to write instead of a guilty statement, so that its training learns: the learner's own text,
with one piece of it changed. "" where that is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any, cast

from minitape.program.aliases import Node
from minitape.program.syntax import (
    above,
    inside,
    is_chain,
    last_name,
    names_used,
    statement,
    text_of,
)

RATE = "0.01"


def rewritten(stmt: Node, old: Node, new: str) -> str:
    """Return the text of a statement (of a loop or a function its first line) with a piece of it
    replaced.
    """
    lines = stmt.file.lines[stmt.lineno - 1 : old.end_lineno]
    ends = [
        len(line.encode()[:column].decode())
        for line, column in (
            (lines[old.lineno - stmt.lineno], old.col_offset),
            (lines[-1], old.end_col_offset),
        )
    ]
    rest = stmt.file.lines[old.end_lineno : getattr(stmt, "end_lineno", 0)]
    rest = rest if not hasattr(stmt, "body") else []
    text = "\n".join(
        lines[: old.lineno - stmt.lineno] + [lines[old.lineno - stmt.lineno][: ends[0]]]
    )
    return "\n".join([text + new + lines[-1][ends[1] :], *rest])


def divided(floor: Node) -> str:
    """`1 / 20` for `1 // 20`."""
    new = ast.unparse(ast.BinOp(floor.left, ast.Div(), floor.right))
    return rewritten(statement(floor), floor, new)


def with_rate(origin: Node) -> str:
    """A rate above 0 where a 0 is written."""
    zeros = [n for n in ast.walk(origin) if isinstance(n, ast.Constant) and n.value == 0]
    return rewritten(statement(origin), zeros[0], RATE) if len(zeros) == 1 else ""


def own_variables(call: Node, asked: Node, gradients: Collection[str]) -> str:
    """The pairs of gradients and variables with the list that the gradients were asked for."""
    stmt = statement(call)
    loop = above(stmt, ast.For)
    for where in [stmt, *([loop] if loop is not None else [])]:
        head = where.iter if isinstance(where, ast.For) else where
        for pairs in ast.walk(head):
            if not (isinstance(pairs, ast.Call) and last_name(pairs.func) == "zip"):
                continue
            others = [a for a in pairs.args if names_used(a).isdisjoint(gradients)]
            given = _sources(asked)
            if len(pairs.args) == 2 and len(others) == 1 and given not in ("", text_of(others[0])):
                return rewritten(where, others[0], given)
    return ""


def _sources(asked: Node) -> str:
    given = [*asked.args[1:2], *(k.value for k in asked.keywords if k.arg == "sources")]
    return text_of(given[0]) if given else ""


def assigned(stmt: Node, asked: Node, gradients: Collection[str]) -> str:
    """`w.assign_sub(rate * g)` for `w = w - rate * g`, in a loop for a list; in PyTorch, `w -= rate
    * w.grad`.
    """
    change = "{} -= {}" if last_name(asked.func) == "backward" else "{}.assign_sub({})"
    if not isinstance(stmt, (ast.Assign, ast.AugAssign)):
        return ""
    target = stmt.targets[0] if isinstance(stmt, ast.Assign) else stmt.target
    indent = " " * stmt.col_offset
    value: Any = stmt.value
    if isinstance(stmt, ast.AugAssign) and isinstance(stmt.op, ast.Sub):
        return indent + change.format(text_of(target), text_of(value))
    if _is_step(value) and text_of(value.left) == text_of(target):
        return indent + change.format(text_of(target), text_of(value.right))
    given = _sources(asked)
    if not given or not isinstance(value, ast.ListComp) or not _is_step(value.elt):
        return ""
    each, step = value.generators[0], cast(Any, value.elt)
    if not isinstance(each.iter, ast.Call) or last_name(each.iter.func) != "zip":
        return ""
    known = set(gradients) - {text_of(target)}
    lists = [given if names_used(a).isdisjoint(known) else text_of(a) for a in each.iter.args]
    return (
        f"{indent}for {text_of(each.target).strip('()')} in zip({', '.join(lists)}):\n"
        f"{indent}    {text_of(step.left)}.assign_sub({text_of(step.right)})"
    )


def _is_step(value: Node) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub) and is_chain(value.left)


def taken(asked: Node, optimizer: str, rate: str, single: bool) -> str:
    """The statement that asks for gradients, and behind it one that takes the step; `single`: of
    one variable.
    """
    stmt: Any = statement(asked)
    given = _sources(asked)
    if not isinstance(stmt, ast.Assign) or stmt.value is not asked or not given:
        return ""
    target, indent = stmt.targets[0], " " * stmt.col_offset
    grads = text_of(target).strip("()")
    grads = f"[{grads}]" if isinstance(target, ast.Tuple) else grads
    if single:
        pairs, step = f"[({grads}, {given})]", f"{given}.assign_sub({rate} * {grads})"
    else:
        pairs = f"zip({grads}, {given})"
        step = f"for v, g in zip({given}, {grads}):\n{indent}    v.assign_sub({rate} * g)"
    if optimizer:
        step = f"{optimizer}.apply_gradients({pairs})"
    lines = cast(Any, asked).file.lines[stmt.lineno - 1 : stmt.end_lineno]
    return "\n".join([*lines, indent + step])


def meant(node: Node, vector: bool) -> str:
    """`reduce_mean` for the `reduce_sum` at a place, and around a loss that is a `vector`."""
    stmt = statement(node)
    if vector and isinstance(stmt, ast.Assign):
        return rewritten(stmt, stmt.value, f"tf.reduce_mean({text_of(stmt.value)})")
    sums = [
        n.func
        for n in ast.walk(stmt)
        if isinstance(n, ast.Call) and last_name(n.func) == "reduce_sum" and inside(node, n)
    ]
    if len(sums) == 1:
        return rewritten(stmt, sums[0], text_of(sums[0]).replace("reduce_sum", "reduce_mean"))
    return ""


def copied(stmt: Node) -> str:
    """A copy for a second name."""
    if isinstance(stmt, ast.Assign) and is_chain(stmt.value):
        return (
            " " * stmt.col_offset
            + "import copy\n"
            + rewritten(stmt, stmt.value, f"copy.deepcopy({text_of(stmt.value)})")
        )
    return ""
