"""Sentences for learners, in their language: one way for all catalogues.

A catalogue is a folder with one JSON file per language, {key: sentence}. In a sentence stand

    {name}                                  what the caller gives under that name
    {count|one:# card|other:# cards}        one of two forms, chosen by a number, which stands in place of "#"
    {the_recording}                         the word for what a library records, "the tape", in one of its forms

A key that a catalogue lacks falls back to what stands before its last dot, a sentence that a
language lacks to English. The player does the same in JavaScript (static/storyboard/sentences.js),
so that both say the same. A library would do more, but would need four others (fluent.runtime) or a
compiler for its files (gettext), and minitape needs NumPy only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import get_data
from typing import Any

NAMES = {"en": "English", "fr": "Français", "es": "Español"}
LANGUAGES = tuple(NAMES)
COMPLETE = ("en", "fr")  # the others say a part so far, and the rest in English
# numbers that take the form "one", as in Unicode's rules; the player reads them as "plural.one"
ONE = {"en": "1", "fr": "0 1", "es": "1"}
_BLANK = re.compile(r"\{(\w+)(?:\|one:([^|{}]*)\|other:([^|{}]*))?\}")
_RECORDING = re.compile(r"\{(\w+)_recording\}")
_chosen = ["en"]


class Word(str):
    """Words that stand for what has no name, "the target". At the beginning of a sentence they get
    a capital; names never do.
    """


def known(language: Any) -> str:
    """Return the language. Raises ValueError for one without sentences."""
    if not isinstance(language, str) or language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, not {language!r}.")
    return language


def language() -> str:
    """Return the language that is spoken where nobody asks for another: that of explanations,
    players and exercises.
    """
    return _chosen[0]


def chosen(language: str | None = None) -> str:
    """Return the language that is asked for, the spoken one for None. Raises ValueError for one
    without sentences.
    """
    return _chosen[0] if language is None else known(language)


def set_language(language: str) -> None:
    """Choose the language of explanations, players and exercises: one of LANGUAGES. Raises
    ValueError for one without sentences.
    """
    _chosen[0] = known(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Choose a language for a block. Raises ValueError for one without sentences."""
    before = _chosen[0]
    set_language(language)
    try:
        yield
    finally:
        _chosen[0] = before


def filled(text: str, params: Mapping[str, Any], language: str, missing: str = "") -> str:
    """Return a sentence with its blanks filled in; `missing` stands for what `params` does not
    have.
    """

    def fill(match: re.Match[str]) -> str:
        name, one, other = match.groups()
        value = params.get(name, missing)
        if one is not None:
            return (one if str(value) in ONE[language].split() else other).replace("#", str(value))
        begins = not match.start() or re.search(r"[.!?] $", text[: match.start()])
        return first_upper(value) if begins and isinstance(value, Word) else str(value)

    return _BLANK.sub(fill, text)


def first_upper(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def first_lower(text: str) -> str:
    """Return a text with a small letter at its beginning, as a title has it inside of a sentence."""
    return text[:1].lower() + text[1:]


def in_html(text: str) -> str:
    """Return a sentence as HTML: escaped, what stands between backticks as code, and no line broken
    beside an equals sign.
    """
    from html import escape  # here: few who import minitape look at a page

    parts = re.split("`([^`]+)`", escape(text, quote=False))
    return "".join(
        f"<code>{part}</code>" if k % 2 else part.replace(" = ", "\u00a0=\u00a0")
        for k, part in enumerate(parts)
    )


class Catalogue:
    """The sentences of one folder, which is given by its path or by the name of the module that
    says them.

    A package `a.b` has its sentences in `a/b/messages`, a module `a.b` in `a/messages/b`; both may
    lie in a zip file. `catalogue(language)` is {key: sentence}; `missing` stands for what a caller
    does not give.
    """

    def __init__(self, folder: str | Path, missing: str = "") -> None:
        self.folder, self.missing = folder, missing

    def __call__(self, language: str) -> dict[str, str]:
        """Return all sentences of a language. Raises ValueError for a language without sentences."""
        return _read(self.folder, known(language))

    def own(self, language: str) -> dict[str, str]:
        """Return the sentences that a language has itself, without those that it takes from
        English.
        """
        return _own(self.folder, known(language))

    def pattern(self, key: str, language: str | None = None) -> str:
        """Return the sentence of a key with its blanks, "" for a key that there is not."""
        sentences = self(language or _chosen[0])
        while key not in sentences and "." in key:
            key = key.rpartition(".")[0]
        return sentences.get(key, "")

    def recording(self, word: str, pattern: str, language: str | None = None) -> dict[str, Word]:
        """Return what the blanks of a sentence call that which a library records, by its dialect's
        word: {"the_recording": "the graph"}.
        """
        return {
            f"{form}_recording": Word(self.pattern(f"recording.{word}.{form}", language))
            for form in _RECORDING.findall(pattern)
        }

    def filled(self, pattern: str, params: Mapping[str, Any], language: str | None = None) -> str:
        """Return a sentence with its blanks filled in."""
        return filled(pattern, params, language or _chosen[0], self.missing)

    def say(
        self, key: str, params: Mapping[str, Any] | None = None, language: str | None = None
    ) -> str:
        """Return the sentence of a key with its blanks filled in, in the language that is spoken
        where none is given.
        """
        return self.filled(self.pattern(key, language), params or {}, language)


@cache
def _read(folder: str | Path, language: str) -> dict[str, str]:
    own = _own(folder, language)
    return own if language == "en" else {**_read(folder, "en"), **own}


@cache
def _own(folder: str | Path, language: str) -> dict[str, str]:
    text: bytes | None
    try:
        if isinstance(folder, Path):
            text = (folder / f"{language}.json").read_bytes()
        else:
            # not importlib.resources: it imports `random`, which may be the learner's own
            package, _, name = folder.rpartition(".")
            if hasattr(import_module(folder), "__path__"):
                package, name = folder, ""
            text = get_data(package, "/".join(filter(None, ("messages", name, f"{language}.json"))))
    except OSError:
        if language == "en":
            raise
        return {}  # all of it falls back to English
    result: dict[str, str] = json.loads(text or b"")
    return result
