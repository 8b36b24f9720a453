"""The cure as code: the guilty line written anew, in the learner's own names, ready to be pasted.

A cure changes one expression of one statement: `loss = np.mean(h)` becomes `loss =
tf.reduce_mean(h)`. What takes more than that is in the other files of this folder.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from minitape.program.names import assigned_names
from minitape.program.syntax import above, parent, statement

from ..case.calls import definition
from ..case.words import say
from ..reasons.labels import LABEL
from ..reasons.namesakes import called
from ..reasons.outside import block_of
from .another_way import ANOTHER_WAY, label_beside
from .asked import ASKED
from .awaited import called_at_once
from .by_degrees import INDICES, by_degrees, call_around, smooth
from .cut import read_back
from .drawn import score_function
from .finite import called_with, kept_defined, kept_finite, safe_input, sloping
from .helper import in_the_library
from .moved import MOVES
from .rewritten import LONGEST, REWRITINGS, Put
from .softly import bins, last_name
from .taken_back import stays_inside

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break

WRAPPERS = ("constant", "convert_to_tensor", "Variable")
LEFT = ("numpy-escape", "python-escape")
STEPPING = ("piecewise-constant", "integer-cast")


# the line is plain in the text, certain or not
FROM_TEXT = ("branch-not-taken", "variable-replaced")


def cure(case: Case, why: Break, node: Node, tf: str, params: dict[str, Any]) -> list[str]:
    """Return the lines to write instead, or []; `params["over"]` tells which lines they replace,
    where that is not the guilty statement.
    """
    if node is None and why.category != "tape-used":
        return []
    rewriting = {
        **REWRITINGS,
        **ASKED,
        **ANOTHER_WAY,
        "numpy-escape": bins,
        "other-thread": called_at_once,
    }.get(why.category)
    found = (
        rewriting(case, why, node, tf)
        if rewriting is not None and (why.certain or why.category in FROM_TEXT)
        else None
    )
    if found is not None and found[0]:
        lines, stmts = found
        if stmts:
            params["over"] = _span(stmts)
        return lines if all(map(_alone, stmts)) else []
    degrees = _by_degrees(case, why, node, tf, params)
    if degrees:
        return degrees
    if why.category in MOVES:
        moved, stretch = MOVES[why.category](case, why, node, params)
        if stretch is not None:
            params["over"] = (block_of(case) or node).file.filename, *stretch
        return moved
    if why.params.get("variant") == "buffer":
        return _collected(node, tf)
    if why.params.get("variant") == "chain":
        return [f"{ast.unparse(target)} = {ast.unparse(node.value)}" for target in node.targets]
    change: Any = CHANGES.get(why.category)
    if change is None or not isinstance(node, ast.expr) or not _alone(statement(node)):
        return []
    if (
        why.category == "not-trainable"
        and params.get("variant") != "asked"
        and _trainable(case, node, tf, params) is None
    ):
        lines, stretch = MOVES["not-watched"](case, why, node, params)
        if stretch is not None:
            params["over"] = block_of(case).file.filename, *stretch
        return lines
    if not why.certain or _used_otherwise(case, node, why.category):
        return []
    new = change(case, node, tf, params)
    if isinstance(new, str):
        new = {node: new}
    lines = _written(new) if new else []
    if not lines and why.category in LEFT:
        lines, stmts = read_back(case, node, tf) or in_the_library(case, node, tf) or ([], [])
        if not lines or not all(map(_alone, stmts)):
            return []
        params["over"] = _span(stmts)
        return lines
    if lines and why.category.endswith("escape") and isinstance(statement(node), ast.Assign):
        lines = _given(case, why, statement(node), lines, tf)
    if lines and "copy.deepcopy" in lines[0]:
        lines = ["import copy", *lines]
    return [*lines, *_joined(case, node, why)] if lines else []


def _by_degrees(case: Case, why: Break, node: Node, tf: str, params: dict[str, Any]) -> list[str]:
    escapes = why.category in LEFT
    if (
        not why.certain
        or params.get("variant") == "rule"
        or why.category not in STEPPING
        and not escapes
    ):
        return []
    lines, stmts, said = (
        score_function(case, node, tf) or by_degrees(case, node, tf) or ([], [], "")
    )
    if not lines or not all(map(_alone, stmts)) or escapes and said != "place":
        return []
    params["over"] = _span(stmts)
    if escapes:
        params["instead_text"] = say("words", "weighed")
    else:
        params["variant"] = params.get("variant") or said
    return lines


def _span(stmts: list[Node]) -> tuple[str, int, int]:
    return stmts[0].file.filename, _first_line(stmts[0]), stmts[-1].end_lineno


def _first_line(stmt: Node) -> int:
    return min([stmt.lineno, *(d.lineno for d in getattr(stmt, "decorator_list", ()))])


def _alone(stmt: Node) -> bool:
    """True where a statement has its lines for itself: no `a = 1; b = 2`, no `elif`."""
    first, last = stmt.file.lines[stmt.lineno - 1], stmt.file.lines[stmt.end_lineno - 1]
    rest = last.encode()[stmt.end_col_offset :].decode().strip()
    return (
        first.lstrip() == first.encode()[stmt.col_offset :].decode()
        and not first.lstrip().startswith("elif")
        and rest[:1] in ("", "#")
    )


# ---- one expression changed


def _as_float(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """A call that made whole numbers, making floats: 3.0 for 3 where a number is written down, else
    a cast.
    """
    if (
        not isinstance(node, ast.Call)
        or not node.args
        and not node.keywords
        or node.args
        and isinstance(node.args[0], ast.Starred)
    ):
        return None
    new: Any = ast.parse(ast.unparse(node), mode="eval").body
    name, to_float = (
        ast.unparse(node.func).rpartition(".")[2],
        ast.parse(f"{tf}.float32", mode="eval").body,
    )
    dtypes = [k for k in new.keywords if k.arg == "dtype"]
    for keyword in dtypes:
        keyword.value = to_float
    if name in WRAPPERS:
        named = next((k for k in new.keywords if k.arg in ("initial_value", "value")), None)
        if not new.args and named is not None:  # tf.Variable(initial_value=3)
            new.args = [named.value]
            new.keywords.remove(named)
        if not new.args or isinstance(new.args[0], ast.Lambda):
            return None
        if name != "Variable":  # whose second argument is `trainable`
            new.args[1:2] = [to_float] * len(new.args[1:2])
        new.args[0] = (
            _floats(new.args[0])
            or ast.parse(f"{tf}.cast({ast.unparse(new.args[0])}, {tf}.float32)", mode="eval").body
        )
    elif name == "cast":
        new.args[1:2] = [to_float] * len(new.args[1:2])
    elif not dtypes:
        return None if case.source.is_variable else f"{tf}.cast({ast.unparse(node)}, {tf}.float32)"
    return ast.unparse(new)


def _floats(value: Any) -> Any:
    """Return numbers that are written down, with 3.0 for each 3; or None for what is computed."""
    if not all(
        isinstance(n, (ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load))
        for n in ast.walk(value)
    ):
        return None
    for constant in ast.walk(value):
        if isinstance(constant, ast.Constant) and type(constant.value) is int:
            constant.value = float(constant.value)
    return value


def _first_argument(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    if call_around(node) in INDICES:
        return None
    return ast.unparse(node.args[0]) if isinstance(node, ast.Call) and node.args else None


def _unwrapped(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    alone = (
        params.get("variant") == "wrapped"
        and isinstance(node, ast.Call)
        and len(node.args) == 1
        and not node.keywords
    )
    return ast.unparse(node.args[0]) if alone else None


def _trainable(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    if not isinstance(node, ast.Call) or not any(
        k.arg == "trainable" and isinstance(k.value, ast.Constant) for k in node.keywords
    ):
        return None
    return ast.unparse(
        ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "trainable"])
    )


def _one_shape(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """The side that is a column, made a row."""
    if not isinstance(node, ast.BinOp):
        return None
    sides = [ast.unparse(node.left), ast.unparse(node.right)]
    column = params["column"]
    sides[column] = f"{tf}.squeeze({sides[column]}, axis=1)"
    left, right = [ast.parse(side, mode="eval").body for side in sides]
    return ast.unparse(ast.BinOp(left, node.op, right))


def _standing_still(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """A label that nothing flows through; label and prediction exchanged where they stand the wrong
    way round.
    """
    if params.get("variant") == "itself":
        return label_beside(case, node)
    if params.get("variant") != "swapped":
        return f"{tf}.stop_gradient({ast.unparse(node)})"
    if len(node.args) < 2:
        return None
    return ast.unparse(
        ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
    )


def _second_one(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """A copy with numbers of its own instead of a second name."""
    variant = params.get("variant")
    if variant == "list":
        return f"[{params['element']} for _ in range({params['times']})]"
    if variant == "owner":
        return f"copy.deepcopy({ast.unparse(node)})"
    return None if variant == "asked" else f"{tf}.Variable({ast.unparse(node)})"


def _mean_of(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """One number of several: their mean, and for a mean along one axis the mean of all."""
    if params.get("variant") == "list" or not isinstance(parent(node), ast.Assign):
        return None
    if (
        last_name(node) == "reduce_mean"
        and len(node.args) == 1
        and [k.arg for k in node.keywords] == ["axis"]
    ):
        return called_with(ast.unparse(node.func), node.args, [])
    return f"{tf}.reduce_mean({ast.unparse(node)})"


def _mean_itself(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """The mean of this batch in the place of a metric `Mean` that is called with it."""
    mean = (
        isinstance(node, ast.Call)
        and last_name(definition(case, node.func)) == "Mean"
        and len(node.args) == 1
        and not node.keywords
    )
    return f"{tf}.reduce_mean({ast.unparse(node.args[0])})" if mean else None


def _in_this_thread(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """`map` itself for a pool's, and a plain call for what is handed over and asked for its result
    at once.
    """
    if not isinstance(node, ast.Call) or any(k.arg for k in node.keywords):
        return None
    args, around, name = node.args, parent(node), last_name(node)
    if name == "map":
        mapped = called_with("map", args, [])
        return mapped if last_name(around) == "list" else f"list({mapped})"
    if name == "submit" and isinstance(around, ast.Attribute) and around.attr == "result":
        return {parent(around): called_with(ast.unparse(args[0]), args[1:], [])}
    return None


def _undivided(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    return params["rest"]


Change = Callable[["Case", Any, str, dict[str, Any]], Any]
CHANGES: dict[str, Change] = {
    "numpy-escape": stays_inside,
    "python-escape": stays_inside,
    "partial-escape": stays_inside,
    "integer-dtype": _as_float,
    "integer-cast": _first_argument,
    "stop-gradient": _first_argument,
    "variable-made-anew": _unwrapped,
    "piecewise-constant": smooth,
    "not-trainable": _trainable,
    "zero-flat": sloping,
    "nan-backward": kept_defined,
    "inf-backward": kept_defined,
    "nan-forward": kept_defined,
    "inf-forward": kept_finite,
    "where-nan": safe_input,
    "summed-target": _mean_of,
    "stretched-both": _one_shape,
    "own-label": _standing_still,
    "same-object": _second_one,
    "divided-twice": _undivided,
    "other-thread": _in_this_thread,
    "metric-state": _mean_itself,
}


def _used_otherwise(case: Case, node: Node, category: str) -> bool:
    """True where the name that the value gets is used as only a whole number, or only a variable,
    can be.
    """
    used = USED_AS.get(category, ())
    names = (
        set(assigned_names(statement(node).value))
        if isinstance(statement(node), ast.Assign)
        else set()
    )
    for file in case.program.trees() if used and names else ():
        for each in ast.walk(file.tree):
            if (
                isinstance(each, ast.Attribute)
                and each.attr in used
                and ast.unparse(each.value) in names
            ):
                return True
            if (
                isinstance(each, ast.Call)
                and ast.unparse(each.func).rpartition(".")[2] in used
                and names
                & {ast.unparse(a) for a in [*each.args, *(k.value for k in each.keywords)]}
            ):
                return True
    return False


CHANGED = ("assign", "assign_add", "assign_sub", "read_value", "trainable")
USED_AS = {
    "integer-dtype": INDICES,
    "integer-cast": INDICES,
    "variable-made-anew": CHANGED,
    "piecewise-constant": INDICES,
}


def _joined(case: Case, node: Node, why: Break) -> list[str]:
    """Return a second line where values were put into a list: `constant` of a list of tensors must
    be `convert_to_tensor`.
    """
    call = case.node(why.params["back_at"]) if "back_at" in why.params else None
    if (
        not isinstance(call, ast.Call)
        or statement(call) is statement(node)
        or not ast.unparse(call.func).endswith(".constant")
    ):
        return []
    listed = (
        above(node, (ast.List, ast.Tuple, ast.ListComp), stop=(ast.stmt,)) is not None
        or call_around(node) == "append"
        or (
            isinstance(call.args[:1] and call.args[0], ast.List)
            or call_around(above(node, ast.Lambda, stop=(ast.stmt,))) == "map"
        )
    )
    changed = ast.unparse(call).replace(".constant(", ".convert_to_tensor(", 1)
    return _written({call: changed}) if listed else []


def _written(changes: dict[Node, str]) -> list[str]:
    """Return the statement of some expressions with new text in their places; a constant made of
    nothing but a result falls away.
    """
    stmt = statement(next(iter(changes)))
    body = getattr(stmt, "body", None)
    try:
        tree: Any = ast.parse(ast.unparse(stmt)).body[0]
        old, new = list(ast.walk(stmt)), list(ast.walk(tree))
        for node, text in changes.items():
            around = parent(node)
            if (
                isinstance(around, ast.Call)
                and around.args[:1] == [node]
                and ast.unparse(around.func).rpartition(".")[2] in WRAPPERS
            ):
                node = around
            place = next(k for k, each in enumerate(old) if each is node)
            tree = Put({id(new[place]): text}).visit(tree)
    except (SyntaxError, StopIteration, IndexError):
        return []
    changed = tree
    if body is not None:  # a loop or a block: its head alone
        changed.body, changed.orelse = [ast.Pass()], []
        lines = ast.unparse(changed).split("\n")[:-1]
    else:
        lines = ast.unparse(ast.fix_missing_locations(changed)).split("\n")
    return lines if len(lines) == 1 and len(lines[0]) <= LONGEST else []


# ---- what gets the value


def _given(case: Case, why: Break, stmt: Node, lines: list[str], tf: str) -> list[str]:
    """Return the lines of an assignment as they must be for what gets the value: a label stands
    still, a NumPy array holds no tensors.
    """
    target, new = stmt.targets[0], cast("ast.Assign", ast.parse(lines[0]).body[0])
    if isinstance(target, ast.Subscript) and called(case, definition(case, target.value)):
        return _collected(target, tf, new)
    named = (
        ast.unparse(target).rpartition(".")[2]
        if isinstance(target, (ast.Name, ast.Attribute)) and len(stmt.targets) == 1
        else ""
    )
    if why.category == "partial-escape" and LABEL.search(named):
        return [f"{ast.unparse(target)} = {tf}.stop_gradient({ast.unparse(new.value)})"]
    return lines


def _collected(node: Node, tf: str, new: Node = None) -> list[str]:
    """Return how the values that went into a NumPy array are collected in a list."""
    stmt = statement(node)
    if (
        not isinstance(stmt, ast.Assign)
        or stmt.targets != [node]
        or not isinstance(node, ast.Subscript)
    ):
        return []
    name, value = ast.unparse(node.value), ast.unparse((new or stmt).value)
    if isinstance(node.slice, ast.Slice):
        return [f"{name} = {value}"] if ast.unparse(node.slice) == ":" else []
    return (
        []
        if isinstance(node.slice, ast.Tuple)
        else [f"{name} = []", f"{name}.append({value})", f"{name} = {tf}.stack({name})"]
    )
