"""Code that did not run: the branch of an `if`, a case of a `match`, a loop without iterations, an
element that a condition filtered out.

The text leads from the source to the target, but only through lines that did not run, or not with
this source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from minitape.program.names import assigned_names
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    inside,
    last_name,
    parent,
    short,
    siblings,
    text_of,
)

from ..case.aliases import Case, File, Flow, Node
from ..case.graph import Break
from .outside import block_of

# an operand or an argument: a tape hears of that, if it is computed
WORKED_WITH = (ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword, ast.Subscript)


def reasons(case: Case) -> Iterator[Break]:
    """Return the breaks for lines that lead from the source to the target and did not run."""
    recording, source = Recorded(case), Source(case)
    yield from _branch(recording, source)
    yield from _body(recording, source)
    yield from _swallowed(recording, source)
    if case.source.id not in case.evidence.used:
        yield from _left_out(recording, Source(case, made_in_literal=True))
        yield from _not_called(recording)
    yield from _swallowed(recording, source, unseen=True)


class Source:
    """Where branches read the source or what comes from it. Where it goes in the whole text is
    asked when its name alone does not do.
    """

    def __init__(self, case: Case, made_in_literal: bool = False) -> None:
        self.case, self._literal = case, made_in_literal
        self._idle: set[Node] = set()  # parts of branches that do not lead there

    @cached_property
    def _flow(self) -> Flow | None:
        """Where the source goes; None where that is not to the target: then no part of it leads
        there.
        """
        flow = self.case.source_flow(made_in_literal=self._literal)
        return flow if flow.starts and _leads(self.case, flow) else None

    def uses(self, arm: Node | list[Node]) -> list[Node]:
        """Return the expressions in a branch that read what leads from the source to the target, or
        might.
        """
        return (
            [node for node in _loads(arm) if self._flow.reaches(node)]
            if self._flow is not None
            else []
        )

    def leading(self, arm: Node | list[Node]) -> list[Node]:
        """Return the uses in a branch that would have led to the target, had it run, as the text
        tells it; or [].
        """
        case, parts = self.case, arm if isinstance(arm, list) else [arm]
        # what stands in a branch leads no further than the whole of it: a chain is walked once
        if not all(part in self._idle or parent(part) in self._idle for part in parts):
            named = [
                node for node in _loads(arm) if case.reads_source(node) or case.names_source(node)
            ]
            if named and self.leads(named):
                return named
            uses = self.uses(arm)
            if uses and self.leads(uses):
                return uses
        self._idle.update(parts)
        return []

    def leads(self, uses: list[Node]) -> bool:
        """True where expressions lead on to the target."""
        return _leads(self.case, self.case.flow(*uses))


class Recorded:
    """What the text tells of the recording: its block, the lines and expressions that ran there,
    the functions that were called.
    """

    def __init__(self, case: Case) -> None:
        self.case, self.block = case, block_of(case)
        self.ran = {
            node: None
            for where in case.evidence.places().values()
            if (node := case.node(where)) is not None
        }
        noted = [case.node(n.where) for notes in case.evidence.notes.values() for n in notes]
        self.ran_in: dict[File, set[int]] = {}
        self._near: dict[File, list[Node]] = {}  # one node of each line
        for node in (*self.ran, *(n for n in noted if n is not None)):
            lines = self.ran_in.setdefault(node.file, set())
            if node.lineno not in lines:
                lines.add(node.lineno)
                self._near.setdefault(node.file, []).append(node)
        self._functions = self._called()

    def _called(self) -> set[Node]:
        """Return the functions that ran while the tape recorded: a line of them did, or they are
        called in the block or by one that ran.
        """
        program = self.case.program
        result = {
            f: None
            for file, nodes in self._near.items()
            for f in file.each(FUNCTIONS, within=tuple(nodes))
            if self.lines(file, f)
        }
        todo, names = [self.block, *result], set()
        for each in todo:
            calls = each.file.each((ast.Call,), within=(each,)) if each is not None else ()
            for call in calls:
                name = last_name(call.func)
                if name not in names and (
                    inside(call, each) if each is self.block else above(call, FUNCTIONS) is each
                ):
                    names.add(name)
                    todo += [
                        f
                        for f in program.each(FUNCTIONS[:2], name)
                        if f.name == name and f not in todo
                    ]
        return set(todo) - {self.block}

    def lines(self, file: File, arm: Node | list[Node]) -> set[int]:
        """Return the lines of a branch on which something ran."""
        parts = arm if isinstance(arm, list) else [arm]
        return {
            line
            for line in self.ran_in.get(file, ())
            if any(p.lineno <= line <= p.end_lineno for p in parts)
        }

    def computed(self, node: Node) -> bool:
        """True where an operation of this expression ran."""
        return any(inside(each, node) for each in self.ran)

    def each(self, *kinds: type) -> Iterator[Node]:
        """Yield the nodes of some kinds that stand in the block of the tape or in a function that
        ran while it recorded.
        """
        for file in self.case.program.trees():
            if self.block is None:
                yield from file.each(kinds)
                continue
            roots = tuple(n for n in (self.block, *self._functions) if n.file is file)
            yield from (
                n
                for n in file.each(kinds, within=roots)
                if inside(n, self.block) or above(n, FUNCTIONS) in self._functions
            )


def _branch(recording: Recorded, source: Source) -> Iterator[Break]:
    """An `if` or a conditional expression went the other way."""
    case = recording.case
    for node in recording.each(ast.If, ast.IfExp):
        arms = [node.body, node.orelse or _rest(node)]
        for mine, other in (arms, arms[::-1]):
            file = node.file
            ran = recording.lines(file, mine) - recording.lines(file, other)
            # one without an `else`: something around it ran
            untold = not other and file not in recording.ran_in
            if isinstance(node, ast.If) and (ran or untold):
                continue
            if _tells(node, mine) and (uses := source.leading(mine)):
                yield _not_taken(case, node.test, uses, was=str(mine is arms[1]))


def _body(recording: Recorded, source: Source) -> Iterator[Break]:
    """Another case of a `match`, a loop without a single turn, the side of an `and` or `or` that
    was not looked at.
    """
    case = recording.case
    for node in recording.each(ast.Match, ast.For, ast.While, ast.BoolOp):
        if isinstance(node, ast.Match):
            arms: list[Node | list[Node]] = [each.body for each in node.cases]
            variant, place = "match", node.subject
        elif isinstance(node, ast.BoolOp):
            arms, variant, place = list(node.values[1:]), "short", node
        else:
            arms, variant, place = (
                [node.body],
                "loop",
                node.iter if isinstance(node, ast.For) else node.test,
            )
        for arm in arms:
            if (
                recording.lines(node.file, arm)
                if isinstance(arm, list)
                else recording.computed(arm)
            ):
                continue
            if uses := source.leading(arm):
                head = (
                    f"for {text_of(node.target)} in {short(place)}"
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


def _swallowed(recording: Recorded, source: Source, unseen: bool = False) -> Iterator[Break]:
    """A `try` was left by an exception: the tape knows operations of its `except`, or values that
    were made there and used.

    With `unseen`, where it knows nothing of the `try` either, as of a traced function that became a
    constant: then that is a guess.
    """
    case = recording.case
    used = {n for r in case.evidence.ran for n in r.inputs} - set(case.evidence.maker)
    made: list[Node] | None = None
    for node in recording.each(ast.Try):
        if not node.handlers:
            continue
        if made is None:
            made = [case.node(t.where) for t in [*case.evidence.live(used).values(), *case.targets]]
        uses = source.uses(node.body)
        handler = next(
            (
                h
                for h in node.handlers
                if recording.lines(node.file, h.body)
                or any(n is not None and inside(n, h) for n in made)
            ),
            None,
        )
        if (
            unseen
            and handler is None
            and not recording.lines(node.file, node.body)
            and any(isinstance(parent(use), WORKED_WITH) for use in uses)
        ):
            handler = node.handlers[0]
        if handler is not None and uses and source.leads(uses):
            kind = short(handler.type) if handler.type is not None else "Exception"
            yield _not_taken(
                case, handler.type or node.body[0], uses, test=kind, variant="except"
            )._replace(certain=not unseen)


def _left_out(recording: Recorded, source: Source) -> Iterator[Break]:
    """A condition let other elements of a loop through, but not the source: it was never read."""
    for node in recording.each(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.For):
        loops = [] if isinstance(node, ast.For) else node.generators
        made = node.value if isinstance(node, ast.DictComp) else getattr(node, "elt", None)
        tests: list[Any] = [(test, [made], loop, "False") for loop in loops for test in loop.ifs]
        if isinstance(node, ast.For):
            conditions = [each for each in node.body if isinstance(each, ast.If)]
            tests = [
                (c.test, arm, node, was)
                for c in conditions
                for arm, was in ((c.body, "False"), (c.orelse or _rest(c), "True"))
            ]
        for test, arm, loop, was in tests:
            given = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            uses = [
                use for use in source.uses(arm) if isinstance(use, ast.Name) and use.id in given
            ]
            if uses and source.leads(uses):
                yield _not_taken(recording.case, test, uses, was=was, variant="filter")


def _not_called(recording: Recorded) -> Iterator[Break]:
    """A table of functions is used in the block, and the one with the source was not called."""
    case, block = recording.case, recording.block
    read = (
        {n.id for n in ast.walk(block) if isinstance(n, ast.Name)} if block is not None else set()
    )
    for literal in case.program.each((ast.Dict, ast.List, ast.Tuple), *read) if read else ():
        if not read.intersection(assigned_names(literal)):
            continue
        for each in literal.values if isinstance(literal, ast.Dict) else literal.elts:
            name = getattr(each, "id", "")
            named = [f for f in literal.file.each((ast.FunctionDef,), name) if f.name == name]
            for function in [each] if isinstance(each, ast.Lambda) else named:
                names = (n for n in ast.walk(function) if isinstance(n, (ast.Name, ast.Attribute)))
                uses = [n for n in names if text_of(n) == case.source_name]
                if uses and not recording.computed(function):
                    yield _not_taken(case, uses[0], uses, variant="function")._replace(
                        certain=False
                    )


def _not_taken(
    case: Case, place: Node, uses: list[Node], was: str = "", test: str = "", variant: str = ""
) -> Break:
    called = {case.source_name, case.source_name.rpartition(".")[2]}
    use = next((u for u in uses if text_of(u).rpartition(".")[2] in called), uses[0])
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


def _rest(node: Node) -> list[Node]:
    """Return what stands after an `if` that leaves: `if z > 0: return z` has the rest of its block
    as the other branch.
    """
    leaves = ast.Return, ast.Raise, ast.Continue, ast.Break
    if not isinstance(node, ast.If) or not isinstance(node.body[-1], leaves):
        return []
    around = siblings(node)
    return around[around.index(node) + 1 :]


def _tells(node: Node, arm: Node | list[Node]) -> bool:
    """True where a branch computes something, so that the tape tells whether it ran; in a loop, `if
    first: best = h` leaves no trace.
    """
    parts = arm if isinstance(arm, list) else [arm]
    kinds = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Compare, ast.AugAssign)
    computes = any(isinstance(n, kinds) for part in parts for n in ast.walk(part))
    return computes or not isinstance(node, ast.If) or above(node, (ast.For, ast.While)) is None


def _leads(case: Case, flow: Flow) -> bool:
    """True where what is marked comes to the target, as the text tells it."""
    if case.target_node is not None and flow.reaches(case.target_node):
        return True
    return any(
        (n := case.node(t.where)) is not None and (flow.reaches(n) or flow.enters(n))
        for t in case.targets
    )


def _loads(arm: Node | list[Node]) -> list[Node]:
    return [
        node
        for part in (arm if isinstance(arm, list) else [arm])
        for node in ast.walk(part)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    ]
