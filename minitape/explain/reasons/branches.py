"""What did not run: the branch of an `if`, a case of a `match`, a loop without a single turn, an
element that a condition left out.

The text leads from the source to the target, but only through lines that did not run, or not with
this source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from minitape.program.names import assigned_names
from minitape.program.syntax import FUNCTIONS, above, inside, parent, short

from ..case.graph import Break
from .outside import block_of

if TYPE_CHECKING:
    from minitape.program.aliases import Node
    from minitape.program.files import File

    from ..case.case import Case
    from ..case.flow import Flow


def reasons(case: Case) -> Iterator[Break]:
    """Return the breaks for lines that lead from the source to the target and did not run."""
    flow, block, ran = case.source_flow(), block_of(case), _lines_that_ran(case)
    if flow.starts:
        yield from _branch(case, flow, block, ran)
        yield from _body(case, flow, block, ran)
        yield from _swallowed(case, flow, block, ran)
    if case.source.id not in case.evidence.used:
        yield from _left_out(case, case.source_flow(made_in_literal=True), block, ran)
        yield from _not_called(case, block)
    if flow.starts:
        yield from _swallowed(case, flow, block, ran, unseen=True)


def _branch(case: Case, flow: Flow, block: Node, ran: dict[str, set[int]]) -> Iterator[Break]:
    """An `if` or a conditional expression went the other way."""
    for file in case.program.trees():
        for node in ast.walk(file.tree):
            if not isinstance(node, (ast.If, ast.IfExp)):
                continue
            if not _in_the_recording(case, node, block, ran):
                continue
            arms = [node.body, node.orelse or _rest(node)]
            for mine, other in (arms, arms[::-1]):
                uses = _uses(case, file, mine, flow)
                if (
                    not uses
                    or _lines(mine) & ran.get(file.filename, set()) - _lines(other)
                    and isinstance(node, ast.If)
                ):
                    continue
                if isinstance(node, ast.If) and not other and not _reached(case, node, ran):
                    continue
                if not _arrives(case, uses) or not _tells(node, mine):
                    continue
                yield _not_taken(case, node.test, uses, was=str(mine is arms[1]))


def _body(case: Case, flow: Flow, block: Node, ran: dict[str, set[int]]) -> Iterator[Break]:
    """Another case of a `match`, a loop without a single turn, the side of an `and` or `or` that
    was not looked at.
    """
    for file in case.program.trees():
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Match):
                arms: list[Node | list[Node]] = [each.body for each in node.cases]
                variant, place = "match", node.subject
            elif isinstance(node, (ast.For, ast.While)):
                arms, variant, place = (
                    [node.body],
                    "loop",
                    node.iter if isinstance(node, ast.For) else node.test,
                )
            elif isinstance(node, ast.BoolOp):
                arms, variant, place = list(node.values[1:]), "short", node
            else:
                continue
            if not _in_the_recording(case, node, block, ran):
                continue
            for arm in arms:
                uses = _uses(case, file, arm, flow)
                lines = _lines(arm) & ran.get(file.filename, set())
                if (
                    not uses
                    or isinstance(arm, list)
                    and lines
                    or not isinstance(arm, list)
                    and _computed(case, arm)
                ):
                    continue
                if _arrives(case, uses):
                    head = (
                        f"for {ast.unparse(node.target)} in {short(place)}"
                        if isinstance(node, ast.For)
                        else short(place)
                    )
                    yield _not_taken(
                        case,
                        place,
                        uses,
                        test=f"while {head}" if isinstance(node, ast.While) else head,
                        variant=variant,
                    )


def _swallowed(
    case: Case, flow: Flow, block: Node, ran: dict[str, set[int]], unseen: bool = False
) -> Iterator[Break]:
    """A `try` was left by an exception: the tape knows operations of its `except`, or values that
    were made there and used.

    With `unseen`, where it knows nothing of the `try` either, as of a traced function that became a
    constant: then that is a guess.
    """
    used = {n for r in case.evidence.ran for n in r.inputs} - set(case.evidence.maker)
    made = (
        [case.node(t.where) for t in [*case.evidence.live(used).values(), *case.targets]]
        if used or case.targets
        else []
    )
    for file in case.program.trees():
        for node in ast.walk(file.tree):
            if (
                not isinstance(node, ast.Try)
                or not node.handlers
                or not _in_the_recording(case, node, block, ran)
            ):
                continue
            uses = _uses(case, file, node.body, flow)
            seen = ran.get(file.filename, set())
            handler = next(
                (
                    h
                    for h in node.handlers
                    if _lines(h.body) & seen or any(n is not None and inside(n, h) for n in made)
                ),
                None,
            )
            if (
                unseen
                and handler is None
                and not _lines(node.body) & seen
                and any(map(_is_worked_with, uses))
            ):
                handler = node.handlers[0]
            if handler is not None and uses and _arrives(case, uses):
                kind = short(handler.type) if handler.type is not None else "Exception"
                yield _not_taken(
                    case, handler.type or node.body[0], uses, test=kind, variant="except"
                )._replace(certain=not unseen)


def _is_worked_with(use: Node) -> bool:
    """True for what is an operand or an argument: a tape hears of that, if it is computed."""
    return isinstance(parent(use), (ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword, ast.Subscript))


def _left_out(case: Case, flow: Flow, block: Node, ran: dict[str, set[int]]) -> Iterator[Break]:
    """A condition let other elements of a loop through, but not the source: it was never read."""
    for file in case.program.trees():
        for node in ast.walk(file.tree):
            loops = (
                node.generators
                if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp))
                else []
            )
            made = node.value if isinstance(node, ast.DictComp) else getattr(node, "elt", None)
            tests = [(test, [made], loop, "False") for loop in loops for test in loop.ifs]
            if isinstance(node, ast.For):
                conditions = [each for each in node.body if isinstance(each, ast.If)]
                tests = [
                    (c.test, arm, node, was)
                    for c in conditions
                    for arm, was in ((c.body, "False"), (c.orelse or _rest(c), "True"))
                ]
            for test, arm, loop, was in (
                tests if tests and _in_the_recording(case, node, block, ran) else ()
            ):
                given = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
                uses = [
                    use
                    for use in _uses(case, file, arm, flow)
                    if isinstance(use, ast.Name) and use.id in given
                ]
                if uses and _arrives(case, uses):
                    yield _not_taken(case, test, uses, was=was, variant="filter")


def _not_called(case: Case, block: Node) -> Iterator[Break]:
    """A table of functions is used in the block, and the one with the source was not called."""
    read = (
        {n.id for n in ast.walk(block) if isinstance(n, ast.Name)} if block is not None else set()
    )
    for file in case.program.trees():
        for literal in ast.walk(file.tree):
            if not isinstance(literal, (ast.Dict, ast.List, ast.Tuple)) or not read.intersection(
                assigned_names(literal)
            ):
                continue
            for each in literal.values if isinstance(literal, ast.Dict) else literal.elts:
                named = [
                    f
                    for f in ast.walk(file.tree)
                    if isinstance(f, ast.FunctionDef) and f.name == getattr(each, "id", None)
                ]
                for function in [each] if isinstance(each, ast.Lambda) else named:
                    names = (
                        n for n in ast.walk(function) if isinstance(n, (ast.Name, ast.Attribute))
                    )
                    uses = [n for n in names if ast.unparse(n) == case.source_name]
                    if uses and not _computed(case, function):
                        yield _not_taken(case, uses[0], uses, variant="function")._replace(
                            certain=False
                        )


def _not_taken(
    case: Case, place: Node, uses: list[Node], was: str = "", test: str = "", variant: str = ""
) -> Break:
    called = {case.source_name, case.source_name.rpartition(".")[2]}
    use = next((u for u in uses if ast.unparse(u).rpartition(".")[2] in called), uses[0])
    return Break(
        "branch-not-taken",
        place,
        params={
            "test": test or short(place),
            "was": was,
            "use": short(use),
            "use_line": use.lineno,
            "variant": variant,
        },
    )


def _computed(case: Case, node: Node) -> bool:
    """True where an operation of this expression ran."""
    made = (case.node(ran.where) for ran in case.evidence.ran)
    return any(each is not None and inside(each, node) for each in made)


def _rest(node: Node) -> list[Node]:
    """Return what stands after an `if` that leaves: `if z > 0: return z` has the rest of its block
    as the other branch.
    """
    if not isinstance(node, ast.If) or not isinstance(
        node.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break)
    ):
        return []
    above_it = parent(node)
    for block in (getattr(above_it, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and node in block:
            return block[block.index(node) + 1 :]
    return []


def _tells(node: Node, arm: Node | list[Node]) -> bool:
    """True where a branch computes something, so that the tape tells whether it ran; in a loop, `if
    first: best = h` leaves no trace.
    """
    parts = arm if isinstance(arm, list) else [arm]
    kinds = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Compare, ast.AugAssign)
    computes = any(isinstance(n, kinds) for part in parts for n in ast.walk(part))
    return computes or not isinstance(node, ast.If) or above(node, (ast.For, ast.While)) is None


def _arrives(case: Case, uses: list[Node]) -> bool:
    """Try it on the text: would the branch, had it run, have led to the target?"""
    flow = case.flow(*uses)
    if case.target_node is not None and flow.reaches(case.target_node):
        return True
    return any(
        (n := case.node(t.where)) is not None and (flow.reaches(n) or flow.enters(n))
        for t in case.targets
    )


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
    for where in [
        *(r.where for r in case.evidence.ran),
        *(n.where for notes in case.evidence.notes.values() for n in notes),
    ]:
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


def _called(
    case: Case, function: Node, block: Node, ran: dict[str, set[int]], seen: set[Node]
) -> bool:
    """True where a function ran while the tape recorded: a line of it did, or it is called in the
    block or by one that ran.
    """
    if function in seen:
        return False
    seen.add(function)
    if set(range(function.lineno, function.end_lineno + 1)) & ran.get(
        function.file.filename, set()
    ):
        return True
    for file in case.program.trees():
        for call in ast.walk(file.tree):
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == getattr(
                function, "name", None
            ):
                caller = above(call, FUNCTIONS)
                if (
                    inside(call, block)
                    or caller is not None
                    and _called(case, caller, block, ran, seen)
                ):
                    return True
    return False
