"""The cures that ask otherwise: for another source, or 0 instead of None; both branches as one.

Nothing is wrong with the block of the tape here.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.dialects import PLAYS
from minitape.program.objects import listed_by
from minitape.program.syntax import call_name, parent, statement

from ..reasons.outside import tape_names
from .rows import Rows
from .writing import Cure, free, head_anew

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node


def both_branches(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """An `if` on a tensor that chooses one of two values, as one `where`."""
    return Rows(case, node, params).stretch(["branch-not-taken"], parent(node))


def anew(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The learner's call of `gradient` as a row has it, or a new line that asks so."""
    asked = call_name(case.call) == PLAYS[0]
    calls, tapes = [case.call] if asked else _calls(case), tape_names(case)
    told = (None, "unconnected_gradients")
    calls = [call for call in calls if not any(k.arg in told for k in call.keywords)]
    names = [f"asked.{why.category}", f"asked.{why.category}.{params.get('variant')}"]
    if len(calls) == 1 and not hasattr(statement(calls[0]), "body"):
        return Rows(case, calls[0], params).stretch(names, calls[0])
    if calls or not tapes or case.target_node is None or case.sources_node is None:
        return None
    call = ast.parse(f"{tapes[0]}.{PLAYS[0]}(y, x)", mode="eval").body
    call.args = [case.target_node, case.sources_node]  # type: ignore[attr-defined]
    return Cure(Rows(case, node, params).at(names, call))


def clipped(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The learner's call of `gradient` with a line behind it that keeps the gradient short."""
    stmts = [statement(call) for call in _calls(case)]
    return (
        Rows(case, stmts[0], params).stretch(["asked.exploding"], stmts[0])
        if len(stmts) == 1
        else None
    )


def behind(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What a model gave after one of its layers had run alone: the layers behind that one, called
    on what it gave.
    """
    again, source = case.node(why.params.get("twin_at")), case.source_node
    calls = isinstance(again, ast.Call) and isinstance(node, ast.Call)
    if why.params.get("variant") != "twice" or not calls or not isinstance(source, ast.Name):
        return None
    layers, layer = listed_by(case.held(again.func), "layers"), case.held(node.func)
    place = next((k for k, each in enumerate(layers) if each is layer), None)
    name = free(again, "outputs", "result", f"{source.id}_on")
    if place is None or not name or any(isinstance(n, ast.Call) for n in ast.walk(again.func)):
        return None
    lines = [
        f"{name} = {source.id}",
        f"for layer in {ast.unparse(again.func)}.layers[{place + 1}:]:",
        f"    {name} = layer({name})",
        *head_anew({again: name}),
    ]
    return Cure(lines, [statement(again)]) if len(lines) > 3 else None


def _calls(case: Case) -> list[Any]:
    """Return the calls of `gradient` of this tape, as the text has them."""
    calls: list[Any] = list(case.program.each((ast.Call,), PLAYS[0]))
    asks = [call for call in calls if getattr(call.func, "attr", "") == PLAYS[0]]
    return [call for call in asks if ast.unparse(call.func.value) in tape_names(case)]
