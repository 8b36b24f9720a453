"""Programs of PyTorch, and what came of them where it was installed: so their cards and players are
there without it. README.md in `recorded/` says how the recordings are made.
"""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from minitape.sentences import speaking
from minitape.storyboard import Storyboard

HERE = Path(__file__).parent / "recorded"


class Told(NamedTuple):
    """What was said of a gradient: an `Explanation`, as far as a card needs it."""

    category: str
    lineno: int | None
    certain: bool
    place: str
    message: str
    fix: str
    cure: list[str]
    text: str

    def __str__(self) -> str:
        return self.text


@cache
def _recordings() -> dict[str, Any]:
    files = sorted(HERE.glob("*.json"))
    result = [one for file in files for one in json.loads(file.read_text(encoding="utf-8"))]
    return {one["code"]: one for one in result}


def kept(code: str, language: str) -> tuple[Any, ...] | None:
    """Returns the parts of the `Run` that was recorded of a program, None where none was."""
    one = _recordings().get(code.strip("\n"))
    if one is None:
        return None
    error = one["error"]
    said = one.get(language, one["en"])
    return (
        one["answer"],
        None if error is None else getattr(builtins, one["answer"])(error),
        said["board"] and Storyboard(said["board"]),
        said["told"] and Told(**said["told"]),
        one["printed"],
    )


def recording(code: str, runs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what `kept` reads, of what came of a program in each language."""
    first = runs["en"]
    one = {
        "code": code.strip("\n"),
        "answer": first.answer,
        "error": None if first.error is None else str(first.error),
        "printed": first.printed,
    }
    for language, run in runs.items():
        said = run.explanation
        with speaking(language):  # an explanation is put into words when it is read
            told = said and {
                field: str(said) if field == "text" else getattr(said, field)
                for field in Told._fields
            }
        one[language] = {"board": run.board, "told": told}
    return one
