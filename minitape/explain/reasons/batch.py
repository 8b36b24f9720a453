"""A loss that does not depend on the batch: the body of the loop never reads the data.

Only the text is examined, and only clear cases count: the whole body reads none of the names that
receive the data (or only their shapes), and the loop runs over data, or the function receives them:
a data set, tensors or arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from minitape.program.objects import elements, is_a, module_name
from minitape.program.syntax import FUNCTIONS, last_name, parent, text_of

from ..case.aliases import Case, Node
from ..case.definitions import arguments_for, definitions, given
from ..case.graph import Break
from ..case.words import listed
from .outside import block_of

# functions whose loops hand out what their arguments hold
PASSES_ON = ("zip", "enumerate", "iter", "list")
SHAPES = ("ones_like", "zeros_like")


def reasons(case: Case) -> Iterator[Break]:
    """Return the breaks for loops and functions around the block whose data nobody reads."""
    node = block_of(case)
    while node is not None:
        node, inner = parent(node), node
        if isinstance(node, ast.For) and inner in node.body:
            yield from _unread(
                case, _names(node), node.body, node.target, _is_data(case, node.iter, 3), ""
            )
        elif isinstance(node, ast.FunctionDef):
            parameters = [a.arg for a in [*node.args.posonlyargs, *node.args.args]]
            data = [
                p for p in parameters if any(_is_data(case, g, 2) for g in given(case, node, p))
            ]
            place = next((a for a in node.args.args if a.arg in data[:1]), node)
            yield from _unread(case, data, node.body, place, bool(data), node.name)
        if isinstance(node, FUNCTIONS):
            return


def _unread(
    case: Case, names: list[str], body: list[Node], place: Node, is_data: bool, function: str
) -> Iterator[Break]:
    names = [name for name in names if not name.startswith("_")]
    if not names or not is_data:
        return
    reads = [
        n
        for stmt in body
        for n in ast.walk(stmt)
        if isinstance(n, ast.Name) and n.id in names and isinstance(n.ctx, ast.Load)
    ]
    params: dict[str, Any] = {
        "names": listed(names),
        "given": names,
        "function": function,
        "many_names": len(names),
    }
    if not reads:
        yield Break(
            "batch-not-used",
            place,
            params={**params, "variant": "parameter" if function else "", "made": text_of(place)},
        )
    for name in names:
        mine = [n for n in reads if n.id == name]
        calls = [parent(n) for n in mine]
        if mine and all(
            isinstance(c, ast.Call) and n in c.args[:1] and last_name(c.func) in SHAPES
            for n, c in zip(mine, calls)
        ):
            yield Break(
                "batch-not-used",
                calls[0],
                params={
                    **params,
                    "variant": "shape",
                    "names": name,
                    "given": [name],
                    "many_names": 1,
                },
            )


def _names(loop: Node) -> list[str]:
    """Return the names that a loop hands data out by: all but the counter of `enumerate`."""
    target = loop.target
    if (
        isinstance(loop.iter, ast.Call)
        and text_of(loop.iter.func) == "enumerate"
        and isinstance(target, ast.Tuple)
    ):
        target = target.elts[-1]
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def data_in(case: Case, block: Node) -> list[Node]:
    """Return the names in a block that hold data which were there before, wherever they are read."""
    if block is None:
        return []
    nodes = [
        n for stmt in block.body for n in ast.walk(stmt) if isinstance(n, (ast.Name, ast.Attribute))
    ]
    own = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return [
        n
        for n in nodes
        if isinstance(n.ctx, ast.Load)
        and not isinstance(parent(n), ast.Attribute)
        and not own & {each.id for each in ast.walk(n) if isinstance(each, ast.Name)}
        and _is_data(case, n, 2)
    ]


def _is_data(case: Case, node: Node, depth: int) -> bool:
    """True for an expression that holds a data set, tensors or arrays where the learner asked; what
    is counted is no data.
    """
    while isinstance(node, (ast.Call, ast.Subscript, ast.Starred)):
        if isinstance(node, ast.Call):
            name = text_of(node.func)
            if name in PASSES_ON:
                return any(_is_data(case, a, depth) for a in node.args)
            if depth > 0 and any(_is_data(case, each, depth - 1) for each in _yielded(case, name)):
                return True
            if not isinstance(node.func, ast.Attribute) or node.func.attr == "numpy":
                return False
            node = node.func
        node = node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(_is_data(case, n, depth) for n in node.elts)
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    held = case.held(node)
    if held is not None:
        return _holds_data(case, held)
    passed = arguments_for(case, node) if isinstance(node, ast.Name) else []
    return depth > 0 and any(
        _is_data(case, v, depth - 1) for v in passed + definitions(text_of(node), case.program)
    )


def _yielded(case: Case, name: str) -> list[Node]:
    """Return what a generator of the learner's with this name hands out."""
    return [
        y.value
        for function in case.program.each((ast.FunctionDef,), name)
        if function.name == name
        for y in ast.walk(function)
        if isinstance(y, ast.Yield) and y.value is not None
    ]


def _holds_data(case: Case, held: Any) -> bool:
    listed = elements(held, 2)
    if listed is not None:
        return any(_holds_data(case, each) for each in listed)
    info = case.tape.describe(held)
    if info is not None:
        return not info.is_variable and info.value.ndim > 0
    return is_a(held, np.ndarray) and held.ndim > 0 or module_name(held).startswith(case.tape.data)
