"""From boxes and lines to places: how large each box is, what is laid out, and what is written down
once for several drawings.

Rounds of a loop that have the same boxes and lines share their places, so that nothing moves from
one to the next. Where a loop is one of a few boxes, its box has room for a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from minitape.storyboard.drawing.grid import BESIDE, ROW, grid_size
from minitape.storyboard.drawing.layout import lay_out, text_width
from minitape.storyboard.drawing.sheets import Line, sheets
from minitape.storyboard.drawing.turn import DESK, PHONE, ROOMS, scale, turned
from minitape.storyboard.text.summary import shape_text

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Curve, Item, Laid, Point, Size
    from minitape.storyboard.text.aliases import Board, Data

HEIGHT, LEAF_HEIGHT, GROUP_HEIGHT = 58, 42, 58
NARROWEST, WIDEST, WIDEST_GROUP = 58, 190, 280
TILES = "      "  # the room that tiles take
NAMED, BADGE = 28, 10  # and of its name above them, and of a badge that says None
WIDEST_GRID, NUMBERED = 260, 16  # small arrays have their numbers in drawings of so many boxes
WIDE_GRID = 350  # wider ones where the page has room
WIDEST_NAME = 110  # above numbers with their adjoint below them
READABLE = 0.62  # and of this scale
LARGER = 1.2  # else some of them have boxes that are up to so much larger
# a drawing is made for another room where it is shown so much larger than this one, less than so large
WORTH, LARGE = 1.2, 0.77
MANY_DRAWINGS = 24  # beyond it only those that are seen first are worth Graphviz's time
HEAD, FEW = 30, 8  # a stack's box: pixels above its round, in a drawing of at most so many boxes
ROUND_BOXES, ROUND_SIZE = 10, (1100, 360)  # the largest round that is shown in it


class Room(NamedTuple):
    """The size of a box, and how far its adjoint reaches below it, beyond its border's own."""

    w: int
    h: int
    below: int = 0


Tried: TypeAlias = "tuple[list[Room], Laid]"  # boxes, and how they were laid out


class Form(NamedTuple):
    """A drawing before it is laid out; `like`: the number of the one whose places it shares, else
    its own.
    """

    group: int | None
    kind: str
    items: list[Item]
    lines: list[Line]
    rooms: list[Room]
    plain: list[Room]  # the same without the numbers of arrays
    wide: list[Room]  # and with those of very wide arrays
    tall: list[Room]  # or with no adjoint beside a value's numbers
    like: int

    @property
    def numbers(self) -> int:
        """How many arrays have numbers in several rows."""
        return sum(room.h > plain.h for room, plain in zip(self.rooms, self.plain))

    @property
    def is_numbered(self) -> bool:
        return self.rooms != self.plain

    def lessen(self, places: list[Point]) -> None:
        """Leaves numbers of several rows to those boxes whose column at these `places` is no wider
        with them; without places, to all but the tallest of these.
        """
        columns: dict[float, int] = {}
        for (x, _), plain in zip(places, self.plain):
            columns[x] = max(columns.get(x, 0), plain.w)
        tallest = max(room.h for room, plain in zip(self.rooms, self.plain) if room != plain)
        for at, plain in enumerate(self.plain):
            w, h, below = self.tall[at]
            larger = min(LARGER, columns[places[at][0]] / w) if places else 0
            if larger >= 1 and h > plain.h:
                self.rooms[at] = Room(int(larger * w), int(larger * h), below)
            elif places or self.rooms[at].h == tallest:
                self.rooms[at] = plain

    @property
    def sizes(self) -> list[Size]:
        """What is laid out: each box with what hangs below it."""
        return [(w, h + below) for w, h, below in self.rooms]


