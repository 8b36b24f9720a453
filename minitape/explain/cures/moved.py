"""The cure that moves lines: into the block of the tape, out of one that stops it, or a head of the
block written anew.

Where line and block stand close together, the stretch is given as it will be, comments and all,
ready to be pasted. Where they do not (two cells, a long way), the block is shown with dots for what
stays.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from minitape.dialects import PLAYS
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    call_name,
    inside,
    is_play,
    names_used,
    parent,
    siblings,
    statement,
)

from ..reasons.outside import block_of, tape_names
from .writing import LONGEST, MOST_LINES, Cure, free, stored, written_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node

STOPS = ("stop_recording", "no_grad", "inference_mode", "set_grad_enabled")
MOST_MOVED = 6  # lines, where the rest of the block is dots
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)


# ---- into the block


def _into_block(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The block with the line in it that stood before it; or with those that stood behind it, up to
    the target.
    """
    block, stmts = block_of(case), [statement(node)]
    fixed = "kept", "cached", "once", "loop", "target", "yielded"
    if block is None or why.params.get("variant") in fixed:
        return None
    around, end = siblings(stmts[0]), case.node(case.targets[0].where)
    if why.category != "computed-before" and end is not None:
        last = next((k for k, each in enumerate(around) if inside(end, each)), -1)
        stmts = around[around.index(stmts[0]) : last + 1] or stmts
    stretch = (
        _from_before(block, stmts[0])
        if why.category == "computed-before"
        else _from_behind(case, block, stmts[-1])
    )
    if stretch is not None or why.category == "outside-outer-tape":
        return stretch
    texts = [ast.unparse(stmt) for stmt in stmts]
    head, lines = f"with {', '.join(ast.unparse(i) for i in block.items)}:", _indented(texts)
    if (
        not all(isinstance(stmt, SIMPLE) for stmt in stmts)
        or len(texts) > MOST_MOVED
        or any("\n" in text or len(text) > LONGEST for text in texts)
    ):
        return None
    if why.category != "computed-before":
        return Cure([head, "    ...", *lines])
    read = {name for each in block.body for name in names_used(each)}
    function = above(block, FUNCTIONS)
    again = (
        _has_head(block)
        and not stored(stmts[0]).isdisjoint(read)
        and not above(stmts[0], FUNCTIONS)
        and (function is None or names_used(stmts[0]).isdisjoint(stored(function)))
    )  # of two cells, or in a function: here once more
    if not again:
        return Cure([head, *lines, "    ..."])
    watches = list(
        takewhile(lambda stmt: call_name(getattr(stmt, "value", None)) == "watch", block.body)
    )
    ends = watches[-1].end_lineno if watches else _head_ends(block)
    return Cure([head, *_indented([*map(ast.unparse, watches), *texts])], (block.lineno, ends))


