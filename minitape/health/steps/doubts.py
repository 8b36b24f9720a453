"""What may be meant, and may be why a training does not learn: a target network that is the network
itself, the same batch at each step, a label that is made of the prediction.

The text shows it; the program's names, while it runs, say whether it is so.
"""

from __future__ import annotations

import ast
import re
from contextvars import Context
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Number, Where
from minitape.engine.recording import TensorInfo, describe
from minitape.explain.case.definitions import definitions
from minitape.program import Text
from minitape.program.aliases import Node
from minitape.program.objects import elements, listed_by, of_library
from minitape.program.places import span_of
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    alike,
    inside,
    is_chain,
    last_name,
    names_used,
    parent,
    statement,
    text_of,
)

from ..seen.history import History, Reason
from .mended import copied
from .unmoved import held, named

TARGET = re.compile(
    r"(?:^|_)(?:target|teacher|old|slow|ema|average|ref|reference|prev|previous|backup)(?:$|_)"
)
# what has no slope, or counts: what it makes of a prediction is a decision
DECIDES = re.compile(
    r"^(?:argmax|argmin|round|rint|floor|ceil|sign|greater|less|greater_equal|less_equal|equal|heaviside)$"
)
DRAWS = re.compile(r"\b(?:random|rng|uniform|bernoulli|binomial|categorical)\b")
LOSS = re.compile(
    r"loss|entropy|mse|mae|error|huber|difference|divergence|criterion", re.IGNORECASE
)


def same_network(history: History, scopes: list[dict[str, Any]]) -> Reason | None:
    """Two names for one network or one list of weights, of which one says that it is another."""
    trained = {number for number, weight in history.weights.items() if weight.asked}
    known = ((name, _numbers(value)) for name, value in named(scopes))
    holders = {name: numbers for name, numbers in known if numbers & trained}
    for name, numbers in holders.items():
        twins = [n for n in holders if not _target(n) and holders[n] & numbers]
        if not _target(name) or not twins:
            continue
        program = Text()
        program.load([history.program.asked])
        made = definitions(name, program) or definitions(f"self.{last(name)}", program)
        twin = next((n for n in twins if made and n == text_of(made[-1])), twins[0])
        where = span_of(statement(made[-1])) if made else history.program.loss
        code = " ".join(text_of(statement(made[-1])).split()) if made else name
        write = copied(statement(made[-1])) if made else ""
        return Reason(
            "same_network", where, {"name": name, "other": twin, "code": code, "write": write}
        )
    return None


def last(name: str) -> str:
    """Return the last word of a name with dots."""
    return name.rpartition(".")[2]


def _target(name: str) -> bool:
    return bool(TARGET.search(last(name).lower()))


def _parts(value: Any) -> list[Any]:
    return [*(elements(value, 64) or ()), *listed_by(value, "weights")]


def _numbers(value: Any) -> set[Number]:
    """Return the numbers of the variables that a value is, lists, or has as a model."""
    infos = [
        info
        for each in [value, *_parts(value)]
        if (info := describe(each)) is not None and info.is_variable
    ]
    return {info.id for info in infos}


def made_anew(asked: Where | None) -> Reason | None:
    """A network that is made in the function or the loop that asks for its gradients."""
    program = Text()
    call = program.node(asked)
    asks = call.args[1] if isinstance(call, ast.Call) and len(call.args) > 1 else None
    if not isinstance(asks, ast.Attribute) or not is_chain(asks):
        return None
    around = above(call, (ast.For, ast.While, *FUNCTIONS))
    network = text_of(asks.value)
    for made in definitions(network, program):
        if isinstance(made, ast.Call) and around is not None and inside(made, around):
            params = {"name": network, "code": text_of(statement(made))}
            return Reason("made_anew", span_of(statement(made)), params)
    return None


# ---- data


def same_batch(history: History, scopes: list[dict[str, Any]]) -> Reason | None:
    """The same numbers go into the first layer at each step, and the text takes them from more."""
    first, *others = history.data.batches or [[]]
    if not first or len(others) < 3 or any(other != first for other in others):
        return None
    program = Text()
    program.load([history.program.asked])
    loop = _loop(program, program.node(history.program.asked))
    for call in program.each((ast.Call,), "next", "take"):
        source = _taken(call)
        if source is None or not _several(held(source, scopes)):
            continue
        stmt = statement(call)
        given = [held(n, scopes) for n in ast.walk(stmt) if isinstance(n, ast.Name)]
        parts = [part for value in given for part in [value, *(elements(value, 8) or ())]]
        if any(_length(part) == history.data.examples for part in parts):
            inner = above(call, (ast.For, ast.While)) is not None
            params = {"code": text_of(call), "data": text_of(source), "each": int(inner)}
            return Reason("same_batch", span_of(call), params)
    for stmt in program.each((ast.Assign,)) if loop is not None else ():
        if inside(stmt, loop) and stmt is not loop and _constant_slice(stmt.value):
            parts = getattr(stmt.value, "elts", [stmt.value])
            if min(_length(held(part.value, scopes)) for part in parts) > history.data.examples:
                code = text_of(stmt.value)
                params = {"code": code, "data": code, "each": 1}
                return Reason("same_batch", span_of(stmt), params)
    return None


