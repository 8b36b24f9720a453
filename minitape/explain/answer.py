"""From evidence to an answer: build the graph, find the cheapest repair, put it into words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple
from weakref import ref

from minitape.engine.ops.facts import facts_of
from minitape.program.files import file_of
from minitape.program.syntax import FUNCTIONS, above, is_play, short, statement, text_of

from . import numbers
from .case.aliases import Edge, Node, TensorInfo
from .case.case import Case
from .case.graph import ESCAPE, FURTHER, START, Break, Graph, breaks
from .case.words import Place, say, word
from .cures.cure import cure
from .cures.leaves import of_module
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
from .replay import shown

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


# what a gradient is: as what an answer may speak of it
ALLOWED = {
    "none": ("none",),
    "error": ("error",),
    "zero": ("zero", "rounding"),
    "nan": ("nan",),
    "inf": ("inf",),
    "number": ("number", "partial", "huge", "rounding"),
}


def answer(case: Case, known: Break | None = None) -> Explanation:
    """Return the `Explanation` for one source; `known`: what the asker knows of it, see
    `Recording.reason`.
    """
    if known is not None:
        return _explained(case, Cause(known))
    search = Search(case)
    answers = (question(search) for question in QUESTIONS)
    cause = next(cause for cause in answers if cause is not None)
    no_gradient = not cause.path and cause.how in ("error", "empty")  # nor was one asked for
    return _explained(case, (None if no_gradient else _against(case, cause.how)) or cause)


def unfinished(case: Case) -> Unfinished:
    """Return what is known without a search of a question that was broken off."""
    target, source = case.target_name or word("target"), case.source_name or word("source")
    return Unfinished(target, source, _call(case, _tape_name(case)))


def _against(case: Case, how: str) -> Cause | None:
    """Return that nothing is known, where the gradient is not as an answer says it is; None where
    it is, or nobody can tell.
    """
    kind, value = case.gradient
    if how in ALLOWED.get(kind, (how,)):
        return None
    params = {"variant": "raised", "error": case.failed}
    if not case.failed:
        seen = word(f"gradient.{kind}") if value is None else shown(value)
        params = {"seen": seen, "said": word(f"gradient.{how}")}
    return Cause(Break("not-explained", None, params=params), how=kind)


def _of_way(search: Search, path: list[Edge]) -> Cause:
    """Return what there is to say of the cheapest way: where it is cut, else what its number is."""
    case, broken = search.case, breaks(path)
    if broken:
        return _of_cuts(search, path, broken)
    target = case.targets[0]
    if path and all(not t.dtype.is_differentiable for t in case.targets):
        return Cause(Break("integer-cast", target.where, params={"dtype": target.dtype.name}), path)
    cause = numbers.explain(case, search.graph, search.goals)
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
            whys = [
                e.why for e in breaks(other) if e.why is not None and e.why not in (first, *also)
            ]
            also += whys[:2]
    how = "error" if first.category == "no-gradient-registered" else _unconnected(search.case)
    return Cause(first, path, how, also, broken[0])


def _unconnected(case: Case) -> str:
    """Return how a gradient is to which nothing leads: a traced function, of which another output
    is connected, gives 0, and so do some libraries.
    """
    zeros = case.tape.zeros or case.tape.original is not None
    return "zero" if zeros and case.gradient[0] == "zero" else "none"


def _explained(case: Case, cause: Cause) -> Explanation:
    why = graphs.completed(case, cause.why)
    node, path, tape = case.node(why.where), cause.path, _tape_name(case)
    _, span, code = guilty = _guilty(case, why, node)
    code = code or (case.text(why.where) if isinstance(why.where, tuple) else "")
    asked = isinstance(case.sources_node, (ast.Name, ast.Attribute))
    params = {
        "target": case.target_name or word("target"),
        "source": case.source_name or word("source"),
        "code": code,
        "made": code,
        "answer": cause.how,
        "line": span[0] if span else "…",
        "tape": tape,
        "tf": _alias(case),
        "library": case.tape.library,
        "dialect": case.tape.module,
        "many": 1,
        "cards": sum(isinstance(e.target, int) and e.label != "source" for e in path),
        "asked": case.written_sources if asked else "",
        "instead_text": "",
        **why.params,
    }
    if call := _call(case, tape):
        params["call"] = call
    params |= _variant(case, why, node, params)
    if params.get("instead"):
        words = {"new": params["instead"], "old": _called(node)}
        params["instead_text"] = say("words", "instead", "", words)
    params |= cure(case, why, node, params)
    if "places" in params and not params["cure"]:
        params["variant"] = params.get("variant") or "index"
    params |= _instead_of_gaps(params)
    suspects = [_explained(case, Cause(other)) for other in cause.also]
    refs = ref(case.tape.tape), [_weak(t) for t in case.targets], _weak(case.source)
    numbers = [
        (e.source if isinstance(e.source, int) else None, e.target, e.why and e.why.category)
        for e in path
    ]
    way = Way(*_chain(case, path, cause.cut), numbers)
    return Explanation(why, guilty, params, way, suspects, refs)


def _instead_of_gaps(params: dict[str, Any]) -> dict[str, Any]:
    """Return words for what has no name, or whose text is not to be had."""
    result: dict[str, Any] = {}
    if "over" in params:
        lines = (line.strip()[:60] for line in file_of(params["over"][0]).lines)
        result["begins"] = next(filter(None, lines), "")
    for key in ("name", "value", "twin"):
        if key in params and not params[key]:
            result[key] = word("value")
    for key in ("code", "made"):
        # no line of the learner's: what an exercise hands over
        result[key] = params[key] or Place(word("unseen"))
    return result


def _variant(case: Case, why: Break, node: Node, params: dict[str, Any]) -> dict[str, Any]:
    """Return the variant of a sentence where the text of the guilty line decides it, and what that
    speaks of besides.
    """
    if why.category == "stop-gradient" and (result := recorded.straight_through(case, node)):
        return {"variant": "straight", "passed": short(result[0]), "shown": short(result[1])}
    if why.category == "torch-no-grad-wanted" and of_module(node):
        return {"variant": "module"}
    if why.category == "variable-replaced" and node is not None:
        stmt = statement(node)
        value, targets = getattr(stmt, "value", None), getattr(stmt, "targets", [None])
        listed = isinstance(value, (ast.List, ast.ListComp)) and isinstance(stmt, ast.Assign)
        if listed and not isinstance(targets[0], (ast.List, ast.Tuple)):
            return {"made": text_of(stmt), "variant": "list"}
        return {"made": text_of(stmt), **({"variant": "cut"} if is_cut(value) else {})}
    if why.category == "piecewise-constant" and "variant" not in params:
        return _kind_of_step(node, params)
    histogram = _called(node).rpartition(".")[2] == "histogram" and not params.get("variant")
    return {"variant": "bins"} if histogram and why.category == "numpy-escape" else {}


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


def _call(case: Case, tape: str) -> str:
    """Return the call that asks for the explanation, or "" where something has no name."""
    target, source = case.target_name, case.written_sources
    named = tape and target and source
    return case.dialect.asks.format(tape=tape, target=target, source=source) if named else ""


def _weak(info: TensorInfo) -> Any:
    """Return a weak reference to a tensor or variable; of what else a learner has in hand nothing
    is kept.
    """
    return ref(info.object) if info.id is not None else lambda: None


COUNTS = ("accuracy", "in_top_k", "confusion_matrix")


def _kind_of_step(node: Node, params: dict[str, Any]) -> dict[str, str]:
    """Return what to say of an operation that moves in steps: it stands in a hand-written rule,
    is the slope of straight pieces, takes a shape alone, counts what is right, or reads bits.
    """
    if is_play(node):
        return {"variant": "pieces"}
    rule = above(node, FUNCTIONS) if node is not None else None
    owner: Any = above(rule, FUNCTIONS) if rule is not None else None
    if any("custom_gradient" in text_of(d) for d in getattr(owner, "decorator_list", ())):
        return {"variant": "rule", "name": owner.name}
    if _called(node).rpartition(".")[2].endswith(COUNTS):
        return {"variant": "count"}
    if facts_of(params["op"]).bends == "drawn":
        return {"variant": "shifted" if params["op"] == "torch.normal" else "drawn"}
    if facts_of(params["op"]).bends == "flat":
        return {"variant": "shape"}
    return {"variant": "bits" if params["op"] == "Bitcast" else ""}


def _called(node: Node) -> str:
    return text_of(node.func) if isinstance(node, ast.Call) else ""


def _tape_name(case: Case) -> str:
    return next(iter(outside.tape_names(case)), case.dialect.recording)


def _alias(case: Case) -> str:
    imports = (item for file in case.program.trees() for item in file.imports.items())
    named = (name for name, module in imports if module == case.tape.module)
    return next(named, case.dialect.alias)


def _chain(case: Case, path: Sequence[Edge], cut: Edge | None) -> tuple[list[str], int | None]:
    """Return the steps from the source to the target as texts, and after which step the cut is."""
    if not path:
        return [], None
    steps, at = [case.source_name or word("source")], 0 if path[0] is cut else None
    if len(path) > 40:  # a long way is shown at its ends and at the cut
        middle = next((k for k, edge in enumerate(path) if edge is cut), 0)
        shown = {*range(8), *range(middle - 7, middle + 8), *range(len(path) - 8, len(path))}
        path = [path[k] for k in sorted(shown) if 0 <= k < len(path)]
    for edge in path[1:] if path[0].source == START else path:
        at = len(steps) - 1 if edge is cut else at
        made = case.evidence.maker.get(edge.target) if isinstance(edge.target, int) else None
        if len(steps) == 1 and made is not None and made.op == "ReadVariableOp":
            continue  # the source again, as its layer calls it
        name = _step(case, edge)
        if name and name != steps[-1]:
            steps.append(name)
    if len(steps) <= 9:
        return steps, at
    kept = [k for k in range(len(steps)) if abs(k - (at or 0)) <= 2 or k < 1 or k > len(steps) - 2]
    return [steps[k] for k in kept], None if at is None else kept.index(at)


def _step(case: Case, edge: Edge) -> str:
    """Return what the value at the end of an edge is called on its way, or ""."""
    if edge.label in (ESCAPE, FURTHER) and edge.why is not None:
        return f"{edge.why.params.get('left')} … {edge.why.params.get('back')}"
    name = case.label(edge.target) if isinstance(edge.target, (int, float)) else ""
    return name or (case.text(edge.where, 30) if edge.where is not None else "")