def drawings(board: Board, folded: bool, engine: str | None = None) -> list[Data]:
    """Returns the contract's "drawings" of a storyboard that has its nodes, edges, cards, groups
    and frames.
    """
    forms = _forms(board, folded)
    own = [number for number, form in enumerate(forms) if form.like == number]
    first = [number for number in own if forms[number].kind in ("", "step")]
    placed: dict[int, Laid] = {}
    tried: dict[int, list[Tried]] = {}  # with all numbers first

    def place(numbers: list[int], engine: str | None, some: bool = True) -> None:
        graphs = [
            (forms[number].sizes, [(line.start, line.end) for line in forms[number].lines])
            for number in numbers
        ]
        for number, laid in zip(numbers, lay_out(graphs, engine)):
            placed[number] = turned(laid, forms[number].sizes)
            tried.setdefault(number, []).append((forms[number].rooms[:], laid))
        small = [n for n in numbers if forms[n].is_numbered and scale(*placed[n][1:3]) < READABLE]
        for number in small:  # numbers that nobody can read only make it smaller
            forms[number].lessen(tried[number][-1][1][3] if some else [])
        if small:
            place(small, engine, some=False)

    rest = [number for number in own if number not in first]
    place(rest, "layers" if engine is None and len(rest) > MANY_DRAWINGS else engine)
    filled = {number: _make_room(board, forms, number, placed) for number in first}
    few = [n for n in first if len(forms[n].items) <= NUMBERED and not filled[n]]
    count = len(forms)
    ways = {number: [number] for number in few}  # and the same with other rooms for numbers
    for number in few:
        form = forms[number]
        for rooms in (form.wide, form.tall):
            if rooms != form.rooms:
                ways[number].append(len(forms))
                forms.append(form._replace(rooms=rooms, plain=rooms))
    place([*first, *range(count, len(forms))], engine)
    written = [
        _written(form, placed.get(number), filled.get(number, set()))
        for number, form in enumerate(forms[:count])
    ]
    for number in few:
        found = [one for way in ways[number] for one in tried[way]]
        if others := _others(forms[number], placed[number], found):
            written[number]["others"] = others
    return written


def _others(form: Form, shown: Laid, ways: list[Tried]) -> list[Data]:
    """Returns a drawing's places in other rooms: with the most numbers that can be read there, if
    it has fewer, or where it is shown larger with its own.
    """
    result: list[Data] = []
    for place in (ROOMS, ROOMS[-1:], DESK, PHONE):
        now = scale(*shown[1:3], place)
        best, most = None, (form.numbers, WORTH * now if now < LARGE else 1)
        for rooms, raw in ways:
            one = form._replace(rooms=rooms)
            laid = turned(raw, one.sizes, place)
            size = scale(*laid[1:3], place)
            if (one.numbers, size) > most and (size >= READABLE or one.numbers == form.numbers):
                best, most = _written(one, laid, set()), (one.numbers, size)
        if best:
            other = {
                "width": best["width"],
                "height": best["height"],
                "boxes": [[box[side] for side in "xywh"] for box in best["nodes"]],
                "lines": [
                    [[round(x), round(y)] for x, y in line["points"]] for line in best["edges"]
                ],
            }
            if other not in result:
                result.append(other)
    return result


def _forms(board: Board, folded: bool) -> list[Form]:
    """Rounds of a loop with the same boxes and lines take one form: each box is as large as the
    largest of them needs it.
    """
    rooms = _Rooms(board)
    forms: list[Form] = []
    known: dict[Any, int] = {}
    for number, (group, (items, lines)) in enumerate(sheets(board, folded).items()):
        few = len(items) <= NUMBERED
        needed, plain, wide, tall = (
            [rooms.of(item, widest if few else 0, beside) for item in items]
            for widest, beside in (
                (WIDEST_GRID, True),
                (0, True),
                (WIDE_GRID, True),
                (WIDEST_GRID, False),
            )
        )
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
            _, _, _, _, *models, _ = forms[like]
            for model, own in zip(models, (needed, plain, wide, tall)):
                model[:] = [a if a == b else Room(*map(max, a, b)) for a, b in zip(model, own)]
        forms.append(Form(group, row["kind"], items, lines, needed, plain, wide, tall, like))
    return forms


def _make_room(board: Board, forms: list[Form], number: int, placed: dict[int, Laid]) -> set[int]:
    """Makes the box of a loop as large as its rounds, where it is one of a few and they are small;
    returns which it did so.
    """
    form, result = forms[number], set()
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
                room = Room(max(width, form.rooms[at].w), height + HEAD)
                for rooms in (form.rooms, form.plain, form.wide, form.tall):
                    rooms[at] = room
                result.add(at)
    return result


