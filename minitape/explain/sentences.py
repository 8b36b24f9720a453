"""The sentences of all explanations come from catalogues, one file per language, so that other languages can follow.

A catalogue maps a category to its `title`, `why`, `fix` and `meaning`. A variant adds its name behind a dot:
`why.wrapped`. Words in braces are filled in with the learner's own names.
"""

import json
from functools import cache
from pathlib import Path

PLACE = Path(__file__).parent / "messages"
_language = ["en"]


def set_language(language):
    """Choose the language of all explanations, "en" or "fr". Raises ValueError for one without a catalogue."""
    if not (PLACE / f"{language}.json").exists():
        raise ValueError(f"There is no catalogue for {language!r}; there are {sorted(p.stem for p in PLACE.glob('*.json'))}.")
    _language[0] = language


@cache
def catalogue(language):
    """Return the whole catalogue of a language."""
    return json.loads((PLACE / f"{language}.json").read_text(encoding="utf-8"))


class _Blank(dict):
    def __missing__(self, key):
        return "…"


def say(category, what, variant, params):
    """Return one sentence; English where a language has none, "" where nobody has."""
    for language in (_language[0], "en"):
        entry = catalogue(language).get(category, {})
        text = entry.get(f"{what}.{variant}") if variant else None
        text = entry.get(what) if text is None else text
        if text is not None:
            return text.format_map(_Blank(params))
    return ""


def title(category):
    """Return the name of a pitfall in a few words."""
    return say(category, "title", "", {})


CATEGORIES = {key: entry["meaning"] for key, entry in catalogue("en").items() if "meaning" in entry}
