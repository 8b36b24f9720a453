"""What moves in steps: of several cuts on one way, the one to speak of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minitape.program.syntax import is_play

from ..case.graph import Break, breaks

if TYPE_CHECKING:
    from ..case.case import Case
    from ..case.graph import Edge

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


def chooses(op: str, i: int) -> bool:
    """True where an operation takes its input `i` only as places."""
    return i in next((places for word, places in CHOOSING.items() if word in op), ())


def told(case: Case, path: Sequence[Edge]) -> list[Break]:
    """Return the reasons of a way's cuts, the guilty one first."""
    broken = breaks(path)
    first, *others = [edge.why for edge in broken if edge.why is not None]
    after = path[path.index(broken[0]) + 1 :]
    if first.category == "piecewise-constant" and after and is_play(case.node(after[0].where)):
        first = first._replace(where=after[0].where)  # the slope of straight pieces, chosen there
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
