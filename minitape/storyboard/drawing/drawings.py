"""From boxes and lines to places: how large each box is, what is laid out, and what is written down
once for several drawings.

Rounds of a loop that have the same boxes and lines share their places, so that nothing moves from
one to the next. Where a loop is one of a few boxes, its box has room for a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.storyboard.drawing.layout import lay_out, text_width
from minitape.storyboard.drawing.sheets import Line, sheets
from minitape.storyboard.drawing.turn import turned
from minitape.storyboard.text.summary import short_text

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Item, Laid, Size
    from minitape.storyboard.text.aliases import Board, Row

HEIGHT, LEAF_HEIGHT, GROUP_HEIGHT = 58, 42, 58
NARROWEST, WIDEST, WIDEST_GROUP = 58, 190, 280
TILES = "      "  # the room that tiles take
MANY_DRAWINGS = 24  # beyond it only those that are seen first are worth Graphviz's time
HEAD, FEW = 30, 8  # a stack's box: pixels above its round, in a drawing of at most so many boxes
ROUND_BOXES, ROUND_SIZE = 10, (1100, 360)  # the largest round that is shown in it


class Form(NamedTuple):
    """A drawing before it is laid out; `like`: the number of the one whose places it shares, else
    its own.
    """

    group: int | None
    kind: str
    items: list[Item]
    lines: list[Line]
    sizes: list[Size]
    like: int


def drawings(board: Board, folded: bool, engine: str | None = None) -> list[Row]:
    """Returns the contract's "drawings" of a storyboard that has its nodes, edges, cards, groups
    and frames.
    """
    forms = _forms(board, folded)
    own = [number for number, form in enumerate(forms) if form.like == number]
    first = [number for number in own if forms[number].kind in ("", "step")]
    placed: dict[int, Laid] = {}

    def place(numbers: list[int], engine: str | None) -> None:
        graphs = [
            (forms[number].sizes, [(line.start, line.end) for line in forms[number].lines])
            for number in numbers
        ]
        placed.update(
            (number, turned(laid, forms[number].sizes))
            for number, laid in zip(numbers, lay_out(graphs, engine))
        )

    rest = [number for number in own if number not in first]
    place(rest, "layers" if engine is None and len(rest) > MANY_DRAWINGS else engine)
    filled = {number: _make_room(board, forms, number, placed) for number in first}
    place(first, engine)
    return [
        _written(form, placed.get(number), filled.get(number, set()))
        for number, form in enumerate(forms)
    ]


def _forms(board: Board, folded: bool) -> list[Form]:
    """Rounds of a loop with the same boxes and lines take one form: each box is as large as the
    largest of them needs it.
    """
    adjoint_widths = _adjoint_widths(board)
    room: dict[Item, Size] = {}  # a variable stands in thousands of drawings
    forms: list[Form] = []
    known: dict[Any, int] = {}
    for number, (group, (items, lines)) in enumerate(sheets(board, folded).items()):
        for item in items:
            if item not in room:
                room[item] = (
                    _group_size(board, item[1])
                    if item[0] == "group"
                    else _size(board, item[1], adjoint_widths)
                )
        sizes = [room[item] for item in items]
        row = board["groups"][group] if group is not None else {"kind": ""}
        key: Any = number
        if row["kind"] in ("round", "step") and not any(line.also for line in lines):
            key = (
                row["parent"],
                tuple(kind for kind, _ in items),
                tuple((line.start, line.end, line.shared) for line in lines),
            )
        like = known.setdefault(key, number)
        if like != number:
            model = forms[like].sizes
            model[:] = [(max(a[0], b[0]), max(a[1], b[1])) for a, b in zip(model, sizes)]
        forms.append(Form(group, row["kind"], items, lines, sizes, like))
    return forms


def _make_room(board: Board, forms: list[Form], number: int, placed: dict[int, Laid]) -> set[int]:
    """Makes the box of a loop as large as its rounds, where it is one of a few and they are small;
    returns which it did so.
    """
    form, found = forms[number], set()
    for at, (kind, index) in enumerate(form.items):
        if kind == "group" and board["groups"][index]["kind"] == "loop" and len(form.items) <= FEW:
            mine = {
                one.like
                for one in forms
                if one.kind == "round"
                and one.group is not None
                and board["groups"][one.group]["parent"] == index
            }
            width = max((placed[like][1] for like in mine), default=ROUND_SIZE[0] + 1)
            height = max((placed[like][2] for like in mine), default=0)
            boxes = max((len(forms[like].items) for like in mine), default=0)
            if width <= ROUND_SIZE[0] and height <= ROUND_SIZE[1] and boxes <= ROUND_BOXES:
                form.sizes[at] = max(width, form.sizes[at][0]), height + HEAD
                found.add(at)
    return found


def _written(form: Form, laid: Laid | None, filled: set[int]) -> Row:
    if laid is None:
        return {
            "group": form.group,
            "like": form.like,
            "nodes": [index for _, index in form.items],
            "edges": [line.edge for line in form.lines],
        }
    engine, width, height, places, curves = laid
    nodes = [
        {kind: index, "x": x, "y": y, "w": w, "h": h, **({"inside": True} if at in filled else {})}
        for at, ((kind, index), (w, h), (x, y)) in enumerate(zip(form.items, form.sizes, places))
    ]
    edges = [
        {
            "edge": line.edge,
            **({"count": line.shared} if line.shared > 1 else {}),
            **({"also": line.also} if line.also else {}),
            "points": curve,
        }
        for line, curve in zip(form.lines, curves)
    ]
    return {
        "group": form.group,
        "engine": engine,
        "width": width,
        "height": height,
        "nodes": nodes,
        "edges": edges,
    }


def drawing_of(board: Board, number: int) -> Row:
    """Returns a drawing with all its places: one that is like another has them from there, and in a
    box with room is its last round.
    """
    row = board["drawings"][number]
    if "like" in row:
        model = board["drawings"][row["like"]]
        nodes = [
            {**item, "node" if "node" in item else "group": index}
            for item, index in zip(model["nodes"], row["nodes"])
        ]
        row = {
            **model,
            "group": row["group"],
            "nodes": nodes,
            "edges": [{**line, "edge": edge} for line, edge in zip(model["edges"], row["edges"])],
        }
    for box in [box for box in row["nodes"] if box.get("inside")]:
        last = max(
            group for group, other in enumerate(board["groups"]) if other["parent"] == box["group"]
        )
        inner = drawing_of(
            board, next(at for at, other in enumerate(board["drawings"]) if other["group"] == last)
        )
        x, y = box["x"] - inner["width"] / 2, box["y"] + HEAD / 2 - inner["height"] / 2
        row = {
            **row,
            "nodes": row["nodes"]
            + [{**item, "x": item["x"] + x, "y": item["y"] + y} for item in inner["nodes"]],
            "edges": row["edges"]
            + [
                {**line, "points": [[a + x, b + y] for a, b in line["points"]]}
                for line in inner["edges"]
            ],
        }
    return row


def _shown(board: Board, value: int) -> str:
    """The text of a value in its box; an array that is not written out has tiles beside its shape."""
    summary = board["values"][value]
    short = short_text(summary)
    return short if short == summary["text"] else short + TILES


def _adjoint_widths(board: Board) -> dict[int, float]:
    widest: dict[int, float] = {}
    widths: dict[int, float] = {}
    for frame in board["frames"]:
        if frame["act"] in ("seed", "part", "sum"):
            value, node = frame["value"], frame["node"]
            if value not in widths:
                widths[value] = text_width("← " + _shown(board, value), 14)  # 12, and bold
            if widths[value] > widest.get(node, 0):
                widest[node] = widths[value]
    return widest


def _size(board: Board, index: int, adjoint_widths: dict[int, float]) -> Size:
    node = board["nodes"][index]
    leaf = node["role"] in ("constant", "input") and index not in adjoint_widths
    value = (
        text_width("= " + _shown(board, node["value"]), 12) if node["label"] or node["op"] else 0
    )
    pill = node["role"] in ("variable", "watched")  # cut corners leave less room
    width = max(
        text_width(node["label"] or node["text"], 14), value, adjoint_widths.get(index, 0)
    ) + (38 if pill else 22)
    return min(max(6 * -(-int(width) // 6), NARROWEST), WIDEST), LEAF_HEIGHT if leaf else HEIGHT


def _group_size(board: Board, index: int) -> Size:
    return min(
        max(6 * -(-int(text_width(board["groups"][index]["label"], 14) + 28) // 6), 150),
        WIDEST_GROUP,
    ), GROUP_HEIGHT
