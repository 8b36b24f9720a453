"""Numbers that lost their decimals in Python: `int(x)`, `round(x, 2)`, `float(f"{x:.2f}")`, and how
the library writes the same number.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from minitape.program.names import assigned_names
from minitape.program.syntax import is_chain, parent, statement

from .fitting import read_later
from .rewritten import written_anew

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from .rewritten import Stretch


def cut(call: Any, tf: str) -> tuple[Node, str] | None:
    """Return what a call of `float`, `int` or `round` makes a number of, and a pattern for the same
    number by the library ("" for x).
    """
    name, args = ast.unparse(call.func), call.args
    if not args or call.keywords:
        return None
    if name == "int" and len(args) == 1:
        return args[0], f"{tf}.cast({tf}.cast({{0}}, {tf}.int32), {tf}.float32)"
    if name == "round":
        digits = args[1] if len(args) > 1 else ast.Constant(0)
        return (
            (args[0], _rounding(digits.value, tf))
            if isinstance(digits, ast.Constant) and isinstance(digits.value, int)
            else None
        )
    if name != "float" or len(args) > 1:
        return None
    return (args[0], "") if not _is_text(args[0]) else _formatted(args[0], tf)


def read_back(case: Case, node: Any, tf: str) -> Stretch:
    """Return the line that reads a number back from a text with some decimals, with that number
    itself; or None.
    """
    names = assigned_names(node) if _is_text(node) else []
    reads = [parent(read) for read in read_later(case, node, names[0])] if len(names) == 1 else []
    found = (
        _formatted(node, tf)
        if len(reads) == 1 and ast.unparse(reads[0]) == f"float({names[0]})"
        else None
    )
    if found is None or not is_chain(found[0]):
        return None
    x, stmt = ast.unparse(found[0]), statement(reads[0])
    return written_anew(
        [stmt], {reads[0]: f"{x} + {tf}.stop_gradient({found[1].format(x)} - {x})"}
    ), [stmt]


def _is_text(node: Any) -> bool:
    return (
        isinstance(node, ast.JoinedStr)
        or isinstance(node, ast.BinOp)
        and _text_of(node.left) is not None
        or isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "format"
    )


def _text_of(node: Any) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _formatted(node: Any, tf: str) -> tuple[Node, str] | None:
    """A text with a fixed number of decimals."""
    if isinstance(node, ast.JoinedStr):
        only: Any = node.values[0] if len(node.values) == 1 else None
        spec: Any = getattr(only, "format_spec", None)
        of, text = (
            (only.value, "".join(_text_of(v) or "?" for v in spec.values))
            if spec is not None
            else (None, "")
        )
    elif isinstance(node, ast.BinOp):
        of, text = node.right, (_text_of(node.left) or "").removeprefix("%")
    elif isinstance(node.func, ast.Attribute):
        of, text = (
            (node.args or [None])[0],
            (_text_of(node.func.value) or "").removeprefix("{:").removesuffix("}"),
        )
    else:
        of, text = (
            (node.args[0], _text_of(node.args[1]) or "") if len(node.args) == 2 else (None, "")
        )
    digits = re.fullmatch(r"\.(\d)f", text)
    return (of, _rounding(int(digits[1]), tf)) if of is not None and digits else None


def _rounding(digits: int, tf: str) -> str:
    scale = 10.0**digits
    return f"{tf}.round({{0}} * {scale}) / {scale}" if digits else f"{tf}.round({{0}})"
