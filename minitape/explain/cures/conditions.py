"""The words of the conditions in the tables: what must be true of a match before a row is taken.

Each takes the match first. Some find something that the row then writes, and put it into a hole:
`shares(X)` puts the probabilities of X into S.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.engine.recording import describe
from minitape.program.names import assigned_names
from minitape.program.objects import class_name
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    call_name,
    inside,
    is_chain,
    names_used,
    parent,
    statement,
)

from ..case.definitions import definition, definitions
from ..reasons.namesakes import MASKS, called
from ..reasons.worth import rank_of, value_of, values_at
from .fitting import read_later
from .patterns import template
from .writing import own_loop

if TYPE_CHECKING:
    from ..case.aliases import Case, Node

# "x > 0", "-1 <= x <= 1"
DOMAIN = re.compile(r"(?:(?P<low>-?\d) <=? )?\b(?P<letter>[abx]) (?(low)<|>)=? (?P<end>-?\d)")

LISTS = (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)


class Match(NamedTuple):
    """A pattern that fits: on `node`, on the way from `focus`, with what is in its `holes`."""

    case: Case
    focus: Node
    node: Node
    params: dict[str, Any]
    holes: dict[str, Any]
    seen: list[Node]
    instead: list[Any]


def holds(condition: CodeType | None, match: Match) -> bool:
    """True where the condition of a row is; False too where it asks for what is not known."""
    if condition is None:
        return True
    words = {name: partial(word, match) for name, word in WORDS.items()}
    try:
        return bool(
            eval(condition, {**match.params, "params": match.params, **words, **match.holes})
        )
    except (TypeError, NameError, ValueError):
        return False


def is_whole(dtype: Node) -> bool:
    """True for a dtype of whole numbers, as the text names it."""
    return "int" in ast.unparse(dtype)


# ---- the text


def number(match: Match, node: Node) -> Any:
    """What is written down: a number, a text; or None."""
    try:
        return ast.literal_eval(node) if isinstance(node, (ast.Constant, ast.UnaryOp)) else None
    except ValueError:
        return None


def reads(match: Match, node: Node, held: Node) -> bool:
    kinds = ast.Name, ast.Attribute, ast.Subscript
    wanted = ast.unparse(held)
    return any(isinstance(n, kinds) and ast.unparse(n) == wanted for n in ast.walk(node))


def varies(match: Match, function: Any) -> bool:
    """True for a name that is one function after the other: a parameter's, or a loop's."""
    around = parent(function) if isinstance(function, ast.Name) else None
    while around is not None:
        given: list[Any] = [getattr(g, "target", None) for g in getattr(around, "generators", ())]
        given += [around.args] if isinstance(around, FUNCTIONS) else []
        given += [around.target] if isinstance(around, (ast.For, ast.AsyncFor)) else []
        names = {getattr(n, "id", getattr(n, "arg", "")) for g in given for n in ast.walk(g)}
        if function.id in names:
            return True
        around = parent(around)
    return False


def pairs(match: Match, node: Any) -> bool:
    kinds = ast.List, ast.Tuple
    return isinstance(node, kinds) and all(isinstance(each, kinds) for each in node.elts)


def text(match: Match | None, node: Any) -> bool:
    """True for a text that is made of something: `f"{x}"`, `"%.2f" % x`, `"{}".format(x)`."""
    left = node.left if isinstance(node, ast.BinOp) else node
    written = isinstance(left, ast.Constant) and isinstance(left.value, str)
    return written or isinstance(left, ast.JoinedStr) or call_name(node) == "format"


def rounded(match: Match, of: Node, decimals: Any) -> bool:
    """Q: the number as a text with some decimals, or `round`, leaves it."""
    digits = re.fullmatch(r"(?:%|{:)?(?:\.(\d)f|(\d+))}?", str(number(match, decimals)))
    scale = 10.0 ** int(digits[1] or digits[2]) if digits else 0.0
    match.holes["Q"] = template(f"tf.round(X * {scale}) / {scale}" if scale > 1 else "tf.round(X)")
    return digits is not None


def divided_by_sum(match: Match) -> bool:
    """R and K: how exponentials are summed that are divided by that sum, and no more."""
    names = assigned_names(match.focus)
    around = (
        [parent(n) for n in read_later(match.case, match.focus, names[0])]
        if len(names) == 1
        else []
    )
    sums: list[Any] = [call for call in around if call_name(call) == "reduce_sum"]
    over: list[Any] = [n for n in around if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
    if len(around) != 2 or len(sums) != 1 or len(over) != 1 or over[0].right is not sums[0]:
        return False
    match.holes.update(R=sums[0].args[1:], K=sums[0].keywords)
    return True


def unchosen(match: Match, operand: Node) -> bool:
    """C, S, D: the condition of a `where`, and an operand not chosen, made harmless."""
    select = match.case.node(match.params["select"])
    if call_name(select) != "where" or len(select.args) != 3:
        return False
    condition, *branches = select.args
    made_at = [
        each.lineno
        for name in names_used(condition)
        for each in definitions(name, match.case.program)
    ]
    own = assigned_names(match.focus)
    chosen, other = [
        inside(match.focus, b)
        or not call_name(b).endswith("_like")
        and not names_used(b).isdisjoint(own)
        for b in branches
    ]
    if chosen == other or any(line >= statement(match.focus).lineno for line in made_at):
        return False
    sides = [operand, ast.Constant(1.0)]
    match.holes.update(C=condition, S=sides[not chosen], D=sides[chosen])
    return True


# ---- the domain of an operation


def held(match: Match, **operand: Node) -> bool:
    """HELD: an operand kept where the operation is defined, as its facts tell, and a little away
    from the ends: clipped, or moved where none of its numbers lies within. False where all lie
    outside: what is clipped there has no slope.
    """
    ((letter, node),) = operand.items()
    facts = facts_of(match.params.get("op", ""))
    domain, own = DOMAIN.search(facts.domain), match.case.dialect.name(facts.called)
    names = "", own.rpartition(".")[2]  # in a function of another name it may be anywhere
    if domain is None or domain["letter"] != letter or call_name(match.node) not in names:
        return False
    end, value = float(domain["end"]), value_of(match.case, node)
    if value is None:
        value = (values_at(match.case, match.node) or [None, None])[letter == "b"]
    gap = 1e-6 * abs(end) or 1e-7  # more than rounding in float32
    low, high = (float(domain["low"]) + gap, end - gap) if domain["low"] else (end + gap, np.inf)
    clipped = (
        match.case.dialect.above.format(low=low)
        if high == np.inf
        else f"tf.clip_by_value(X, {low}, {high})"
    )
    if value is not None and not ((value > low) & (value < high)).any():
        if not ((np.abs(value) if domain["low"] else value) == end).all():
            return False
        clipped = f"X + {gap}" if high == np.inf else f"X * {high}"
    match.holes["HELD"] = template(clipped, X=node)
    return True


# ---- the call that asked


def named(match: Match) -> bool:
    """True where what was used instead has a name that can be asked for."""
    twin, variant = match.params.get("twin") or "", match.params.get("variant")
    living = variant != "again" or twin in [name for name, _ in match.case.evidence.names.values()]
    return twin.isidentifier() and variant != "rebound" and living


def of_gradient(match: Match, node: Node) -> bool:
    """True where the text tells that something is made of a gradient."""
    loop: Any = own_loop(node)
    texts: list[Any] = [node, *(n for n in ast.walk(node) if isinstance(n, ast.Name))]
    texts = [definition(match.case, each) for each in texts] + [getattr(loop, "iter", None)]
    return any("grad" in ast.unparse(each) for each in texts if each is not None)


def repeated(match: Match, leaf: Node) -> bool:
    """True where a loop or a function moves a leaf, and nothing else in the program reads or clears
    its gradient, nor asks for it.
    """
    own, asked = statement(match.node), match.case.call
    loop = own_loop(match.node) or above(match.node, FUNCTIONS)
    grad = f"{ast.unparse(leaf)}.grad"
    others = [n for n in match.node.file.each((ast.Attribute,), "grad") if not inside(n, own)]
    told = {ast.unparse(each) for each in getattr(asked, "args", ())}
    return (
        loop is not None and grad not in map(ast.unparse, others) and ast.unparse(leaf) not in told
    )


# ---- numbers of the run


def rank(match: Match, node: Node) -> int | None:
    result, held = rank_of(match.case, node), describe(match.case.held(node))
    if result is None and held is not None and held.value.dtype.kind == "f":
        return len(held.shape)
    call: Any = match.focus
    taken = [*getattr(call, "args", ()), getattr(getattr(call, "func", None), "value", None)]
    ran = values_at(match.case, call) if result is None and node in taken else []
    return ran[0].ndim if ran and ran[0] is not None else result


def vectors(match: Match, a: Node, b: Node) -> bool:
    """V and W: both with one axis."""
    for hole, node in zip("VW", (a, b)):
        rank = rank_of(match.case, node)
        made = "[X]" if rank == 0 else "X" if rank == 1 else "tf.reshape(X, [-1])"
        match.holes[hole] = template(made, X=node)
    return True


def wide(match: Match, node: Node) -> bool:
    """True for an array of NumPy's own dtype: put first, it decides about the others."""
    value = value_of(match.case, node)
    return value is not None and value.dtype == np.float64


