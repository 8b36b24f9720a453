"""The contract of a storyboard as a validator: all that pictures, texts and sentences rely on, for
storyboards that come from a file.

What minitape has just built keeps the contract. A file may come from anywhere: here kinds, indices
and sizes are looked at once, before anything is drawn. The player has the same in JavaScript
(static/storyboard/check.js), and a test holds both to the same verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minitape.sentences import LANGUAGES

Kind = Callable[[Any, Any], bool]  # (something, the storyboard) -> whether it is what it should be

VERSION = 1
LEFT_OUT = object()
MANY = 500_000  # of nodes, acts, ...
CELLS = 16  # along an axis
WHOLE = 4096  # numbers of an array that is played again
DEEP = 200  # groups in groups
FAR = 1e7  # pixels
OF_EVERY_OBJECT = {
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
}
LISTS = (
    "sources",
    "tapes",
    "values",
    "nodes",
    "edges",
    "cards",
    "notes",
    "groups",
    "passes",
    "chapters",
    "prompts",
    "frames",
    "drawings",
)


def text_up_to(most: int) -> Kind:
    return lambda x, _: isinstance(x, str) and len(x) <= most


def finite(x: Any, _: Any = None) -> bool:
    return (
        isinstance(x, int | float)
        and not isinstance(x, bool)
        and (isinstance(x, int) or math.isfinite(x))
    )


def count(x: Any, _: Any = None) -> bool:
    return type(x) is int and 0 <= x < 2**53


def numeric(x: Any, _: Any = None) -> bool:
    return finite(x) or x in ("nan", "inf", "-inf")


def pixels(x: Any, _: Any = None) -> bool:
    return finite(x) and abs(x) <= FAR


def size(x: Any, _: Any = None) -> bool:
    return pixels(x) and x >= 0


def flag(x: Any, _: Any = None) -> bool:
    return isinstance(x, bool)


def maybe(kind: Kind) -> Kind:
    """None where there is none."""
    return lambda x, board: x is None or kind(x, board)


def optional(kind: Kind) -> Kind:
    """The same, or left out."""
    return lambda x, board: x is None or x is LEFT_OUT or kind(x, board)


def one_of(*names: str) -> Kind:
    return lambda x, _: isinstance(x, str) and x in names


def listed(kind: Kind, most: int = MANY, least: int = 0) -> Kind:
    return lambda x, board: (
        isinstance(x, list) and least <= len(x) <= most and all(kind(one, board) for one in x)
    )


def at(table: str) -> Kind:
    """An index into a list of the storyboard."""
    return lambda x, board: count(x) and x < len(board[table])


def record(**fields: Kind) -> Kind:
    plain = {field.rstrip("_"): kind for field, kind in fields.items()}
    return lambda x, board: (
        isinstance(x, dict)
        and all(kind(x.get(field, LEFT_OUT), board) for field, kind in plain.items())
    )


text = text_up_to(20_000)


def name(x: Any, _: Any = None) -> bool:
    """A name that is looked up in a table: nothing that every object in JavaScript has."""
    return text_up_to(200)(x, None) and x not in OF_EVERY_OBJECT


point = listed(pixels, 2, 2)


def params(x: Any, board: Any) -> bool:
    """What fills the blanks of a sentence."""
    return (
        isinstance(x, dict)
        and len(x) <= 100
        and all(y is None or text(y, board) or finite(y) or flag(y) for y in x.values())
    )


def span(x: Any, board: Any) -> bool:
    return listed(count, 5, 5)(x, board) and at("sources")(x[0], board)


choice = record(
    text=text, idea=optional(name), say=optional(text), card=optional(count), sign=optional(finite)
)
place = record(
    x=pixels,
    y=pixels,
    w=size,
    h=size,
    node=optional(at("nodes")),
    group=optional(at("groups")),
    inside=optional(flag),
)
line = record(
    edge=at("edges"),
    points=listed(point, 10_000, 4),
    count=optional(count),
    also=optional(listed(at("edges"))),
)
FRAME = {
    "card": at("cards"),
    "node": at("nodes"),
    "note": at("notes"),
    "edge": at("edges"),
    "tape": at("tapes"),
    "value": at("values"),
    "local": at("values"),
    "adjoint": at("values"),
    "pass": at("passes"),
    "chapter": at("chapters"),
    "input": count,
    "count": count,
    "row": listed(count, 64),
    "why": name,
    "key": name,
    "use": count,
}
NEEDED = {
    "record": ("card",),
    "skip": ("note",),
    "note": ("note",),
    "seed": ("pass", "node", "value"),
    "visit": ("card",),
    "part": ("card", "input", "node", "value"),
    "sum": ("node", "value"),
    "cut": ("why",),
    "result": ("pass", "node"),
    "row": ("pass", "row", "value"),
    "release": ("tape",),
    "chapter": ("chapter",),
}
# also where there is none
TOLD = {"skip": ("node",), "cut": ("card", "input", "node"), "result": ("value",)}


def frame(x: Any, board: Any) -> bool:
    return (
        isinstance(x, dict)
        and name(x.get("act"), board)
        and all(maybe(kind)(x.get(field), board) for field, kind in FRAME.items())
        and optional(span)(x.get("where", LEFT_OUT), board)
        and all(x.get(field) is not None for field in NEEDED.get(x["act"], ()))
        and all(field in x for field in TOLD.get(x["act"], ()))
    )


drawing = record(
    group=maybe(at("groups")),
    engine=text,
    width=size,
    height=size,
    nodes=listed(
        lambda x, board: place(x, board) and (x.get("node") is None) != (x.get("group") is None)
    ),
    edges=listed(lambda x, board: line(x, board) and len(x["points"]) % 3 == 1),
)
likeness = record(
    group=at("groups"), like=at("drawings"), nodes=listed(count), edges=listed(at("edges"))
)


KINDS: dict[str, Kind] = {
    "sources": record(
        name=text,
        text=text_up_to(2_000_000),
        lines=maybe(listed(listed(count, 2, 2))),
        first=optional(count),
    ),
    "tapes": record(name=text, persistent=flag),
    "values": record(
        text=text,
        dtype=text,
        shape=listed(count, 64),
        number=optional(numeric),
        strided=optional(flag),
        bytes=optional(count),
        min=optional(numeric),
        max=optional(numeric),
        mean=optional(numeric),
        nan=optional(count),
        inf=optional(count),
        zero=optional(count),
        cells=optional(listed(listed(numeric, CELLS), CELLS)),
    ),
    "nodes": record(
        label=text,
        text=text,
        op=maybe(text),
        target=flag,
        source=flag,
        bytes=maybe(count),
        where=maybe(span),
        role=one_of("variable", "watched", "constant", "input", "intermediate"),
        card=maybe(at("cards")),
        value=maybe(at("values")),
        group=maybe(at("groups")),
    ),
    "edges": record(
        from_=at("nodes"),
        to=at("nodes"),
        card=maybe(at("cards")),
        input=maybe(count),
        flow=one_of("open", "unwatched", "blocked", "unregistered", "escape"),
    ),
    "cards": record(
        op=text,
        tape=at("tapes"),
        inputs=listed(at("nodes"), 10_000),
        outputs=listed(at("nodes"), 10_000, 1),
        where=maybe(span),
        formula=listed(maybe(text), 10_000),
        needs=listed(flag, 10_001),
        bytes=maybe(count),
        group=maybe(at("groups")),
        back=optional(span),
        sign=optional(text_up_to(200)),
        layer=optional(listed(lambda x, board: count(x) or text(x, board), 10)),
    ),
    "notes": record(
        kind=name,
        key=name,
        params=params,
        tape=maybe(at("tapes")),
        where=maybe(span),
        nodes=listed(at("nodes")),
    ),
    "groups": record(
        label=text,
        kind=one_of("layer", "function", "loop", "round", "step", "lines"),
        parent=maybe(at("groups")),
        nodes=listed(at("nodes")),
        cards=lambda x, board: listed(at("cards"), 2, 2)(x, board) and x[0] <= x[1],
    ),
    "passes": record(
        kind=one_of("gradient", "jacobian"),
        tape=at("tapes"),
        frames=listed(at("frames"), 2, 2),
        targets=listed(at("nodes")),
        sources=listed(at("nodes")),
    ),
    "chapters": record(
        title=text, frame=at("frames"), loss=maybe(at("values")), group=maybe(at("groups"))
    ),
    "prompts": record(
        frame=at("frames"),
        kind=one_of("number", "sign", "card", "choice"),
        key=name,
        params=maybe(params),
        answer=maybe(lambda x, board: finite(x) or text(x, board)),
        tolerance=maybe(finite),
        choices=listed(choice, 1000),
        right=maybe(name),
        question=optional(text),
        code=optional(text),
        say=optional(text),
    ),
    "frames": frame,
    "drawings": lambda x, board: (
        likeness if isinstance(x, dict) and x.get("like") is not None else drawing
    )(x, board),
    "asides": record(
        frame=count,
        text=lambda x, board: isinstance(x, dict) and listed(text, 10, 1)(list(x.values()), board),
    ),
}
pair = listed(lambda x, _: True, 2, 2)


def fits_model(x: Any, board: Any) -> bool:
    """Say whether a drawing that has its places from another has as many boxes and lines."""
    if x.get("like") is None:
        return True
    model = board["drawings"][x["like"]]
    return (
        model.get("like") is None
        and len(x["nodes"]) == len(model["nodes"])
        and len(x["edges"]) == len(model["edges"])
        and all(
            at("groups" if box.get("node") is None else "nodes")(n, board)
            for n, box in zip(x["nodes"], model["nodes"])
        )
    )


def numbers(x: Any, board: Any) -> bool:
    """Say whether an array that is played again is as large as its shape says."""
    if (
        not pair(x, board)
        or not at("nodes")(x[0], board)
        or not listed(numeric, WHOLE)(x[1], board)
    ):
        return False
    value = board["nodes"][x[0]]["value"]
    return value is not None and math.prod(board["values"][value]["shape"]) == len(x[1])


replay = record(
    numbers=listed(numbers),
    attributes=listed(lambda x, board: pair(x, board) and at("cards")(x[0], board)),
    seeds=listed(
        lambda x, board: (
            pair(x, board) and at("frames")(x[0], board) and listed(numeric, WHOLE)(x[1], board)
        )
    ),
)


def above(group: Any, board: Any) -> int:
    """Return in how many groups a group stands."""
    found = 0
    while group.get("parent") is not None and found < DEEP:
        group, found = board["groups"][group["parent"]], found + 1
    return found


def within(x: Any, board: Any) -> bool:
    """Say whether the input that is meant is one of the card's."""
    return (
        x.get("card") is None
        or x.get("input") is None
        or x["input"] < len(board["cards"][x["card"]]["inputs"])
    )


