"""Why weights stay as they are though they have gradients: the step goes to a copy or to a new name,
its rate is 0, or nobody takes it.

Asked while the training runs, where the program's names can be looked up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from operator import add, floordiv, mul, sub, truediv
from types import FrameType
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Number, Where
from minitape.engine.base.where import is_inside
from minitape.engine.recording import TensorInfo, describe
from minitape.explain.case.definitions import definitions
from minitape.program import Text, reachable
from minitape.program.aliases import Node
from minitape.program.objects import attributes, has, is_built_in, listed_by, of_library
from minitape.program.places import span_of
from minitape.program.syntax import FUNCTIONS, is_chain, last_name, statement, text_of, words_of
from minitape.program.visible import names_of

from ..seen.history import History, Reason, WeightHistory
from ..seen.sizes import cosine
from . import mended
from .applied import Applied, applied, whole_numbers

MOST = 64  # attributes of an object
SETS = ("set_weights", "load_weights", "assign", "set_value")  # methods that give a content
RATES = ("_learning_rate", "_rate", "learning_rate", "lr")  # as optimizers call it


ARITHMETIC = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.FloorDiv: floordiv}
DIVIDE = (ast.Div, ast.FloorDiv)
RATE = re.compile(r"^(?:learning_?rate|rate|lr|eta|alpha|step_size)$", re.IGNORECASE)


def scopes_of(frame: FrameType | None) -> list[dict[str, Any]]:
    """Return the names of a frame, of those that called it, and of its module."""
    result: list[dict[str, Any]] = []
    module = frame.f_globals if frame is not None else {}
    while frame is not None and frame.f_code.co_name != "<module>":
        if not is_inside(frame.f_code.co_filename):
            result.append(names_of(frame))
        frame = frame.f_back
    return [*result, module, *([frame.f_globals] if frame is not None else [])]


def named(scopes: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The names of a program with what they hold, those in the learner's own objects as well."""
    met: set[str] = set()
    for names in scopes:
        for name, value in list(names.items()):
            if name in met or name.startswith("_"):
                continue
            met.add(name)
            yield name, value
            if not (is_built_in(value) or of_library(value) or isinstance(value, type)):
                for key, inner in list(attributes(value).items())[:MOST]:
                    if not str(key).startswith("_"):
                        yield f"{name}.{key}", inner


def held(node: Node, scopes: list[dict[str, Any]]) -> Any:
    """Return what a name, or an attribute, holds; None where that is not known."""
    if not is_chain(node) or isinstance(node, ast.Subscript):
        return None
    first, *further = words_of(node)
    value = next((names[first] for names in scopes if first in names), None)
    for name in further:
        value = attributes(value).get(name)
    return value


def strangers(
    scopes: list[dict[str, Any]], known: Mapping[Number, Any]
) -> dict[Number, tuple[str, TensorInfo]]:
    """Return {number: (name, content)} of the variables that a program reaches and does not ask
    about.
    """
    result = dict(reachable(scopes))
    for names in scopes:
        for name, value in list(names.items()):
            for k, variable in enumerate(listed_by(value, "weights")):
                info = describe(variable)
                if info is not None:
                    result.setdefault(info.id, (f"{name}.weights[{k}]", info))
    return {
        number: (name, info)
        for number, (name, info) in result.items()
        if info.is_variable and number not in known
    }


def unmoved(
    history: History, weights: list[WeightHistory], where: Where, scopes: Any
) -> Reason | None:
    """Return why some weights stay as they are whose gradients are asked for at a place; None where
    the text is not to be had.
    """
    program = Text()
    asked = program.node(where)
    if asked is None:
        return None
    used = applied(program, asked)
    if any(weight.idle for weight in weights):
        return no_rate(program, used, scopes) or put_back(program, weights)
    copy = _copied(history, weights, scopes)
    if copy is not None:
        write = mended.own_variables(used.node, asked, used.names)
        return copy._replace(params={**copy.params, "write": write})
    stmt: Node = statement(used.node) if used.kind == "renamed" else used.node
    trains = dict(_trains(scopes))
    write = ""
    if used.kind == "renamed":
        target = getattr(stmt, "target", None) or getattr(stmt, "targets", [None])[0]
        in_numpy = isinstance(held(target, scopes), np.ndarray)
        write = "" if in_numpy else mended.assigned(stmt, asked, used.names)
    elif used.kind == "never":
        rate = trains.get("rate", mended.RATE)
        given = describe(held(asked.args[1], scopes)) if len(asked.args) > 1 else None
        single = given is not None
        write = mended.taken(asked, trains.get("optimizer", ""), rate, single)
    else:
        write = mended.own_variables(used.node, asked, used.names)
    params = {"code": " ".join(text_of(stmt).split()), "meant": bool(trains), "write": write}
    return Reason(used.kind, span_of(used.node), params)


def pairs_of(where: Where | None) -> str:
    """Return the statement that gives gradients to variables, with those that they were asked for."""
    program = Text()
    asked = program.node(where)
    used = applied(program, asked) if asked is not None else None
    return "" if used is None else mended.own_variables(used.node, asked, used.names)


