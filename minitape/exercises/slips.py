"""Slips: what is written by who has the idea and loses a piece of it.

Each is the solution with one change inside of a blank: a factor left out, a difference turned
round, one turn of a loop too many. It is run on the inputs that were tried. An answer that computes
the same on all of them has made this slip, in whatever words: the sentence says what the answer
computes, so it is true of every such answer.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain, combinations, product
from typing import Any, NamedTuple

MOST = 500  # slips of one solution that are tried
TWINS = (  # functions that are taken for one another
    ("sum", "mean", "prod", "max", "min"),
    ("reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min"),
    ("sin", "cos", "tan", "sinh", "cosh", "tanh"),
    ("sqrt", "square", "abs"),
    ("exp", "log"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("assign", "assign_add", "assign_sub"),
    ("argmin", "argmax"),
)
ANGLES = TWINS[2][:3]
# what is said of a lost part, of one that is there twice, of one on the wrong side, of two exchanged
PRODUCT = "slip.no-factor", "slip.factor-twice", "slip.divided", "slip.times", "slip.upside-down"
SUM = "slip.no-term", "slip.term-twice", "slip.taken-away", "slip.plus", "slip.turned"
NAMING = {*PRODUCT[:4], *SUM[:2], *(f"{PRODUCT[k]}.below" for k in (0, 1)), f"{SUM[0]}.below"}
NAMING |= {"slip.other-term", "slip.on-all"}
SUMS = (ast.Add, ast.Sub)
SIGNS = {  # one that is typed in the place of another, which may bind less tightly
    "*": {"+": "slip.added", "/": "slip.divided", "**": "slip.to-power"},
    "/": {"*": "slip.times"},
    "+": {"-": "slip.taken-away", "*": "slip.multiplied"},
    "-": {"+": "slip.plus", "*": "slip.multiplied"},
}
Change = tuple[str, str, ast.AST]  # an idea, the piece that it is about, what stands there then


class Slip(NamedTuple):
    """A change of the solution: its idea, the piece of text that it is about, the program."""

    idea: str
    piece: str
    code: str

    def said(self) -> tuple[str, str]:
        """Return the key of its sentence, and the piece for it: there is one for pieces that are
        not named.
        """
        named = self.piece or self.idea not in NAMING
        return self.idea + ("" if named else ".unnamed"), self.piece


@lru_cache(maxsize=16, typed=True)  # the next answer is compared with the same ones
def slips(program: str, blanks: tuple[tuple[int, int], ...], *numbers: float) -> tuple[Slip, ...]:
    """Return the slips of a right program. `blanks`: where it may be changed, in bytes; `numbers`:
    those of an answer, which may stand in the place of names.
    """
    tree = ast.parse(program)
    starts = [0]
    for line in program.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def inside(node: Any) -> bool:
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        return any(start <= first and last <= end for start, end in blanks)

    function = [node for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    places = [(node, put) for node, put in _places(function) if inside(node)]
    whole, names = ast.unparse(tree) + "\n", _names(function)
    result = {whole: Slip("", "", whole)}

    def note(idea: str, piece: str) -> None:
        code = ast.unparse(tree) + "\n"
        result.setdefault(code, Slip(idea, piece, code))

    def change(*kinds: Callable[[ast.AST], Iterator[Change]]) -> None:
        for changes in kinds:
            for node, put in places:
                for idea, piece, new in changes(node):
                    put(ast.copy_location(new, node))
                    note(idea, piece)
                put(node)

    change(_statements, _operations, _calls, _arrays)
    for idea, text in chain(_unbracketed(program, blanks), _retyped(program, blanks)):
        with suppress(SyntaxError):
            code = ast.unparse(ast.parse(text)) + "\n"
            result.setdefault(code, Slip(idea, "", code))
    used = [(node.id, node, put) for node, put in places if _is_read(node) and _is_name(node)]
    known = dict.fromkeys(name for name, _, _ in used if name in names)

    def rename(idea: str, piece: str, others: dict[str, Any]) -> None:
        """Make the same mistake in each place."""
        for name, node, put in used:
            put(others.get(name, node))
        note(idea, piece)
        for _, node, put in used:
            put(node)

    instead: list[Change] = [("slip.name", name, ast.Name(name, ast.Load())) for name in names]
    instead += [("slip.own-number", f"{n:g}", ast.Constant(n)) for n in numbers]
    for name, (idea, piece, new) in product(known, instead):
        rename(idea, piece, {name: new})
    change(_leaves, _sums)
    for pair in combinations(known, 2):
        turned = zip(pair, [ast.Name(name, ast.Load()) for name in pair[::-1]])
        rename("slip.names", ", ".join(pair), dict(turned))
    change(_other_values(function), _named(names))
    return tuple(result.values())[1 : MOST + 1]


def _places(function: ast.FunctionDef) -> Iterator[tuple[Any, Callable[[ast.AST], None]]]:
    """Yield each expression and statement of a function, with what puts another one in its place."""
    for parent in ast.walk(function):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, (ast.expr, ast.stmt)):
                yield value, partial(setattr, parent, field)
            elif isinstance(value, list):
                for k, child in enumerate(value):
                    if isinstance(child, (ast.expr, ast.stmt)):
                        yield child, partial(value.__setitem__, k)


def _names(function: ast.FunctionDef) -> list[str]:
    """Return what a function calls its inputs and values."""
    names = [argument.arg for argument in function.args.args]
    names += [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys(names))


def _named(names: Sequence[str]) -> Callable[[ast.AST], Iterator[Change]]:
    """Return what puts a name in the place of an expression, or one more into a product."""

    def changes(node: ast.AST) -> Iterator[Change]:
        if not isinstance(node, ast.expr) or not _is_read(node):
            return
        for name in names:
            other = ast.Name(name, ast.Load())
            if ast.unparse(node) != name:
                yield "slip.name", name, other
            if isinstance(node, (ast.BinOp, ast.Name)) and ast.unparse(node) != name:
                yield "slip.factor-twice", name, ast.BinOp(node, ast.Mult(), other)
                yield "slip.factor-twice.below", name, ast.BinOp(node, ast.Div(), other)
                yield "slip.term-twice", name, ast.BinOp(node, ast.Add(), other)

    return changes


def _other_values(function: ast.FunctionDef) -> Callable[[ast.AST], Iterator[Change]]:
    """Return what returns a value from inside of the computation."""
    parts = [node for node, _ in _places(function) if isinstance(node, (ast.BinOp, ast.Call))]

    def changes(node: ast.AST) -> Iterator[Change]:
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            for part in parts:
                yield "slip.other-value", "", ast.Return(part)

    return changes


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _is_read(node: ast.AST) -> bool:
    return not isinstance(getattr(node, "ctx", ast.Load()), ast.Store)


def _text(node: ast.AST) -> str:
    """Return a piece as it is named in a sentence, "" where it would show how to write the rest."""
    text = ast.unparse(node)
    return text if re.fullmatch(r"[\w.]+(\[\w+\])?", text) else ""


def _operations(node: ast.AST) -> Iterator[Change]:
    if not isinstance(node, ast.BinOp):
        return
    left, op, right = node.left, node.op, node.right
    if isinstance(op, (ast.Mult, ast.Div)):
        yield from _of_chain(_chain(node, ast.Mult, ast.Div), ast.Mult(), ast.Div(), PRODUCT)
        if isinstance(op, ast.Mult):
            yield "slip.added", "", ast.BinOp(left, ast.Add(), right)
            yield "slip.to-power", "", ast.BinOp(left, ast.Pow(), right)
    elif isinstance(op, SUMS):
        yield from _of_chain(_chain(node, ast.Add, ast.Sub), ast.Add(), ast.Sub(), SUM)
        yield "slip.multiplied", "", ast.BinOp(left, ast.Mult(), right)
        for one in ("max", "min"):
            of_two = ast.Call(ast.Name(one, ast.Load()), [left, right], [])
            yield "slip.one-of-two", one, of_two
    elif isinstance(op, ast.MatMult):
        yield "slip.turned-product", "", ast.BinOp(right, op, left)
        yield "slip.no-factor", _text(right), left
        yield "slip.no-factor", _text(left), right
    elif isinstance(op, ast.Pow):
        yield "slip.no-power", "", left
        yield "slip.other-power", "", ast.BinOp(node, ast.Mult(), left)
        yield "slip.absolute", "", ast.Call(ast.Name("abs", ast.Load()), [left], [])
        yield "slip.power-as-factor", "", ast.BinOp(left, ast.Mult(), right)


def _chain(node: ast.expr, plain: type, turned: type) -> list[tuple[ast.expr, bool]]:
    """Return the factors of a product, or the terms of a sum, each with whether it is divided by,
    or taken away.
    """
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (plain, turned)):
        return [(node, False)]
    flip = isinstance(node.op, turned)
    right = [(part, down != flip) for part, down in _chain(node.right, plain, turned)]
    return _chain(node.left, plain, turned) + right


def _of_chain(
    parts: Sequence[tuple[ast.expr, bool]],
    plain: ast.operator,
    turned: ast.operator,
    ideas: Sequence[str],
) -> Iterator[Change]:
    """Yield a product or a sum without one part, with one twice, with one turned round, with two of
    them in each other's place.
    """
    joined = partial(_joined, plain, turned)
    lost, twice, turned_down, turned_up, exchanged = ideas
    # what is divided by or taken away first: `a + b` for `a - b` is no `-a - b`
    for k, (part, down) in sorted(enumerate(parts), key=lambda each: not each[1][1]):
        others = [*parts[:k], *parts[k + 1 :]]
        yield lost + ".below" * down, _text(part), joined(others)
        yield twice + ".below" * down, _text(part), joined([*parts, (part, down)])
        idea = turned_up if down else turned_down
        yield idea, _text(part), joined([*parts[:k], (part, not down), *parts[k + 1 :]])
    if {down for _, down in parts} == {False, True}:
        yield exchanged, "", joined([(part, not down) for part, down in parts])
        for k, (one, up) in enumerate(parts):
            for j, (other, down) in enumerate(parts[:k]):
                if up != down:
                    both = {k: (one, not up), j: (other, not down)}
                    yield exchanged, "", joined([both.get(i, p) for i, p in enumerate(parts)])


def _joined(
    plain: ast.operator, turned: ast.operator, parts: Sequence[tuple[ast.expr, bool]]
) -> ast.expr:
    """Return the product or the sum of such factors or terms."""
    upper = [part for part, down in parts if not down]
    whole: ast.expr = upper[0] if upper else ast.Constant(float(isinstance(plain, ast.Mult)))
    for part in upper[1:]:
        whole = ast.BinOp(whole, plain, part)
    for part in [part for part, down in parts if down]:
        whole = ast.BinOp(whole, turned, part)
    return whole


def _sums(node: ast.AST) -> Iterator[Change]:
    """Yield a sum in which the factor of one term stands at another one, or at all of them."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, SUMS):
        return
    total = partial(_joined, ast.Add(), ast.Sub())
    terms = _chain(node, ast.Add, ast.Sub)
    for k, (term, down) in enumerate(terms):
        factors = _chain(term, ast.Mult, ast.Div)
        for factor, below in factors if len(factors) > 1 else ():
            rest = [each for each in factors if each[0] is not factor]
            without = [*terms]
            without[k] = _joined(ast.Mult(), ast.Div(), rest), down
            op = ast.Div() if below else ast.Mult()
            for j, (other, sign) in enumerate(terms):
                if j != k:
                    moved = [*without]
                    moved[j] = ast.BinOp(other, op, factor), sign
                    yield "slip.other-term", _text(factor), total(moved)
            yield "slip.on-all", _text(factor), ast.BinOp(total(without), op, factor)


