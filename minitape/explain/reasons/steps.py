"""What moves in steps: of several cuts on one way, the one to speak of; and a cut that is hidden,
because another term of the target has a slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from minitape.engine.ops.facts import facts_of
from minitape.program.syntax import is_play

from ..case.aliases import Case, Edge, Node, Ran
from ..case.graph import Break, breaks
from ..case.words import listed

STEPS = ("piecewise-constant", "integer-cast")
# by a word of an operation's name, which inputs say where: they choose, and nothing else
CHOOSING = {
    "tf.ScatterNd": (0, 2),
    "Scatter": (1,),
    "Gather": (1, 2),
    "Segment": (1, 2),
    "TakeAlong": (1,),
    "OneHot": (0,),
}

SPLITS = ("FloorDiv", "FloorMod")  # a place into a row and a column
CARRIES = ("Reshape", "ExpandDims", "Squeeze", "Pack", "ConcatV2", "Concat", "StridedSlice")


def chooses(op: str, i: int) -> bool:
    """True where an operation takes its input `i` only as places."""
    return i in next((places for word, places in CHOOSING.items() if word in op), ())


def says_where(case: Case, node: Node) -> bool:
    """True where the last value of an expression says where something is, or is split in whole
    numbers: with other numbers than whole ones nothing there would run.
    """
    ran = next((r for r in reversed(case.evidence.ran) if case.node(r.where) is node), None)
    from_it = set(ran.outputs) if ran is not None else set()
    for each in case.evidence.ran if from_it else ():
        used = [i for i, number in enumerate(each.inputs) if number in from_it]
        if used and each.op in SPLITS or any(chooses(each.op, i) for i in used):
            return True
        if used and each.op in CARRIES:
            from_it.update(each.outputs)
    return False


def reasons(case: Case, path: Sequence[Edge]) -> list[Break]:
    """Return the reasons of a way's cuts, the guilty one first."""
    broken = breaks(path)
    first, *others = [edge.why for edge in broken if edge.why is not None]
    after = path[path.index(broken[0]) + 1 :]
    if first.category == "piecewise-constant" and after and is_play(case.node(after[0].where)):
        first = first._replace(where=after[0].where)  # the slope of straight pieces, chosen there
    if first.category == "carried-over" and others and case.tape.lasting:
        first, *others = others
    if others and others[0].category == "used-as-index":
        index, at = others.pop(0), path.index(broken[1])
        if first.where == index.where:  # a layer casts by itself
            first = index
        params = {**first.params, "places": case.text(index.where)}
        if first.category not in STEPS:
            a_layer = at + 1 < len(path) and path[at + 1].where == index.where  # in a model
            params["variant"] = "inner" if a_layer else "index"
        first = first._replace(params=params)
    return [first, *others]


# ---- a cut beside a term that has a slope

ADDS = ("Add", "AddN", "Sub", "Neg", "Identity", "Reshape")
SCALES = ("Mul", "Div")
SHAPES = ("Shape", "Size", "Rank")
CHOICES = ("Arg", "TopK")


class Stepped(NamedTuple):
    """How a value comes from the source only by way of steps: which (as places in time), whether
    something was made of them that is no plain sum, and whether one of them chooses.
    """

    steps: frozenset[int]
    bent: bool
    chooses: bool


class Dependence:
    """What depends on the source: `sloping`, the numbers of values with a slope; `stepped`, those
    that only steps lead to; `weighing`, the steps that weigh something which has a slope itself, as
    gates, hard labels and actions do, or choose a row that is learned: nothing is missing without
    theirs.
    """

    def __init__(self, case: Case) -> None:
        self.sloping: set[int] = {case.source.id, case.source.tensor}
        self.stepped: dict[int, Stepped] = {}
        self.weighing: set[int] = set()
        self._watched = case.tape.watched
        for ran in case.evidence.ran:
            self._follow(ran)

    def _follow(self, ran: Ran) -> None:
        sloping = any(
            n in self.sloping and not chooses(ran.op, i) for i, n in enumerate(ran.inputs)
        )
        stepped = [self.stepped[n] for n in ran.inputs if n in self.stepped]
        steps, bends = frozenset().union(*[each.steps for each in stepped]), facts_of(ran.op).bends
        if "StopGradient" in ran.op or bends == "flat" or ran.op.removeprefix("tf.") in SHAPES:
            return
        if sloping:
            for n in ran.outputs:
                if bends == "steps" or ran.recorded and n not in self._watched:
                    choice = any(word in ran.op for word in CHOICES)
                    self.stepped[n] = Stepped(frozenset([ran.order]), False, choice)
                else:
                    self.sloping.add(n)
            if ran.op not in ADDS:
                self.weighing |= steps
        elif stepped:
            plain = bends in ("same", "straight", "steps") and ran.op not in ("Sum", "Mean")
            bent = any(each.bent for each in stepped) or not plain and ran.op not in SCALES
            choice = any(each.chooses for each in stepped) or any(
                n in self.stepped and chooses(ran.op, i) for i, n in enumerate(ran.inputs)
            )
            if choice and ran.op not in ADDS and not self._watched.isdisjoint(ran.inputs):
                self.weighing |= steps
            self.stepped.update((n, Stepped(steps, bent, choice)) for n in ran.outputs)

    def terms(self, case: Case) -> tuple[list[int], list[Stepped]]:
        """Return the terms of the target: the numbers of those with a slope, and how those come that
        only steps lead to.
        """
        todo = [n for t in case.targets for n in dict.fromkeys((t.id, t.tensor))]
        seen, slope, cut = set[int](), list[int](), list[Stepped]()
        for number in todo:  # which grows
            ran = case.evidence.maker.get(number)
            if number in seen:
                continue
            seen.add(number)
            if number in self.stepped:
                cut.append(self.stepped[number])
            elif number in self.sloping:
                given = (
                    [n for n in ran.inputs if n in self.sloping or n in self.stepped] if ran else []
                )
                if ran is not None and (ran.op in ADDS or ran.op in SCALES and len(given) == 1):
                    todo += given
                else:
                    slope.append(number)
        return slope, cut


def beside(case: Case) -> Break | None:
    """Return the break for a term of the target that depends on the source only by way of a step,
    while another term has a slope; or None.
    """
    evidence = case.evidence
    if not any(facts_of(op).bends in ("steps", "same") or "TopK" in op for op in evidence.ops):
        return None
    known = Dependence(case)
    slope, terms = known.terms(case)
    cut = [t for t in terms if t.bent and known.weighing.isdisjoint(t.steps)]
    if not cut or not slope:
        return None
    first = min(cut[0].steps)
    ran = next(r for r in evidence.ran if r.order == first)
    to = ran.about.get("dtype")
    params = {
        "op": ran.op,
        "dtype": getattr(to, "name", str(to)),
        "variant": "beside",
        "rest": listed(list(dict.fromkeys(map(case.label, slope)))),
    }
    category = "integer-cast" if ran.op == "Cast" else "piecewise-constant"
    return Break(category, ran.where, params=params)
