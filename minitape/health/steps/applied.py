"""What a program's text does with the gradients that it asks for: gives them to variables, puts the
step under a new name, or nothing at all.

The text is followed from the call of `gradient` on: through names, loops, functions of the
learner's and what they return. Nothing of it is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from minitape.explain.case.definitions import definitions, replaced_name
from minitape.program import Text
from minitape.program.aliases import Node
from minitape.program.syntax import FUNCTIONS, above, inside, last_name, statement, text_of

# methods that change variables
APPLIES = frozenset(
    "apply apply_gradients assign assign_sub assign_add minimize set_value set_weights scatter_sub "
    "scatter_nd_sub scatter_update batch_scatter_update fit train_on_batch".split()
)
COLLECTS = frozenset(("append", "extend", "insert"))
MOST = 400  # pieces of text that are followed


class Applied(NamedTuple):
    """`kind`: "applied" where something is given to a method that changes variables, "renamed"
    where a step is computed and gets a name, else "never"; `node`: the call or statement that does
    so, of "never" the call of `gradient`; `names`: those that hold gradients.
    """

    kind: str
    node: Node
    names: frozenset[str] = frozenset()


def applied(program: Text, asked: Node) -> Applied:
    """Return what becomes of the gradients that the call `asked` returns."""
    if last_name(asked.func) in APPLIES:  # it asks for them itself
        return Applied("applied", asked)
    todo, renamed = [asked], None
    played = last_name(asked.func) == "backward"
    if played:  # PyTorch leaves them with the tensors
        reads = program.each((ast.Attribute,), "grad")
        todo += [n for n in reads if n.attr == "grad" and isinstance(n.ctx, ast.Load)]
    seen: set[Node] = set()
    names: set[str] = set()
    while todo and len(seen) < MOST:
        node = todo.pop(0)
        if node in seen:
            continue
        seen.add(node)
        call, stmt = _call_around(program, node), statement(node)
        if call is not None and last_name(call.func) in APPLIES:
            return Applied("applied", call, frozenset(names))
        bound = list(_bound(node, stmt))
        name = replaced_name(node, program) if stmt is not None else ""
        step = name and name not in names or call is not None and last_name(call.func) in COLLECTS
        in_place = played and isinstance(stmt, ast.AugAssign)
        if renamed is None and step and not in_place:
            signs = (n for n in ast.walk(stmt) if isinstance(n, (ast.Sub, ast.USub)))
            renamed = stmt if any(signs) else None
        names.update(text_of(target) for target, _ in bound)
        todo += _further(program, node, stmt, call)
        for target, scope in bound:
            todo += _readings(program, text_of(target).partition("[")[0], scope, target)
    kind, node = ("renamed", renamed) if renamed is not None else ("never", asked)
    return Applied(kind, node, frozenset(names))


def _call_around(program: Text, node: Node) -> Node:
    """Return the nearest call that a value is given to and that is no function such as `zip` or
    `clip`: one that changes variables, or one of the learner's functions.
    """
    call = node
    while (call := above(call, ast.Call, stop=ast.stmt)) is not None:
        if last_name(call.func) in APPLIES | COLLECTS or _function(program, call) is not None:
            return call
    return None


def _function(program: Text, call: Node) -> Node:
    """Return the learner's function that a call means, or None."""
    functions = program.functions.named(last_name(call.func)) if last_name(call.func) else []
    return next((f for f in functions if isinstance(f, FUNCTIONS)), None)


def _bound(node: Node, stmt: Node) -> Iterator[tuple[Node, Node]]:
    """What gets a value, or what is computed of it, and the scope in which that is read: names of a
    loop, of a comprehension, of an assignment.
    """
    inner = node
    while (inner := above(inner, ast.comprehension, stop=ast.stmt)) is not None:
        if inside(node, inner.iter):
            for target in _facing(inner.target, inner.iter, node):
                yield target, above(inner, ast.expr)
    if isinstance(stmt, (ast.For, ast.AsyncFor)) and inside(node, stmt.iter):
        for target in _facing(stmt.target, stmt.iter, node):
            yield target, stmt
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [getattr(stmt, "target", None)]
    if isinstance(stmt, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        for target in targets:
            for each in getattr(target, "elts", [target]):
                yield each, above(stmt, FUNCTIONS)


def _facing(target: Node, source: Node, node: Node) -> list[Node]:
    """Return the names of a loop that stand where a value stands in what the loop goes through."""
    if isinstance(source, ast.Call) and isinstance(target, ast.Tuple):
        pairs = zip(target.elts, source.args)
        if last_name(source.func) == "enumerate":
            pairs = zip(target.elts[1:], source.args)
        if last_name(source.func) in ("zip", "enumerate"):
            return [n for t, a in pairs if inside(node, a) for n in _facing(t, a, node)]
    return [n for n in ast.walk(target) if isinstance(n, ast.Name)]


def _further(program: Text, node: Node, stmt: Node, call: Node) -> Iterator[Node]:
    """The places where a value is used next: by its names, in functions that it is given to, where
    a function that returns it is called.
    """
    if call is not None and (function := _function(program, call)) is not None:
        parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
        parameters = parameters[parameters[:1] == ["self"] :]
        for k, argument in enumerate(call.args):
            if inside(node, argument) and k < len(parameters):
                yield from _readings(program, parameters[k], function)
        for keyword in call.keywords:
            if inside(node, keyword.value) and keyword.arg:
                yield from _readings(program, keyword.arg, function)
    elif call is not None and isinstance(call.func, ast.Attribute):  # grads.append(g)
        yield from _readings(program, text_of(call.func.value), above(stmt, FUNCTIONS), call)
    if isinstance(stmt, ast.Return) and (function := above(stmt, FUNCTIONS)) is not None:
        for use in program.each((ast.Call,), getattr(function, "name", "lambda")):
            if last_name(use.func) == function.name:
                yield use


def _readings(program: Text, name: str, scope: Node, but: Node = None) -> Iterator[Node]:
    """The places where a name (or attribute) is read in a scope; in the whole program, if None."""
    plain = name.rpartition(".")[2]
    for node in program.each((ast.Name, ast.Attribute), plain):
        if (
            isinstance(node.ctx, ast.Load)
            and text_of(node) == name
            and ("." in name or scope is None or inside(node, scope))
            and not (but is not None and inside(node, but))
        ):
            yield node


def whole_numbers(program: Text, node: Node, depth: int = 5) -> Iterator[Node]:
    """The divisions that round down, `//`, in what an expression is computed from."""
    level = [node]
    seen: set[Node] = set()
    for _ in range(depth):
        further: list[Node] = []
        for each in level:
            for part in ast.walk(each):
                if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv):
                    yield part
                elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                    further += [*definitions(part.id, program), *_made_by(program, part.id)]
                elif isinstance(part, ast.Attribute):
                    further += [*definitions(text_of(part), program), *_made_by(program, part.attr)]
        level = [each for each in further if each not in seen]
        seen.update(level)


def _made_by(program: Text, name: str) -> list[Node]:
    """Return the learner's functions and classes of a name."""
    return [
        node for node in program.each((ast.FunctionDef, ast.ClassDef), name) if node.name == name
    ]
