"""Which boxes and lines the drawings of a storyboard have: one drawing of the whole, one for every
group that opens.

A small graph is one drawing with every node in it. A big one is folded: a group of cards (a layer,
a loop, a few lines) is one box in the drawing around it. What is asked for is seen beside its box;
a constant that only one box uses is left to that box.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Item
    from minitape.storyboard.text.aliases import Board

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


class _Sheet:
    """Boxes and lines of one drawing: items are ("node", n) or ("group", g), lines are [item, item,
    edge, how many, further edges].
    """

    def __init__(self, passing: list[int]) -> None:
        self.items, self.lines, self.passing = {}, {}, passing

    def add(self, item: Item) -> None:
        self.items.setdefault(item)

    def connect(self, start: Item, end: Item, edge: int, place: int | None) -> None:
        """Adds a line. Lines to or from a folded box are one; so are those of one operation that
        two tapes recorded.
        """
        self.items.setdefault(start)
        self.items.setdefault(end)
        folded = start[0] == "group" or end[0] == "group"
        line = self.lines.setdefault(
            (start, end) if folded else (start, end, place), [start, end, edge, 0, []]
        )
        line[3] += folded or not line[3]
        if folded and self.passing[edge] > self.passing[line[2]]:
            line[2] = edge
        if not folded and line[2] != edge:
            line[4].append(edge)


def sheets(board: Board, folded: bool) -> dict[int | None, tuple[list[Item], list[Line]]]:
    """Returns {group: (items, lines)}, None standing for the whole."""
    found = _sheets(board, folded)
    for sheet in found.values():
        _hide_crowds(board, sheet)
    return {group: _once_per_use(board, sheet) for group, sheet in found.items()}


def _sheets(board: Board, folded: bool) -> dict[int | None, _Sheet]:
    cards, nodes, groups = board["cards"], board["nodes"], board["groups"]
    paths = {}

    def path(card: int) -> list[int | None]:
        """The groups around a card, from the outermost to the innermost; None stands for the whole."""
        group = cards[card]["group"] if folded else None
        if group not in paths:
            chain, at = [], group
            while at is not None:
                chain.append(at)
                at = groups[at]["parent"]
            paths[group] = [None, *reversed(chain)]
        return paths[group]

    passing = _passing(board)
    sheets: dict[int | None, _Sheet] = {None: _Sheet(passing)}
    if folded:
        for group, row in enumerate(groups):
            if row["kind"] != "loop":  # it shows one of its rounds
                sheets[group] = _Sheet(passing)
    # what nobody uses stands alone; what is asked for is always there
    for index, node in enumerate(nodes):
        if node["card"] is None and (node["source"] or node["target"]):
            sheets[None].add(("node", index))
    for number, card in enumerate(cards):
        around = path(number)
        for level, group in enumerate(around):
            if group not in sheets:
                continue
            if level + 1 < len(around):
                sheets[group].add(("group", around[level + 1]))
            else:
                for node in card["outputs"]:
                    sheets[group].add(("node", node))
    for index, edge in enumerate(board["edges"]):
        if edge["card"] is None:  # a way that is not there, drawn where both ends are in sight
            ends = [
                path(nodes[edge[end]]["card"]) if nodes[edge[end]]["card"] is not None else [None]
                for end in ("from", "to")
            ]
            items = [
                ("group", around[1]) if len(around) > 1 else ("node", edge[end])
                for around, end in zip(ends, ("from", "to"))
            ]
            if items[0] != items[1]:
                sheets[None].connect(items[0], items[1], index, None)
            continue
        around = path(edge["card"])
        maker = nodes[edge["from"]]["card"]
        from_path = path(maker) if maker is not None else []
        both = 0  # in how many boxes both ends lie: around these nothing is seen of a line
        if not nodes[edge["to"]]["target"]:
            deepest = min(len(around), len(from_path)) - 1
            while both < deepest and from_path[both + 1] == around[both + 1]:
                both += 1
        for level in range(both, len(around)):
            group = around[level]
            if group not in sheets:
                continue
            end = ("group", around[level + 1]) if level + 1 < len(around) else ("node", edge["to"])
            inside = level < len(from_path) and from_path[level] == group
            start = (
                ("group", from_path[level + 1])
                if inside and level + 1 < len(from_path)
                else ("node", edge["from"])
            )
            if start != end:
                sheets[group].connect(start, end, index, edge["input"])
            if (
                nodes[edge["to"]]["target"]
                and end[0] == "group"
                and groups[end[1]]["kind"] != "step"
            ):
                # what is asked for is seen beside its box
                sheets[group].connect(end, ("node", edge["to"]), index, None)
    return sheets


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
    users, met = {}, {line[1] for line in sheet.lines.values()}
    for start, end, *_ in sheet.lines.values():
        users.setdefault(start, set()).add(end)
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
    sheet.lines = {key: line for key, line in sheet.lines.items() if line[0] in sheet.items}


def _once_per_use(board: Board, sheet: _Sheet) -> tuple[list[Item], list[Line]]:
    """Returns (items, lines between item numbers). In a crowd a leaf that is used often has several
    places, each for a few uses that follow one another; a constant, which nothing comes back to,
    one for each use.
    """
    if len(sheet.items) <= CROWD:
        place = {item: at for at, item in enumerate(sheet.items)}
        return list(sheet.items), [
            Line(place[start], place[end], *rest) for start, end, *rest in sheet.lines.values()
        ]
    uses: dict[Item, int] = {}
    for start, *_ in sheet.lines.values():
        uses[start] = uses.get(start, 0) + 1
    # what a way that is not there leads to stays one
    ends = {line[1] for line in sheet.lines.values()}

    def serves(item: Item) -> int:
        """How many uses one place of an item serves."""
        leaf = item[0] == "node" and item not in ends and board["nodes"][item[1]]["card"] is None
        if not leaf or uses.get(item, 0) <= MANY_USES:
            return len(sheet.lines) + 1
        return 1 if board["nodes"][item[1]]["role"] in ("constant", "input") else MANY_USES

    items, number, used = [], {}, {}
    for item in sheet.items:
        if serves(item) > len(sheet.lines):
            number[item] = len(items)
            items.append(item)
    lines = []
    for start, end, *rest in sheet.lines.values():
        if serves(start) <= len(sheet.lines):
            if used.get(start, 0) % serves(start) == 0:
                number[start] = len(items)
                items.append(start)
            used[start] = used.get(start, 0) + 1
        lines.append(Line(number[start], number[end], *rest))
    return items, lines
