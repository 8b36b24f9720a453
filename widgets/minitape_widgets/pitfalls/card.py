"""A pitfall as data: texts, a question, a broken and a mended program.

The cards lie in `cards/`, one TOML file each, in English; `cards/fr/` says the same in French, text
by text. A program ends with `g`, the gradient in question. Those of PyTorch lie in `cards/torch/` in
the same way; what came of their programs lies in `recorded/`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from minitape.sentences import Catalogue, chosen

HERE = Path(__file__).parent
WORDS = Catalogue(HERE / "words")
LIBRARIES = ("tf", "torch")
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
    it by that it does not say; `library`: whose programs they are, of `LIBRARIES`
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
    library: str = "tf"


@cache
def _cards(language: str, library: str) -> dict[str, Card]:
    result = {}
    for path in sorted((HERE / "cards" / library.removeprefix("tf")).glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        translated = path.parent / language / path.name
        if language != "en" and translated.exists():
            data |= tomllib.loads(translated.read_text(encoding="utf-8"))
        key = path.stem.partition("-")[2]
        result[key] = Card(key=key, library=library, **data)
    return result


def cards(language: str | None = None, library: str = "tf") -> dict[str, Card]:
    """Returns the cards of a library by their keys, in the order of its gallery, in a language ("en"
    or "fr"). Raises ValueError for a library that has none.
    """
    check(library)
    return _cards(chosen(language), library)


def check(library: str) -> None:
    """Raises ValueError for a library that has no cards."""
    if library not in LIBRARIES:
        raise ValueError(f"library must be one of {', '.join(LIBRARIES)}, not {library!r}")


def keys(library: str = "tf") -> list[str]:
    """Returns the keys of all cards of a library, in the order of its gallery."""
    return list(cards("en", library))


def card(key: str, language: str | None = None) -> Card:
    """Returns one card. Raises KeyError for a key that there is not."""
    for library in LIBRARIES:
        if key in cards("en", library):
            return cards(language, library)[key]
    known = (key for library in LIBRARIES for key in keys(library))
    raise KeyError(f"There is no pitfall {key!r}. There are: {', '.join(known)}.")
