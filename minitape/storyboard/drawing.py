"""Which boxes and lines a picture of the graph has, before `layout.py` says where they stand.

A small graph is one drawing with every node in it. A big one is folded: groups of cards (a layer, a round of a loop) are one box
in the drawing around them and have a drawing of their own, which opens when the box is clicked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minitape.storyboard.layout import lay_out, text_width
from minitape.storyboard.summary import short_text

if TYPE_CHECKING:
    from minitape.storyboard.aliases import Curve, Point, Row, Size, Sizes
    from minitape.storyboard.board import Storyboard

HEIGHT, LEAF_HEIGHT, GROUP_HEIGHT = 58, 42, 58
NARROWEST, WIDEST, WIDEST_GROUP = 58, 190, 280
MANY_USES, MANY_ITEMS = 3, 40     # a leaf used more often than this, in a drawing larger than this, is drawn once per use
MANY_ITEMS_FOLDED = 14            # the same for the drawings of a folded tape: there the flow is the lesson, not the fan-out
TILES = "      "                  # the room that tiles take
MANY_DRAWINGS = 40                # beyond it only the first drawing is worth Graphviz's time


class _Drawing:
    """Boxes and lines of one drawing: items are ("node", n) or ("group", g), lines are [item, item, edge, how many,
    further edges]."""

    def __init__(self) -> None:
        self.items, self.lines = {}, {}

    def add(self, item: tuple[str, int]) -> None:
        self.items.setdefault(item)

    def connect(self, start: tuple[str, int], end: tuple[str, int], edge: int, place: int | None) -> None:
        """Adds a line. Lines to or from a folded box are one; so are those of one operation that two tapes recorded."""
        self.add(start)
        self.add(end)
        folded = start[0] == "group" or end[0] == "group"
        line = self.lines.setdefault((start, end) if folded else (start, end, place), [start, end, edge, 0, []])
        line[3] += folded or not line[3]
        if not folded and line[2] != edge:
            line[4].append(edge)


def drawings(board: Storyboard, folded: bool, engine: str | None = None) -> list[Row]:
    """Returns the contract's "drawings" of a storyboard that has its nodes, edges, cards, groups and frames."""
    sheets = _sheets(board, folded)
    adjoint_widths = _adjoint_widths(board)
    keys, graphs, boxes = [], [], []
    for group, sheet in sheets.items():
        _hide_crowds(board, sheet)
        items, lines = _once_per_use(board, sheet, MANY_ITEMS_FOLDED if folded else MANY_ITEMS)
        sizes = [_group_size(board, index) if kind == "group" else _size(board, index, adjoint_widths) for kind, index in items]
        keys.append(group)
        boxes.append((items, lines, sizes))
        graphs.append((sizes, [(line[0], line[1]) for line in lines]))
    if engine is None and len(graphs) > MANY_DRAWINGS:
        placed = lay_out(graphs[:1]) + lay_out(graphs[1:], "layers")
    else:
        placed = lay_out(graphs, engine)
    return [_drawn(group, *box, *place) for group, box, place in zip(keys, boxes, placed)]  # type: ignore[arg-type]


def _drawn(group: int | None, items: Sequence[tuple[str, int]], lines: Sequence[Any], sizes: Sizes, engine: str, width: int, height: int,
           places: list[Point], curves: list[Curve]) -> Row:
    nodes = [{kind: index, "x": x, "y": y, "w": w, "h": h}
             for (kind, index), (w, h), (x, y) in zip(items, sizes, places)]
    edges = []
    for (_, _, edge, count, also), curve in zip(lines, curves):
        edges.append({"edge": edge, **({"count": count} if count > 1 else {}), **({"also": also} if also else {}), "points": curve})
    return {"group": group, "engine": engine, "width": width, "height": height, "nodes": nodes, "edges": edges}


