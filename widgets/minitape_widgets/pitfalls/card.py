"""A pitfall as data: texts, a question, a broken and a mended program.

The cards lie in `cards/`, one TOML file each, in English; `cards/fr/` says the same in French, text
by text. A program ends with `g`, the gradient in question.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from minitape.sentences import Catalogue, chosen

HERE = Path(__file__).parent
WORDS = Catalogue(HERE / "words")
# what one sees: ways to the cards
SITUATIONS = ("none", "zero", "nan", "wrong-number", "still", "raises", "memory")
CARD = "application/vnd.minitape.card.v1+json"
GALLERY = "application/vnd.minitape.gallery.v1+json"
PAGE = "card/deliveries.js"  # what draws cards on a page: the player's front end, and the gallery's


class Card(NamedTuple):
    """One pitfall.

    `symptom`, `question`, `rule`: its texts; `bites`: where it happens in real work `broken`,
    `fixed`: two programs that end with `g`; `result`, `good`: the text of `g` in them `choices`:
    the possible answers, and what each `says` to those who took it; `right`: the place of the right
    one, from 0 `category`, `line`: what the explainer must say of the broken program ("" where that
    is no matter for it) `situations`: what one sees of it, of `SITUATIONS`; `also`: words to search
    it by that it does not say
    """

    key: str
    title: str
    symptom: str
    situations: list
    question: str
    right: int
    result: str
    good: str
    category: str
    line: int
    rule: str
    bites: str
    broken: str
    fixed: str
    choices: list
    also: str = ""


@cache
def _cards(language: str) -> dict[str, Card]:
    found = {}
    for path in sorted((HERE / "cards").glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if language != "en":
            data |= tomllib.loads((path.parent / language / path.name).read_text(encoding="utf-8"))
        key = path.stem.partition("-")[2]
        found[key] = Card(key=key, **data)
    return found


def cards(language: str | None = None) -> dict[str, Card]:
    """Returns all cards by their keys, in the order of the gallery, in a language ("en" or "fr")."""
    return _cards(chosen(language))


def keys() -> list[str]:
    """Returns the keys of all cards, in the order of the gallery."""
    return list(cards("en"))


def card(key: str, language: str | None = None) -> Card:
    """Returns one card. Raises KeyError for a key that there is not."""
    if key not in cards("en"):
        raise KeyError(f"There is no pitfall {key!r}. There are: {', '.join(keys())}.")
    return cards(language)[key]
