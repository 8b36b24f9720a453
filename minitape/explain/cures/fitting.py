"""Where a tensor can stand in the place of an array, or of a plain number, and where it cannot.

A line that keeps a tensor under a name is no cure where the program goes on with `a.sum()`, `a[0] =
1.0` or `a[[1, 0]]`: it would raise. So the uses of the name are looked at first, those of what is
computed from it, and those of the parameters that it is given to.

Then the old text and the new one are computed once more, on the numbers of this run. Where these
are not to be had, or where more is done than computing (`reasons/worth.py` tells), nobody knows.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.names import assigned_names
from minitape.program.syntax import FUNCTIONS, above, call_name, names_used, parent, statement

from ..case.flow import FLAT
from ..reasons.namesakes import MASKS, SPELLED, called, instead
from ..reasons.steps import says_where
from ..reasons.worth import (
    alone,
    computed,
    content,
    space_of,
)

if TYPE_CHECKING:
    from ..case.aliases import Case, File, Node

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


def reads_of(case: Case, node: Node) -> list[Node]:
    """Return where the names are read that an expression is given to right there."""
    return [read for name in assigned_names(node) for read in read_later(case, node, name)]


def used_otherwise(case: Case, node: Node, category: str) -> bool:
    """True where the value's name is used as only a whole number, or a variable, can be."""
    whole, used, stmt = category in WHOLE, set[str](), statement(node)
    if whole:
        if says_where(case, node):
            return True
        used = {*case.dialect.groups["INDEX"], "range"}
    elif category == "variable-made-anew":
        used = {*case.dialect.changes, "read_value", "trainable"}
    for read in reads_of(case, stmt.value) if used and isinstance(stmt, ast.Assign) else ():
        around = parent(read)
        bound = isinstance(around, ast.Slice) or getattr(around, "slice", None) is read
        call = parent(around) if isinstance(around, ast.keyword) else around
        if whole and bound or {getattr(around, "attr", ""), call_name(call)} & used:
            return True
    return False


class _Uses:
    def __init__(self, case: Case, joined: Sequence[Node]) -> None:
        self.case, self.joined = case, joined

    def fit(self, node: Node, depth: int) -> bool:
        """True where the place of an expression, and those of what comes out there, take a tensor."""
        around, uses = parent(node), reads_of(self.case, node)
        if depth > DEEPEST:
            return True
        if isinstance(around, GIVE_ON):
            uses.append(around)
        elif isinstance(around, HOLDS):  # an element of a list that the text writes out
            held = [parent(use) for use in reads_of(self.case, around)]
            uses += [use for use in held if isinstance(use, ast.Subscript)]
        return self._stands(node, around, depth) and all(self.fit(u, depth + 1) for u in uses)

    def _stands(self, use: Node, around: Any, depth: int) -> bool:
        """True where the place of an expression takes a tensor."""
        if isinstance(around, ast.Attribute):
            return around.attr in HAS
        if isinstance(around, ast.Subscript):
            plain = not any(isinstance(n, (ast.List, ast.Compare)) for n in ast.walk(around.slice))
            return around.value is use and isinstance(around.ctx, ast.Load) and plain
        if isinstance(around, ast.BinOp):
            other = around.left if around.right is use else around.right
            arrays = isinstance(other, (ast.Compare, ast.List, ast.ListComp))
            return not arrays and not isinstance(around.op, ast.MatMult)
        if isinstance(around, ast.Slice):
            return False
        if isinstance(around, ast.UnaryOp):
            return not isinstance(around.op, ast.UAdd)
        if isinstance(around, ast.Compare):
            # a mask, by which NumPy multiplies, and the library does not
            masks = [parent(mask) for mask in (around, *reads_of(self.case, around))]
            return not any(isinstance(n, (ast.BinOp, ast.Attribute, ast.Subscript)) for n in masks)
        if isinstance(around, HOLDS):
            while isinstance(around, HOLDS):
                around = parent(around)
            made = call_name(around) == "constant" and around not in self.joined
            return not isinstance(around, ast.Call) or not made and not self._foreign(around)
        if isinstance(around, ast.keyword):
            return around.arg != "out" and self._taken(parent(around), use, depth)
        calls = isinstance(around, ast.Call) and around.func is not use
        return not calls or self._taken(around, use, depth)

    def _foreign(self, call: Node) -> bool:
        """True for a function of another module, `json.dumps`, whose result is used: it may know
        numbers only.
        """
        file: File = call.file
        home = file.imports.get(ast.unparse(call.func).partition(".")[0], "").partition(".")[0]
        ours = "numpy", "math", self.case.tape.module.partition(".")[0]
        return home not in ("", *ours) and not isinstance(parent(call), ast.Expr)

    def _taken(self, call: Any, use: Node, depth: int) -> bool:
        """True where a function takes a tensor for an array."""
        name, numpys = call_name(call), called(self.case, call)
        place = name in self.case.dialect.groups["INDEX"] and use not in call.args[:1]
        if place or self._foreign(call) or not self._goes_on(call, name, numpys):
            return False
        parameters = [k.arg for k in call.keywords if k.value is use]
        functions: list[Any] = self.case.program.functions.named(name)
        for function in functions:
            own = (
                isinstance(call.func, ast.Attribute) or getattr(function, "name", "") == "__init__"
            )
            inner = own and isinstance(parent(function), ast.ClassDef)
            given = [*function.args.posonlyargs, *function.args.args][inner:]
            wanted = {*parameters, *(p.arg for p, a in zip(given, call.args) if a is use)}
            for n in ast.walk(function):
                read = isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in wanted
                if read and not self.fit(n, depth + 1):
                    return False
        return True

    def _goes_on(self, call: Any, name: str, numpys: str) -> bool:
        """False for a built-in function that takes numbers, for a draw, and for a function of
        NumPy that the library has not: unless nothing is missed after it, a place, a plot, a file.
        """
        if not numpys:
            return isinstance(call.func, ast.Attribute) or name not in REFUSES
        known = numpys in SPELLED or numpys in MASKS or numpys.rpartition(".")[2] in FLAT
        plain = isinstance(parent(call), ast.Expr) or known or instead(self.case, call)
        return bool(plain) and not numpys.startswith("random.")


