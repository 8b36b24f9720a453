"""The map of the course: which lessons there are, their questions, how long they take, and what one has solved of each.

Here stand their order and their minutes; their titles and questions stand in messages/, `lesson.NAME` and `lesson.NAME.question`. Which of
them exist is found where the notebooks are: what has not been written yet is not promised.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ..api.missing import offer
from ..sentences import language
from .kept import SENTENCES, known
from .shelf import by_lesson

MINUTES = {"00_start_here": 15, "01_why_a_tape": 30, "02_recording": 30, "03_playing_backwards": 35, "04_shapes": 35,
           "05_gradient_in_full": 30, "06_why_none": 30, "07_training_loop": 35, "08_layers_and_models": 40}
BESIDE: dict[str, int | None] = {"pitfalls": None, "15_fast_path": 25}         # to look at, at any time


@dataclass(frozen=True)
class Map:
    """The map that `show` returns: a table in Markdown, which a notebook, GitHub and a terminal show each in its way."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.text


def show() -> Map:
    """Return the map, with what one has solved; it shows itself."""
    facts = known()
    return table([identity for identity, kinds in facts.items() if "correct" in kinds], bool(facts))


def table(solved: list[str], begun: bool = False, folder: Path | None = None) -> Map:
    """Return the map of the notebooks in a folder, with what is solved; where one has begun, an arrow shows where to go on."""
    folder, exercises = folder or notebooks(), dict(by_lesson())
    lines = [f"| {' | '.join(SENTENCES.say(f'map.{column}') for column in ('number', 'lesson', 'question', 'minutes', 'exercises'))} |",
             "|:--|:--|:--|:--|:--|"]
    for name, minutes in {**MINUTES, **BESIDE}.items():
        file = _link(name, folder)
        if not file:
            continue
        number = name[:2] if name in MINUTES else ""
        ids = [exercise.id for exercise in exercises.get(number, ())]
        right = sum(identity in solved for identity in ids)
        here = begun and right < len(ids)
        begun = begun and not here
        counts = {"count": len(ids), "solved": right}
        told = SENTENCES.say(f"map.solved.{'all' if right == len(ids) else 'some' if right else 'none'}", counts) if ids else ""
        title = f"[{SENTENCES.say(f'lesson.{name}')}]({file})" + (SENTENCES.say("map.in-english") if "/" in file else "")
        cells = (f"→ **{number}**" if here else number, f"**{title}**" if here else title, SENTENCES.say(f"lesson.{name}.question"),
                 "" if minutes is None else str(minutes), told)
        lines.append(f"| {' | '.join(cells)} |")
    return Map("\n".join(lines) if len(lines) > 2 else SENTENCES.say("map.nowhere"))


def notebooks() -> Path:
    """Return the folder with the notebooks: where we stand, or else that of this checkout, in the learner's language."""
    if any(Path(f"{name}.ipynb").exists() for name in MINUTES):
        return Path()
    folder = Path(__file__).parents[2] / "notebooks"
    return folder if language() == "en" else folder / language()


def _link(name: str, folder: Path) -> str:
    """Return the way to a notebook from this folder, "" where it has not been written; what is not translated is there in English."""
    file = f"{name}.ipynb"
    if (folder / file).exists():
        return file
    return f"../{file}" if language() != "en" and os.path.exists(os.path.normpath(folder / ".." / file)) else ""


def heading(number: str) -> str:
    """Return "03 Playing it backwards" for "03"; the number alone where there is no such lesson."""
    return next((f"{number} {SENTENCES.say(f'lesson.{name}')}" for name in MINUTES if name[:2] == number), number)


def notebook(number: str) -> str:
    """Return the name of a lesson's notebook in the folder where we stand, "" where it is not there."""
    return next((f"{name}.ipynb" for name in MINUTES if name[:2] == number and Path(f"{name}.ipynb").exists()), "")


__all__ = ["Map", "show", "table"]
offer(__name__)
