"""The tables of a dialect, tried on one mistake: where a row fits, and what it writes there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import call_name, climbing, parent, statement

from ..case.definitions import definition
from ..reasons.namesakes import called
from .conditions import Match, holds, is_whole
from .patterns import FURTHEST, Filled, Matcher, Row, filled, table
from .writing import LONGEST, Cure, free, head_anew

if TYPE_CHECKING:
    from ..case.aliases import Case, Node


def in_dialect(case: Case, alias: str, text: str, **holes: Any) -> str:
    """Return an expression, written as in the tables, as the library of a program has it."""
    return filled(ast.parse(text).body, holes, case.dialect, alias, str)[0]


def outermost(case: Case, node: Node) -> Node:
    """Return an expression with the constant that is made of it alone: around a tensor it goes."""
    around = parent(node)
    made = call_name(around) in case.dialect.wrappers and around.args[:1] == [node]
    return around if made else node


class Rows:
    """The rows for a mistake at `focus`; `params`: what is known of it."""

    def __init__(self, case: Case, focus: Node, params: dict[str, Any]) -> None:
        self.case, self.focus, self.params = case, focus, params
        self.dialect, self.alias = case.dialect, params["tf"]
        self.table = table(self.dialect.cures)

    def first(self, sections: Sequence[str], start: Node) -> Match | None:
        """Return the first row that fits at a place, or around it and names what stands there."""
        for row in self.rows(*sections):
            for node in climbing(start):
                match = self.tried(row, node)
                if match is not None and (
                    node is start or any(each is start for each in match.seen)
                ):
                    return match
        return None

    def stretch(self, sections: Sequence[str], *starts: Node) -> Cure | None:
        """Return the lines of the first row that fits at some places, and their statement."""
        for start in starts:
            match = self.first(sections, start)
            texts = self.text(match) if match is not None else []
            if match is not None and texts:
                stmt = statement(match.node)
                last = texts[-1].split("\n")
                if stmt is not match.node:
                    last = head_anew({outermost(self.case, match.node): texts[-1]})
                short = max(map(len, last), default=LONGEST + 1) <= LONGEST
                return Cure([*texts[:-1], *last], [stmt]) if short else None
        return None

    def at(self, sections: Sequence[str], node: Node) -> list[str]:
        """Return what the first row says that fits right at a piece of code, or []."""
        match = next((m for row in self.rows(*sections) if (m := self.tried(row, node))), None)
        return self.text(match) if match is not None else []

    def rows(self, *sections: str) -> list[Row]:
        """Return the rows of some sections, in the order of the table."""
        wanted = {id(row) for name in sections for row in self.table.get(name, ())}
        return [row for row in self.table["*"] if id(row) in wanted]

    def tried(self, row: Row, node: Node) -> Match | None:
        """Return the match of a row with a piece of code, or None."""
        matcher = Matcher(self.dialect, self.around, self.section, partial(called, self.case))
        if not matcher.match(row.pattern, node):
            return None
        match = Match(
            self.case, self.focus, node, self.params, matcher.holes, matcher.seen, row.instead
        )
        return match if holds(row.condition, match) else None

    def section(self, name: str, node: Node) -> tuple[Filled, list[Node]] | None:
        """Return what the first row of a section that fits says in the place of a node."""
        forms = [node]
        while len(forms) < FURTHEST and (behind := self.around(forms[-1])) is not None:
            forms.append(behind)
        for row in self.rows(name):
            for k, form in enumerate(forms):
                match = self.tried(row, form)
                if match is not None:
                    return Filled(row.instead[0].value, match.holes), [*forms[:k], *match.seen]
        return None

    def around(self, node: Node) -> Node:
        """Return what a name stands for, and what is only turned into a whole number."""
        if isinstance(node, ast.Name):
            return definition(self.case, node)
        name, args = call_name(node), getattr(node, "args", [])
        of_call = name == "int" and len(args) == 1 and isinstance(args[0], ast.Call)
        if of_call or name == "cast" and len(args) == 2 and is_whole(args[1]):
            return args[0]
        if name == "astype" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.value
        return None

    def text(self, match: Match) -> list[str]:
        """Return what a row says, a text for each statement; [] where a hole stays empty."""
        known = {key.upper(): value for key, value in self.params.items() if value is not None}
        try:
            return filled(
                match.instead, {**known, **match.holes}, self.dialect, self.alias, self._fresh
            )
        except (KeyError, SyntaxError):
            return []

    def _fresh(self, name: str) -> str:
        fresh = free(self.focus, name, f"{name}_value", f"new_{name}")
        if not fresh:
            raise KeyError(name)
        return fresh
