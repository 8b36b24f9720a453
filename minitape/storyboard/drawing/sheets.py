"""Which boxes and lines the drawings of a storyboard have: one drawing of the whole, one for every
group that opens.

A small graph is one drawing with every node in it. A big one is folded: a group of cards (a layer,
a loop, a few lines) is one box in the drawing around it. What is asked for is seen beside its box;
a constant that only one box uses is left to that box.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Item
    from minitape.storyboard.text.aliases import Board, Data

CROWD = 12  # boxes; in a drawing with more, a leaf that is used often is drawn again
MANY_USES = 6  # uses that one place of it serves
# boxes; in a folded drawing with more, what only one box uses is left to the drawing of that box
CROWD_OF_GROUPS = 20
# variables beside the steps of a training, which stand in one column; more are left to their steps
BESIDE_STEPS = 6


class Line(NamedTuple):
    """A line from one item of a drawing to another; `shared` edges of folded boxes are drawn as
    one, by the `edge` among them along which something comes back; `also` are those of a second
    tape.
    """

    start: int
    end: int
    edge: int
    shared: int
    also: list[int]


@dataclass(slots=True)
class _Joined:
    """Lines between the same two items, drawn as one: by one of their `edges`, `shared` of them,
    with those of a second tape.
    """

    start: Item
    end: Item
    edge: int
    shared: int = 0
    also: list[int] = field(default_factory=list)


class _Sheet:
    """Boxes and lines of one drawing; what is in `items`, in their order, is drawn."""

    def __init__(self, passing: list[int]) -> None:
        self.passing = passing
        self.items: dict[Item, None] = {}
        self.lines: dict[tuple[Any, ...], _Joined] = {}

    def add(self, item: Item) -> None:
        self.items.setdefault(item)

    def connect(self, start: Item, end: Item, edge: int, place: int | None) -> None:
        """Adds a line. Lines to or from a folded box are one; so are those of one operation that
        two tapes recorded.
        """
        self.items.setdefault(start)
        self.items.setdefault(end)
        folded = start[0] == "group" or end[0] == "group"
        key = (start, end) if folded else (start, end, place)
        line = self.lines.get(key) or self.lines.setdefault(key, _Joined(start, end, edge))
        line.shared += folded or not line.shared
        if folded and self.passing[edge] > self.passing[line.edge]:
            line.edge = edge
        if not folded and line.edge != edge:
            line.also.append(edge)


def sheets(board: Board, folded: bool) -> dict[int | None, tuple[list[Item], list[Line]]]:
    """Returns {group: (items, lines)}, None standing for the whole."""
    result = _Sheets(board, folded).sheets
    for sheet in result.values():
        _hide_crowds(board, sheet)
    return {group: _once_per_use(board, sheet) for group, sheet in result.items()}


class _Sheets:
    """All sheets of a storyboard, `sheets`: {group: sheet}, None standing for the whole."""

    def __init__(self, board: Board, folded: bool) -> None:
        self.nodes, self.cards, self.groups = board["nodes"], board["cards"], board["groups"]
        self.paths = self._paths(folded)
        passing = _passing(board)
        self.whole = _Sheet(passing)
        self.sheets: dict[int | None, _Sheet] = {None: self.whole}
        for group, row in enumerate(self.groups if folded else ()):
            if row["kind"] != "loop":  # it shows one of its rounds
                self.sheets[group] = _Sheet(passing)
        # what nobody uses stands alone; what is asked for is always there
        for index, node in enumerate(self.nodes):
            if node["card"] is None and (node["source"] or node["target"]):
                self.whole.add(("node", index))
        for number, card in enumerate(self.cards):
            self._box(number, card)
        for index, edge in enumerate(board["edges"]):
            if edge["card"] is None:
                self._bridge(index, edge)
            else:
                self._line(index, edge)

    def _paths(self, folded: bool) -> list[list[int | None]]:
        """Returns the groups around each card, from the outermost to the innermost; None stands for
        the whole.
        """
        known: dict[int | None, list[int | None]] = {None: [None]}
        for group, row in enumerate(self.groups):
            chain, at = [group], row["parent"]
            while at is not None:
                chain.append(at)
                at = self.groups[at]["parent"]
            known[group] = [None, *reversed(chain)]
        return [known[card["group"] if folded else None] for card in self.cards]

    @staticmethod
    def _seen(path: list[int | None], level: int, node: int) -> Item:
        """Returns what is seen of a node in the drawing of `path[level]`: the box around it there,
        or itself.
        """
        inner = path[level + 1] if level + 1 < len(path) else None
        return ("node", node) if inner is None else ("group", inner)

    def _box(self, number: int, card: Data) -> None:
        around = self.paths[number]
        for level, group in enumerate(around):
            if group in self.sheets:
                for node in card["outputs"]:
                    self.sheets[group].add(self._seen(around, level, node))

    def _bridge(self, index: int, edge: Data) -> None:
        """A way that is not there, drawn where both ends are in sight."""
        start, end = (
            self._seen(
                self.paths[maker] if (maker := self.nodes[node]["card"]) is not None else [],
                0,
                node,
            )
            for node in (edge["from"], edge["to"])
        )
        if start != end:
            self.whole.connect(start, end, index, None)

    def _line(self, index: int, edge: Data) -> None:
        around, maker, target = (
            self.paths[edge["card"]],
            self.nodes[edge["from"]]["card"],
            self.nodes[edge["to"]]["target"],
        )
        before = self.paths[maker] if maker is not None else []
        both = 0  # in how many boxes both ends lie: around these nothing is seen of a line
        if not target:
            deepest = min(len(around), len(before)) - 1
            while both < deepest and before[both + 1] == around[both + 1]:
                both += 1
        for level in range(both, len(around)):
            group = around[level]
            sheet = self.sheets.get(group)
            if sheet is None:
                continue
            end = self._seen(around, level, edge["to"])
            inside = level < len(before) and before[level] == group
            start = self._seen(before, level, edge["from"]) if inside else ("node", edge["from"])
            if start != end:
                sheet.connect(start, end, index, edge["input"])
            if target and end[0] == "group" and self.groups[end[1]]["kind"] != "step":
                # what is asked for is seen beside its box
                sheet.connect(end, ("node", edge["to"]), index, None)


def _passing(board: Board) -> list[int]:
    """Returns for each edge 2 where a part came back along it, 1 where one could, else 0."""
    parts = {(frame["card"], frame["input"]) for frame in board["frames"] if frame["act"] == "part"}
    return [
        2 if (edge["card"], edge["input"]) in parts else int(edge["flow"] == "open")
        for edge in board["edges"]
    ]


def _hide_crowds(board: Board, sheet: _Sheet) -> None:
    """What only one folded box uses is left to the drawing of that box: constants always, in a
    crowd variables too.
    """
    if all(kind == "node" for kind, _ in sheet.items):
        return
    users: dict[Item, set[Item]] = {}
    met = {line.end for line in sheet.lines.values()}
    for line in sheet.lines.values():
        users.setdefault(line.start, set()).add(line.end)
    inner = [
        item
        for item, ends in users.items()
        if item[0] == "node"
        and board["nodes"][item[1]]["card"] is None
        and item not in met
        and len(ends) == 1
        and next(iter(ends))[0] == "group"
    ]
    # of a long loop thousands
    quiet = {item for item in inner if board["nodes"][item[1]]["role"] in ("constant", "input")}
    of_steps = [
        item
        for item in inner
        if item not in quiet and board["groups"][next(iter(users[item]))[1]]["kind"] == "step"
    ]
    crowded = len(sheet.items) - len(quiet) > CROWD_OF_GROUPS
    for item in inner if crowded else [*quiet, *(of_steps if len(of_steps) > BESIDE_STEPS else ())]:
        del sheet.items[item]
    sheet.lines = {key: line for key, line in sheet.lines.items() if line.start in sheet.items}


def _once_per_use(board: Board, sheet: _Sheet) -> tuple[list[Item], list[Line]]:
    """Returns (items, lines between item numbers). In a crowd a leaf that is used often has several
    places, each for a few uses that follow one another; a constant, which nothing comes back to,
    one for each use.
    """
    if len(sheet.items) <= CROWD:
        place = {item: at for at, item in enumerate(sheet.items)}
        return list(sheet.items), [_drawn(line, place) for line in sheet.lines.values()]
    uses: dict[Item, int] = {}
    for line in sheet.lines.values():
        uses[line.start] = uses.get(line.start, 0) + 1
    # what a way that is not there leads to stays one
    ends = {line.end for line in sheet.lines.values()}

    def serves(item: Item) -> int:
        """How many uses one place of an item serves."""
        leaf = item[0] == "node" and item not in ends and board["nodes"][item[1]]["card"] is None
        if not leaf or uses.get(item, 0) <= MANY_USES:
            return len(sheet.lines) + 1
        return 1 if board["nodes"][item[1]]["role"] in ("constant", "input") else MANY_USES

    items: list[Item] = []
    number: dict[Item, int] = {}
    used: dict[Item, int] = {}
    for item in sheet.items:
        if serves(item) > len(sheet.lines):
            number[item] = len(items)
            items.append(item)
    lines = []
    for line in sheet.lines.values():
        start = line.start
        if serves(start) <= len(sheet.lines):
            if used.get(start, 0) % serves(start) == 0:
                number[start] = len(items)
                items.append(start)
            used[start] = used.get(start, 0) + 1
        lines.append(_drawn(line, number))
    return items, lines


def _drawn(line: _Joined, number: Mapping[Item, int]) -> Line:
    return Line(number[line.start], number[line.end], line.edge, line.shared, line.also)
