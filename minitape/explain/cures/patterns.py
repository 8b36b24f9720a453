"""Patterns of source text with holes: read from a dialect's tables, matched, and filled in.

The matcher goes over pattern and text with a list of its own, and only as deep as the pattern: how
deep a learner's formula is nested does not matter. `minitape/dialects/cures.py` explains the rows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.program.syntax import call_name

if TYPE_CHECKING:
    from minitape.dialects import Dialect

    Holes = dict[str, Any]
    from ..case.aliases import Node

HOLE = re.compile(r"[A-Z]\d?")
WORD = re.compile(r"[A-Z]{2,}")
FURTHEST = 4  # so many names are looked behind


class Row(NamedTuple):
    """One line of a table."""

    pattern: Node
    instead: list[Any]
    condition: CodeType | None


class Filled(NamedTuple):
    """What a row or a condition puts into a hole: code of its own, with holes of its own."""

    instead: Node
    holes: Holes


def template(text: str, **holes: Any) -> Filled:
    """Return what a condition puts into a hole: code with these holes, and those of the row."""
    return Filled(ast.parse(text, mode="eval").body, holes)


@cache
def table(text: str) -> dict[str, list[Row]]:
    """Return the rows of a table by the names of their sections; all in their order under "*"."""
    result: dict[str, list[Row]] = {}
    names: list[str] = []
    for line in re.sub(r"\n +", "  ", text).splitlines():
        if line.startswith("["):
            names = line.strip("[] ").split(" ")
        elif "->" in line:
            pattern, _, rest = line.replace("\\n", "\n").partition("->")
            instead, _, condition = rest.partition("  if ")
            code = compile(condition.strip(), "<condition>", "eval") if condition else None
            stmt: Any = ast.parse(pattern.strip()).body[0]
            wanted = stmt.value if isinstance(stmt, ast.Expr) else stmt
            row = Row(wanted, ast.parse(instead.strip()).body, code)
            for name in (*names, "*"):
                result.setdefault(name, []).append(row)
    return result


def same(a: Any, b: Any) -> bool:
    """True where two pieces of code say the same, wherever they stand."""
    todo = [(a, b)]
    while todo:
        a, b = todo.pop()
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            todo += zip(a, b)
        elif isinstance(a, ast.AST) and type(a) is type(b):
            todo += [(getattr(a, f, None), getattr(b, f, None)) for f in a._fields if f != "ctx"]
        elif isinstance(a, (ast.AST, list)) or a != b or type(a) is not type(b):
            return False
    return True


# ---- matching


class Matcher:
    """Tries one pattern on one piece of code: into `holes`, and `seen`, the nodes that it names.

    `around`: what else code may stand for, the expression behind a name; `section`: the rows of a
    section, tried on a node, for a hole that is called so; `foreign`: true for a call that is not
    the library's.
    """

    def __init__(
        self,
        dialect: Dialect,
        around: Callable[[Node], Node],
        section: Callable[[str, Node], tuple[Filled, list[Node]] | None],
        foreign: Callable[[Node], Any],
    ) -> None:
        self.dialect, self.around, self.section, self.foreign = dialect, around, section, foreign
        self.holes: Holes = {}
        self.seen: list[Node] = []

    def match(self, pattern: Node, node: Node) -> bool:
        """True where a pattern matches; what it was matched with is kept."""
        todo: list[tuple[Any, Any]] = [(pattern, node)]
        while todo:
            wanted, there = todo.pop()
            parts = self._parts(wanted, there)
            for _ in range(FURTHEST):
                if parts is not None or wanted is pattern or not isinstance(there, ast.expr):
                    break
                self.seen.append(there)
                there = self.around(there)
                parts = self._parts(wanted, there) if there is not None else None
            if parts is None:
                return False
            todo += parts
        return True

    def _parts(self, wanted: Any, there: Any) -> list[tuple[Any, Any]] | None:
        """Return what is left to be matched, or None where this does not match."""
        if isinstance(wanted, ast.FormattedValue) and isinstance(there, ast.Constant):
            wanted = wanted.value  # the format in f"{x:.2f}"
        if isinstance(wanted, ast.Name) and (HOLE.fullmatch(wanted.id) or wanted.id == "_"):
            return self._hole(wanted.id, there)
        if isinstance(wanted, ast.Name) and WORD.fullmatch(wanted.id):
            result = self.section(wanted.id, there) if isinstance(there, ast.expr) else None
            if result is None:
                return None
            self.holes[wanted.id] = result[0]
            self.seen += [there, *result[1]]
            return []
        if not isinstance(wanted, ast.AST):
            return [] if wanted == there and type(wanted) is type(there) else None
        if isinstance(wanted, ast.Constant) and not isinstance(wanted.value, str):
            value = getattr(there, "value", None) if isinstance(there, ast.Constant) else None
            return (
                []
                if value == wanted.value
                and isinstance(value, bool) is isinstance(wanted.value, bool)
                else None
            )
        self.seen.append(there)
        if (
            isinstance(wanted, ast.Compare)
            and call_name(there) == "equal"
            and isinstance(wanted.ops[0], ast.Eq)
        ):
            there = ast.Compare(there.args[0], [ast.Eq()], there.args[1:2])  # tf.equal(a, b)
        if type(wanted) is not type(there):
            return None
        if isinstance(wanted, ast.Call):
            return self._call(wanted, there)
        return _paired(wanted, there)

    def _hole(self, name: str, there: Any) -> list[tuple[Any, Any]] | None:
        if not isinstance(there, ast.expr) or isinstance(there, ast.Starred):
            return None
        return [] if name == "_" or same(self.holes.setdefault(name, there), there) else None

    def _call(self, wanted: Any, there: Any) -> list[tuple[Any, Any]] | None:
        parts: list[tuple[Any, Any]] = []
        args, keywords = list(there.args), list(there.keywords)
        if _of_library(wanted.func):
            name = self.dialect.name(_dotted(wanted.func)).rpartition(".")[2]
            if call_name(there) not in self.dialect.groups.get(name, (name,)) or self.foreign(
                there
            ):
                return None
            if WORD.fullmatch(name):
                self.holes[name] = there.func
            args = [*self._owner(there.func), *args]
        else:
            parts.append((wanted.func, there.func))
        rest: list[Any] = [a.value for a in wanted.args if isinstance(a, ast.Starred)]
        stars: Holes = {a.id: [] for a in rest}
        plain = [a for a in wanted.args if not isinstance(a, ast.Starred)]
        if any(isinstance(a, ast.Starred) for a in args[: len(plain)]) or len(args) < len(plain):
            return None
        parts += zip(plain, args)
        args = args[len(plain) :]
        for keyword in wanted.keywords:
            given = [k for k in keywords if k.arg == keyword.arg]
            if keyword.arg is None:
                stars[keyword.value.id], keywords = keywords, []
            elif given:
                parts.append((keyword.value, given[0].value))
                keywords.remove(given[0])
            elif args and _of_library(wanted.func):
                parts.append((keyword.value, args.pop(0)))
            else:
                return None
        for a in rest:
            stars[a.id], args = args, []
        self.holes.update(stars)
        return None if args or keywords else parts

    def _owner(self, func: Any) -> list[Node]:
        """Return [x] for the method of `x.sqrt()`, where the library has its functions so, too."""
        if not self.dialect.fluent or not isinstance(func, ast.Attribute):
            return []
        root = func.value
        while isinstance(root, ast.Attribute):
            root = root.value
        # in a notebook the import stands in another cell
        known = {self.dialect.alias, *func.file.imports}  # type: ignore[attr-defined]
        return [] if isinstance(root, ast.Name) and root.id in known else [func.value]


def _paired(wanted: Any, there: Any) -> list[tuple[Any, Any]] | None:
    """Return the fields of two nodes of one type in pairs, or None where their lists differ."""
    result: list[tuple[Any, Any]] = []
    for name in wanted._fields:
        a: Any = getattr(wanted, name, None)
        b: Any = getattr(there, name, None)
        if isinstance(a, list):
            if isinstance(wanted, ast.JoinedStr):  # Python 3.12 puts an empty text after `{f}`
                a, b = ([v for v in some if getattr(v, "value", 0) != ""] for some in (a, b))
            if len(a) != len(b):
                return None
            result += zip(a, b)
        elif name not in ("ctx", "type_comment", "kind", "conversion"):
            result.append((a, b))
    return result


def _of_library(func: Any) -> bool:
    """True for a pattern's `tf.reduce_sum`, `tf.math.log`."""
    while isinstance(func, ast.Attribute):
        func = func.value
        if isinstance(func, ast.Name):
            return func.id == "tf"
    return False


