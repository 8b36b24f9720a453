"""Nothing connects source and target: a constant slope, a branch that was not taken, an unused
source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from minitape.program.names import all_names
from minitape.program.syntax import FUNCTIONS, above, statement, text_of

from ..case.aliases import Case, Graph, Happened, Node, TensorInfo
from ..case.graph import Break, breaks
from ..case.words import listed
from . import branches

# what comes through these is only added
ADDS = ("ReadVariableOp", "Add", "AddV2", "BiasAdd", "Sub", "Identity", "Reshape", "Sum", "Mean")


def reasons(case: Case, graph: Graph, goals: set[int]) -> Iterator[Break]:
    """Return the breaks that explain why there is no path at all, best first."""
    yield from _constant_slope(case, graph, goals)
    yield from branches.reasons(case)
    yield from _compiled(case, graph, goals)


def not_used(case: Case, target: TensorInfo, graph: Graph) -> Break:
    """Return the break that says so: the target is computed without the source."""
    evidence, leading = case.evidence, graph.leading_to({target.id})
    if graph.path(target.id, {case.source.id}):
        ran = evidence.maker.get(case.source.id)
        where = ran.where if ran is not None else case.call
        return Break("not-used", where, params={"variant": "downstream"})
    made = [evidence.maker[number] for number in leading if number in evidence.maker]
    own = [ran for ran in made if ran.op == "CustomGradient"]
    if own:
        where = min(own, key=lambda ran: ran.order).where
        return Break("not-used", where, params={"made": case.text(where), "variant": "rule"})
    ran = evidence.maker.get(target.id)
    where = ran.where if ran is not None else None if target.is_variable else target.where
    params: dict[str, Any] = {"made": case.text(where), "made_line": case.line(where)}
    if case.source.id in evidence.used:
        params |= _end(case, graph, ran.order if ran is not None else evidence.last)
        where = params.pop("at", where)
    else:
        maker = case.node(case.source.where) if case.source.is_variable else None
        owned = maker is not None and above(maker, ast.ClassDef) is not None
        variables = evidence.variables()
        names = [case.label_of(v) for number, v in variables.items() if number in leading]
        watched = [note.about["id"] for note in evidence.of("watch")]
        names += [case.label(n) for n in watched if n in leading - variables.keys()]
        names = list(dict.fromkeys(filter(None, names)))
        where = maker if owned else where  # of a layer: its place, as the loss holds no fault
        params["known"] = listed(names) if names else ""
        params["variant"] = "owned" if owned else "known" if names else "constant"
    return Break("not-used", where if where is not None else case.call, params=params)


def _end(case: Case, graph: Graph, before: int) -> dict[str, Any]:
    """Return what is said of a source that was used: where the way from it ends, and whether the
    result there gets no name at all. `at` is where to look, if not at the target: at what ran
    `before` it, and is not read.
    """
    reached = graph.open_from(case.source.id)
    ends = [ran for ran in case.evidence.ran if not reached.isdisjoint(ran.outputs)]
    end = case.node(ends[-1].where) if ends else None
    if end is None:
        return {"variant": "elsewhere"}
    stmt = statement(end)
    left = any(case.node(escape.where) is end for escape in case.evidence.of("escape"))
    dropped = isinstance(stmt, ast.Expr) and stmt.value is end
    variant = "ends.left" if left else "dropped" if dropped else "ends"
    params = {"variant": variant, "end": case.text(end), "end_line": end.lineno}
    if (
        ends[-1].order < before
        and not left
        and (dropped or isinstance(stmt, ast.Return) or _unread(case, end))
    ):
        params["at"] = end
        params["variant"] = "dropped" if dropped else "ends.there"
    return params


def _compiled(case: Case, graph: Graph, goals: set[int]) -> Iterator[Break]:
    """A compiled function took in what comes from the source; and on the way to the target there is
    a later value that nobody made.
    """
    unmade = graph.leading_to(goals) - case.evidence.maker.keys() - case.evidence.variables().keys()
    for ran in case.evidence.ran if unmade else ():
        if ran.about.get("blocks") != "torch-compiled":
            continue
        way = graph.path(case.source.id, {*ran.inputs})
        if way and any(n > ran.outputs[0] for n in unmade & case.evidence.living.keys()):
            cut = next((edge.why for edge in breaks(way) if edge.why is not None), None)
            yield cut or Break("torch-compiled", ran.where, params={"op": ran.op})


def _unread(case: Case, node: Node) -> bool:
    """True where the value of an expression has a name, and the text reads it nowhere."""
    names = all_names(node)
    return bool(names) and not any(
        isinstance(n.ctx, ast.Load)
        and text_of(n) in names
        and (not isinstance(n, ast.Name) or case.same_scope(n, node))
        for name in names
        for n in case.program.each((ast.Name, ast.Attribute), name.rpartition(".")[2])
    )


def _constant_slope(case: Case, graph: Graph, goals: set[int]) -> Iterator[Break]:
    """The target is (made of) a slope that an inner tape found, and that slope does not depend on
    the source.
    """
    goals = set(goals)
    for note in reversed(case.evidence.of("gradient")):  # of a slope, too, a slope can be asked
        targets, sources = note.about["targets"], note.about["sources"]
        for source, gradient in zip(sources, note.about["gradients"]):
            if gradient is None or not (gradient in goals or graph.path(gradient, goals)):
                continue
            goals.update(targets)
            if case.source.id in targets:
                params = {"made": case.text(note.where), "variant": "slope"}
                yield Break("not-used", note.where, params=params)
            elif case.source.id in sources or any(graph.path(case.source.id, {t}) for t in targets):
                by_hand = filter(None, (_own_rule(case, graph, t) for t in targets))
                yield next(by_hand, None) or _slope(case, graph, note, source)


def _slope(case: Case, graph: Graph, note: Happened, source: int) -> Break:
    """Return the break for a slope that does not depend on the source, although what it is the
    slope of does.
    """
    target = note.about["targets"][0]
    params: dict[str, Any] = {"made": case.text(note.where), "inner": case.label(target)}
    if source == case.source.id:
        return Break("constant-gradient", note.where, params={**params, "variant": ""})
    way = graph.path(case.source.id, {target}) or []
    if way and all(edge.label in ADDS for edge in way):
        params.update(variant="added", made_line=case.line(note.where))
        return Break("constant-gradient", way[-1].where, params=params)
    return Break("constant-gradient", note.where, params={**params, "variant": "mixed"})


def _own_rule(case: Case, graph: Graph, target: int) -> Break | None:
    """Return the break for a rule of `custom_gradient` on the way to the inner target: the slope
    that it gives has no slope itself.
    """
    for edge in graph.path(case.source.id, {target}) or ():
        made = case.evidence.maker.get(edge.target) if isinstance(edge.target, int) else None
        if made is not None and made.op == "CustomGradient":
            name = made.about["name"]
            named = [f for f in case.program.each((ast.FunctionDef,), name) if f.name == name]
            slopes = [_slope_of(function) for function in named if function.decorator_list]
            where = (slopes or [None])[0] or made.where
            return Break("custom-gradient-constant", where, params={"name": name})
    return None


def _slope_of(function: Node) -> Node:
    """Return what the rule inside of a function with `custom_gradient` gives: the value of its last
    `return`, or None.
    """
    nodes = list(ast.walk(function))
    values = [
        n.value for n in nodes if isinstance(n, ast.Return) and above(n, FUNCTIONS) is function
    ]
    rules: list[Any] = [v.elts[1] for v in values if isinstance(v, ast.Tuple) and len(v.elts) == 2]
    if not rules or isinstance(rules[-1], ast.Lambda):
        return rules[-1].body if rules else None
    named = [f for f in nodes[1:] if isinstance(f, ast.FunctionDef)]
    named = [f for f in named if f.name == getattr(rules[-1], "id", "")]
    inner = [n for f in named[-1:] for n in ast.walk(f) if isinstance(n, ast.Return)]
    return next((n.value for n in reversed(inner) if n.value is not None), None)
