"""The cures for what moves in steps: what is done with the step written by degrees, a draw.

The step itself has no slope, and often a number in its place would not even fit: a place is for
looking up, a yes for choosing. So the value is followed to where it is used, and *that* is written
anew, by the rows of `degrees`. What is used otherwise keeps its step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import FUNCTIONS, above, call_name, parent, statement, text_of

from ..case.words import say
from ..reasons.steps import says_where
from .fitting import keeps_shape, reads_of
from .patterns import Filled, climbing
from .rows import Rows
from .writing import LONGEST, between, free, written_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node, Stretch
    from .conditions import Match

STEPPING = ("piecewise-constant", "integer-cast")
LEFT = ("numpy-escape", "python-escape")
KINDS = ("place", "choice", "size")
SHOWN = ("print", "display")
GIVES_PLACES = ("argmax", "argmin", "argsort", "top_k", "searchsorted")
RUNNERS = ("numpy_function", "py_function", "py_func")
RANKS = ("argsort", "rankdata", "searchsorted", "argmax", "argmin")
MOST = 8  # so many uses are looked at


def by_degrees(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Stretch:
    """Return the lines with the uses of a step written by degrees, or None where one has none."""
    if params.get("variant") == "rule" or why.category not in (*STEPPING, *LEFT):
        return None
    result, said = _uses_by_degrees(case, node, params)
    if result is not None and why.category not in LEFT:
        params["variant"] = params.get("variant") or said
    elif result is not None and said == "place":
        params["instead_text"] = say("words", "weighed")
    else:
        return None
    return result


def advise(case: Case, why: Break, node: Node, params: dict[str, Any]) -> None:
    """Choose the advice that can be followed where there are no lines: a slope is passed straight
    through a number, but not through a bound, an answer, a place.
    """
    if params.get("variant") or why.category not in (*STEPPING, *LEFT, "partial-escape"):
        return
    rows, uses = Rows(case, node, params), [node]
    for each in uses:  # grows while it is read
        uses += _named_reads(rows, each) if len(uses) <= MOST else []
    around = [outer for use in uses for outer in climbing(use)]
    if any(map(is_bound, around)):
        params["variant"] = "bound"
    elif why.category not in STEPPING:
        if not params.get("instead_text"):
            params["variant"] = _advice(case, node)
    elif call_name(node) in case.dialect.groups["DRAW"]:
        params["variant"] = "drawn"
    elif any(rows.section("RIGHT", each) for each in around):
        params["variant"] = "agree"
    elif call_name(node) in GIVES_PLACES or says_where(case, node):
        params["variant"] = "weights"


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


def is_bound(node: Node) -> bool:
    """True for what takes whole numbers only: a slice, a range."""
    return isinstance(node, ast.Slice) or call_name(node) == "range"


def _uses_by_degrees(case: Case, node: Node, params: dict[str, Any]) -> tuple[Stretch, str]:
    rows, changes, said, weights = Rows(case, node, params), dict[Any, str](), "", ""
    todo = [node]
    for count, each in enumerate(todo):  # grows while it is read
        for kind in KINDS:
            result = rows.first([f"degrees.{kind}"], each)
            if result is not None:
                break
        if result is not None:
            texts = rows.text(result)
            if not texts or not keeps_shape(case, result.node, texts[0], node):
                return None, ""
            changes[result.node], said, weights = texts[0], kind, _weights(rows, result)
            continue
        reads = _named_reads(rows, each)
        if not reads or count > MOST:
            return None, ""
        todo += reads
    return _written(changes, weights if said == "place" else ""), said


def _weights(rows: Rows, match: Match) -> str:
    """Return the text that a row has for a step itself, or ""."""
    step = next((hole for hole in match.holes.values() if isinstance(hole, Filled)), None)
    if step is None:
        return ""
    named = match._replace(instead=[ast.Expr(step.instead)], holes={**match.holes, **step.holes})
    return "".join(rows.text(named))


def _written(changes: dict[Node, str], weights: str) -> Stretch:
    """Return the lines of some uses; with a name for the weights where a line would be too long."""
    stmts = between([statement(each) for each in changes])
    lines = written_anew(stmts, changes)
    name = free(stmts[0], "weights", "shares") if stmts and weights and not lines else ""
    first = f"{name} = {weights}"
    if name and len(first) <= LONGEST:
        short = {call: text.replace(weights, name) for call, text in changes.items()}
        rest = written_anew(stmts, short)
        lines = [first, *rest] if rest else []
    return (lines, stmts) if lines else None


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
