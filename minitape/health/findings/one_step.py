"""What stands out on one tape: each finding as (key, position or None, what its sentence needs).

Layers are compared with layers, never with the 1 at the loss: so neither the number of examples nor
a factor before the loss makes an alarm.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.facts import facts_of
from minitape.storyboard.text.summary import number_text

from ..seen.first_bad import kind_of
from ..seen.sizes import finite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..seen.cards import Cards

    Found = tuple[str, Any, dict[str, Any]]

MANY_DEAD, MANY_SATURATED = 0.6, 0.5  # shares of units, and of flat outputs, that are worth a word
VANISHING, EXPLODING = 1e-3, 1e3  # from the last layer to the first
BIG_STEP = 1e2  # times the other weights


def find_in(cards: Cards) -> Iterator[Found]:
    """Return the findings, in the order in which the tape was recorded."""
    yield from _on_the_way(cards)
    for row in cards.sources:
        if row["gradient"] is None:
            yield "none", None, {"node": row["name"]}
        elif row["gradient"]["zero"] == row["gradient"]["count"]:
            yield "zero", None, {"node": row["name"]}
    yield from list(_flow(cards)) or _big_steps(cards)


def _on_the_way(cards: Cards) -> Iterator[Found]:
    """The first number that is not finite, dead units, flat outputs."""
    firsts, bad = {layer.first for layer in cards.anatomy.layers}, False
    # Behind the last of these no weight and no curve comes: a curve that gives the prediction is
    # not inside, and may well be flat.
    inner = [
        index
        for number, index in cards.index_of.items()
        if index in firsts or facts_of(cards.rows[number]["op"]).limits
    ]
    for number, (row, card) in enumerate(zip(cards.rows, cards.stage.cards)):
        where, name = card["where"], ", ".join(filter(None, (row["layer"], row["name"])))
        if not bad and not finite(cards.arrays[number]):
            bad = True
            yield _first_bad(cards, number)
        count, total = cards.dead.get(number, (0, 0))
        if count > MANY_DEAD * total and np.prod(cards.arrays[number].shape[:-1]) > 1:
            yield "dead", where, {"name": name, "count": count, "total": total}
        flat, index = row["saturated"] or 0.0, cards.index_of.get(number, -1)
        if flat >= MANY_SATURATED and index < max(inner, default=-1):
            yield "saturated", where, {"name": name, "percent": round(100 * flat)}
    if not bad and cards.first_bad is not None:
        number, node = cards.first_bad
        card = cards.stage.cards[number]
        params = {"card": number + 1, "op": card["op"], "node": node}
        yield "nonfinite_backward", card["where"], params


def _first_bad(cards: Cards, number: int) -> Found:
    row, card = cards.rows[number], cards.stage.cards[number]
    given = [node for node in card["inputs"] if not finite(cards.stage.arrays[node])]
    if given:
        return "input", None, {"node": cards.stage.shown(given[0])}
    bad = kind_of(cards.arrays[number]).replace("nan", "NaN")
    return "nonfinite", card["where"], {"name": row["name"], "op": row["op"], "bad": bad}


def _flow(cards: Cards) -> Iterator[Found]:
    """Adjoints that shrink or grow at the outputs of the layers, else from turn to turn of a loop."""
    layers, places = cards.anatomy.layers, dict[Any, list[int]]()
    for index, row in cards.of.items():
        places.setdefault((row["op"], cards.entries[index][4:6]), []).append(index)
    outputs = [layer.out if k else layer.first for k, layer in enumerate(layers)]
    rows = _flowing(cards, outputs)
    turns = max(places.values(), key=len, default=[])
    rows += _flowing(cards, turns) if len(rows) < 2 and len(turns) > 1 else []
    if len(rows) < 2:
        return
    ratio = rows[0]["adjoint"]["rms"] / rows[-1]["adjoint"]["rms"]
    if not VANISHING <= ratio <= EXPLODING:
        first, last = (row["layer"] or row["name"] for row in (rows[0], rows[-1]))
        params = {"first": first, "last": last, "ratio": number_text(max(ratio, 1 / ratio), 2)}
        yield "vanishing" if ratio < 1 else "exploding", None, params


def _flowing(cards: Cards, indices: list[int]) -> list[dict[str, Any]]:
    """The rows of some entries, those that an adjoint came to."""
    rows = [cards.of[index] for index in indices if index in cards.of]
    return [row for row in rows if row["adjoint"] is not None and row["adjoint"].get("rms")]


def _big_steps(cards: Cards) -> Iterator[Found]:
    """Compares each weight's gradient with those of the others, all beside their values."""
    for row in cards.sources:
        others = [o["ratio"] for o in cards.sources if o is not row and o["ratio"]]
        if row["ratio"] and len(others) > 1 and row["value"]["count"] > 1:
            ratio = row["ratio"] / median(others)
            if ratio > BIG_STEP:
                yield "big_step", None, {"node": row["name"], "ratio": number_text(ratio, 2)}
