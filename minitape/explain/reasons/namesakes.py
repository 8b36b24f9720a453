"""Equivalents of NumPy's and `math`'s functions in the library, and the arguments that they accept.

The table is in `minitape/dialects/arrays.py`, which explains its lines.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from minitape.dialects import MINITAPE
from minitape.engine.base.parameters import signature
from minitape.program.syntax import text_of

from ..case.aliases import Case, File, Node

PREDICTS = ("predict", "predict_on_batch")  # of a model: they answer with an array
# yes or no: nobody's slope
MASKS = dict.fromkeys(("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"))


class Row(NamedTuple):
    """The library's name for a function, which parameters are arrays, and the others: {name: (the
    library's name, NumPy's default)}.
    """

    name: str
    arrays: tuple[str, ...]
    others: dict[str, tuple[str, str]]


class Carried(NamedTuple):
    """A call as the library takes it: the name, the arrays, and the other arguments as (keyword or
    "", node or text).
    """

    name: str
    arrays: list[Any]
    others: list[tuple[str, Any]]


@cache
def _rows(table: str) -> dict[str, Row]:
    result: dict[str, Row] = {}
    for line in table.strip().splitlines():
        names, _, rest = line.partition(" = ")
        left, _, right = rest.partition("|")
        theirs, *arrays = left.split()
        others = {}
        for word in right.split():
            word, _, default = word.replace("!", "=!").partition("=")
            mine, _, other = word.partition(":")
            others[mine] = other or mine, default
        result.update(
            (name, Row(name if theirs == "*" else theirs, tuple(arrays), others))
            for name in names.split()
        )
    return result


ROWS = _rows(MINITAPE.numpy)  # NumPy's side of it is the same for all
SPELLED = {line.partition("(")[0] for line in MINITAPE.spelled.strip().splitlines()}
# where that is None or not given
FEWER: dict[tuple[str, ...], str] = {("clip", "a_min"): "minimum", ("clip", "a_max"): "maximum"}
ALSO = {"clip": {"min": "a_min", "max": "a_max"}}  # NumPy's second names of parameters


def called(case: Case, node: Node) -> str:
    """Return the name of the function of NumPy or `math` that a call calls, as `linalg.norm`; "?"
    for one of scipy; or "".
    """
    text = text_of(node.func) if isinstance(node, ast.Call) else ""
    if not text.replace(".", "").isidentifier():
        return ""
    file: File = node.file
    base, _, rest = text.partition(".")
    module = file.imports.get(base) or next(
        (f.imports[base] for f in case.program.trees() if file.is_cell and base in f.imports), ""
    )
    whole = f"{module or {'np': 'numpy'}.get(base, base if rest else '')}.{rest}".rstrip(".")
    home, _, name = whole.partition(".")
    return {"numpy": name, "math": name, "scipy": "?"}.get(home, "")


def instead(case: Case, node: Node) -> str:
    """Return the library's own name for the function of NumPy or `math` that a call calls, as
    `tf.sin`, or "".
    """
    name = called(case, node)
    equivalent = carried(case, node, name) if name and name not in MASKS else None
    return f"{case.evidence.library[0]}.{equivalent.name}" if equivalent is not None else ""


def carried(case: Case, node: Node, name: str, of: Node = None) -> Carried | None:
    """Return a call as the library's own function takes it, or None where it does not. `of`: the
    array, of whose method it is the call.
    """
    row = _rows(case.dialect.numpy).get(name)
    given = _bound(row, node, name, of) if row is not None else None
    if row is None or given is None:
        return None
    missing = [p for p in row.arrays if p not in given or _none(given[p][1])]
    if missing and name != "einsum":
        row = row._replace(name=FEWER.get((name, *missing), ""))
    row = row._replace(name=case.dialect.name(row.name))
    arrays, ours = [given[p][1] for p in row.arrays if p not in missing], _library(case, row.name)
    if ours is None:
        return None
    try:
        theirs = {p.name: p for p in signature(ours).parameters.values()}
    except ValueError:  # a function that is written in C
        theirs = {}
    others, after = [], len(arrays)
    for p, (mine, default) in row.others.items():
        place, value = given.get(p, (None, None))
        if value is None:
            if default == "!":
                return None
            if default and mine in theirs:
                others.append((mine, default))
            continue
        wanted = theirs.get(mine)
        several = isinstance(value, (ast.Tuple, ast.List))
        if (
            wanted is None
            or _none(value)
            and wanted.default is not None
            or several
            and str(wanted.annotation).startswith("IntLike")
        ):
            return None
        in_order = (
            place is not None
            and after < len(theirs)
            and list(theirs)[after] == mine
            and not any(k for k, _ in others)
        )
        others.append(("" if in_order else mine, value))
        after += 1
    return Carried(row.name, arrays, others)


def bound(
    case: Case, node: Node, name: str, of: Node, names: Sequence[str]
) -> dict[str, Any] | None:
    """Return {NumPy's parameter: argument} of a call, without those that are None; or None where
    the text does not tell.

    `names`: the parameters of a function that the table does not have.
    """
    given = _bound(ROWS.get(name, Row(name, tuple(names), {})), node, name, of)
    return {p: a for p, (_, a) in given.items() if not _none(a)} if given is not None else None


def _bound(row: Row, node: Node, name: str, of: Node) -> dict[str, tuple[int | None, Any]] | None:
    """Return {NumPy's parameter: (place or None, argument)} of a call, or None where the text does
    not tell.
    """
    names, args = [*row.arrays, *row.others], [*([of] if of is not None else []), *node.args]
    if len(args) > len(names) or any(isinstance(a, ast.Starred) for a in args):
        return None
    given: dict[str, tuple[int | None, Any]] = {
        p: (k, a) for k, (p, a) in enumerate(zip(names, args))
    }
    for keyword in node.keywords:
        p = ALSO.get(name, {}).get(keyword.arg, keyword.arg)
        if p not in names or p in given:
            return None
        given[p] = None, keyword.value
    return given


def _none(value: Any) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _library(case: Case, name: str) -> Any:
    """Return the library's function of a name, or None."""
    result = case.evidence.library[1]
    for part in name.split("."):
        result = getattr(result, part, None)
    return result
