"""An expression by the library's own functions, as text.

`float(np.mean(h.numpy()))` becomes `tf.reduce_mean(h)`: float(x) and x.numpy() fall away, functions
and methods of NumPy become the library's, as the dialect's tables tell.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import call_name, inside, is_chain, names_used, parent

from ..case.definitions import definition
from ..reasons.namesakes import MASKS, PREDICTS, bound, called, carried
from ..reasons.worth import left_by, value_of
from .conditions import LISTS, Match, holds
from .patterns import Filled, Matcher, Row, filled, table
from .rows import in_dialect
from .writing import put

if TYPE_CHECKING:
    from ..case.aliases import Case, Node

LISTED = (*LISTS, ast.comprehension)
NUMBERS = ("float", "int", "round", "divmod", "complex", "range", "max", "min")
ABOUT = ("shape", "size", "ndim", "dtype")
PLACES = ("argmax", "argmin", "len", "int", "randint")  # what gives one place


class NoLineError(Exception):
    """Some step cannot be written with the library's own functions."""


@cache
def _by_name(text: str) -> dict[str, list[Row]]:
    """Return the rows of a table of functions by their names."""
    result: dict[str, list[Row]] = {}
    for row in table(text)["*"]:
        call: Any = row.pattern
        result.setdefault(ast.unparse(call.func), []).append(row)
    return result


