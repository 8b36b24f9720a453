"""The cards of a tape, as exercises compare and show them: which operation, made of what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..engine.ops.facts import facts_of
from ..engine.recording import Recording
from ..program.places import positions
from ..sentences import Word
from .answers import number_text
from .outcome import SENTENCES

READING = "ReadVariableOp"


class Card(NamedTuple):
    """One card. `inputs`: names of sources, `card 2`, or numbers, as text; `needs`: the places of
    the cards that made them; `key`: the same for cards that compute the same from the same,
    wherever they stand on their tapes.
    """

    op: str
    inputs: tuple[str, ...]
    needs: tuple[int, ...]
    line: int
    key: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.op}({', '.join(self.inputs)})"


def cards_of(recording: Recording, names: Mapping[int, str]) -> list[Card]:
    """Return the cards of a recording that has its arrays. `names`: what the tensors are called
    that the tape was given.
    """
    names = dict(names)
    made: dict[int, int] = {}
    cards: list[Card] = []
    for entry, (values, _) in zip(recording.entries, recording.kept):
        if entry.op == READING:
            variable = recording.variables[entry.inputs[0]]
            names[entry.outputs[0]] = names.get(entry.inputs[0]) or (
                variable.name if variable else ""
            )
            continue
        texts: list[str] = []
        keys: list[tuple[str, Any]] = []
        for number, value in zip(entry.inputs, values):
            if number in made:
                texts.append(Word(SENTENCES.say("card", {"number": made[number] + 1})))
                keys.append(("card", cards[made[number]].key))
            else:
                texts.append(names.get(number) or _constant(value))
                keys.append(
                    ("name", names[number])
                    if number in names
                    else ("constant", np.round(np.asarray(value, float), 4).tolist())
                )
        attributes = sorted(
            (str(name), str(value))
            for name, value in (entry.attributes or {}).items()
            if name not in ("name", "where")
        )
        if facts_of(entry.op).commutes:  # the order of inputs says nothing
            keys.sort(key=repr)
        place = positions(entry.where)
        needs = tuple(sorted({made[number] for number in entry.inputs if number in made}))
        texts += [f"{name}={value}" for name, value in attributes if value != "None"]
        made.update(dict.fromkeys(entry.outputs, len(cards)))
        cards.append(
            Card(
                entry.op,
                tuple(texts),
                needs,
                place.line if place else 0,
                (entry.op, tuple(map(repr, keys)), tuple(attributes)),
            )
        )
    return cards


def listed(cards: list[Card]) -> str:
    """Return cards as lines of text, numbered."""
    return "\n".join(f"  {k}. {card}" for k, card in enumerate(cards, 1))


def _constant(value: Any) -> str:
    array = np.asarray(value)
    return (
        number_text(float(array))
        if not array.ndim and array.dtype.kind in "biuf"
        else f"array({' × '.join(map(str, array.shape))})"
    )