def _sheets(board: Storyboard, folded: bool) -> dict[int | None, _Drawing]:
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

    sheets: dict[int | None, _Drawing] = {None: _Drawing()}
    if folded:
        for group in range(len(groups)):
            sheets[group] = _Drawing()
    for index, node in enumerate(nodes):                # what nobody uses stands alone; what is asked for is always there
        if node["card"] is None and (node["source"] or node["target"]):
            sheets[None].add(("node", index))
    for number, card in enumerate(cards):
        around = path(number)
        for level, group in enumerate(around):
            if level + 1 < len(around):
                sheets[group].add(("group", around[level + 1]))
            else:
                for node in card["outputs"]:
                    sheets[group].add(("node", node))
    for index, edge in enumerate(board["edges"]):
        if edge["card"] is None:                         # a way that is not there, drawn where both ends are in sight
            ends = [path(nodes[edge[end]]["card"]) if nodes[edge[end]]["card"] is not None else [None] for end in ("from", "to")]
            items = [("group", around[1]) if len(around) > 1 else ("node", edge[end]) for around, end in zip(ends, ("from", "to"))]
            if items[0] != items[1]:
                sheets[None].connect(items[0], items[1], index, None)
            continue
        around = path(edge["card"])
        maker = nodes[edge["from"]]["card"]
        from_path = path(maker) if maker is not None else []
        for level, group in enumerate(around):
            end = ("group", around[level + 1]) if level + 1 < len(around) else ("node", edge["to"])
            inside = level < len(from_path) and from_path[level] == group
            start = ("group", from_path[level + 1]) if inside and level + 1 < len(from_path) else ("node", edge["from"])
            if start != end:
                sheets[group].connect(start, end, index, edge["input"])
    return sheets


def _hide_crowds(board: Storyboard, sheet: _Drawing) -> None:
    """What only one folded box uses is left to the drawing of that box: constants always, in a crowd variables too."""
    crowded = len(sheet.items) > MANY_ITEMS
    users, met = {}, {line[1] for line in sheet.lines.values()}
    for start, end, *_ in sheet.lines.values():
        users.setdefault(start, set()).add(end)
    for item, ends in users.items():
        leaf = item[0] == "node" and board["nodes"][item[1]]["card"] is None
        if leaf and item not in met and len(ends) == 1 and next(iter(ends))[0] == "group" and (
                crowded or board["nodes"][item[1]]["role"] in ("constant", "input")):
            del sheet.items[item]
    sheet.lines = {key: line for key, line in sheet.lines.items() if line[0] in sheet.items}


def _once_per_use(board: Storyboard, sheet: _Drawing, many: int) -> tuple[list[tuple[str, int]], list[Any]]:
    """Returns (items, lines between item numbers); a leaf used very often appears once for every use."""
    uses = {}
    for start, *_ in sheet.lines.values():
        uses[start] = uses.get(start, 0) + 1
    crowded = len(sheet.items) > many
    ends = {line[1] for line in sheet.lines.values()}    # what a way that is not there leads to stays one

    def repeated(item: tuple[str, int]) -> bool:
        return (crowded and item[0] == "node" and item not in ends and uses.get(item, 0) > MANY_USES
                and board["nodes"][item[1]]["card"] is None)

    items, number = [], {}
    for item in sheet.items:
        if not repeated(item):
            number[item] = len(items)
            items.append(item)
    lines = []
    for start, end, *rest in sheet.lines.values():
        if start in number:
            lines.append((number[start], number[end], *rest))
        else:
            items.append(start)
            lines.append((len(items) - 1, number[end], *rest))
    return items, lines


def _shown(board: Storyboard, value: int) -> str:
    """The text of a value in its box; an array that is not written out has tiles beside its shape."""
    summary = board["values"][value]
    short = short_text(summary)
    return short if short == summary["text"] else short + TILES


def _adjoint_widths(board: Storyboard) -> dict[int, float]:
    widest = {}
    for frame in board["frames"]:
        if frame["act"] in ("seed", "part", "sum"):
            width = text_width("← " + _shown(board, frame["value"]), 14)       # 12, and bold
            widest[frame["node"]] = max(widest.get(frame["node"], 0), width)
    return widest


def _size(board: Storyboard, index: int, adjoint_widths: dict[int, float]) -> Size:
    node = board["nodes"][index]
    leaf = node["role"] in ("constant", "input") and index not in adjoint_widths
    value = text_width("= " + _shown(board, node["value"]), 12) if node["label"] or node["op"] else 0
    pill = node["role"] in ("variable", "watched")       # round ends leave less room for the lower lines
    width = max(text_width(node["label"] or node["text"], 14), value, adjoint_widths.get(index, 0)) + (38 if pill else 22)
    return min(max(6 * -(-int(width) // 6), NARROWEST), WIDEST), LEAF_HEIGHT if leaf else HEIGHT


def _group_size(board: Storyboard, index: int) -> Size:
    return min(max(6 * -(-int(text_width(board["groups"][index]["label"], 14) + 28) // 6), 132), WIDEST_GROUP), GROUP_HEIGHT
