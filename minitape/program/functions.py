"""The functions of a program, found by the names that they are called by, and what the names in
them mean.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .syntax import FUNCTIONS, above, inside, last_name

if TYPE_CHECKING:
    from .aliases import Node
    from .files import File

DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef)


class Definition(NamedTuple):
    """Where a name that is read was last given to something for certain, and the loops around the
    reading: their first and last places.
    """

    begin: tuple[int, int]
    loops: list[tuple[tuple[int, int], tuple[int, int]]]


class Functions:
    """The functions in some files. What is asked is looked up in the parts of the files where the
    name stands, once.
    """

    def __init__(self, files: Sequence[File], go_on: Callable[[], None]) -> None:
        self.files, self.go_on = files, go_on  # `go_on`: see `Text.go_on`
        self._named: dict[str, list[Node]] = {}
        self._classes: dict[str, bool] = {}
        self._others: dict[str, list[str]] = {}
        self._calls: dict[str, list[Node]] = {}
        self._local: dict[Node, set[str]] = {}
        self._scopes: dict[Node, Any] = {}
        self._latest: dict[tuple[Node, bool], Definition | None] = {}
        self._given: dict[tuple[int, bool], dict[str, list[int]]] = {}

    def each(self, kinds: tuple[type, ...], *words: str) -> list[Node]:
        """Return the nodes of some kinds, in the parts of the files where one of some words stands."""
        self.go_on()
        return [node for file in self.files for node in file.each(kinds, *words)]

    # ---- which functions a name means

    def named(self, name: str) -> list[Node]:
        """Return the functions that a call of a name, or of a method of this name, may run; for a
        class its `__init__`.
        """
        if name not in self._named:
            result = self._plainly(name)
            for outer in [
                outer
                for f in result
                for name_of in _decorators(f)
                for outer in self._plainly(name_of)
            ]:
                result += [
                    f
                    for f in outer.file.each((ast.FunctionDef,), within=(outer,))
                    if f is not outer and inside(f, outer)
                ]
            self._named[name] = list(dict.fromkeys(result))
        return self._named[name]

    def _plainly(self, name: str) -> list[Node]:
        """Return the functions of a name and of its other names: `small = block` and `small =
        tf.recompute_grad(block)` call `block`.
        """
        result: list[Node] = []
        names = [name]
        for each in names:
            for node in [
                n
                for file in self.files
                for n in file.each((*DEFINED, ast.ClassDef, ast.Assign), given=each)
            ]:
                if isinstance(node, ast.Assign):
                    if not isinstance(node.targets[0], ast.Name) or node.targets[0].id != each:
                        continue
                    if isinstance(node.value, ast.Lambda):
                        result.append(node.value)
                    names += [n for n in _passed_on(node.value) if n not in names]
                elif node.name == each:
                    result += (
                        [node]
                        if not isinstance(node, ast.ClassDef)
                        else [
                            f
                            for f in node.body
                            if isinstance(f, ast.FunctionDef) and f.name == "__init__"
                        ]
                    )
        return result

    def names_of(self, function: Node) -> set[str]:
        """Return the names under which a function may be called: its own, and those that the text
        gives to it. There may be more.
        """
        above_it = function.file.parent[function]
        own = [getattr(function, "name", ""), _first_target(above_it)]
        if own[0] == "__init__":
            own.append(getattr(above_it, "name", ""))
        around = above(function, DEFINED)
        if around is not None:  # what a decorator gives back is called as what it decorates
            outer = {around.name}
            while (around := above(around, DEFINED)) is not None:
                outer.add(around.name)
            outer = self._with_others(outer)
            own += [
                f.name for f in self.each(DEFINED, *outer) if outer.intersection(_decorators(f))
            ]
        return self._with_others(own)

    def _with_others(self, names: Iterable[str]) -> set[str]:
        """Return names and those that the text gives to what they mean."""
        result = [name for name in names if name]
        for each in result:
            if each not in self._others:
                self._others[each] = list(
                    dict.fromkeys(
                        target
                        for s in self.each((ast.Assign,), each)
                        if (target := _first_target(s)) and each in _passed_on(s.value)
                    )
                )
            result += [name for name in self._others[each] if name not in result]
        return set(result)

    def calls_with(self, name: str) -> list[Node]:
        """Return the calls of a name, of a method of this name, or with the name itself among the
        arguments.
        """
        if name not in self._calls:
            self._calls[name] = [
                call
                for call in self.each((ast.Call,), name)
                if last_name(call.func) == name
                or any(isinstance(a, ast.Name) and a.id == name for a in call.args)
            ]
        return self._calls[name]

    def is_class(self, name: str) -> bool:
        """True where the program has a class of this name."""
        if name not in self._classes:
            self._classes[name] = any(
                node.name == name
                for file in self.files
                for node in file.each((ast.ClassDef,), given=name)
            )
        return self._classes[name]

    # ---- what a name in them means

    def scope(self, node: Node) -> Any:
        """Return what a name belongs to: its function, or the name of the file, or all cells
        together.
        """
        if node not in self._scopes:
            self._scopes[node] = self.scope_at(node, node.id)
        return self._scopes[node]

    def scope_at(self, node: Node, name: str) -> Any:
        """Return what a name belongs to where a node stands."""
        around, file = node.outer, node.file
        while around is not file.root and not (
            isinstance(around, FUNCTIONS) and name in self._locals(around)
        ):
            around = around.outer
        return around if around is not file.root else "cells" if file.is_cell else file.filename

    def readings(self, scope: Any, name: str, parts: Iterable[Node]) -> list[Node]:
        """Return the places in some parts where a name of a scope stands."""
        result: dict[File, list[Node]] = {}
        for part in parts:
            result.setdefault(part.file, []).append(part)
        return [
            node
            for file, those in result.items()
            for node in file.each((ast.Name,), within=tuple(those))
            if node.id == name and self.scope(node) == scope
        ]

    def parts_of(self, scope: Any, name: str) -> list[Node]:
        """Return the parts of the files where a name of a scope may stand."""
        if isinstance(scope, ast.AST):
            return [scope.part]  # type: ignore[attr-defined]
        return [part for file in self.files for part in file.parts_with(name)]

    def _locals(self, function: Node) -> set[str]:
        if function not in self._local:
            names = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
            free: set[str] = set()
            todo = list(function.body) if isinstance(function.body, list) else [function.body]
            while todo:
                node = todo.pop()
                if isinstance(node, ast.Name):  # most are
                    if isinstance(node.ctx, ast.Store):
                        names.add(node.id)
                    continue
                if isinstance(node, (*DEFINED, ast.ClassDef)):
                    names.add(node.name)
                    continue
                if isinstance(node, (ast.Global, ast.Nonlocal)):
                    free.update(node.names)
                if not isinstance(node, ast.Lambda):
                    todo.extend(ast.iter_child_nodes(node))
            self._local[function] = names - free
        return self._local[function]

    def definition(self, node: Node, sloping: bool = False) -> Definition | None:
        """Return the `Definition` before a reading; None where none is certain.

        With `sloping`, a name that is divided in whole numbers has lost its slope, and counts as
        given anew.
        """
        key = node, sloping
        if key not in self._latest:
            self._latest[key] = self._find_definition(node, sloping)
        return self._latest[key]

    def _find_definition(self, node: Node, sloping: bool) -> Definition | None:
        scope, file = self.scope(node), node.file
        loops: list[Any] = []
        inner, outer = node, node.outer
        while True:
            if isinstance(outer, (ast.For, ast.While)):
                loops.append(
                    ((outer.lineno, outer.col_offset), (outer.end_lineno, outer.end_col_offset))
                )
            if isinstance(outer, FUNCTIONS) and outer is not scope:
                return None  # read in a function, defined around it: nobody knows when
            if inner in file.block_of:
                block, place = file.block_of[inner]
                places = self._given_in(block, sloping).get(node.id, ())
                before = bisect_left(places, place)
                if before:
                    statement = block[places[before - 1]]
                    return Definition((statement.lineno, statement.col_offset), loops)
            if outer is scope or outer is file.root:
                return None
            inner, outer = outer, outer.outer

    def _given_in(self, block: list[Node], sloping: bool) -> dict[str, list[int]]:
        """Return name -> the places of the statements in a block after which nothing is left in it
        of what it held.
        """
        key = id(block), sloping
        if key not in self._given:
            result = self._given[key] = {}
            for place, statement in enumerate(block):
                for name in _given_anew(statement, sloping):
                    result.setdefault(name, []).append(place)
        return self._given[key]


def _given_anew(statement: Node, sloping: bool) -> set[str]:
    if isinstance(statement, ast.AugAssign):
        targets = [statement.target] if sloping and isinstance(statement.op, ast.FloorDiv) else []
    else:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {
        t.id
        for target in targets
        for t in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])
        if isinstance(t, ast.Name)
    }


def _first_target(stmt: Node) -> str:
    return (
        stmt.targets[0].id
        if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name)
        else ""
    )


def _passed_on(value: Node) -> list[str]:
    """Return the names of the functions that a value may be: itself a name, or a call that is given
    some.
    """
    return [
        n.id
        for n in (value.args if isinstance(value, ast.Call) else [value])
        if isinstance(n, ast.Name)
    ]


def _decorators(function: Node) -> list[str]:
    """Return the names of a function's decorators, those of calls among them: `@deco`, `@deco(3)`."""
    called = [
        d.func if isinstance(d, ast.Call) else d for d in getattr(function, "decorator_list", ())
    ]
    return [d.id for d in called if isinstance(d, ast.Name)]