def _retyped(program: str, blanks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield the program with another sign typed in one place, with its idea."""
    text = program.encode()
    for match in re.finditer(rb"(?<= )[-+*/](?= )", text):
        if any(first <= match.start() < last for first, last in blanks):
            for sign, idea in SIGNS[match[0].decode()].items():
                yield idea, (text[: match.start()] + sign.encode() + text[match.end() :]).decode()


def _unbracketed(program: str, blanks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield the program without one pair of parentheses that only holds a term together."""
    text, open_ones = program.encode(), list[int]()
    for end, byte in enumerate(text):
        if byte == ord("("):
            open_ones.append(end)
        elif byte == ord(")") and open_ones:
            start = open_ones.pop()
            holds = re.search(rb"(?:[-+*/@=(,]|return)\s*$", text[:start])
            if holds and any(first <= start and end < last for first, last in blanks):
                bare = text[:start] + text[start + 1 : end] + text[end + 1 :]
                yield "slip.brackets", bare.decode()


def _calls(node: ast.AST) -> Iterator[Change]:
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Name) and node.func.id == "range" and len(node.args) == 1:
        for idea, op in (("slip.turn-less", ast.Sub()), ("slip.turn-more", ast.Add())):
            new = copy.copy(node)
            new.args = [ast.BinOp(node.args[0], op, ast.Constant(1))]
            yield idea, "", new
        return
    name = getattr(node.func, "attr", "")
    of_library = isinstance(getattr(node.func, "value", None), ast.Name) and (
        ast.unparse(node.func.value) in ("np", "tf")  # type: ignore[attr-defined]
    )
    if name and of_library and node.args:
        yield "slip.uncalled", ast.unparse(node.func), node.args[0]
    for turned in ("radians", "degrees") if name in ANGLES else ():
        angle = ast.Call(ast.parse(f"np.{turned}", mode="eval").body, node.args, [])
        yield "slip.degrees", ast.unparse(node.func), ast.Call(node.func, [angle], node.keywords)
    for twins in TWINS:
        for other in twins if name in twins else ():
            if other != name:
                func = copy.copy(node.func)
                func.attr = other  # type: ignore[attr-defined]
                yield "slip.function", ast.unparse(func), ast.Call(func, node.args, node.keywords)
    if len(node.args) == 2 and not any(isinstance(a, ast.Starred) for a in node.args):
        yield (
            "slip.exchanged",
            ast.unparse(node.func),
            ast.Call(node.func, node.args[::-1], node.keywords),
        )
    if node.keywords and name:
        for k in range(len(node.keywords)):
            new = copy.copy(node)
            new.keywords = node.keywords[:k] + node.keywords[k + 1 :]
            yield "slip.no-keyword", node.keywords[k].arg or "", new
    if len(node.args) == 1 and isinstance(node.args[0], ast.BinOp):
        inner = node.args[0]
        if isinstance(inner.op, ast.Pow):  # the square of a mean for a mean of squares
            new = ast.BinOp(ast.Call(node.func, [inner.left], node.keywords), inner.op, inner.right)
            yield "slip.later", "", new