class Back:
    """One way back into the library: what works with arrays or numbers, with its own functions.

    `left`: where values left it; `names`: of what left; `straight`: whether a slope was passed
    straight through a step.
    """

    def __init__(self, case: Case, params: dict[str, Any]) -> None:
        self.case, self.params, self.tf, self.dialect = case, params, params["tf"], case.dialect
        self.left = {case.node(escape.where) for escape in case.evidence.of("escape")} - {None}
        self.names, self.straight = set[str](), False

    def outermost(self, node: Node) -> Node:
        """Return the outermost expression around a node that works with arrays or numbers."""
        while (outer := self._outer(node)) is not None:
            node = outer
        return node

    def _outer(self, node: Node) -> Node:
        around: Any = parent(node)
        if isinstance(around, ast.Slice) or getattr(around, "slice", None) is node:
            raise NoLineError  # an index, or a key
        if isinstance(around, ast.Attribute):
            call = parent(around)
            return call if isinstance(call, ast.Call) and call.func is around else around
        if isinstance(around, ast.Compare):
            used = isinstance(parent(around), (ast.BinOp, ast.Attribute, ast.Call, ast.UnaryOp))
            return around if used else None
        if isinstance(around, (ast.Subscript, ast.BinOp)):
            return around
        if isinstance(around, ast.UnaryOp):
            return None if isinstance(around.op, ast.Not) else around
        call = parent(around) if isinstance(around, ast.keyword) else around
        while isinstance(call, LISTED):  # np.stack([a, b])
            call = parent(call)
        if called(self.case, call):
            return call
        if not isinstance(around, LISTED):
            return call if call is around and _is_number(call) else None
        if call_name(call) == "Variable":
            raise NoLineError  # of tensors none is made
        return call if call_name(call) == self.dialect.converts[0] else None

    def leaves(self, node: Node) -> bool:
        """True where a value leaves the library in a piece of code, or left it before."""
        return bool(self.names & names_used(node)) or any(n in self.left for n in ast.walk(node))

    # ---- an expression as text

    def text(self, node: Node) -> str:
        """Return an expression as text, with the library's own functions."""
        if not self.leaves(node) or isinstance(node, ast.Attribute) and node.attr in ABOUT:
            return ast.unparse(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
        masks = any(isinstance(s, ast.Compare) or called(self.case, s) in MASKS for s in sides)
        if masks or isinstance(node, ast.JoinedStr):
            raise NoLineError  # yes and no are no factors in the library; a text is kept as one
        strange = isinstance(node, ast.Attribute) or isinstance(
            getattr(node, "op", None), ast.MatMult
        )
        return self._by_rows(node, strange) or self._parts(node)  # what tensors may not have

    def _parts(self, node: Node) -> str:
        """Return an expression with the text of each of its parts written anew."""
        texts: dict[Node, str] = {}
        for each in ast.walk(node):  # from outside to inside
            own = each is node or not isinstance(each, ast.expr) or not self.leaves(each)
            if not own and not any(inside(each, outer) for outer in texts):
                texts[each] = self.text(each)
        return put(node, texts)

    def _by_rows(self, node: Node, needed: bool) -> str:
        """Return what the first row of the table of forms says, or ""."""
        nothing: Any = lambda *_: None  # noqa: E731
        for row in table(self.dialect.parts)["*"]:
            matcher = Matcher(self.dialect, nothing, nothing, nothing)
            if matcher.match(row.pattern, node):
                match = self._match(node, row, matcher.holes)
                if holds(row.condition, match):
                    return self._filled(match)
        if needed:
            raise NoLineError
        return ""

    def _match(self, node: Node, row: Row, holes: dict[str, Any]) -> Match:
        return Match(self.case, node, node, self.params, holes, [], row.instead)

    def _filled(self, match: Match) -> str:
        """Return what a row says, with its holes by the library."""
        holes: dict[str, Any] = {name: self._hole(of) for name, of in match.holes.items()}
        (result,) = filled(match.instead, holes, self.dialect, self.tf, lambda name: name)
        if ".stop_gradient(" in result:
            self.straight = True
            if any(isinstance(n, ast.Call) for n in ast.walk(holes["X"])):
                raise NoLineError  # it would be computed twice
        return result

    def _hole(self, of: Any) -> Any:
        """Return what is put into a hole: the learner's code by the library."""
        if isinstance(of, Filled):
            return Filled(of.instead, {name: self._hole(each) for name, each in of.holes.items()})
        if isinstance(of, list):
            return [self._hole(each) for each in of]
        return _parsed(self.text(of)) if isinstance(of, ast.expr) and hasattr(of, "lineno") else of

    # ---- calls

    def _call(self, node: Any) -> str:
        func, name, last = node.func, called(self.case, node), getattr(node.func, "attr", "")
        of_array = bool(last) and self.leaves(func.value)
        if name:
            return self._function(node, name)
        if of_array and last in self.dialect.methods:
            return self._function(node, last, func.value)
        constant, convert = self.dialect.converts
        if call_name(node) == constant:
            if any(keyword.arg == "shape" for keyword in node.keywords):
                raise NoLineError
            return self._parts(node).replace(f".{constant}(", f".{convert}(", 1)
        needed = of_array or _is_number(node)
        mapped = any(call_name(a) == "map" for a in node.args)
        if needed or mapped or last in (*self.dialect.leads_out, *PREDICTS):
            return self._by_rows(node, needed) or self._parts(node)
        return self._parts(node)  # a function of the learner or of the library

    def _function(self, node: Node, name: str, of: Node = None) -> str:
        """A function of NumPy or `math`; a method of the array `of` with the parameters of one."""
        rows = _by_name(self.dialect.spelled).get(name)
        if rows is not None:
            return self._spelled(node, name, of, rows)
        equivalent = carried(self.case, node, name, of)
        if equivalent is None or not self._takes(node, equivalent.arrays):
            raise NoLineError
        given = [self.text(array) for array in equivalent.arrays]
        for key, value in equivalent.others:
            text = value if isinstance(value, str) else self.text(value)
            given.append(f"{key}={text}" if key else text)
        return f"{self.tf}.{equivalent.name}({', '.join(given)})"

    def _spelled(self, node: Node, name: str, of: Node, rows: list[Row]) -> str:
        """What the first row says that has the parameters that are given."""
        patterns: list[Any] = [row.pattern for row in rows]
        names = [[a.id for a in pattern.args] for pattern in patterns]
        args = bound(self.case, node, name, of, names[0])
        for wanted, row in zip(names, rows) if args is not None else ():
            match = self._match(node, row, dict(args or {}))
            if {*wanted} != match.holes.keys() or not holds(row.condition, match):
                continue
            used = [n.id for n in ast.walk(row.instead[0]) if isinstance(n, ast.Name)]
            twice = [key for key in wanted if used.count(key) > 1]
            if any(not is_chain(_parsed(self.text(match.holes[key]))) for key in twice):
                break
            if not self._takes(node, (args or {}).values()):
                break
            return self._filled(match)
        raise NoLineError

    def _takes(self, node: Node, arrays: Collection[Any]) -> bool:
        """True where the library takes these arguments: an array may have another dtype, but not
        the first of several, to which the others are converted.
        """
        first = next(iter(arrays), None)
        if len(arrays) > 1 and names_used(first) and not self.leaves(first):
            value = value_of(self.case, first)
            if value is not None and value.dtype == np.float64:
                return False
        return all(
            self._takes(node, each.elts)
            if isinstance(each, (ast.List, ast.Tuple))
            else len(arrays) == 1
            or self.leaves(each)
            or not names_used(each)
            or ast.unparse(each) in left_by(self.case, node)
            or value_of(self.case, each) is not None
            for each in arrays
        )

    def _subscript(self, node: Any) -> str:
        """Numbers and slices as they are; places by `gather`, a mask by `boolean_mask`."""
        of, place = self.text(node.value), node.slice
        if isinstance(place, ast.Compare):
            return in_dialect(self.case, self.tf, "tf.boolean_mask(X, M)", X=of, M=self.text(place))
        written = isinstance(place, (ast.Constant, ast.Slice, ast.UnaryOp, ast.Tuple))
        value = None if written else value_of(self.case, place)
        kind = value.dtype.kind if value is not None else ""
        # of a function that has come to its end only the text is left
        named = value is None and isinstance(place, ast.Name)
        given = definition(self.case, place) if named else place
        if isinstance(given, ast.List) or value is not None and kind in ("i", "u") and value.ndim:
            return in_dialect(self.case, self.tf, "tf.gather(X, I)", X=of, I=place)
        each = place.elts if isinstance(place, ast.Tuple) else [place]
        unknown = isinstance(given, (ast.Compare, ast.Tuple)) or call_name(given) not in PLACES
        if (
            named
            and unknown
            and isinstance(given, (ast.Compare, ast.Tuple, ast.Call))
            or any(isinstance(n, ast.List) for n in each)
            or kind in ("b", "f")
            or self.leaves(place)
        ):
            raise NoLineError
        return ast.unparse(ast.Subscript(_parsed(of), place, ast.Load()))


def _is_number(call: Any) -> bool:
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") in NUMBERS


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body
