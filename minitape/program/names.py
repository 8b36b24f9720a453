"""How the program calls the value of an expression.

In `y = w * x` the output is called y because the learner assigned it to y, and the inputs are
called w and x because that is how the learner wrote them. Nothing at run time knows these names;
the text does. The rules, for all readers:

* A value is called as the first target of its assignment: `y = ...`, `y: T = ...`, `(y := ...)`, `y
  += ...`, `self.h = ...`, `hs[0] = ...`, `y = ... if c else ...`.
* An unpacking gives several names: `a, b = t` one to each output, `a, b = x * x, x + x` one to each
  expression, however deep.
* What a loop goes through is called as the loop calls it: `for row in x`, `for k, row in
  enumerate(x)`, `[... for row in x]`.
* What a function returns is called as its caller calls it, where one call is all there is; else
  `f()`.
* An attribute or element longer than `LONGEST` characters is no name; a plain name is one, however
  long.
"""

from __future__ import annotations

import ast

from minitape.dialects import MAKERS

from .aliases import Node
from .syntax import is_chain, parent, text_of

LONGEST = 24
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def expression_name(node: Node) -> str:
    """Return how a value is called where it is used: `x`, `self.w`, `ws[0]`; "" for what is no
    name.
    """
    text = _chain(node)
    return text if isinstance(node, ast.Name) or len(text) <= LONGEST and "\n" not in text else ""


def _chain(node: Node) -> str:
    return text_of(node) if node is not None and is_chain(node) else ""


def written(node: Node) -> str:
    """Return an expression as text where it is short enough to stand for a name, else ""."""
    text = text_of(node) if isinstance(node, ast.expr) else ""
    return text if len(text) <= LONGEST and "\n" not in text else ""


def assigned_names(node: Node) -> list[str]:
    """Return what the text assigns the values of an expression to right there, in order, however
    long ("" for a pattern), or [].
    """
    return [_chain(target) for target in _targets(node)]


def all_names(node: Node) -> set[str]:
    """Return every name that the text gives to the value of an expression right there: a and b in
    `a = b = x * x`.
    """
    above = parent(node)
    targets = (
        above.targets if isinstance(above, ast.Assign) and above.value is node else _targets(node)
    )
    return {_chain(target) for target in targets} - {""}


def names_of(node: Node) -> list[str]:
    """Return the names of the values of an expression, those that a function's caller gives
    included; or [].
    """
    return _names(node, 0)


def held_name(node: Node) -> str:
    """Return how an object made by a call is called: `x = make()`, `with make() as x`; else ""."""
    above = parent(node)
    if isinstance(above, ast.withitem) and above.optional_vars is not None:
        return expression_name(above.optional_vars)
    names = names_of(node)
    return names[0] if len(names) == 1 and not names[0].endswith("()") else ""


def variable_name(node: Node) -> str:
    """Return how a variable is called that was made at a node, "" where the call there makes more
    than a variable.
    """
    if not isinstance(node, ast.Call):
        return ""
    maker = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return held_name(node) if maker in MAKERS else ""


def _targets(node: Node) -> list[Node]:
    """Return the targets that the values of an expression are assigned to, in order; or []."""
    if isinstance(node, ast.AugAssign):
        return [node.target]
    # `a, b = t` unpacks here
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
        return node.elts
    if isinstance(node, COMPREHENSIONS):
        return _each(node.generators[0])
    above = parent(node)
    while isinstance(above, ast.IfExp) and node is not above.test or isinstance(above, ast.Await):
        node, above = above, parent(above)
    if isinstance(above, (ast.For, ast.comprehension)) and above.iter is node:
        return _each(above)
    if isinstance(above, (ast.NamedExpr, ast.AnnAssign)) and above.value is node:
        return [above.target]
    if isinstance(above, ast.Assign):
        target = above.targets[0]
        return target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    # a, b = x * x, y * y
    if isinstance(above, (ast.Tuple, ast.List)) and isinstance(above.ctx, ast.Load):
        target = _facing(above)
        place = next(k for k, each in enumerate(above.elts) if each is node)
        if target is not None and not any(
            isinstance(each, ast.Starred)
            for each in (*above.elts[:place], *target.elts[: place + 1])
        ):
            result = target.elts[place : place + 1]
            return (
                result[0].elts
                if result and isinstance(result[0], (ast.Tuple, ast.List))
                else result
            )
    return []


def _facing(values: Node) -> Node:
    """Return the tuple of targets that a tuple of values is assigned to, or None."""
    above = parent(values)
    target = None
    if isinstance(above, ast.Assign):
        target = above.targets[0]
    elif isinstance(above, (ast.Tuple, ast.List)) and isinstance(above.ctx, ast.Load):
        outer, place = (
            _facing(above),
            next(k for k, each in enumerate(above.elts) if each is values),
        )
        target = (
            outer.elts[place] if outer is not None and len(outer.elts) == len(above.elts) else None
        )
    return target if isinstance(target, (ast.Tuple, ast.List)) else None


def _each(loop: Node) -> list[Node]:
    """Return how a loop calls the elements that it goes through, where it has one name for them."""
    target = loop.target
    if (
        isinstance(target, ast.Tuple)
        and isinstance(loop.iter, ast.Call)
        and text_of(loop.iter.func) == "enumerate"
    ):
        target = target.elts[-1]
    return [target] if isinstance(target, ast.Name) else []


def _names(node: Node, depth: int) -> list[str]:
    result = [expression_name(target) for target in _targets(node)]
    above = parent(node)
    while not result and (
        isinstance(above, ast.IfExp) and node is not above.test or isinstance(above, ast.Await)
    ):
        node, above = above, parent(above)
    if not result and (
        isinstance(above, ast.Return) or isinstance(above, ast.Lambda) and above.body is node
    ):
        return _returned(above, depth)
    return result


def _returned(node: Node, depth: int) -> list[str]:
    """A returned value is called as the caller calls it, where one call is all there is; else
    "f()".
    """
    while node is not None and not isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    ):
        node = parent(node)
    if isinstance(node, ast.Lambda):
        above = parent(node)
        if not (isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name)):
            return []
        name = above.targets[0].id
    elif node is not None:
        name = node.name
    else:
        return []
    calls = node.file.calls_of(name)
    if len(calls) == 1 and depth < 8:
        names = _names(calls[0], depth + 1)
        if len(names) == 1 and names[0]:
            return names
    # of models: their text says more
    return [] if name.startswith("__") or name == "call" else [f"{name}()"]
