"""Values from an earlier tape: the hidden state of the last step, a running sum, a result of
another tape's block.

A tensor's number shows that it was made while an earlier tape recorded. Often the tensor no longer
exists when the question is asked; then the text shows its name, from where it is used, and where in
an earlier block that name got its value.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from minitape.program.names import assigned_names
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    is_play,
    parent,
    statement,
    text_of,
    words_of,
    worked_on,
)

from ..case.aliases import Case, Flow, Node
from ..case.definitions import arguments_for, calls_of, tape_block
from ..case.graph import LEAP, Break, Edge
from .escapes import operand_of

NAMES = (ast.Name, ast.Attribute, ast.Subscript)


def edges(case: Case, gone: Collection[int]) -> Iterator[Edge]:
    """Return edges from the source to tensors that are `gone`, were made from it in an earlier
    tape's block, and are used in this one.
    """
    gone = {number for number in gone if case.tape.of_earlier_tape(number)}
    reported: set[int] = set()
    for ran in case.evidence.ran if gone else ():
        for place, number in enumerate(ran.inputs):
            node = case.node(ran.where) if number in gone - reported else None
            if node is None or is_play(node):  # whose text does not name what a rule works with
                continue
            flow, exact = (
                case.source_flow(made_in_literal=True),
                operand_of(node, place, len(ran.inputs)),
            )
            for operand in [exact] if exact is not None else worked_on(node):
                made = (
                    _made(case, flow, operand, 3)
                    if isinstance(operand, NAMES) and flow.reaches(operand)
                    else None
                )
                if made is not None:
                    reported.add(number)
                    yield Edge(
                        case.source.id,
                        number,
                        made,
                        why(case, number, made, text_of(operand)),
                        LEAP,
                    )
                    break


def why(case: Case, number: int, node: Node, name: str = "") -> Break:
    """Return the break for a tensor that was made at a place of an earlier block; a function that
    returns it is spoken of as its call.
    """
    if (lost := case.tape.lost(number)) is not None:
        return lost
    while isinstance(statement(node), ast.Return):
        calls = calls_of(case, above(node, FUNCTIONS))
        calls = [call for call in calls if _in_a_block(case, call, 3)] or calls
        if len(calls) != 1:
            break
        node = calls[0]
    params = {"name": case.label(number) or name, "made": case.text(node)}
    once = made_once(node)
    return Break("computed-before" if once else "carried-over", node, params={**params, **once})


def made_once(node: Node) -> dict[str, str]:
    """Return the words for a line of a method that runs once and keeps what it gives: in `build`, or
    where it is not there yet; or nothing.
    """
    stmt, method = statement(node), above(node, FUNCTIONS)
    kept = isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Attribute)
    if not kept or not isinstance(parent(method), ast.ClassDef):
        return {}
    name, test = (
        text_of(stmt.targets[0]),
        getattr(above(stmt, ast.If, stop=FUNCTIONS), "test", None),
    )
    if method.name == "build":
        return {"variant": "once", "name": name}
    if test is not None and name.rpartition(".")[2] in text_of(test):
        return {"variant": "cached", "name": name, "test": text_of(test)}
    return {}


def _made(case: Case, flow: Flow, operand: Node, depth: int) -> Node:
    """Return the expression of a block that gave a name its value, or None. A parameter got it
    where its function is called.
    """
    wanted = text_of(operand)
    for stmt in case.program.each(
        (ast.Assign, ast.AugAssign, ast.AnnAssign), *words_of(operand)[-1:]
    ):
        if stmt.value is not None:
            targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]
            names = {
                text_of(n)
                for t in targets
                for n in ([*t.elts] if isinstance(t, (ast.Tuple, ast.List)) else [t])
            }
            value = stmt if isinstance(stmt, ast.AugAssign) else stmt.value
            if (
                wanted in names
                and _in_a_block(case, stmt, 3)
                and (flow.reaches(stmt.value) or flow.enters(value))
            ):
                return value
    if isinstance(operand, ast.Name) and depth:
        for argument in arguments_for(case, operand):
            if isinstance(argument, NAMES) and flow.reaches(argument):
                result = _made(case, flow, argument, depth - 1)
                if result is not None:
                    return result
    return None


def _in_a_block(case: Case, node: Node, depth: int) -> bool:
    """True for what stands in the block of a tape, or in a function that is called there."""
    if tape_block(node) is not None:
        return True
    function = above(node, FUNCTIONS)
    return (
        function is not None
        and depth > 0
        and any(_in_a_block(case, call, depth - 1) for call in _runs(case, function))
    )


def _runs(case: Case, function: Node) -> list[Node]:
    """Return the calls that run a function; a generator runs where it is asked for the next value:
    `next(g)`, `g.send(x)`.
    """
    calls = calls_of(case, function)
    if any(isinstance(n, ast.Yield) for n in ast.walk(function)):
        names = {name for call in calls for name in assigned_names(call)}
        asked = {f"{name}.send" for name in names} | {f"next({name})" for name in names}
        calls += [
            n
            for n in case.program.each((ast.Call,), "send", "next")
            if not asked.isdisjoint((text_of(n.func), text_of(n)))
        ]
    return calls
