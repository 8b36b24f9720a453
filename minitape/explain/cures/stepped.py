"""The cures for what moves in steps: what is done with the step written by degrees, a draw.

The step itself has no slope, and often a number in its place would not even fit: a place is for
looking up, a yes for choosing. So the value is followed to where it is used, and *that* is written
anew, by the rows of `degrees`. What is used otherwise keeps its step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.names import assigned_names
from minitape.program.syntax import is_chain, statement

from ..case.words import say
from .fitting import read_later
from .patterns import Filled, climbing, last_name
from .rows import Rows, in_dialect
from .tried import keeps_shape
from .writing import LONGEST, between, free, written_anew

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .writing import Stretch

STEPPING = ("piecewise-constant", "integer-cast")
LEFT = ("numpy-escape", "python-escape")
KINDS = ("place", "agree", "choice", "size")
SHOWN = ("print", "display")
MOST = 8  # so many uses are looked at


def by_degrees(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Stretch:
    """Return the lines with the uses of a step written by degrees, or None where one has none."""
    if params.get("variant") == "rule" or why.category not in (*STEPPING, *LEFT):
        return None
    found, said = score_function(case, node, params["tf"]), "drawn"
    if found is None:
        found, said = _uses_by_degrees(case, node, params)
    if found is None or not found[0] or why.category in LEFT and said != "place":
        return None
    if why.category in LEFT:
        params["instead_text"] = say("words", "weighed")
    else:
        params["variant"] = params.get("variant") or said
    return found


def _uses_by_degrees(case: Case, node: Node, params: dict[str, Any]) -> tuple[Stretch, str]:
    rows, changes, said, weights = Rows(case, node, params), dict[Any, str](), "", ""
    todo = [node]
    for count, each in enumerate(todo):  # grows while it is read
        for kind in KINDS:
            found = rows.first([f"degrees.{kind}"], each)
            if found is not None:
                break
        if found is not None:
            texts = rows.text(found)
            if not texts or not keeps_shape(case, found.node, texts[0], node):
                return None, ""
            changes[found.node], said = texts[0], kind
            weights = next(
                (
                    "".join(
                        rows.text(
                            found._replace(
                                instead=[ast.Expr(h.instead)], holes={**found.holes, **h.holes}
                            )
                        )
                    )
                    for h in found.holes.values()
                    if isinstance(h, Filled)
                ),
                "",
            )
            continue
        reads = _named_reads(rows, each)
        if not reads or count > MOST:
            return None, ""
        todo += reads
    return _written(changes, weights if said == "place" else ""), said


def _named_reads(rows: Rows, node: Node) -> list[Node]:
    """Return where a step is read under a name, itself or as a place, a yes, an answer."""
    for each in climbing(node):
        names = assigned_names(each) if isinstance(each, ast.expr) else []
        carried = (
            each is node
            or rows.around(each) is not None
            or any(rows.section(s, each) for s in ("YES", "RIGHT", "PLACE"))
        )
        if len(names) == 1 and carried:
            reads = read_later(rows.case, each, names[0])
            return [
                r
                for r in reads
                if not (isinstance(s := statement(r), ast.Expr) and last_name(s.value) in SHOWN)
            ]
    return []


def _written(changes: dict[Node, str], weights: str) -> Stretch:
    """Return the lines of some uses; with a name for the weights where a line would be too long."""
    stmts = between([statement(each) for each in changes])
    lines = written_anew(stmts, changes) if stmts else []
    name = free(stmts[0], "weights", "shares") if stmts and not lines and weights else ""
    if name and len(weights) + len(name) + 3 <= LONGEST:
        lines = written_anew(
            stmts, {call: text.replace(weights, name) for call, text in changes.items()}
        )
        lines = [f"{name} = {weights}", *lines] if lines else []
    return (lines, stmts) if lines else None


# ---- a choice that is drawn


def score_function(case: Case, node: Any, tf: str) -> Stretch:
    """Return the lines from a draw to the target, with the probability of what was drawn; or None.

    What is drawn has no slope, but its probability has. The target is multiplied by a 1 whose slope
    is that of the logarithm of the probability: the gradient is then right on average.
    """
    target, end = (
        case.target_name,
        statement(case.node(case.targets[0].where))
        if case.node(case.targets[0].where) is not None
        else None,
    )
    if (
        last_name(node) not in case.dialect.groups["DRAW"]
        or not node.args
        or len(case.targets) > 1
        or np.size(case.targets[0].value) != 1
    ):
        return None
    stmt: Any = statement(node)
    drawn = (
        ast.unparse(stmt.targets[0])
        if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1
        else ""
    )
    stretch = between([stmt, end]) if end is not None and end is not stmt else []
    ends = isinstance(end, ast.Assign) and [ast.unparse(t) for t in end.targets] == [target]
    if end is None or not drawn.isidentifier() or not ends or not stretch or stretch[0] is not stmt:
        return None
    logits, name = node.args[0], free(node, "log_p", "log_probability")
    of = ast.unparse(logits) if is_chain(logits) else free(node, "logits", "scores")
    if not name or not of:
        return None
    first = [] if is_chain(logits) else [f"{of} = {ast.unparse(logits)}"]
    drawn_p = "tf.reduce_sum(tf.gather(tf.nn.log_softmax(X), D, axis=1, batch_dims=1))"
    log_p = in_dialect(case, tf, drawn_p, X=of, D=drawn)
    weighed = in_dialect(case, tf, "T * tf.exp(P - tf.stop_gradient(P))", T=target, P=name)
    times = f"{target} = {weighed}"
    changes = {
        stmt: [*first, *written_anew([stmt], {logits: of})],
        end: [ast.unparse(end), f"{name} = {log_p}", times],
    }
    return written_anew(stretch, changes), stretch
