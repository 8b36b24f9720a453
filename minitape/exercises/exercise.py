"""One exercise: what it asks, how it judges, how it helps."""

from __future__ import annotations

import html
import linecache
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..engine.ground.where import is_inside
from ..sentences import Catalogue
from . import progress

SENTENCES = Catalogue("minitape.exercises")


class NotYet(Exception):
    """Raised by a check: the answer is not right yet. `idea` is the key of the idea that is missing, the message says
    it.
    """

    def __init__(self, idea: str, message: str) -> None:
        super().__init__(message)
        self.idea, self.message = idea, message


class NotAttempted(Exception):
    """Raised by a check: a blank (`...`) is still there."""


@dataclass(frozen=True)
class WrongAnswer:
    """An answer that a known misconception gives, and the idea that the check must name for it."""

    code: str
    idea: str


@dataclass(frozen=True)
class Outcome:
    """What a check says.

    `kind` is "correct", "not yet", "not attempted" or "your code raised"; `idea` is a key where one is missing;
    `line` is the learner's line where code raised. Reads well in a terminal, and as a coloured box in a notebook.
    """

    kind: str
    message: str
    idea: str | None = None
    line: int | None = None

    correct = property(lambda self: self.kind == "correct", doc="True where the answer is right.")

    def __repr__(self) -> str:
        mark = {"correct": "✓", "not attempted": "○"}.get(self.kind, "✗")
        return f"{mark} {self.kind.capitalize()}. {self.message}"

    def _repr_html_(self) -> str:
        colour, word = {"correct": ("#2e7d32", "Correct"), "not attempted": ("#5f6368", "Not attempted yet")}.get(
            self.kind, ("#b3261e", self.kind.capitalize()))
        text = "<br>".join(html.escape(line) for line in self.message.split("\n"))
        return (f'<div role="status" style="border-left:4px solid {colour};padding:.4em .8em;margin:.3em 0">'
                f"<strong>{word}.</strong> {text}</div>")


class Check:
    """Tools for checks: they raise `NotYet` and `NotAttempted` with a kind word."""

    @staticmethod
    def attempted(*values: object) -> None:
        """Raise `NotAttempted` where a value is still the blank `...` (or nothing was returned)."""
        if any(v is Ellipsis or v is None for v in values):
            raise NotAttempted

    @staticmethod
    def number(value: Any, what: str) -> float:
        """Return a float of a number or scalar tensor; raises `NotYet` for anything else."""
        try:
            return float(value)
        except (TypeError, ValueError):
            raise NotYet("a-number", f"{what} should be one number; it is {type(value).__name__}.") from None


@dataclass(frozen=True)
class Exercise:
    """An exercise with its verbs `check`, `hint` and `solution`.

    `judge(answer)` returns None for a right answer and raises `NotYet` otherwise; `name` is what the learner's code
    defines.
    """

    id: str
    title: str
    prompt: str
    name: str
    starter: str
    solution_code: str
    judge: Callable[[Any], None]
    praise: str
    hints: tuple = ()
    wrong: tuple = ()
    _given: list = field(default_factory=list, compare=False, repr=False)

    def check(self, answer: Any = ...) -> Outcome:
        """Judge an answer; returns an `Outcome`, and never raises because of the learner's code."""
        try:
            Check.attempted(answer)
            self.judge(answer)
            outcome = Outcome("correct", self.praise)
        except NotAttempted:
            outcome = Outcome("not attempted", SENTENCES.say("unanswered", {"name": self.name}))
        except NotYet as error:
            outcome = Outcome("not yet", error.message, error.idea)
        except Exception as error:                                  # the learner's code may raise anything
            outcome = raised(error)
        progress.write(self.id, outcome.kind)
        return outcome

    def hint(self) -> Text:
        """Return the next hint; after the last one, the last again."""
        if not self.hints:
            return Text(SENTENCES.say("hint.none"))
        k = min(len(self._given), len(self.hints) - 1)
        self._given.append(k)
        return Text(SENTENCES.say("hint", {"number": k + 1, "count": len(self.hints), "hint": self.hints[k]}))

    def solution(self) -> Text:
        """Return the solution as text to read; it is not run."""
        progress.write(self.id, "solution seen")
        return Text(self.solution_code)

    def __repr__(self) -> str:
        return f"Exercise {self.id}: {self.title}"


class Text(str):
    """A text that shows itself without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def raised(error: BaseException) -> Outcome:
    """Return the outcome for an exception: which of the learner's lines raised what."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not is_inside(f.filename)]
    what = f"{type(error).__name__}: {error}"
    if not frames:
        return Outcome("your code raised", what)
    last = frames[-1]
    line = (last.line or linecache.getline(last.filename, last.lineno or 0)).strip()
    return Outcome("your code raised", SENTENCES.say("raised", {"line": last.lineno, "code": line, "error": what}), line=last.lineno)