def late(k: int, board: Any) -> bool:
    """Say whether an input of a card is made only after it, or by it: no tape runs in a circle."""
    cards, card = board["cards"], board["cards"][k]
    made = (board["nodes"][n].get("card") for n in card["inputs"])
    return any(c is not None and c >= k and cards[c]["tape"] == card["tape"] for c in made)


def fits_shape(x: Any, _: Any) -> bool:
    """Say whether a shape can be one, and a value has as many cells; strided, no more."""
    shape, cells, strided = x["shape"], x.get("cells"), x.get("strided")
    whole = math.prod(shape)
    if cells is None or not count(whole):
        return count(whole)

    def fits(n: int, kept: int) -> bool:
        return kept <= n if strided else kept == n

    return (
        bool(shape)
        and whole > 0
        and fits(whole // shape[-1], len(cells))
        and all(fits(shape[-1], len(row)) for row in cells)
    )


# What no single record shows: (list, whether a record of it fits the others).
TOGETHER: tuple[tuple[str, Kind], ...] = (
    (
        "edges",
        lambda x, board: within(x, board) and (x.get("card") is None or x.get("input") is not None),
    ),
    ("frames", within),
    ("values", fits_shape),
    ("cards", lambda x, _: len(x["formula"]) == len(x["inputs"])),
    ("groups", lambda x, board: above(x, board) < DEEP),
    ("drawings", fits_model),
)


def fault(board: dict[str, Any]) -> str:
    """Return what is wrong with a storyboard: the place, "nodes[3]"; "" where nothing is."""
    whole = {
        "title": text,
        "language": one_of(*LANGUAGES),
        **dict.fromkeys(LISTS, listed(lambda x, _: True)),
        "asides": maybe(listed(lambda x, _: True)),
    }
    for part, kind in whole.items():
        if not kind(board.get(part), board):
            return part
    for part in ("frames", "drawings"):
        if board["cards"] and not board[part]:
            return part
    for part, kind in (*KINDS.items(), *TOGETHER):
        for k, one in enumerate(board.get(part) or ()):
            if not kind(one, board):
                return f"{part}[{k}]"
    for k in range(len(board["cards"])):
        if late(k, board):
            return f"cards[{k}]"
    if board.get("replay") is not None and not replay(board["replay"], board):
        return "replay"
    lines = [len(source["text"].split("\n")) for source in board["sources"]]
    for part, field in (
        ("nodes", "where"),
        ("cards", "where"),
        ("cards", "back"),
        ("notes", "where"),
        ("frames", "where"),
    ):
        for k, one in enumerate(board[part]):
            where = one.get(field)
            if where is not None and not 1 <= where[1] <= where[3] <= lines[where[0]]:
                return f"{part}[{k}].{field}"
    return ""
