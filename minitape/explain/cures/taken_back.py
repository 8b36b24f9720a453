"""The cure for what left the library: the same expression, written with the library's own
functions.

`loss = float(np.mean(h.numpy()))` becomes `loss = tf.reduce_mean(h)`: float(x) and x.numpy() fall
away, functions and methods of NumPy become those that the library has (`reasons/namesakes.py` knows
which, and which arguments they take). Where one step of the expression cannot be written so, there
is no line. Where the numbers of the run are still to be had, the line is tried on them
(`tried.py`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import inside, is_chain, names_used, parent, statement

from ..case.calls import definition
from ..case.words import say
from ..reasons.namesakes import MASKS, ROWS, SPELLED, called, carried
from .cut import cut
from .fitting import fits
from .rewritten import put
from .tried import agrees, left_by, rank_of, value_of

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case

METHODS = {
    "sum",
    "mean",
    "max",
    "min",
    "prod",
    "std",
    "var",
    "cumsum",
    "cumprod",
    "dot",
    "clip",
    "repeat",
    "squeeze",
    "round",
    "take",
    "trace",
    "swapaxes",
}  # of arrays, with the parameters that NumPy's functions have
LISTS = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)
ABOUT = ("shape", "size", "ndim", "dtype")
PLACES = ("argmax", "argmin", "len", "int", "randint")  # what gives one place


class NoLineError(Exception):
    """Some step cannot be written with the library's own functions."""


def stays_inside(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """Return {expression: text} for all expressions of the statement that leave the library with
    what the guilty one takes along.
    """
    back = Back(case, tf)
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
        joined = _lists(found)
    except NoLineError:
        return None
    if (
        _unfit(node)
        or found[first] == ast.unparse(first)
        or not all(
            fits(case, old, [*joined, case.node(params.get("back_at"))]) and agrees(case, old, new)
            for old, new in found.items()
        )
    ):
        return None
    if back.straight:
        params["instead_text"] = say("words", "straight")
    return {
        **{old: new for old, new in found.items() if not any(inside(old, call) for call in joined)},
        **joined,
    }


def _lists(found: dict[Node, str]) -> dict[Node, str]:
    """Return {call: text} for each `constant([...])` of a list with tensors in it, as
    `convert_to_tensor([...])`.
    """
    joined = {}
    for node in found:
        call = parent(node)
        while isinstance(call, (*LISTS, ast.comprehension)):
            call = parent(call)
        kind = (
            ast.unparse(call.func).rpartition(".")[2]
            if isinstance(call, ast.Call) and call is not parent(node)
            else ""
        )
        if (
            kind == "Variable"
            or kind == "constant"
            and any(keyword.arg == "shape" for keyword in call.keywords)
        ):
            raise NoLineError
        if kind == "constant":
            joined[call] = put(
                call, {old: new for old, new in found.items() if inside(old, call)}
            ).replace(".constant(", ".convert_to_tensor(", 1)
    return joined


def _unfit(node: Node) -> bool:
    """True where an array is made of a name: what is done with the array afterwards must change as
    well.
    """
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("asarray", "array")
        and isinstance(node.args[:1] and node.args[0], ast.Name)
        and not isinstance(statement(node), ast.Return)
    )


