"""The cure for what counts: how often answers and labels agree, how many numbers fall into each
bin.

A count moves in steps wherever it is computed, in NumPy or in the library. So each of its ones
becomes a number between 0 and 1: the probability that an answer gives to its label, how much of a
number lies in a bin. Agreements are written so only where the numbers of the run are probabilities
and labels.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import FUNCTIONS, above, inside, is_chain, statement

from ..case.calls import given
from ..reasons.namesakes import called
from .rewritten import free
from .tried import value_of, values_at

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .rewritten import Stretch

BINS = ("a", "bins", "range", "density")


def likeness(case: Case, equal: Node, side: Node, answer: Node, tf: str) -> str:
    """Return how much each answer is right, from 0 to 1, where rounded probabilities, or the place
    of the largest of several numbers, are compared with labels. `side`: where the answer stands in
    the comparison.
    """
    sides, arrays = sides_of(equal), values_at(case, equal)
    k = next((k for k, each in enumerate(sides) if inside(side, each)), None)
    return (
        _right(case, answer, sides[1 - k], arrays[1 - k], tf)
        if k is not None and len(arrays) == 2
        else ""
    )


def sides_of(node: Node) -> list[Node]:
    """Return the two sides of an equality, or []."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        return [node.left, node.comparators[0]]
    return (
        node.args
        if last_name(node) == "equal" and len(node.args) == 2 and not node.keywords
        else []
    )


def last_name(node: Node) -> str:
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _right(case: Case, answer: Any, label: Node, labels: Any, tf: str) -> str:
    """Return how much each answer is right, from 0 to 1, or "" where these are no answers and no
    labels.
    """
    if last_name(answer) == "cast":
        answer = answer.args[0]
    made = last_name(answer)
    half = (
        isinstance(answer, ast.Compare)
        and len(answer.ops) == 1
        and isinstance(answer.ops[0], (ast.Gt, ast.GtE))
        and ast.unparse(answer.comparators[0]) == "0.5"
    )
    if not half and (made not in ("round", "rint", "argmax") or not answer.args):
        return ""
    of: Node = answer.left if half else answer.args[0]
    p, t = value_of(case, of), ast.unparse(label)
    if p is None or labels is None or p.dtype.kind != "f" or not np.isfinite(p).all():
        return ""
    if made == "argmax":
        axis = [
            ast.unparse(a)
            for a in [*answer.args[1:], *(k.value for k in answer.keywords if k.arg == "axis")]
        ]
        if (
            p.ndim != 2
            or labels.shape != p.shape[:1]
            or labels.dtype.kind not in "iu"
            or axis not in (["1"], ["-1"])
        ):
            return ""
        return f"{tf}.gather({shares(case, of, tf)}, {t}, axis=1, batch_dims=1)"
    if labels.shape != p.shape:
        return ""
    if not np.isin(labels, (0, 1)).all() or p.min() < 0.0 or p.max() > 1.0:
        return (
            ""
            if half
            else f"{tf}.exp(-({ast.unparse(of)} - {t}) ** 2)"
            if is_chain(of) and is_chain(label)
            else ""
        )
    if labels.dtype != p.dtype:
        t = f"{tf}.cast({t}, {tf}.{p.dtype})"
    return ast.unparse(ast.parse(f"1.0 - {tf}.abs(({t}) - ({ast.unparse(of)}))", mode="eval").body)


def shares(case: Case, of: Node, tf: str) -> str:
    """Return probabilities as they are, and their softmax where they are none."""
    p, text = value_of(case, of), ast.unparse(of)
    given = (
        p is not None
        and p.ndim
        and bool((p >= 0.0).all())
        and np.allclose(p.sum(-1), 1.0, atol=1e-4)
    )
    return text if given else f"{tf}.nn.softmax({text})"


def bins(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Return a histogram whose bins have soft edges, a fifth of a bin wide, in the place of
    NumPy's; or None.
    """
    call: Any = node if called(case, node) == "histogram" else above(node, ast.Call, stop=ast.stmt)
    if called(case, call) != "histogram" or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    said: dict[Any, Any] = {**dict(zip(BINS, call.args)), **{k.arg: k.value for k in call.keywords}}
    defaults: dict[str, Any] = {
        "density": ast.Constant(False),
        "bins": ast.Constant(10),
        "range": ast.Constant(None),
    }
    density, many, ends = [said.get(name, default) for name, default in defaults.items()]
    stmt: Any = statement(call)
    names = _names(stmt, call)
    own = [
        free(call, *each)
        for each in (("values", "numbers"), ("width", "bin_width"), ("below", "lying_below"))
    ]
    if (
        "a" not in said
        or not said.keys() <= {*BINS}
        or not names
        or not all((*names, *own))
        or not _is_whole(case, many)
        or not isinstance(density, ast.Constant)
        or not (_none(ends) or isinstance(ends, (ast.Tuple, ast.List)))
    ):
        return None
    (count, edges), (values, width, below), of = names, own, said["a"]
    if last_name(of) == "numpy":
        of = of.func.value
    first, last = (
        (f"{tf}.reduce_min({values})", f"{tf}.reduce_max({values})")
        if _none(ends)
        else map(ast.unparse, ends.elts)
    )
    more = many.value + 1 if hasattr(many, "value") else f"{many.id} + 1"
    share = f"{below}[1:] - {below}[:-1], axis=1"
    return [
        f"{values} = {tf}.reshape({ast.unparse(of)}, [-1])",
        f"{edges} = {tf}.linspace({first}, {last}, {more})",
        f"{width} = {edges}[1] - {edges}[0]",
        f"{below} = {tf}.sigmoid(({edges}[:, None] - {values}) / (0.2 * {width}))",
        f"{count} = {tf}.reduce_mean({share}) / {width}"
        if density.value
        else f"{count} = {tf}.reduce_sum({share})",
    ], [stmt]


def _none(node: Node) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_whole(case: Case, node: Any) -> bool:
    """True for a whole number that is written down, and for a name of which the run or the text
    tells that it is one.
    """
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Constant) and type(node.value) is int
    found, function = value_of(case, node), above(node, FUNCTIONS)
    if found is not None or function is None:
        return found is not None and found.ndim == 0 and found.dtype.kind in "iu"
    named = function.args.args[len(function.args.args) - len(function.args.defaults) :]
    values = [d for a, d in zip(named, function.args.defaults) if a.arg == node.id] + given(
        case, function, node.id
    )
    return bool(values) and all(
        isinstance(v, ast.Constant) and type(v.value) is int for v in values
    )


def _names(stmt: Any, call: Node) -> tuple[str, str] | None:
    """Return what a program calls the counts and the edges of its histogram; None where it keeps
    them otherwise.
    """
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1:
        return None
    target, value = stmt.targets[0], stmt.value
    if (
        value is call
        and isinstance(target, ast.Tuple)
        and len(target.elts) == 2
        and all(isinstance(t, ast.Name) for t in target.elts)
    ):
        count, edges = map(ast.unparse, target.elts)
        return count, edges if edges != "_" else free(call, "edges", "bin_edges")
    first = (
        isinstance(value, ast.Subscript) and value.value is call and ast.unparse(value.slice) == "0"
    )
    return (
        (target.id, free(call, "edges", "bin_edges"))
        if first and isinstance(target, ast.Name)
        else None
    )
