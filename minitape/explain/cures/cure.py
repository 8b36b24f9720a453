"""The cure as code: what to write instead, in the learner's own names, ready to be pasted.

Most cures are rows of the dialect's table (`rows`). What no pattern tells, because it moves lines
or follows a value through the program, is in the other files of this folder; `WAYS` says which.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import call_name, climbing, statement

from ..case.definitions import definition
from ..reasons.labels import LABEL
from ..reasons.namesakes import called
from ..reasons.outside import block_of
from . import asked, leaves, library, moved, rewritten, stepped
from .fitting import slopes, used_otherwise
from .rows import Rows, in_dialect, outermost
from .stepped import LEFT
from .writing import Cure, alone, head_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node

WAYS: dict[str, tuple[Callable[..., Cure | None], ...]] = {
    **{category: (move,) for category, move in moved.MOVES.items()},
    **leaves.WAYS,
    "torch-no-grad": (moved.MOVES["torch-no-grad"], leaves.recorded_again),
    "variable-replaced": (rewritten.in_place,),
    "state-assign": (rewritten.kept_beside,),
    "computed-before": (moved.each_time, moved.MOVES["computed-before"]),
    "variable-made-anew": (rewritten.made_once,),
    "carried-over": (rewritten.one_block,),
    "batch-not-used": (rewritten.with_batch,),
    "outer-tape-late": (rewritten.outer_first,),
    "outside-outer-tape": (rewritten.outer_first, moved.MOVES["outside-outer-tape"]),
    "same-object": (rewritten.each_its_own,),
    "python-escape": (leaves.of_a_row, rewritten.as_the_row_says, library.stays),
    "numpy-escape": (library.stays, rewritten.collected, library.without_runner),
    "branch-not-taken": (asked.both_branches, asked.anew),
    "not-trainable": (asked.anew,),
    "constant-gradient": (asked.anew,),
    "another-object": (rewritten.joined, asked.behind, asked.anew),
    "not-used": (rewritten.read_instead, asked.anew),
    "exploding": (asked.clipped,),
    "stop-gradient": (rewritten.with_own_loss,),
    "zero-flat": (rewritten.not_from_zero,),
}
# the line is plain in the text, certain or not
FROM_TEXT = ("branch-not-taken", "variable-replaced", "same-object", *moved.MOVES)
# what is told of an expression, and cured there
TRIED = (
    *("nan-forward", "inf-forward", "nan-backward", "inf-backward", "where-nan", "zero-flat"),
    *("piecewise-constant", "integer-cast", "stop-gradient"),
)


def cure(case: Case, why: Break, node: Node, params: dict[str, Any]) -> dict[str, Any]:
    """Return what an answer says of its cure: `cure`, the lines to write instead, or []; `over`:
    which lines they replace, where that is not the guilty statement; and what it says otherwise.
    """
    ways = (*WAYS.get(why.category, ()), stepped.by_degrees)
    ways = (*(ways if why.certain or why.category in FROM_TEXT else ()), _changed)
    tried = ways if node is not None or why.category == "tape-used" else ()
    try:
        results = (way(case, why, node, params) for way in tried)
        result = next((each for each in results if each is not None and each.lines), None)
        if result is not None and (
            isinstance(result.place, tuple) or all(map(alone, result.place))
        ):
            over = _over(case, node, result.place)
            if _may_mend(case, why, node, result.lines, {**params, **over}):
                result = leaves.unflagged(why, node, result)
                over = _over(case, node, result.place)
                return {"cure": result.lines, **result.said, **over}
    except RecursionError:  # a formula that is nested too deep to be written anew
        return {"cure": []}
    variant = stepped.advise(case, why, node, params)
    return {"cure": [], "variant": variant} if variant else {"cure": []}


def _over(case: Case, node: Node, place: Any) -> dict[str, Any]:
    """Return which lines of which file a cure replaces; {} where it is the guilty statement."""
    if isinstance(place, tuple):
        return {"over": ((block_of(case) or node).file.filename, *place)}
    if not place:
        return {}
    first = min(n.lineno for n in (place[0], *getattr(place[0], "decorator_list", ())))
    return {"over": (place[0].file.filename, first, place[-1].end_lineno)}


def _may_mend(case: Case, why: Break, node: Node, lines: list[str], params: dict[str, Any]) -> bool:
    """False where lines are known to leave the gradient as it was: what is computed goes into a
    variable, or the one line in the place of the guilty one has no slope itself.
    """
    if why.category in (*LEFT, "computed-after"):
        stored = "Variable", *case.dialect.changes
        calls = [each for each in climbing(node) if call_name(each) in stored]
        return not any(f"{ast.unparse(call.func)}(" in line for call in calls for line in lines)
    stmt: Any = statement(node)
    head = getattr(stmt, "value", None) is None  # of a loop, a branch
    if why.category not in TRIED or len(lines) != 1 or head or "over" in params:
        return True
    old, new = [getattr(each, "value", None) for each in (stmt, ast.parse(lines[0]).body[0])]
    steep = params["answer"] == "zero"
    return old is None or new is None or slopes(case, old, ast.unparse(new), steep)


def _changed(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The guilty statement with other text for the guilty expression."""
    category, variant = why.category, params.get("variant") or ""
    if not isinstance(node, ast.expr) or not alone(statement(node)):
        return None
    if case.dialect.alike and category in LEFT:
        return None  # a tensor that wants a gradient goes into nothing of NumPy's
    if category in (*LEFT, "partial-escape"):
        return _inside(case, why, node, params) if why.certain else None
    result = Rows(case, node, params).stretch([category, f"{category}.{variant}"], node)
    if result is None and category == "not-trainable" and variant != "asked":
        return moved.MOVES["not-watched"](case, why, node, params)
    if not why.certain or variant == "rule" or used_otherwise(case, node, category):
        return None
    if category == "integer-dtype" and "places" not in params:
        text = rewritten.as_float(case, node, params["tf"])
        return Cure(head_anew({outermost(case, node): text})) if text else None
    return result if result is None or len(result.lines) > 1 else Cure(result.lines)


def _inside(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The guilty statement by the library's own functions, or a stretch of lines."""
    new, said = library.stays_inside(case, node, params)
    lines = head_anew({outermost(case, old): text for old, text in new.items()}) if new else []
    if not lines:
        return library.in_the_library(case, node, params) if why.category in LEFT else None
    stmt: Any = statement(node)
    if isinstance(stmt, ast.Assign):
        made: Any = ast.parse(lines[0]).body[0]
        target, value = stmt.targets[0], made.value
        if isinstance(target, ast.Subscript) and called(case, definition(case, target.value)):
            return rewritten.collected(case, why, target, params, value)
        name = ast.unparse(target).rpartition(".")[2]
        if why.category == "partial-escape" and len(stmt.targets) == 1 and LABEL.search(name):
            still = in_dialect(case, params["tf"], "tf.stop_gradient(X)", X=value)
            return Cure([f"{ast.unparse(target)} = {still}"])  # a label stands still
    return Cure([*lines, *library.constants_of_lists(case, node, why)], said=said)
