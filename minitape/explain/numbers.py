"""Surprising numbers: zero, NaN, infinite or huge gradients, a sum where a list was meant, a
missing term.

A None can be explained from the entries alone; a number cannot. So the tape is played again with
the generator that `gradient` uses, and the inputs and outputs of every entry are examined. The
arrays exist before `gradient`, on a persistent tape, and after a `gradient` whose result was
surprising.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.engine.surprises import stretches
from minitape.program.objects import has
from minitape.program.syntax import FUNCTIONS, above, is_play, names_used, operands, text_of

from .again import failing, made_unrecorded, overflow, underflow
from .case.aliases import Case, Edge, Graph, Node, Step
from .case.graph import ESCAPE, FURTHER, START, Break, breaks
from .case.words import say, word
from .reasons import batch, escapes, labels, same_object, scaled, steps
from .reasons.graphs import own_function
from .replay import Replay, finite, kind_of

HUGE = 1e8
# what gives nothing back for an input
DROPS = {"CustomGradient": "custom-gradient-none", "torch.compile": "torch-compiled"}
SMALL = 1e-6  # a gradient that may be rounding alone
TERMS = (
    "numpy-escape",
    "python-escape",
    "watched-too-late",
    "variable-made-anew",
    "carried-over",
    "outer-tape-late",
    "computed-before",
)
LATE = ("watched-too-late", "outer-tape-late", "computed-before")
# a constant that is only added is of no use to a loss
ADDS = ("Add", "AddN", "Sum", "Mean", "Identity")


def explain(case: Case, graph: Graph, goals: set[int]) -> Any:
    """Return `(break, how, further breaks)` for a gradient that is a number, or None where nothing
    surprises.
    """
    replay = replayed(case)
    if replay is not None and replay.result is None:
        return dropped(case, replay)
    reach = graph.open_from(START)
    label = next(labels.reasons(case, reach), None)
    if replay is not None and np.size(replay.result):
        size = float(np.abs(replay.result).max())
        if size == 0:
            return of_zero(case, replay, graph, goals, label)
        if not (finite(size) and all(finite(t.value) for t in case.targets)):
            return not_finite(case, replay)
        flat = zero(case, replay) if size < SMALL and replay.round() else None
        if flat is not None and flat[0].category == "zero-cancel":
            return flat[0], "rounding"
        if size > HUGE and (grown := huge(replay)) is not None:
            return grown, "huge"
    if (missing := partial(case, graph, goals) or steps.beside(case)) is not None:
        return missing, "partial"
    whys = chain(
        stretched_both(case, replay) if replay is not None else (),
        upstream_not_used(case, replay),
        [label] if label is not None else (),
        same_object.reasons(case),
        scaled.reasons(case, reach),
        batch.reasons(case),
        summed(case),
    )
    return next(((why, "number") for why in whys), None)


def of_zero(case: Case, replay: Replay, graph: Graph, goals: set[int], label: Break | None) -> Any:
    """Tell of a gradient that is zero everywhere; `label`: what is known of a label of its own."""
    if label is not None and label.params.get("variant") == "itself":
        return label, "zero"
    flat, missing = zero(case, replay), partial(case, graph, goals)
    if missing is not None:
        return missing, "zero", [flat[0]] if flat else []
    if flat is None:
        return None
    if (twin := next(same_object.reasons(case), None)) is not None:
        return twin, "zero", [flat[0]]  # the difference of a thing and itself
    stretched = stretched_both(case, replay) if flat[0].category == "zero-cancel" else ()
    return next(((why, "zero") for why in stretched), flat)


def replayed(case: Case) -> Replay | None:
    """Play the tape once more, unseen by any other tape; return a `Replay`, or None where the
    arrays are gone.
    """
    kind, result = case.gradient
    if not case.tape.holds_arrays or kind in ("", "error"):
        return None
    if case.tape.original is not None:
        with np.errstate(all="ignore"):
            (result,) = case.tape.adjoints(case.targets, [case.source])

    def steps() -> list[Step]:
        with np.errstate(all="ignore"):
            return case.tape.replay(case.targets, [case.source])[0]

    return Replay(case.evidence.recorded, case.tape, steps, result, case.source.id)


def dropped(case: Case, replay: Replay) -> Any:
    """All entries are there, and still nothing arrives: a rule gave nothing for its input when it
    ran.
    """
    own: list[Break] = []
    others: list[Break] = []
    for step in reversed(replay.steps):
        entry, given = replay.entries[step.index], {part.input for part in step.parts}
        missing = [n for i, n in enumerate(entry.inputs) if i not in given]
        if not replay.downstream.isdisjoint(missing):
            custom = entry.op == "CustomGradient"
            category = DROPS.get(entry.op, "piecewise-constant")
            params = {"op": entry.op}
            if name := own_function(case, entry.op):
                category = "custom-gradient-none"
                params |= {"variant": "function", "name": name}
            (own if custom or name else others).append(Break(category, entry.where, params=params))
    result = own or others
    return (result[0], "none", result[1:3]) if result else None


# ---- not finite


def not_finite(case: Case, replay: Replay) -> Any:
    """Name the first operation that made a NaN or an infinity: on the way forward, or in the play
    backwards.
    """
    how = "number" if finite(replay.result) else kind_of([replay.result])
    step = replay.first_bad_step()
    chosen = replay.select_after(step.index) if step is not None else None
    target_fine = all(finite(t.value) for t in case.targets)
    if step is not None and chosen is not None and target_fine:
        entry, select = replay.entries[step.index], replay.entries[chosen].where
        params: dict[str, Any] = {
            "op": entry.op,
            "where_text": case.text(select),
            "where_line": case.line(select),
            "select": select,
        }
        return Break("where-nan", entry.where, params=params), how
    origin = replay.first_bad_value(None if step is None else step.index)
    # the first bad step looks clean forward, but the target is not
    if origin is None and not target_fine:
        origin = replay.first_bad_value(None)
    if origin is not None:
        return made_forward(case, replay, *origin), how
    if step is None:
        return None
    entry, large = replay.entries[step.index], overflow(replay, step)
    if large is not None:
        return Break("overflow", entry.where, params={"op": entry.op, **large}), how
    params = {
        "op": entry.op,
        "value": replay.shown_inputs(step.index),
        "variant": "root" if facts_of(entry.op).called.endswith("sqrt") else "",
        "element": of_element(case, replay, step.index, True)["element"],
    }
    return Break(f"{how}-backward", entry.where, params=params), how


def made_forward(case: Case, replay: Replay, index: int, number: int | None, kind: str) -> Break:
    """Return the break for an entry that made the first number which is not finite, or was given
    it as the input `number`.
    """
    entry = replay.entries[index]
    params: dict[str, Any] = {
        "op": entry.op,
        "kind": "NaN" if kind == "nan" else word("infinity"),
        "name": case.label(number) if number else "",
    }
    if number is not None:
        unrecorded = made_unrecorded(case, number, str(params["kind"]))
        return unrecorded or Break("nan-input", entry.where, params=params)
    alone = replay.alone_on_its_axis(index) if "Div" in entry.op else None
    if alone is not None:
        params |= {"variant": "axis", "made": case.text(entry.where)}
        params["made_line"] = case.line(entry.where)
        return Break(f"{kind}-forward", replay.entries[alone].where, params=params)
    params |= failing(entry.op)
    params |= of_element(case, replay, index, params["variant"] == "domain")
    return Break(f"{kind}-forward", entry.where, params=params)


def of_element(case: Case, replay: Replay, index: int, stated: bool = False) -> dict[str, str]:
    """Return the sentences on the guilty element of an entry, and on what becomes of it; `stated`
    where the domain is told already.
    """
    domain, bad = facts_of(replay.entries[index].op).domain, replay.bad_element(index)
    said = [say("words", "defined", "", {"domain": domain})] if domain and not stated else []
    if bad is not None and (bad[0] or domain):
        place, value = bad
        said += [say("words", "element", "" if place else "one", {"place": place, "value": value})]
    mask = replay.thrown_away(index) if all(finite(t.value) for t in case.targets) else None
    if mask is not None:
        where = replay.entries[mask].where
        params = {"mask": case.text(where), "mask_line": case.line(where)}
        said += [say("words", "masked", "", params)]
    rest = "" if mask is not None else " " + say("words", "spreads")
    return {"element": "".join(f" {each}" for each in said), "rest": rest}


# ---- zero


def zero(case: Case, replay: Replay) -> Any:
    """Tell a flat place from parts that cancel."""
    result = replay.why_zero()
    if not result:
        return None
    kind, index, detail = result[0]
    entry = replay.entries[index]
    small = (underflow(replay, index, i) for i in (detail if kind != "cancel" else ()))
    if (why := next(filter(None, small), None)) is not None:
        return why, "zero"
    if kind == "cancel":
        return _cancelled(case, replay, index, detail), "zero"
    if kind == "sum":
        params = {"op": entry.op, "variant": "softmax" if gives_shares(entry.op) else "sum"}
        return Break("zero-cancel", entry.where, params=params), "zero"
    if facts_of(entry.op).bends == "drawn":
        return Break("piecewise-constant", entry.where, params={"op": entry.op}), "zero"
    others = [
        Break("zero-flat", replay.entries[i].where, params=flat_params(case, replay, i))
        for k, i, _ in result[1:4]
        if k == "flat" and replay.entries[i].where != entry.where
    ]
    params = flat_params(case, replay, index)
    where = flat_at(case, replay, index) if params["variant"] == "pieces" else entry.where
    if where is not entry.where:
        there = {"play": case.text(entry.where), "play_line": case.line(entry.where)}
        params |= {"variant": "pieces.there", **there}
    return Break("zero-flat", where, params=params), "zero", others


def _cancelled(case: Case, replay: Replay, index: int, parts: list[str]) -> Break:
    """Return the break for parts of several entries that add up to zero, and meet in one."""
    entry, (values, outputs) = replay.entries[index], replay.kept[index]
    where, texts = entry.where, " + ".join(f"({p})" if p.startswith("-") else p for p in parts)
    params = {"parts": texts, "count": len(parts), "variant": ""}
    if len(values) == 2 and np.array_equal(*values) and replay.alike(*entry.inputs):
        left, right = map(case.label, entry.inputs)
        params |= {"variant": "alike", "left": left, "right": right}
    elif entry.op == "Sub" and mirrored(outputs[0]):
        params |= {"variant": "pairs", "pairs": case.text(where), "pairs_line": case.line(where)}
        where = case.targets[0].where
    return Break("zero-cancel", where, params=params)


def mirrored(array: Any) -> bool:
    """True for the differences of all pairs: each stands there twice, with opposite signs."""
    last = np.shape(array)[-2:]
    square = len(last) == 2 and last[0] == last[1] > 1
    return square and bool(np.array_equal(array, -np.swapaxes(array, -1, -2)))


def gives_shares(op: str) -> bool:
    """True where the outputs of a row share one whole, as those of a softmax."""
    facts = facts_of(op)
    return facts.mixes and facts.bends == "saturated"


def flat_params(case: Case, replay: Replay, index: int) -> dict[str, Any]:
    """Return the words for a flat place: what kind of operation it is, and its input."""
    entry, (_, outputs) = replay.entries[index], replay.kept[index]
    if gives_shares(entry.op) and np.shape(outputs[0])[-1:] == (1,):
        variant = "one"
    else:
        variant = "outside" if entry.op == "tf.EagerPyFunc" else facts_of(entry.op).bends
    if variant == "steps" and is_play(case.node(entry.where)):
        variant = "pieces"  # the rule of an absolute value is a sign
    name = own_function(case, entry.op)
    if name:
        variant = "function"
    if variant == "length" and np.any(outputs[0] * replay.step_of[index].adjoints[0]):
        variant = ""
    if variant == "factor" and given_as_zeros(case, replay, index):
        variant = "factor.given"
    value = replay.shown_inputs(index)
    return {"op": entry.op, "variant": variant, "value": value, "name": name}


def given_as_zeros(case: Case, replay: Replay, index: int) -> bool:
    """True where a factor that is 0 everywhere was given: no operation made it of a variable."""
    pairs = zip(replay.entries[index].inputs, replay.kept[index][0])
    zeros = {n for n, value in pairs if np.size(value) and not np.any(value)}
    return bool(zeros) and zeros.isdisjoint({*replay.maker, *case.tape.variables})


def flat_at(case: Case, replay: Replay, index: int) -> Any:
    """Return where the function stands that is flat: of a slope of straight pieces, what it is the
    slope of.
    """
    entry = replay.entries[index]
    makers = (case.evidence.maker.get(n) for n in entry.inputs)
    pieces = (m.where for m in makers if m is not None and f"{m.op}Grad" == entry.op)
    return next(pieces, entry.where)


# ---- huge, partial, summed, stretched


def huge(replay: Replay) -> Break | None:
    """Name the operation at which the adjoint grew most."""
    grew = replay.where_it_grew()
    if grew is None:
        return None
    index, factor, times = grew
    entry, size = replay.entries[index], f"{np.abs(replay.result).max():.3g}"
    params = {"op": entry.op, "factor": f"{factor:.3g}", "times": times, "size": size}
    return Break("exploding", entry.where, params=params)


def partial(case: Case, graph: Graph, goals: set[int]) -> Break | None:
    """A further way from the source to the target is cut, although another one is open: a term is
    missing.
    """
    sloping: set[Any] = set()
    for edge in list(chain(*graph.after.values())):
        why = edge.why
        if why is None or not why.certain or why.category not in TERMS:
            continue
        if why.category == "carried-over" and case.tape.lasting:
            continue
        before = graph.path(START, {edge.source}) if edge.source != case.source.id else []
        after = graph.path(edge.target, goals) if edge.target not in goals else []
        if before is None or after is None or breaks(before) or breaks(after):
            continue
        if edge.label in (ESCAPE, FURTHER):
            sloping = sloping or {way[:3] for way in escapes.edges(case, sloping=True)}
            # what the model says now is no part of what it learns from
            if edge[:3] not in sloping or escapes.is_predict(case.node(edge.where)):
                continue
        if why.category == "carried-over":
            return why._replace(params={**why.params, "variant": "partial"})
        if why.category == "computed-before" and not (
            all(e.label in ADDS for e in after) or of_model(case, why, graph, goals)
        ):
            continue  # an old value on purpose: what a new one is compared with
        if why.category in LATE:
            return why
        params = {**why.params, "weighs": weighs(case, graph, edge, after)}
        return why._replace(category="partial-escape", params=params)
    return None


def weighs(case: Case, graph: Graph, edge: Edge, after: Sequence[Edge]) -> bool:
    """True where what comes back only multiplies a value that has a way of its own, as an advantage
    weighs the logarithm of a probability: it may be meant as a constant.
    """
    for step in after:
        ran = case.evidence.maker.get(step.target) if isinstance(step.target, int) else None
        if ran is not None and ran.op in steps.SCALES:
            others = [n for n in ran.inputs if n != step.source and n in case.tape.watched]
            return bool(others) and all(graph.path(edge.source, {n}) is None for n in others)
    return False


def of_model(case: Case, why: Break, graph: Graph, goals: set[int]) -> bool:
    """True where the source is an input, and no variable takes part: the model that was to be asked
    about is only there as what it gave before.
    """
    call = case.node(why.where)
    model = isinstance(call, ast.Call) and has(case.held(call.func), "trainable_variables")
    if not model or case.source.is_variable:
        return False
    makers = (case.evidence.maker.get(n) for n in graph.leading_to(goals))
    return all(made is None or made.op != "ReadVariableOp" for made in makers)


def stretched_both(case: Case, replay: Replay) -> Iterator[Break]:
    """(N, 1) with (N,): both are stretched to (N, N), and nobody meant it."""
    entries, _ = case.tape.raw  # as it is written, which is quicker on long tapes
    for index in range(len(entries) - 1, -1, -1):
        values = entries[index][6]
        if len(values) != 2 or values[0].ndim + values[1].ndim != 3:
            continue
        (left, right), (_, outputs) = [v.shape for v in values], replay.kept[index]
        square = np.shape(outputs[0]) == (max(left), max(left))
        if stretches(left, right) and square and index in replay.step_of:
            entry = replay.entries[index]
            if any(map(_new_axis, operands(case.node(entry.where), 2))):
                continue  # x[:, None] - x: every pair, on purpose
            params: dict[str, Any] = {"op": entry.op, "left": str(left), "right": str(right)}
            params |= {"result": str(np.shape(outputs[0])), "column": int(len(right) == 2)}
            yield Break("stretched-both", entry.where, params=params)


def _new_axis(node: Node) -> bool:
    """True where an expression gets an axis right there: `x[:, None]`, `tf.expand_dims(x, 1)`."""
    if isinstance(node, ast.Subscript):
        return any(
            isinstance(n, ast.Constant) and n.value is None or getattr(n, "attr", "") == "newaxis"
            for n in ast.walk(node.slice)
        )
    return isinstance(node, ast.Call) and text_of(node.func).endswith("expand_dims")


def summed(case: Case) -> Iterator[Break]:
    """A target with several elements (or several targets): the gradient is that of their sum."""
    sizes, target = [int(np.size(t.value)) for t in case.targets], case.targets[0]
    if sum(sizes) > 1:
        ran, variant = case.evidence.maker.get(target.id), "list" if len(sizes) > 1 else ""
        params = {"count": sum(sizes), "variant": variant, "shape": str(tuple(target.shape))}
        where = ran.where if ran is not None else target.where
        yield Break("summed-target", where, params=params)


# ---- a rule written by hand that never reads the adjoint it is given


def upstream_not_used(case: Case, replay: Replay | None) -> Iterator[Break]:
    """Return the breaks for the rules that were given another adjoint than 1 and do not read it."""
    rules = replay is not None and "CustomGradient" in case.evidence.ops
    entries = case.evidence.recorded if rules else []
    for index, entry in enumerate(entries):
        step = replay.step_of.get(index) if replay and entry.op == "CustomGradient" else None
        if step is None or all(a is None or np.all(a == 1) for a in step.adjoints):
            continue
        rule = _rule(case, entry.about["name"])
        stops = not any(np.any(part.value) for part in step.parts)  # on purpose
        if stops or rule is None or names_used(rule) & {a.arg for a in _parameters(rule)}:
            continue
        given = [n for n in ast.walk(rule) if isinstance(n, ast.Return)]
        value = given[0].value if len(given) == 1 else getattr(rule, "body", None)
        if isinstance(value, ast.expr) and not isinstance(value, ast.Tuple):
            upstream = _parameters(rule)[0].arg
            yield Break("upstream-not-used", value, params={"upstream": upstream})


def _parameters(rule: Any) -> list[ast.arg]:
    """Return the parameters that take the adjoints: not `variables=None`."""
    takes = rule.args
    named = [*takes.posonlyargs, *takes.args]
    return named[: len(named) - len(takes.defaults)] + ([takes.vararg] if takes.vararg else [])


def _rule(case: Case, name: str) -> Any:
    """Return the one function inside of that with a gradient of its own, or None."""
    for function in case.program.each((ast.FunctionDef,), name):
        decorators = [text_of(d) for d in function.decorator_list]
        if function.name == name and any("custom_gradient" in d for d in decorators):
            rules = [
                f
                for f in ast.walk(function)
                if isinstance(f, FUNCTIONS) and above(f, FUNCTIONS) is function and _parameters(f)
            ]
            return rules[0] if len(rules) == 1 else None
    return None
