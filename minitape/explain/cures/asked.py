"""The cure that asks otherwise: for the object that was used, for what is trainable, for 0 where
the answer is None; and both branches of an `if` as one `where`.

Nothing is wrong with the block of the tape here. What changes is the learner's call of `gradient`,
or the choice between two values.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.syntax import PLAYS, inside, is_chain, parent, statement

from ..reasons.outside import tape_names
from .fitting import read_later
from .rewritten import LONGEST, Rewriting, free, written_anew

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .rewritten import Stretch


# ---- a branch that was not taken: both as one `where`, or 0 instead of None


def _branch(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    if why.params["variant"] == "except":
        return None  # what raised is to be looked at, not to be counted as 0
    return _both_branches(case, node, tf) or _zero_asked(case, why, node, tf)


def _both_branches(case: Case, test: Node, tf: str) -> Stretch:
    """An `if` on a tensor that chooses one of two values, as one `where`; a plain flag stays a
    flag.
    """
    asked = [
        case.node(note.where) for note in case.evidence.of("escape") if note.about["how"] == "bool"
    ]
    if not any(each is not None and inside(each, test) for each in asked):
        return None
    node = parent(test)
    if isinstance(node, ast.IfExp):
        changed = (
            f"{tf}.where({ast.unparse(test)}, {ast.unparse(node.body)}, {ast.unparse(node.orelse)})"
        )
        return written_anew([statement(node)], {node: changed}), [statement(node)]
    arms = [node.body, node.orelse] if isinstance(node, ast.If) else []
    single = [arm[0] for arm in arms if len(arm) == 1 and isinstance(arm[0], ast.Assign)]
    if len(single) != 2 or ast.unparse(single[0].targets[0]) != ast.unparse(single[1].targets[0]):
        return None
    target, values = ast.unparse(single[0].targets[0]), [ast.unparse(s.value) for s in single]
    line = f"{target} = {tf}.where({ast.unparse(test)}, {values[0]}, {values[1]})"
    return ([line], [node]) if len(line) <= LONGEST else None


# ---- asked anew


def _zero_asked(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Return the learner's call of `gradient` with 0 for what is not connected."""
    return _asked_anew(case, zero=True)


def _twin_asked(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Return the learner's call of `gradient` with the object that was used in the place of the
    other one.
    """
    twin, variant = why.params.get("twin"), why.params.get("variant")
    if variant == "rebound":
        return _named_otherwise(case, node)
    here = variant != "again" or twin in (name for name, _ in case.evidence.names.values())
    alone = case.many is None and case.sources_node is not None and here
    return _asked_anew(case, twin) if alone and twin and twin.isidentifier() else None


def _named_otherwise(case: Case, node: Node) -> Stretch:
    """Return the line that gave a name to a second object, with a name of its own for it; None
    where that is used before it is asked.
    """
    stmt: Any = statement(node)
    name = (
        ast.unparse(stmt.targets[0])
        if isinstance(stmt, ast.Assign) and stmt.value is node and len(stmt.targets) == 1
        else ""
    )
    reads = read_later(case, node, name) if name.isidentifier() else []
    other = free(node, f"new_{name}", f"other_{name}") if name else ""
    asked = all(
        isinstance(call := parent(read), ast.Call)
        and getattr(call.func, "attr", "") in (*PLAYS, "explain")
        for read in reads
    )
    return ([f"{other} = {ast.unparse(node)}"], [stmt]) if reads and asked and other else None


def _clipped(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Return the learner's call of `gradient` with a line behind it that keeps the gradient short."""
    calls = _calls(case)
    stmt: Any = statement(calls[0]) if len(calls) == 1 else None
    if (
        not isinstance(stmt, ast.Assign)
        or stmt.value is not calls[0]
        or len(stmt.targets) != 1
        or not is_chain(stmt.targets[0])
    ):
        return None
    name = ast.unparse(stmt.targets[0])
    short = (
        f"{name}, _ = {tf}.clip_by_global_norm({name}, 1.0)"
        if case.many is not None
        else f"{name} = {tf}.clip_by_norm({name}, 1.0)"
    )
    return [*written_anew([stmt], {}), short], [stmt]


def _exchanged(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Return the learner's call of `gradient` with target and source exchanged, where it asked the
    wrong way round.
    """
    tapes = tape_names(case)
    if (
        why.params.get("variant") != "downstream"
        or case.many is not None
        or not tapes
        or None in (case.target_node, case.source_node)
    ):
        return None
    target, source = ast.unparse(case.target_node), ast.unparse(case.source_node)
    calls = [
        n
        for file in case.program.trees()
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Call)
        and [ast.unparse(n.func), *map(ast.unparse, n.args)]
        == [f"{tapes[0]}.gradient", target, source]
    ]
    if len(calls) != 1:
        return [f"{tapes[0]}.gradient({source}, {target})"], []
    return written_anew(
        [statement(calls[0])], {calls[0].args[0]: source, calls[0].args[1]: target}
    ), [statement(calls[0])]


def _trainable_asked(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Return the learner's call of `gradient` with the variables that are trainable in the place of
    all.
    """
    return (
        _asked_anew(case, f"{why.params['owner']}.trainable_variables")
        if why.params["variant"] == "asked"
        else None
    )


def _asked_anew(case: Case, source: str = "", zero: bool = False) -> Stretch:
    """Return the learner's call of `gradient`, asked for another source, or for 0 instead of None."""
    more, tapes = ", unconnected_gradients='zero'" * zero, tape_names(case)
    calls = (
        [case.call] if case.call is not None and case.call.func.attr == "gradient" else _calls(case)
    )
    calls = [
        c for c in calls if not any(k.arg in (None, "unconnected_gradients") for k in c.keywords)
    ]
    if len(calls) == 1 and not isinstance(
        statement(calls[0]), (ast.For, ast.While, ast.If, ast.With)
    ):
        call: Any = calls[0]
        asked = call.args[1:2] if source else []
        changed = written_anew([ast.Expr(call)], dict.fromkeys(asked, source))
        if (
            not changed
            or source
            and (not asked or ast.unparse(asked[0]) != ast.unparse(case.sources_node))
        ):
            return None
        return written_anew([statement(call)], {call: f"{changed[0][:-1]}{more})"}), [
            statement(call)
        ]
    if calls or not tapes or case.target_node is None or case.sources_node is None:
        return None
    return [
        f"{tapes[0]}.gradient({ast.unparse(case.target_node)}, "
        f"{source or ast.unparse(case.sources_node)}{more})"
    ], []


def _calls(case: Case) -> list[Any]:
    """Return the calls of `gradient` of this tape, as the text has them."""
    tapes = tape_names(case)
    return [
        n
        for file in case.program.trees()
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Attribute)
        and n.func.attr == "gradient"
        and ast.unparse(n.func.value) in tapes
    ]


ASKED: dict[str, Rewriting] = {
    "branch-not-taken": _branch,
    "not-trainable": _trainable_asked,
    "constant-gradient": _zero_asked,
    "another-object": _twin_asked,
    "not-used": _exchanged,
    "exploding": _clipped,
}