def mask(match: Match, node: Node) -> bool:
    if isinstance(node, ast.Compare) or called(match.case, node) in MASKS:
        return True
    value = value_of(match.case, node)
    return value is not None and value.dtype.kind == "b"


def last_axis(match: Match, of: Node, axis: Node) -> bool:
    many, place = rank(match, of), number(match, axis)
    return place == -1 or many is not None and place == many - 1


def rows_of(match: Match, table: Node) -> bool:
    """Q and M: a table of floating-point numbers, and how many rows it has."""
    held = value_of(match.case, table)
    cast = held is not None and held.dtype.kind in "iub"
    match.holes["Q"] = template("tf.cast(P, tf.float32)" if cast else "P", P=table)
    if is_chain(table):
        match.holes["M"] = template("P.shape[0]", P=table)
    return True


def many(match: Match, count: Node) -> bool:
    """M: how many places there are."""
    match.holes["M"] = count
    return True


def places(match: Match, of: Node = None) -> bool:
    """N: how many places a step chooses from."""
    of = of or match.holes["CHOSEN"].holes["X"]
    arrays = values_at(match.case, match.focus)
    known = arrays and arrays[0] is not None and arrays[0].ndim
    match.holes["N"] = template(
        "X.shape[-1]" if is_chain(of) else str(arrays[0].shape[-1] if known else "UNKNOWN"), X=of
    )
    return True


