"""The cure for what left the library: the same, written with the library's own functions.

`loss = float(np.mean(h.numpy()))` becomes `loss = tf.reduce_mean(h)`: float(x) and x.numpy() fall
away, functions and methods of NumPy become the library's, as the dialect's tables tell. Where one
step cannot be written so, there is no line. Where the numbers of the run are still to be had, the
lines are tried on them (`tried`).
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import (
    FUNCTIONS,
    above,
    inside,
    is_chain,
    names_used,
    parent,
    statement,
)

from ..case.calls import calls_of, definition
from ..case.words import say
from ..reasons.namesakes import MASKS, bound, called, carried
from ..reasons.worth import computes, left_by, value_of
from .conditions import LISTS, Match, holds
from .fitting import fits
from .patterns import Filled, Matcher, Row, filled, last_name, table
from .rows import in_dialect
from .tried import agrees
from .writing import put, siblings, written_anew

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .writing import Stretch

NUMBERS = ("float", "int", "round", "divmod", "complex", "range", "max", "min")
CALLS = ("predict", "predict_on_batch")
ABOUT = ("shape", "size", "ndim", "dtype")
PLACES = ("argmax", "argmin", "len", "int", "randint")  # what gives one place


class NoLineError(Exception):
    """Some step cannot be written with the library's own functions."""


def stays_inside(case: Case, node: Node, params: dict[str, Any]) -> dict[Node, str]:
    """Return {expression: text} for what leaves in a statement with the guilty expression."""
    back = Back(case, params)
    try:
        first = back.outermost(node)
        found, names = {first: back.text(first)}, names_used(node)
        for other in ast.walk(statement(node)):
            if (
                other in back.left
                and names & names_used(other)
                and not any(inside(other, known) for known in found)
            ):
                outer = back.outermost(other)
                found[outer] = back.text(outer)
        joined = _lists(back, found)
    except NoLineError:
        return {}
    made = last_name(node) in ("asarray", "array") and isinstance(
        node.args[:1] and node.args[0], ast.Name
    )
    if made and not isinstance(statement(node), ast.Return) or found[first] == ast.unparse(first):
        return {}  # what is done with the array afterwards must change as well
    others = [*joined, case.node(params.get("back_at"))]
    if not all(fits(case, old, others) and agrees(case, old, new) for old, new in found.items()):
        return {}
    if back.straight:
        params["instead_text"] = say("words", "straight")
    return {
        **{old: new for old, new in found.items() if not any(inside(old, call) for call in joined)},
        **joined,
    }


def _lists(back: Back, found: dict[Node, str]) -> dict[Node, str]:
    """Return {call: text} for each `constant` of a list of tensors, as `convert_to_tensor`."""
    joined = {}
    for node in found:
        call = parent(node)
        while isinstance(call, (*LISTS, ast.comprehension)):
            call = parent(call)
        kind = last_name(call) if call is not parent(node) else ""
        if (
            kind == "Variable"
            or kind == back.constant
            and any(keyword.arg == "shape" for keyword in call.keywords)
        ):
            raise NoLineError
        if kind == back.constant:
            joined[call] = back.converted(
                put(call, {old: new for old, new in found.items() if inside(old, call)})
            )
    return joined


@cache
def _by_name(text: str) -> dict[str, list[tuple[set[str], Row]]]:
    """Return the rows of a table of functions by their names, each with its parameters."""
    found: dict[str, list[tuple[set[str], Row]]] = {}
    for row in table(text)["*"]:
        call: Any = row.pattern
        found.setdefault(ast.unparse(call.func), []).append(({a.id for a in call.args}, row))
    return found


