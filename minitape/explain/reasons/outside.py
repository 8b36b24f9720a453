"""Values computed while the tape was not recording: before the block, after it, or while recording
was stopped; and second derivatives.

Numbers come from one counter, so a tensor's number shows when it was made. The program's text shows
that it was made *from the source*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from typing import Any

from minitape.program.names import assigned_names
from minitape.program.objects import owns
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    inside,
    is_play,
    last_name,
    names_used,
    parent,
    short,
    statement,
    text_of,
    words_of,
)

from ..case.aliases import Case, Graph, Node, TensorInfo
from ..case.definitions import definition, definitions, makes_variable, replaced_name, tape_block
from ..case.graph import LEAP, Break, Edge
from ..case.words import word
from . import carried
from .escapes import entrances, is_predict
from .namesakes import PREDICTS

ASSIGNMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)
CATEGORY = {
    "before": "computed-before",
    "after": "computed-after",
    "stopped": "recording-stopped",
    "between": "computed-before",
    "reset": "tape-reset",
}


def edges(case: Case) -> Iterator[Edge]:
    """Return edges from the source to what was computed from it beside the tape."""
    evidence, source = case.evidence, case.source
    leaves = _leaves(case)
    for target in case.targets:
        made_after = not target.is_variable or evidence.when(target.id) == "after"
        if target.id not in evidence.maker and target.id != source.id and made_after:
            leaves.add(target.id)
    result = {t.id: t for t in case.targets if t.id in leaves}
    result.update(evidence.live(leaves - set(result)))
    flow = None
    for number, tensor in sorted(result.items()):
        node = case.node(tensor.where)
        when = evidence.when(number)
        if (
            node is None
            or number < source.id
            and not source.is_variable
            or when == "inside"
            and not is_play(node)
        ):
            continue
        if flow is None:
            flow, calls = case.source_flow(made_in_literal=True), case.calls_of_owner()
            owned = case.flow(*calls) if calls else None
        of_owner = owned is not None and number > source.id and owned.reaches(node)
        if not of_owner and (node in flow.starts or not (flow.reaches(node) or flow.enters(node))):
            continue
        why = _why(case, number, tensor, node, when)
        yield Edge(
            source.id,
            number,
            tensor.where,
            why._replace(certain=of_owner or not case.in_literal()),
            LEAP,
        )
        beside = case.objects_named(node) if when in ("after", "stopped", "between") else ()
        for middle in (n for n in beside if n in evidence.maker):
            yield Edge(
                middle, number, tensor.where, _why(case, number, tensor, node, when), "outside"
            )
    yield from carried.edges(case, leaves - set(result))


def _leaves(case: Case) -> set[int]:
    """Return the numbers of what came into the recording as tensors, but for the source."""
    evidence, watched = case.evidence, case.tape.leaves
    used = evidence.leaves - {case.source.id}
    return (used & watched).difference(evidence.variables()) | evidence.made_elsewhere(
        used - watched
    )


def arrays(case: Case, graph: Graph, goals: set[int]) -> Iterator[Break]:
    """Return the breaks of arrays that were made from the source beside the tape and come back in
    it, as the text tells it.
    """
    source = case.source.object
    outs = [
        call
        for name in (*case.dialect.leads_out, *PREDICTS)
        for call in case.program.each((ast.Call,), name)
        # of what was computed from the source, or of the model that it belongs to
        if getattr(call.func, "attr", "") == name
        and (owns(case.held(call.func.value), source) or case.source_flow().enters(call))
    ]
    if not outs:
        return
    leading = graph.leading_to(goals)
    come_in = [
        (operand or entry, operand is None, at)
        for (entry, operand), those in entrances(case).items()
        for _, _, at, number in those[:1]
        if number in leading
    ] + [
        (case.node(leaf.where), True, leaf.where)
        for leaf in case.evidence.live(_leaves(case) & leading).values()
    ]
    for call, (node, whole, at) in product(outs, come_in):
        flow = case.flow(call)
        if flow.enters(node) if whole else flow.reaches(node):
            owner = text_of(call.func.value)
            params = {
                "variant": "before",
                "left": short(call),
                "back": case.text(at),
                "back_line": case.line(at),
                "inside": f"{owner}({text_of(call.args[0])})" if is_predict(call) else owner,
            }
            yield Break("numpy-escape", call, params=params)


def _why(case: Case, number: int, tensor: TensorInfo, node: Node, when: Any) -> Break:
    if is_play(node):
        return second_derivative(case, node, when)
    name = replaced_name(node, case.program)
    if (
        when in ("before", "between")
        and name
        and any(makes_variable(v) for v in definitions(name, case.program))
    ):
        return Break("variable-replaced", tensor.where, params={"name": name})
    other = _tape_around(case, node) if number in (t.id for t in case.targets) else ""
    if when == "before" and case.tape.of_earlier_tape(number):
        why = carried.why(case, number, node)
        return (
            why._replace(params={**why.params, "variant": "target", "other": other})
            if other
            else why
        )
    category, where = CATEGORY[when], tensor.where
    params: dict[str, Any] = {"name": case.label(number), "made": case.text(tensor.where)}
    call = _call_site(case, node, when)
    if call is not node:
        where, params["made"] = call, case.text(call)
    function, block = above(call, FUNCTIONS), block_of(case)
    if (
        when == "before"
        and function is not None
        and block is not None
        and not inside(block, function)
    ):
        # in a constructor: the line cannot be moved into the block
        variant = "yielded" if _yields(function) else "kept"
        params.update({"variant": variant}, **carried.made_once(call))
    alone = when != "before" or params.get("variant") == "yielded"
    loop = None if alone else above(call, (ast.For, ast.While), stop=FUNCTIONS)
    if loop is not None and block is not None and not inside(block, loop):
        made = definition(case, _base(call))
        if made is not None and inside(made, loop):  # what an element was taken of
            where, params["made"] = made, case.text(made)
        around = getattr(parent(loop), "body", [])  # what stands between may read what it makes
        last = around[around.index(block) - 1] if block in around else loop
        params.update(variant="loop", first=loop.lineno, last=last.end_lineno)
    if when == "after" and other:
        params.update(variant="target", other=other)
    elif when in ("after", "stopped") and (first := _first(case, number, node, when)) is not None:
        where, params["made"] = first.where, case.text(first.where)
    if when == "stopped":
        stop = case.evidence.stop_of(number)
        params["stop_line"] = case.line(stop.where) if stop else None
    elif when == "reset":
        params["reset_line"] = case.line(case.evidence.of("reset")[-1].where)
    return Break(category, where, params=params)


def _base(node: Node) -> Node:
    """Return what an element or an attribute is taken of."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node