# ---- tried out on the numbers of this run

MOST = 10_000  # so many numbers are asked for their slope


def agrees(case: Case, node: Node, text: str) -> bool:
    """False where other text gives other numbers than an expression, or raises; True where it gives
    the same, or nobody knows.
    """
    space = space_of(case, node)
    a = computed(ast.unparse(node), space) if space is not None else None
    b = computed(text, space) if a is not None and space is not None else None
    if a is None or b is None:
        return a is None
    if a.dtype.kind not in "fiub" or b.dtype.kind not in "fiub":
        return bool(a.dtype.kind == b.dtype.kind)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-4, atol=1e-6, equal_nan=True))


def keeps_shape(case: Case, node: Node, text: str, beside: Node) -> bool:
    """False where other text raises, or gives no finite numbers, or numbers of another shape than
    an expression; True where nobody knows.

    `beside`: an expression whose names the text uses as well.
    """
    space, more = space_of(case, node), space_of(case, beside)
    if space is None or more is None or (a := computed(ast.unparse(node), space)) is None:
        return True
    # what is made beside: values, index = tf.math.top_k(x, 2)
    used, last = names_used(ast.parse(text)), [*case.evidence.scopes[-1:], {}][0]
    known = {name: last[name] for name in used & last.keys()}
    b = computed(text, {**known, **space, **more})
    same = b is not None and b.dtype.kind == "f" and b.shape == a.shape
    return same and bool(np.isfinite(b).all())


def slopes(case: Case, node: Node, text: str, steep: bool) -> bool:
    """False where other text has no finite slope in any number that an expression is made of, or
    none but 0 where it must be `steep`: then it mends nothing. True where nobody knows.
    """
    space, library = space_of(case, node) or {}, case.evidence.library[1]
    arrays = {name: content(value) for name, value in space.items()}
    if not space or sum(map(np.size, arrays.values())) > MOST:
        return True

    def run() -> bool:
        tensors = {n: library.constant(a) for n, a in arrays.items() if a is not None}
        leaves = [tensor for tensor in tensors.values() if tensor.dtype.is_floating]
        with library.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(leaves)
            y = library.convert_to_tensor(eval(text, {**space, **tensors}))
        known = [slope for slope in tape.gradient(y, leaves) if slope is not None]
        good = [np.isfinite(slope).all() and (np.any(slope) or not steep) for slope in known]
        return any(good) or not leaves

    return alone(run) is not False
