"""From evidence to an answer: build the graph, find the cheapest repair, put it into words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

from minitape.engine.ops.facts import facts_of
from minitape.program.files import file_of
from minitape.program.syntax import FUNCTIONS, above, is_play, short, statement, text_of

from . import claims, numbers
from .case.case import Case
from .case.graph import ESCAPE, FURTHER, START, Break, Graph, breaks
from .case.words import Place, say, word
from .cures.cure import cure
from .cures.rewritten import is_cut
from .explanation import Explanation, Guilty, Unfinished, Way
from .reasons import (
    absent,
    escapes,
    graphs,
    inner,
    not_tensors,
    objects,
    outside,
    recorded,
    start,
    state,
    steps,
    threads,
)

if TYPE_CHECKING:
    from .case.aliases import Edge, Evidence, Node, TensorInfo, Where

# Of two that tell of one value the first is believed; what was recorded comes second.
FAMILIES = (
    start.edges,
    state.edges,
    escapes.edges,
    objects.edges,
    inner.edges,
    outside.edges,
    threads.edges,
)


class Cause(NamedTuple):
    """What a question has shown: the reason; the way from source to target, and where it is cut;
    `how` the gradient is, a key of the sentences `answer.…`; further reasons.
    """

    why: Break
    path: Sequence[Edge] = ()
    how: str = "none"
    also: Sequence[Break] = ()
    cut: Edge | None = None


class Search:
    """The graph of what happened to the source, as far as the questions have widened it."""

    def __init__(self, case: Case) -> None:
        self.case, self.graph = case, Graph(())
        self.goals = {number for t in case.targets for number in (t.id, t.tensor)}

    @cached_property
    def beside(self) -> list[list[Edge]]:
        """What each family knows."""
        return [list(family(self.case)) for family in FAMILIES]

    def way(self, *edges: Iterable[Edge]) -> Cause | None:
        """Make the graph of these edges; return what there is to say of the cheapest way, if there
        is one.
        """
        self.graph = Graph(chain(*edges))
        path = self.graph.path(START, self.goals)
        return None if path is None else _of_way(self, path)

    @cached_property
    def everything(self) -> list[Edge]:
        """All edges, those from values that nobody made among them."""
        first, *others = self.beside
        return [*first, *recorded.edges(self.case), *chain(*others)]


# ---- the questions


def of_tensors(search: Search) -> Cause | None:
    """Are target and source tensors at all?"""
    for why in not_tensors.reasons(search.case):
        return Cause(why, how="empty" if why.category == "no-sources" else "error")
    return None


def of_the_tape(search: Search) -> Cause | None:
    """Did the tape record, and has it still what it recorded?"""
    tape, used = search.case.tape, search.case.evidence.of("used")
    if not search.case.evidence.blocks:
        return Cause(Break("tape-never-entered", tape.where), how="error")
    return Cause(Break("tape-used", used[-1].where), how="error") if used else None


def of_the_library(search: Search) -> Cause | None:
    """Does the library know why it has kept no gradient, whatever ran?"""
    case = search.case
    known = case.tape.reason(case.source) if case.source.id in case.evidence.missing else None
    return None if known is None else Cause(known)


def of_itself(search: Search) -> Cause | None:
    """Is the target the source? Its gradient is 1, whether it was watched or not."""
    itself = search.case.source.id in search.goals and search.case.gradient[0] == "number"
    return _of_way(search, []) if itself else None


def of_what_was_seen(search: Search) -> Cause | None:
    """Is there a way over what the tape saw? Where is it cut?"""
    first, *others = search.beside
    entered = {edge.target for edges in search.beside for edge in edges}
    return search.way(first, recorded.edges(search.case, entered), *others)


def of_what_did_not_run(search: Search) -> Cause | None:
    """Did something stay away: a branch, a call, the right name?"""
    search.graph = Graph(search.everything)
    return next(map(Cause, absent.reasons(search.case, search.graph, search.goals)), None)


def of_guesses(search: Search) -> Cause | None:
    """Is there a way that only the text suggests?"""
    guesses = [family(search.case, guess=True) for family in (escapes.edges, objects.edges)]
    return search.way(search.everything, *guesses)


def of_the_source(search: Search) -> Cause | None:
    """Could anything flow from the source at all?"""
    why = start.why_not(search.case)
    return Cause(why) if why is not None and why.category in OF_THE_SOURCE else None


def of_arrays(search: Search) -> Cause | None:
    """Did an array from before the recording come in, instead of the source?"""
    return next(map(Cause, outside.arrays(search.case, search.graph, search.goals)), None)


def of_its_use(search: Search) -> Cause:
    """Is the target computed without it?"""
    case, graph = search.case, search.graph
    why, others = (
        absent.not_used(case, case.targets[0], graph),
        escapes.suspects(case, graph, search.goals),
    )
    # one way out, one way in: what the text does not tell is very likely so
    if len(others) == 1:
        return Cause(others[0], how=_unconnected(case))
    if others:  # it left the library, and the text does not tell whether it came back
        why = why._replace(certain=False, params={**why.params, "variant": "left"})
    return Cause(why, how=_unconnected(case), also=others)


# The first that finds something answers.
QUESTIONS: tuple[Callable[[Search], Cause | None], ...] = (
    of_tensors,
    of_the_tape,
    of_the_library,
    of_itself,
    of_what_was_seen,
    of_what_did_not_run,
    of_guesses,
    of_the_source,
    of_arrays,
    of_its_use,
)
OF_THE_SOURCE = ("integer-dtype", "string-dtype", "not-trainable", "variable-replaced")


def answer(
    evidence: Evidence,
    targets: list[Any],
    source: Any,
    asked: Where,
    index: int,
    names: dict[str, int],
    many: int | None = None,
    known: Break | None = None,
) -> Explanation:
    """Return the `Explanation` for one source: that with number `index` of `many`, where a
    structure was given; `known`: what the asker knows of it, see `Recording.reason`.

    `targets`, `source`: each a `TensorInfo`, or `NotATensor` where it is no tensor.
    """
    case = Case(evidence, targets, source, asked, index, names, many)
    if known is not None:
        return _explained(case, known)
    search = Search(case)
    answers = (question(search) for question in QUESTIONS)
    cause = next(cause for cause in answers if cause is not None)
    if cause.path or cause.how not in ("error", "empty"):  # what was asked is no gradient
        unknown = claims.against(case, cause.how)
        if unknown is not None:
            return _explained(case, unknown, how=case.gradient[0])
    return _explained(case, *cause)


def unfinished(
    evidence: Evidence,
    targets: list[Any],
    source: Any,
    asked: Where,
    index: int,
    names: dict[str, int],
    many: int | None = None,
) -> Unfinished:
    """Return what is known without a search of a question that was broken off."""
    evidence.program.until = None
    case = Case(evidence, targets, source, asked, index, names, many)
    return Unfinished(
        case.target_name or word("target"),
        case.source_name or word("source"),
        _call(case, _tape_name(case)),
    )


def _of_way(search: Search, path: list[Edge]) -> Cause:
    """Return what there is to say of the cheapest way: where it is cut, else what its number is."""
    case, broken = search.case, breaks(path)
    if broken:
        return _of_cuts(search, path, broken)
    target = case.targets[0]
    if path and all(not t.dtype.is_differentiable for t in case.targets):
        return Cause(Break("integer-cast", target.where, params={"dtype": target.dtype.name}), path)
    cause = numbers.explain(case, search.graph, search.goals, path)
    if cause is not None:
        return Cause(cause[0], path, *cause[1:])
    # then only the way is known
    gone = not case.gradient[0] and not case.tape.holds_arrays
    return Cause(Break("healthy", None, params={"variant": "gone"} if gone else {}), path, "number")


def _of_cuts(search: Search, path: list[Edge], broken: list[Edge]) -> Cause:
    if broken[0].label == FURTHER:  # what else is cut on this way
        leaps = {id(e) for each in search.graph.after.values() for e in each if e.label == FURTHER}
        whole = search.graph.path(START, search.goals, forbidden=leaps)
        if whole is not None and breaks(whole)[0].where == broken[0].where:
            path, broken = whole, breaks(whole)
    first, *others = steps.reasons(search.case, path)
    also = list({why.where: why for why in others if why.where != first.where}.values())
    if first.certain:
        first = first._replace(params={**first.params, "further": "further"})
    else:  # other repairs that would do as well
        other = search.graph.path(START, search.goals, forbidden={id(broken[0])})
        if other is not None:
            also += [why for why in _whys(breaks(other)) if why not in also and why != first][:2]
    how = "error" if first.category == "no-gradient-registered" else _unconnected(search.case)
    return Cause(first, path, how, also, broken[0])


def _unconnected(case: Case) -> str:
    """Return how a gradient is to which nothing leads: a traced function, of which another output
    is connected, gives 0, and so do some libraries.
    """
    zeros = case.tape.zeros or case.tape.original is not None
    return "zero" if zeros and case.gradient[0] == "zero" else "none"


def _whys(edges: Iterable[Edge]) -> list[Break]:
    return [edge.why for edge in edges if edge.why is not None]


def _explained(
    case: Case,
    why: Break,
    path: Sequence[Edge] = (),
    how: str = "none",
    also: Sequence[Break] = (),
    cut: Edge | None = None,
) -> Explanation:
    why = graphs.completed(case, why)
    node = case.node(why.where)
    _, span, code = guilty = _guilty(case, why, node)
    params = {
        "target": case.target_name or word("target"),
        "source": case.source_name or word("source"),
        "code": code,
        "answer": how,
        "line": span[0] if span else "…",
        "tape": _tape_name(case),
        "tf": _alias(case),
        "library": case.tape.library,
        "dialect": case.tape.module,
        "many": 1,
        "cards": sum(isinstance(e.target, int) and e.label != "source" for e in path),
        **why.params,
    }
    if not code and isinstance(why.where, tuple):
        params["code"] = case.text(why.where)
    params.setdefault("made", params["code"])
    params["asked"] = (
        _asked_for(case) if isinstance(case.sources_node, (ast.Name, ast.Attribute)) else ""
    )
    if call := _call(case, params["tape"]):
        params["call"] = call
    _choose_variant(case, why, node, params)
    params["instead_text"] = (
        say("words", "instead", "", {"new": params["instead"], "old": _called(node)})
        if params.get("instead")
        else ""
    )
    params |= cure(case, why, node, params)
    if "places" in params and not params["cure"]:
        params["variant"] = params.get("variant") or "index"
    _without_gaps(params)
    suspects = [_explained(case, other) for other in also]
    refs = ref(case.tape.tape), [_weak(t) for t in case.targets], _weak(case.source)
    ways = [
        (e.source if isinstance(e.source, int) else None, e.target, e.why and e.why.category)
        for e in path
    ]
    return Explanation(why, guilty, params, Way(*_chain(case, path, cut), ways), suspects, refs)


def _guilty(case: Case, why: Break, node: Node) -> Guilty:
    """Return the guilty expression, as far as the text is to be had."""
    if node is None and isinstance(why.where, tuple):
        line = case.line(why.where)
        return Guilty(case.program.file_of(why.where), (line, 0, line, 0) if line else None)
    if node is None:
        return Guilty()
    file, shown = node.file, node
    position = (file.filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
        shown = statement(node)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.end_lineno or 0) > (node.func.value.end_lineno or 0)
    ):
        position = (
            position[0],
            node.func.end_lineno,
            (node.func.end_col_offset or 0) - len(node.func.attr) - 1,
            *position[3:],
        )
    span = file.span(position)
    return Guilty(file, span, file.snippet(span) if shown is node else text_of(shown))


def _choose_variant(case: Case, why: Break, node: Node, params: dict[str, Any]) -> None:
    """Choose the variant of a sentence where the text of the guilty line decides it."""
    if why.category == "stop-gradient" and (result := recorded.straight_through(case, node)):
        params.update(variant="straight", passed=short(result[0]), shown=short(result[1]))
    if node is not None and why.category == "variable-replaced":
        stmt = statement(node)
        params["made"] = text_of(stmt)
        if (
            isinstance(getattr(stmt, "value", None), (ast.List, ast.ListComp))
            and isinstance(stmt, ast.Assign)
            and not isinstance(stmt.targets[0], (ast.List, ast.Tuple))
        ):
            params["variant"] = "list"
        elif is_cut(getattr(stmt, "value", None)):
            params["variant"] = "cut"
    if why.category == "piecewise-constant":
        params.setdefault("variant", _kind_of_step(node, params))
    if (
        why.category == "numpy-escape"
        and _called(node).rpartition(".")[2] == "histogram"
        and not params.get("variant")
    ):
        params["variant"] = "bins"


def _without_gaps(params: dict[str, Any]) -> None:
    """Put words where a name or a text is not to be had."""
    if "over" in params:
        params["begins"] = next(
            (line.strip()[:60] for line in file_of(params["over"][0]).lines if line.strip()), ""
        )
    for key in ("name", "value", "twin"):
        if key in params and not params[key]:
            params[key] = word("value")
    for key in ("code", "made"):
        # no line of the learner's: what an exercise hands over
        params[key] = params[key] or Place(word("unseen"))


def _asked_for(case: Case) -> str:
    """Return how the program writes what it asks for."""
    if case.many is None:
        return case.source_name
    return short(case.sources_node, 60) if case.sources_node is not None else ""


def _call(case: Case, tape: str) -> str:
    """Return the call that asks for the explanation, or "" where something has no name."""
    asked_for = _asked_for(case)
    return (
        case.dialect.asks.format(tape=tape, target=case.target_name, source=asked_for)
        if tape and case.target_name and asked_for
        else ""
    )


def _weak(info: TensorInfo) -> Any:
    """Return a weak reference to a tensor or variable; of what else a learner has in hand nothing
    is kept.
    """
    return ref(info.object) if info.id is not None else lambda: None


COUNTS = ("accuracy", "in_top_k", "confusion_matrix")


def _kind_of_step(node: Node, params: dict[str, Any]) -> str:
    """Return what to say of an operation that moves in steps: it stands in a hand-written rule,
    is the slope of straight pieces, takes a shape alone, counts what is right, or reads bits.
    """
    if is_play(node):
        return "pieces"
    rule = above(node, FUNCTIONS) if node is not None else None
    owner: Any = above(rule, FUNCTIONS) if rule is not None else None
    if any("custom_gradient" in text_of(d) for d in getattr(owner, "decorator_list", ())):
        params["name"] = owner.name
        return "rule"
    if _called(node).rpartition(".")[2].endswith(COUNTS):
        return "count"
    if facts_of(params["op"]).bends == "flat":
        return "shape"
    return "bits" if params["op"] == "Bitcast" else ""


def _called(node: Node) -> str:
    return text_of(node.func) if isinstance(node, ast.Call) else ""


def _tape_name(case: Case) -> str:
    names = outside.tape_names(case)
    return names[0] if names else case.dialect.recording


def _alias(case: Case) -> str:
    for file in case.program.trees():
        for name, module in file.imports.items():
            if module == case.tape.module:
                return name
    return case.dialect.alias


def _chain(case: Case, path: Sequence[Edge], cut: Edge | None) -> tuple[list[str], int | None]:
    """Return the steps from the source to the target as texts, and after which step the cut is."""
    if not path:
        return [], None
    steps, at = [case.source_name or word("source")], None
    if len(path) > 40:  # a long way is shown at its ends and at the cut
        middle = (
            next((k for k, edge in enumerate(path) if edge is cut), 0) if cut is not None else 0
        )
        shown = {*range(8), *range(middle - 7, middle + 8), *range(len(path) - 8, len(path))}
        path = [path[k] for k in sorted(shown) if 0 <= k < len(path)]
    for edge in path[1:] if path[0].source == START else path:
        if edge is cut:
            at = len(steps) - 1
        name = ""
        if isinstance(edge.target, int):
            made = case.evidence.maker.get(edge.target)
            if len(steps) == 1 and made is not None and made.op == "ReadVariableOp":
                continue  # the source again, as its layer calls it
        if isinstance(edge.target, (int, float)):
            name = case.label(edge.target)
        if edge.label in (ESCAPE, FURTHER) and edge.why is not None:
            name = f"{edge.why.params.get('left')} … {edge.why.params.get('back')}"
        if not name and edge.where is not None:
            name = case.text(edge.where, 30)
        if name and name != steps[-1]:
            steps.append(name)
    if path and path[0] is cut:
        at = 0
    if len(steps) > 9:
        keep = at if at is not None else 0
        middle = [
            s for k, s in enumerate(steps) if abs(k - keep) <= 2 or k < 1 or k > len(steps) - 2
        ]
        at = middle.index(steps[keep]) if at is not None else None
        steps = middle
    return steps, at