def _call_site(case: Case, node: Node, when: Any) -> Node:
    """Return the call beside the recording that ran an expression: a line of a function is moved by
    moving its call.

    Where no single call can be meant, and in a generator, return the expression itself.
    """
    block, seen = block_of(case), set()
    while (
        function := above(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ) is not None and function not in seen:
        seen.add(function)
        if block is None or inside(block, function) or _yields(function):
            break
        calls = case.calls_of_owner() if function.name in ("__call__", "call") else []
        calls += [
            call
            for call in case.program.each((ast.Call,), function.name)
            if last_name(call.func) == function.name
        ]
        calls = [
            c
            for c in calls
            if not inside(c, function)
            and (inside(c, block) if when == "stopped" else not inside(c, block))
        ]
        if len(calls) != 1:
            break
        node = calls[0]
    return node


def second_derivative(case: Case, node: Node, when: str = "") -> Break:
    """Return the break for a slope that this tape did not see being computed; `when`, as of
    `Evidence.when`.
    """
    asked = text_of(node.func.value)
    if asked in tape_names(case):
        return Break("no-outer-tape", node, params={"made": case.text(node), "tape": asked})
    outer = next(iter(tape_names(case)), word("outer", dialect=case.tape.module))
    return Break(
        "outside-outer-tape",
        node,
        params={
            "made": case.text(node),
            "tape": outer,
            "inner": asked,
            "variant": "before" if when == "before" else "",
        },
    )


def tape_names(case: Case) -> list[str]:
    """Return what the learner calls this tape: `t` in `with tf.GradientTape() as t`, or the name it
    was assigned to.
    """
    node = case.node(case.tape.where)
    item = parent(node) if node is not None else None
    if isinstance(item, ast.withitem) and item.optional_vars is not None:
        return [text_of(item.optional_vars)]
    return [name for name in assigned_names(node) if name] if node is not None else []


def _tape_around(case: Case, node: Node) -> str:
    """Return the name of the tape in whose block an expression stands, where it is another one than
    that of this tape, or "".
    """
    block = tape_block(node)
    names = (
        [text_of(i.optional_vars) for i in block.items if i.optional_vars is not None]
        if block is not None
        else []
    )
    return names[0] if names and names[0] not in tape_names(case) else ""


def block_of(case: Case) -> Node:
    """Return the `with` statement of the tape, or None."""
    node = case.node(case.tape.where)
    if node is None:
        return None
    stmt = (
        above(node, (ast.With, ast.AsyncWith), stop=(ast.stmt,))
        if not isinstance(statement(node), ast.With)
        else statement(node)
    )
    if stmt is not None:
        return _run_by(case, stmt)
    targets = getattr(statement(node), "targets", [])
    names = {text_of(t) for t in targets}
    for other in node.file.each((ast.With,), *(name for t in targets for name in words_of(t)[-1:])):
        if any(text_of(i.context_expr) in names for i in other.items):
            return other
    return None


def _yields(node: Node) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


def _run_by(case: Case, block: Node) -> Node:
    """Return the `with` statement whose lines run in a block: another, where a function yields there."""
    function = above(block, FUNCTIONS)
    if isinstance(function, ast.FunctionDef) and _yields(block):
        for other in case.program.each((ast.With,), function.name):
            calls = [i.context_expr for i in other.items if isinstance(i.context_expr, ast.Call)]
            if function.name in [last_name(call.func) for call in calls]:
                return other
    return block


def _first(case: Case, number: int, node: Node, when: str) -> TensorInfo | None:
    """Return the first tensor computed after the block, or while the recording was stopped, on the
    way to this one: there the mistake begins.
    """
    evidence = case.evidence
    wanted, todo = set(), [node]
    function = above(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    block = block_of(case) if when == "after" else None
    while todo:
        stmt = statement(todo.pop())
        if stmt is None or stmt in wanted or block is not None and inside(stmt, block):
            continue
        wanted.add(stmt)
        names = names_used(stmt)
        those = (
            node.file.each(ASSIGNMENTS, *names)
            if function is None and names
            else node.file.each(ASSIGNMENTS, within=(function,))
            if function is not None
            else ()
        )
        todo += [
            other
            for other in those
            if names & _stored(other) and (function is None or inside(other, function))
        ]
    best, flows = None, [case.source_flow(), case.flow(*case.calls_of_owner())]
    for tensor in filter(None, map(case.tape.describe, evidence.living.values())):
        earlier = tensor.id < number and (best is None or tensor.id < best.id)
        if tensor.where is not None and earlier and evidence.when(tensor.id) == when:
            made = case.node(tensor.where)
            stmt = statement(made) if made is not None else None
            if stmt in wanted and any(flow.reaches(made) for flow in flows):
                best = tensor
    return best


def _stored(stmt: Node) -> set[str]:
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]
    return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
