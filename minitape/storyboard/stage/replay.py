"""What a page needs to play the recorded entries once more by itself, with other numbers.

A storyboard shows numbers in few letters; to compute with them, a page needs them whole. So it gets
the arrays of what nobody computed (variables, constants, inputs), of what it does not know how to
compute, and the attributes of the operations. All else follows: this is what it means that a tape
is plain data. Large arrays stay away, and what depends on them stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType, NoneType
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.engine.ops.facts import facts_of
from minitape.storyboard.stage.stage import Stage
from minitape.storyboard.text.aliases import Board, Data
from minitape.storyboard.text.summary import json_number

MOST = 4096  # numbers of one array
MOST_IN_ALL = 20_000  # numbers of one storyboard: about 200 kB of text
UNKNOWN = "unknown"  # instead of attributes: the page must not try


def replay(board: Board, stage: Stage, seeds: Sequence[tuple[Data, Array]]) -> Data | None:
    """Returns {"numbers": [[node, [...]]], "attributes": [[card, {...}]], "seeds": [[frame,
    [...]]]}; None where nothing can be held.

    Arrays are flat lists, the last axis fastest; their shapes are those of the nodes.
    """
    nodes, room = board["nodes"], MOST_IN_ALL
    known = {
        card: _plain(known.attributes) if facts_of(row["op"]).page else UNKNOWN
        for card, (row, known) in enumerate(zip(board["cards"], stage.cards.facts))
    }
    numbers: list[list[Any]] = []
    for index, node in enumerate(nodes):
        if node["card"] is not None and known[node["card"]] != UNKNOWN:
            continue
        array = np.asarray(stage.nodes.arrays[index])
        if array.dtype.kind in "fiub" and array.size <= min(MOST, room):
            room -= array.size
            numbers.append([index, _flat(array)])
    if not any(
        nodes[index]["card"] is None and stage.nodes.arrays[index].dtype.kind == "f"
        for index, _ in numbers
    ):
        return None
    place = {id(frame): k for k, frame in enumerate(board["frames"])}
    return {
        "numbers": numbers,
        "attributes": [[card, about] for card, about in known.items() if about],
        "seeds": [
            [place[id(frame)], _flat(seed)] for frame, seed in seeds if np.size(seed) <= MOST
        ],
    }


def _flat(array: Array) -> list[Any]:
    if not np.ndim(array):  # a long tape has thousands of them
        return [json_number(array[()])]
    return [json_number(number) for number in np.asarray(array).ravel()]


def _plain(value: Any) -> Any:
    """Returns attributes as JSON, or `UNKNOWN` where they hold what JSON has no word for."""
    try:
        return _worded(value or {})
    except TypeError:
        return UNKNOWN


def _worded(value: Any) -> Any:
    match value:
        case Mapping():
            return {str(name): _worded(each) for name, each in value.items()}
        case tuple() | list():
            return [_worded(each) for each in value]
        case slice():
            return {"slice": [_worded(value.start), _worded(value.stop), _worded(value.step)]}
        case EllipsisType():
            return "..."
        case bool() | NoneType() | str():
            return value
        case int() | float() | np.integer() | np.floating():
            return json_number(value)
        case np.dtype():
            return value.name
        case np.ndarray() if value.dtype.kind in "iuf" and value.ndim == 0:
            return json_number(value[()])
    raise TypeError(type(value).__name__)