def _statements(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "slip.not-done", ast.unparse(node.value.func), ast.Pass()
    if isinstance(node, ast.AugAssign):
        yield "slip.overwritten", ast.unparse(node.target), ast.Assign([node.target], node.value)
        for op in (ast.Add(), ast.Sub()):
            yield "slip.plus", "", ast.AugAssign(node.target, op, node.value)
    if isinstance(node, ast.If):
        yield "slip.branch", "", ast.If(ast.Constant(True), node.body, [])
        yield "slip.branch", "", ast.If(ast.Constant(False), node.body, node.orelse)
        yield "slip.branches", "", ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    if isinstance(node, ast.For):
        yield "slip.one-turn", "", ast.For(node.target, node.iter, [*node.body, ast.Break()], [])


def _arrays(node: ast.AST) -> Iterator[Change]:
    """Yield an array or its size, taken otherwise."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield "slip.not-transposed", "", node.value
    if isinstance(node, ast.Attribute) and node.attr == "size":
        for axis in (0, 1):
            shape = ast.Attribute(node.value, "shape", ast.Load())
            yield "slip.one-axis", "", ast.Subscript(shape, ast.Constant(axis), ast.Load())
    if isinstance(node, ast.Subscript) and _is_name(node.slice) and _is_read(node):
        for op in (ast.Add(), ast.Sub()):
            place = ast.BinOp(node.slice, op, ast.Constant(1))
            yield (
                "slip.neighbour",
                ast.unparse(node.value),
                ast.Subscript(node.value, place, node.ctx),
            )
    if isinstance(node, ast.Name) and _is_read(node):
        backwards = ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1)))
        yield "slip.backwards", node.id, ast.Subscript(node, backwards, node.ctx)
        yield "slip.root", node.id, ast.BinOp(node, ast.Pow(), ast.Constant(0.5))


def _leaves(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, (ast.BinOp, ast.Name)) and _is_read(node):
        one, two = ast.Constant(1), ast.Constant(2)
        yield "slip.doubled", "", ast.BinOp(node, ast.Mult(), two)
        yield "slip.halved", "", ast.BinOp(node, ast.Div(), two)
        yield "slip.squared", "", ast.BinOp(node, ast.Pow(), two)
        yield "slip.one-off", "", ast.BinOp(node, ast.Add(), one)
        yield "slip.one-off", "", ast.BinOp(node, ast.Sub(), one)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "slip.minus", "", node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for op in (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq):
            yield "slip.comparison", "", ast.Compare(node.left, [op()], node.comparators)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number: Any = node.value
        for value in (number + 1, number - 1, -number, number * 2, number / 2):
            if isinstance(number, float) or value == int(value):
                yield "slip.number", "", ast.Constant(type(number)(value))
    if isinstance(node, ast.Slice):
        for edges in ((node.upper, node.lower), (None, node.upper), (node.lower, None)):
            yield "slip.slice", "", ast.Slice(*edges, node.step)
    # what is reached before the last step
    if isinstance(node, ast.expr) and _is_read(node):
        for part in chain.from_iterable(ast.walk(child) for child in ast.iter_child_nodes(node)):
            if isinstance(part, (ast.BinOp, ast.Call, ast.Subscript)) and _is_read(part):
                yield "slip.half-way", "", part
