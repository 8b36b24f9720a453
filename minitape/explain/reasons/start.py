"""Whether the source was watched, and if not, why not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from minitape.program.syntax import FUNCTIONS, above, is_false, last_name, text_of

from ..case.aliases import Case, Node, TensorInfo
from ..case.definitions import definitions, makes_variable, replaced_name
from ..case.graph import START, Break, Edge


def edges(case: Case) -> Iterator[Edge]:
    """Return the one edge that leads from the start to the source."""
    why = why_not(case)
    if (
        why is not None
        and why.category == "not-watched"
        and case.source.id not in case.evidence.used
    ):
        why = None  # it takes no part at all: watching it would repair nothing
    yield Edge(START, case.source.id, None, why, "source")


def why_not(case: Case) -> Break | None:
    """Return why nothing flows from the source at all, or None."""
    source, made = case.source, case.source.where
    dtype = source.dtype
    if not dtype.is_differentiable:
        kind = "string-dtype" if dtype.name == "string" else "integer-dtype"
        return Break(kind, made, params={"dtype": dtype.name})
    if source.id in case.tape.watched:
        return None
    if source.is_variable:
        return _variable(case, source, made)
    node = case.node(made)
    name = replaced_name(node, case.program) if node is not None else ""
    if name and case.evidence.when(source.id) != "inside":
        values = definitions(name, case.program)
        # a function's argument is no variable that another cell calls the same
        if _is_wrapped(node, name):
            values = [v for v in values if above(v, FUNCTIONS) is above(node, FUNCTIONS)]
        if any(makes_variable(v) for v in values):
            return Break("variable-replaced", made, params={"name": name})
        if not [v for v in values if v is not node] and not _is_wrapped(node, name):
            return Break("variable-replaced", made, certain=False, params={"name": name})
    text = case.text(made)
    # what is handed to an answer has no place, and `tf.constant` gives it back as it is
    hint = "variable-plus" if node is not None and makes_variable(node) else "" if text else "given"
    return Break("not-watched", made, params={"variant": hint, "made": text})


def _is_wrapped(node: Node, name: str) -> bool:
    """True for `tf.constant(x)` of the name itself: it makes a tensor of whatever came, and often
    of a plain number.
    """
    return (
        isinstance(node, ast.Call)
        and last_name(node.func) in ("constant", "convert_to_tensor")
        and bool(node.args)
        and text_of(node.args[0]) == name
    )


def _variable(case: Case, source: TensorInfo, made: Any) -> Break | None:
    reads = (r for r in case.evidence.ran if r.op == "ReadVariableOp" and source.id in r.inputs)
    read = next((r for r in reads if not r.recorded), None)
    untold = "" if case.tape.watches_variables else "watch_accessed_variables"
    untold = untold if source.trainable else "not trainable"
    why = read.about.get("why") if read is not None else untold
    if why == "not trainable":
        asked: Any = case.sources_node  # model.variables, its statistics among them
        whole = isinstance(asked, ast.Attribute) and asked.attr in ("variables", "weights")
        node = case.node(made)
        elsewhere = node is not None and "trainable" not in text_of(node)
        where = elsewhere and frozen(case) or made
        params = {"made": case.text(made), "variant": "asked" if whole else ""}
        params["owner"] = text_of(asked.value) if whole else ""
        return Break("not-trainable", where, params=params)
    if why == "watch_accessed_variables":
        return Break("watch-accessed-variables", case.tape.where)
    return None


def frozen(case: Case) -> Node:
    """Return the statement that made variables not trainable, `layer.trainable = False`, or None."""
    stmts = case.program.each((ast.Assign,), "trainable")
    told = (s for s in stmts if isinstance(s.targets[0], ast.Attribute) and is_false(s.value))
    return next((stmt for stmt in told if stmt.targets[0].attr == "trainable"), None)