class Back:
    """One way back into the library. `left`: the expressions at which values left it; `names`: the
    names of what left.
    """

    def __init__(self, case: Case, tf: str) -> None:
        self.case, self.tf, self.straight, self.names = case, tf, False, set[str]()
        self.left = {case.node(escape.where) for escape in case.evidence.of("escape")} - {None}

    def outermost(self, node: Node) -> Node:
        """Return the outermost expression around a node that still works with arrays or plain
        numbers.
        """
        while True:
            around = parent(node)
            outer = around
            # np.stack([a, b])
            while isinstance(outer, LISTS) or isinstance(outer, ast.comprehension):
                outer = parent(outer)
            if isinstance(around, ast.Attribute):
                call = parent(around)
                node = call if isinstance(call, ast.Call) and call.func is around else around
            elif isinstance(around, ast.Subscript):
                if around.slice is node:
                    raise NoLineError  # an index, or a key
                node = around
            elif (
                isinstance(around, ast.BinOp)
                or isinstance(around, ast.UnaryOp)
                and not isinstance(around.op, ast.Not)
            ):
                node = around
            elif isinstance(around, ast.Compare) and isinstance(
                parent(around), (ast.BinOp, ast.Attribute, ast.Call, ast.UnaryOp)
            ):
                node = around
            elif isinstance(outer, ast.Call) and (
                called(self.case, outer) or outer is around and self._number(outer)
            ):
                node = outer
            elif isinstance(around, ast.keyword) and called(self.case, parent(around)):
                node = parent(around)
            else:
                return node

    @staticmethod
    def _number(call: Node) -> bool:
        return isinstance(call.func, ast.Name) and call.func.id in (
            "float",
            "int",
            "round",
            "divmod",
            "complex",
            "range",
        )

    def leaves(self, node: Node) -> bool:
        return any(each in self.left for each in ast.walk(node)) or not self.names.isdisjoint(
            names_used(node)
        )

    def text(self, node: Node) -> str:
        """Return an expression as text, with the library's own functions for float(x), x.numpy(),
        x.T, np.sin(x), math.exp(x).
        """
        if not self.leaves(node) or isinstance(node, ast.Attribute) and node.attr in ABOUT:
            return ast.unparse(node)
        if isinstance(node, ast.Attribute):
            if node.attr != "T":
                raise NoLineError  # of arrays, which tensors may not have
            return f"{self.tf}.transpose({self.text(node.value)})"
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.MatMult):
                return self._product(node.left, node.right, "@")
            if any(
                isinstance(side, ast.Compare) or called(self.case, side) in MASKS
                for side in (node.left, node.right)
            ):
                raise NoLineError  # yes and no are no factors in the library
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
            return self.text(node.operand)
        if isinstance(node, ast.JoinedStr):
            raise NoLineError  # a text that is kept as one
        return self._parts(node)

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

    # ---- calls

    def _call(self, node: Node) -> str:
        func: Node = node.func
        name, last = called(self.case, node), func.attr if isinstance(func, ast.Attribute) else ""
        if name:
            return self._function(node, name)
        if self._number(node):
            return self._rounded(node)
        mapped = [
            a
            for a in node.args
            if isinstance(a, ast.Call)
            and ast.unparse(a.func) == "map"
            and ast.unparse(a.args[0]) == "float"
        ]
        if mapped:  # list(map(float, parts))
            return put(node, {a: ast.unparse(a.args[-1]) for a in mapped})
        if last in ("predict", "predict_on_batch") and node.args:
            return f"{ast.unparse(func.value)}({', '.join(map(self.text, node.args))})"
        if last in ("numpy", "item", "tolist") and not node.args:
            return self.text(func.value)
        if not last or not self.leaves(func.value):
            return self._parts(node)  # a function of the learner or of the library
        return self._method(node, func.value, last)

    def _rounded(self, node: Node) -> str:
        """float(x) as x; int(x), round(x, 2) and a text with two decimals as the same number, with
        the slope passed straight through.
        """
        step = cut(node, self.tf)
        if step is None:
            raise NoLineError
        of, pattern = step
        text = self.text(of)
        if not pattern:
            return text
        if any(isinstance(n, ast.Call) for n in ast.walk(_parsed(text))):
            raise NoLineError  # it would be computed twice
        self.straight = True
        x = f"({text})"
        return ast.unparse(_parsed(f"{x} + {self.tf}.stop_gradient({pattern.format(x)} - {x})"))

    def _method(self, node: Node, of: Node, name: str) -> str:
        """A method of arrays: `x.numpy().sum(axis=0)`."""
        args: list[Any] = node.args
        if name in METHODS:
            return self._function(node, name, of)
        if name in ("reshape", "transpose") and not node.keywords and (args or name == "transpose"):
            bare = len(args) == 1 and not isinstance(
                args[0], (ast.Constant, ast.UnaryOp, ast.Starred)
            )
            given = (
                [ast.unparse(args[0]) if bare else f"[{', '.join(map(ast.unparse, args))}]"]
                if args
                else []
            )
            return f"{self.tf}.{name}({', '.join([self.text(of), *given])})"
        if name in ("flatten", "ravel") and not args and not node.keywords:
            return f"{self.tf}.reshape({self.text(of)}, [-1])"
        if (
            name == "astype"
            and len(args) == 1
            and ast.unparse(args[0]).rpartition(".")[2].strip("'") == "float32"
            and not node.keywords
        ):
            return f"{self.tf}.cast({self.text(of)}, {self.tf}.float32)"
        raise NoLineError

    def _function(self, node: Node, name: str, of: Node = None) -> str:
        """A function of NumPy or of `math`; a method of the array `of` with the parameters of one."""
        if name in SPELLED and of is None and not node.keywords:
            return self._spelled(node, *SPELLED[name])
        found = carried(self.case, node, name, of)
        if found is None or not all(
            self._known(node, a, len(found.arrays) == 1) for a in found.arrays
        ):
            raise NoLineError
        special = getattr(self, f"_{name.replace('.', '_')}", None) if name in ROWS else None
        if special is not None:
            return str(special(found.arrays, dict(found.others)))
        given = [self.text(a) for a in found.arrays] + [
            f"{key}={t}" if key else t
            for key, t in (
                (key, value if isinstance(value, str) else self.text(value))
                for key, value in found.others
            )
        ]
        return f"{self.tf}.{found.name}({', '.join(given)})"

    def _spelled(self, node: Node, count: int, pattern: str) -> str:
        if len(node.args) != count or any(
            isinstance(a, LISTS) or not self._known(node, a, count == 1) for a in node.args
        ):
            raise NoLineError  # a list is no operand of **
        texts = [self.text(a) for a in node.args]
        if any(
            pattern.count(f"{{{k}}}") > 1 and not is_chain(_parsed(text))
            for k, text in enumerate(texts)
        ):
            raise NoLineError  # it would be computed twice
        return ast.unparse(_parsed(pattern.format(*(f"({text})" for text in texts), tf=self.tf)))

    def _known(self, node: Node, array: Node, alone: bool = False) -> bool:
        """True for an argument that the library takes: tensors, numbers that are written down. An
        array may have another dtype.
        """
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

    # ---- functions that are written in another way

    def _product(self, a: Node, b: Node, sign: str = "") -> str:
        ranks = [rank_of(self.case, side) for side in (a, b)]
        left, right = self.text(a), self.text(b)
        if None not in ranks and min(ranks) > 1:
            return (
                ast.unparse(ast.BinOp(*(_parsed(left), ast.MatMult(), _parsed(right))))
                if sign
                else f"{self.tf}.matmul({left}, {right})"
            )
        if None in ranks or max(ranks) > 2 or min(ranks) < 1:
            raise NoLineError
        return f"{self.tf}.tensordot({left}, {right}, axes=1)"

    def _matmul(self, arrays: list[Any], others: dict[str, Any]) -> str:
        return self._product(*arrays)

    _linalg_matmul = _matmul

    def _dot(self, arrays: list[Any], others: dict[str, Any]) -> str:
        a, b = arrays
        ranks = [rank_of(self.case, side) for side in arrays]
        if 0 in ranks:
            return ast.unparse(ast.BinOp(_parsed(self.text(a)), ast.Mult(), _parsed(self.text(b))))
        if (ranks[1] or 1) > 2:
            raise NoLineError
        return f"{self.tf}.tensordot({self.text(a)}, {self.text(b)}, axes=1)"

    def _inner(self, arrays: list[Any], others: dict[str, Any]) -> str:
        if [rank_of(self.case, side) for side in arrays] != [1, 1]:
            raise NoLineError
        return self._dot(arrays, others)

    _vdot = _inner

    def _outer(self, arrays: list[Any], others: dict[str, Any]) -> str:
        sides = [
            self.text(a)
            if rank_of(self.case, a) == 1
            else f"{self.tf}.reshape({self.text(a)}, [-1])"
            for a in arrays
        ]
        return f"{self.tf}.tensordot({', '.join(sides)}, axes=0)"

    _linalg_outer = _outer

    def _linalg_norm(self, arrays: list[Any], others: dict[str, Any]) -> str:
        (x,), order = arrays, others.pop("ord", others.pop("", None))
        text = "" if order is None else ast.unparse(order)
        vectors = (
            rank_of(self.case, x) == 1
            or "axis" in others
            and not isinstance(others["axis"], (ast.Tuple, ast.List))
        )
        if text in ("", "'fro'"):
            order = None
        elif not vectors:
            raise NoLineError  # of a matrix: another norm
        given = [
            self.text(x),
            *([f"ord={text}"] if order is not None else []),
            *(f"{k}={ast.unparse(v)}" for k, v in others.items()),
        ]
        return f"{self.tf}.norm({', '.join(given)})"

    def _linalg_solve(self, arrays: list[Any], others: dict[str, Any]) -> str:
        if (rank_of(self.case, arrays[1]) or 1) < 2:
            raise NoLineError
        return f"{self.tf}.linalg.solve({', '.join(map(self.text, arrays))})"

    def _vstack(
        self,
        arrays: list[Any],
        others: dict[str, Any],
        flat: str = "stack({})",
        deep: str = "concat({}, axis=0)",
    ) -> str:
        rows = arrays[0].elts if isinstance(arrays[0], (ast.List, ast.Tuple)) else []
        ranks = {rank_of(self.case, row) for row in rows}
        if ranks != {1} and (not ranks or None in ranks or min(ranks) < 2):
            raise NoLineError
        return f"{self.tf}.{(flat if ranks == {1} else deep).format(self.text(arrays[0]))}"

    def _hstack(self, arrays: list[Any], others: dict[str, Any]) -> str:
        return self._vstack(arrays, others, "concat({}, axis=0)", "concat({}, axis=1)")

    def _array(self, arrays: list[Any], others: dict[str, Any]) -> str:
        of: Any = definition(self.case, arrays[0])
        listed = (
            isinstance(of, LISTS)
            or isinstance(of, ast.Call)
            and ast.unparse(of.func) in ("list", "tuple", "sorted")
        )
        return f"{self.tf}.stack({self.text(arrays[0])})" if listed else self.text(arrays[0])

    def _float32(self, arrays: list[Any], others: dict[str, Any]) -> str:
        return f"{self.tf}.cast({self.text(arrays[0])}, {self.tf}.float32)"

    def _reshape(self, arrays: list[Any], others: dict[str, Any]) -> str:
        shape = next(iter(others.values()))
        given = ast.unparse(shape)
        return (
            f"{self.tf}.reshape({self.text(arrays[0])}, "
            f"{f'[{given}]' if isinstance(shape, (ast.Constant, ast.UnaryOp)) else given})"
        )

    def _ravel(self, arrays: list[Any], others: dict[str, Any]) -> str:
        return f"{self.tf}.reshape({self.text(arrays[0])}, [-1])"

    def _flip(self, arrays: list[Any], others: dict[str, Any]) -> str:
        axis = ast.unparse(next(iter(others.values())))
        return f"{self.tf}.reverse({self.text(arrays[0])}, axis=[{axis}])"

    def _append(self, arrays: list[Any], others: dict[str, Any]) -> str:
        parts = list(map(self.text, arrays))
        if not others:  # NumPy makes vectors of both first
            ways = {0: "[{}]", 1: "{}"}
            parts = [
                ways.get(rank_of(self.case, a), f"{self.tf}.reshape({{}}, [-1])").format(text)
                for a, text in zip(arrays, parts)
            ]
        return (
            f"{self.tf}.concat([{', '.join(parts)}], "
            f"axis={ast.unparse(next(iter(others.values()))) if others else 0})"
        )

    def _tile(self, arrays: list[Any], others: dict[str, Any]) -> str:
        reps, rank = next(iter(others.values()), None), rank_of(self.case, arrays[0])
        each = reps.elts if isinstance(reps, (ast.List, ast.Tuple)) else [reps]
        if reps is None or rank is None or each == [reps] and rank_of(self.case, reps) != 0:
            raise NoLineError
        of = _parsed(self.text(arrays[0]))
        if len(each) > rank:  # NumPy puts new axes in front
            of = ast.Subscript(of, _parsed(", ".join(["None"] * (len(each) - rank))))
        return (
            f"{self.tf}.tile({ast.unparse(of)}, "
            f"[{', '.join(['1'] * (rank - len(each)) + [ast.unparse(n) for n in each])}])"
        )

    def _swapaxes(self, arrays: list[Any], others: dict[str, Any], order: Any = np.swapaxes) -> str:
        rank, axes = rank_of(self.case, arrays[0]), [value_of(self.case, a) for a in arrays[1:]]
        if rank is None or any(axis is None for axis in axes):
            raise NoLineError
        placed = order(np.broadcast_to(0, range(rank)), *[axis.tolist() for axis in axes]).shape
        reverse = list(placed) == list(range(rank))[::-1]
        return (
            f"{self.tf}.transpose({self.text(arrays[0])}{'' if reverse else f', {list(placed)}'})"
        )

    def _moveaxis(self, arrays: list[Any], others: dict[str, Any]) -> str:
        return self._swapaxes(arrays, others, np.moveaxis)

    def _median(self, arrays: list[Any], others: dict[str, Any]) -> str:
        text = self.text(arrays[0])
        if rank_of(self.case, arrays[0]) != 1 or not is_chain(_parsed(text)):
            raise NoLineError
        length = f"{text}.shape[0]"
        return (
            f"{self.tf}.reduce_mean({self.tf}.sort({text})[({length} - 1) // 2:{length} // 2 + 1])"
        )

    def _pad(self, arrays: list[Any], others: dict[str, Any]) -> str:
        array, width = arrays
        pairs = isinstance(width, (ast.List, ast.Tuple)) and all(
            isinstance(pair, (ast.List, ast.Tuple)) for pair in width.elts
        )
        mode = others.pop("mode", others.pop("", None))
        if not pairs or mode is not None and ast.unparse(mode) != "'constant'":
            raise NoLineError
        given = [
            self.text(array),
            ast.unparse(width),
            *(f"{k}={ast.unparse(v)}" for k, v in others.items()),
        ]
        return f"{self.tf}.pad({', '.join(given)})"

    def _where(self, arrays: list[Any], others: dict[str, Any]) -> str:
        chosen = arrays[0]
        value = None if isinstance(chosen, ast.Compare) else value_of(self.case, chosen)
        if (
            not isinstance(chosen, ast.Compare)
            and called(self.case, chosen) not in MASKS
            and (value is None or value.dtype.kind != "b")
        ):
            raise NoLineError
        return f"{self.tf}.where({', '.join(map(self.text, arrays))})"

    def _diag(self, arrays: list[Any], others: dict[str, Any]) -> str:
        rank = rank_of(self.case, arrays[0])
        if rank not in (1, 2):
            raise NoLineError
        return f"{self.tf}.linalg.{'diag' if rank == 1 else 'diag_part'}({self.text(arrays[0])})"

    # ---- parts of arrays

    def _part(self, node: Node) -> str:
        """Numbers, slices, `None` and `...` as they are; a list of places by `gather`; a mask by
        `boolean_mask`.
        """
        of, place = self.text(node.value), node.slice
        if isinstance(place, ast.Compare):
            return f"{self.tf}.boolean_mask({of}, {self.text(place)})"
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
                and not ast.unparse(given.func).endswith(PLACES)
            ):
                raise NoLineError
        if many:
            return f"{self.tf}.gather({of}, {ast.unparse(place)})"
        each = place.elts if isinstance(place, ast.Tuple) else [place]
        if (
            any(isinstance(n, ast.List) for n in each)
            or value is not None
            and value.dtype.kind in "bf"
            or self.leaves(place)
        ):
            raise NoLineError
        return ast.unparse(ast.Subscript(_parsed(of), place, ast.Load()))


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body
