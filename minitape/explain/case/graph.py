"""The graph of what happened, with its broken places, and the search for the path that the learner
expected.

Every way in which one value came from another is an edge. Where the gradient flows, an edge is
open; where it does not, the edge is broken and carries the reason. The shortest path from the
source to the target, counted in broken edges, is the explanation: repair these, and the gradient
arrives. So nothing is blamed that would not restore the path.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

START = "start"
ESCAPE = "escape"
OPEN = 1e-9  # what an open edge costs: on a tape as long as memory holds, less than one repair
# which is the one to repair, where its value is on the tape
FURTHER = "escape, and another one on the way"
# the label of an edge over values that nobody knows: a way over known ones is taken instead, where
# there is one
LEAP = "leap"


class Break(NamedTuple):
    """Why an edge is broken: the `category`, where the guilty expression stands, and words for the
    sentence.

    `where` is (code, offset) or a syntax node; `certain` is False where the text alone suggests the
    edge.
    """

    category: str
    where: object
    certain: bool = True
    params: dict = {}


class Edge(NamedTuple):
    """`target` came from `source`; open where `why` is None, else broken. `where`: the expression
    that did it.
    """

    source: object
    target: object
    where: object = None
    why: Break | None = None
    label: str = ""


def cost(edge: Edge) -> float:
    """Return what it takes to pass an edge: nothing where it is open, more where the edge is a
    guess or a leap.
    """
    if edge.why is None:
        return OPEN
    if edge.label in (LEAP, FURTHER):
        return 1.05
    return 1.0 if edge.why.certain else 1.6


class Graph:
    """Edges by their source, and the search for the cheapest path."""

    def __init__(self, edges: Iterable[Edge]) -> None:
        self.after: dict[Any, Any] = {}
        for edge in edges:
            self.after.setdefault(edge.source, []).append(edge)
        self._from_start: dict[Any, Any] = {}

    def path(
        self, start: Any, goals: Collection[int], forbidden: Collection[int] = ()
    ) -> list[Edge] | None:
        """Return the cheapest list of edges from `start` to one of `goals`, or None. Edges whose
        `id` is in `forbidden` are not used.
        """
        came = self._ways(start, goals, forbidden)
        reached = [node for node in goals if node in came]
        if reached:
            return _back(
                came,
                reached[0] if len(reached) == 1 else next(node for node in came if node in reached),
                start,
            )
        queue, best, came, tie = [(0.0, 0, start)], {start: 0.0}, {}, 0
        after, push, pop = self.after.get, heapq.heappush, heapq.heappop
        while queue:
            so_far, _, node = pop(queue)
            if node in goals:
                return _back(came, node, start)
            if so_far > best[node]:
                continue
            for edge in after(node, ()):
                if forbidden and id(edge) in forbidden:
                    continue
                _, target, _, why, _ = edge
                length = so_far + (OPEN if why is None else cost(edge))
                if target not in best or length < best[target]:
                    best[target], came[target] = length, edge
                    tie += 1
                    push(queue, (length, tie, target))
        return None

    def _ways(
        self, start: Any, goals: Collection[Any], forbidden: Collection[int] = ()
    ) -> dict[Any, Any]:
        """Return by which edge each node is reached first over open edges alone, nearer ones first,
        as far as one of `goals`: no prices need to be compared, which makes it quick. From `START`
        all is found, once.
        """
        whole = start == START and not forbidden
        if whole and self._from_start:
            return self._from_start
        came: dict[Any, Any] = {start: None}
        todo, after = [start], self.after.get
        for node in todo:  # which grows
            if not whole and node in goals:
                return came
            for edge in after(node, ()):
                _, target, _, why, _ = edge
                if (
                    why is None
                    and target not in came
                    and (not forbidden or id(edge) not in forbidden)
                ):
                    came[target] = edge
                    todo.append(target)
        if whole:
            self._from_start = came
        return came

    def leading_to(self, goals: Collection[Any]) -> set[Any]:
        """Return everything from which some way leads to one of `goals`, through broken edges too;
        and the goals.
        """
        before: dict[Any, list[Any]] = {}
        for source, edges in self.after.items():
            for edge in edges:
                before.setdefault(edge.target, []).append(source)
        reached, todo = set(goals), list(goals)
        while todo:
            for source in before.get(todo.pop(), ()):
                if source not in reached:
                    reached.add(source)
                    todo.append(source)
        return reached

    def open_from(self, start: Any) -> set[Any]:
        """Return everything that the gradient can come back from to `start`: what open edges lead
        to.
        """
        return set(self._ways(start, ()))


def _back(came: Mapping[Any, Edge], node: Any, start: Any) -> list[Edge]:
    """Return the way to a node from the start, of which is known by which edge each node was
    reached.
    """
    path = []
    while node != start:
        path.append(came[node])
        node = came[node].source
    return path[::-1]


def breaks(path: Sequence[Edge]) -> list[Edge]:
    """Return the broken edges of a path, from the source on."""
    return [edge for edge in path if edge.why is not None]
