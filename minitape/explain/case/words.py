"""The sentences of all explanations come from catalogues, one file per language, so that other languages can follow.

A catalogue maps a category to its `title`, `why`, `fix` and `meaning`. A variant adds its name behind a dot:
`why.wrapped`. Words in braces are filled in with the learner's own names.
"""

import json
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PLACE = Path(__file__).parent.parent / "messages"
_language = ["en"]


def set_language(language):
    """Choose the language of all explanations, "en" or "fr". Raises ValueError for one without a catalogue."""
    if not (PLACE / f"{language}.json").exists():
        raise ValueError(f"There is no catalogue for {language!r}; there are {sorted(p.stem for p in PLACE.glob('*.json'))}.")
    _language[0] = language


def language():
    """Return the language of all explanations."""
    return _language[0]


@contextmanager
def speaking(language):
    """Choose a language for a block."""
    before = _language[0]
    set_language(language)
    try:
        yield
    finally:
        _language[0] = before


@cache
def catalogue(language):
    """Return the whole catalogue of a language."""
    return json.loads((PLACE / f"{language}.json").read_text(encoding="utf-8"))


class Place(str):
    """Stands for an expression whose text is not to be had: a line and a file. In a sentence it is not marked as code."""


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
            for key in [k for k, value in params.items() if isinstance(value, Place)]:
                line = key.removesuffix("_text") + "_line"
                text = re.sub(rf"`{{{key}}}`( \([^()]*{{{line}}}\))?", f"{{{key}}}", text)        # its line is in the words already
            text = text.format_map(_Blank(params))
            return re.sub(_beginnings(), lambda found: found[0][:-1] + found[0][-1].upper(), text) if what == "why" else text
    return ""


def _beginnings():
    """Return the pattern of the first letter of what stands at the beginning of a sentence in place of a name, or of code
    that is not to be had.
    """
    words = [catalogue(_language[0])["words"][name].partition("{")[0] for name in ("target", "source", "value", "outer", "nowhere")]
    return "(?:^|[.!?] )" + f"(?:{'|'.join(f'(?={re.escape(w)})' for w in words)})."


def word(name, **params):
    """Return a word or two that stand for what has no name."""
    return say("words", name, "", params)


def title(category):
    """Return the name of a pitfall in a few words."""
    return say(category, "title", "", {})


CATEGORIES = {key: entry["meaning"] for key, entry in catalogue("en").items() if "meaning" in entry}
