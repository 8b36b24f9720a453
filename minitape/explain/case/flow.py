"""Data flow in the text of the learner's program: definitions and uses of a value.

A float has no identity that could be followed, but the text shows that `c = float(x)` defines c and
`c * w` uses it. Starting at one expression, everything that is computed from it is marked: names,
attributes, list elements, arguments and results of the learner's own functions. A name that was
rebound in between is not followed; otherwise the order of statements is ignored (loops jump back).
So a mark means "may come from"; the tape decides whether it does.

Marks spread to enclosing expressions and to the places where a marked name is read. Nothing else is
visited, so the cost depends on what the value reaches, not on the length of the file or formula.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import FUNCTIONS, above, last_name, names_used, parent, worked_on

from .readings import Readings

if TYPE_CHECKING:
    from minitape.program.files import Text

    from .aliases import Node

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
    """
    greater greater_equal less less_equal equal not_equal isclose allclose array_equal isnan
    isfinite isinf signbit isin logical_and logical_or logical_not logical_xor any all bool sign
    heaviside round around rint floor ceil trunc fix floor_divide floordiv int int8 int16 int32
    int64 argmax argmin argsort argpartition argwhere nonzero flatnonzero count_nonzero digitize
    searchsorted bincount histogram index count choice choices multinomial binomial categorical
    """.split()
)
WHOLE = re.compile(r"u?int\d*|intp|bool_?")  # dtypes whose numbers move in steps
# of which parts alone an expression's value comes; of most it comes of all
GIVE: dict[type, tuple[str, ...]] = {
    ast.Lambda: (),
    ast.IfExp: ("body", "orelse"),
    ast.Subscript: ("value",),
    ast.ListComp: ("elt",),
    ast.SetComp: ("elt",),
    ast.GeneratorExp: ("elt",),
    ast.DictComp: ("key", "value"),
}


class Flow:
    """Everything that may be computed from some expressions of a program. `reaches(node)` tells of
    one expression.

    With `sloping`, nothing that comes from them by a comparison, a rounding or a draw alone: its
    slope is 0. Through an expression in `walls` nothing goes on. Marks spread as far as is asked,
    in the parts of the files that are `near` first.
    """

    def __init__(
        self,
        program: Text,
        starts: Sequence[Node],
        sloping: bool = False,
        walls: Collection[Node] = (),
        near: Collection[Node] = (),
    ) -> None:
        self.functions, self.sloping, self.walls = program.functions, sloping, walls
        self.marked: set[Node] = set()
        # place -> where it was marked: (file, line, column), or None
        self._places: dict[Any, set[Any]] = {}
        self._readings: dict[Any, Readings] = {}
        self._holding: set[Node] = set()  # the names that hold something marked where they are read
        # whether calls of objects, whatever their names, were looked at
        self._objects_return = False
        self._near = near
        # near, far: with something marked in it, not looked at yet
        self._todo: tuple[deque[Node], deque[Node]] = deque(), deque()
        self._waiting: set[Node] = set()  # the same
        self.starts = {
            node
            for node in starts
            if not self._only_shape(node) or any(map(names_used, node.args[1:]))
        }
        for node in self.starts:
            self._look(node)
            self._store(node)

    def reaches(self, node: Node) -> bool:
        """True where the value of an expression may come from one of the starts."""
        return self._reach([node])

    def enters(self, node: Node) -> bool:
        """True where one of the operands of an expression may come from one of the starts."""
        if (
            node in self.starts
            and not isinstance(node, ast.AugAssign)
            or self.sloping
            and self._in_steps(node)
        ):
            return False
        return self._reach(worked_on(node))

    def _reach(self, nodes: list[Node]) -> bool:
        """Let the marks spread until one of some expressions is marked; return whether one is."""
        near, far = self._todo
        while self.marked.isdisjoint(nodes):
            if not self._waiting:
                return any(map(self._comes, nodes))
            self.functions.go_on()
            node = (near or far).popleft()
            self._waiting.remove(node)
            self._look(node)
        return True

    # ---- marks

    def _look(self, node: Node) -> None:
        """Take in what has been marked in a node: what it stores, and whether it is marked itself."""
        if isinstance(node, tuple):
            self._held(self._readings[node].far(self._places[node]))
            return
        store = STORES.get(type(node))
        if store is not None:
            store(self, node)
        if isinstance(node, ast.expr) and node not in self.marked and self._comes(node):
            self.marked.add(node)
            self._wait([parent(node)])
        elif _is_looked_through(node):
            self._wait([parent(node)])

    def _has(self, node: Node) -> bool:
        return node in self.marked or self._comes(node)

    def _wait(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node not in self._waiting:
                self._waiting.add(node)
                self._todo[node.part not in self._near].append(node)

    def _mark(self, place: tuple[Any, ...], node: Node = None) -> None:
        """Mark a place: a name in its scope, an attribute, what a function returns. `node` is the
        definition that does it.
        """
        at = (node.file, node.lineno, node.col_offset) if node is not None else None
        marks = self._places.setdefault(place, set())
        if at in marks:
            return
        marks.add(at)
        kind, what = place
        if kind == "returns":
            self._returned(what)
        elif kind == "attribute":
            self._wait(n for n in self.functions.each((ast.Attribute,), what) if n.attr == what)
        else:
            if place not in self._readings:
                self._readings[place] = Readings(self.functions, place, self.sloping, self._near)
                self._todo[1].append(place)  # it is read there, too, where it is far
                self._waiting.add(place)
            self._held(self._readings[place].reached(at))

    def _held(self, readings: list[Node]) -> None:
        self._holding.update(readings)
        self._wait(readings)

    def _returned(self, function: Node) -> None:
        """What a function returns is marked: look at its calls, and at those that are given the
        function.
        """
        if any(last_name(d).endswith("property") for d in getattr(function, "decorator_list", ())):
            self._mark(("attribute", function.name))
        names = self.functions.names_of(function)
        if not self._objects_return and not names.isdisjoint(CALLED):
            self._objects_return = True
            self._wait(self.functions.each((ast.Call,)))
        for name in names:
            self._wait(self.functions.calls_with(name))
        self._wait([parent(function)])  # a lambda that stands among the arguments

    def _store(self, node: Node) -> None:
        """Mark what a target stores into: a name, an attribute, or the list that an element belongs
        to.
        """
        todo = [node]
        for each in todo:
            if isinstance(each, ast.Name):
                self._mark((self.functions.scope(each), each.id), each)
            elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
                self._mark(("attribute", each.attr))
            elif isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store):
                self._mark_base(each.value)
            elif isinstance(each, (ast.Tuple, ast.List)):
                todo += each.elts
            elif isinstance(each, ast.Starred):
                todo.append(each.value)
            elif isinstance(each, ast.AugAssign):
                self._mark_base(each.target)

    def _mark_base(self, node: Node) -> None:
        while isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        if isinstance(node, ast.Name):
            self._mark((self.functions.scope(node), node.id), node)
        elif isinstance(node, ast.Attribute):
            self._mark(("attribute", node.attr))

    # ---- what a statement stores

    def _assign(self, node: Node) -> None:
        """`a, b = x, y` marks name by name."""
        todo = [(target, node.value) for target in node.targets]
        for target, value in todo:
            both = isinstance(target, (ast.Tuple, ast.List)) and isinstance(
                value, (ast.Tuple, ast.List)
            )
            if both and len(target.elts) == len(value.elts):
                todo += zip(target.elts, value.elts)
            elif self._has(value):
                self._mark_base(target) if isinstance(target, ast.Subscript) else self._store(
                    target
                )

    def _give(self, node: Node) -> None:
        if node.value is not None and self._has(node.value):
            self._store(node.target)

    def _add(self, node: Node) -> None:
        if self._has(node.value) and not (self.sloping and self._in_steps(node)):
            self._mark_base(node.target)

    def _loop(self, node: Node) -> None:
        """`for a, b in zip(p, q)` and `for i, a in enumerate(p)` mark name by name, other loops as
        a whole.
        """
        call, target = node.iter, node.target
        name = (
            call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        )
        if isinstance(target, (ast.Tuple, ast.List)) and name in ("zip", "enumerate") and call.args:
            for t, a in zip(target.elts, call.args if name == "zip" else [None, call.args[0]]):
                if a is not None and self._has(a):
                    self._store(t)
        elif self._has(call):
            self._store(target)

    def _return(self, node: Node) -> None:
        function = above(node, FUNCTIONS)
        if node.value is not None and function is not None and self._has(node.value):
            self._mark(("returns", function))

    def _return_body(self, node: Node) -> None:
        if self._has(node.body):
            self._mark(("returns", node))

    def _enter(self, node: Node) -> None:
        if node.optional_vars is not None and self._has(node.context_expr):
            self._store(node.optional_vars)

    def _call(self, node: Node) -> None:
        """A call gives its arguments to the parameters; `xs.append(y)` changes its object."""
        func = node.func
        if isinstance(func, ast.Name) and func.id in HARMLESS:
            return
        marked = [key for key, holds in self._inputs(node) if holds]
        if isinstance(func, ast.Attribute) and func.attr in GROWS and marked:
            self._mark_base(func.value)
        functions, method = self._callees(func)
        starred = any(isinstance(a, ast.Starred) for a in node.args)
        for function in functions if marked and not self._only_shape(node) else ():
            for name in _parameters(function, marked, method, starred):
                self._mark((function, name), function)

    # ---- expressions

    def _comes(self, node: Node) -> bool:
        """True where an expression is marked by what is marked in it."""
        if self.sloping and self._in_steps(node):
            return False
        if node in self.starts:
            return True
        if node in self.walls:
            return False
        if isinstance(node, ast.Name):
            return node in self._holding
        if isinstance(node, ast.Attribute):
            return (
                ("attribute", node.attr) in self._places
                or node.attr not in ABOUT
                and node.value in self.marked
            )
        if isinstance(node, ast.Call):
            return self._answers(node)
        if type(node) in GIVE:
            return any(getattr(node, part) in self.marked for part in GIVE[type(node)])
        return any(
            child in self.marked
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.expr)
        )

    def _answers(self, node: Node) -> bool:
        """True where what a call gives may come from the starts."""
        func = node.func
        if isinstance(func, ast.Name) and func.id in HARMLESS:
            return False
        inputs = self._inputs(node)
        if self._only_shape(node):
            return any(holds for _, holds in inputs[1:])
        marked = any(holds for _, holds in inputs)
        functions, _ = self._callees(func)
        if functions:
            makes_object = isinstance(func, ast.Name) and self.functions.is_class(func.id)
            return any(("returns", f) in self._places for f in functions) or makes_object and marked
        return marked or isinstance(func, ast.Attribute) and func.value in self.marked

    def _inputs(self, node: Node) -> list[tuple[Any, bool]]:
        """Return (number or name, whether it is marked) of each argument of a call."""
        given = [
            (i, (a.value if isinstance(a, ast.Starred) else a) in self.marked or self._gives(a))
            for i, a in enumerate(node.args)
        ]
        return [*given, *((k.arg, k.value in self.marked) for k in node.keywords)]

    def _gives(self, node: Node) -> bool:
        """True for a function handed to another (to `map`, `reduce`) that returns a marked value:
        whoever calls it may pass it on.
        """
        result = (
            [node]
            if isinstance(node, ast.Lambda)
            else self.functions.named(node.id)
            if isinstance(node, ast.Name)
            else ()
        )
        return any(("returns", f) in self._places for f in result)

    def _only_shape(self, node: Node) -> bool:
        """True for `np.zeros_like(x)`, which takes nothing of its first argument but the shape."""
        return (
            isinstance(node, ast.Call)
            and last_name(node.func) in SHAPED
            and not self._callees(node.func)[0]
        )

    def _in_steps(self, node: Node) -> bool:
        """True for a comparison, a rounding, a count, a draw: an expression whose value moves in
        steps, so that its slope is 0.
        """
        if isinstance(node, (ast.BinOp, ast.AugAssign, ast.UnaryOp)):
            return isinstance(node.op, (ast.FloorDiv, ast.Not))
        if not isinstance(node, ast.Call) or self._callees(node.func)[0]:
            return isinstance(node, ast.Compare)
        name = last_name(node.func)
        dtypes = [k.value for k in node.keywords if k.arg == "dtype"] + node.args[
            name != "astype" : 2
        ]
        return name in FLAT or any(map(_is_whole, dtypes))

    def _callees(self, func: Node) -> tuple[Sequence[Node], bool]:
        """Return the learner's functions that a call may mean, and whether the first parameter is
        the object.
        """
        functions = self.functions
        if isinstance(func, ast.Name):
            if named := functions.named(func.id):
                return named, functions.is_class(func.id)
            if func.id in func.file.imports or hasattr(builtins, func.id):  # type: ignore[attr-defined]
                return (), False
        elif isinstance(func, ast.Attribute):
            of_module = isinstance(func.value, ast.Name) and func.value.id in func.file.imports  # type: ignore[attr-defined]
            named = functions.named(func.attr)
            if of_module and not named:
                return (), False
            return named, not (
                isinstance(func.value, ast.Name) and functions.is_class(func.value.id)
            )
        return [f for name in CALLED for f in functions.named(name)], True


CALLED = ("__call__", "call")
STORES = {
    ast.Assign: Flow._assign,
    ast.AnnAssign: Flow._give,
    ast.NamedExpr: Flow._give,
    ast.AugAssign: Flow._add,
    ast.For: Flow._loop,
    ast.AsyncFor: Flow._loop,
    ast.comprehension: Flow._loop,
    ast.Return: Flow._return,
    ast.Yield: Flow._return,
    ast.YieldFrom: Flow._return,
    ast.Lambda: Flow._return_body,
    ast.withitem: Flow._enter,
    ast.Call: Flow._call,
}


def _is_looked_through(node: Node) -> bool:
    """True for what the node around it does not take as a whole: it is to be looked at whenever
    something is marked in here.
    """
    if isinstance(node, ast.Attribute):
        return node.attr in ABOUT
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("zip", "enumerate")
    return isinstance(node, (ast.keyword, ast.comprehension, ast.Tuple, ast.List, ast.Starred))


def _parameters(
    function: Node, marked: Sequence[Any], method: bool, starred: bool
) -> Iterator[str]:
    """Return the names of the parameters that are given something marked: by the numbers or names
    of the arguments.
    """
    parameters = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
    if method and parameters and parameters[0] in ("self", "cls"):
        parameters = parameters[1:]
    rest = [function.args.vararg.arg] if function.args.vararg else []
    for key in marked:
        if starred:
            yield from parameters
        elif isinstance(key, int):
            yield from parameters[key : key + 1] or rest
        elif key is not None:
            yield key


def _is_whole(node: Node) -> bool:
    """True for a dtype whose numbers move in steps: `int`, `np.int32`, `"bool"`."""
    if isinstance(node, ast.Constant):
        name = node.value if isinstance(node.value, str) else ""
    else:
        name = (
            last_name(node)
            if isinstance(node, ast.Name) or isinstance(getattr(node, "value", None), ast.Name)
            else ""
        )
    return WHOLE.fullmatch(name) is not None
