"""The cures for what moves in steps: what is done with the step written by degrees, a draw.

The step itself has no slope, and often a number in its place would not even fit: a place is for
looking up, a yes for choosing. So the value is followed to where it is used, and *that* is written
anew, by the rows of `degrees`. What is used otherwise keeps its step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import (
    FUNCTIONS,
    above,
    call_name,
    climbing,
    names_used,
    parent,
    statement,
    text_of,
)

from ..case.words import say
from ..reasons.steps import says_where
from .fitting import keeps_shape, reads_of
from .patterns import Filled
from .rows import Rows
from .writing import LONGEST, Cure, between, free, named, stored, written_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node
    from .conditions import Match

STEPPING = ("piecewise-constant", "integer-cast")
LEFT = ("numpy-escape", "python-escape")
KINDS = ("place", "choice", "size")
SHOWN = ("print", "display")
GIVES_PLACES = ("argmax", "argmin", "argsort", "top_k", "searchsorted")
RUNNERS = ("numpy_function", "py_function", "py_func")
RANKS = ("argsort", "rankdata", "searchsorted", "argmax", "argmin")
MOST = 8  # so many uses are looked at


def by_degrees(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """Return the lines with the uses of a step written by degrees, or None where one has none."""
    if params.get("variant") == "rule" or why.category not in (*STEPPING, *LEFT):
        return None
    rows, changes, kind, weights = Rows(case, node, params), dict[Any, str](), "", ""
    todo = [node]
    for count, each in enumerate(todo):  # grows while it is read
        fits = ((kind, rows.first([f"degrees.{kind}"], each)) for kind in KINDS)
        kind, match = next((each for each in fits if each[1] is not None), (kind, None))
        if match is not None:
            texts = rows.text(match)
            if not texts or not keeps_shape(case, match.node, texts[0], node):
                return None
            changes[match.node], weights = texts[0], _weights(rows, match)
            continue
        reads = _named_reads(rows, each)
        if not reads or count > MOST:
            return None
        todo += reads
    stmt: Any = statement(node)
    again = stored(stmt) & names_used(getattr(stmt, "value", stmt))  # scores = scores.argmax(-1)
    if again and any(again & names_used(ast.parse(text)) for text in changes.values()):
        name = named(stmt, getattr(stmt, "value", None))
        if not weights or not name or not all(weights in text for text in changes.values()):
            return None
        changes = {use: text.replace(weights, name) for use, text in changes.items()}
        changes[stmt.value], weights = weights, ""
    result = _written(changes, weights if kind == "place" else "")
    if why.category not in LEFT:
        said = {"variant": params.get("variant") or kind}
        return result and result._replace(said=said)
    said = {"instead_text": say("words", "weighed")}
    return result and result._replace(said=said) if kind == "place" else None


def advise(case: Case, why: Break, node: Node, params: dict[str, Any]) -> str:
    """Return the variant of the advice that can be followed where there are no lines, or "": a
    slope is passed straight through a number, but not through a bound, an answer, a place.
    """
    if params.get("variant") or why.category not in (*STEPPING, *LEFT, "partial-escape"):
        return ""
    rows, uses = Rows(case, node, params), [node]
    for each in uses:  # grows while it is read
        uses += _named_reads(rows, each) if len(uses) <= MOST else []
    around = [outer for use in uses for outer in climbing(use)]
    # what takes whole numbers only
    if any(isinstance(each, ast.Slice) or call_name(each) == "range" for each in around):
        return "bound"
    if why.category not in STEPPING:
        return "" if params.get("instead_text") else _advice(case, node)
    if call_name(node) in case.dialect.groups["DRAW"]:
        return "drawn"
    if any(rows.section("RIGHT", each) for each in around):
        return "agree"
    return "weights" if call_name(node) in GIVES_PLACES or says_where(case, node) else ""


def _advice(case: Case, node: Any) -> str:
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


def _weights(rows: Rows, match: Match) -> str:
    """Return the text that a row has for a step itself, or ""."""
    step = next((hole for hole in match.holes.values() if isinstance(hole, Filled)), None)
    if step is None:
        return ""
    named = match._replace(instead=[ast.Expr(step.instead)], holes={**match.holes, **step.holes})
    return "".join(rows.text(named))


def _written(changes: dict[Node, str], weights: str) -> Cure | None:
    """Return the lines of some uses; with a name for the weights where a line would be too long."""
    stmts = between([statement(each) for each in changes])
    lines = written_anew(stmts, changes)
    name = free(stmts[0], "weights", "shares") if stmts and weights and not lines else ""
    first = f"{name} = {weights}"
    if name and len(first) <= LONGEST:
        short = {call: text.replace(weights, name) for call, text in changes.items()}
        rest = written_anew(stmts, short)
        lines = [first, *rest] if rest else []
    return Cure(lines, stmts) if lines else None


def _named_reads(rows: Rows, node: Node) -> list[Node]:
    """Return where a step is read under a name, itself or as a place, a yes."""
    for each in climbing(node):
        carried = each is node or rows.around(each) is not None
        carried = carried or any(rows.section(name, each) for name in ("YES", "PLACE"))
        reads = reads_of(rows.case, each) if carried and isinstance(each, ast.expr) else []
        if reads:
            shown = [call_name(getattr(statement(read), "value", None)) for read in reads]
            return [read for read, name in zip(reads, shown) if name not in SHOWN]
    return []
