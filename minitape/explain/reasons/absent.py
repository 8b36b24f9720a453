"""Nothing connects source and target: the branch that was not taken, a slope that is constant, a source that is not used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from minitape.program.syntax import FUNCTIONS, above, inside, parent, short

from ..case.graph import Break
from .outside import block_of

if TYPE_CHECKING:
    from minitape.engine.recording import Thing
    from minitape.program.aliases import Node
    from minitape.program.files import File

    from ..case.case import Case
    from ..case.flow import Flow
    from ..case.graph import Graph


def reasons(case: Case, graph: Graph, goals: set[int]) -> Iterator[Break]:
    """Return the breaks that explain why there is no path at all, best first."""
    yield from _constant_slope(case, graph, goals)
    yield from _branch(case)


def not_used(case: Case, target: Thing, graph: Graph) -> Break:
    """Return the break that says so: the target is computed without the source."""
    if graph.path(target.id, {case.source.id}):
        ran = case.evidence.maker.get(case.source.id)
        return Break("not-used", ran.where if ran is not None else case.call, params={"variant": "downstream"})
    where = None if target.is_variable else target.where
    ran = case.evidence.maker.get(target.id)
    where = ran.where if ran is not None else where
    return Break("not-used", where if where is not None else case.call, params={
        "made": case.text(where) if where is not None else "", "variant": "elsewhere" if case.source.id in case.evidence.used else ""})


def _constant_slope(case: Case, graph: Graph, goals: set[int]) -> Iterator[Break]:
    """The target is (made of) a slope that an inner tape found, and that slope does not depend on the source."""
    for note in case.evidence.of("gradient"):
        for gradient in note.about["gradients"]:
            if gradient is None or not (gradient in goals or graph.path(gradient, goals)):
                continue
            if any(t == case.source.id or graph.path(case.source.id, {t}) for t in note.about["targets"]):
                yield Break("constant-gradient", note.where, params={"made": case.text(note.where),
                                                                     "inner": case.label(note.about["targets"][0])})


def _branch(case: Case) -> Iterator[Break]:
    """The text leads from the source to the target, but only through a branch that did not run."""
    flow, block = case.source_flow(), block_of(case)
    if not flow.starts:
        return
    ran = _lines_that_ran(case)
    for file in case.program.trees():
        for node in ast.walk(file.tree):
            if not isinstance(node, (ast.If, ast.IfExp)):
                continue
            if not _in_the_recording(case, node, block, ran):
                continue
            arms = [node.body, node.orelse or _rest(node)]
            for mine, other in (arms, arms[::-1]):
                uses = _uses(case, file, mine, flow)
                if not uses or _lines(mine) & ran.get(file.filename, set()) - _lines(other) and isinstance(node, ast.If):
                    continue
                if isinstance(node, ast.If) and not other and not _reached(case, node, ran):
                    continue
                if not _arrives(case, uses) or not _tells(node, mine):
                    continue
                test, called = node.test, {case.source_name, case.source_name.rpartition(".")[2]}
                use = next((u for u in uses if ast.unparse(u).rpartition(".")[2] in called), uses[0])
                yield Break("branch-not-taken", test, params={
                    "test": short(test), "was": str(mine is arms[1]), "use": short(use), "use_line": use.lineno})


def _rest(node: Node) -> list[Node]:
    """Return what stands after an `if` that leaves: `if z > 0: return z` has the rest of its block as the other branch."""
    if not isinstance(node, ast.If) or not isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return []
    above_it = parent(node)
    for block in (getattr(above_it, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and node in block:
            return block[block.index(node) + 1:]
    return []


def _tells(node: Node, arm: Node | list[Node]) -> bool:
    """True where a branch computes something, so that the tape tells whether it ran; in a loop, `if first: best = h` leaves no trace."""
    parts = arm if isinstance(arm, list) else [arm]
    kinds = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Compare, ast.AugAssign)
    computes = any(isinstance(n, kinds) for part in parts for n in ast.walk(part))
    return computes or not isinstance(node, ast.If) or above(node, (ast.For, ast.While)) is None


def _arrives(case: Case, uses: list[Node]) -> bool:
    """Try it on the text: would the branch, had it run, have led to the target?"""
    flow = case.flow(*uses)
    if case.target_node is not None and flow.reaches(case.target_node):
        return True
    return any((n := case.node(t.where)) is not None and (flow.reaches(n) or flow.enters(n)) for t in case.targets)


def _uses(case: Case, file: File, arm: Node | list[Node], flow: Flow) -> list[Node]:
    """The expressions in a branch that read the source or what comes from it."""
    found = []
    for part in arm if isinstance(arm, list) else [arm]:
        for node in ast.walk(part):
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                if flow.reaches(node):
                    found.append(node)
    return found


def _lines(arm: Node | list[Node]) -> set[int]:
    parts = arm if isinstance(arm, list) else [arm]
    return {line for p in parts for line in range(p.lineno, p.end_lineno + 1)}


def _lines_that_ran(case: Case) -> dict[str, set[int]]:
    lines = {}
    for where in [*(r.where for r in case.evidence.ran), *(n.where for notes in case.evidence.notes.values() for n in notes)]:
        node = case.node(where)
        if node is not None:
            lines.setdefault(node.file.filename, set()).add(node.lineno)
    return lines


def _reached(case: Case, node: Node, ran: dict[str, set[int]]) -> bool:
    """True where the program came by an `if` without an `else`: something around it ran."""
    return bool(ran.get(node.file.filename))


def _in_the_recording(case: Case, node: Node, block: Node, ran: dict[str, set[int]]) -> bool:
    if block is None or inside(node, block):
        return True
    up = node
    while up is not None and not isinstance(up, FUNCTIONS):
        up = node.file.parent.get(up)
    return up is not None and _called(case, up, block, ran, set())


def _called(case: Case, function: Node, block: Node, ran: dict[str, set[int]], seen: set[Node]) -> bool:
    """True where a function ran while the tape recorded: a line of it did, or it is called in the block or by one that ran."""
    if function in seen:
        return False
    seen.add(function)
    if set(range(function.lineno, function.end_lineno + 1)) & ran.get(function.file.filename, set()):
        return True
    for file in case.program.trees():
        for call in ast.walk(file.tree):
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == getattr(function, "name", None):
                caller = above(call, FUNCTIONS)
                if inside(call, block) or caller is not None and _called(case, caller, block, ran, seen):
                    return True
    return False
