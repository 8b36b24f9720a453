"""Where a tensor can stand in the place of an array, or of a plain number, and where it cannot.

A line that keeps a tensor under a name is no cure where the program goes on with `a.sum()`, `a[0] =
1.0` or `a[[1, 0]]`: it would raise. So the uses of the name are looked at first, those of what is
computed from it, and those of the parameters that it is given to.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from minitape.program.names import assigned_names
from minitape.program.syntax import FUNCTIONS, above, parent, statement

from ..case.flow import FLAT
from ..reasons.namesakes import MASKS, SPELLED, called, instead
from .patterns import last_name

if TYPE_CHECKING:
    from minitape.program.aliases import Node
    from minitape.program.files import File

    from ..case.case import Case

HAS = ("shape", "dtype", "numpy")
REFUSES = ("round", "range", "int", "sorted", "divmod", "complex", "reversed")
# what a tensor goes into, and a tensor comes out of
GIVE_ON = (ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Subscript)
HOLDS = (ast.List, ast.Tuple, ast.Dict)
DEEPEST = 8
WHOLE = ("integer-dtype", "integer-cast", "piecewise-constant")


def fits(case: Case, node: Node, joined: Sequence[Node] = ()) -> bool:
    """True where a tensor can stand in the place of an expression, and wherever its value goes, as
    far as the text tells.

    `joined`: calls of `constant` that will be written anew as well.
    """
    return _Uses(case, joined).fit(node, 0)


def read_later(case: Case, node: Node, name: str) -> list[Node]:
    """Return where a name is read that is given to an expression: a plain one in the same function
    or program, and not before.
    """
    here: File = node.file
    if isinstance(parent(node), ast.comprehension):
        return [
            n
            for n in ast.walk(parent(parent(node)))
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        ]
    if not name.isidentifier():
        return [
            n
            for file in case.program.trees()
            for n in ast.walk(file.tree)
            if isinstance(n, (ast.Attribute, ast.Subscript))
            and isinstance(n.ctx, ast.Load)
            and ast.unparse(n) == name
        ]
    scope, first = above(node, FUNCTIONS), statement(node)
    files = case.program.trees() if here.is_cell else [here]
    uses: list[Node] = [
        n
        for root in ([scope] if scope is not None else [file.tree for file in files])
        for n in ast.walk(root)
        if isinstance(n, ast.Name)
        and n.id == name
        and isinstance(n.ctx, ast.Load)
        and above(n, FUNCTIONS) is scope
    ]
    inner = isinstance(first, ast.For)
    return [
        use
        for use in uses
        if (inner or statement(use) is not first)
        and (use.file is not here or use.lineno >= first.lineno)
    ]


def used_otherwise(case: Case, node: Node, category: str) -> bool:
    """True where the value's name is used as only a whole number, or a variable, can be."""
    used: tuple[str, ...] = ()
    if category in WHOLE:
        used = *case.dialect.groups["INDEX"], "range"
    elif category == "variable-made-anew":
        used = *case.dialect.changes, "read_value", "trainable"
    stmt = statement(node)
    if not used or not isinstance(stmt, ast.Assign):
        return False
    names = assigned_names(stmt.value)
    reads = [read for name in names for read in read_later(case, stmt.value, name)]
    for around, read in [(parent(read), read) for read in reads]:
        call = parent(around) if isinstance(around, ast.keyword) else around
        bound = isinstance(around, ast.Slice) or getattr(around, "slice", None) is read
        if getattr(around, "attr", "") in used or last_name(call) in used:
            return True
        if bound and category in WHOLE:
            return True
    return False


