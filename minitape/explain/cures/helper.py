"""The cure for what is computed in NumPy over several lines: a helper function, or a stretch of the
block, in the library's own functions.

Where an array is made of a tensor and given a name, one new line is not enough: whatever is done
with that name must change as well. So the lines from there on are written anew, name by name, and
both versions are run once more on the numbers of this run. They are offered where both give the
same.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import FUNCTIONS, above, names_used, parent, statement

from ..case.calls import calls_of
from ..reasons.namesakes import called
from .fitting import fits
from .rewritten import LONGEST, MOST_LINES, siblings, written_anew
from .taken_back import Back, NoLineError
from .tried import same_result

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from .rewritten import Stretch


def in_the_library(case: Case, node: Node, tf: str) -> Stretch:
    """Return the lines from an escape on in the library's own functions, and the statements that
    they stand in place of; or None.
    """
    function, first = above(node, FUNCTIONS), statement(node)
    body: list[Any] = siblings(first)
    if isinstance(function, ast.Lambda) or function is not None and parent(first) is not function:
        return None
    back, changes, last = Back(case, tf), dict[Any, Any](), first
    rest = body[body.index(first) :]
    try:
        for stmt in rest:
            if not back.leaves(stmt) and not _arrays(case, stmt, first):
                continue
            if not isinstance(stmt, (ast.Assign, ast.Return)) or stmt.value is None:
                raise NoLineError  # a loop, a place in an array
            if isinstance(stmt, ast.Assign):
                if len(stmt.targets) > 1 or not isinstance(stmt.targets[0], ast.Name):
                    raise NoLineError
                back.names.add(stmt.targets[0].id)
            changes[stmt.value], last = _converted(back, stmt.value), stmt
    except NoLineError:
        return None
    if function is not None and not all(fits(case, call) for call in calls_of(case, function)):
        return None
    stretch: list[Node] = rest[: rest.index(last) + 1]
    lines = written_anew(
        stretch, {old: text for old, text in changes.items() if text != ast.unparse(old)}
    )
    if not lines or len(lines) > MOST_LINES or any(len(line) > LONGEST for line in lines):
        return None
    return (
        (lines, stretch)
        if lines != written_anew(stretch, {}) and same_result(case, function, stretch, lines)
        else None
    )


def _arrays(case: Case, stmt: Node, first: Node) -> bool:
    """True for a later `b = np.asarray(b)`, whose array would stand beside a tensor."""
    value = getattr(stmt, "value", None)
    return (
        stmt is not first
        and isinstance(stmt, ast.Assign)
        and called(case, value) in ("array", "asarray")
    )


def _converted(back: Back, value: Any) -> str:
    """Return an expression by the library; what was made a constant of an array is converted."""
    names = names_used(value)
    text = (
        back.text(value)
        if back.leaves(value) or not names
        else f"{back.tf}.convert_to_tensor({ast.unparse(value.args[0])})"
    )
    constants = [
        n
        for n in ast.walk(value)
        if isinstance(n, ast.Call)
        and ast.unparse(n.func) == f"{back.tf}.constant"
        and back.leaves(n)
    ]
    return (
        text.replace(f"{back.tf}.constant(", f"{back.tf}.convert_to_tensor(") if constants else text
    )
