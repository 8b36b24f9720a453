"""Moving about in a syntax tree: what a node stands in, what it works on, how it is written in few
characters.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from minitape.dialects import PLAYS
from minitape.engine.base.tensor import Tensor
from minitape.engine.variable import Variable

from .aliases import Node

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# levels of a piece of code that Python is asked to write anew: it takes several calls for each
DEEPEST = 60


def parent(node: Node) -> Node:
    """Return the node around a node, or None."""
    return node.file.parent.get(node)


def above(node: Node, kinds: Any, stop: Any = ()) -> Node:
    """Return the nearest node of some kinds around a node, or None; None too where one of the kinds
    `stop` is met before.
    """
    node = parent(node)
    while node is not None and not isinstance(node, kinds):
        if stop and isinstance(node, stop):
            return None
        node = parent(node)
    return node


def statement(node: Node) -> Node:
    """Return the statement that a node stands in."""
    return node if isinstance(node, ast.stmt) else above(node, ast.stmt)


def climbing(node: Node) -> Iterator[Node]:
    """Yield a node and what stands around it, up to its statement."""
    while node is not None:
        yield node
        node = parent(node) if not isinstance(node, ast.stmt) else None


def siblings(stmt: Node) -> list[Node]:
    """Return the statements of the block that a statement stands in."""
    around, _ = stmt.file.block_of.get(stmt, ([stmt], 0))
    return around


def inside(node: Node, container: Node) -> bool:
    """True where `node` is `container` or stands in it."""
    while node is not None:
        if node is container:
            return True
        node = parent(node)
    return False


def last_name(node: Node) -> str:
    """Return the last name of an expression such as a call's function: `mean` of `np.mean`; ""
    where it does not end in a name.
    """
    return (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else ""
    )


def call_name(node: Node) -> str:
    """Return the last name of the function that a call calls; "" for what is no call."""
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def text_of(node: Node) -> str:
    """Return a piece of code as Python writes it anew; as the learner wrote it where it is nested
    so deep that Python cannot.
    """
    if isinstance(node, ast.Name):
        return node.id
    level = [node]
    for _ in range(DEEPEST):
        level = [child for each in level for child in ast.iter_child_nodes(each)]
        if not level:
            return ast.unparse(node)
    file: Any = getattr(node, "file", None)
    place = (
        None
        if file is None
        else file.span(
            (file.filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        )
    )
    return file.snippet(place) if place is not None else "…"


def words_of(node: Node) -> list[str]:
    """Return the names in an expression like `self.w` or `ws[0]`, in their order."""
    result = []
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Attribute):
            result.append(node.attr)
        node = node.func if isinstance(node, ast.Call) else node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(result)]


def alike(a: Node, b: Node) -> bool:
    """True for two pieces of code that say the same."""
    todo = [(a, b)]
    for one, other in todo:
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            todo += [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            todo += zip(one, other)
        elif one != other:
            return False
    return True


def is_false(node: Node) -> bool:
    """True for the constant `False`."""
    return isinstance(node, ast.Constant) and node.value is False


def folded(
    node: Node, parts: Callable[[Node], list[Node]], whole: Callable[[Node, list[Any]], Any]
) -> Any:
    """Return what `whole` makes of a node and of what it made of its parts, from the innermost on;
    a formula may be as long as it likes.
    """
    nodes = [node]
    for each in nodes:
        nodes += parts(each)
    made: dict[Node, Any] = {}
    for each in reversed(nodes):
        made[each] = whole(each, [made[part] for part in parts(each)])
    return made[node]


def short(node: Node, longest: int = 40) -> str:
    """Return an expression as one line of text, shortened in the middle where it is long."""
    text = " ".join(text_of(node).split())
    return text if len(text) <= longest else text[: longest - 14] + " ... " + text[-9:]


def loop_around(node: Node, longest: int = 48) -> str:
    """Return the head of the loop that a node stands in, else the function, else ""."""
    while node is not None:
        head = None
        if isinstance(node, (ast.For, ast.comprehension)):
            head = f"for {text_of(node.target)} in {text_of(node.iter)}"
        elif isinstance(node, ast.While):
            head = f"while {text_of(node.test)}"
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            return loop_around(node.generators[0])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return f"{node.name}()"
        if head is not None:
            return head if len(head) <= longest else head[: longest - 1] + "…"
        node = parent(node)
    return ""


# ---- what an expression works on


def is_play(node: Node) -> bool:
    """True for a call that plays a tape backwards."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in PLAYS
    )


def sources_of(play: Node) -> list[Node]:
    """Return the expressions that a play names as its sources: one, or those of a list or tuple
    that stands there.
    """
    return _flat(
        [*play.args[1:2], *(k.value for k in play.keywords if k.arg in ("source", "sources"))]
    )


def worked_on(node: Node) -> list[Node]:
    """Return all expressions that an expression works on directly: the sides of an operator, the
    arguments of a call.
    """
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Call):
        result = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            result.append(node.func.value)
        return _flat(result)
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def operands(node: Node, count: int) -> list[Node]:
    """Return the expressions of the `count` inputs of an operation, as far as the text shows them
    (None elsewhere).
    """
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.Compare)):
        result = worked_on(node)
    elif isinstance(node, ast.Subscript):
        result = [node.value]
    elif isinstance(node, ast.Call):
        result = _arguments(node, count)
    else:
        result = []
    return (result + [None] * count)[:count]


def _arguments(node: Node, count: int) -> list[Node]:
    result = []
    for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
        if isinstance(argument, ast.Starred):
            break
        result += _flat([argument])
    method = node.func if isinstance(node.func, ast.Attribute) else None
    if (
        method is not None
        and len(result) < count
        and is_chain(method.value)
        and _of_values(method.attr)
    ):
        result = [method.value, *result]  # v.assign_add(u): the first input stands before the dot
    return result


def _flat(expressions: list[Node]) -> list[Node]:
    return [
        each
        for given in expressions
        for each in (given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given])
    ]


def is_chain(node: Node) -> bool:
    """True for a name with attributes and subscripts behind it: `x`, `self.w`, `ws[0]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name)


def _of_values(method: str) -> bool:
    """Say whether tensors or variables have this method; in `self.dense(x)`, self is no value."""
    return any(hasattr(kind, method) for kind in (Tensor, Variable))


def names_used(node: Node) -> set[str]:
    """Return the plain names that are read in a piece of code."""
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    }
