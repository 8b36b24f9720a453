"""The contract of a storyboard: its form, which is a JSON Schema, and what no schema says of parts
that belong together.

What minitape has just built keeps the contract. A file may come from anywhere: here all of it is
read before anything is drawn. The page has the same relations under the same names
(static/storyboard/check.js), and tests hold both to the same verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from minitape import schemas
from minitape.storyboard.film.source import LETTERS, LINES

FORM = schemas.schema("trace")["$defs"]["Storyboard"]["properties"]
VERSION: int = FORM["version"]["const"]
LISTS = tuple(part for part, form in FORM.items() if form.get("type") == "array")
DEEP = 200  # groups in groups
COVERED = 500_000  # lines that the cards stand on, each counted for itself
POINTS = 100_000  # of the lines of a drawing
EXACT = 2**53  # below, a page counts exactly


def has_its_input(x: Any, board: Any, _: int) -> bool:
    """Say whether the input that is meant is one of the card's."""
    return (
        x.get("card") is None
        or x.get("input") is None
        or x["input"] < len(board["cards"][x["card"]]["inputs"])
    )


def is_way_or_cut(edge: Any, board: Any, k: int) -> bool:
    """Say whether an edge leads into an input of a card, or stands for a way that is not there."""
    return edge["card"] is None or edge["input"] is not None and has_its_input(edge, board, k)


def fits_its_shape(value: Any, *_: Any) -> bool:
    """Say whether a shape can be one, and a value has as many cells; strided, no more."""
    shape, cells, strided = value["shape"], value.get("cells"), value.get("strided")
    whole = math.prod(shape)
    if cells is None or whole >= EXACT:
        return whole < EXACT

    def fits(n: int, kept: int) -> bool:
        return kept <= n if strided else kept == n

    return (
        bool(shape)
        and whole > 0
        and fits(whole // shape[-1], len(cells))
        and all(fits(shape[-1], len(row)) for row in cells)
    )


def has_its_formulas(card: Any, *_: Any) -> bool:
    """Say whether a card has a formula for each input."""
    return len(card["formula"]) == len(card["inputs"])


def comes_after_its_inputs(card: Any, board: Any, k: int) -> bool:
    """Say whether the cards that made its inputs are earlier ones: no tape runs in a circle."""
    made = (board["nodes"][n]["card"] for n in card["inputs"])
    return all(c is None or c < k or board["cards"][c]["tape"] != card["tape"] for c in made)


def has_an_end(group: Any, board: Any, _: int) -> bool:
    """Say whether a group ends where it begins or later, and the groups around it end somewhere."""
    above, deep = group, 0
    while above["parent"] is not None and deep < DEEP:
        above, deep = board["groups"][above["parent"]], deep + 1
    return deep < DEEP and group["cards"][0] <= group["cards"][1]


def can_be_drawn(drawing: Any, board: Any, _: int) -> bool:
    """Say whether lines are whole curves, and a drawing with the places of another has as many
    boxes and lines; so have its own in other rooms.
    """
    if drawing.get("like") is None:
        others = drawing.get("others") or ()
        lines = [line["points"] for line in drawing["edges"]]
        lines += [line for one in others for line in one["lines"]]
        points = [len(line) for line in lines]
        return (
            sum(points) <= POINTS
            and all(count % 3 == 1 for count in points)
            and all(len(one["boxes"]) == len(drawing["nodes"]) for one in others)
            and all(len(one["lines"]) == len(drawing["edges"]) for one in others)
        )
    model = board["drawings"][drawing["like"]]
    if model.get("like") is not None or any(
        len(drawing[part]) != len(model[part]) for part in ("nodes", "edges")
    ):
        return False
    tables = ("groups" if box.get("node") is None else "nodes" for box in model["nodes"])
    return all(n < len(board[table]) for n, table in zip(drawing["nodes"], tables))


def has_its_numbers(played: Any, board: Any, _: int) -> bool:
    """Say whether an array that is played again is as large as its shape says."""
    node, numbers = played
    value = board["nodes"][node]["value"]
    return value is not None and math.prod(board["values"][value]["shape"]) == len(numbers)


# What no schema says: (list, whether one of it fits the others).
RELATIONS: tuple[tuple[str, Callable[[Any, Any, int], bool]], ...] = (
    ("edges", is_way_or_cut),
    ("frames", has_its_input),
    ("values", fits_its_shape),
    ("cards", has_its_formulas),
    ("cards", comes_after_its_inputs),
    ("groups", has_an_end),
    ("drawings", can_be_drawn),
    ("replay.numbers", has_its_numbers),
)
SPANS = (
    ("nodes", "where"),
    ("cards", "where"),
    ("cards", "back"),
    ("notes", "where"),
    ("frames", "where"),
)


def beyond(board: Mapping[str, Any]) -> tuple[str, int, int] | None:
    """Return (name, length, most) of a list that is longer than a page holds, or None."""
    for part in LISTS:
        most = FORM[part].get("maxItems")
        if most is not None and len(board[part]) > most:
            return part, len(board[part]), most
    return None


def fault(board: Any) -> str:
    """Return what is wrong with a storyboard: the place, "nodes[3].card"; "" where nothing is."""
    place = schemas.reader("trace", "Storyboard")(board, board)
    if place is not None:
        return place.removeprefix(".") or "its form"
    for part in ("frames", "drawings"):
        if board["cards"] and not board[part]:
            return part
    lists = {**board, "replay.numbers": (board.get("replay") or {}).get("numbers", ())}
    for part, fits in RELATIONS:
        for k, one in enumerate(lists[part]):
            if not fits(one, board, k):
                return f"{part}[{k}]"
    lines = [source["text"].count("\n") + 1 for source in board["sources"]]
    if sum(lines) > LINES or sum(len(source["text"]) for source in board["sources"]) > LETTERS:
        return "sources"
    covered = 0
    for part, field in SPANS:
        for k, one in enumerate(board[part]):
            where = one.get(field)
            if where is not None and not 1 <= where[1] <= where[3] <= lines[where[0]]:
                return f"{part}[{k}].{field}"
            covered += where[3] - where[1] + 1 if where is not None and part == "cards" else 0
    return "cards" if covered > COVERED else ""
