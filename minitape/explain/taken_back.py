"""The cure for what left the library: the same expression, written with the library's own functions.

`loss = float(np.mean(h.numpy()))` becomes `loss = tf.reduce_mean(h)`: float(x) and x.numpy() fall away, functions and methods of NumPy
become those that the library has under a name of its own (`reasons/escapes.py` knows which).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import inside, names_used, parent, statement

from .reasons import escapes
from .rewritten import Put

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from .case.case import Case


def stays_inside(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """Return {expression: text} for all expressions of the statement that leave the library with what the guilty one takes along."""
    first = _outermost(case, node)
    if first is None or _unfit(node):
        return None
    found, names = {first: _taken_back(case, first, tf)}, names_used(node)
    for other in ast.walk(statement(node)):
        if isinstance(other, ast.Call) and escapes.instead(case, other) and names & names_used(other) \
                and not any(inside(other, known) for known in found):
            found[other] = _taken_back(case, other, tf)
    return found if found[first] != ast.unparse(first) else None


def _unfit(node: Node) -> bool:
    """True where an array is made of a name: what is done with the array afterwards must change as well."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("asarray", "array") and isinstance(
        node.args[:1] and node.args[0], ast.Name) and not isinstance(statement(node), ast.Return)


def _outermost(case: Case, node: Node) -> Node:
    """Return the outermost expression that left the library here, or None where a method of arrays comes next."""
    while True:
        around = parent(node)
        if isinstance(around, ast.Attribute):
            call = parent(around)
            if isinstance(call, ast.Call) and call.func is around and (around.attr in ("item", "tolist") or escapes.method(call)):
                node = call
            elif around.attr == "T":
                node = around
            else:
                return None                                  # of arrays, which tensors may not have
        elif isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id == "round":
            return None                                      # which asks for a number of Python
        elif isinstance(around, ast.Call) and node in around.args and (
                escapes.instead(case, around) or _is_float(around) and (escapes.instead(case, node) or escapes.method(node))):
            node = around
        elif isinstance(around, (ast.BinOp, ast.UnaryOp)) and (outer := _outer(case, around)) is not None:
            node = outer
        else:
            return node


def _is_float(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "float"


def _outer(case: Case, node: Node) -> Any:
    """Return the function of NumPy around some arithmetic, or the arithmetic where something of it is asked: `(a + b).sum()`; or None."""
    while isinstance(parent(node), (ast.BinOp, ast.UnaryOp)):
        node = parent(node)
    around = parent(node)
    return node if isinstance(around, ast.Attribute) else around if escapes.instead(case, around) else None


def _taken_back(case: Case, node: Node, tf: str) -> str:
    """Return an expression as text, with the library's own functions for float(x), x.numpy(), x.T, np.sin(x), math.exp(x)."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return f"{tf}.transpose({_taken_back(case, node.value, tf)})"
    if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        tree: Any = ast.parse(ast.unparse(node), mode="eval")
        for old, new in reversed(list(zip(ast.walk(node), list(ast.walk(tree.body))))):
            if isinstance(old, ast.Call) and old is not node and not isinstance(parent(old), ast.Call):
                tree = Put({id(new): _taken_back(case, old, tf)}).visit(tree)
        return ast.unparse(tree)
    func: Node = node.func
    last, name = func.attr if isinstance(func, ast.Attribute) else "", escapes.instead(case, node)
    if last in ("numpy", "item", "tolist") and not node.args:
        return _taken_back(case, func.value, tf)
    if isinstance(node.func, ast.Name) and node.func.id in ("float", "int") and len(node.args) == 1:
        return _taken_back(case, node.args[0], tf)
    given = [_taken_back(case, a, tf) for a in node.args] + [ast.unparse(k) for k in node.keywords]
    if not name and escapes.method(node):
        given = [f"[{', '.join(given)}]"] if last == "reshape" and not _is_shape(node.args) else given
        return f"{tf}.{escapes.method(node)}({', '.join([_taken_back(case, func.value, tf), *given])})"
    if last == "predict" and node.args:
        return f"{ast.unparse(func.value)}({', '.join(given)})"
    if last in ("float32", "float64"):
        given.append(f"{tf}.{last}")
    elif last in ("dot", "outer"):
        given.append(f"axes={1 if last == 'dot' else 0}")
    elif name and last in ("concatenate", "vstack", "hstack") and len(given) == 1:
        given.append(f"axis={1 if last == 'hstack' else 0}")
    return f"{name or ast.unparse(node.func)}({', '.join(given)})"


def _is_shape(given: list[Any]) -> bool:
    """True for reshape((2, 3)), where reshape(2, 3) gives the lengths one by one."""
    return len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List))