WORDS: dict[str, Callable[..., Any]] = {
    word.__name__: word
    for word in (
        *(
            number,
            reads,
            varies,
            pairs,
            text,
            rounded,
            divided_by_sum,
            unchosen,
            held,
            named,
            of_gradient,
            rank,
            repeated,
            vectors,
        ),
        *(wide, mask, last_axis, rows_of, many, places),
    )
} | {
    # the text
    "plain": lambda match, node: not any(isinstance(n, ast.Call) for n in ast.walk(node)),
    "chain": lambda match, node: is_chain(node),
    "read": lambda match, *nodes: any(map(names_used, nodes)),
    "last": lambda match, node: ast.unparse(node).rpartition(".")[2].strip("'"),
    "whole": lambda match, dtype: is_whole(dtype),
    "kind": lambda match, node: class_name(match.case.held(node)),
    "made": lambda match, function: call_name(definition(match.case, function)),
    "assigned": lambda match: isinstance(parent(match.focus), ast.Assign),
    # where the value is used as only a whole number can be
    "index": lambda match, *others: (
        call_name(parent(match.focus)) in (*match.case.dialect.groups["INDEX"], *others)
    ),
    "arrays": lambda match, *nodes: not any(isinstance(n, LISTS) for n in nodes),
    "listed": lambda match, node: (
        isinstance(of := definition(match.case, node), LISTS)
        or call_name(of) in ("list", "tuple", "sorted")
    ),
    "length": lambda match, node: (
        len(node.elts) if isinstance(node, (ast.List, ast.Tuple)) else None
    ),
    # the call that asked, and the test of a branch: that of a tensor, as a plain flag stays a flag
    "asked": lambda match, node: (
        ast.unparse(node) == ast.unparse(match.case.sources_node or ast.Name(""))
    ),
    "of_one": lambda match: match.case.many is None,
    "tested": lambda match, test: any(
        inside(match.case.node(e.where), test)
        for e in match.case.evidence.of("escape")
        if e.about["how"] == "bool"
    ),
    # the numbers of the run
    "ranks": lambda match, node: (
        {rank_of(match.case, each) for each in getattr(node, "elts", ())} or {None}
    ),
    "deep": lambda match, *nodes: all((rank_of(match.case, n) or 0) > 1 for n in nodes),
    "flat": lambda match, *nodes: {1} <= {rank_of(match.case, n) for n in nodes} <= {1, 2},
}