class Back:
    """One way back into the library. `left`: where values left it; `names`: of what left."""

    def __init__(self, case: Case, params: dict[str, Any]) -> None:
        self.case, self.params, self.tf, self.straight, self.names = (
            case,
            params,
            params["tf"],
            False,
            set[str](),
        )
        self.left = {case.node(escape.where) for escape in case.evidence.of("escape")} - {None}
        self.dialect = case.dialect
        self.spelled = _by_name(self.dialect.spelled)
        self.constant, self.convert = self.dialect.converts

    def converted(self, text: str) -> str:
        """Return text with tensors converted where numbers were made a constant."""
        return text.replace(f".{self.constant}(", f".{self.convert}(", 1)

    def outermost(self, node: Node) -> Node:
        """Return the outermost expression around a node that works with arrays or numbers."""
        while (outer := self._outer(node)) is not None:
            node = outer
        return node

    def _outer(self, node: Node) -> Node:
        around: Any = parent(node)
        outer = around
        while isinstance(outer, LISTS) or isinstance(outer, ast.comprehension):  # np.stack([a, b])
            outer = parent(outer)
        if isinstance(around, ast.Attribute):
            call = parent(around)
            return call if isinstance(call, ast.Call) and call.func is around else around
        if isinstance(around, ast.Subscript) and around.slice is node:
            raise NoLineError  # an index, or a key
        if (
            isinstance(around, (ast.Subscript, ast.BinOp))
            or isinstance(around, ast.UnaryOp)
            and not isinstance(around.op, ast.Not)
        ):
            return around
        if isinstance(around, ast.Compare):
            return (
                around
                if isinstance(parent(around), (ast.BinOp, ast.Attribute, ast.Call, ast.UnaryOp))
                else None
            )
        if isinstance(around, ast.keyword):
            return parent(around) if called(self.case, parent(around)) else None
        known = isinstance(outer, ast.Call) and (
            called(self.case, outer) or outer is around and _is_number(outer)
        )
        return outer if known else None

    def leaves(self, node: Node) -> bool:
        """True where a value leaves the library in a piece of code, or left it before."""
        return any(each in self.left for each in ast.walk(node)) or not self.names.isdisjoint(
            names_used(node)
        )

    # ---- an expression as text

    def text(self, node: Node) -> str:
        """Return an expression as text, with the library's own functions."""
        if not self.leaves(node) or isinstance(node, ast.Attribute) and node.attr in ABOUT:
            return ast.unparse(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        masks = isinstance(node, ast.BinOp) and any(
            isinstance(side, ast.Compare) or called(self.case, side) in MASKS
            for side in (node.left, node.right)
        )
        if masks or isinstance(node, ast.JoinedStr):
            raise NoLineError  # yes and no are no factors in the library; a text is kept as one
        found = self._by_rows(node)
        if not found and (
            isinstance(node, ast.Attribute)
            or isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.MatMult)
        ):
            raise NoLineError  # what tensors may not have
        return found or self._parts(node)

    def _parts(self, node: Node) -> str:
        """Return an expression with the text of each of its parts written anew."""
        old = [
            each
            for each in ast.walk(node)
            if each is not node and isinstance(each, ast.expr) and self.leaves(each)
        ]
        old = [
            each
            for each in old
            if not any(inside(each, other) and each is not other for other in old)
        ]
        return put(node, {each: self.text(each) for each in old})

    def _by_rows(self, node: Node) -> str:
        """Return what the first row of the table of forms says, or ""."""
        for row in table(self.dialect.parts)["*"]:
            matcher = Matcher(
                self.dialect, lambda node: None, lambda name, node: None, lambda node: None
            )
            if matcher.match(row.pattern, node):
                match = Match(
                    self.case, node, node, self.params, matcher.holes, matcher.seen, row.instead
                )
                if holds(row.condition, match):
                    return self._filled(match)
        return ""

    def _filled(self, match: Match) -> str:
        """Return what a row says, with its holes by the library."""
        holes: dict[str, Any] = {name: self._hole(of) for name, of in match.holes.items()}
        (result,) = filled(match.instead, holes, self.dialect, self.tf, lambda name: name)
        self.straight = self.straight or ".stop_gradient(" in result
        if ".stop_gradient(" in result and any(
            isinstance(n, ast.Call) for n in ast.walk(holes["X"])
        ):
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

    def _call(self, node: Node) -> str:
        func: Any = node.func
        name, last = called(self.case, node), func.attr if isinstance(func, ast.Attribute) else ""
        if name:
            return self._function(node, name)
        mapped = any(last_name(a) == "map" for a in node.args)
        of_array = last and self.leaves(func.value)
        if of_array and last in self.dialect.methods:
            return self._function(node, last, func.value)
        found = (
            self._by_rows(node)
            if _is_number(node) or of_array or mapped or last in (*self.dialect.leads_out, *CALLS)
            else ""
        )
        if not found and (_is_number(node) or of_array):
            raise NoLineError
        return found or self._parts(node)  # a function of the learner or of the library

    def _function(self, node: Node, name: str, of: Node = None) -> str:
        """A function of NumPy or `math`; a method of the array `of` with the parameters of one."""
        if name in self.spelled:
            return self._spelled(node, name, of)
        found = carried(self.case, node, name, of)
        if found is None or not all(
            self._known(node, a, len(found.arrays) == 1) for a in found.arrays
        ):
            raise NoLineError
        given = [self.text(a) for a in found.arrays] + [
            f"{key}={t}" if key else t
            for key, t in (
                (key, value if isinstance(value, str) else self.text(value))
                for key, value in found.others
            )
        ]
        return f"{self.tf}.{found.name}({', '.join(given)})"

    def _spelled(self, node: Node, name: str, of: Node) -> str:
        args = bound(
            self.case,
            node,
            name,
            of,
            next(([a.id for a in row.pattern.args] for _, row in self.spelled[name])),
        )
        for names, row in self.spelled[name] if args is not None else ():
            holes = dict(args or {})
            match = Match(self.case, node, node, self.params, holes, [], row.instead)
            if names != holes.keys() or not holds(row.condition, match):
                continue
            if not all(self._known(node, a, len(names) == 1) for a in (args or {}).values()):
                break
            used = [n.id for n in ast.walk(row.instead[0]) if isinstance(n, ast.Name)]
            texts = {key: _parsed(self.text(a)) for key, a in (args or {}).items()}
            if any(used.count(key) > 1 and not is_chain(texts[key]) for key in names):
                break  # it would be computed twice
            return self._filled(match)
        raise NoLineError

    def _known(self, node: Node, array: Node, alone: bool = False) -> bool:
        """True for an argument that the library takes; an array may have another dtype."""
        if isinstance(array, (ast.List, ast.Tuple)):
            return all(self._known(node, each, len(array.elts) == 1) for each in array.elts)
        if (
            alone
            or self.leaves(array)
            or not names_used(array)
            or ast.unparse(array) in left_by(self.case, node)
        ):
            return True
        return value_of(self.case, array) is not None

    def _subscript(self, node: Any) -> str:
        """Numbers and slices as they are; places by `gather`, a mask by `boolean_mask`."""
        of, place = self.text(node.value), node.slice
        if isinstance(place, ast.Compare):
            return in_dialect(self.case, self.tf, "tf.boolean_mask(X, M)", X=of, M=self.text(place))
        value = (
            None
            if isinstance(place, (ast.Constant, ast.Slice, ast.UnaryOp, ast.Tuple))
            else value_of(self.case, place)
        )
        many = (
            isinstance(place, ast.List)
            or isinstance(value, np.ndarray)
            and value.dtype.kind in "iu"
            and value.ndim > 0
        )
        if value is None and isinstance(place, ast.Name):  # of a function that has come to its end
            given = definition(self.case, place)
            many = isinstance(given, ast.List)
            if (
                isinstance(given, (ast.Compare, ast.Tuple))
                or isinstance(given, ast.Call)
                and last_name(given) not in PLACES
            ):
                raise NoLineError
        if many:
            return in_dialect(self.case, self.tf, "tf.gather(X, I)", X=of, I=place)
        each = place.elts if isinstance(place, ast.Tuple) else [place]
        if (
            any(isinstance(n, ast.List) for n in each)
            or value is not None
            and value.dtype.kind in "bf"
            or self.leaves(place)
        ):
            raise NoLineError
        return ast.unparse(ast.Subscript(_parsed(of), place, ast.Load()))


