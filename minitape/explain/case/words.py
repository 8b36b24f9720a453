"""The sentences of `messages/`, by category.

A category has its `title`, `why`, `fix` and `meaning`; a variant adds its name behind a dot:
`numpy-escape.why.buffer`, and a library whose calls are others its own,
`numpy-escape.fix.rank.torch`. The blanks are filled in with the learner's own names. What a library
calls things is its dialect's: `{the_recording}` is the tape, `{tf}.reduce_mean` its name for that
function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from minitape.dialects import dialect_of
from minitape.sentences import Catalogue, Word

CATALOGUE = Catalogue("minitape.explain", missing="…")
PICTURES = Catalogue("minitape.storyboard")  # the words for a recording are the pictures', too
CATEGORIES = {
    key.removesuffix(".meaning"): text
    for key, text in CATALOGUE("en").items()
    if key.endswith(".meaning")
}
LIBRARYS = re.compile(r"\{tf\}\.(\w+(?:\.\w+)*)")
MOST_NAMES = 8  # so many names of a list are said; of the others, how many they are
MOST_LETTERS = 2000  # of what fills a blank


class Place(Word):
    """Stands for an expression whose text is not to be had, as "line 3 of a file". In a sentence it
    is not marked as code.
    """


def say(category: str, what: str, variant: str = "", params: dict[str, Any] | None = None) -> str:
    """Return one sentence of a category, that of a variant where it has its own."""
    params = {key: clipped(value) for key, value in (params or {}).items()}
    module, known = params.get("dialect", ""), CATALOGUE("en")
    keys = [f"{category}.{what}.{variant}", f"{category}.{what}"][not variant :]
    key = next((key for key in keys if key in known), keys[-1])
    if f"{key}.{module}" in known:
        key = f"{key}.{module}"
    text = CATALOGUE.pattern(key)
    # what a language has not translated has English words in it
    spoken = "en" if text == CATALOGUE.pattern(key, "en") else None
    for key in [key for key, value in params.items() if isinstance(value, Place)]:
        line = key.removesuffix("_text") + "_line"
        # its line is in the words already
        text = re.sub(rf"`{{{key}}}`( \([^()]*{{{line}}}\))?", f"{{{key}}}", text)
    dialect = dialect_of(params.get("dialect", ""))
    text = LIBRARYS.sub(lambda match: dialect.called(match[1]), text)
    forms = PICTURES.recording(dialect.recording, text, spoken)
    return CATALOGUE.filled(text, {**forms, **params}, spoken)


def clipped(value: Any, first: int = MOST_LETTERS // 2, last: int = MOST_LETTERS // 2) -> Any:
    """Return a text, or of a longer one so many of its first and last letters; anything else as it
    is.
    """
    if type(value) is not str or len(value) <= first + last:
        return value
    return f"{value[:first]}…{value[len(value) - last :]}"


def word(name: str, **params: Any) -> Word:
    """Return a word or two that stand for what has no name."""
    return Word(say("words", name, "", params))


def title(category: str, params: dict[str, Any] | None = None) -> str:
    """Return the name of a pitfall in a few words."""
    return say(category, "title", (params or {}).get("variant") or "", params)


def listed(names: Sequence[str]) -> str:
    """Return names as a text: `a, b and c`; of many only the first, and how many more."""
    if len(names) > MOST_NAMES:
        first, last = (
            names[: MOST_NAMES - 2],
            say("words", "others", "", {"count": len(names) - MOST_NAMES + 2}),
        )
    else:
        first, last = names[:-1], names[-1]
    return say("words", "and", "", {"first": ", ".join(first), "last": last}) if first else last