def each_time(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """A line that a method keeps what it gives of, without its `if`."""
    stmt = statement(node)
    around = parent(stmt)
    cached = why.params.get("variant") == "cached" and not around.orelse
    return Cure([ast.unparse(stmt)], [around]) if cached and around.body == [stmt] else None


def _from_before(block: Node, stmt: Node) -> Cure | None:
    """The line, and what stands between it and the block: behind the head of the block."""
    around = siblings(block)
    if stmt not in around or around.index(stmt) > around.index(block) or not _has_head(block):
        return None
    between = around[around.index(stmt) + 1 : around.index(block)]
    if any(names_used(each) & stored(stmt) for each in between):
        return None
    lines = [
        *_lines(block, stmt.end_lineno + 1, _head_ends(block)),
        *_indented(_lines(block, stmt.lineno, stmt.end_lineno)),
    ]
    return _stretch(lines, stmt.lineno, _head_ends(block))


def _from_behind(case: Case, block: Node, node: Node) -> Cure | None:
    """The block, and all that stands behind it up to a line, with the loop that it stands in:
    inside of it.
    """
    around = siblings(block)
    last: Any = next(
        (each for each in around[around.index(block) + 1 :] if inside(node, each)), None
    )
    if last is None or not _has_head(block):
        return None
    behind = around[around.index(block) + 1 : around.index(last) + 1]
    nodes: list[Any] = [n for each in behind for n in ast.walk(each)]
    if any(is_play(n) and ast.unparse(n.func.value) in tape_names(case) for n in nodes):
        return None  # this tape is asked for something there
    lines = [
        *_lines(block, block.lineno, block.end_lineno),
        *_indented(_lines(block, block.end_lineno + 1, last.end_lineno)),
    ]
    return _stretch(lines, block.lineno, last.end_lineno)


# ---- out of a block that stops the recording


def _out_of_stop(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    stmt = statement(node)
    stop = parent(stmt)
    if (
        not isinstance(stop, ast.With)
        or call_name(stop.items[0].context_expr) not in STOPS
        or not _has_head(stop)
    ):
        return None
    at, target = stop.body.index(stmt), case.node(case.targets[0].where)
    # up to the target, where that stands there too
    later = [k for k, each in enumerate(stop.body) if target is not None and inside(target, each)]
    last = max([at, *later])
    for k in range(at + 1, len(stop.body)):  # and what is made of it
        moved = {name for each in stop.body[at : last + 1] for name in stored(each)}
        last = max(last, k) if names_used(stop.body[k]) & moved else last
    before, those, behind = stop.body[:at], stop.body[at : last + 1], stop.body[last + 1 :]
    ends, last_line = those[-1].end_lineno or 0, stop.end_lineno or 0
    own = [line.removeprefix("    ") for line in _lines(stop, stmt.lineno, ends)]
    if not before and not behind:
        return _stretch(own, stop.lineno, last_line)
    rest = [
        *_lines(stop, stop.lineno, stmt.lineno - 1),
        *_lines(stop, ends + 1, last_line),
    ]
    if not any(stored(each) & names_used(moved) for each in before for moved in those):
        return _stretch([*own, *rest], stop.lineno, last_line)
    return (
        None
        if any(stored(moved) & names_used(each) for each in behind for moved in those)
        else _stretch([*rest, *own], stop.lineno, last_line)
    )


# ---- into an outer block


def _outer_around(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The block and the slope that its tape gives, inside of the block of a second tape, which is
    asked for the slope of that.
    """
    block, stmt = block_of(case), statement(node)
    outer, slope = (
        free(node, "outer", "outer_tape"),
        ast.unparse(stmt.targets[0]) if isinstance(stmt, ast.Assign) else "",
    )
    around = siblings(block) if block is not None else []
    if (
        not outer
        or not slope
        or stmt not in around
        or not _has_head(block)
        or len(block.items) != 1
    ):
        return None
    lines, last = _indented(_lines(block, block.lineno, stmt.end_lineno)), stmt
    for each in around[around.index(stmt) + 1 :]:
        asked: list[Any] = [
            n
            for n in ast.walk(each)
            if isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute)
            and n.func.attr in (*PLAYS, "explain")
            and ast.unparse(n.func.value) in tape_names(case)
            and n.args
            and ast.unparse(n.args[0]) == slope
        ]
        if asked:
            lines += _lines(block, last.end_lineno + 1, each.lineno - 1)
            lines += written_anew([each], {n.func.value: outer for n in asked})
            last = each
    return _stretch(
        [f"with {ast.unparse(block.items[0].context_expr.func)}() as {outer}:", *lines],
        block.lineno,
        last.end_lineno,
    )


# ---- behind a head that was never there


def _entered(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """`tape = tf.GradientTape()` as the head of a block, and what follows inside of it, up to the
    target.
    """
    stmt, end = statement(node), case.node(case.targets[0].where)
    if not isinstance(stmt, ast.Assign) or stmt.value is not node or end is None:
        return None
    around = siblings(stmt)
    last = next((each for each in around[around.index(stmt) + 1 :] if inside(end, each)), None)
    if last is None:
        return None
    head = f"with {ast.unparse(stmt.value)} as {ast.unparse(stmt.targets[0])}:"
    return _stretch(
        [head, *_indented(_lines(stmt, (stmt.end_lineno or 0) + 1, last.end_lineno))],
        stmt.lineno,
        last.end_lineno,
    )


# ---- the head of the block


def _head(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The head as it should be: with a watch in the first line behind it, or for more than one
    gradient.
    """
    block = block_of(case)
    if block is None or len(block.items) != 1:
        return None
    head, over = (
        f"with {ast.unparse(block.items[0])}:",
        (block.lineno, _head_ends(block)) if _has_head(block) else None,
    )
    if why.category == "tape-used":
        return (
            Cure([head.replace("()", "(persistent=True)", 1)], over)
            if "()" in head and over
            else None
        )
    lines = [head, f"    {params['tape']}.watch({params['source']})"]
    return Cure(lines, over) if over else Cure([*lines, "    ..."])


# ---- lines of the learner's own


def _lines(node: Node, first: int, last: int) -> list[str]:
    """Return some lines of a file without the indentation of a statement, and without empty ones."""
    result = [line[node.col_offset :].rstrip() for line in node.file.lines[first - 1 : last]]
    return [line for line in result if line]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _stretch(lines: list[str], first: int, last: int) -> Cure | None:
    long = len(lines) > MOST_LINES or any(
        len(line) > LONGEST or '"""' in line or "'''" in line for line in lines
    )
    return None if long else Cure(lines, (first, last))


def _has_head(block: Node) -> bool:
    """True for a block whose head has its lines for itself."""
    return bool(block.body[0].lineno > _head_ends(block))


def _head_ends(block: Node) -> int:
    return max((i.optional_vars or i.context_expr).end_lineno for i in block.items)


MOVES: dict[str, Callable[..., Cure | None]] = {
    "computed-before": _into_block,
    "computed-after": _into_block,
    "outside-outer-tape": _into_block,
    "recording-stopped": _out_of_stop,
    "torch-no-grad": _out_of_stop,
    "tape-never-entered": _entered,
    "no-outer-tape": _outer_around,
    "not-watched": _head,
    "watched-too-late": _head,
    "watch-accessed-variables": _head,
    "tape-used": _head,
}
