"""The cure for a choice that is drawn at random: the score function.

What is drawn has no slope, but the probability of what was drawn has one. The target is multiplied
by a 1 whose slope is that of the logarithm of the probability: the number stays, and the gradient
becomes an estimate that is right on average.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import inside, is_chain, statement

from .rewritten import free, siblings, written_anew
from .softly import last_name

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from .by_degrees import Found

DRAWS = ("categorical", "stateless_categorical")


def score_function(case: Case, node: Any, tf: str) -> Found:
    """Return the lines from the draw to the target, with the probability of what was drawn; or None
    where they stand apart.
    """
    target, end = (
        case.target_name,
        statement(case.node(case.targets[0].where))
        if case.node(case.targets[0].where) is not None
        else None,
    )
    if (
        last_name(node) not in DRAWS
        or not node.args
        or len(case.targets) > 1
        or np.size(case.targets[0].value) != 1
    ):
        return None
    stmt, logits = statement(node), node.args[0]
    around = siblings(stmt)
    drawn = (
        ast.unparse(stmt.targets[0])
        if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1
        else ""
    )
    if (
        not drawn.isidentifier()
        or not inside(node, stmt.value)
        or end not in around
        or around.index(end) <= around.index(stmt)
        or not isinstance(end, ast.Assign)
        or [ast.unparse(t) for t in end.targets] != [target]
    ):
        return None
    name, of = (
        free(node, "log_p", "log_probability"),
        ast.unparse(logits) if is_chain(logits) else free(node, "logits", "scores"),
    )
    if not name or not of:
        return None
    first = [] if is_chain(logits) else [f"{of} = {ast.unparse(logits)}"]
    beside = written_anew([stmt], {logits: of})
    stretch: list[Node] = around[around.index(stmt) : around.index(end) + 1]
    lines = written_anew(
        stretch,
        {
            stmt: [*first, *beside],
            end: [
                ast.unparse(end),
                f"{name} = {tf}.reduce_sum({tf}.gather({tf}.nn.log_softmax({of}), {drawn}, "
                "axis=1, batch_dims=1))",
                f"{target} = {target} * {tf}.exp({name} - {tf}.stop_gradient({name}))",
            ],
        },
    )
    return (lines, stretch, "drawn") if lines else None