def _copied(history: History, weights: Any, scopes: Any) -> Reason | None:
    """The variable that goes the way of a weight that stays, if there is one."""
    before = history.program.strangers or {}
    history.program.strangers = strangers(scopes, history.weights)
    for weight in weights:
        gradient = weight.latest
        for number, (name, info) in history.program.strangers.items():
            old = before.get(number)
            if gradient is None or old is None or info.shape != weight.shape:
                continue
            way = cosine(np.asarray(info.value) - np.asarray(old[1].value), gradient)
            if way is not None and way < -0.3:
                return Reason("copied", info.assigned, {"other": name})
    return None


def put_back(program: Text, weights: list[WeightHistory]) -> Reason | None:
    """Where a weight was given its old content again behind the step, if it was."""
    for weight in weights:
        now = weight.content
        call = program.node_around(now.assigned)
        if now.value is not weight.start.value and last_name(getattr(call, "func", None)) in SETS:
            return Reason("put_back", now.assigned, {"code": text_of(call)})
    return None


def no_rate(program: Text, used: Applied, scopes: Any) -> Reason | None:
    """The rate that is 0, and where it gets so; None where it is not, or not known."""
    if used.kind != "applied":
        return None
    call: Any = used.node
    result: list[Any] = []
    owner = call.func.value
    kept = attributes(held(owner, scopes))
    rates = [kept[name] for name in RATES if name in kept]
    if rates:
        result = [owner, *_rates_given(program)]
        zero = any(_is_zero(rate) for rate in rates)
        unknown = not any(describe(rate) is not None for rate in rates)
    else:
        factors = list(_factors(call))
        result = [n for n in factors if number(n, scopes) == 0 or _is_zero(held(n, scopes))]
        zero = bool(result)
        result = result or [n for n in factors if isinstance(n, ast.Call)]
        unknown = bool(result) and not zero
    if not zero and not unknown:
        return None
    for node in result or [call]:
        for whole in whole_numbers(program, node):
            if number(whole, scopes):
                continue  # that is none
            params = {"code": text_of(whole), "whole": True, "write": mended.divided(whole)}
            return Reason("rate", span_of(whole), params)
    if not zero:
        return None
    zeros = [node for node in result[1:] if rates and mended.with_rate(node)]
    origin = zeros[0] if zeros else _origin(program, result[0]) if result else call
    params = {"code": text_of(origin), "write": mended.with_rate(origin)}
    return Reason("rate", span_of(origin), params)


def number(node: Any, scopes: list[dict[str, Any]]) -> float | None:
    """Return what a formula of numbers comes to, None where that is not known."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        left, right = number(node.left, scopes), number(node.right, scopes)
        known = (
            left is not None and right is not None and (right or not isinstance(node.op, DIVIDE))
        )
        return ARITHMETIC[type(node.op)](left, right) if known else None
    if isinstance(node, ast.Call) and last_name(node.func) == "len" and node.args:
        value = held(node.args[0], scopes)
        return len(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    value = node.value if isinstance(node, ast.Constant) else held(node, scopes)
    return value if isinstance(value, (int, float)) else None


def _factors(call: Node) -> Iterator[Node]:
    """What is multiplied, or divided, in the arguments of a call."""
    for node in ast.walk(call):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
            yield from (node.left, node.right)


def _rates_given(program: Text) -> list[Node]:
    """Return what a program assigns to the rate of an optimizer that is there already."""
    given: list[Node] = []
    for node in program.each((ast.Assign, ast.Call), "learning_rate", "lr"):
        cell: Any = node.targets[0] if isinstance(node, ast.Assign) else node.func
        if isinstance(node, ast.Call) and last_name(cell) == "assign":
            cell = cell.value
        if isinstance(cell, ast.Attribute) and cell.attr in RATES:
            given.append(node)
    return given


def _origin(program: Text, node: Node) -> Node:
    """Return the piece of text that gave a name its value, through other names."""
    seen: set[str] = set()
    while isinstance(node, (ast.Name, ast.Attribute)) and text_of(node) not in seen:
        seen.add(text_of(node))
        given = definitions(text_of(node), program) or _defaults(program, text_of(node))
        if not given:
            break
        node = given[-1]
        if isinstance(node, ast.Call):  # an optimizer, with its rate
            arguments = [k.value for k in node.keywords if k.arg in RATES] or node.args[:1]
            if arguments and isinstance(arguments[0], (ast.Name, ast.Attribute)):
                node = arguments[0]
    return node


def _defaults(program: Text, name: str) -> list[Node]:
    """Return what functions take for a parameter that is not given."""
    return [
        default
        for function in program.each(FUNCTIONS, name)
        for parameter, default in zip(
            reversed(function.args.args), reversed(function.args.defaults)
        )
        if parameter.arg == name
    ]


def _is_zero(value: Any) -> bool:
    info = describe(value)
    if info is not None:
        return bool(info.value.size) and not np.any(info.value)
    return isinstance(value, (int, float, np.ndarray, np.generic)) and not np.any(value)


def _trains(scopes: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """How a program calls its optimizer, and its learning rate: one of them says that it means to
    train.
    """
    for name, value in named(scopes):
        if has(value, "apply_gradients"):
            yield "optimizer", name
        elif RATE.search(name.rpartition(".")[2]) and isinstance(value, (int, float)):
            yield "rate", name
