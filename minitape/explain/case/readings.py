"""Where a name is read: which of these places a value reaches that is given to the name elsewhere."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitape.program.functions import Functions

    from .aliases import File, Node


class Readings:
    """Where a name is read, each place with the stretch of text in which a mark reaches it: from
    its last certain definition on.
    """

    def __init__(
        self, functions: Functions, place: tuple[Any, str], sloping: bool, near: Collection[Node]
    ) -> None:
        self._functions, self._place, self._sloping = functions, place, sloping
        parts = functions.parts_of(*place)
        self._far = [part for part in parts if part not in near]
        self._anywhere: list[Node] = []
        self._stretches: list[tuple[File, Stretches]] = []
        self._read([part for part in parts if part in near])

    def far(self, marks: Iterable[Any]) -> list[Node]:
        """Read the parts of the files that are not near as well; return the readings there that
        some marks reach.
        """
        near, self._stretches = self._stretches, []
        self._read(self._far)
        result = [node for at in marks for node in self.reached(at)]
        self._stretches += near
        return result

    def _read(self, parts: list[Node]) -> None:
        rows: dict[File, list[tuple[Any, Any, int, Node, Any]]] = {}
        for number, node in enumerate(self._functions.readings(*self._place, parts)):
            latest = self._functions.definition(node, self._sloping)
            if latest is None:
                self._anywhere.append(node)
            else:
                here = (node.lineno, node.col_offset)
                loops = [(first, last) for first, last in latest.loops if not first <= latest.begin]
                end = max([here, *(last for _, last in loops)])
                rows.setdefault(node.file, []).append(
                    (latest.begin, end, number, node, [((0, 0), here), *loops])
                )
        self._stretches += [(file, Stretches(sorted(those))) for file, those in rows.items()]

    def reached(self, at: tuple[File, int, int] | None) -> list[Node]:
        """Return the readings that a mark reaches and none before it did."""
        result, self._anywhere = self._anywhere, []
        for file, stretches in self._stretches:
            if at is None or file is at[0]:
                result += stretches.taken(None if at is None else at[1:])
        return result


class Stretches:
    """The readings of one file, in the order of their definitions: each is taken once, by the first
    mark that reaches it.
    """

    def __init__(self, rows: list[Any]) -> None:
        self._rows, self._begins = rows, [row[0] for row in rows]
        self._furthest = list(accumulate((row[1] for row in rows), max))
        self._below = list(range(-1, len(rows) - 1))  # the next row that was not taken

    def taken(self, at: tuple[int, int] | None) -> list[Node]:
        """Take the rows that a mark reaches; all that are left without one."""
        result = []
        above, k = None, len(self._rows) - 1 if at is None else bisect_right(self._begins, at) - 1
        while k >= 0 and (at is None or self._furthest[k] >= at):
            row = self._rows[k]
            if row is not None and (
                at is None or any(first <= at <= last for first, last in row[4])
            ):
                result.append(row[3])
                row = self._rows[k] = None
            if row is None and above is not None:
                self._below[above] = self._below[k]
            else:
                above = k
            k = self._below[k]
        return result
