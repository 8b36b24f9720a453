"""Answers that people invented who had not read the checks, and what each is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

from minitape.exercises import exercise
from minitape.exercises.author import answer_of
from minitape.exercises.outcome import Outcome, meaning

HERE = Path(__file__).parent
SEED = 0  # of the numbers that an exercise draws


class Row(TypedDict):
    """One answer: code as it would stand in the exercise's cell, the slip that it makes, what it is
    told (`kind: idea`), and the verdict of a reader: whether this names the slip.
    """

    exercise: str
    answer: str
    slip: str
    said: str
    met: bool


def rows_of(file: Path) -> list[Row]:
    return json.loads(file.read_text(encoding="utf-8"))


def write(file: Path, rows: list[Row]) -> None:
    file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def told(row: Row) -> tuple[str, str]:
    """Return what an answer is told with the numbers of a seed: `kind: idea`, and the sentence; of
    a cell that raises before there is anything to check, Python's error.
    """
    asked = exercise(row["exercise"]).fixed(SEED)
    if asked.shows:
        asked.question()
    try:
        answer = answer_of(asked, row["answer"])
    except Exception as error:
        said = "\n".join(filter(None, (str(error), meaning(error))))
        return f"raises {type(error).__name__}", said
    outcome = asked.check(answer)
    return f"{outcome.kind}: {outcome.idea}" if outcome.idea else outcome.kind, _text(outcome)


def _text(outcome: Outcome) -> str:
    return f"(line {outcome.line}) {outcome.message}" if outcome.line else outcome.message
