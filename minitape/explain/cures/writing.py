"""Statements written anew, with other text in some places."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.program.syntax import FUNCTIONS, above, siblings, statement

if TYPE_CHECKING:
    from ..case.aliases import Node

LONGEST = 110  # a cure with a longer line is not offered
MOST_LINES = 12  # nor one of more lines
LOOPS = (ast.For, ast.While)


class Cure(NamedTuple):
    """Lines to write, and the statements, or the first and the last line, that they stand in place
    of: none for the guilty statement; `said`: words of the answer that are others with it.
    """

    lines: list[str]
    place: list[Node] | tuple[int, int] = []
    said: dict[str, str] = {}


def written_anew(stmts: Sequence[Node], changes: Mapping[Node, str | list[str]]) -> list[str]:
    """Return statements as lines, with other text for expressions, other lines for statements."""
    made: list[str] = []
    for stmt in stmts:
        new = ast.parse(ast.unparse(stmt))
        old, fresh = list(ast.walk(stmt)), list(ast.walk(new.body[0]))
        if [type(n) for n in old] != [type(n) for n in fresh]:
            return []
        wanted = {id(n): changes[o] for o, n in zip(old, fresh) if o in changes}
        made += [
            line
            for line in ast.unparse(ast.fix_missing_locations(_Put(wanted).visit(new))).split("\n")
            if line.strip()
        ]
    return made if len(made) <= MOST_LINES and all(len(line) <= LONGEST for line in made) else []


def head_anew(changes: Mapping[Node, str]) -> list[str]:
    """Return the one line of a statement, or its head, with other text for expressions; or []."""
    head = copy(statement(next(iter(changes))))
    compound = hasattr(head, "body")
    if compound:
        head.body, head.orelse = [ast.Pass()], []
    lines = written_anew([head], changes) if changes.keys() <= {*ast.walk(head)} else []
    lines = lines[:-1] if compound else lines
    return lines if len(lines) == 1 else []


class _Put(ast.NodeTransformer):
    """Puts new text in the places of nodes, `{id(node): expression, or lines for a statement}`."""

    def __init__(self, wanted: Mapping[int, str | list[str]]) -> None:
        self.wanted = wanted

    def visit(self, node: Any) -> Any:
        new = self.wanted.get(id(node))
        if new is None:
            result: Any = super().generic_visit(node)
            if getattr(result, "body", True) == []:
                result.body = [ast.Pass()]
            return result
        return (
            ast.parse(new, mode="eval").body
            if isinstance(new, str)
            else ast.parse("\n".join(new)).body
        )


def put(node: Node, texts: Mapping[Node, str]) -> str:
    """Return an expression with other text for some of its parts."""
    tree: Any = ast.parse(ast.unparse(node), mode="eval")
    place = {id(a): id(b) for a, b in zip(ast.walk(node), ast.walk(tree.body))}
    return ast.unparse(_Put({place[id(each)]: text for each, text in texts.items()}).visit(tree))


def between(stmts: Sequence[Node]) -> list[Node]:
    """Return some statements of one block with those between them; [] where they stand apart."""
    around = siblings(stmts[0]) if stmts else []
    if not stmts or any(stmt not in around for stmt in stmts):
        return []
    places = sorted(around.index(stmt) for stmt in stmts)
    return around[places[0] : places[-1] + 1]


def free(node: Node, *names: str) -> str:
    """Return the first of some names that the file does not use, or ""."""
    taken = {getattr(n, "id", getattr(n, "arg", "")) for n in ast.walk(node.file.tree)}
    return next((name for name in names if name.isidentifier() and name not in taken), "")


def stored(node: Node) -> set[str]:
    """Return the names that a piece of code gives values to: parameters are names as well."""
    return {
        getattr(n, "id", getattr(n, "arg", ""))
        for n in ast.walk(node)
        if isinstance(n, ast.arg) or isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def alone(stmt: Node) -> bool:
    """True where a statement has its lines for itself: no `a = 1; b = 2`, no `elif`."""
    first, last = stmt.file.lines[stmt.lineno - 1], stmt.file.lines[stmt.end_lineno - 1]
    rest = last.encode()[stmt.end_col_offset :].decode().strip()
    begins = first.lstrip() == first.encode()[stmt.col_offset :].decode()
    return begins and not first.lstrip().startswith("elif") and rest[:1] in ("", "#")


def own_loop(node: Node) -> Node:
    """Return the loop around a node in the same function and the same block, or None."""
    return above(node, LOOPS, stop=(*FUNCTIONS, ast.With))


def named(stmt: Any, node: Node) -> str:
    """Return the one target that an assignment gives an expression to, or ""."""
    plain = isinstance(stmt, ast.Assign) and stmt.value is node and len(stmt.targets) == 1
    return ast.unparse(stmt.targets[0]) if plain else ""