def _taken(call: Node) -> Node:
    """Return the data set of `next(iter(data))` and `data.take(1)`, or None."""
    if isinstance(call.func, ast.Name) and call.func.id == "next" and call.args:
        made = call.args[0]
        if isinstance(made, ast.Call) and last_name(made.func) == "iter" and made.args:
            return made.args[0]
    one = call.args[0] if call.args else None
    if last_name(call.func) == "take" and isinstance(one, ast.Constant) and one.value == 1:
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    return None


def _several(data: Any) -> bool:
    """Return whether a data set of the library's has more than one batch."""
    if not of_library(data) or not hasattr(data, "cardinality"):
        return False
    return Context().run(lambda: int(data.cardinality())) not in (0, 1)  # no tape hears it


def _loop(program: Text, node: Node) -> Node:
    """Return the loop that a call stands in, or its function is called in, or None."""
    for _ in range(4):
        loop = above(node, (ast.For, ast.While), stop=FUNCTIONS) if node is not None else None
        function = above(node, FUNCTIONS) if node is not None else None
        if loop is not None or function is None:
            return loop
        calls = program.each((ast.Call,), getattr(function, "name", ""))
        node = next((c for c in calls if last_name(c.func) == function.name), None)
    return None


def _constant_slice(value: Node) -> bool:
    """Return True for `x[:32]`, `x[0:32], y[0:32]`: numbers alone say which rows."""
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return bool(parts) and all(
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Slice)
        and part.slice.upper is not None
        and not names_used(part.slice)
        for part in parts
    )


def _length(value: Any) -> int:
    """Return how many examples an array or a tensor holds; 0 for anything else."""
    shape = value.shape if isinstance(value, np.ndarray) else getattr(describe(value), "shape", ())
    return shape[0] if shape else 0


# ---- labels


def own_label(where: Where | None) -> Reason | None:
    """A label that a decision about the prediction has made: it agrees whatever is predicted."""
    program = Text()
    node = program.node_around(where)
    if node is None:
        return None
    whole = statement(node)
    for compared in ast.walk(whole):
        if isinstance(compared, ast.BinOp) and isinstance(compared.op, ast.Sub):
            sides = [compared.left, compared.right]
        elif isinstance(compared, ast.Call) and LOSS.search(last_name(compared.func)):
            sides = [*compared.args, *(k.value for k in compared.keywords)]
        else:
            continue
        held_still = above(compared, ast.Call, stop=ast.stmt)
        if held_still is not None and last_name(held_still.func) == "stop_gradient":
            continue  # a straight-through estimator
        for label in sides:
            for other in sides:
                if label is not other and (made := _decided(program, label, other)) is not None:
                    params = {
                        "label": text_of(label),
                        "code": text_of(made),
                        "other": text_of(other),
                    }
                    return Reason("own_label", span_of(statement(made)), params)
    return None


def _decided(program: Text, label: Node, prediction: Node) -> Node:
    """Return the decision about a prediction that a label is, or None."""
    if not is_chain(prediction):
        return None
    level = [label]
    seen: set[str] = set()
    for _ in range(3):
        further: list[Node] = []
        for each in level:
            decisions = (
                n
                for n in ast.walk(each)
                if isinstance(n, ast.Compare)
                or isinstance(n, ast.Call)
                and DECIDES.search(last_name(n.func))
            )
            if any(
                _works_on(decision, prediction) and not _draws(program, decision)
                for decision in decisions
            ):
                return each
            for name in names_used(each) - seen:
                seen.add(name)
                further += definitions(name, program)
        level = further
    return None


def _draws(program: Text, decision: Node) -> bool:
    """True for a decision by lot, as an action is drawn: it does not agree with every prediction."""
    given = [d for name in names_used(decision) for d in definitions(name, program)]
    return any(
        isinstance(n, ast.Call) and DRAWS.search(text_of(n.func))
        for each in [decision, *given]
        for n in ast.walk(each)
    )


def _works_on(node: Node, value: Node) -> bool:
    """True where a value itself stands in an expression, not only its shape or dtype."""
    return any(
        is_chain(n) and alike(n, value) and not isinstance(parent(n), ast.Attribute)
        for n in ast.walk(node)
    )


# ---- weights


def left_alone(
    history: History, scopes: list[dict[str, Any]], used: dict[Number, Any]
) -> dict[Number, tuple[str, TensorInfo]]:
    """Return the variables that the loss uses, of a network or beside weights that are trained,
    whose gradient nobody has asked for yet, {number: (name, content)}.
    """
    trained = {number for number, weight in history.weights.items() if weight.asked}
    result: dict[Number, tuple[str, TensorInfo]] = {}
    for name, value in named(scopes):
        numbers = _numbers(value) - trained
        alone = describe(value) is not None  # a variable of one's own, beside others
        if _target(name) or numbers == _numbers(value) and not alone:
            continue
        for k, each in enumerate([value] if alone else _parts(value)):
            info = describe(each)
            if info is None or info.id not in numbers & used.keys() or info.value.dtype.kind != "f":
                continue
            if alone and info.path:
                continue
            if getattr(each, "trainable", True) and info.trainable:
                result.setdefault(info.id, (name if alone else f"{name}.weights[{k}]", info))
    return result


def questions(history: History, scopes: list[dict[str, Any]]) -> list[Reason]:
    """Return what may be meant, as far as the program's names tell."""
    result = [same_network(history, scopes), same_batch(history, scopes)]
    return [reason for reason in result if reason is not None]