def _is_number(call: Any) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in NUMBERS


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body


def constants_of_lists(case: Case, node: Node, why: Break) -> list[str]:
    """Return a second line where values went into a list: `constant` takes no tensors there."""
    constant, convert = case.dialect.converts
    call: Any = case.node(why.params["back_at"]) if "back_at" in why.params else None
    if last_name(call) != constant or statement(call) is statement(node):
        return []
    function = above(node, ast.Lambda, stop=(ast.stmt,))
    listed = above(node, LISTS, stop=(ast.stmt,)) is not None or last_name(parent(node)) == "append"
    listed = (
        listed
        or isinstance(call.args[:1] and call.args[0], ast.List)
        or function is not None
        and last_name(parent(function)) == "map"
    )
    changed = ast.unparse(call).replace(f".{constant}(", f".{convert}(", 1)
    return written_anew([statement(call)], {call: changed}) if listed else []


# ---- several lines


def in_the_library(case: Case, node: Node, params: dict[str, Any]) -> Stretch:
    """Return the lines from an escape on, by the library's own functions; or None."""
    function, first = above(node, FUNCTIONS), statement(node)
    body: list[Any] = siblings(first)
    if isinstance(function, ast.Lambda) or function is not None and parent(first) is not function:
        return None
    back, changes, last = Back(case, params), dict[Any, Any](), first
    rest = body[body.index(first) :]
    try:
        for stmt in rest:
            if not back.leaves(stmt) and not _arrays(case, stmt, first):
                continue
            if not isinstance(stmt, (ast.Assign, ast.Return)) or stmt.value is None:
                raise NoLineError  # a loop, a place in an array
            if isinstance(stmt, ast.Assign):
                if len(stmt.targets) > 1 or not isinstance(stmt.targets[0], ast.Name):
                    raise NoLineError
                back.names.add(stmt.targets[0].id)
            changes[stmt.value], last = _in_tensors(back, stmt.value), stmt
    except NoLineError:
        return None
    if function is not None and not all(fits(case, call) for call in calls_of(case, function)):
        return None
    alias = case.evidence.library[0]
    calls = [n for value in changes for n in ast.walk(value) if isinstance(n, ast.Call)]
    if not all(computes(case, call, alias) for call in calls):
        return None  # a function of the learner's own may know arrays only
    stretch: list[Node] = rest[: rest.index(last) + 1]
    lines = written_anew(
        stretch, {old: text for old, text in changes.items() if text != ast.unparse(old)}
    )
    agree = all(agrees(case, old, new) for old, new in changes.items())
    return (lines, stretch) if agree and lines != written_anew(stretch, {}) else None


def _arrays(case: Case, stmt: Node, first: Node) -> bool:
    """True for a later `b = np.asarray(b)`, whose array would stand beside a tensor."""
    value = getattr(stmt, "value", None)
    return (
        stmt is not first
        and isinstance(stmt, ast.Assign)
        and called(case, value) in ("array", "asarray")
    )


def _in_tensors(back: Back, value: Any) -> str:
    """Return an expression by the library; what was made a constant of an array is converted."""
    if not back.leaves(value) and names_used(value):
        return f"{back.tf}.{back.convert}({ast.unparse(value.args[0])})"
    constants = [n for n in ast.walk(value) if last_name(n) == back.constant and back.leaves(n)]
    if any(
        keyword.arg == "shape" for call in constants for keyword in getattr(call, "keywords", ())
    ):
        raise NoLineError
    return back.converted(back.text(value)) if constants else back.text(value)