def _dotted(func: Node) -> str:
    """Return what stands behind `tf.`: "math.log"."""
    return ast.unparse(func).partition(".")[2]


# ---- filling in


class Fill(ast.NodeTransformer):
    """Makes code of what a row says. Raises KeyError for a hole that nothing was found for."""

    def __init__(
        self, holes: Mapping[str, Any], dialect: Dialect, alias: str, fresh: Callable[[str], str]
    ) -> None:
        self.holes, self.dialect, self.alias, self.fresh = holes, dialect, alias, fresh

    def visit_Name(self, node: ast.Name) -> Any:
        """A hole, a word of the explanation's, the library, or a new name."""
        filling = self.holes.get(node.id)
        if isinstance(filling, Filled):
            return Fill(
                {**self.holes, **filling.holes}, self.dialect, self.alias, self.fresh
            ).visit(copied(filling.instead))
        if filling is not None:
            return (
                filling
                if isinstance(filling, ast.AST)
                else ast.parse(str(filling), mode="eval").body
            )
        if HOLE.fullmatch(node.id) or WORD.fullmatch(node.id):
            raise KeyError(node.id)
        if node.id.endswith("_") and node.id != "_":
            return ast.Name(self.fresh(node.id[:-1]), node.ctx)
        return ast.Name(self.alias, node.ctx) if node.id == "tf" else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """A function of a group is written as it was there, one of the library as that calls it."""
        filling = self.holes.get(node.attr) if WORD.fullmatch(node.attr) else None
        if filling is None and _of_library(node):
            called = self.dialect.called(_dotted(node)).replace("{tf}", self.alias)
            filling = ast.parse(called, mode="eval").body
        return filling if filling is not None else self.generic_visit(node)

    def visit_Call(self, node: Any) -> Any:
        """What a row says of an argument counts, not what was there."""
        self.generic_visit(node)
        last = {keyword.arg: keyword for keyword in node.keywords}
        node.keywords = [k for k in node.keywords if k.arg is None or last[k.arg] is k]
        return node

    def visit_Starred(self, node: Any) -> Any:
        """The arguments that were left."""
        filling = self.holes.get(getattr(node.value, "id", ""))
        return filling if isinstance(filling, list) else self.generic_visit(node)

    def visit_keyword(self, node: Any) -> Any:
        """The keywords that were left."""
        filling = self.holes.get(getattr(node.value, "id", "")) if node.arg is None else None
        return filling if isinstance(filling, list) else self.generic_visit(node)


def copied(node: Node) -> Any:
    """Return a copy of a table's own code, which is never deep."""
    return (
        ast.parse(ast.unparse(node)).body[0]
        if isinstance(node, ast.stmt)
        else ast.parse(ast.unparse(node), mode="eval").body
    )


def filled(
    instead: Sequence[Node],
    holes: Mapping[str, Any],
    dialect: Dialect,
    alias: str,
    fresh: Callable[[str], str],
) -> list[str]:
    """Return what a row says as texts, a statement each."""
    fill = Fill(holes, dialect, alias, fresh)
    return [ast.unparse(ast.fix_missing_locations(fill.visit(copied(stmt)))) for stmt in instead]