def _written(form: Form, laid: Laid | None, filled: set[int]) -> Data:
    if laid is None:
        return {
            "group": form.group,
            "like": form.like,
            "nodes": [index for _, index in form.items],
            "edges": [line.edge for line in form.lines],
        }
    engine, width, height, places, curves = laid
    raised = [room.below / 2 for room in form.rooms]  # a box stands above what hangs below it
    nodes = [
        {
            kind: index,
            "x": x,
            "y": y - up,
            "w": w,
            "h": h,
            **({"inside": True} if at in filled else {}),
        }
        for at, ((kind, index), (w, h, _), (x, y), up) in enumerate(
            zip(form.items, form.rooms, places, raised)
        )
    ]
    edges = [
        {
            "edge": line.edge,
            **({"count": line.shared} if line.shared > 1 else {}),
            **({"also": line.also} if line.also else {}),
            "points": _raised(curve, raised[line.start], raised[line.end]),
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


def drawing_of(board: Board, number: int) -> Data:
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
    """The text of a value in its box; an array that is no row of numbers has tiles beside its shape."""
    summary = board["values"][value]
    is_row = not summary["shape"] or (grid_size(summary) or (0, 0))[1] == ROW
    return summary["text"] if is_row else shape_text(summary["shape"]) + TILES


class _Rooms:
    """The room of each box of a storyboard, found when it is first asked for: a variable stands in
    thousands of drawings.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.adjoints: dict[int, set[int]] = {}  # node -> the values that arrive there
        self.fans: set[int] = set()
        self.nones: set[int] = set()  # to which nothing came
        for frame in board["frames"]:
            if frame["act"] == "result" and frame["value"] is None:
                self.nones.add(frame["node"])
            if frame["act"] in ("seed", "part", "sum"):
                self.adjoints.setdefault(frame["node"], set()).add(frame["value"])
                if frame["act"] == "sum":
                    self.fans.add(frame["node"])
        self._of: dict[tuple[Item, int, bool], Room] = {}
        self._widths: dict[tuple[int, str], int] = {}

    def of(self, item: Item, widest: int, beside: bool = True) -> Room:
        """Returns the room of a box, with the numbers of small arrays that are no wider; `beside`:
        an adjoint may stand there.
        """
        key = item, widest, beside
        if key not in self._of:
            kind, index = item
            self._of[key] = (
                _group_room(self.board, index)
                if kind == "group"
                else self._numbered(index, widest, beside) or self.of(item, 0)
                if widest
                else self._node(index)
            )
        return self._of[key]

    @staticmethod
    def _name(node: Data) -> tuple[float, int]:
        """Returns the width of a box's name, and its margin: cut corners leave less room."""
        margin = 38 if node["role"] in ("variable", "watched") else 22
        return text_width(node["label"] or node["text"], 14) + margin, margin

    def _node(self, index: int) -> Room:
        node, adjoints = self.board["nodes"][index], self.adjoints.get(index, ())
        name, margin = self._name(node)
        widths = [self._width(value, "← ") for value in adjoints]
        if node["label"] or node["op"]:
            widths.append(self._width(node["value"], "= "))
        value = node["value"]
        grid = None if value is None else grid_size(self.board["values"][value])
        row = grid is not None and grid[1] == ROW  # of numbers, under its name
        leaf = node["role"] in ("constant", "input") and not adjoints and not row
        width = max(name, margin + max(widths, default=0))
        return Room(_rounded(width, WIDEST), LEAF_HEIGHT if leaf else HEIGHT)

    def _numbered(self, index: int, most: int, beside: bool) -> Room | None:
        """Returns the room of a small array with its numbers; None of another value.

        The adjoint of a tall array stands beside its numbers, else below them, as the page does it.
        """
        values, node = self.board["values"], self.board["nodes"][index]
        grid = None if node["value"] is None else grid_size(values[node["value"]])
        if grid is None or grid[0] > most - 10:
            return None
        width, rows = grid
        sizes = [grid_size(values[adjoint]) for adjoint in self.adjoints.get(index, ())]
        widest = max((size[0] for size in sizes if size), default=0)
        both = width + widest + BESIDE
        tall = rows > ROW * len(values[node["value"]]["cells"][0])
        if beside and widest and index not in self.fans and tall and both <= WIDEST_GRID:
            room = Room(both, max(HEIGHT, rows + NAMED))
        elif not widest:
            badge = BADGE if index in self.nones else 0
            room = Room(width + 10, max(LEAF_HEIGHT, rows + NAMED + badge))
        else:
            room = Room(max(width + 10, widest), HEIGHT + rows - ROW, max(0, rows + 4 - 18))
        name = min(self._name(node)[0], WIDEST_GRID if beside else WIDEST_NAME)
        return room._replace(w=_rounded(max(name, room.w), most))

    def _width(self, value: int, sign: str) -> int:
        """Returns the width of a value in or below its box, without its numbers."""
        key = value, sign
        if key not in self._widths:
            size = 14 if sign == "← " else 12  # an adjoint is bold
            self._widths[key] = int(text_width(sign + _shown(self.board, value), size))
        return self._widths[key]


def _rounded(width: float, widest: int) -> int:
    return min(max(6 * -(-int(width) // 6), NARROWEST), widest)


def _raised(curve: Curve, start: float, end: float) -> Curve:
    """Returns a curve whose ends are moved up with their boxes."""
    if not start and not end:
        return curve
    last = len(curve) - 2
    return [
        [x, round(y - (start if at < 2 else 0) - (end if at >= last else 0), 1)]
        for at, (x, y) in enumerate(curve)
    ]


def _group_room(board: Board, index: int) -> Room:
    width = text_width(board["groups"][index]["label"], 14) + 28
    return Room(max(_rounded(width, WIDEST_GROUP), 150), GROUP_HEIGHT)
