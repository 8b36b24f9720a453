"""The cure for whole numbers: the call that made them, making floating-point numbers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import call_name

from .rows import in_dialect

if TYPE_CHECKING:
    from ..case.aliases import Case, Node

CAST = "tf.cast(X, tf.float32)"
LITERAL = (ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)


def _takes_part(case: Case) -> bool:
    """True for a source that something is computed from, and that is a variable or watched."""
    watched = case.source.is_variable or any(
        call_name(call) == "watch" and case.source_name in ast.unparse(call)
        for call in case.program.each((ast.Call,), "watch")
    )
    return watched and case.source.id in case.evidence.used


def as_float(case: Case, node: Node, tf: str) -> str:
    """Return a call with 3.0 for 3 where a number is written down, else with a cast; or ""."""
    if (
        not _takes_part(case)
        or not isinstance(node, ast.Call)
        or not node.args
        and not node.keywords
        or isinstance(node.args[:1] and node.args[0], ast.Starred)
    ):
        return ""
    new: Any = ast.parse(ast.unparse(node), mode="eval").body
    name, to_float = (
        call_name(node),
        ast.parse(in_dialect(case, tf, "tf.float32"), mode="eval").body,
    )
    dtypes = [k for k in new.keywords if k.arg == "dtype"]
    for keyword in dtypes:
        keyword.value = to_float
    if name in case.dialect.wrappers:
        named = next((k for k in new.keywords if k.arg in ("initial_value", "value")), None)
        if not new.args and named is not None:  # tf.Variable(initial_value=3)
            new.args = [named.value]
            new.keywords.remove(named)
        if not new.args or isinstance(new.args[0], ast.Lambda):
            return ""
        if name != "Variable":  # whose second argument is `trainable`
            new.args[1:2] = [to_float] * len(new.args[1:2])
        new.args[0] = (
            _floats(new.args[0])
            or ast.parse(in_dialect(case, tf, CAST, X=new.args[0]), mode="eval").body
        )
    elif name == "cast":
        new.args[1:2] = [to_float] * len(new.args[1:2])
    elif not dtypes:
        return "" if case.source.is_variable else in_dialect(case, tf, CAST, X=node)
    return ast.unparse(new)


def _floats(value: Any) -> Any:
    """Return numbers that are written down, with 3.0 for each 3; or None for what is computed."""
    if not all(isinstance(n, LITERAL) for n in ast.walk(value)):
        return None
    for constant in ast.walk(value):
        if isinstance(constant, ast.Constant) and type(constant.value) is int:
            constant.value = float(constant.value)
    return value
