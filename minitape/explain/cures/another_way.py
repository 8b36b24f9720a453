"""The cure that takes another way to the same: an operation that has a gradient, the mean itself
for a metric that keeps it, a label that stands beside, a start that is not zero.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import FUNCTIONS, above, is_chain, operands, parent, statement

from ..case.calls import definition
from ..case.case import definitions
from ..reasons.labels import LABEL
from .fitting import read_later
from .rewritten import LOOPS, free, siblings, written_anew
from .softly import last_name
from .tried import agrees

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .rewritten import Stretch

# An operation without a gradient: a part that is computed once (or ""), and the same number by
# operations that have one.
SAME = {
    "truncatemod": ("", "{tf}.math.floormod({0}, {1})"),
    "adjust_contrast": (
        "{tf}.reduce_mean({0}, axis=[-3, -2], keepdims=True)",
        "({0} - {part}) * {1} + {part}",
    ),
}
METRICS = {
    "Mean": "{tf}.reduce_mean({0})",
    "MeanSquaredError": "{tf}.reduce_mean(({0} - {1}) ** 2)",
    "MeanAbsoluteError": "{tf}.reduce_mean({tf}.abs({0} - {1}))",
}


def same_number(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """An operation without a gradient, by others that have one, where these give the same number."""
    kind, args = last_name(node), getattr(node, "args", [])
    if (
        kind not in SAME
        or len(args) != 2
        or node.keywords
        or isinstance(statement(node), (ast.With, *LOOPS))
    ):
        return None
    part, pattern = SAME[kind]
    texts = [
        ast.unparse(a) if is_chain(a) or isinstance(a, ast.Constant) else f"({ast.unparse(a)})"
        for a in args
    ]
    whole, name = part.format(*texts, tf=tf), free(node, "mean", "mean_value") if part else ""
    if (
        part
        and (not name or not is_chain(args[0]))
        or not agrees(case, node, pattern.format(*texts, tf=tf, part=whole))
    ):
        return None
    new = ast.unparse(ast.parse(pattern.format(*texts, tf=tf, part=name), mode="eval").body)
    first = [f"{name} = {whole}"] if part else []
    lines = written_anew([statement(node)], {node: new})
    return ([*first, *lines], [statement(node)]) if lines else None


def without_metric(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """What a metric was given last, averaged, in the place of its result."""
    if (
        last_name(node) != "update_state"
        or node.keywords
        or above(node, LOOPS, stop=(*FUNCTIONS, ast.With)) is not None
    ):
        return None
    held, stmt, args = node.func.value, statement(node), [ast.unparse(a) for a in node.args]
    pattern = METRICS.get(last_name(definition(case, held)), "")
    if not pattern or len(args) != 1 + ("{1}" in pattern) or stmt.value is not node:
        return None
    results = [
        n
        for n in ast.walk(node.file.tree)
        if isinstance(n, ast.Call)
        and ast.unparse(n) == f"{ast.unparse(held)}.result()"
        and above(n, FUNCTIONS) is above(node, FUNCTIONS)
    ]
    end = statement(results[0]) if len(results) == 1 else None
    if end is None or end.lineno <= stmt.lineno:
        return None
    new = pattern.format(*args, tf=tf)
    if end in siblings(stmt):
        return written_anew([end], {results[0]: new}), [end]
    block = parent(stmt)
    if (
        not isinstance(block, ast.With)
        or end not in siblings(block)
        or not isinstance(end, ast.Assign)
        or end.value is not results[0]
    ):
        return None
    beside = siblings(block)
    stretch: list[Node] = beside[beside.index(block) : beside.index(end) + 1]
    lines = written_anew(
        stretch[:-1], {stmt: [ast.unparse(stmt), f"{ast.unparse(end.targets[0])} = {new}"]}
    )
    return (lines, stretch) if lines else None


def mean_where_it_is_asked(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """The mean of what a function returned, where that gets the name that is asked for."""
    made: Any = definition(case, case.target_node) if case.target_node is not None else None
    if isinstance(parent(node), ast.Assign) or not isinstance(
        parent(made) if made is not None else None, ast.Assign
    ):
        return None
    return written_anew([statement(made)], {made: f"{tf}.reduce_mean({ast.unparse(made)})"}), [
        statement(made)
    ]


def label_beside(case: Case, node: Any) -> str:
    """Return a loss of a prediction with itself, with the one name of a label that nothing reads;
    or "".
    """
    names = {
        n.id
        for file in case.program.trees()
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Name) and LABEL.search(n.id)
    }
    unread = [
        name
        for name in names
        if not any(read_later(case, made, name) for made in definitions(name, case.program))
    ]
    if len(unread) != 1 or len(node.args) < 2:
        return ""
    return ast.unparse(ast.Call(node.func, [ast.Name(unread[0]), *node.args[1:]], node.keywords))


def not_from_zero(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """The variable that is a factor 0, begun with small random numbers."""
    if why.params.get("variant") != "factor":
        return None
    for side in operands(node, 2):
        variable = next(
            (
                v
                for v in case.evidence.variables().values()
                if side is not None and case.label_of(v) == ast.unparse(side)
            ),
            None,
        )
        made: Any = (
            case.node(variable.where)
            if variable is not None and not np.any(variable.value)
            else None
        )
        if last_name(made) == "Variable" and made.args:
            shape = list(np.shape(variable.value))
            return written_anew(
                [statement(made)], {made.args[0]: f"{tf}.random.normal({shape}, stddev=0.1)"}
            ), [statement(made)]
    return None


ANOTHER_WAY = {
    "no-gradient-registered": same_number,
    "metric-state": without_metric,
    "summed-target": mean_where_it_is_asked,
    "zero-flat": not_from_zero,
}
