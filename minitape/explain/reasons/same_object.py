"""Two names for one object: `b = a` makes no copy, `[v] * 3` no three variables. Every use counts,
under whichever name.

The values of the names when the question is asked, and the list of sources, show that it is one
object; the text shows where it got its second name. A weight that is shared on purpose has one name
where it is used, or belongs to two layers: it is not mentioned unless it is asked for twice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minitape.program.objects import elements, owns
from minitape.program.syntax import FUNCTIONS, above, alike, inside, parent, short, text_of

from ..case.aliases import Case, Node
from ..case.definitions import definitions
from ..case.graph import Break
from .outside import block_of


def reasons(case: Case) -> Iterator[Break]:
    """Return the breaks for a source that has two names, or is asked for twice."""
    times = case.evidence.asked[case.source.id]
    for repeated in _repeated(case):
        element, count = (repeated.left, repeated.right)[
            :: 1 if isinstance(repeated.left, ast.List) else -1
        ]
        yield Break(
            "same-object",
            repeated,
            params={
                "variant": "list",
                "made": short(repeated),
                "element": text_of(element.elts[0]),
                "times": text_of(count),
            },
        )
    yield from _named_twice(case, times > 1)
    if times > 1:
        listed = (
            definitions(case.sources_node.id, case.program)
            if isinstance(case.sources_node, ast.Name)
            else []
        )
        written = (
            case.sources_node
            if isinstance(case.sources_node, (ast.List, ast.Tuple, ast.Dict))
            else _literal(case)
        )
        where = written or (listed[-1] if listed else case.call)
        made = short(where) if where is not None else ""
        yield Break("same-object", where, params={"variant": "asked", "made": made, "times": times})


def _repeated(case: Case) -> Iterator[Node]:
    """`[tf.Variable(0.5)] * 3`, `[Layer()] * 3`, of what is the source or holds it."""
    made = case.node(case.source.where)
    for node in case.program.each((ast.BinOp,)):
        for side in (node.left, node.right) if isinstance(node.op, ast.Mult) else ():
            if (
                isinstance(side, ast.List)
                and len(side.elts) == 1
                and isinstance(side.elts[0], ast.Call)
            ):
                pairs = [
                    elements(case.held(t), 2) or () for t in getattr(parent(node), "targets", [])
                ]
                if made is side.elts[0] or any(
                    len(two) > 1 and two[1] is two[0] and owns(two[0], case.source.object)
                    for two in pairs
                ):
                    yield node


def _named_twice(case: Case, asked: bool) -> Iterator[Break]:
    """`b = a`, `a = b = tf.Variable(...)`, `target = online`: both names are read while the tape
    records.
    """
    block = block_of(case)
    read = _read(case, block)
    for stmt in case.program.each((ast.Assign,)):
        if inside(stmt, block):
            continue
        names = [t for t in stmt.targets if isinstance(t, ast.Name) or _of_one(t, stmt.value)]
        chained = len(names) > 1
        if not names or not chained and not isinstance(stmt.value, (ast.Name, ast.Attribute)):
            continue
        pair = names[:2] if chained else [names[0], stmt.value]
        held = case.held(pair[0])
        if held is None or case.held(pair[1]) is not held or not owns(held, case.source.object):
            continue
        called = [text_of(p) for p in pair]
        # w = model.w is a short name, unless the two are compared
        short_name = not chained and not asked and isinstance(stmt.value, ast.Attribute)
        used = asked and held is case.source.object or set(called) <= read
        if not used or short_name and not (_meet(block, called) or _of_one(names[0], stmt.value)):
            continue
        variant = "" if held is case.source.object else "owner"
        yield Break(
            "same-object",
            stmt if chained else stmt.value,
            params={
                "variant": "chain" if chained and not variant else variant,
                "made": short(stmt),
                "twin": called[1],
                "name": called[0],
            },
        )


def _of_one(target: Node, value: Node) -> bool:
    """True for two attributes of one object: `self.decoder = self.encoder`."""
    return (
        isinstance(target, ast.Attribute)
        and isinstance(value, ast.Attribute)
        and alike(target.value, value.value)
    )


def _read(case: Case, block: Node) -> set[str]:
    """Return the names that are read in the block and in the functions that ran while the tape
    recorded, but for their own ones.
    """
    places = map(case.node, case.evidence.places().values())
    functions = (
        {above(node, FUNCTIONS) for node in places if node is not None}
        if block is not None
        else set()
    )
    result: set[str] = set()
    for container in {block, *(f for f in functions if f is not None and not inside(block, f))} - {
        None
    }:
        nodes = [n for n in ast.walk(container) if isinstance(n, (ast.Name, ast.Attribute))]
        own = (
            {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            if container is not block
            else set()
        )
        if container is not block:  # in a method, the first parameter is the object itself
            own |= {a.arg for a in ast.walk(container.args) if isinstance(a, ast.arg)} - _me(
                container
            )
        result |= {
            text
            for n in nodes
            if isinstance(n.ctx, ast.Load) and (text := text_of(n)).partition(".")[0] not in own
        }
    return result


def _me(function: Node) -> set[str]:
    return (
        {a.arg for a in function.args.args[:1]}
        if isinstance(parent(function), ast.ClassDef)
        else set()
    )


def _meet(block: Node, names: list[str]) -> bool:
    """True where two names are the sides of one difference."""
    return any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, ast.Sub)
        and {text_of(n.left), text_of(n.right)} == set(names)
        for n in ast.walk(block)
    )


def _literal(case: Case) -> Node:
    """Return the dictionary or list of the text in which the source's name stands twice, or None."""
    names = {
        name
        for scope in case.evidence.scopes
        for name, value in list(scope.items())
        if value is case.source.object
    }
    for node in case.program.each((ast.Assign,), *names) if names else ():
        literal = node.value
        values = (
            literal.values
            if isinstance(literal, ast.Dict)
            else literal.elts
            if isinstance(literal, (ast.List, ast.Tuple))
            else []
        )
        written = [v.id for v in values if isinstance(v, ast.Name)]
        if any(written.count(name) > 1 for name in names):
            return literal
    return None
