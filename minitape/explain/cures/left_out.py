"""The cures for what was left out of the way: a result that nothing reads, or columns of a whole."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.names import assigned_names
from minitape.program.syntax import is_chain, names_used, siblings, statement, text_of

from ..reasons.outside import block_of
from .rows import in_dialect
from .tried import agrees, keeps_shape
from .writing import named, written_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node, Stretch


def read_instead(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Stretch:
    """The next line that reads what a dropped result was made of, or an older name of it, `actions`
    for `new_actions`: with the result in its place.
    """
    stmt = statement(node)
    name = named(stmt, node)
    if why.params.get("variant") != "ends.there" or not name.isidentifier():
        return None
    around = siblings(stmt)
    for later in around[around.index(stmt) + 1 :]:
        names = [
            n for n in ast.walk(later) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        ]
        reads = [n for n in names if name.endswith(f"_{n.id}")]
        reads = reads or [n for n in names if n.id in names_used(node)]
        if reads:
            fits = all(keeps_shape(case, n, name, node) for n in reads)
            lines = written_anew([later], dict.fromkeys(reads, name)) if fits else []
            return (lines, [later]) if lines else None
    return None


def joined(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """The line of the block that reads a whole: the columns that were cut out of it, joined."""
    block = block_of(case)
    if why.params.get("variant") != "copy" or block is None or not isinstance(node, ast.Subscript):
        return None
    whole = text_of(node.value)
    cut: list[Any] = case.program.each((ast.Subscript,), whole.rpartition(".")[2])
    parts = [
        names[0]
        for each in cut
        if isinstance(each.ctx, ast.Load) and text_of(each.value) == whole
        if (names := assigned_names(each))
    ]
    reads = [
        n
        for n in ast.walk(block)
        if is_chain(n) and text_of(n) == whole and isinstance(getattr(n, "ctx", None), ast.Load)
    ]
    if len(reads) != 1 or len(parts) < 2:
        return None
    columns: Any = ast.parse(f"[{', '.join(parts)}]", mode="eval").body
    new = in_dialect(case, params["tf"], "tf.concat(X, axis=-1)", X=columns)
    lines = written_anew([statement(reads[0])], {reads[0]: new})
    if not lines or not agrees(case, reads[0], new):
        return None
    params["variant"] = "columns"
    return lines, [statement(reads[0])]
