"""Definitions and uses: where a value goes in the learner's program, as the text tells it.

A float has no identity that could be followed. But the text knows: `c = float(x)` defines c, and `c
* w` uses it. From one expression on, everything is marked that is computed from it: names,
attributes, list elements, arguments and results of the learner's own functions. A name that was
given to something else in between is not followed; otherwise the order of statements is not looked
at (loops run backwards too). So a mark says "may come from"; whether it does is decided by the
tape.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import FUNCTIONS, names_used, worked_on

if TYPE_CHECKING:
    from minitape.program.aliases import Node
    from minitape.program.files import File, Text

GROWS = {
    "append",
    "extend",
    "insert",
    "add",
    "update",
    "setdefault",
    "put",
    "appendleft",
    "fill",
    "itemset",
    "assign",
    "assign_add",
    "assign_sub",
}
HARMLESS = {"print", "len", "isinstance", "type", "hasattr", "id", "range", "display", "callable"}
# by the first argument
SHAPED = {"zeros_like", "ones_like", "empty_like", "full_like", "shape", "size", "ndim", "rank"}
ABOUT = {"shape", "dtype", "ndim", "name", "size", "id"}
FLAT = set(
    """greater greater_equal less less_equal equal not_equal isclose allclose array_equal isnan isfinite isinf signbit isin
    logical_and logical_or logical_not logical_xor any all bool sign heaviside round around rint floor ceil trunc fix floor_divide floordiv
    int int8 int16 int32 int64 argmax argmin argsort argpartition argwhere nonzero flatnonzero count_nonzero digitize searchsorted bincount
    histogram index count""".split()
)
WHOLE = re.compile(r"(\w+\.)?'?(u?int\d*|intp|bool_?)'?")  # dtypes whose numbers move in steps


class Flow:
    """Everything that may be computed from some expressions of a program. `reaches(node)` tells of
    one expression.

    With `sloping`, nothing that comes from them by a comparison or a rounding alone: its slope is
    0. Through an expression in `walls` nothing goes on.
    """

    def __init__(
        self,
        program: Text,
        starts: Sequence[Node],
        sloping: bool = False,
        walls: Collection[Node] = (),
    ) -> None:
        self.files, self.sloping, self.walls = program.trees(), sloping, walls
        self.places, self.memo = {}, {}  # place -> where it was marked: (file, line, column)
        self._count, self._latest = 0, {}
        self._functions()
        self.starts = {
            node
            for node in starts
            if not self._only_shape(node.file, node) or any(map(names_used, node.args[1:]))
        }
        for node in self.starts:
            self._store(node)
        before = -1
        while before != self._count:
            before, self.memo = self._count, {}
            for file in self.files:
                for node in ast.walk(file.tree):
                    self._statement(file, node)
        self.memo = {}

    def reaches(self, node: Node) -> bool:
        """True where the value of an expression may come from one of the starts."""
        return self._expr(node.file, node)

    def enters(self, node: Node) -> bool:
        """True where one of the operands of an expression may come from one of the starts."""
        file = node.file
        if (
            node in self.starts
            and not isinstance(node, ast.AugAssign)
            or self.sloping
            and self._in_steps(file, node)
        ):
            return False
        return any(self._expr(file, n) for n in worked_on(node))

    # ---- names

    def _functions(self) -> None:
        self.functions, self.classes, self.local = {}, set(), {}
        for file in self.files:
            for node in ast.walk(file.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.functions.setdefault(node.name, []).append((file, node))
                    self._locals(node)
                elif isinstance(node, ast.Lambda):
                    self._locals(node)
                    above = file.parent.get(node)
                    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
                        self.functions.setdefault(above.targets[0].id, []).append((file, node))
                elif isinstance(node, ast.ClassDef):
                    self.classes.add(node.name)
                    for inner in node.body:
                        if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
                            self.functions.setdefault(node.name, []).append((file, inner))

        self._other_names()
        for found in self.functions.values():
            for _, node in list(found):
                for decorator in getattr(node, "decorator_list", ()):
                    call = decorator.func if isinstance(decorator, ast.Call) else decorator
                    for home, outer in (
                        self.functions.get(call.id, ()) if isinstance(call, ast.Name) else ()
                    ):
                        found += [
                            (home, inner)
                            for inner in ast.walk(outer)
                            if isinstance(inner, ast.FunctionDef) and inner is not outer
                        ]

    def _other_names(self) -> None:
        """`small = block` and `small = tf.recompute_grad(block)`: whoever calls `small` calls
        `block`.
        """
        for file in self.files:
            for node in ast.walk(file.tree):
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    value, found = node.value, self.functions.setdefault(node.targets[0].id, [])
                    for name in value.args if isinstance(value, ast.Call) else [value]:
                        found += (
                            self.functions.get(name.id, ())
                            if isinstance(name, ast.Name) and name.id != node.targets[0].id
                            else ()
                        )
        self.functions = {name: found for name, found in self.functions.items() if found}

    def _locals(self, function: Node) -> None:
        names = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
        free = set()
        todo = list(function.body) if isinstance(function.body, list) else [function.body]
        while todo:
            node = todo.pop()
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                free.update(node.names)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
                continue
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            if not isinstance(node, ast.Lambda):
                todo.extend(ast.iter_child_nodes(node))
        self.local[function] = names - free

    def _place(self, file: File, node: Node, name: str) -> tuple[Any, str]:
        """Return the place of a name: its function, or the file, or all cells together."""
        scope = file.parent.get(node)
        while scope is not None:
            if isinstance(scope, FUNCTIONS) and name in self.local[scope]:
                return scope, name
            scope = file.parent.get(scope)
        return "cells" if file.is_cell else file.filename, name

    def _mark(
        self, place: tuple[Any, ...], file: File | None = None, node: Node | None = None
    ) -> None:
        """Mark a place; `node` is the definition that does it."""
        at = (file, node.lineno, node.col_offset) if node is not None else None
        marks = self.places.setdefault(place, set())
        if at not in marks:
            marks.add(at)
            self._count += 1

    def _holds(self, file: File, node: Node) -> bool:
        """True where a name that is read may hold a marked value: it was not given to something
        else since.
        """
        place = self._place(file, node, node.id)
        marks = self.places.get(place)
        if not marks:
            return False
        latest = self._definition(file, node)
        if latest is None:
            return True
        begin, loops = latest
        here = (node.lineno, node.col_offset)
        return any(
            at is None
            or at[0] is file
            and at[1:] >= begin
            and (
                at[1:] <= here
                or any(first <= at[1:] <= last and not first <= begin for first, last in loops)
            )
            for at in marks
        )

    def _definition(self, file: File, node: Node) -> Any:
        """Return where a name that is read was last given to something for certain, and the loops
        around the reading; or None.
        """
        if node not in self._latest:
            self._latest[node] = self._find_definition(file, node)
        return self._latest[node]

    def _find_definition(self, file: File, node: Node) -> Any:
        scope = self._place(file, node, node.id)[0]
        loops, inner, outer = [], node, file.parent.get(node)
        while outer is not None:
            if isinstance(outer, (ast.For, ast.While)):
                loops.append(
                    ((outer.lineno, outer.col_offset), (outer.end_lineno, outer.end_col_offset))
                )
            if isinstance(outer, FUNCTIONS) and outer is not scope:
                return None  # read in a function, defined around it: nobody knows when
            for body in (
                getattr(outer, "body", None),
                getattr(outer, "orelse", None),
                getattr(outer, "finalbody", None),
            ):
                if isinstance(body, list) and inner in body:
                    for statement in reversed(body[: body.index(inner)]):
                        if self._defines(statement, node.id):
                            return (statement.lineno, statement.col_offset), loops
            if outer is scope:
                return None
            inner, outer = outer, file.parent.get(outer)
        return None

    def _defines(self, statement: Node, name: str) -> bool:
        """True for a statement after which nothing is left in a name of what it held; with
        `sloping`, no slope.
        """
        if isinstance(statement, ast.AugAssign):
            targets = (
                [statement.target]
                if self.sloping and isinstance(statement.op, ast.FloorDiv)
                else []
            )
        else:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
        return any(
            isinstance(t, ast.Name) and t.id == name
            for target in targets
            for t in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])
        )

    def _store(self, node: Node, file: File | None = None) -> None:
        """Mark what a target stores into: a name, an attribute, or the list that an element belongs
        to.
        """
        file = file or getattr(node, "file", None)
        if isinstance(node, ast.Name):
            self._mark(self._place(file, node, node.id), file, node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self._mark(("attribute", node.attr))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            self._mark_base(file, node.value)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for element in node.elts:
                self._store(element, file)
        elif isinstance(node, ast.Starred):
            self._store(node.value, file)
        elif isinstance(node, ast.AugAssign):
            self._mark_base(file, node.target)

    def _mark_base(self, file: File, node: Node) -> None:
        while isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        if isinstance(node, ast.Name):
            self._mark(self._place(file, node, node.id), file, node)
        elif isinstance(node, ast.Attribute):
            self._mark(("attribute", node.attr))

    # ---- statements

    def _statement(self, file: File, node: Node) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(file, target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None and self._expr(file, node.value):
                self._store(node.target, file)
        elif isinstance(node, ast.AugAssign):
            if self._expr(file, node.value) and not (self.sloping and self._in_steps(file, node)):
                self._mark_base(file, node.target)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self._loop(file, node)
        elif isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            if node.value is not None and self._expr(file, node.value):
                function = file.parent.get(node)
                while function is not None and not isinstance(function, FUNCTIONS):
                    function = file.parent.get(function)
                self._mark(("returns", function))
        elif isinstance(node, ast.Lambda):
            if self._expr(file, node.body):
                self._mark(("returns", node))
        elif isinstance(node, ast.withitem):
            if node.optional_vars is not None and self._expr(file, node.context_expr):
                self._store(node.optional_vars, file)
        elif isinstance(node, ast.Call):
            self._expr(file, node)

    def _assign(self, file: File, target: Node, value: Node) -> None:
        if (
            isinstance(target, (ast.Tuple, ast.List))
            and isinstance(value, (ast.Tuple, ast.List))
            and len(target.elts) == len(value.elts)
        ):
            for t, v in zip(target.elts, value.elts):
                self._assign(file, t, v)
        elif self._expr(file, value):
            self._store(target, file) if not isinstance(target, ast.Subscript) else self._mark_base(
                file, target
            )

    def _loop(self, file: File, node: Node) -> None:
        """`for a, b in zip(p, q)` and `for i, a in enumerate(p)` mark name by name, other loops as
        a whole.
        """
        call, target = node.iter, node.target
        name = (
            call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        )
        if isinstance(target, (ast.Tuple, ast.List)) and name in ("zip", "enumerate") and call.args:
            args = call.args if name == "zip" else [None, call.args[0]]
            for t, a in zip(target.elts, args):
                if a is not None and self._expr(file, a):
                    self._store(t, file)
        elif self._expr(file, call):
            self._store(target, file)

    # ---- expressions

    def _expr(self, file: File, node: Node) -> bool:
        if node is None:
            return False
        known = self.memo.get(node)
        if known is None:
            self.memo[node] = False
            known = self.memo[node] = self._look(file, node)
        return known

    def _look(self, file: File, node: Node) -> bool:
        if self.sloping and self._in_steps(file, node):
            return False
        if node in self.starts:
            if isinstance(node, ast.Call):
                self._call(file, node)
            return True
        if node in self.walls:
            return False
        if isinstance(node, ast.Name):
            return self._holds(file, node)
        if isinstance(node, ast.Attribute):
            return (
                ("attribute", node.attr) in self.places
                or node.attr not in ABOUT
                and self._expr(file, node.value)
            )
        if isinstance(node, ast.Call):
            return self._call(file, node)
        if isinstance(node, ast.Lambda):
            return False
        if isinstance(node, ast.IfExp):
            return self._expr(file, node.body) or self._expr(file, node.orelse)
        if isinstance(node, ast.Subscript):
            return self._expr(file, node.value)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self._expr(file, node.elt)
        if isinstance(node, ast.DictComp):
            return self._expr(file, node.key) or self._expr(file, node.value)
        found = False
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                found = self._expr(file, child) or found
        return found

    def _only_shape(self, file: File, node: Node) -> bool:
        """True for `np.zeros_like(x)`, which takes nothing of its first argument but the shape."""
        return (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] in SHAPED
            and not self._callees(file, node.func)[0]
        )

    def _in_steps(self, file: File, node: Node) -> bool:
        """True for a comparison, a rounding, a count: an expression whose value moves in steps, so
        that its slope is 0.
        """
        if isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp)):
            return isinstance(node.op, (ast.FloorDiv, ast.Not))
        if not isinstance(node, ast.Call) or self._callees(file, node.func)[0]:
            return isinstance(node, ast.Compare)
        name = ast.unparse(node.func).rpartition(".")[2]
        dtypes = [k.value for k in node.keywords if k.arg == "dtype"] + node.args[
            name != "astype" : 2
        ]
        return name in FLAT or any(WHOLE.fullmatch(ast.unparse(each)) for each in dtypes)

    def _call(self, file: File, node: Node) -> bool:
        inputs = [
            (i, self._expr(file, a.value if isinstance(a, ast.Starred) else a) or self._gives(a))
            for i, a in enumerate(node.args)
        ]
        inputs += [(k.arg, self._expr(file, k.value)) for k in node.keywords]
        func = node.func
        owner = isinstance(func, ast.Attribute) and self._expr(file, func.value)
        marked = any(m for _, m in inputs)
        if isinstance(func, ast.Name) and func.id in HARMLESS:
            return False
        if isinstance(func, ast.Attribute) and func.attr in GROWS and marked:
            self._mark_base(file, func.value)
        functions, method = self._callees(file, func)
        if self._only_shape(file, node):
            return any(m for _, m in inputs[1:])
        for home, function in functions:
            self._arguments(
                home, function, inputs, method, any(isinstance(a, ast.Starred) for a in node.args)
            )
        if functions:
            makes_object = isinstance(func, ast.Name) and func.id in self.classes
            return (
                any(("returns", f) in self.places for _, f in functions) or makes_object and marked
            )
        return marked or owner

    def _gives(self, node: Node) -> bool:
        """True for a function handed to another (to `map`, `reduce`) that returns a marked value:
        whoever calls it may pass it on.
        """
        named = self.functions.get(node.id, ()) if isinstance(node, ast.Name) else ()
        found = [node] if isinstance(node, ast.Lambda) else [f for _, f in named]
        return any(("returns", f) in self.places for f in found)

    def _callees(self, file: File, func: Node) -> tuple[list[tuple[File, Node]], bool]:
        """Return the learner's functions that a call may mean, and whether the first parameter is
        the object.
        """
        if isinstance(func, ast.Name):
            if func.id in self.functions:
                return self.functions[func.id], func.id in self.classes
            if func.id in file.imports or hasattr(builtins, func.id):
                return [], False
        elif isinstance(func, ast.Attribute):
            if (
                isinstance(func.value, ast.Name)
                and func.value.id in file.imports
                and func.attr not in self.functions
            ):
                return [], False
            return self.functions.get(func.attr, []), not (
                isinstance(func.value, ast.Name) and func.value.id in self.classes
            )
        return self.functions.get("__call__", []) + self.functions.get("call", []), True

    def _arguments(
        self, file: File, function: Node, inputs: Sequence[Any], method: bool, starred: bool
    ) -> None:
        parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
        if method and parameters and parameters[0] in ("self", "cls"):
            parameters = parameters[1:]
        rest = function.args.vararg.arg if function.args.vararg else None
        for key, marked in inputs:
            if not marked:
                continue
            if starred:
                for name in parameters:
                    self._mark((function, name), file, function)
            elif isinstance(key, int):
                name = parameters[key] if key < len(parameters) else rest
                if name:
                    self._mark((function, name), file, function)
            elif key is not None:
                self._mark((function, key), file, function)
