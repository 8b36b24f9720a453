"""The map of the course: which lessons there are, their questions, how long they take, and what one
has solved of each.

Which lessons exist is found where the notebooks are, and their titles and minutes stand in their
heads; what has not been written yet is not promised. Their questions, and so their names, stand in
messages/ under `lesson.NAME`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..api.missing import offer
from ..sentences import language
from .kept import SENTENCES, known
from .outcome import Text
from .shelf import by_lesson

BESIDE = (
    "pitfalls",
    "in_pytorch",
    "torch_pitfalls",
    "glossary",
)  # no lessons: to look at, at any time


@dataclass(frozen=True)
class Notebook:
    """One notebook of the course: its name, the way to it, and what its head says: the title, and
    the minutes or "".
    """

    name: str
    file: str
    title: str
    minutes: str

    number = property(
        lambda self: "" if self.name in BESIDE else self.name[:2],
        doc='"03", or "" for what is no lesson.',
    )
    key = property(
        lambda self: self.number or self.name, doc="What the ids of its exercises begin with."
    )


class Map(Text):
    """The map that `show` returns: a table in Markdown, which a notebook, GitHub and a terminal
    show each in its way.
    """

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


def show() -> Map:
    """Return the map, with what one has solved; it shows itself."""
    facts = known()
    return table([identity for identity, kinds in facts.items() if "correct" in kinds], bool(facts))


def table(solved: list[str], begun: bool = False, folder: Path | None = None) -> Map:
    """Return the map of the notebooks in a folder, with what is solved; where one has begun, an
    arrow shows where to go on.
    """
    exercises = dict(by_lesson())
    columns = ("number", "lesson", "question", "minutes", "exercises")
    heads = [SENTENCES.say(f"map.{column}") for column in columns]
    lines = [f"| {' | '.join(heads)} |", "|:--|:--|:--|:--|:--|"]
    for notebook in notebooks(folder):
        ids = [exercise.id for exercise in exercises.get(notebook.key, ())]
        right = sum(identity in solved for identity in ids)
        here = begun and right < len(ids)
        begun = begun and not here
        counts = {"count": len(ids), "solved": right}
        progress = (
            SENTENCES.say(
                f"map.solved.{'all' if right == len(ids) else 'some' if right else 'none'}", counts
            )
            if ids
            else ""
        )
        title = f"[{notebook.title}]({notebook.file})" + (
            SENTENCES.say("map.in-english") if "/" in notebook.file else ""
        )
        cells = (
            f"→\N{NO-BREAK SPACE}**{notebook.number}**" if here else notebook.number,
            f"**{title}**" if here else title,
            SENTENCES.say(f"lesson.{notebook.name}"),
            notebook.minutes,
            progress,
        )
        lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    return Map("\n".join(lines) if len(lines) > 2 else SENTENCES.say("map.nowhere"))


def notebooks(folder: Path | None = None) -> Iterator[Notebook]:
    """Yield the notebooks of the course in a folder; without one, where we stand, or else in this
    checkout, in the learner's language.
    """
    names = sorted(
        (key.removeprefix("lesson.") for key in SENTENCES("en") if key.startswith("lesson.")),
        key=lambda name: (BESIDE.index(name) if name in BESIDE else -1, name),
    )
    if folder is None:
        checkout = Path(__file__).parents[2] / "notebooks"
        here = any(Path(f"{name}.ipynb").exists() for name in names)
        folder = Path() if here else checkout if language() == "en" else checkout / language()
    for name in names:
        # what is not translated is there in English
        for file in (f"{name}.ipynb", f"../{name}.ipynb"):
            path = Path(os.path.normpath(folder / file))
            if path.exists() and ("/" not in file or language() != "en"):
                yield Notebook(name, file, *head(path))
                break


def head(path: Path) -> tuple[str, str]:
    """Return the title of a notebook, without "Lesson 03", and the minutes that it takes, "" where
    its head does not say.
    """
    try:
        text = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    except (OSError, ValueError, LookupError, TypeError):
        text = ""
    title = re.search(r"^# (?:\w+ \d\d\s*[.:]\s*)?(.+)", text, re.MULTILINE)
    minutes = re.search(r"^\*\D*?(\d+) min", text, re.MULTILINE)
    return title[1][:1].upper() + title[1][1:] if title else path.stem, minutes[
        1
    ] if minutes else ""


def lesson(key: str) -> tuple[str, str]:
    """Return "03 Playing it backwards" for "03", and the way to its notebook, "" where that is not
    in the folder where we stand.
    """
    for notebook in notebooks():
        if notebook.key == key:
            title = f"{notebook.number} {notebook.title.replace('`', '')}".lstrip()
            return title, notebook.file if Path(notebook.file).exists() else ""
    return SENTENCES.say("progress.lesson", {"number": key}), ""


__all__ = ["Map", "show", "table"]
offer(__name__)
