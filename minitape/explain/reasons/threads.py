"""Values computed in another thread: as in TensorFlow, a tape records only the thread that runs its
block.

The tape sees only a value of unknown origin. The program's text shows that it came from a pool of
threads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minitape.program.syntax import call_name, inside, last_name

from ..case.aliases import Case, Flow, Node
from ..case.graph import LEAP, Break, Edge
from .outside import block_of


def edges(case: Case) -> Iterator[Edge]:
    """Return edges from the source to what another thread computed from it and the block went on
    with.
    """
    files = [file for file in case.program.trees() if any("Thread" in line for line in file.lines)]
    calls = [
        node for file in files for node in file.each((ast.Call,)) if submitted(node) is not None
    ]
    block = block_of(case)
    calls = [c for c in calls if block is not None and inside(c, block)] or calls
    source, evidence = case.source_flow() if calls else None, case.evidence
    for call in calls:
        reads = _reads(source, call) if source is not None else []
        if not reads:
            continue
        # a `Thread` gives nothing back: it writes somewhere
        flow = case.flow(*reads if call_name(call) == "Thread" else [call])
        why = Break("other-thread", call, params={"made": case.text(call)})
        for ran in evidence.ran:
            new = [
                n
                for n in ran.inputs
                if n not in evidence.maker
                and n not in case.tape.leaves
                and evidence.when(n) == "inside"
            ]
            node = case.node(ran.where) if new else None
            if node is not None and flow.enters(node):
                yield from (Edge(case.source.id, n, call, why, LEAP) for n in new)
        if case.target_node is not None and flow.reaches(case.target_node):
            yield from (
                Edge(case.source.id, t.id, call, why, LEAP)
                for t in case.targets
                if evidence.when(t.id) == "inside"
            )


def submitted(call: ast.Call) -> Node:
    """Return the function that a call hands to another thread, as `pool.map(f, xs)`,
    `pool.submit(f, x)`, `Thread(target=f)`, or None.
    """
    if (
        isinstance(call.func, ast.Attribute)
        and call_name(call) in ("map", "submit", "apply_async", "starmap")
        and call.args
    ):
        return call.args[0]
    return (
        next((k.value for k in call.keywords if k.arg == "target"), None)
        if call_name(call) == "Thread"
        else None
    )


def _reads(source: Flow, call: ast.Call) -> list[Node]:
    """Return where the function that is handed over reads the source, or is given it."""
    function = submitted(call)
    named = source.functions.named(last_name(function))
    read = [
        n
        for f in [function, *named]
        for n in ast.walk(f)
        if isinstance(n, (ast.Name, ast.Attribute))
    ]
    given = [*call.args[1:], *(k.value for k in call.keywords)]
    return [
        n
        for n in [*read, *given]
        if isinstance(getattr(n, "ctx", ast.Load()), ast.Load) and source.reaches(n)
    ]