class _Uses:
    def __init__(self, case: Case, joined: Sequence[Node]) -> None:
        self.case, self.joined = case, joined

    def fit(self, node: Node, depth: int) -> bool:
        """True where the place of an expression, and those of what comes out there, take a tensor."""
        if depth > DEEPEST:
            return True
        around = parent(node)
        if (
            not self._stands(node, around, depth)
            or isinstance(around, GIVE_ON)
            and not self.fit(around, depth + 1)
        ):
            return False
        if isinstance(around, HOLDS) and not all(
            self.fit(use, depth + 1) for use in self._elements(around)
        ):
            return False
        return all(
            self.fit(use, depth + 1)
            for name in assigned_names(node)
            for use in read_later(self.case, node, name)
        )

    def _elements(self, held: Node) -> list[Node]:
        """Return where an element is read of a list or a dictionary that the text writes out."""
        uses = [use for name in assigned_names(held) for use in read_later(self.case, held, name)]
        return [
            parent(use)
            for use in uses
            if isinstance(parent(use), ast.Subscript) and parent(use).value is use
        ]

    def _stands(self, use: Node, around: Node, depth: int) -> bool:
        """True where the place of an expression takes a tensor."""
        if isinstance(around, ast.Attribute):
            return around.attr in HAS
        if isinstance(around, ast.Subscript):
            plain = not any(isinstance(n, (ast.List, ast.Compare)) for n in ast.walk(around.slice))
            return around.value is use and isinstance(around.ctx, ast.Load) and plain
        if isinstance(around, ast.Slice):
            return False
        if isinstance(around, ast.BinOp):
            other = around.left if around.right is use else around.right
            return not isinstance(around.op, ast.MatMult) and not isinstance(
                other, (ast.Compare, ast.List, ast.ListComp)
            )
        if isinstance(around, ast.UnaryOp):
            return not isinstance(around.op, ast.UAdd)
        # a mask, by which NumPy multiplies, and the library does not
        if isinstance(around, ast.Compare):
            masks = [
                around,
                *(
                    mask
                    for name in assigned_names(around)
                    for mask in read_later(self.case, around, name)
                ),
            ]
            return not any(
                isinstance(parent(mask), (ast.BinOp, ast.Attribute, ast.Subscript))
                for mask in masks
            )
        if isinstance(around, HOLDS):
            while isinstance(around, HOLDS):
                around = parent(around)
            if not isinstance(around, ast.Call):
                return True
            made = ast.unparse(around.func).rpartition(".")[2] == "constant"
            return not self._foreign(around) and (not made or around in self.joined)
        if isinstance(around, ast.keyword):
            return around.arg != "out" and self._taken(parent(around), use, depth)
        return (
            not isinstance(around, ast.Call)
            or around.func is use
            or self._taken(around, use, depth)
        )

    def _foreign(self, call: Node) -> bool:
        """True for a function of another module, `json.dumps`, whose result is used: it may know
        numbers only.
        """
        file: File = call.file
        home = file.imports.get(ast.unparse(call.func).partition(".")[0], "").partition(".")[0]
        ours = "numpy", "math", self.case.tape.module.partition(".")[0]
        return home not in ("", *ours) and not isinstance(parent(call), ast.Expr)

    def _goes_on(self, call: Node, name: str) -> bool:
        """True for a function of NumPy that the library has as well, or after which nothing is
        missed: a place, a plot, a file.
        """
        known = (
            name in SPELLED
            or name in MASKS
            or name.rpartition(".")[2] in FLAT
            or instead(self.case, call)
        )
        return bool(known) or isinstance(parent(call), ast.Expr)

    def _taken(self, call: Node, use: Node, depth: int) -> bool:
        """True where a function takes a tensor for an array."""
        method = isinstance(call.func, ast.Attribute)
        name = ast.unparse(call.func).rpartition(".")[2]
        numpys = called(self.case, call)
        if self._foreign(call):
            return False
        if (
            not method
            and name in REFUSES
            or numpys.startswith("random.")
            or numpys
            and not self._goes_on(call, numpys)
        ):
            return False
        for file in self.case.program.trees():
            for function in ast.walk(file.tree):
                if isinstance(function, FUNCTIONS) and name == _name_of(function):
                    inner = method and isinstance(parent(function), ast.ClassDef)
                    for k, parameter in enumerate(
                        [*function.args.posonlyargs, *function.args.args][inner:]
                    ):
                        given = call.args[k : k + 1] + [
                            w.value for w in call.keywords if w.arg == parameter.arg
                        ]
                        if use in given and not all(
                            self.fit(n, depth + 1)
                            for n in ast.walk(function)
                            if isinstance(n, ast.Name)
                            and n.id == parameter.arg
                            and isinstance(n.ctx, ast.Load)
                        ):
                            return False
        return True


def _name_of(function: Node) -> str:
    """Return the name of a function, also of a lambda that is given one."""
    return getattr(function, "name", "") or next(iter(assigned_names(function)), "")
